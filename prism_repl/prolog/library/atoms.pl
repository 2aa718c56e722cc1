% Atoms and characters: predicates with several answers over deterministic helpers.

%% atom_concat(?A:atomic, ?B:atomic, ?AB:atomic) is nondet, itself, protected.
'$atom_concat_any'(A,B,C) :- '$atom_concat'(A,B,C,N), '$atom_concat_more'(N,A,B,C).

'$atom_concat_more'([],_,_,_) :- !.
'$atom_concat_more'(N,A,B,C) :-
    '$between_up'(0,N,I),
    '$sub_text'(C,0,I,A),
    K is N-I,
    '$sub_text'(C,I,K,B).

%% sub_atom(+Atom:atom, ?Before:integer, ?Length:integer, ?After:integer, ?Sub:atom) is nondet, itself, protected.
'$sub_atom_any'(A,B,L,R,S) :- '$sub_atom'(A,B,L,R,S,Places), '$sub_atom_more'(Places,A,B,L,R,S).

'$sub_atom_more'([],_,_,_,_,_).
'$sub_atom_more'([P|Ps],A,B,L,R,S) :- '$member'(s(B,L,R),[P|Ps]), '$sub_text'(A,B,L,S).
'$sub_atom_more'(all(N),A,B,L,R,S) :-
    '$between_up'(0,N,B),
    K is N-B,
    '$between_up'(0,K,L),
    R is K-L,
    '$sub_text'(A,B,L,S).

%% current_char_conversion(?Char, ?Other) is nondet.
current_char_conversion(A,B) :-
    '$check_character_or_var'(A), '$check_character_or_var'(B),
    '$char_conversions'(Pairs),
    ( nonvar(A) -> ( '$memberchk'(A-C,Pairs) -> B = C ; B = A )
    ; nonvar(B) -> ( A = B, \+ '$memberchk'(A-_,Pairs) ; '$member'(A-B,Pairs) )
    ; '$between_up'(0,255,K), char_code(A,K), ( '$memberchk'(A-C,Pairs) -> B = C ; B = A ) ).

%% char_type(?Char, ?Type) is nondet.
char_type(C,T) :- nonvar(C), !, '$char_kind'(C,T).
char_type(C,T) :- '$between_up'(0,255,K), char_code(C,K), '$char_kind'(C,T).

%% code_type(?Code, ?Type) is nondet.
code_type(C,T) :- integer(C), !, char_code(A,C), '$char_kind'(A,T).
code_type(C,T) :- nonvar(C), !, '$char_kind'(C,T).
code_type(C,T) :- '$between_up'(0,255,C), char_code(A,C), '$char_kind'(A,T).

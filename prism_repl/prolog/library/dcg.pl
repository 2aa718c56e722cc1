% Term expansion: definite clause grammars, matching clauses.

%% expand_term(+Term, -Clause) is det.
expand_term(T,E) :- var(T), !, E = T.
expand_term(T,E) :- '$term_expansion'(T,E0), !, E = E0.
expand_term((H-->B),C) :- !, dcg_translate_rule((H-->B),C).
expand_term((H=>B),C) :- '$matching_clause'(H,B,C0), !, C = C0.
expand_term(T,T).

% B-Prolog's Head, Condition => Body: the head is matched, which binds nothing in the call, and if the condition
% holds, no other clause is tried. Where => is another operator, it is the program's own.
'$matching_clause'(H,B,C) :- nonvar(H), H = (H1,Cond), !, '$matching_clause'(H1,(Cond,!,B),H1,C).
'$matching_clause'(H,B,C) :- '$matching_clause'(H,(!,B),H,C).

'$matching_clause'(H,B,H,(G:-B1)) :-
    callable(H), current_op(1200,xfx,=>),
    functor(H,N,K), functor(G,N,K), term_variables(G,Vs),
    ( G = H, '$distinct_variables'(Vs) -> B1 = B ; B1 = (subsumes_term(H,G),H=G,B) ).

'$distinct_variables'(Vs) :- term_variables(Vs,Us), Us == Vs.

% A program may define term_expansion/2.
'$term_expansion'(T,E) :- current_predicate(term_expansion/2), term_expansion(T,E).

%% dcg_translate_rule(+Rule, -Clause) is det.
dcg_translate_rule((H-->_),_) :- var(H), !, '$instantiation_error'(dcg_translate_rule/2).
dcg_translate_rule((H,_-->_),_) :- var(H), !, '$instantiation_error'(dcg_translate_rule/2).
dcg_translate_rule((H,P-->B),(H1:-B1)) :- !,
    '$must_be'(callable,H,dcg_translate_rule/2), '$dcg_list'(P),
    '$dcg_extend'(H,S0,S,H1),
    '$dcg_body'(B,S0,S1,G1),
    '$dcg_terminals'(P,S,S1,G2),
    '$dcg_and'(G1,G2,B1).
dcg_translate_rule((H-->B),(H1:-B1)) :-
    '$must_be'(callable,H,dcg_translate_rule/2),
    '$dcg_extend'(H,S0,S,H1),
    '$dcg_end'(B,S0,S,B1).

% The body between S0 and S, where both are seen from outside: a body that consumes nothing must
% not identify them before it runs.
'$dcg_end'(B,S0,S,G) :-
    '$dcg_body'(B,S0,S1,G1),
    ( S1 == S0 -> '$dcg_and'(G1,S0=S,G) ; S1 = S, G = G1 ).

'$dcg_extend'(N,S0,S,G) :- N =.. L0, '$append'(L0,[S0,S],L), G =.. L.

'$dcg_and'(true,G,G) :- !.
'$dcg_and'(G,true,G) :- !.
'$dcg_and'((A,B),C,(A,D)) :- !, '$dcg_and'(B,C,D).
'$dcg_and'(A,B,(A,B)).

'$dcg_body'(B,S0,S,phrase(B,S0,S)) :- var(B), !.
'$dcg_body'((A,B),S0,S,G) :- !,
    '$dcg_body'(A,S0,S1,G1), '$dcg_body'(B,S1,S,G2), '$dcg_and'(G1,G2,G).
'$dcg_body'((A;B),S0,S,(G1;G2)) :- !, '$dcg_end'(A,S0,S,G1), '$dcg_end'(B,S0,S,G2).
'$dcg_body'('|'(A,B),S0,S,(G1;G2)) :- !, '$dcg_end'(A,S0,S,G1), '$dcg_end'(B,S0,S,G2).
'$dcg_body'((A->B),S0,S,(G1->G2)) :- !, '$dcg_body'(A,S0,S1,G1), '$dcg_end'(B,S1,S,G2).
'$dcg_body'((A*->B),S0,S,(G1*->G2)) :- !, '$dcg_body'(A,S0,S1,G1), '$dcg_end'(B,S1,S,G2).
'$dcg_body'(\+A,S0,S0,\+G) :- !, '$dcg_body'(A,S0,_,G).
'$dcg_body'({},S,S,true) :- !.
'$dcg_body'({G},S,S,G1) :- !, ( var(G) -> G1 = call(G) ; G1 = G ).
'$dcg_body'(!,S,S,!) :- !.
'$dcg_body'([],S,S,true) :- !.
'$dcg_body'([X|Xs],S0,S,G) :- !, '$dcg_list'([X|Xs]), '$dcg_terminals'([X|Xs],S0,S,G).
'$dcg_body'(call(C),S0,S,call(C,S0,S)) :- !.
'$dcg_body'(N,S0,S,G) :- functor(N,call,K), K > 1, !, '$dcg_extend'(N,S0,S,G).
'$dcg_body'(N,S0,S,G) :- '$must_be'(callable,N,dcg_translate_rule/2), '$dcg_extend'(N,S0,S,G).

'$dcg_list'(L) :- '$skip_list'(L,_,T), ( T == [] -> true ; '$must_be'(list,L,dcg_translate_rule/2) ).

'$dcg_terminals'(L,S0,S,S0=L1) :- '$append'(L,S,L1), !.

%% phrase(:Body/2, ?List) is nondet.
phrase(G,L) :- phrase(G,L,[]).

%% phrase(:Body/2, ?List, ?Rest) is nondet.
phrase(G,L,R) :-
    '$must_be'(callable,G,phrase/3),
    '$must_be'(list_or_partial_list,L,phrase/3),
    '$must_be'(list_or_partial_list,R,phrase/3),
    '$phrase'(G,L,R).

'$phrase'(G,L,R) :-
    ( '$dcg_control'(G) -> '$dcg_end'(G,S0,S,B), S0 = L, S = R, call(B) ; call(G,L,R) ).

'$dcg_control'((_,_)).
'$dcg_control'((_;_)).
'$dcg_control'('|'(_,_)).
'$dcg_control'((_->_)).
'$dcg_control'((_*->_)).
'$dcg_control'(\+_).
'$dcg_control'({}).
'$dcg_control'({_}).
'$dcg_control'(!).
'$dcg_control'([]).
'$dcg_control'([_|_]).
'$dcg_control'(call(_)).

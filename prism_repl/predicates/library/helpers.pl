% Helpers that PRISM leaves in the user's name space. Programs have their own of the same names: those count.

% transpose(Rows,Columns): lists of equal length.
%% transpose(?Rows, ?Columns) is semidet.
transpose(Rows,Columns) :- is_list(Rows), '$columns'(Rows,Columns).
transpose(Rows,Columns) :- \+ is_list(Rows), is_list(Columns), '$columns'(Columns,Rows).

'$columns'([],[]) :- !.
'$columns'(Rows,[]) :- '$all_empty'(Rows), !.
'$columns'(Rows,[Column|Columns]) :- '$first_column'(Rows,Column,Rest), '$columns'(Rest,Columns).

'$all_empty'([]).
'$all_empty'([Row|Rows]) :- Row == [], '$all_empty'(Rows).

'$first_column'([],[],[]).
'$first_column'([Row|Rows],[X|Column],[Rest|Rests]) :- nonvar(Row), Row = [X|Rest], '$first_column'(Rows,Column,Rests).

% The last of equal elements stays. A list that ends is found twice, as in PRISM.
%% unique(+List, -Last) is multi.
unique(L,U) :- '$closed_list'(L,unique/2), '$unique'(L,U).

'$unique'([],[]).
'$unique'([X],[X]).
'$unique'([X|L],U) :- ( '$identical_member'(X,L) -> '$unique'(L,U) ; U = [X|V], '$unique'(L,V) ).
'$unique'([_|_],_) :- fail.

% What is no list fails; what may become one is an error.
'$closed_list'(L,Context) :-
    '$skip_list'(L,_,Tail),
    ( Tail == [] -> true ; var(Tail) -> '$instantiation_error'(Context) ; fail ).

% Elements that are not ground are dropped.
%% nonground_unique(+List, -Last) is multi.
nonground_unique(L,U) :- '$closed_list'(L,nonground_unique/2), '$ground_elements'(L,G), '$unique'(G,U).

'$ground_elements'([],[]).
'$ground_elements'([X|L],G) :- ( ground(X) -> G = [X|H] ; G = H ), '$ground_elements'(L,H).

% Elements that are instances of others are dropped; of variants the first stays.
%% unifiable_unique(+List, -General) is semidet.
unifiable_unique(L,U) :- '$closed_list'(L,unifiable_unique/2), '$most_general'(L,L,0,U).

'$most_general'([],_,_,[]).
'$most_general'([X|Xs],L,I,U) :-
    ( nth0(J,L,Y), J =\= I, subsumes_term(Y,X), ( J < I ; \+ subsumes_term(X,Y) ) -> U = V ; U = [X|V] ),
    K is I+1,
    '$most_general'(Xs,L,K,V).

%% atoms_concat(+Atoms:list, -Atom) is semidet.
atoms_concat(Atoms,Atom) :- '$atoms_concat'(Atoms,Atom).

'$atoms_concat'([A],A) :- !.
'$atoms_concat'([A,B|As],Atom) :- atom_concat(A,B,C), '$atoms_concat'([C|As],Atom).

% slice(List,Windows,N,Step): the windows of N elements, one every Step elements.
%% slice(+List:list, -Windows, +N:positive_integer, +Step:positive_integer) is nondet.
slice(L,Windows,N,Step) :- '$slice'(L,Windows,N,Step).

'$slice'(L,[],N,_) :- length(L,M), M < N.
'$slice'(L,[W|Ws],N,Step) :-
    length(L,M), M >= N,
    length(W,N), append(W,_,L),
    length(Skipped,Step), append(Skipped,Rest,L),
    '$slice'(Rest,Ws,N,Step).
'$slice'(_,_,_,_) :- fail.

%% tprism_debug_level(-Level) is semidet.
tprism_debug_level(0).

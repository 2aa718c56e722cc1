% Printing clauses; portray_clause/1 lays them out.

%% listing is det.
listing :-
    '$predicates'(L),
    '$list_predicates'(L).

%% listing(+Indicator:indicators) is semidet.
listing(Spec) :-
    var(Spec), !,
    throw(error(instantiation_error,listing/1)).
listing([]) :- !.
listing([Spec|Specs]) :- !,
    listing(Spec),
    listing(Specs).
listing(Spec) :-
    '$listed'(Spec,Pattern),
    '$predicates'(All),
    findall(Pattern,'$member'(Pattern,All),L),
    L = [_|_],                       % nothing of that name: no
    '$list_predicates'(L).

'$listed'(N/A,N/A) :- !.
'$listed'(N,N/_) :- atom(N), !.
'$listed'(Spec,_) :- throw(error(type_error(predicate_indicator,Spec),listing/1)).

% A blank line between predicates; those without clauses print nothing.
'$list_predicates'(L) :-
    findall(H,( '$member'(N/A,L), functor(H,N,A), \+ \+ '$listed_clause'(H,_) ),Heads),
    '$list_clauses'(Heads).

'$list_clauses'([]).
'$list_clauses'([H|Heads]) :-
    forall('$listed_clause'(H,B),portray_clause((H:-B))),
    ( Heads == [] -> true ; nl ),
    '$list_clauses'(Heads).

% Clauses of compiled programs, too.
'$listed_clause'(H,B) :- '$clause'(H,B,_).

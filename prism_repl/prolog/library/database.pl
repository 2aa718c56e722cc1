% Information on predicates.

%% current_predicate(?Indicator:indicator) is nondet, protected.
current_predicate(PI) :-
    '$check_indicator_pattern'(PI),
    '$predicates'(L),
    '$member'(PI,L).

%% predicate_property(?Head, ?Property) is nondet.
predicate_property(H,P) :-
    nonvar(H), !,
    functor(H,N,A),
    '$predicate_info'(N,A,L),
    '$member'(P,L).
predicate_property(H,P) :-
    '$all_predicates'(All),
    '$member'(N/A,All),
    functor(H,N,A),
    '$predicate_info'(N,A,L),
    '$member'(P,L).

'$check_indicator_pattern'(PI) :- var(PI), !.
'$check_indicator_pattern'(N/A) :- !,
    ( ( var(N) ; atom(N) ) -> true ; throw(error(type_error(predicate_indicator,N/A),current_predicate/1)) ),
    ( ( var(A) ; integer(A) ) -> true ; throw(error(type_error(predicate_indicator,N/A),current_predicate/1)) ).
'$check_indicator_pattern'(PI) :- throw(error(type_error(predicate_indicator,PI),current_predicate/1)).

% 20,000 asserta, a lookup of each by its first argument, then all retracted.
:- dynamic(fact/2).

bench(N) :- repeat_database(N).

repeat_database(0) :- !.
repeat_database(N) :-
    fill(20000), lookup(20000, 0, Sum), Sum =:= 400020000, retractall(fact(_, _)),
    N1 is N-1, repeat_database(N1).

fill(0) :- !.
fill(I) :- V is 2*I, asserta(fact(I, V)), I1 is I-1, fill(I1).

lookup(0, S, S) :- !.
lookup(I, S0, S) :- fact(I, V), S1 is S0+V, I1 is I-1, lookup(I1, S1, S).

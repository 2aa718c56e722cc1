% A meta-interpreter with a depth counter runs naive reverse: clause/2, control by unification.
:- dynamic(rev/2).
:- dynamic(join/3).

bench(N) :- numbers(1, 20, L), repeat_meta(N, L).

repeat_meta(0, _) :- !.
repeat_meta(N, L) :- solve(rev(L, _), 0), N1 is N-1, repeat_meta(N1, L).

solve(true, _) :- !.
solve((A, B), D) :- !, solve(A, D), solve(B, D).
solve(G, D) :- D1 is D+1, clause(G, Body), solve(Body, D1).

numbers(N, N, [N]) :- !.
numbers(I, N, [I|L]) :- I < N, I1 is I+1, numbers(I1, N, L).

rev([], []).
rev([H|T], R) :- rev(T, RT), join(RT, [H], R).

join([], L, L).
join([H|T], L, [H|R]) :- join(T, L, R).

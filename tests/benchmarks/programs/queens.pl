% Eight queens, all 92 solutions by backtracking.
bench(N) :- repeat_queens(N).

repeat_queens(0) :- !.
repeat_queens(N) :- all_queens, N1 is N-1, repeat_queens(N1).

all_queens :- queens([1,2,3,4,5,6,7,8], _), fail.
all_queens.

queens(Ns, Qs) :- place(Ns, [], Qs).

place([], Qs, Qs).
place(Unplaced, Safe, Qs) :-
    choose(Q, Unplaced, Rest),
    safe(Q, 1, Safe),
    place(Rest, [Q|Safe], Qs).

choose(X, [X|Xs], Xs).
choose(X, [Y|Ys], [Y|Zs]) :- choose(X, Ys, Zs).

safe(_, _, []).
safe(Q, D, [Q1|Qs]) :-
    Q =\= Q1 + D, Q =\= Q1 - D,
    D1 is D+1,
    safe(Q, D1, Qs).

% Takeuchi's function: arithmetic, comparison, deterministic calls.
bench(N) :- repeat_tak(N).

repeat_tak(0) :- !.
repeat_tak(N) :- tak(18, 12, 6, _), N1 is N-1, repeat_tak(N1).

tak(X, Y, Z, A) :- X =< Y, !, Z = A.
tak(X, Y, Z, A) :-
    X1 is X-1, Y1 is Y-1, Z1 is Z-1,
    tak(X1, Y, Z, A1), tak(Y1, Z, X, A2), tak(Z1, X, Y, A3),
    tak(A1, A2, A3, A).

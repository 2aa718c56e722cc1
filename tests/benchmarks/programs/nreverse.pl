% Naive reverse of a list of 30 elements: 496 inferences a time.
bench(N) :- numbers(1, 30, L), repeat_nrev(N, L).

repeat_nrev(0, _) :- !.
repeat_nrev(N, L) :- nrev(L, _), N1 is N-1, repeat_nrev(N1, L).

numbers(N, N, [N]) :- !.
numbers(I, N, [I|L]) :- I < N, I1 is I+1, numbers(I1, N, L).

nrev([], []).
nrev([H|T], R) :- nrev(T, RT), app(RT, [H], R).

app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).

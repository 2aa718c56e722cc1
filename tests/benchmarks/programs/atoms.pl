% findall, sort, msort by keys, setof, and atoms taken apart and put together.
bench(N) :- repeat_atoms(N).

repeat_atoms(0) :- !.
repeat_atoms(N) :- work, N1 is N-1, repeat_atoms(N1).

work :-
    findall(K-V, pair(K, V), Pairs),
    keysort(Pairs, Sorted),
    last_key(Sorted, 996),
    findall(K, pair(K, _), Ks),
    sort(Ks, Distinct),
    length(Distinct, 997),
    findall(A, (between(1, 500, I), number_codes(I, Cs), atom_codes(B, Cs), atom_concat(item_, B, A)), As),
    sort(As, Bs),
    length(Bs, 500),
    lengths(Bs, 0, Sum),
    Sum =:= 3892,
    setof(L, A^member_length(A, Bs, L), [6,7,8]),
    parts(Bs).

pair(K, V) :- between(1, 2000, V), K is (V*7919) mod 997.

last_key([K-_], K) :- !.
last_key([_|L], K) :- last_key(L, K).

lengths([], S, S).
lengths([A|As], S0, S) :- atom_length(A, N), S1 is S0+N, lengths(As, S1, S).

member_length(A, L, N) :- mem(A, L), atom_length(A, N).

mem(X, [X|_]).
mem(X, [_|L]) :- mem(X, L).

parts([]).
parts([A|As]) :-
    sub_atom(A, 0, 5, _, Prefix), Prefix == item_,
    atom_chars(A, Cs), reverse_chars(Cs, [], Rs), atom_chars(_, Rs),
    parts(As).

reverse_chars([], L, L).
reverse_chars([C|Cs], A, L) :- reverse_chars(Cs, [C|A], L).

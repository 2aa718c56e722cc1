% The zebra puzzle: unification of partial structures, member/2 with deep backtracking.
bench(N) :- repeat_zebra(N).

repeat_zebra(0) :- !.
repeat_zebra(N) :- zebra(Owner), Owner == japanese, N1 is N-1, repeat_zebra(N1).

zebra(Owner) :-
    Houses = [house(_,norwegian,_,_,_), _, house(_,_,_,milk,_), _, _],
    mem(house(red,english,_,_,_), Houses),
    mem(house(green,_,_,coffee,_), Houses),
    mem(house(_,spanish,dog,_,_), Houses),
    mem(house(_,ukrainian,_,tea,_), Houses),
    right_of(house(green,_,_,_,_), house(ivory,_,_,_,_), Houses),
    mem(house(_,_,snails,_,winston), Houses),
    mem(house(yellow,_,_,_,kools), Houses),
    next_to(house(_,_,_,_,chesterfield), house(_,_,fox,_,_), Houses),
    next_to(house(_,_,_,_,kools), house(_,_,horse,_,_), Houses),
    mem(house(_,_,_,juice,luckystrike), Houses),
    mem(house(_,japanese,_,_,parliament), Houses),
    next_to(house(_,norwegian,_,_,_), house(blue,_,_,_,_), Houses),
    mem(house(_,Owner,zebra,_,_), Houses),
    !.

mem(X, [X|_]).
mem(X, [_|L]) :- mem(X, L).

right_of(A, B, [B,A|_]).
right_of(A, B, [_|L]) :- right_of(A, B, L).

next_to(A, B, L) :- right_of(A, B, L).
next_to(A, B, L) :- right_of(B, A, L).

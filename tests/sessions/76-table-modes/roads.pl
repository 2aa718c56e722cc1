% Roads between towns, with circles.
:- table way(+,+,-,min).
way(X,X,[X],0).
way(X,Y,[X|Way],D) :- road(X,Z,D1), way(Z,Y,Way,D2), D is D1+D2.

% the same by left recursion, to all towns; and the three shortest lengths
:- table far(+,+,min).
far(X,X,0).
far(X,Y,D) :- far(X,Z,D1), road(Z,Y,D2), D is D1+D2.

:- table lengths(+,+,min):3.
lengths(X,X,0).
lengths(X,Y,D) :- lengths(X,Z,D1), road(Z,Y,D2), D is D1+D2.

% the widest way: of each way the narrowest road counts
:- table wide(+,+,max).
wide(X,Y,W) :- road(X,Y,W).
wide(X,Y,W) :- wide(X,Z,W1), road(Z,Y,W2), W is min(W1,W2).

% any way, the first that is found; all towns that can be reached, as one set
:- table any(+,+,first), towns(+,lattice(merged/3)).
any(X,Y,[X,Y]) :- road(X,Y,_).
any(X,Y,[X|Way]) :- road(X,Z,_), any(Z,Y,Way).

towns(X,[X]).
towns(X,Ys) :- road(X,Z,_), towns(Z,Ys).
merged(A,B,C) :- append(A,B,D), sort(D,C).

% an argument that is passed on and not tabled: a budget of steps for a purse of coins
:- table pay(+,nt,min).
pay(0,_,0).
pay(N,Coins,K) :- N > 0, member(C,Coins), C =< N, M is N-C, pay(M,Coins,K1), K is K1+1.

road(a,b,4). road(b,c,3). road(c,a,2). road(a,c,9). road(c,d,1). road(d,b,1). road(d,e,7).

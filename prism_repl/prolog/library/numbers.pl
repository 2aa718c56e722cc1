% Counting.

%% between(+Low:integer, +High:integer, ?X:integer) is nondet, itself, kept.
between(L,H,X) :- '$between'(L,H,X,How), '$between_run'(How,L,H,X).

'$between_run'(done,_,_,_).
'$between_run'(up,L,H,X) :- '$between_up'(L,H,X).

'$between_up'(L,H,X) :- L >= H, !, X = L.
'$between_up'(L,_,L).
'$between_up'(L,H,X) :- L1 is L+1, '$between_up'(L1,H,X).

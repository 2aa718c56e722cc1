% Counting.

%% between(+Low:integer, +High:integer, ?X:integer) is nondet, itself, kept.

% between/3 and '$between_up'/3 of small integers are counted by the machine; this is for the others, and
% has the errors.
'$between_any'(L,H,X) :- '$between'(L,H,X,How), '$between_run'(How,L,H,X).

'$between_run'(done,_,_,_).
'$between_run'(up,L,H,X) :- '$between_count'(L,H,X).

'$between_count'(L,H,X) :- L >= H, !, X = L.
'$between_count'(L,_,L).
'$between_count'(L,H,X) :- L1 is L+1, '$between_count'(L1,H,X).

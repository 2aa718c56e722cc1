% Counting.

between(L,H,X) :- '$between'(L,H,X,How), '$between_run'(How,L,H,X).

'$between_run'(done,_,_,_).
'$between_run'(up,L,H,X) :- '$between_up'(L,H,X).
'$between_run'(endless,L,_,X) :- '$between_endless'(L,X).

'$between_up'(L,H,X) :- ( L < H -> ( X = L ; L1 is L+1, '$between_up'(L1,H,X) ) ; X = L ).

'$between_endless'(L,L).
'$between_endless'(L,X) :- L1 is L+1, '$between_endless'(L1,X).

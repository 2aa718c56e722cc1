% Predicates that call a goal for each element.
%
% maplist/3,5,7 have two readings. PRISM: maplist(X,Body,Xs), maplist(X,Y,Body,Xs,Ys) and
% maplist(X,Y,Z,Body,Xs,Ys,Zs) run a copy of Body, with all its variables renamed, once for each
% element. Elsewhere: maplist(G,Xs,Ys) calls G with the elements. The place of Body tells them
% apart: PRISM's holds a goal, so neither a variable nor a list.

%% maplist(:G/1, ?Xs) is nondet.
maplist(G,L) :- '$maplist'(L,G).

'$maplist'([],_).
'$maplist'([X|Xs],G) :- call(G,X), '$maplist'(Xs,G).

%% maplist(:G/2, ?Xs, ?Ys) is nondet.
maplist(G,L1,L2) :- '$loop_body'(L1), !, '$lambda1'(L2,G,L1).
maplist(G,L1,L2) :- '$maplist'(L1,L2,G).

'$maplist'([],[],_).
'$maplist'([X|Xs],[Y|Ys],G) :- call(G,X,Y), '$maplist'(Xs,Ys,G).

%% maplist(:G/3, ?Xs, ?Ys, ?Zs) is nondet.
maplist(G,L1,L2,L3) :- '$maplist'(L1,L2,L3,G).

'$maplist'([],[],[],_).
'$maplist'([X|Xs],[Y|Ys],[Z|Zs],G) :- call(G,X,Y,Z), '$maplist'(Xs,Ys,Zs,G).

%% maplist(:G/4, ?Xs, ?Ys, ?Zs, ?Ws) is nondet.
maplist(G,L1,L2,L3,L4) :- '$loop_body'(L2), !, '$lambda2'(L3,L4,G,L1,L2).
maplist(G,L1,L2,L3,L4) :- '$maplist'(L1,L2,L3,L4,G).

'$maplist'([],[],[],[],_).
'$maplist'([X|Xs],[Y|Ys],[Z|Zs],[W|Ws],G) :- call(G,X,Y,Z,W), '$maplist'(Xs,Ys,Zs,Ws,G).

%% maplist(:G/5, ?Xs, ?Ys, ?Zs, ?Ws, ?Vs) is nondet.
maplist(G,L1,L2,L3,L4,L5) :- '$maplist'(L1,L2,L3,L4,L5,G).

'$maplist'([],[],[],[],[],_).
'$maplist'([X|Xs],[Y|Ys],[Z|Zs],[W|Ws],[V|Vs],G) :- call(G,X,Y,Z,W,V), '$maplist'(Xs,Ys,Zs,Ws,Vs,G).

%% maplist(:G/6, ?Xs, ?Ys, ?Zs, ?Ws, ?Vs, ?Us) is nondet.
maplist(G,L1,L2,L3,L4,L5,L6) :- '$loop_body'(L3), !, '$lambda3'(L4,L5,L6,G,L1,L2,L3).
maplist(G,L1,L2,L3,L4,L5,L6) :- '$maplist'(L1,L2,L3,L4,L5,L6,G).

'$maplist'([],[],[],[],[],[],_).
'$maplist'([X|Xs],[Y|Ys],[Z|Zs],[W|Ws],[V|Vs],[U|Us],G) :-
    call(G,X,Y,Z,W,V,U), '$maplist'(Xs,Ys,Zs,Ws,Vs,Us,G).

'$loop_body'(B) :- nonvar(B), B \== [], B \= [_|_].

'$lambda1'([],_,_).
'$lambda1'([E|Es],X,B) :- copy_term(X-B,E-G), call(G), !, '$lambda1'(Es,X,B).

'$lambda2'([],[],_,_,_).
'$lambda2'([E|Es],[F|Fs],X,Y,B) :- copy_term(l(X,Y,B),l(E,F,G)), call(G), !, '$lambda2'(Es,Fs,X,Y,B).

'$lambda3'([],[],[],_,_,_,_).
'$lambda3'([E|Es],[F|Fs],[H|Hs],X,Y,Z,B) :-
    copy_term(l(X,Y,Z,B),l(E,F,H,G)), call(G), !, '$lambda3'(Es,Fs,Hs,X,Y,Z,B).

%% foldl(:G/3, ?Xs, ?A0, ?A) is nondet.
foldl(G,L,A0,A) :- '$foldl'(L,G,A0,A).

'$foldl'([],_,A,A).
'$foldl'([X|Xs],G,A0,A) :- call(G,X,A0,A1), '$foldl'(Xs,G,A1,A).

%% foldl(:G/4, ?Xs, ?Ys, ?A0, ?A) is nondet.
foldl(G,L1,L2,A0,A) :- '$foldl'(L1,L2,G,A0,A).

'$foldl'([],[],_,A,A).
'$foldl'([X|Xs],[Y|Ys],G,A0,A) :- call(G,X,Y,A0,A1), '$foldl'(Xs,Ys,G,A1,A).

%% foldl(:G/5, ?Xs, ?Ys, ?Zs, ?A0, ?A) is nondet.
foldl(G,L1,L2,L3,A0,A) :- '$foldl'(L1,L2,L3,G,A0,A).

'$foldl'([],[],[],_,A,A).
'$foldl'([X|Xs],[Y|Ys],[Z|Zs],G,A0,A) :- call(G,X,Y,Z,A0,A1), '$foldl'(Xs,Ys,Zs,G,A1,A).

%% apply(+Goal, +Arguments) is nondet.
apply(G,Args) :- G =.. L0, '$append'(L0,Args,L), C =.. L, call(C).

% Lists. Arguments that a list predicate needs as a list may be partial lists where that makes sense.

% A program may define append/3, member/2 and so on in its own way: what the library itself needs
% has names that begin with $.

append([],L,L).
append([X|Xs],Ys,[X|Zs]) :- append(Xs,Ys,Zs).

'$append'([],L,L).
'$append'([X|Xs],Ys,[X|Zs]) :- '$append'(Xs,Ys,Zs).

append(Xs,Ys,Zs,L) :- '$append'(Xs,L1,L), '$append'(Ys,Zs,L1).

append(Lists,L) :- '$append_all'(Lists,L).

'$append_all'([],[]).
'$append_all'([L|Ls],As) :- '$append'(L,Ws,As), '$append_all'(Ls,Ws).

% No choice is left at the last element.
member(X,[Y|Ys]) :- '$member'(Ys,X,Y).

'$member'(X,[Y|Ys]) :- '$member'(Ys,X,Y).

'$member'(_,X,X).
'$member'([Y|Ys],X,_) :- '$member'(Ys,X,Y).

memberchk(X,[Y|Ys]) :- ( X = Y -> true ; memberchk(X,Ys) ).

membchk(X,L) :- '$memberchk'(X,L).

'$memberchk'(X,[Y|Ys]) :- ( X = Y -> true ; '$memberchk'(X,Ys) ).

% The end of a partial list becomes [].
closetail(L) :- '$skip_list'(L,_,[]).

reverse(L,R) :- '$reverse'(L,[],R).

'$reverse'([],R,R).
'$reverse'([X|Xs],A,R) :- '$reverse'(Xs,[X|A],R).

select(X,[X|T],T).
select(X,[Y|T],[Y|R]) :- select(X,T,R).

'$select'(X,[X|T],T).
'$select'(X,[Y|T],[Y|R]) :- '$select'(X,T,R).

selectchk(X,L,R) :- '$select'(X,L,R), !.

select(X,Xs,Y,Ys) :- '$select4'(Xs,X,Y,Ys).

'$select4'([X|T],X,Y,[Y|T]).
'$select4'([H|T],X,Y,[H|T2]) :- '$select4'(T,X,Y,T2).

exclude(P,L,R) :- '$exclude'(L,P,R).

'$exclude'([],_,[]).
'$exclude'([X|Xs],P,R) :- ( call(P,X) -> R = R1 ; R = [X|R1] ), '$exclude'(Xs,P,R1).

include(P,L,R) :- '$include'(L,P,R).

'$include'([],_,[]).
'$include'([X|Xs],P,R) :- ( call(P,X) -> R = [X|R1] ; R = R1 ), '$include'(Xs,P,R1).

partition(P,L,In,Out) :- '$partition'(L,P,In,Out).

'$partition'([],_,[],[]).
'$partition'([X|Xs],P,In,Out) :-
    ( call(P,X) -> In = [X|In1], Out = Out1 ; In = In1, Out = [X|Out1] ),
    '$partition'(Xs,P,In1,Out1).

partition(P,Xs,L,E,G) :- '$partition'(Xs,P,L,E,G).

'$partition'([],_,[],[],[]).
'$partition'([X|Xs],P,L,E,G) :-
    call(P,O,X),
    '$partition'(O,X,L,E,G,L1,E1,G1),
    '$partition'(Xs,P,L1,E1,G1).

'$partition'(<,X,[X|L],E,G,L,E,G).
'$partition'(=,X,L,[X|E],G,L,E,G).
'$partition'(>,X,L,E,[X|G],L,E,G).

delete([],_,[]).
delete([X|Xs],E,R) :- ( X \= E -> R = [X|R1] ; R = R1 ), delete(Xs,E,R1).

subtract([],_,[]).
subtract([X|Xs],L,R) :- ( '$memberchk'(X,L) -> R = R1 ; R = [X|R1] ), subtract(Xs,L,R1).

intersection([],_,[]).
intersection([X|Xs],L,R) :- ( '$memberchk'(X,L) -> R = [X|R1] ; R = R1 ), intersection(Xs,L,R1).

union([],L,L).
union([X|Xs],L,R) :- ( '$memberchk'(X,L) -> R = R1 ; R = [X|R1] ), union(Xs,L,R1).

subset([],_).
subset([X|Xs],L) :- '$memberchk'(X,L), subset(Xs,L).

% The first of equal (==) elements stays.
eliminate_duplicate(L,R) :- '$must_be'(list,L,eliminate_duplicate/2), '$eliminate_duplicate'(L,[],R).

'$eliminate_duplicate'([],_,[]).
'$eliminate_duplicate'([X|Xs],Seen,R) :-
    ( '$member_eq'(X,Seen) -> R = R1 ; R = [X|R1] ),
    '$eliminate_duplicate'(Xs,[X|Seen],R1).

'$member_eq'(X,[Y|Ys]) :- ( X == Y -> true ; '$member_eq'(X,Ys) ).

permutation(Xs,Ys) :-
    '$skip_list'(Xs,N,T),
    ( T == [] -> length(Ys,N) ; '$skip_list'(Ys,M,[]), length(Xs,M) ),
    '$permutation'(Xs,Ys).

'$permutation'([],[]).
'$permutation'(L,[X|Xs]) :- '$select'(X,L,R), '$permutation'(R,Xs).

last([X|Xs],L) :- '$last'(Xs,X,L).

'$last'([],L,L).
'$last'([X|Xs],_,L) :- '$last'(Xs,X,L).

% An index that is not an integer, or not in the list, has no element.
nth0(I,L,E) :- '$nth'(I,0,L,E).
nth1(I,L,E) :- '$nth'(I,1,L,E).
nth(I,L,E) :- '$nth'(I,1,L,E).

'$nth'(I,Base,L,E) :- integer(I), !, K is I-Base, K >= 0, '$nth_known'(L,K,E).
'$nth'(I,Base,[X|Xs],E) :- var(I), '$nth_any'(Xs,X,E,Base,I).

'$nth_known'([X|Xs],K,E) :- ( K =:= 0 -> E = X ; K1 is K-1, '$nth_known'(Xs,K1,E) ).

'$nth_any'(_,E,E,I,I).
'$nth_any'([X|Xs],_,E,K,I) :- K1 is K+1, '$nth_any'(Xs,X,E,K1,I).

nth0(I,L,E,R) :- '$nth'(I,0,L,E,R).
nth1(I,L,E,R) :- '$nth'(I,1,L,E,R).

'$nth'(I,Base,L,E,R) :- integer(I), !, K is I-Base, K >= 0, '$nth_rest'(K,L,E,R).
'$nth'(I,Base,[X|Xs],E,R) :- var(I), '$nth_rest_any'(Xs,X,E,R,Base,I).

'$nth_rest'(0,[E|R],E,R) :- !.
'$nth_rest'(K,[X|Xs],E,[X|R]) :- K1 is K-1, '$nth_rest'(K1,Xs,E,R).

'$nth_rest_any'(Xs,E,E,Xs,I,I).
'$nth_rest_any'([X|Xs],Y,E,[Y|R],K,I) :- K1 is K+1, '$nth_rest_any'(Xs,X,E,R,K1,I).

flatten(T,L) :- '$flatten'(T,L,[]).

'$flatten'(V,[V|T],T) :- var(V), !.
'$flatten'([],T,T) :- !.
'$flatten'([X|Xs],L,T) :- !, '$flatten'(X,L,L1), '$flatten'(Xs,L1,T).
'$flatten'(X,[X|T],T).

sumlist(L,S) :- '$sum'(L,0,S).
sum_list(L,S) :- '$sum'(L,0,S).

'$sum'([],S,S).
'$sum'([X|Xs],S0,S) :- S1 is S0+X, '$sum'(Xs,S1,S).

max_list([X|Xs],M) :- M0 is X, '$max_list'(Xs,M0,M).

'$max_list'([],M,M).
'$max_list'([X|Xs],M0,M) :- ( X > M0 -> M1 is X ; M1 = M0 ), '$max_list'(Xs,M1,M).

min_list([X|Xs],M) :- M0 is X, '$min_list'(Xs,M0,M).

'$min_list'([],M,M).
'$min_list'([X|Xs],M0,M) :- ( X < M0 -> M1 is X ; M1 = M0 ), '$min_list'(Xs,M1,M).

numlist(L,H,R) :-
    '$must_be'(integer,L,numlist/3), '$must_be'(integer,H,numlist/3),
    L =< H,
    '$numlist'(L,H,R).

'$numlist'(H,H,R) :- !, R = [H].
'$numlist'(L,H,[L|R]) :- L1 is L+1, '$numlist'(L1,H,R).

max_member(M,[X|Xs]) :- '$max_member'(Xs,X,M).

'$max_member'([],M,M).
'$max_member'([X|Xs],M0,M) :- ( X @> M0 -> '$max_member'(Xs,X,M) ; '$max_member'(Xs,M0,M) ).

min_member(M,[X|Xs]) :- '$min_member'(Xs,X,M).

'$min_member'([],M,M).
'$min_member'([X|Xs],M0,M) :- ( X @< M0 -> '$min_member'(Xs,X,M) ; '$min_member'(Xs,M0,M) ).

pairs_keys_values([],[],[]).
pairs_keys_values([K-V|Ps],[K|Ks],[V|Vs]) :- pairs_keys_values(Ps,Ks,Vs).

pairs_keys([],[]).
pairs_keys([K-_|Ps],[K|Ks]) :- pairs_keys(Ps,Ks).

pairs_values([],[]).
pairs_values([_-V|Ps],[V|Vs]) :- pairs_values(Ps,Vs).

list_to_and([],true).
list_to_and([G|Gs],C) :- '$list_to_and'(Gs,G,C).

'$list_to_and'([],G,G).
'$list_to_and'([G2|Gs],G,(G,C)) :- '$list_to_and'(Gs,G2,C).

and_to_list(C,L) :- '$and_to_list'(C,L,[]).

'$and_to_list'(V,[V|T],T) :- var(V), !.
'$and_to_list'((A,B),L,T) :- !, '$and_to_list'(A,L,L1), '$and_to_list'(B,L1,T).
'$and_to_list'(true,T,T) :- !.
'$and_to_list'(G,[G|T],T).

% Sorting by a predicate that is called with an order (<, =, >) and two elements; = drops the second.
predsort(P,L,Sorted) :-
    '$skip_list'(L,N,T),
    ( T == [] -> true ; '$must_be'(list,L,predsort/3) ),
    ( N =:= 0 -> Sorted = [] ; '$predsort'(P,N,L,_,Sorted) ).

'$predsort'(P,2,[X1,X2|L],L,R) :- !, call(P,O,X1,X2), '$predsort2'(O,X1,X2,R).
'$predsort'(_,1,[X|L],L,[X]) :- !.
'$predsort'(_,0,L,L,[]) :- !.
'$predsort'(P,N,L1,L3,R) :-
    N1 is N//2, N2 is N-N1,
    '$predsort'(P,N1,L1,L2,R1),
    '$predsort'(P,N2,L2,L3,R2),
    '$predmerge'(R1,R2,P,R).

'$predsort2'(<,X1,X2,[X1,X2]).
'$predsort2'(=,X1,_,[X1]).
'$predsort2'(>,X1,X2,[X2,X1]).

'$predmerge'([],R,_,R) :- !.
'$predmerge'(R,[],_,R) :- !.
'$predmerge'([H1|T1],[H2|T2],P,R) :- call(P,O,H1,H2), !, '$predmerge'(O,P,H1,H2,T1,T2,R).

'$predmerge'(<,P,H1,H2,T1,T2,[H1|R]) :- '$predmerge'(T1,[H2|T2],P,R).
'$predmerge'(=,P,H1,_,T1,T2,[H1|R]) :- '$predmerge'(T1,T2,P,R).
'$predmerge'(>,P,H1,H2,T1,T2,[H2|R]) :- '$predmerge'([H1|T1],T2,P,R).

% Ordered sets: lists as sort/2 makes them.
list_to_ord_set(L,S) :- sort(L,S).
ord_union(A,B,C) :- '$append'(A,B,L), sort(L,C).
ord_subtract(A,B,C) :- '$ord_subtract'(A,B,C).
ord_memberchk(X,[Y|Ys]) :- compare(O,X,Y), ( O = (=) -> true ; O = (>), ord_memberchk(X,Ys) ).
ord_insert(S,X,S1) :- '$append'(S,[X],L), sort(L,S1).
ord_add_element(S,X,S1) :- '$append'(S,[X],L), sort(L,S1).
ord_del_element(S,X,S1) :- '$ord_subtract'(S,[X],S1).
ord_intersection(A,B,C) :- '$ord_intersection'(A,B,C).
ord_subset(A,B) :- '$ord_subtract'(A,B,[]).

'$ord_subtract'([],_,[]) :- !.
'$ord_subtract'(A,[],A) :- !.
'$ord_subtract'([X|Xs],[Y|Ys],C) :-
    compare(O,X,Y),
    ( O = (<) -> C = [X|C1], '$ord_subtract'(Xs,[Y|Ys],C1)
    ; O = (=) -> '$ord_subtract'(Xs,Ys,C)
    ; '$ord_subtract'([X|Xs],Ys,C) ).

'$ord_intersection'([],_,[]) :- !.
'$ord_intersection'(_,[],[]) :- !.
'$ord_intersection'([X|Xs],[Y|Ys],C) :-
    compare(O,X,Y),
    ( O = (<) -> '$ord_intersection'(Xs,[Y|Ys],C)
    ; O = (=) -> C = [X|C1], '$ord_intersection'(Xs,Ys,C1)
    ; '$ord_intersection'([X|Xs],Ys,C) ).

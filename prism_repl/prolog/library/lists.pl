% Lists. Arguments that a list predicate needs as a list may be partial lists where that makes sense.

% A program may define append/3, member/2 and so on in its own way: what the library itself needs
% has names that begin with $.

%% append(?Xs, ?Ys, ?Zs) is nondet, kept.
append([],L,L).
append([X|Xs],Ys,[X|Zs]) :- append(Xs,Ys,Zs).

'$append'([],L,L).
'$append'([X|Xs],Ys,[X|Zs]) :- '$append'(Xs,Ys,Zs).

%% append(?Xs, ?Ys, ?Zs, ?List) is nondet, kept.
append(Xs,Ys,Zs,L) :- '$append'(Xs,L1,L), '$append'(Ys,Zs,L1).

%% append(?Lists, ?List) is nondet.
append(Lists,L) :- '$append_all'(Lists,L).

'$append_all'([],[]).
'$append_all'([L|Ls],As) :- '$append'(L,Ws,As), '$append_all'(Ls,Ws).

% No choice is left at the last element.
%% member(?X, ?List) is nondet, kept.
member(X,[Y|Ys]) :- '$member'(Ys,X,Y).

'$member'(X,[Y|Ys]) :- '$member'(Ys,X,Y).

'$member'(_,X,X).
'$member'([Y|Ys],X,_) :- '$member'(Ys,X,Y).

%% memberchk(?X, ?List) is semidet, kept.
memberchk(X,[Y|Ys]) :- ( X = Y -> true ; memberchk(X,Ys) ).

%% membchk(?X, ?List) is semidet, kept.
membchk(X,L) :- '$memberchk'(X,L).

'$memberchk'(X,[Y|Ys]) :- ( X = Y -> true ; '$memberchk'(X,Ys) ).

% The end of a partial list becomes [].
%% closetail(?List) is semidet.
closetail(L) :- '$skip_list'(L,_,[]).

%% reverse(?List, ?Reversed) is nondet, kept.
reverse(L,R) :- '$reverse'(L,[],R).

'$reverse'([],R,R).
'$reverse'([X|Xs],A,R) :- '$reverse'(Xs,[X|A],R).

%% select(?X, ?List, ?Rest) is nondet, kept.
select(X,[X|T],T).
select(X,[Y|T],[Y|R]) :- select(X,T,R).

'$select'(X,[X|T],T).
'$select'(X,[Y|T],[Y|R]) :- '$select'(X,T,R).

%% selectchk(?X, ?List, ?Rest) is semidet.
selectchk(X,L,R) :- '$select'(X,L,R), !.

%% select(?X, ?List, ?Y, ?List2) is nondet.
select(X,Xs,Y,Ys) :- '$select4'(Xs,X,Y,Ys).

'$select4'([X|T],X,Y,[Y|T]).
'$select4'([H|T],X,Y,[H|T2]) :- '$select4'(T,X,Y,T2).

%% exclude(:Goal/1, ?List, ?Found) is nondet.
exclude(P,L,R) :- '$exclude'(L,P,R).

'$exclude'([],_,[]).
'$exclude'([X|Xs],P,R) :- ( call(P,X) -> R = R1 ; R = [X|R1] ), '$exclude'(Xs,P,R1).

%% include(:Goal/1, ?List, ?Found) is nondet.
include(P,L,R) :- '$include'(L,P,R).

'$include'([],_,[]).
'$include'([X|Xs],P,R) :- ( call(P,X) -> R = [X|R1] ; R = R1 ), '$include'(Xs,P,R1).

%% partition(:Goal/1, ?List, ?In, ?Out) is nondet.
partition(P,L,In,Out) :- '$partition'(L,P,In,Out).

'$partition'([],_,[],[]).
'$partition'([X|Xs],P,In,Out) :-
    ( call(P,X) -> In = [X|In1], Out = Out1 ; In = In1, Out = [X|Out1] ),
    '$partition'(Xs,P,In1,Out1).

%% partition(:Goal/2, ?List, ?Less, ?Equal, ?Greater) is nondet.
partition(P,Xs,L,E,G) :- '$partition'(Xs,P,L,E,G).

'$partition'([],_,[],[],[]).
'$partition'([X|Xs],P,L,E,G) :-
    call(P,O,X),
    '$partition'(O,X,L,E,G,L1,E1,G1),
    '$partition'(Xs,P,L1,E1,G1).

'$partition'(<,X,[X|L],E,G,L,E,G).
'$partition'(=,X,L,[X|E],G,L,E,G).
'$partition'(>,X,L,E,[X|G],L,E,G).

%% delete(?List, ?X, ?Rest) is nondet, kept.
delete([],_,[]).
delete([X|Xs],E,R) :- ( X \= E -> R = [X|R1] ; R = R1 ), delete(Xs,E,R1).

%% subtract(?List, ?Xs, ?Rest) is nondet, kept.
subtract([],_,[]).
subtract([X|Xs],L,R) :- ( '$memberchk'(X,L) -> R = R1 ; R = [X|R1] ), subtract(Xs,L,R1).

%% intersection(?Xs, ?Ys, ?Zs) is nondet, kept.
intersection([],_,[]).
intersection([X|Xs],L,R) :- ( '$memberchk'(X,L) -> R = [X|R1] ; R = R1 ), intersection(Xs,L,R1).

%% union(?Xs, ?Ys, ?Zs) is nondet, kept.
union([],L,L).
union([X|Xs],L,R) :- ( '$memberchk'(X,L) -> R = R1 ; R = [X|R1] ), union(Xs,L,R1).

%% subset(?Xs, ?Ys) is nondet, kept.
subset([],_).
subset([X|Xs],L) :- '$memberchk'(X,L), subset(Xs,L).

% The first of equal (==) elements stays.
%% eliminate_duplicate(+List:list, -Rest) is det.
eliminate_duplicate(L,R) :- '$eliminate_duplicate'(L,[],R).

'$eliminate_duplicate'([],_,[]).
'$eliminate_duplicate'([X|Xs],Seen,R) :-
    ( '$member_eq'(X,Seen) -> R = R1 ; R = [X|R1] ),
    '$eliminate_duplicate'(Xs,[X|Seen],R1).

'$member_eq'(X,[Y|Ys]) :- ( X == Y -> true ; '$member_eq'(X,Ys) ).

%% permutation(?Xs, ?Ys) is nondet, kept.
permutation(Xs,Ys) :-
    '$skip_list'(Xs,N,T),
    ( T == [] -> length(Ys,N) ; '$skip_list'(Ys,M,[]), length(Xs,M) ),
    '$permutation'(Xs,Ys).

'$permutation'([],[]).
'$permutation'(L,[X|Xs]) :- '$select'(X,L,R), '$permutation'(R,Xs).

%% last(?List, ?X) is nondet, kept.
last([X|Xs],L) :- '$last'(Xs,X,L).

'$last'([],L,L).
'$last'([X|Xs],_,L) :- '$last'(Xs,X,L).

% An index that is not an integer, or not in the list, has no element.
%% nth0(?N, ?List, ?X) is nondet, kept.
'$nth0_any'(I,L,E) :- '$nth'(I,0,L,E).
%% nth1(?N, ?List, ?X) is nondet, kept.
'$nth1_any'(I,L,E) :- '$nth'(I,1,L,E).
%% nth(?N, ?List, ?X) is nondet, kept.

'$nth'(I,Base,L,E) :- integer(I), !, K is I-Base, K >= 0, '$nth_known'(L,K,E).
'$nth'(I,Base,[X|Xs],E) :- var(I), '$nth_any'(Xs,X,E,Base,I).

'$nth_known'([X|Xs],K,E) :- ( K =:= 0 -> E = X ; K1 is K-1, '$nth_known'(Xs,K1,E) ).

'$nth_any'(_,E,E,I,I).
'$nth_any'([X|Xs],_,E,K,I) :- K1 is K+1, '$nth_any'(Xs,X,E,K1,I).

%% nth0(?N, ?List, ?X, ?Rest) is nondet.
nth0(I,L,E,R) :- '$nth'(I,0,L,E,R).
%% nth1(?N, ?List, ?X, ?Rest) is nondet.
nth1(I,L,E,R) :- '$nth'(I,1,L,E,R).

'$nth'(I,Base,L,E,R) :- integer(I), !, K is I-Base, K >= 0, '$nth_rest'(K,L,E,R).
'$nth'(I,Base,[X|Xs],E,R) :- var(I), '$nth_rest_any'(Xs,X,E,R,Base,I).

'$nth_rest'(0,[E|R],E,R) :- !.
'$nth_rest'(K,[X|Xs],E,[X|R]) :- K1 is K-1, '$nth_rest'(K1,Xs,E,R).

'$nth_rest_any'(Xs,E,E,Xs,I,I).
'$nth_rest_any'([X|Xs],Y,E,[Y|R],K,I) :- K1 is K+1, '$nth_rest_any'(Xs,X,E,R,K1,I).

%% flatten(?Nested, ?List) is semidet, kept.
flatten(T,L) :- '$flatten'(T,L,[]).

'$flatten'(V,[V|T],T) :- var(V), !.
'$flatten'([],T,T) :- !.
'$flatten'([X|Xs],L,T) :- !, '$flatten'(X,L,L1), '$flatten'(Xs,L1,T).
'$flatten'(X,[X|T],T).

%% sumlist(?List, ?Sum) is nondet, kept.
sumlist(L,S) :- '$sum'(L,0,S,sumlist/2).
%% sum_list(?List, ?Sum) is nondet.
sum_list(L,S) :- '$sum'(L,0,S,sum_list/2).

'$sum'([],S,S,_).
'$sum'([X|Xs],S0,S,Source) :-
    ( number(X) -> S1 is S0+X ; '$evaluate'(X,Y,Source), S1 is S0+Y ),
    '$sum'(Xs,S1,S,Source).

%% max_list(?List, ?Max) is nondet.
max_list([X|Xs],M) :- '$evaluate'(X,M0,max_list/2), '$max_list'(Xs,M0,M,max_list/2).

'$max_list'([],M,M,_).
'$max_list'([X|Xs],M0,M,Source) :-
    '$evaluate'(X,Y,Source),
    ( Y > M0 -> '$max_list'(Xs,Y,M,Source) ; '$max_list'(Xs,M0,M,Source) ).

%% min_list(?List, ?Min) is nondet.
min_list([X|Xs],M) :- '$evaluate'(X,M0,min_list/2), '$min_list'(Xs,M0,M,min_list/2).

'$min_list'([],M,M,_).
'$min_list'([X|Xs],M0,M,Source) :-
    '$evaluate'(X,Y,Source),
    ( Y < M0 -> '$min_list'(Xs,Y,M,Source) ; '$min_list'(Xs,M0,M,Source) ).

%% numlist(+Low:integer, +High:integer, -List) is semidet, kept.
numlist(L,H,R) :-
    L =< H,
    '$count_list'(L,H,R).

%% max_member(?Max, ?List) is nondet.
max_member(M,[X|Xs]) :- '$max_member'(Xs,X,M).

'$max_member'([],M,M).
'$max_member'([X|Xs],M0,M) :- ( X @> M0 -> '$max_member'(Xs,X,M) ; '$max_member'(Xs,M0,M) ).

%% min_member(?Min, ?List) is nondet.
min_member(M,[X|Xs]) :- '$min_member'(Xs,X,M).

'$min_member'([],M,M).
'$min_member'([X|Xs],M0,M) :- ( X @< M0 -> '$min_member'(Xs,X,M) ; '$min_member'(Xs,M0,M) ).

%% pairs_keys_values(?Pairs, ?Keys, ?Values) is nondet.
pairs_keys_values([],[],[]).
pairs_keys_values([K-V|Ps],[K|Ks],[V|Vs]) :- pairs_keys_values(Ps,Ks,Vs).

%% pairs_keys(?Pairs, ?Keys) is nondet.
pairs_keys([],[]).
pairs_keys([K-_|Ps],[K|Ks]) :- pairs_keys(Ps,Ks).

%% pairs_values(?Pairs, ?Values) is nondet.
pairs_values([],[]).
pairs_values([_-V|Ps],[V|Vs]) :- pairs_values(Ps,Vs).

%% list_to_and(?List, ?Conjunction) is nondet.
list_to_and([],true).
list_to_and([G|Gs],C) :- '$list_to_and'(Gs,G,C).

'$list_to_and'([],G,G).
'$list_to_and'([G2|Gs],G,(G,C)) :- '$list_to_and'(Gs,G2,C).

%% and_to_list(?Conjunction, ?List) is semidet.
and_to_list(C,L) :- '$and_to_list'(C,L,[]).

'$and_to_list'(V,[V|T],T) :- var(V), !.
'$and_to_list'((A,B),L,T) :- !, '$and_to_list'(A,L,L1), '$and_to_list'(B,L1,T).
'$and_to_list'(true,T,T) :- !.
'$and_to_list'(G,[G|T],T).

% Sorting by a predicate that is called with an order (<, =, >) and two elements; = drops the second.
%% predsort(:Compare/3, +List:list, -Sorted) is nondet.
predsort(P,L,Sorted) :-
    '$skip_list'(L,N,_),
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
%% list_to_ord_set(+List, -Set) is semidet.
list_to_ord_set(L,S) :- sort(L,S).
%% ord_union(+A, +B, -C) is nondet.
ord_union(A,B,C) :- '$append'(A,B,L), sort(L,C).
%% ord_subtract(+A, +B, -C) is semidet.
ord_subtract(A,B,C) :- '$ord_subtract'(A,B,C).
%% ord_memberchk(@X, +Set) is semidet.
ord_memberchk(X,[Y|Ys]) :- compare(O,X,Y), ( O = (=) -> true ; O = (>), ord_memberchk(X,Ys) ).
%% ord_insert(+Set, +X, -Set2) is nondet.
ord_insert(S,X,S1) :- '$append'(S,[X],L), sort(L,S1).
%% ord_add_element(+Set, +X, -Set2) is nondet.
ord_add_element(S,X,S1) :- '$append'(S,[X],L), sort(L,S1).
%% ord_del_element(+Set, +X, -Set2) is semidet.
ord_del_element(S,X,S1) :- '$ord_subtract'(S,[X],S1).
%% ord_intersection(+A, +B, -C) is semidet.
ord_intersection(A,B,C) :- '$ord_intersection'(A,B,C).
%% ord_subset(+A, +B) is semidet.
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

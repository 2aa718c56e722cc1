% All solutions on top of findall/3.

%% bagof(?Template, :Goal^, -List) is nondet, protected.
bagof(T,G,L) :-
    '$bagof_variables'(T,G,L,Goal,Witness),
    '$bagof'(Witness,T,Goal,L).

'$bagof'([],T,G,L) :- !, findall(T,G,L0), L0 \== [], L = L0.
'$bagof'(W,T,G,L) :-
    findall(W-T,G,Pairs), Pairs \== [],
    '$bag_groups'(Pairs,Groups),
    '$member'(group(Ws,L0),Groups),
    '$all_equal'(Ws,W),
    L = L0.

%% setof(?Template, :Goal^, -List) is nondet, protected.
setof(T,G,L) :-
    '$setof_variables'(T,G,L,Goal,Witness),
    '$setof'(Witness,T,Goal,L).

'$setof'([],T,G,L) :- !, findall(T,G,L0), L0 \== [], sort(L0,L).
'$setof'(W,T,G,L) :-
    findall(W-T,G,Pairs), Pairs \== [],
    '$bag_groups'(Pairs,Groups),
    '$member'(group(Ws,L0),Groups),
    '$all_equal'(Ws,W),
    sort(L0,L).

'$all_equal'([],_).
'$all_equal'([W|Ws],W) :- '$all_equal'(Ws,W).

%% aggregate_all(+Aggregate, :Goal^, -Result) is nondet.
aggregate_all(Kind,G,R) :- '$aggregate'(Kind,G,R).

'$aggregate'(Kind,_,_) :- var(Kind), !, '$must_be'(callable,Kind,aggregate_all/3).
'$aggregate'(count,G,R) :- !, findall(x,G,L), '$skip_list'(L,R,_).
'$aggregate'(count(T),G,R) :- !, findall(T,G,L), '$skip_list'(L,R,_).
'$aggregate'(sum(E),G,R) :- !, findall(E,G,L), '$sum'(L,0,R,aggregate_all/3).
'$aggregate'(bag(E),G,R) :- !, findall(E,G,R).
'$aggregate'(set(E),G,R) :- !, findall(E,G,L), sort(L,R).
'$aggregate'(max(E),G,R) :- !, findall(E,G,[X|L]), '$evaluate'(X,M,aggregate_all/3), '$max_list'(L,M,R,aggregate_all/3).
'$aggregate'(min(E),G,R) :- !, findall(E,G,[X|L]), '$evaluate'(X,M,aggregate_all/3), '$min_list'(L,M,R,aggregate_all/3).
'$aggregate'(max(E,W),G,max(M,X)) :- !, '$best_pair'(max,E,W,G,M,X,aggregate_all/3).
'$aggregate'(min(E,W),G,min(M,X)) :- !, '$best_pair'(min,E,W,G,M,X,aggregate_all/3).
'$aggregate'(Kind,_,_) :- '$domain_error'(aggregate_spec,Kind,aggregate_all/3).

% The solution of a goal for which an expression is smallest or largest.
%% minof(:Goal, +Expression:expression) is nondet.
minof(G,E) :- '$best_pair'(min,E,G,G,_,G,minof/2).
%% maxof(:Goal, +Expression:expression) is nondet.
maxof(G,E) :- '$best_pair'(max,E,G,G,_,G,maxof/2).

'$best_pair'(Kind,E,W,G,M,X,Source) :-
    findall(E-W,G,[E1-W1|L]),
    '$evaluate'(E1,V,Source),
    '$best_of'(L,Kind,V,W1,M,X,Source).

'$best_of'([],_,M,X,M,X,_).
'$best_of'([E-W|L],Kind,M0,X0,M,X,Source) :-
    '$evaluate'(E,V,Source),
    ( '$better'(Kind,V,M0) -> '$best_of'(L,Kind,V,W,M,X,Source) ; '$best_of'(L,Kind,M0,X0,M,X,Source) ).

'$better'(max,V,M) :- V > M.
'$better'(min,V,M) :- V < M.

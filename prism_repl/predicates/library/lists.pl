% Maps, folds, parts of lists. In maplist, reducelist and custom_sort with a body, the leading
% arguments are patterns and the body is a goal over them; its variables are fresh for each element.

% maplist/3,5,7 are in prolog/library/apply.pl: they share their names with the maplist of other systems.

%% maplist_func(+F:atom!2102, +Xs:list_or_nil!2105) is semidet, first Xs.
maplist_func(F,Xs) :- '$map_func'(Xs,F).
'$map_func'([],_).
'$map_func'([X|Xs],F) :- call(F,X), !, '$map_func'(Xs,F).

%% maplist_func(+F:atom!2102, +Xs:list_or_nil!2105, ?Ys) is semidet, first Xs.
maplist_func(F,Xs,Ys) :- '$map_func'(Xs,Ys,F).
'$map_func'([],[],_).
'$map_func'([X|Xs],[Y|Ys],F) :- call(F,X,Y), !, '$map_func'(Xs,Ys,F).

%% maplist_func(+F:atom!2102, +Xs:list_or_nil!2105, +Ys:list_or_nil!2105, ?Zs) is semidet, first Xs, first Ys.
maplist_func(F,Xs,Ys,Zs) :- '$map_func'(Xs,Ys,Zs,F).
'$map_func'([],[],[],_).
'$map_func'([X|Xs],[Y|Ys],[Z|Zs],F) :- call(F,X,Y,Z), !, '$map_func'(Xs,Ys,Zs,F).

%% maplist_math(+F:atom!2101, +Xs:list_or_nil!2105, ?Ys) is semidet, first Xs.
maplist_math(F,Xs,Ys) :- '$map_math'(Xs,Ys,F).
'$map_math'([],[],_).
'$map_math'([X|Xs],[Y|Ys],F) :- E =.. [F,X], Y is E, '$map_math'(Xs,Ys,F).

%% maplist_math(+F:atom!2101, +Xs:list_or_nil!2105, +Ys:list_or_nil!2105, ?Zs) is semidet, first Xs, first Ys.
maplist_math(F,Xs,Ys,Zs) :- '$map_math'(Xs,Ys,Zs,F).
'$map_math'([],[],[],_).
'$map_math'([X|Xs],[Y|Ys],[Z|Zs],F) :- E =.. [F,X,Y], Z is E, '$map_math'(Xs,Ys,Zs,F).

%% reducelist(@A, @X, @B, +Body:callable!2100, +Xs:list_or_nil!2105, ?First, ?Last) is semidet, first Xs.
reducelist(A,X,B,Body,Xs,First,Last) :- '$reduce'(Xs,First,Last,t(A,X,B),Body).
'$reduce'([],A,A,_,_).
'$reduce'([X|Xs],A,Last,P,Body) :- copy_term(P-Body,t(A,X,B)-G), call(G), !, '$reduce'(Xs,B,Last,P,Body).

%% reducelist_func(+F:atom!2102, +Xs:list_or_nil!2105, ?First, ?Last) is semidet, first Xs.
reducelist_func(F,Xs,First,Last) :- '$reduce_func'(Xs,First,Last,F).
'$reduce_func'([],A,A,_).
'$reduce_func'([X|Xs],A,Last,F) :- call(F,A,X,B), !, '$reduce_func'(Xs,B,Last,F).

%% reducelist_math(+F:atom!2101, +Xs:list_or_nil!2105, ?First, ?Last) is semidet, first Xs.
reducelist_math(F,Xs,First,Last) :- '$reduce_math'(Xs,First,Last,F).
'$reduce_math'([],A,A,_).
'$reduce_math'([X|Xs],A,Last,F) :- E =.. [F,A,X], B is E, '$reduce_math'(Xs,B,Last,F).

% sublist(S,L,I,J): S is the part of L from position I up to but not including J, counted from 0.
%% sublist(?Part, ?List) is nondet.
%% sublist(?Part, ?List, ?From, ?To) is nondet.
sublist(S,L) :- '$list_to_be'(S), '$suffix'(L,0,_,T), '$prefix'(T,S).
sublist(S,L,I,J) :- '$list_to_be'(S), '$sublist'(S,L,I,J).
'$sublist'(S,L,I,J) :- integer(I), integer(J), !,
    0 =< I, I =< J, N is J-I, '$split'(I,_,T,L), '$split'(N,S,_,T).
'$sublist'(S,L,I,J) :- '$check_size'(I,sublist/4), '$check_size'(J,sublist/4),
    '$suffix'(L,0,I,T), '$prefix'(T,S), length(S,N), J is I+N.

'$suffix'([],I,I,[]).
'$suffix'([X|L],I,I,[X|L]).
'$suffix'([_|L],I0,I,T) :- I1 is I0+1, '$suffix'(L,I1,I,T).

'$prefix'(_,[]).
'$prefix'([X|Xs],[X|Ys]) :- '$prefix'(Xs,Ys).

% splitlist(A,B,L,N): A is the first N elements of L, B the others.
%% splitlist(?Front, ?Back, ?List, ?N) is nondet.
splitlist(A,B,L,N) :- '$list_to_be'(A), '$list_to_be'(B), '$splitlist'(A,B,L,N).
'$splitlist'(A,B,L,N) :- integer(N), !, '$check_size'(N,splitlist/4), '$split'(N,A,B,L).
'$splitlist'(A,B,L,N) :- '$check_size'(N,splitlist/4), '$split'(L,0,N,A,B).

'$split'(0,A,B,L) :- !, A = [], B = L.
'$split'(N,[X|A],B,[X|L]) :- M is N-1, '$split'(M,A,B,L).

'$split'([],N,N,[],[]).
'$split'([X|L],N,N,[],[X|L]).
'$split'([X|L],N0,N,[X|A],B) :- N1 is N0+1, '$split'(L,N1,N,A,B).

% If the list is not known, it is made from the sizes.
%% grouplist(?List:list!2104, +N:positive_integer!2106, ?Sizes, ?Groups) is nondet.
grouplist(L,N,Sizes,Groups) :- '$group'(N,L,Sizes,Groups).
'$group'(1,L,[K],[L]) :- !, length(L,K).
'$group'(N,L,[K|Ks],[G|Gs]) :- splitlist(G,R,L,K), M is N-1, '$group'(M,R,Ks,Gs).

% custom_sort(Before,L,S) calls Before(X,Y); the form with a body takes patterns for both.
%% custom_sort(+Before:atom!2102, +List:list!2104, -Sorted) is semidet, first List.
%% custom_sort(@X, @Y, +Body:callable!2100, +List:list!2104, -Sorted) is semidet, first List.
custom_sort(Before,L,S) :-
    length(L,N), '$sort'(N,L,[],S,t(X,Y,call(Before,X,Y))).
custom_sort(X,Y,Body,L,S) :-
    length(L,N), '$sort'(N,L,[],S,t(X,Y,Body)).

'$sort'(0,L,L,S,_) :- !, S = [].
'$sort'(1,[X|L],L,S,_) :- !, S = [X].
'$sort'(N,L,R,S,C) :- H is N//2, M is N-H,
    '$sort'(H,L,L1,A,C), '$sort'(M,L1,R,B,C), '$merge'(A,B,S,C).

'$merge'([],B,S,_) :- !, S = B.
'$merge'(A,[],S,_) :- !, S = A.
'$merge'([X|A],[Y|B],S,C) :-
    (   \+ '$before'(C,X,Y), '$before'(C,Y,X) -> S = [Y|T], '$merge'([X|A],B,T,C)
    ;   S = [X|T], '$merge'(A,[Y|B],T,C)
    ).

'$before'(C,X,Y) :- \+ \+ (copy_term(C,t(X,Y,Goal)), call(Goal)).

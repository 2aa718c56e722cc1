% What experiments with goals need: parse trees from derivations, and folds for cross validation.

% derivation_tree(Start,Switches,Tree): the tree of a leftmost derivation. Switches are msw(A,Body) in the order
% of viterbi_switches/2; a symbol that is not the next switch is a word.
%% derivation_tree(+Start, +Switches:list, -Tree) is nondet.
derivation_tree(Start,Switches,Tree) :-
    '$derived'(Start,Tree,Switches,Rest),
    Rest == [].

'$derived'(A,Tree,[msw(A,Body)|Switches],Rest) :- !,
    '$derived_all'(Body,Parts,Switches,Rest),
    Tree =.. [A|Parts].
'$derived'(Word,Word,Switches,Switches).

'$derived_all'([],[],Switches,Switches).
'$derived_all'([A|As],[Tree|Trees],Switches,Rest) :-
    '$derived'(A,Tree,Switches,Switches1),
    '$derived_all'(As,Trees,Switches1,Rest).

% cross_folds(K,Items,Folds): K terms fold(Training,Test), each item once in a Test; element I is tested in
% fold I mod K.
%% cross_folds(+K:integer, +Items:list, -Folds) is semidet, first Items.
cross_folds(K,Items,Folds) :-
    length(Items,N),
    '$check_fold_count'(K,N),
    findall(fold(Training,Test),
            ( between(1,K,Fold), R is Fold mod K,
              findall(X,( nth(I,Items,X), I mod K =\= R ),Training),
              findall(X,( nth(I,Items,X), I mod K =:= R ),Test) ),
            Folds).

'$check_fold_count'(K,N) :- ( K < 2 ; K > N ), '$domain_error'(number_of_folds,K,cross_folds/3).
'$check_fold_count'(_,_).

% What experiments with goals need: parse trees from derivations and files, their scores, folds for cross validation.

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

% write_bracketed(Tree): a tree in bracketed Penn form; labels and words as they are, without quotes.
%% write_bracketed(+Tree) is det.
write_bracketed(Tree) :- var(Tree), !, '$instantiation_error'(write_bracketed/1).
write_bracketed(Tree) :- compound(Tree), !,
    Tree =.. [Label|Parts],
    write('('), write(Label),
    '$write_parts'(Parts),
    write(')').
write_bracketed(Word) :- write(Word).

'$write_parts'([]).
'$write_parts'([Part|Parts]) :- write(' '), write_bracketed(Part), '$write_parts'(Parts).

% read_bracketed(File,Trees): the trees of a file in bracketed Penn form, as derivation_tree/3 makes them. Brackets
% without a label are left out, as those around the trees of the Penn treebank.
%% read_bracketed(+File, -Trees) is semidet.
read_bracketed(File,Trees) :-
    catch(open(File,read,Stream),error(Kind,_),throw(error(Kind,read_bracketed/2))),
    '$characters'(Stream,Characters),
    close(Stream),
    ( '$trees'(Found,Characters,[]) -> Trees = Found
    ; '$domain_error'(file_of_bracketed_trees,File,read_bracketed/2) ).

'$characters'(Stream,Characters) :-
    get_char(Stream,C),
    ( C == end_of_file -> Characters = []
    ; Characters = [C|Rest], '$characters'(Stream,Rest) ).

'$trees'([],Before,After) :- '$blank'(Before,After), \+ After = ['('|_], !.
'$trees'(Trees,Before,After) :-
    '$blank'(Before,['('|Opened]),
    '$blank'(Opened,Inside),
    '$tree'(Inside,Trees,Others,Behind),
    '$trees'(Others,Behind,After).

'$tree'(['('|Inside],Trees,Others,After) :- !,
    '$trees'(Wrapped,['('|Inside],Closed),
    Closed = [')'|After],
    append(Wrapped,Others,Trees).
'$tree'(Inside,[Tree|Others],Others,After) :-
    '$symbol'(Inside,Label,Behind),
    '$parts'(Behind,[Part|Parts],After),
    Tree =.. [Label,Part|Parts].

'$parts'(Before,Parts,After) :-
    '$blank'(Before,Next),
    ( Next = [')'|After] -> Parts = []
    ; Next = ['('|Opened] ->
        '$blank'(Opened,Inside),
        Inside \= ['('|_],
        '$tree'(Inside,Parts,Others,Behind),
        '$parts'(Behind,Others,After)
    ; '$symbol'(Next,Word,Behind),
      Parts = [Word|Others],
      '$parts'(Behind,Others,After) ).

'$symbol'(Before,Symbol,After) :-
    '$symbol_characters'(Before,Characters,After),
    Characters \== [],
    atom_chars(Symbol,Characters).

'$symbol_characters'([C|Cs],[C|Symbol],After) :- C \== '(', C \== ')', \+ '$is_blank'(C), !,
    '$symbol_characters'(Cs,Symbol,After).
'$symbol_characters'(After,[],After).

'$blank'([C|Cs],After) :- '$is_blank'(C), !, '$blank'(Cs,After).
'$blank'(After,After).

'$is_blank'(C) :- char_code(C,Code), Code =< 32.

% parse_scores(Pairs,Scores): how good predicted trees are. Pairs are Right-Predicted, [] for no tree; the scores are those
% of score_parses in Python.
%% parse_scores(+Pairs:list, -Scores) is semidet.
parse_scores(Pairs,Scores) :-
    length(Pairs,N),
    ( N =:= 0 -> '$domain_error'(non_empty_list,Pairs,parse_scores/2) ; true ),
    '$scores'(Pairs,0,0,0,0,0,0,Labelled,Bracketed,Uncrossed,Common,Predicted,Right),
    Trees is Labelled/N, Brackets is Bracketed/N, Zero is Uncrossed/N,
    Total is Predicted+Right,
    F1 is 2*Common/Total,
    Scores = [labelled_tree=Trees,bracketed_tree=Brackets,zero_crossing=Zero,f1=F1].

'$scores'([],L,B,U,C,P,R,L,B,U,C,P,R).
'$scores'([Pair|Pairs],L0,B0,U0,C0,P0,R0,L,B,U,C,P,R) :-
    '$score'(Pair,L1,B1,U1,C1,P1,R1),
    L2 is L0+L1, B2 is B0+B1, U2 is U0+U1, C2 is C0+C1, P2 is P0+P1, R2 is R0+R1,
    '$scores'(Pairs,L2,B2,U2,C2,P2,R2,L,B,U,C,P,R).

'$score'(Pair,_,_,_,_,_,_) :- \+ ground(Pair), !, '$instantiation_error'(parse_scores/2).
'$score'(Pair,_,_,_,_,_,_) :- \+ ( Pair = Right-_, compound(Right) ), !, '$type_error'(pair_of_trees,Pair,parse_scores/2).
'$score'(Right-[],0,0,0,0,0,N) :- !, '$brackets'(Right,_,Spans), length(Spans,N).
'$score'(Right-Tree,Labelled,Bracketed,Uncrossed,Common,N,M) :-
    '$brackets'(Right,Words,Rights),
    '$brackets'(Tree,Others,Spans),
    ( Words == Others -> true ; '$domain_error'(tree_of_the_same_words,Tree,parse_scores/2) ),
    length(Rights,M),
    length(Spans,N),
    ( Tree == Right -> Labelled = 1 ; Labelled = 0 ),
    '$places'(Rights,RightPlaces),
    '$places'(Spans,Places),
    ( Places == RightPlaces -> Bracketed = 1 ; Bracketed = 0 ),
    ( member(I-J,Places), member(S-T,RightPlaces), ( S < I, I < T, T < J ; I < S, S < J, J < T ) ->
        Uncrossed = 0
    ; Uncrossed = 1 ),
    '$common'(Spans,Rights,0,Common).

'$places'([],[]).
'$places'([span(_,I,J)|Spans],[I-J|Places]) :- '$places'(Spans,Places).

'$common'([],_,N,N).
'$common'([Span|Spans],Rights,N0,N) :-
    ( '$without'(Rights,Span,Rest) -> N1 is N0+1 ; Rest = Rights, N1 = N0 ),
    '$common'(Spans,Rest,N1,N).

'$without'([X|Xs],Y,Rest) :- ( X == Y -> Rest = Xs ; Rest = [X|Others], '$without'(Xs,Y,Others) ).

% '$brackets'(Tree,Words,Spans): span(Label,First,Behind) of every node, parents first.
'$brackets'(Tree,Words,Spans) :- '$brackets'(Tree,0,_,Words,[],Spans,[]).

'$brackets'(Tree,I,J,Words,Words1,[span(Label,I,J)|Spans],Spans1) :- compound(Tree), !,
    Tree =.. [Label|Parts],
    '$all_brackets'(Parts,I,J,Words,Words1,Spans,Spans1).
'$brackets'(Word,I,J,[Word|Words],Words,Spans,Spans) :- J is I+1.

'$all_brackets'([],I,I,Words,Words,Spans,Spans).
'$all_brackets'([Part|Parts],I,J,Words,Words2,Spans,Spans2) :-
    '$brackets'(Part,I,K,Words,Words1,Spans,Spans1),
    '$all_brackets'(Parts,K,J,Words1,Words2,Spans1,Spans2).

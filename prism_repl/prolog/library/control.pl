% Control: what call/1 does with a body, findall, once and the like.
% '$body'(Goal,Cut) runs a goal whose cuts go back to choice point Cut; the machine takes the
% control constructs apart and calls these.

%% call(:Goal) is nondet, fixed.
%% call(:Goal/1, ?A1) is nondet, fixed.
%% call(:Goal/2, ?A1, ?A2) is nondet, fixed.
%% call(:Goal/3, ?A1, ?A2, ?A3) is nondet, fixed.
%% call(:Goal/4, ?A1, ?A2, ?A3, ?A4) is nondet, fixed.
%% call(:Goal/5, ?A1, ?A2, ?A3, ?A4, ?A5) is nondet, fixed.
%% call(:Goal/6, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6) is nondet, fixed.
%% call(:Goal/7, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6, ?A7) is nondet, fixed.
%% ,(:A, :B) is nondet, fixed.
%% ;(:A, :B) is nondet, fixed.
%% |(:A, :B) is nondet, fixed.
%% ->(:C, :A) is nondet, fixed.
%% *->(:C, :A) is nondet, fixed.
%% ! is det, fixed.
%% catch(:Goal, ?Catcher, :Recovery) is nondet, fixed.
%% throw(+Ball:bound) is erroneous, itself, fixed.
%% clause(+Head:callable, ?Body:callable) is nondet, itself, protected.
%% assert(+Clause:clause) is det, protected.
%% asserta(+Clause:clause) is det, protected.
%% assertz(+Clause:clause) is det, protected.
%% functor(?Term, ?Name:atomic, ?Arity:integer) is semidet, itself, protected.
%% arg(+N:nonneg, +Term:compound, ?Argument) is semidet, itself, protected.
%% =..(?Term, ?List:list) is semidet, itself, protected.
%% copy_term(+Term, -Copy) is det, protected.
%% term_variables(+Term, -Variables) is det, protected.
%% compare(?Order:atom, @X, @Y) is semidet, itself, protected.

'$and'(A,B,Cut) :- '$body'(A,Cut), '$body'(B,Cut).

'$or'(A,_,Cut) :- '$body'(A,Cut).
'$or'(_,B,Cut) :- '$body'(B,Cut).

% Conditions are parts of a body that was checked as a whole: call/1 would look through them again.
'$condition'(C) :- '$get_b'(Cut), '$body'(C,Cut).

'$ite'(C,T,_,Cut) :- '$condition'(C), !, '$body'(T,Cut).
'$ite'(_,_,E,Cut) :- '$body'(E,Cut).

'$ifthen'(C,T,Cut) :- '$condition'(C), !, '$body'(T,Cut).

'$soft'(C,T,E,Cut) :- ( '$condition'(C) *-> '$body'(T,Cut) ; '$body'(E,Cut) ).

'$softthen'(C,T,Cut) :- '$condition'(C), '$body'(T,Cut).

%% \+(:Goal) is semidet, fixed.
\+ G :- \+ call(G).
%% not(:Goal) is semidet, fixed.
not(G) :- \+ call(G).
%% once(:Goal) is semidet, fixed.
once(G) :- call(G), !.
%% ignore(:Goal) is det.
ignore(G) :- call(G), !.
ignore(_).
%% true is det, fixed.
true.
%% otherwise is det, fixed.
otherwise.
%% fail is failure, fixed.
fail :- fail.
%% false is failure, fixed.
false :- fail.
%% repeat is multi, protected.
repeat.
repeat :- repeat.

%% =(?X, ?Y) is semidet, fixed.
X = X.
%% \=(@X, @Y) is semidet, fixed.
X \= Y :- \+ X = Y.
%% ==(@X, @Y) is semidet, fixed.
X == Y :- X == Y.
%% \==(@X, @Y) is semidet, fixed.
X \== Y :- X \== Y.
%% @<(@X, @Y) is semidet, fixed.
X @< Y :- X @< Y.
%% @=<(@X, @Y) is semidet, fixed.
X @=< Y :- X @=< Y.
%% @>(@X, @Y) is semidet, fixed.
X @> Y :- X @> Y.
%% @>=(@X, @Y) is semidet, fixed.
X @>= Y :- X @>= Y.
%% is(-X, +Expression:expression) is det, fixed.
X is E :- X is E.
%% <(+X:expression, +Y:expression) is semidet, fixed.
X < Y :- X < Y.
%% =<(+X:expression, +Y:expression) is semidet, fixed.
X =< Y :- X =< Y.
%% >(+X:expression, +Y:expression) is semidet, fixed.
X > Y :- X > Y.
%% >=(+X:expression, +Y:expression) is semidet, fixed.
X >= Y :- X >= Y.
%% =:=(+X:expression, +Y:expression) is semidet, fixed.
X =:= Y :- X =:= Y.
%% =\=(+X:expression, +Y:expression) is semidet, fixed.
X =\= Y :- X =\= Y.
%% var(@X) is semidet, fixed.
var(X) :- var(X).
%% nonvar(@X) is semidet, fixed.
nonvar(X) :- nonvar(X).
%% atom(@X) is semidet, fixed.
atom(X) :- atom(X).
%% integer(@X) is semidet, fixed.
integer(X) :- integer(X).
%% float(@X) is semidet, fixed.
float(X) :- float(X).
%% number(@X) is semidet, fixed.
number(X) :- number(X).
%% atomic(@X) is semidet, fixed.
atomic(X) :- atomic(X).
%% compound(@X) is semidet, fixed.
compound(X) :- compound(X).
%% callable(@X) is semidet, fixed.
callable(X) :- callable(X).
%% is_list(@X) is semidet, fixed.
is_list(X) :- is_list(X).
%% ground(@X) is semidet, fixed.
ground(X) :- ground(X).

%% findall(?Template, :Goal, -List) is det, protected.
findall(T,G,L) :-
    '$check_solutions'(G,L),
    '$findall'(T,G,R,[]),
    L = R.

% The list before the last argument is its end: findall(X,G,End,List).
%% findall(?Template, :Goal, ?End, -List) is det, protected.
findall(T,G,Tail,L) :-
    '$check_solutions'(G,L),
    '$check_solutions'(G,Tail),
    '$findall'(T,G,R,Tail),
    L = R.

'$findall'(T,G,_,_) :-
    '$findall_begin',
    call(G),
    '$findall_add'(T),
    fail.
'$findall'(_,_,R,Tail) :-
    '$findall_end'(R,Tail).

'$check_solutions'(G,L) :-
    '$skip_list'(L,_,T),
    ( T == [] -> true
    ; var(T) -> true
    ; '$must_be'(callable,G,call/1), throw(error(type_error(list,L),findall/3))
    ).

% A call of a predicate that is tabled with modes, with outputs that are bound (tabling/modes.py).
'$moded_call'(Free,Goal) :- call(Free), Free = Goal.

%% forall(:Condition, :Action) is semidet, protected.
forall(C,A) :- \+ ( call(C), \+ call(A) ).

% The cleanup runs when the goal fails, throws or exits without choice points; if choice points are left,
% when they are used up or cut (cleanups.py). An error of the goal goes before one of its cleanup.
%% setup_call_cleanup(:Setup, :Goal, :Cleanup) is nondet.
setup_call_cleanup(S,G,C) :-
    once(S),
    '$must_be'(callable,C,setup_call_cleanup/3),
    '$call_cleanup'(G,C).

%% call_cleanup(:Goal, :Cleanup) is nondet.
call_cleanup(G,C) :- '$must_be'(callable,C,call_cleanup/2), '$call_cleanup'(G,C).

'$call_cleanup'(G,C) :-
    '$get_b'(B0),
    '$cleanup_begin'(C,B0,N),
    catch(G,E,'$cleanup_after_error'(N,C,E)),
    '$get_b'(B1),
    ( B0 == B1 -> !, '$cleanups_due' ; true ).
'$call_cleanup'(_,_) :- '$cleanups_due', fail.

'$cleanup_after_error'(N,C,E) :- '$cleanup_taken'(N), catch(ignore(C),_,true), throw(E).

%% call_nth(:Goal, ?N) is nondet.
call_nth(G,N) :- integer(N), !,
    ( N > 0 -> true ; N < 0 -> '$domain_error'(not_less_than_zero,N,call_nth/2) ; fail ),
    S = count(0),
    call(G),
    '$count_up'(S,K), K =:= N, !.
call_nth(G,N) :- var(N), !, S = count(0), call(G), '$count_up'(S,N).
call_nth(_,N) :- '$type_error'(integer,N,call_nth/2).

'$count_up'(S,K) :- arg(1,S,K0), K is K0+1, nb_setarg(1,S,K).

% retract removes on backtracking, too; it sees the clauses of the moment of its call
%% retract(+Clause:clause) is nondet, protected.
retract(C) :-
    '$clause_parts'(C,H,B),
    '$clause'(H,B,1).

%% retractall(+Head) is det, protected.
retractall(H) :-
    '$retractall_check'(H),
    '$retractall'(H).

% What is no list, nor may become one, has no length: PRISM's fails.
%% length(?List, ?N) is nondet, protected, kept.
'$length_any'(L,N) :-
    '$skip_list'(L,K,T),
    ( T == [] -> '$length_closed'(N,K) ; var(T), '$length_open'(T,K,N,L) ).

'$length_closed'(N,K) :-
    ( var(N) -> N = K
    ; integer(N) -> ( N < 0 -> throw(error(domain_error(not_less_than_zero,N),length/2)) ; N = K )
    ; throw(error(type_error(integer,N),length/2))
    ).

'$length_open'(T,K,N,L) :-
    ( var(N) ->
        ( T == N -> throw(error(resource_error(memory),length/2)) ; '$length_more'(T,K,N) )
    ; integer(N) ->
        ( N < 0 -> throw(error(domain_error(not_less_than_zero,N),length/2)) ; true ),
        N >= K, D is N-K, '$new_list'(D,T)
    ; throw(error(type_error(integer,N),length/2))
    ).

'$length_more'([],N,N).
'$length_more'([_|T],K,N) :- K1 is K+1, '$length_more'(T,K1,N).

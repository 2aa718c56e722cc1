% B-Prolog's loops: foreach/2..10, list comprehensions and array accesses in @=, assignment with := and @:=.
%
%   foreach(E1 in D1, ..., En in Dn, Locals, Accumulators, Goal)
%
% The variables of the patterns E and of the list Locals (optional) are local to each iteration, all
% others are shared with the rest of the clause or query. A domain D is a list, L..H, L..Step..H,
% an array, or a tuple of domains, which are gone through side by side. An accumulator ac(S,Init)
% starts with Init; in Goal S^0 is its value before and S^1 after the iteration; S becomes the
% last value. ac1(S,Last) starts as S, and its last value is Last.

%% foreach(+Iterator, :Goal) is nondet.
foreach(A,G) :- '$foreach'([A],G).
%% foreach(+I1, +I2, :Goal) is nondet.
foreach(A,B,G) :- '$foreach'([A,B],G).
%% foreach(+I1, +I2, +I3, :Goal) is nondet.
foreach(A,B,C,G) :- '$foreach'([A,B,C],G).
%% foreach(+I1, +I2, +I3, +I4, :Goal) is nondet.
foreach(A,B,C,D,G) :- '$foreach'([A,B,C,D],G).
%% foreach(+I1, +I2, +I3, +I4, +I5, :Goal) is nondet.
foreach(A,B,C,D,E,G) :- '$foreach'([A,B,C,D,E],G).
%% foreach(+I1, +I2, +I3, +I4, +I5, +I6, :Goal) is nondet.
foreach(A,B,C,D,E,F,G) :- '$foreach'([A,B,C,D,E,F],G).
%% foreach(+I1, +I2, +I3, +I4, +I5, +I6, +I7, :Goal) is nondet.
foreach(A,B,C,D,E,F,H,G) :- '$foreach'([A,B,C,D,E,F,H],G).
%% foreach(+I1, +I2, +I3, +I4, +I5, +I6, +I7, +I8, :Goal) is nondet.
foreach(A,B,C,D,E,F,H,I,G) :- '$foreach'([A,B,C,D,E,F,H,I],G).
%% foreach(+I1, +I2, +I3, +I4, +I5, +I6, +I7, +I8, +I9, :Goal) is nondet.
foreach(A,B,C,D,E,F,H,I,J,G) :- '$foreach'([A,B,C,D,E,F,H,I,J],G).

'$foreach'(Parts,G) :-
    '$loop_parts'(Parts,Its,Locals,Accs),
    '$loop_accumulators'(Accs,Names,Starts,Ends,Last),
    '$loop'(Its,Locals,Names,G,Starts,Ends),
    '$loop_end'(Last).

% Iterators, local variables and accumulators of a loop.
'$loop_parts'([],[],[],[]).
'$loop_parts'([P|Ps],Its,Locals,Accs) :- '$loop_part'(P,Its,Its1,Locals,Locals1,Accs,Accs1), '$loop_parts'(Ps,Its1,Locals1,Accs1).

'$loop_part'(P,_,_,_,_,_,_) :- var(P), !, '$instantiation_error'(foreach/2).
'$loop_part'(E in D,[E-D|Is],Is,Ls,Ls,As,As) :- !.
'$loop_part'(ac(S,V),Is,Is,Ls,Ls,[ac(S,V)|As],As) :- !.
'$loop_part'(ac1(S,V),Is,Is,Ls,Ls,[ac1(S,V)|As],As) :- !.
'$loop_part'([],Is,Is,Ls,Ls,As,As) :- !.
'$loop_part'([P|Ps],Is,Is,Ls,Ls,As,As1) :- nonvar(P), !, '$append'([P|Ps],As1,As).
'$loop_part'([V|Vs],Is,Is,Ls,Ls1,As,As) :- !, '$append'([V|Vs],Ls1,Ls).
'$loop_part'(P,_,_,_,_,_,_) :- '$type_error'(iterator,P,foreach/2).

'$loop_accumulators'([],[],[],[],[]).
'$loop_accumulators'([ac(S,V)|As],[S|Ns],[V|Ss],[E|Es],[E=S|Ls]) :- !, '$loop_accumulators'(As,Ns,Ss,Es,Ls).
'$loop_accumulators'([ac1(S,V)|As],[S|Ns],[S|Ss],[E|Es],[E=V|Ls]) :- '$loop_accumulators'(As,Ns,Ss,Es,Ls).

'$loop_end'([]).
'$loop_end'([X=X|Ls]) :- '$loop_end'(Ls).

% Run G for all elements; Starts and Ends are the values of the accumulators before and after.
% The template has holes for all that is not local, so that big terms are never copied.
'$loop'(Its,Locals,Names,G,Starts,Ends) :-
    '$loop_template'(Its,Locals,Names,G,Template),
    '$loop_level'(Its,[],[],Template,Starts,Ends).

'$loop_level'([],Es,Xs,t(Holes,Values,_,Before,After,G),S0,S) :-
    copy_term(i(Es,Holes,Before,After,G),i(Xs,Values,S0,S1,G1)),
    call(G1),
    S = S1.
'$loop_level'([E-_|Its],Es,Xs,T,S0,S) :-
    T = t(Holes,Values,[D|Ds],Before,After,G),
    copy_term(d(Es,Holes,D),d(Xs,Values,D1)),
    '$loop_domain'(D1,Domain),
    '$loop_each'(Domain,E,Its,Es,Xs,t(Holes,Values,Ds,Before,After,G),S0,S).

'$loop_each'([],_,_,_,_,_,S,S).
'$loop_each'([X|Rest],E,Its,Es,Xs,T,S0,S) :-
    ( E \= X -> S1 = S0 ; '$loop_level'(Its,[E|Es],[X|Xs],T,S0,S1) ),
    '$loop_each'(Rest,E,Its,Es,Xs,T,S1,S).
'$loop_each'(range(L,Step,H),E,Its,Es,Xs,T,S0,S) :-
    '$loop_range'(L,Step,H,E,Its,Es,Xs,T,S0,S).

'$loop_range'(L,Step,H,E,Its,Es,Xs,T,S0,S) :-
    ( Step > 0 -> L =< H ; L >= H ), !,
    '$loop_level'(Its,[E|Es],[L|Xs],T,S0,S1),
    L1 is L+Step,
    '$loop_range'(L1,Step,H,E,Its,Es,Xs,T,S1,S).
'$loop_range'(_,_,_,_,_,_,_,_,S,S).

'$loop_domain'(D,_) :- var(D), !, '$instantiation_error'(foreach/2).
'$loop_domain'(L..Step..H,range(L1,S1,H1)) :- !, '$evaluate'(L,L1,foreach/2), '$evaluate'(Step,S1,foreach/2), '$evaluate'(H,H1,foreach/2), '$loop_step'(S1).
'$loop_domain'(L..H,range(L1,1,H1)) :- !, '$evaluate'(L,L1,foreach/2), '$evaluate'(H,H1,foreach/2).
'$loop_domain'((D1,D2),L) :- !, '$loop_list'(D1,L1), '$loop_domain'(D2,L2a), '$loop_listed'(L2a,L2), '$loop_zip'(L1,L2,L).
'$loop_domain'(D,D) :- '$skip_list'(D,_,T), T == [], !.
'$loop_domain'(D,L) :- is_array(D), !, D =.. [_|L].
'$loop_domain'(D,L) :- '$array_value'(D,D1), !, '$loop_domain'(D1,L).
'$loop_domain'(D,_) :- '$must_be'(list,D,foreach/2).

'$loop_step'(S) :- ( S =:= 0 -> '$domain_error'(not_zero,S,foreach/2) ; true ).

'$loop_list'(D,L) :- '$loop_domain'(D,D1), '$loop_listed'(D1,L).

'$loop_listed'(range(L,S,H),Xs) :- !, '$loop_numbers'(L,S,H,Xs).
'$loop_listed'(L,L).

'$loop_numbers'(L,S,H,[L|Xs]) :- ( S > 0 -> L =< H ; L >= H ), !, L1 is L+S, '$loop_numbers'(L1,S,H,Xs).
'$loop_numbers'(_,_,_,[]).

'$loop_zip'([],_,[]) :- !.
'$loop_zip'(_,[],[]) :- !.
'$loop_zip'([X|Xs],[Y|Ys],[(X,Y)|Zs]) :- '$loop_zip'(Xs,Ys,Zs).

% ---- @=, := and @:=

%% @=(?X, +Expression:expression) is semidet.
A @= B :- '$loop_value'(B,V), '$loop_value'(A,W), W = V.

'$loop_value'(T,T) :- var(T), !.
'$loop_value'(T,T) :- atomic(T), !.
'$loop_value'([First|Rest],L) :- nonvar(First), First = (T : Head), nonvar(Head), Head = (E in D), !,
    '$comprehension'(T,[E in D|Rest],L).
'$loop_value'(T,V) :- '$array_value'(T,V0), !, V = V0.
'$loop_value'([X|Xs],[Y|Ys]) :- !, '$loop_value'(X,Y), '$loop_value'(Xs,Ys).
'$loop_value'(T,V) :- functor(T,N,K), functor(V,N,K), '$loop_values'(0,K,T,V).

'$loop_values'(K,K,_,_) :- !.
'$loop_values'(I,K,T,V) :- I1 is I+1, arg(I1,T,A), arg(I1,V,B), '$loop_value'(A,B), '$loop_values'(I1,K,T,V).

% [T : E1 in D1, ..., Conditions]
'$comprehension'(T,Parts,L) :-
    '$comprehension_parts'(Parts,Its,Locals,Cond),
    '$loop'(Its,Locals,[Name],'$comprehension_step'(Cond,T,Name^0,Name^1),[L],[End]),
    End = [].

'$comprehension_step'(C,T,L0,L1) :- ( call(C) -> '$loop_value'(T,V), L0 = [V|L1] ; L0 = L1 ).

'$comprehension_parts'([],[],[],true).
'$comprehension_parts'([P|Ps],_,_,_) :- var(P), !, '$instantiation_error'((@=)/2), '$comprehension_parts'(Ps,_,_,_).
'$comprehension_parts'([E in D|Ps],[E-D|Is],Ls,C) :- !, '$comprehension_parts'(Ps,Is,Ls,C).
'$comprehension_parts'([[]|Ps],Is,Ls,C) :- !, '$comprehension_parts'(Ps,Is,Ls,C).
'$comprehension_parts'([[V|Vs]|Ps],Is,Ls,C) :- !, '$append'([V|Vs],Ls1,Ls), '$comprehension_parts'(Ps,Is,Ls1,C).
'$comprehension_parts'([G|Ps],Is,Ls,C) :- '$comprehension_parts'(Ps,Is,Ls,C1), '$dcg_and'(G,C1,C).

% Assignment: to an element of an array or a list (undone on backtracking), or to a variable.
%% :=(?X, +Expression:expression) is semidet.
A := E :- nonvar(A), A = Array^Subscripts, !, '$evaluate'(E,V,(:=)/2), '$array_assign'(Array,Subscripts,V,:=).
X := E :- '$evaluate'(E,X,(:=)/2).

% The same with a term, in which array accesses alone are evaluated.
%% @:=(?X, +Expression:expression) is semidet.
A @:= T :- nonvar(A), A = Array^Subscripts, !, '$loop_value'(T,V), '$array_assign'(Array,Subscripts,V,@:=).
X @:= T :- '$loop_value'(T,V), X = V.

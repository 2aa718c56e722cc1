% Goals that wait for variables. The machine calls '$wakeup'/1 with wake(Attributes,Value) for each attributed
% variable that was bound; attributes are a chain att(Module,Value,Rest).

'$wakeup'([]).
'$wakeup'([wake(Attributes,Value)|Rest]) :- '$call_hooks'(Attributes,Value), '$wakeup'(Rest).

'$call_hooks'([],_).
'$call_hooks'(att(Module,Attribute,Rest),Value) :-
    '$unify_hook'(Module,Attribute,Value),
    '$call_hooks'(Rest,Value).

'$unify_hook'(Module,Attribute,Value) :-
    ( '$own_attribute'(Module) -> '$own_hook'(Module,Attribute,Value)
    ; '$attribute_hook'(Module,attr_unify_hook(Attribute,Value),Hook) -> call(Hook)
    ; true
    ).

'$own_attribute'('$freeze').
'$own_attribute'('$dif').
'$own_attribute'('$when').

'$own_hook'('$freeze',Goal,Y) :-
    ( var(Y) ->
        ( get_attr(Y,'$freeze',Other) -> put_attr(Y,'$freeze',(Other,Goal)) ; put_attr(Y,'$freeze',Goal) )
    ; call(Goal)
    ).
'$own_hook'('$dif',Pairs,_) :- '$dif_again'(Pairs).
'$own_hook'('$when',Items,_) :- '$when_again'(Items).

% More of what waits for a variable, in a list; what is bound needs none.
'$add_waiting'(X,Module,Items) :-
    ( nonvar(X) -> true
    ; get_attr(X,Module,Old) -> append(Old,Items,New), put_attr(X,Module,New)
    ; put_attr(X,Module,Items)
    ).

% A tabled call is made with plain variables: a table does not depend on who waits for what. The hooks see its
% answers.
'$plain_call'(Goal) :- copy_term_nat(Goal,Plain), call(Plain), Goal = Plain.

%% freeze(+X, :Goal) is nondet.
freeze(X,Goal) :-
    '$must_be'(callable,Goal,freeze/2),
    ( nonvar(X) -> call(Goal)
    ; get_attr(X,'$freeze',Old) -> put_attr(X,'$freeze',(Old,Goal))
    ; put_attr(X,'$freeze',Goal)
    ).

%% frozen(@Term, -Goal) is det.
frozen(Term,Goal) :-
    term_attvars(Term,Variables),
    '$residual_goals'(Variables,Goals),
    '$conjunction'(Goals,Goal).

'$conjunction'([],true).
'$conjunction'([G|Gs],Goal) :- '$conjunction'(Gs,G,Goal).

'$conjunction'([],G,G).
'$conjunction'([H|T],G,(G,Rest)) :- '$conjunction'(T,H,Rest).

% dif(X,Y) waits for one binding of those that would make X and Y equal: without it they stay different.
%% dif(+X, +Y) is semidet.
dif(X,Y) :-
    ( unifiable(X,Y,Unifier) ->
        Unifier = [V=T|_],
        '$add_waiting'(V,'$dif',[X-Y]),
        '$add_waiting'(T,'$dif',[X-Y])
    ; true
    ).

'$dif_again'([]).
'$dif_again'([X-Y|Rest]) :- dif(X,Y), '$dif_again'(Rest).

%% when(+Condition, :Goal) is nondet.
when(Condition,Goal) :-
    '$when_condition'(Condition),
    '$must_be'(callable,Goal,when/2),
    '$when'(Condition,when(Condition,Goal,_)).

'$when_condition'(C) :- var(C), !, throw(error(instantiation_error,when/2)).
'$when_condition'(nonvar(_)) :- !.
'$when_condition'(ground(_)) :- !.
'$when_condition'(?=(_,_)) :- !.
'$when_condition'((A,B)) :- !, '$when_condition'(A), '$when_condition'(B).
'$when_condition'((A;B)) :- !, '$when_condition'(A), '$when_condition'(B).
'$when_condition'(C) :- throw(error(domain_error(when_condition,C),when/2)).

% '$when'(Part,Item): once a part of the condition of Item = when(Condition,Goal,Done) holds, its goal runs.
'$when'(nonvar(X),Item) :- ( nonvar(X) -> '$fire'(Item) ; '$add_waiting'(X,'$when',[nonvar(X)-Item]) ).
'$when'(ground(X),Item) :-
    term_variables(X,Variables),
    ( Variables = [V|_] -> '$add_waiting'(V,'$when',[ground(Variables)-Item]) ; '$fire'(Item) ).
'$when'(?=(X,Y),Item) :-
    ( ?=(X,Y) -> '$fire'(Item)
    ; unifiable(X,Y,Unifier),
      term_variables(Unifier,Variables),
      '$wait_for_each'(Variables,?=(X,Y)-Item)
    ).
'$when'((A,B),Item) :- Item = when(_,Goal,Done), '$when'(A,when((A,B),'$when'(B,when(B,Goal,Done)),_)).
'$when'((A;B),Item) :- '$when'(A,Item), '$when'(B,Item).

'$wait_for_each'([],_).
'$wait_for_each'([V|Vs],Item) :- '$add_waiting'(V,'$when',[Item]), '$wait_for_each'(Vs,Item).

'$fire'(when(_,Goal,Done)) :- ( Done == true -> true ; Done = true, call(Goal) ).

'$when_again'([]).
'$when_again'([Part-Item|Rest]) :-
    Item = when(_,_,Done),
    ( Done == true -> true ; '$when'(Part,Item) ),
    '$when_again'(Rest).

% The goals that wait for variables, as a list: what an answer shows. A program's attribute_goals//1 says them
% for its attributes.
%% copy_term(+Term, -Copy, -Goals) is det.
copy_term(Term,Copy,Goals) :-
    term_attvars(Term,Variables),
    '$residual_goals'(Variables,Residual),
    copy_term_nat(Term-Residual,Copy-Goals).

'$waiting_goals'(Terms,Goals) :- term_attvars(Terms,Variables), '$residual_goals'(Variables,Goals).

'$residual_goals'(Variables,Goals) :-
    '$residual_lists'(Variables,Found,[]),
    '$distinct_goals'(Found,[],Goals).

'$residual_lists'([],L,L).
'$residual_lists'([V|Vs],L0,L) :-
    get_attrs(V,Attributes),
    '$residual_goals'(Attributes,V,L0,L1),
    '$residual_lists'(Vs,L1,L).

'$residual_goals'([],_,L,L).
'$residual_goals'(att(Module,Attribute,Rest),V,L0,L) :-
    ( '$own_attribute'(Module) -> '$own_goals'(Module,Attribute,V,L0,L1)
    ; '$attribute_hook'(Module,attribute_goals(V,L0,L1),Hook), call(Hook) -> true
    ; L0 = [put_attr(V,Module,Attribute)|L1]
    ),
    '$residual_goals'(Rest,V,L1,L).

'$own_goals'('$freeze',Goal,V,L0,L) :- '$frozen_goals'(Goal,V,L0,L).
'$own_goals'('$dif',Pairs,_,L0,L) :- '$dif_goals'(Pairs,L0,L).
'$own_goals'('$when',Items,_,L0,L) :- '$when_goals'(Items,L0,L).

'$frozen_goals'(Goal,V,[freeze(V,Goal)|L],L).

'$dif_goals'([],L,L).
'$dif_goals'([X-Y|Rest],L0,L) :-
    ( unifiable(X,Y,Unifier) ->
        ( Unifier = [V=T] -> Goal = dif(V,T)
        ; reverse(Unifier,Pairs), '$sides'(Pairs,Vs,Ts), F =.. [f|Vs], G =.. [f|Ts], Goal = dif(F,G)
        ),
        L0 = [Goal|L1]
    ; L0 = L1
    ),
    '$dif_goals'(Rest,L1,L).

'$sides'([],[],[]).
'$sides'([V=T|Rest],[V|Vs],[T|Ts]) :- '$sides'(Rest,Vs,Ts).

'$when_goals'([],L,L).
'$when_goals'([_-when(Condition,Goal,Done)|Rest],L0,L) :-
    ( Done == true -> L0 = L1
    ; '$shown_goal'(Goal,Shown), L0 = [when(Condition,Shown)|L1]
    ),
    '$when_goals'(Rest,L1,L).

'$shown_goal'(Goal,Shown) :- ( Goal = '$when'(_,when(_,G,_)) -> '$shown_goal'(G,Shown) ; Shown = Goal ).

'$distinct_goals'([],_,[]).
'$distinct_goals'([G|Gs],Seen,Goals) :-
    ( '$identical_member'(G,Seen) -> Goals = Rest ; Goals = [G|Rest] ),
    '$distinct_goals'(Gs,[G|Seen],Rest).

'$identical_member'(G,[H|T]) :- ( G == H -> true ; '$identical_member'(G,T) ).

% attributes(portray) of write_term/2: a program's attr_portray_hook/2 writes its attributes, others are left out.
'$portray_attributes'(V,Text) :- get_attrs(V,Attributes), with_output_to(atom(Text),'$portray_each'(Attributes,V)).

'$portray_each'([],_).
'$portray_each'(att(Module,Attribute,Rest),V) :-
    ( '$attribute_hook'(Module,attr_portray_hook(Attribute,V),Hook) -> ignore(Hook) ; true ),
    '$portray_each'(Rest,V).

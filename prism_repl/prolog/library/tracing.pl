% The tracer: an interpreter of clause bodies that shows the ports of each goal. The top level runs
% queries through it while tracing is on, so that programs pay nothing for it when it is off.
% '$port'(Port,Number,Depth,Goal,Action) prints (or not) and asks what to do.

'$trace_query'(G) :- '$get_b'(Cut), '$trace_body'(G,0,Cut).

% A goal with its own scope of cuts.
'$trace_goal'(G,D) :- '$get_b'(Cut), '$trace_body'(G,D,Cut).

'$trace_body'(G,D,Cut) :- '$trace_construct'(G,Kind), '$trace_kind'(Kind,G,D,Cut).

'$trace_kind'(goal,G,D,_) :- '$traced'(G,D).
'$trace_kind'(silent,G,_,_) :- call(G).
'$trace_kind'(cut,_,_,Cut) :- '$cut'(Cut).
'$trace_kind'(and,(A,B),D,Cut) :- '$trace_body'(A,D,Cut), '$trace_body'(B,D,Cut).
'$trace_kind'(or,G,D,Cut) :- '$trace_or'(G,D,Cut).
'$trace_kind'(ite,((C->T);E),D,Cut) :- '$trace_ite'(C,T,E,D,Cut).
'$trace_kind'(ifthen,(C->T),D,Cut) :- '$trace_ifthen'(C,T,D,Cut).
'$trace_kind'(soft,((C*->T);E),D,Cut) :- ( '$trace_goal'(C,D) *-> '$trace_body'(T,D,Cut) ; '$trace_body'(E,D,Cut) ).
'$trace_kind'(softthen,(C*->T),D,Cut) :- '$trace_goal'(C,D), '$trace_body'(T,D,Cut).
'$trace_kind'(not,G,D,_) :- arg(1,G,A), \+ '$trace_goal'(A,D).

'$trace_or'((A;_),D,Cut) :- '$trace_body'(A,D,Cut).
'$trace_or'((_;B),D,Cut) :- '$trace_body'(B,D,Cut).

'$trace_ite'(C,T,_,D,Cut) :- '$trace_goal'(C,D), !, '$trace_body'(T,D,Cut).
'$trace_ite'(_,_,E,D,Cut) :- '$trace_body'(E,D,Cut).

'$trace_ifthen'(C,T,D,Cut) :- '$trace_goal'(C,D), !, '$trace_body'(T,D,Cut).

% The four ports, and the one for exceptions.
% A goal whose call was not shown has no other ports, either: on the way to a spy point a long program needs
% no more room than without the tracer.
'$traced'(G,D) :- '$port'(call,N,D,G,Action), '$trace_action'(Action,N,G,D).

'$trace_action'(quiet,N,G,D) :- '$trace_run'(creep,N,G,D).
'$trace_action'(creep,N,G,D) :- '$trace_ports'(G,D,N,creep).
'$trace_action'(skip,N,G,D) :- '$trace_ports'(G,D,N,skip).
'$trace_action'(fail,N,G,D) :- '$trace_failed'(N,G,D).

% At each port the goal may be made to fail, or to start again: both leave all that it has done.
'$trace_ports'(G,D,N,Action) :-
    '$get_b'(Before),
    catch('$trace_run'(Action,N,G,D),E,'$trace_exception'(N,D,G,E)),
    '$get_b'(After),
    '$port'(exit,N,D,G,Reply),
    ( Reply == fail -> '$cut'(Before), fail ; Before == After -> ! ; '$trace_redo'(N,D,G,Before) ).
'$trace_ports'(G,D,N,_) :- '$trace_failed'(N,G,D).

'$trace_failed'(N,G,D) :- '$trace_retrying'(N), !, '$trace_again'(N,G,D).
'$trace_failed'(N,G,D) :- '$port'(fail,N,D,G,_), '$trace_retrying'(N), '$trace_again'(N,G,D).

'$trace_again'(N,G,D) :- '$port'(call,N,D,G,Action), '$trace_action'(Action,N,G,D).

'$trace_redo'(_,_,_,_).
'$trace_redo'(N,D,G,Before) :- '$port'(redo,N,D,G,Reply), Reply == fail, '$cut'(Before), fail.

'$trace_exception'(N,D,G,E) :- '$port_exception'(N,D,G,E,Reply), Reply \== fail, throw(E).

% A goal that is skipped runs at full speed; so does what is no user's predicate, except that the goals
% among its arguments are traced.
'$trace_run'(skip,_,G,D) :- '$trace_skipped'(G,Way,Goal), '$trace_way'(Way,Goal,D).
'$trace_run'(creep,N,G,D) :- '$trace_inside'(N,G,D,D1), '$trace_way'(G,D1,Way,Goal), '$trace_way'(Way,Goal,D1).

'$trace_way'(native,G,_) :- call(G).
'$trace_way'(clauses,G,D) :- '$trace_clauses'(G,D).
'$trace_way'(entered,G,D) :-
    findall(x,'$trace_clauses'(G,D),_),
    '$trace_way'(known,G,D).
'$trace_way'(known,G,_) :- '$trace_answers'(G,Answers), member(G,Answers).

'$trace_clauses'(G,D) :- '$get_b'(Cut), '$clause'(G,Body,_), '$trace_body'(Body,D,Cut).

% Explanation search: all outcomes of a switch are tried, and a tabled goal is entered once.
'$trace_explanations'(G,D) :-
    '$trace_search'(G),
    catch(findall(x,'$trace_goal'(G,D),_),E,true),
    '$trace_search_ends',
    ( nonvar(E) -> throw(E) ; true ).

'$each_outcome'(I,V) :- get_values1(I,Values), member(V,Values).

% Closures: what call/N and maplist add arguments to.
'$trace_call'(D,G) :- '$trace_goal'(G,D).
'$trace_call'(D,C,A) :- '$trace_extended'(C,[A],G), '$trace_goal'(G,D).
'$trace_call'(D,C,A1,A2) :- '$trace_extended'(C,[A1,A2],G), '$trace_goal'(G,D).
'$trace_call'(D,C,A1,A2,A3) :- '$trace_extended'(C,[A1,A2,A3],G), '$trace_goal'(G,D).
'$trace_call'(D,C,A1,A2,A3,A4) :- '$trace_extended'(C,[A1,A2,A3,A4],G), '$trace_goal'(G,D).
'$trace_call'(D,C,A1,A2,A3,A4,A5) :- '$trace_extended'(C,[A1,A2,A3,A4,A5],G), '$trace_goal'(G,D).
'$trace_call'(D,C,A1,A2,A3,A4,A5,A6) :- '$trace_extended'(C,[A1,A2,A3,A4,A5,A6],G), '$trace_goal'(G,D).
'$trace_call'(D,C,A1,A2,A3,A4,A5,A6,A7) :- '$trace_extended'(C,[A1,A2,A3,A4,A5,A6,A7],G), '$trace_goal'(G,D).

'$trace_extended'(C,More,G) :- C =.. Parts, append(Parts,More,All), G =.. All.

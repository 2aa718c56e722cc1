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

'$trace_action'(quiet,_,G,D) :- '$trace_run'(creep,G,D).
'$trace_action'(creep,N,G,D) :- '$trace_ports'(G,D,N,creep).
'$trace_action'(skip,N,G,D) :- '$trace_ports'(G,D,N,skip).

'$trace_ports'(G,D,N,Action) :-
    '$get_b'(Before),
    catch('$trace_run'(Action,G,D),E,'$trace_exception'(N,D,G,E)),
    '$get_b'(After),
    ( Before == After -> !, '$port'(exit,N,D,G,_) ; '$trace_exit'(N,D,G) ).
'$trace_ports'(G,D,N,_) :- '$port'(fail,N,D,G,_), fail.

'$trace_exit'(N,D,G) :- '$port'(exit,N,D,G,_).
'$trace_exit'(N,D,G) :- '$port'(redo,N,D,G,_), fail.

'$trace_exception'(N,D,G,E) :- '$port_exception'(N,D,G,E), throw(E).

% A goal that is skipped runs at full speed; so does what is no user's predicate, except that the goals
% among its arguments are traced.
'$trace_run'(skip,G,_) :- call(G).
'$trace_run'(creep,G,D) :- D1 is D+1, '$trace_way'(G,D1,Way,Goal), '$trace_way'(Way,Goal,D1).

'$trace_way'(native,G,_) :- call(G).
'$trace_way'(clauses,G,D) :- '$get_b'(Cut), '$clause'(G,Body,_), '$trace_body'(Body,D,Cut).

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

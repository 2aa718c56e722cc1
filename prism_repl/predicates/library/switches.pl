% Outcome spaces and switches, read on backtracking.

% '$values'(Key,Switch,Values): an atomic name is its own key; that of another ground name is a number, so that one
% of thousands is found at once.
:- dynamic '$values'/3, '$values_seen'/0.

% Programs ask it often, while a search looks ahead, too, which goes on through clauses only.
%% get_values(?Switch:switch, ?Values) is nondet.
get_values(Switch,Values) :-
    ( '$values_seen' -> true ; '$values_missing' ),
    ( atomic(Switch) -> Key = Switch ; '$values_key'(Switch,Key) ), '$values'(Key,Switch,Values).

% Whether some matching declaration has a body: then the outcomes may differ from one use to the next.
% A declaration of known outcomes has only their list in its body.
'$computed_values'(Switch) :- '$values_key'(Switch,Key), clause('$values'(Key,Switch,_),Body), Body \= (_ = _), !.

%% get_values0(?Switch:switch, ?Values) is nondet.
get_values0(Switch,Values) :-
    ( atomic(Switch) -> Key = Switch ; '$values_key'(Switch,Key) ), '$values'(Key,Switch,Values).

%% get_reg_sw(?Switch:switch) is nondet.
get_reg_sw(Switch) :- get_reg_sw_list(Switches), '$each'(Switch,Switches).

% get_sw: Status is fixed or unfixed, or a list of two of them; the last argument of the longest
% form is the expected counts of the last learning run.
%% get_sw(?Info) is nondet.
get_sw(switch(S,St,Vs,Ps)) :- '$sw_rows'(p,S,Rows,get_sw/1), '$each'(row(S,St,Vs,Ps,_),Rows).
%% get_sw(?Switch:switch, ?Info) is nondet.
get_sw(S,[St,Vs,Ps]) :- '$sw_rows'(p,S,Rows,get_sw/2), '$each'(row(S,St,Vs,Ps,_),Rows).
%% get_sw(?Switch:switch, ?Status, ?Values, ?Parameters) is nondet.
get_sw(S,St,Vs,Ps) :- '$sw_rows'(p,S,Rows,get_sw/4), '$each'(row(S,St,Vs,Ps,_),Rows).
%% get_sw(?Switch:switch, ?Status, ?Values, ?Parameters, ?Expectations) is nondet.
get_sw(S,St,Vs,Ps,Es) :- '$sw_rows'(p,S,Rows,get_sw/5), '$each'(row(S,St,Vs,Ps,expected(Es)),Rows).

%% get_sw_a(?Info) is nondet.
get_sw_a(switch(S,St,Vs,As)) :- '$sw_rows'(a,S,Rows,get_sw_a/1), '$each'(row(S,St,Vs,As,_),Rows).
%% get_sw_a(?Switch:switch, ?Info) is nondet.
get_sw_a(S,[St,Vs,As]) :- '$sw_rows'(a,S,Rows,get_sw_a/2), '$each'(row(S,St,Vs,As,_),Rows).
%% get_sw_a(?Switch:switch, ?Status, ?Values, ?Alphas) is nondet.
get_sw_a(S,St,Vs,As) :- '$sw_rows'(a,S,Rows,get_sw_a/4), '$each'(row(S,St,Vs,As,_),Rows).
%% get_sw_a(?Switch:switch, ?Status, ?Values, ?Alphas, ?Expectations) is nondet.
get_sw_a(S,St,Vs,As,Es) :- '$sw_rows'(a,S,Rows,get_sw_a/5), '$each'(row(S,St,Vs,As,expected(Es)),Rows).

%% get_sw_d(?Info) is nondet.
get_sw_d(switch(S,St,Vs,Ds)) :- '$sw_rows'(d,S,Rows,get_sw_d/1), '$each'(row(S,St,Vs,Ds,_),Rows).
%% get_sw_d(?Switch:switch, ?Info) is nondet.
get_sw_d(S,[St,Vs,Ds]) :- '$sw_rows'(d,S,Rows,get_sw_d/2), '$each'(row(S,St,Vs,Ds,_),Rows).
%% get_sw_d(?Switch:switch, ?Status, ?Values, ?Counts) is nondet.
get_sw_d(S,St,Vs,Ds) :- '$sw_rows'(d,S,Rows,get_sw_d/4), '$each'(row(S,St,Vs,Ds,_),Rows).
%% get_sw_d(?Switch:switch, ?Status, ?Values, ?Counts, ?Expectations) is nondet.
get_sw_d(S,St,Vs,Ds,Es) :- '$sw_rows'(d,S,Rows,get_sw_d/5), '$each'(row(S,St,Vs,Ds,expected(Es)),Rows).

%% get_sw_pa(?Info) is nondet.
get_sw_pa(switch(S,St,Vs,Ps,As)) :- '$sw_rows'(pa,S,Rows,get_sw_pa/1), '$each'(row(S,St,Vs,Ps,As,_),Rows).
%% get_sw_pa(?Switch:switch, ?Info) is nondet.
get_sw_pa(S,[St,Vs,Ps,As]) :- '$sw_rows'(pa,S,Rows,get_sw_pa/2), '$each'(row(S,St,Vs,Ps,As,_),Rows).
%% get_sw_pa(?Switch:switch, ?Status, ?Values, ?Parameters, ?Alphas) is nondet.
get_sw_pa(S,St,Vs,Ps,As) :- '$sw_rows'(pa,S,Rows,get_sw_pa/5), '$each'(row(S,St,Vs,Ps,As,_),Rows).
%% get_sw_pa(?Switch:switch, ?Status, ?Values, ?Parameters, ?Alphas, ?Expectations) is nondet.
get_sw_pa(S,St,Vs,Ps,As,Es) :- '$sw_rows'(pa,S,Rows,get_sw_pa/6), '$each'(row(S,St,Vs,Ps,As,expected(Es)),Rows).

%% get_sw_pd(?Info) is nondet.
get_sw_pd(switch(S,St,Vs,Ps,Ds)) :- '$sw_rows'(pd,S,Rows,get_sw_pd/1), '$each'(row(S,St,Vs,Ps,Ds,_),Rows).
%% get_sw_pd(?Switch:switch, ?Info) is nondet.
get_sw_pd(S,[St,Vs,Ps,Ds]) :- '$sw_rows'(pd,S,Rows,get_sw_pd/2), '$each'(row(S,St,Vs,Ps,Ds,_),Rows).
%% get_sw_pd(?Switch:switch, ?Status, ?Values, ?Parameters, ?Counts) is nondet.
get_sw_pd(S,St,Vs,Ps,Ds) :- '$sw_rows'(pd,S,Rows,get_sw_pd/5), '$each'(row(S,St,Vs,Ps,Ds,_),Rows).
%% get_sw_pd(?Switch:switch, ?Status, ?Values, ?Parameters, ?Counts, ?Expectations) is nondet.
get_sw_pd(S,St,Vs,Ps,Ds,Es) :- '$sw_rows'(pd,S,Rows,get_sw_pd/6), '$each'(row(S,St,Vs,Ps,Ds,expected(Es)),Rows).

%% get_sw_h(?Info) is nondet.
get_sw_h(switch(S,St,Vs,Ds)) :- '$sw_rows'(d,S,Rows,get_sw_h/1), '$each'(row(S,St,Vs,Ds,_),Rows).
%% get_sw_h(?Switch:switch, ?Info) is nondet.
get_sw_h(S,[St,Vs,Ds]) :- '$sw_rows'(d,S,Rows,get_sw_h/2), '$each'(row(S,St,Vs,Ds,_),Rows).
%% get_sw_h(?Switch:switch, ?Status, ?Values, ?Counts) is nondet.
get_sw_h(S,St,Vs,Ds) :- '$sw_rows'(d,S,Rows,get_sw_h/4), '$each'(row(S,St,Vs,Ds,_),Rows).

%% get_sw_b(?Info) is nondet.
get_sw_b(switch(S,St,Vs,Ps,Ds)) :- '$sw_rows'(pd,S,Rows,get_sw_b/1), '$each'(row(S,St,Vs,Ps,Ds,_),Rows).
%% get_sw_b(?Switch:switch, ?Info) is nondet.
get_sw_b(S,[St,Vs,Ps,Ds]) :- '$sw_rows'(pd,S,Rows,get_sw_b/2), '$each'(row(S,St,Vs,Ps,Ds,_),Rows).
%% get_sw_b(?Switch:switch, ?Status, ?Values, ?Parameters, ?Counts) is nondet.
get_sw_b(S,St,Vs,Ps,Ds) :- '$sw_rows'(pd,S,Rows,get_sw_b/5), '$each'(row(S,St,Vs,Ps,Ds,_),Rows).

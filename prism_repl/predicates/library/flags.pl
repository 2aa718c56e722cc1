% Reading flags: one by name, or all on backtracking.

%% get_prism_flag(?Flag:flag, ?Value:flag_value) is nondet.
get_prism_flag(Flag,Value) :- '$prism_flags'(Flag,Pairs), '$each'(Flag-Value,Pairs).
%% current_prism_flag(?Flag:flag, ?Value:flag_value) is nondet.
current_prism_flag(Flag,Value) :- get_prism_flag(Flag,Value).

% '$each'(X,Xs): X is an element of Xs; leaves no choice point at the last one.
'$each'(X,[Y|Ys]) :- '$each'(Ys,Y,X).
'$each'([],X,X).
'$each'([_|_],X,X).
'$each'([Y|Ys],_,X) :- '$each'(Ys,Y,X).

%% disable_write_call is det.
disable_write_call :- set_prism_flag(write_call_events,off).

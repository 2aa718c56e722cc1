% Sampling: running the program forward, each msw drawing once.

%% msw(+Switch:switch, ?Value:outcome) is nondet, protected.

%% sample(+Goal) is nondet, protected.
sample(Goal) :- '$check_sample'(Goal,sample/1), '$sampled'(Goal).

% Where switches are thrown once (flag trials), a tabled goal is proved by tabling in the world that is drawn
% on the way, as its definition may run in circles.
'$sampled'(Goal) :- '$world_answers'(Goal,Answers), !, '$each'(Goal,Answers).
'$sampled'(Goal) :- call(Goal).

% A search does not explain samples: they are data, as a seed is.
'$one_sample'(Goal) :- '$sampling', !, once('$sampled'(Goal)).
'$one_sample'(Goal) :- '$sampled_apart'(Goal).

%% get_samples(+N:positive_integer!1203, +Goal, -Samples) is nondet.
get_samples(N,Goal,Samples) :-
    '$check_sample'(Goal,get_samples/3),
    '$samples'(N,Goal,Samples).

'$samples'(0,_,Samples) :- !, Samples = [].
'$samples'(N,Goal,[Sample|Samples]) :-
    copy_term(Goal,Sample), '$one_sample'(Sample), N1 is N-1, '$samples'(N1,Goal,Samples).

%% get_samples_c(+N, +Goal, -Samples) is nondet.
get_samples_c(N,Goal,Samples) :-
    '$samples_c'(N,Goal,true,Samples,Successes,Failures,get_samples_c/3),
    '$report_samples'(Successes,Failures).
%% get_samples_c(+N, +Goal, +Condition, -Samples) is nondet.
get_samples_c(N,Goal,Constraint,Samples) :-
    '$samples_c'(N,Goal,Constraint,Samples,Successes,Failures,get_samples_c/4),
    '$report_samples'(Successes,Failures).
%% get_samples_c(+N, +Goal, +Condition, -Samples, -Counts) is nondet.
get_samples_c(N,Goal,Constraint,Samples,[Successes,Failures]) :-
    '$samples_c'(N,Goal,Constraint,Samples,Successes,Failures,get_samples_c/5).

'$samples_c'(N,Goal,Constraint,Samples,Successes,Failures,By) :-
    '$trials_wanted'(N,Trials,Wanted,By),
    '$sampled_shown'(Goal,Sampled,Shown),
    '$check_sample'(Sampled,By), '$check_constraint'(Constraint,By),
    '$sample_c'(Trials,Wanted,t(Sampled,Constraint,Shown),Samples,0,Successes,0,Failures).

'$trials_wanted'(N,Trials,Wanted,By) :- nonvar(N), N = [Trials,Wanted], !,
    ( Trials == inf -> true ; '$check_trials'(Trials,By) ), '$check_samples'(Wanted,By).
'$trials_wanted'(N,N,inf,By) :- '$check_trials'(N,By).

'$sampled_shown'(Goal,Sampled,Shown) :- nonvar(Goal), Goal = [Sampled,Shown], !.
'$sampled_shown'(Goal,Goal,Goal).

'$sample_c'(0,_,_,Samples,S0,S,F0,F) :- !, Samples = [], S = S0, F = F0.
'$sample_c'(_,0,_,Samples,S0,S,F0,F) :- !, Samples = [], S = S0, F = F0.
'$sample_c'(Trials,Wanted,Trial,Samples,S0,S,F0,F) :-
    '$one_less'(Trials,Trials1),
    copy_term(Trial,t(Sampled,Constraint,Shown)),
    (   '$one_sample'(Sampled), once(Constraint)
    ->  Samples = [Shown|Samples1], S1 is S0+1, F1 = F0, '$one_less'(Wanted,Wanted1)
    ;   Samples = Samples1, S1 = S0, F1 is F0+1, Wanted1 = Wanted
    ),
    '$sample_c'(Trials1,Wanted1,Trial,Samples1,S1,S,F1,F).

'$one_less'(inf,inf) :- !.
'$one_less'(N,M) :- M is N-1.

% soft_msw draws again among the other outcomes when it is backtracked into. In an explanation
% search it is msw.
%% soft_msw(+Switch:switch, ?Value:outcome) is nondet, protected.
soft_msw(Switch,Value) :- '$sampling', '$thrown_once', !, msw(Switch,Value).
soft_msw(Switch,Value) :- '$sampling', !, '$candidates'(Switch,Pairs), '$soft_msw'(Pairs,Value).
soft_msw(Switch,Value) :- msw(Switch,Value).
'$soft_msw'(Pairs,Value) :-
    '$draw_candidate'(Pairs,Drawn,Left),
    ( Value = Drawn ; '$soft_msw'(Left,Value) ).
%% b_msw(+Switch:switch, ?Value:outcome) is nondet, protected.
b_msw(Switch,Value) :- soft_msw(Switch,Value).

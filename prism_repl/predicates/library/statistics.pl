% Statistics by name: one that is named, or all on backtracking.

%% graph_statistics(?Name, ?Value) is nondet.
graph_statistics(Name,Value) :- '$statistics'(graph,Name,Pairs), '$each'(Name-Value,Pairs).
%% learn_statistics(?Name, ?Value) is nondet.
learn_statistics(Name,Value) :- '$statistics'(learn,Name,Pairs), '$each'(Name-Value,Pairs).
%% infer_statistics(?Name, ?Value) is nondet.
infer_statistics(Name,Value) :- '$statistics'(infer,Name,Pairs), '$each'(Name-Value,Pairs).
%% mcmc_statistics(?Name, ?Value) is nondet.
mcmc_statistics(Name,Value)  :- '$statistics'(mcmc,Name,Pairs),  '$each'(Name-Value,Pairs).
%% prism_statistics(?Name, ?Value) is nondet.
prism_statistics(Name,Value) :- '$statistics'(prism,Name,Pairs), '$each'(Name-Value,Pairs).

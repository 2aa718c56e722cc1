% The loaded program.

%% show_prob_pred is det.
show_prob_pred :- show_prob_preds.
%% show_tabled_pred is det.
show_tabled_pred :- show_tabled_preds.
%% show_table_pred is det.
show_table_pred :- show_tabled_preds.
%% show_table_preds is det.
show_table_preds :- show_tabled_preds.

%% is_prob_pred(?Indicator:indicator) is nondet.
is_prob_pred(PI) :- '$prob_preds'(L), member(PI,L).
%% is_prob_pred(?Name, ?Arity) is nondet.
is_prob_pred(N,A) :- is_prob_pred(N/A).
%% is_tabled_pred(?Indicator:indicator) is nondet.
is_tabled_pred(PI) :- '$tabled_preds'(L), member(PI,L).
%% is_tabled_pred(?Name, ?Arity) is nondet.
is_tabled_pred(N,A) :- is_tabled_pred(N/A).

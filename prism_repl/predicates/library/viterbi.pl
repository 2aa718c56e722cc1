% n_viterbig: the instances of a goal from the most probable explanation downwards, on backtracking.

%% n_viterbig(+N, +Goal) is nondet.
n_viterbig(N,G)         :- ground(G), !, '$n_viterbig'(N,G).
n_viterbig(N,G)         :- '$n_viterbig_2'(N,G,L), '$each'(v_expl(G,_,_),L).
%% n_viterbig(+N, +Goal, -P) is nondet.
n_viterbig(N,G,P)       :- '$n_viterbig_3'(N,G,L), '$each'(v_expl(G,P,_),L).
%% n_viterbig(+N, +Goal, -P, -Explanation) is nondet.
n_viterbig(N,G,P,E)     :- '$n_viterbig_4'(N,G,L), '$each'(v_expl(G,P,E),L).

%% n_viterbig_p(+N, +Goal) is nondet.
n_viterbig_p(N,G)       :- ground(G), !, '$n_viterbig_p'(N,G).
n_viterbig_p(N,G)       :- '$n_viterbig_p_2'(N,G,L), '$each'(v_expl(G,_,_),L).
%% n_viterbig_p(+N, +Goal, -P) is nondet.
n_viterbig_p(N,G,P)     :- '$n_viterbig_p_3'(N,G,L), '$each'(v_expl(G,P,_),L).
%% n_viterbig_p(+N, +Goal, -P, -Explanation) is nondet.
n_viterbig_p(N,G,P,E)   :- '$n_viterbig_p_4'(N,G,L), '$each'(v_expl(G,P,E),L).

%% n_viterbig_h(+N, +Goal) is nondet.
n_viterbig_h(N,G)       :- ground(G), !, '$n_viterbig_h'(N,G).
n_viterbig_h(N,G)       :- '$n_viterbig_h_2'(N,G,L), '$each'(v_expl(G,_,_),L).
%% n_viterbig_h(+N, +Goal, -P) is nondet.
n_viterbig_h(N,G,P)     :- '$n_viterbig_h_3'(N,G,L), '$each'(v_expl(G,P,_),L).
%% n_viterbig_h(+N, +Goal, -P, -Explanation) is nondet.
n_viterbig_h(N,G,P,E)   :- '$n_viterbig_h_4'(N,G,L), '$each'(v_expl(G,P,E),L).

%% n_lin_viterbig(+N, +Goal) is nondet.
n_lin_viterbig(N,G)     :- ground(G), !, '$n_lin_viterbig'(N,G).
n_lin_viterbig(N,G)     :- '$n_lin_viterbig_2'(N,G,L), '$each'(v_expl(G,_,_),L).
%% n_lin_viterbig(+N, +Goal, -P) is nondet.
n_lin_viterbig(N,G,P)   :- '$n_lin_viterbig_3'(N,G,L), '$each'(v_expl(G,P,_),L).
%% n_lin_viterbig(+N, +Goal, -P, -Explanation) is nondet.
n_lin_viterbig(N,G,P,E) :- '$n_lin_viterbig_4'(N,G,L), '$each'(v_expl(G,P,E),L).

%% n_nonlin_viterbig(+N, +Goal) is nondet.
n_nonlin_viterbig(N,G)     :- ground(G), !, '$n_nonlin_viterbig'(N,G).
n_nonlin_viterbig(N,G)     :- '$n_nonlin_viterbig_2'(N,G,L), '$each'(v_expl(G,_,_),L).
%% n_nonlin_viterbig(+N, +Goal, -P) is nondet.
n_nonlin_viterbig(N,G,P)   :- '$n_nonlin_viterbig_3'(N,G,L), '$each'(v_expl(G,P,_),L).
%% n_nonlin_viterbig(+N, +Goal, -P, -Explanation) is nondet.
n_nonlin_viterbig(N,G,P,E) :- '$n_nonlin_viterbig_4'(N,G,L), '$each'(v_expl(G,P,E),L).

%% n_cyc_viterbig(+N, +Goal) is nondet.
n_cyc_viterbig(N,G)     :- ground(G), !, '$n_cyc_viterbig'(N,G).
n_cyc_viterbig(N,G)     :- '$n_cyc_viterbig_2'(N,G,L), '$each'(v_expl(G,_,_),L).
%% n_cyc_viterbig(+N, +Goal, -P) is nondet.
n_cyc_viterbig(N,G,P)   :- '$n_cyc_viterbig_3'(N,G,L), '$each'(v_expl(G,P,_),L).
%% n_cyc_viterbig(+N, +Goal, -P, -Explanation) is nondet.
n_cyc_viterbig(N,G,P,E) :- '$n_cyc_viterbig_4'(N,G,L), '$each'(v_expl(G,P,E),L).

%% n_cyc_viterbig_p(+N, +Goal) is nondet.
n_cyc_viterbig_p(N,G)     :- ground(G), !, '$n_cyc_viterbig_p'(N,G).
n_cyc_viterbig_p(N,G)     :- '$n_cyc_viterbig_p_2'(N,G,L), '$each'(v_expl(G,_,_),L).
%% n_cyc_viterbig_p(+N, +Goal, -P) is nondet.
n_cyc_viterbig_p(N,G,P)   :- '$n_cyc_viterbig_p_3'(N,G,L), '$each'(v_expl(G,P,_),L).
%% n_cyc_viterbig_p(+N, +Goal, -P, -Explanation) is nondet.
n_cyc_viterbig_p(N,G,P,E) :- '$n_cyc_viterbig_p_4'(N,G,L), '$each'(v_expl(G,P,E),L).

%% n_cyc_viterbig_h(+N, +Goal) is nondet.
n_cyc_viterbig_h(N,G)     :- ground(G), !, '$n_cyc_viterbig_h'(N,G).
n_cyc_viterbig_h(N,G)     :- '$n_cyc_viterbig_h_2'(N,G,L), '$each'(v_expl(G,_,_),L).
%% n_cyc_viterbig_h(+N, +Goal, -P) is nondet.
n_cyc_viterbig_h(N,G,P)   :- '$n_cyc_viterbig_h_3'(N,G,L), '$each'(v_expl(G,P,_),L).
%% n_cyc_viterbig_h(+N, +Goal, -P, -Explanation) is nondet.
n_cyc_viterbig_h(N,G,P,E) :- '$n_cyc_viterbig_h_4'(N,G,L), '$each'(v_expl(G,P,E),L).

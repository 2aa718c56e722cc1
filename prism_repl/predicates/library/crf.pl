% n_crf_viterbig: the instances of a goal from the explanation with the greatest weight downwards, on backtracking.

%% n_crf_viterbig(+N, +Goal) is nondet.
n_crf_viterbig(N,G)         :- ground(G), !, '$n_crf_viterbig'(N,G).
n_crf_viterbig(N,G)         :- '$n_crf_viterbig_2'(N,G,L), '$each'(v_expl(G,_,_),L).
%% n_crf_viterbig(+N, +Goal, -LogWeight) is nondet.
n_crf_viterbig(N,G,P)       :- '$n_crf_viterbig_3'(N,G,L), '$each'(v_expl(G,P,_),L).
%% n_crf_viterbig(+N, +Goal, -LogWeight, -Explanation) is nondet.
n_crf_viterbig(N,G,P,E)     :- '$n_crf_viterbig_4'(N,G,L), '$each'(v_expl(G,P,E),L).

%% n_crf_viterbig_p(+N, +Goal) is nondet.
n_crf_viterbig_p(N,G)       :- ground(G), !, '$n_crf_viterbig_p'(N,G).
n_crf_viterbig_p(N,G)       :- '$n_crf_viterbig_p_2'(N,G,L), '$each'(v_expl(G,_,_),L).
%% n_crf_viterbig_p(+N, +Goal, -LogWeight) is nondet.
n_crf_viterbig_p(N,G,P)     :- '$n_crf_viterbig_p_3'(N,G,L), '$each'(v_expl(G,P,_),L).
%% n_crf_viterbig_p(+N, +Goal, -LogWeight, -Explanation) is nondet.
n_crf_viterbig_p(N,G,P,E)   :- '$n_crf_viterbig_p_4'(N,G,L), '$each'(v_expl(G,P,E),L).

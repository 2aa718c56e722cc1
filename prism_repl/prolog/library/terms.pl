% Terms.

% The argument number may be unbound (not in the standard): all arguments are tried.
arg(N,T,A) :- var(N), !, '$arity'(T,K), '$between_up'(1,K,N), '$arg'(N,T,A).
arg(N,T,A) :- '$arg'(N,T,A).

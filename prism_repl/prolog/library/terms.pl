% Terms.

% A copy in which '$VAR'(N) is a variable again, the same for the same N.
%% unnumber_vars(+Term, -Copy) is semidet.
unnumber_vars(T,U) :- '$unnumbered'(T,U,_).

'$unnumbered'(T,U,_) :- var(T), !, U = T.
'$unnumbered'('$VAR'(N),V,Variables) :- integer(N), !, '$memberchk'(N-V,Variables).
'$unnumbered'(T,U,Variables) :- compound(T), !, functor(T,N,K), functor(U,N,K), '$unnumbered'(1,K,T,U,Variables).
'$unnumbered'(T,T,_).

'$unnumbered'(I,K,T,U,Variables) :-
    arg(I,T,A), arg(I,U,B),
    ( I =:= K -> '$unnumbered'(A,B,Variables)
    ; '$unnumbered'(A,B,Variables), I1 is I+1, '$unnumbered'(I1,K,T,U,Variables)
    ).

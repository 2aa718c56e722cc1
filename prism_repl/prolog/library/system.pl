% Flags, operators, streams, time.

%% current_op(?Priority, ?Type, ?Name) is nondet, protected.
current_op(P,T,N) :- '$ops'(P,T,N,L), '$member'(op(P,T,N),L).

%% current_prolog_flag(?Flag, ?Value) is nondet, protected.
current_prolog_flag(F,V) :- '$flags'(F,L), '$member'(F-V,L).

%% stream_property(?Stream, ?Property) is nondet.
stream_property(S,P) :-
    '$check_stream_property'(S,P),
    '$streams'(L),
    '$member'(S,L),
    '$stream_properties'(S,Ps),
    '$member'(P,Ps).

%% file_property(+File:file, ?Property) is nondet.
file_property(F,P) :- '$file_properties'(F,Ps), '$member'(P,Ps).

%% current_stream(?File, ?Mode, ?Stream) is nondet.
current_stream(F,M,S) :- '$streams'(L), '$member'(S,L), '$stream_properties'(S,Ps), '$member'(mode(M),Ps), '$member'(file_name(F),Ps).

%% with_output_to(+Sink, :Goal) is semidet.
with_output_to(Sink,G) :-
    '$capture_output'(Sink),
    ( catch(G,E,('$captured_output'([]), throw(E))) -> '$captured_output'(Sink)
    ; '$captured_output'([]), fail ).

%% time(:Goal) is semidet.
time(G) :-
    statistics(walltime,[W0,_]), statistics(cputime,C0),
    ( call(G) -> Done = true ; Done = fail ),
    statistics(walltime,[W1,_]), statistics(cputime,C1),
    W is W1-W0, C is C1-C0,
    format("CPU time ~w ms, elapsed ~w ms~n",[C,W]),
    Done == true.

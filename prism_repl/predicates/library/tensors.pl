% Arrays from the solutions of a goal. The format is checked before the goal is run.

%% save_embedding_from_pattern(?Vars, :Goal, +Target, +Base) is nondet.
save_embedding_from_pattern(Vars,Goal,Target,Base) :-
    findall(Vars-1.0,Goal,Tuples),
    '$save_embedding'(Tuples,Target,Base,hdf5,on,save_embedding_from_pattern/4).
%% save_embedding_from_pattern(?Vars, :Goal, +Target, +Base, +Mode) is nondet.
save_embedding_from_pattern(Vars,Goal,Target,Base,Mode) :-
    '$embedding_format'(Mode,save_embedding_from_pattern/5),
    findall(Vars-1.0,Goal,Tuples),
    '$save_embedding'(Tuples,Target,Base,Mode,on,save_embedding_from_pattern/5).

%% save_embedding_from_pattern_with_value(?Vars, ?Value, :Goal, +Target, +Base) is nondet.
save_embedding_from_pattern_with_value(Vars,Value,Goal,Target,Base) :-
    findall(Vars-Value,Goal,Tuples),
    '$save_embedding'(Tuples,Target,Base,hdf5,off,save_embedding_from_pattern_with_value/5).
%% save_embedding_from_pattern_with_value(?Vars, ?Value, :Goal, +Target, +Base, +Mode) is nondet.
save_embedding_from_pattern_with_value(Vars,Value,Goal,Target,Base,Mode) :-
    '$embedding_format'(Mode,save_embedding_from_pattern_with_value/6),
    findall(Vars-Value,Goal,Tuples),
    '$save_embedding'(Tuples,Target,Base,Mode,off,save_embedding_from_pattern_with_value/6).

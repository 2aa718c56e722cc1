% write_call and the ?? operators: call a goal and print what happens to it.

write_call(Goal) :- write_call([],Goal).
write_call(Options,Goal) :- '$watch_lines'(Options,Goal,Lines), '$watch'(Lines,Goal).

??(Goal) :- write_call([],Goal).
??*(Goal) :- write_call([all],Goal).
??>(Goal) :- write_call([call],Goal).
??<(Goal) :- write_call([exit+fail],Goal).
??+(Goal) :- write_call([exit],Goal).
??-(Goal) :- write_call([fail],Goal).

% Lines is off, or a list of Event-Beginning for the events to print.
'$watch'(off,Goal) :- !, call(Goal).
'$watch'(Lines,Goal) :- '$event'(call,Lines,Goal), '$watched'(Lines,Goal).

'$watched'(Lines,Goal) :- call(Goal), '$left'(Lines,Goal).
'$watched'(Lines,Goal) :- '$event'(fail,Lines,Goal), fail.

'$left'(Lines,Goal) :- '$event'(exit,Lines,Goal).
'$left'(Lines,Goal) :- '$event'(redo,Lines,Goal), fail.

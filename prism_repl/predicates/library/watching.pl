% write_call and the ?? operators: call a goal and print what happens to it.

%% write_call(:Goal) is nondet.
write_call(Goal) :- '$write_call'([],Goal,write_call/1).
%% write_call(+Options:options, :Goal) is nondet.
write_call(Options,Goal) :- '$write_call'(Options,Goal,write_call/2).
'$write_call'(Options,Goal,By) :- '$watch_lines'(Options,Goal,Lines,By), '$watch'(Lines,Goal).

%% ??(:Goal) is nondet.
??(Goal) :- '$write_call'([],Goal,(??)/1).
%% ??*(:Goal) is nondet.
??*(Goal) :- '$write_call'([all],Goal,(??*)/1).
%% ??>(:Goal) is nondet.
??>(Goal) :- '$write_call'([call],Goal,(??>)/1).
%% ??<(:Goal) is nondet.
??<(Goal) :- '$write_call'([exit+fail],Goal,(??<)/1).
%% ??+(:Goal) is nondet.
??+(Goal) :- '$write_call'([exit],Goal,(??+)/1).
%% ??-(:Goal) is nondet.
??-(Goal) :- '$write_call'([fail],Goal,(??-)/1).

% Lines is off, or a list of Event-Beginning for the events to print.
'$watch'(off,Goal) :- !, call(Goal).
'$watch'(Lines,Goal) :- '$event'(call,Lines,Goal), '$watched'(Lines,Goal).

'$watched'(Lines,Goal) :- call(Goal), '$left'(Lines,Goal).
'$watched'(Lines,Goal) :- '$event'(fail,Lines,Goal), fail.

'$left'(Lines,Goal) :- '$event'(exit,Lines,Goal).
'$left'(Lines,Goal) :- '$event'(redo,Lines,Goal), fail.

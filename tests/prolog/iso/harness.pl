% Runs the examples of the ISO standard that stand in the .txt files beside this file.
% Written in ISO Prolog, so that any system can be tried; see tests/prolog/test_iso.py for the format.
%
% run_jobs(File): File holds terms job(Number, Kind, Text, Scratch), where Text is a file with the example and
% Scratch the name of a file that may be written. For each job a line @Number Result is printed.

:- op(1200, xfx, =>).

:- dynamic(solution/1).
:- dynamic(ended/1).
:- dynamic(scratch/1).

run_jobs(File) :-
    open(File, read, S),
    next_job(S),
    close(S).

next_job(S) :-
    read(S, Job),
    ( Job == end_of_file -> true ; run_job(Job), next_job(S) ).

run_job(job(N, Kind, Text, Scratch)) :-
    retractall(scratch(_)),
    assertz(scratch(Scratch)),
    ( catch(outcome(Kind, Text, R), Ball, R = harness(Ball)) -> true ; R = harness(failed) ),
    nl, write('@'), write(N), write(' '), writeq(R), nl.

% ---- an example `Goal => Outcome.`, or a directive that prepares the next ones

outcome(example, Text, R) :-
    open(Text, read, S),
    catch(read_term(S, T, [variable_names(Vs)]), Ball, true),
    close(S),
    ( nonvar(Ball) -> R = unreadable(Ball)
    ; T = (:- G) -> ( call(G) -> R = ok ; R = failed )
    ; T = deviation(E, _, _) -> example(E, Vs, R)
    ; example(T, Vs, R)
    ).
% ---- a text of the syntax table: read it, run it, tell what it printed
outcome(syntax, Text, R) :-
    open(Text, read, S),
    catch(read(S, G), Ball, true),
    close(S),
    ( nonvar(Ball) -> error_result(Ball, R)
    ; G == end_of_file -> R = end_of_file
    ; observe(G, [], got(Solutions, End, Output)),
      ( Solutions = [_|_] -> atom_codes(Output, Codes), R = printed(Codes)
      ; End == fail -> R = fails
      ; error_result(End, R)
      )
    ).

error_result(Ball, R) :-
    ( nonvar(Ball), Ball = error(F, _) -> R = raised(F) ; R = thrown(Ball) ).

example((G => E), Vs, R) :-
    named(Vs, Named),
    values(Named, Values),
    observe(G, Values, Got),
    ( agrees(E, Named, Got) -> R = ok ; R = Got ).

% Variables that begin with an underscore are not looked at.
named([], []).
named([Name=V|Vs], Named) :-
    ( sub_atom(Name, 0, 1, _, '_') -> Named = Rest ; Named = [Name=V|Rest] ),
    named(Vs, Rest).

values([], []).
values([_=V|Vs], [V|Values]) :- values(Vs, Values).

% ---- running a goal: got(Solutions, End, Output), End is fail, more, or the ball

observe(G, Values, got(Solutions, End, Output)) :-
    retractall(solution(_)),
    retractall(ended(_)),
    scratch(File),
    open(File, write, S),
    current_output(Old),
    current_input(OldInput),
    set_output(S),
    catch(collect(G, Values), Ball, assertz(ended(Ball))),
    set_output(Old),
    set_input(OldInput),
    catch(close(S), _, true),
    findall(V, solution(V), Solutions),
    ended(End), !,
    text_of(File, Output).

collect(G, Values) :-
    call(G),
    assertz(solution(Values)),
    findall(x, solution(_), [_,_,_,_,_,_,_,_|_]),
    !,
    assertz(ended(more)).
collect(_, _) :- assertz(ended(fail)).

text_of(File, Text) :-
    open(File, read, S),
    rest_of(S, Chars),
    close(S),
    atom_chars(Text, Chars).

rest_of(S, Chars) :-
    get_char(S, C),
    ( C == end_of_file -> Chars = [] ; Chars = [C|Cs], rest_of(S, Cs) ).

% ---- does what was seen agree with what was expected?

agrees(fails, _, got([], fail, _)) :- !.
agrees(succeeds, _, got([_|_], _, _)) :- !.
agrees(prints(Text), _, got([_|_], _, Text)) :- !.
agrees(prints(_), _, _) :- !, fail.
agrees(prints(Text, E), Named, got(Solutions, End, Text)) :- !, agrees(E, Named, got(Solutions, End, Text)).
agrees(either(A, B), Named, Got) :- !, ( agrees(A, Named, Got) -> true ; agrees(B, Named, Got) ).
agrees(throws(E), _, got([], Ball, _)) :- !, instance_of(Ball, E).
agrees(E, _, got(Solutions, End, _)) :- error_term(E), !, Solutions = [], nonvar(End), End = error(F, _), instance_of(F, E).
agrees(E, Named, got(Solutions, End, _)) :- solutions(E, Named, Solutions, End).

error_term(instantiation_error).
error_term(uninstantiation_error(_)).
error_term(type_error(_, _)).
error_term(domain_error(_, _)).
error_term(existence_error(_, _)).
error_term(permission_error(_, _, _)).
error_term(representation_error(_)).
error_term(evaluation_error(_)).
error_term(resource_error(_)).
error_term(syntax_error(_)).

solutions((E ; Es), Named, [V|Vs], End) :- !, solution(E, Named, V), solutions(Es, Named, Vs, End).
solutions(more, _, _, _) :- !.
solutions(E, Named, [V], fail) :- solution(E, Named, V).

% The values are those of the equations E, up to the names of variables.
solution(E, Named, Values) :-
    copy_term(E-Named, E1-Named1),
    equations(E1),
    values(Named1, Expected),
    variant(Expected, Values).

equations(true).
equations((A, B)) :- equations(A), equations(B).
equations(X = X).

variant(A, B) :- \+ \+ ( copy_term(A, A1), copy_term(B, B1), label(A1), label(B1), A1 == B1 ).

label(T) :- term_variables(T, Vs), label(Vs, 0).

label([], _).
label(['$V'(N)|Vs], N) :- N1 is N+1, label(Vs, N1).

% A variable in what is expected stands for anything.
instance_of(T, General) :- \+ \+ ( copy_term(T, T1), label(T1), T1 = General ).

% ---- for the examples on streams

% input(Text, Goal): Goal reads from a text stream with this text as its current input.
input(Text, G) :- with_input(Text, [], G).

% input_bytes(Bytes, Goal): the same with a binary stream.
input_bytes(Bytes, G) :-
    input_file(File),
    open(File, write, S, [type(binary)]),
    put_all_bytes(Bytes, S),
    close(S),
    from_file(File, [type(binary)], G).

with_input(Text, Options, G) :-
    input_file(File),
    open(File, write, S),
    write(S, Text),
    close(S),
    from_file(File, Options, G).

from_file(File, Options, G) :-
    current_input(Old),
    open(File, read, S, Options),
    set_input(S),
    ( catch(G, Ball, true) -> true ; Ball = '$failed' ),
    set_input(Old),
    catch(close(S), _, true),
    ( var(Ball) -> true ; Ball == '$failed' -> fail ; throw(Ball) ).

input_file(File) :- scratch(Scratch), atom_concat(Scratch, '.in', File).

put_all_bytes([], _).
put_all_bytes([B|Bs], S) :- put_byte(S, B), put_all_bytes(Bs, S).

% rest(Text): what is left of the current input.
rest(Text) :- current_input(S), rest_of(S, Chars), atom_chars(Text, Chars).

% output_bytes(Goal, Bytes): Goal writes to a binary stream; what it wrote.
output_bytes(G, Bytes) :-
    input_file(File),
    current_output(Old),
    open(File, write, S, [type(binary)]),
    set_output(S),
    ( catch(G, Ball, true) -> true ; Ball = '$failed' ),
    set_output(Old),
    close(S),
    ( var(Ball) -> true ; Ball == '$failed' -> fail ; throw(Ball) ),
    open(File, read, R, [type(binary)]),
    all_bytes(R, Bytes),
    close(R).

all_bytes(S, Bytes) :-
    get_byte(S, B),
    ( B =:= -1 -> Bytes = [] ; Bytes = [B|Bs], all_bytes(S, Bs) ).

% ---- a program for the examples of 7.8, 8.8 and 8.9

:- dynamic(cat/0).
cat.

:- dynamic(dog/0).
dog :- true.

elk(X) :- moose(X).

:- dynamic(legs/2).
legs(A, 6) :- insect(A).
legs(A, 7) :- A, call(A).

:- dynamic(insect/1).
insect(ant).
insect(bee).

:- dynamic(body/2).
body(A, B) :- call(A), call(B).

:- dynamic(unicorn/1).

:- dynamic(moose/1).

:- dynamic(count/1).

a(1).
a(2).

b(1, c).
b(2, d).

ops(X) :- a(X), !.
ops(9).

twice(!) :- write('C ').
twice(true) :- write('Moss ').

goal((twice(_), !)).
goal(write('Three ')).

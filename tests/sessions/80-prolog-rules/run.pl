:- run.
run :- write(ran), nl.

"""Random goals: every predicate that the system has, with odd arguments.

    python -m tests.support.fuzz FIRST COUNT

asks the goals with these numbers in one session. The number and the text of each are printed before it is
asked, so that after a crash the last line tells which one it was. Terms are cyclic, deep, shared, huge, or
just of the wrong kind. Meant for checked builds (tests/checked_build.sh), for as long as one likes.
"""

import random
import re
import sys
import tempfile

from prism_repl import Session
from prism_repl.core.errors import PrologHalt
from prism_repl.flags import TABLE

SECONDS = 5.0  # for one goal

# What leaves the session, waits for input, or changes files.
LEFT_OUT = set(
    """
    halt abort shell system open close tell see append told seen delete_file rename_file make_directory
    delete_directory cd chdir working_directory read read_term get get0 get_char get_code get_byte peek_char
    peek_code peek_byte skip sleep save_sw save_sw_a save_sw_d save_sw_pa save_sw_pd save_clauses write_csv
    load_csv prism prismn prismn_opt consult load reconsult upprism cl compile ensure_loaded include edit
    spy
    trace notrace nospy debug nodebug set_prolog_flag statistics repl_history listing write_call tmpfile
    prolog
    restore_sw save_checkpoint run_jobs help copy_file setenv unsetenv set_input set_output export_graph
    show_graph show_tree
    plot picture readline set_stream fo_trace abolish set_prism_flag reset_prism_flags
    op
    """.split()
)

PROGRAM = """
values(c,[h,t]). values(d(_),[a,b,f(_)]). values(e,[x,y,z]).
:- table path(+,+,min), best(_,max).
p(X) :- msw(c,X). q(X,Y) :- msw(d(X),Y), p(_). r(0) :- p(h). r(N) :- N > 0, M is N-1, msw(c,_), r(M).
hmm([]). hmm([O|R]) :- msw(e,O), hmm(R).
s(L,R) :- msw(c,h), w(L,R). s(L,R) :- msw(c,t), s(L,M), w(M,R). w([O|R],R) :- msw(e,O).
loop(X) :- msw(e,x), X = 0. loop(X) :- msw(e,y), loop(X). loop(X) :- msw(e,z), loop(Y), loop(X), Y = X.
even(z). even(s(X)) :- msw(c,_), odd(X). odd(s(X)) :- even(X), \\+ edge(X,b).
path(X,Y,1) :- edge(X,Y). path(X,Z,N) :- path(X,Y,M), edge(Y,Z), N is M + 1.
best(X,Y) :- member(X-Y,[a-1,a-f(_),b-2]).
edge(a,b). edge(b,c). edge(c,a). edge(_,d).
deep_(N,T,U) :- N > 0, !, M is N-1, deep_(M,f(T),U). deep_(_,T,T).
shared_(N,T,U) :- N > 0, !, M is N-1, shared_(M,g(T,T),U). shared_(_,T,T).
frozen_(N,[X|R]) :- N > 0, !, freeze(X,true), dif(X,a), put_attr(X,m,R), M is N-1, frozen_(M,R).
frozen_(_,[]).
"""
# What the arguments are: named terms that are built before the call, and small ones.
BUILT = {
    "Deep": "deep_(D_,z,Deep)",
    "Long": "numlist(1,D_,Long)",
    "Shared": "shared_(60,_,Shared)",
    "Cyclic": "Cyclic = c(Cyclic,_)",
    "CyclicList": "CyclicList = [a|CyclicList]",
    "Big": "Big is 7 ** 4000",
    "Wide": "functor(Wide,w,3000)",
    "Open": "length(O_,20), append(O_,_,Open)",
    "Chars": "numlist(97,122,N_), atom_codes(Chars,N_)",
    "Frozen": "frozen_(5,Frozen)",
    "Waiting": "when((nonvar(Waiting);ground(W_)),W_ = b)",
    "Word": "length(Word,50), maplist(=(x),Word)",
}
SMALL = r"""
a [] 0 1 -1 2 3.5 -0.0 1.0e308 inf "text" 'A-b' f(X) f(X,Y) [a,b] [X|Y] [1-a,2-b] X Y _ p(h) q(a,Y) r(3) c
d(1) msw(c,h) foo/2 p/1 (a:-b) (a,b) (a;b) (a->b) \+a ! {x} '$VAR'(1) -(-(1)) 1-2 x=1 [h] [[]] ['x'|y]
user_output [p(h),p(t)] 9223372036854775807 -9223372036854775808 1152921504606846976 18446744073709551616
1000000 '' '\n' [0.5,0.5] [1,2] end_of_file 2+a 1/0 foo(bar) [quoted(true)] "~w~a~d" '~p' [X]>>true true
fail throw(x) call(X) integer(3) [97,98] ['1','2']
""".split()
# What probabilistic predicates are asked mostly, and which those are; flags, so that these work in all ways.
GOALS = """
p(h) p(X) q(a,Y) q(X,Y) r(3) r(300) hmm([x,y,z]) hmm(Word) hmm([_,_]) s([x,y,x],[]) s([x,y],R) s(Word,[])
loop(0) loop(X) even(s(s(z))) odd(s(z)) path(a,X,N) path(X,d,N) best(a,X) msw(c,h) msw(e,X) (p(h),p(t))
\\+p(h) none(1) [p(h),p(t)] [hmm([x]),hmm([y,z])] [p(h),count(hmm([x,x]),3)] [loop(0)] [prob(p(h),0.3)]
[p(h)>p(t),q(a,b)>q(a,a)] [p(h),p(t),p(h)] c e d(1)
""".split()
PROBABILISTIC = re.compile(
    r"prob|viterbi|learn|hindsight|mcmc|marg|rank|sample|_sw|_scc|solve_lin|foc|expl_graph|placeholder|embedding"
    r"|values|table|statistics"
)
FLAG_NUMBERS = ["0", "1", "2", "5", "0.5", "1.5", "-1"]


def setting(chance: random.Random) -> str:
    """A goal that sets one of PRISM's flags, mostly to a value that it takes."""
    flag = chance.choice(TABLE)
    words = [word for word in flag.kind.text.split(", ") if word.isidentifier()]
    return f"catch(set_prism_flag({flag.name},{chance.choice(words + FLAG_NUMBERS)}),_,true)"


class Goals:
    def __init__(self, names: list[tuple[str, int]]) -> None:
        self.names = sorted(n for n in names if n[0] not in LEFT_OUT and not n[0].startswith("$"))
        self.internal = sorted(n for n in names if n[0].startswith("$"))
        self.probabilistic = [n for n in self.names if PROBABILISTIC.search(n[0])]

    def goal(self, seed: int) -> str:
        chance = random.Random(seed)
        used: set[str] = set()
        names, share_of_goals = chance.choice(
            [(self.names, 0.05), (self.names, 0.05), (self.probabilistic, 0.6), (self.probabilistic, 0.6)]
            + [(self.internal, 0.2)]
        )

        def argument() -> str:
            if chance.random() < share_of_goals:
                goal = chance.choice(GOALS)
                used.update({"Word"} if "Word" in goal else ())
                return goal
            if chance.random() < 0.3:
                name = chance.choice(list(BUILT))
                used.add(name)
                return name
            if chance.random() < 0.15:
                return f"f({argument()},{argument()})"
            return chance.choice(SMALL)

        calls = []
        if names is self.probabilistic and chance.random() < 0.5:
            calls.append(setting(chance))
        for _ in range(chance.choice([1, 1, 1, 2, 3])):
            name, arity = chance.choice(names)
            arguments = ",".join(argument() for _ in range(arity))
            quoted = "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"
            call = f"{quoted}({arguments})" if arity else quoted
            calls.append(
                chance.choice(["{}", "{}", "findall(x,{},_)", "catch({},_,true)", "\\+ {}"]).format(call)
            )
        depth = chance.choice([3, 100, 5000, 200000 if chance.random() < 0.2 else 1000])
        first = [f"D_ = {depth}"] + [BUILT[name] for name in sorted(used)]
        return ", ".join(first + calls)


def ask(session: Session, goal: str) -> str:
    try:
        for answer in session.ask(goal, timeout=SECONDS):
            if answer.cause is not None and "'$" not in goal:  # internal predicates need not check
                raise AssertionError(f"a defect: {answer.message}") from answer.cause
            return answer.message or answer.status
    except PrologHalt:
        return "halt"
    except KeyboardInterrupt as interrupt:
        return f"interrupted {interrupt}"
    return "nothing"


def names_of(session: Session) -> list[tuple[str, int]]:
    from prism_repl.prolog.builtins.registry import BUILTINS

    names = set(BUILTINS)
    answers = session.ask("findall(N/A,(predicate_property(H,built_in), functor(H,N,A)),L)")
    for answer in answers:
        if "L" in answer:
            names |= {(str(item.args[0]), int(item.args[1])) for item in answer["L"]}
    return sorted(names)


def main() -> None:
    first, count = map(int, sys.argv[1:3])
    session = None
    for seed in range(first, first + count):
        if session is None or seed % 50 == 0:
            session = Session(output=lambda text: None, read_line=lambda: "")
            with tempfile.NamedTemporaryFile("w", suffix=".psm") as file:
                file.write(PROGRAM)
                file.flush()
                assert ask(session, f"prism('{file.name}')") == "yes"
            goals = Goals(names_of(session))
        goal = goals.goal(seed)
        print(seed, goal[:1500], flush=True)
        ask(session, goal)
        assert ask(session, "X = f(Y), atom_length(abc,3)") == "yes", "the session is not usable"
    print("done", len(goals.names), "predicates")


if __name__ == "__main__":
    main()

"""The first-order compiler: what it writes means what the program says."""

import math
import random

import pytest

from tests.support.prism import Prism

pytestmark = pytest.mark.quick


class Compiled(Prism):
    """A machine with one program, given as text, loaded by prismn/2."""

    float_format = "full"

    def __init__(self, folder, text):
        super().__init__()
        self.source, self.target = folder / "program.psm", folder / "compiled"
        self.source.write_text(text)
        self.answer = self.ask(f"prismn('{self.source}','{self.target}')")

    def probability(self, goal):
        solutions = self.ask(f"prob({goal},P)")
        assert isinstance(solutions, list), solutions
        return float(solutions[0]["P"]) if solutions else 0.0

    def refused(self, *words):
        """Whether the program was refused with a message that has these words, and nothing was written."""
        assert self.answer.startswith("error(prism_translation_error("), self.answer
        return not self.target.exists() and all(word in self.output for word in words)


def holds(program, goal):
    solutions = program.ask(goal)
    assert isinstance(solutions, list), solutions
    return bool(solutions)


# Random formulas over a small domain, beside their meaning.

DOMAIN = ["a", "b", "c"]
FACTS = {("p", x) for x in "ab"} | {("q", x, y) for x, y in ("ab", "bb", "bc", "ca")}


class Formulas:
    """Random formulas as text, and what they mean as functions of the values of their variables."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0

    def term(self, names):
        choice = self.random.choice([*names, *names, *DOMAIN])
        return choice, (lambda world: world[choice]) if choice in names else (lambda world: choice)

    def atom(self, names, must=None):
        if self.random.random() < 0.2 and must is None:
            (s, left), (t, right) = self.term(names), self.term(names)
            return f"{s} = {t}", lambda world: left(world) == right(world)
        name, size = self.random.choice([("p", 1), ("q", 2)])
        parts = [self.term(names) for _ in range(size)]
        if must is not None:
            parts[self.random.randrange(size)] = (must, lambda world: world[must])
        text = f"{name}({','.join(s for s, _ in parts)})"
        return text, lambda world: (name, *(value(world) for _, value in parts)) in FACTS

    def formula(self, names, depth):
        if depth == 0:
            return self.atom(names)
        kind = self.random.choice(["not", "and", "or", "all", "all", "exist", "atom"])
        if kind == "atom":
            return self.atom(names)
        if kind == "not":
            text, meaning = self.formula(names, depth - 1)
            return f"not({text})", lambda world: not meaning(world)
        if kind in ("and", "or"):
            (s, left), (t, right) = (self.formula(names, depth - 1) for _ in range(2))
            if kind == "and":
                return f"({s}, {t})", lambda world: left(world) and right(world)
            return f"({s} ; {t})", lambda world: left(world) or right(world)
        self.names += 1
        new = f"V{self.names}"
        inner = [*names, new]
        (s, guard), (t, body) = self.atom(inner, new), self.formula(inner, depth - 1)
        if kind == "exist":
            return f"exist([{new}],({s}, {t}))", lambda world: any(
                guard({**world, new: x}) and body({**world, new: x}) for x in DOMAIN
            )
        if self.random.random() < 0.5:
            more, second = self.formula(inner, depth - 1)
            s, first = f"({s}, {more})", guard

            def guard(world):
                return first(world) and second(world)

        return f"all([{new}],({s} -> {t}))", lambda world: all(
            not guard({**world, new: x}) or body({**world, new: x}) for x in DOMAIN
        )


@pytest.mark.parametrize("seed", range(4))
def test_random_formulas_mean_what_they_say(tmp_path, seed):
    formulas = Formulas(seed)
    cases = [formulas.formula(["X"], 3) for _ in range(60)]
    facts = "".join(f"{f[0]}({','.join(f[1:])}).\n" for f in sorted(FACTS))
    heads = "values(s,[a,b,c]).\n" + facts
    clauses = [f"f{i}(X) :- {text}.\nn{i} :- msw(s,X), not(f{i}(X)).\n" for i, (text, _) in enumerate(cases)]
    program = Compiled(tmp_path, heads + "".join(clauses))
    assert program.answer == [{}], program.output
    for i, (text, meaning) in enumerate(cases):
        truth = {x: meaning({"X": x}) for x in DOMAIN}
        assert {x: holds(program, f"f{i}({x})") for x in DOMAIN} == truth, text
        wrong = sum(not value for value in truth.values())
        assert math.isclose(program.probability(f"n{i}"), wrong / 3, abs_tol=1e-12), text


AND_NOT = """
values(die(_),[1,2,3,4,5,6]).
values(coin,[head,tail]).
values(next(_),[a,b]).
values(word(_),[x,y]).
"""

MODELS = {
    "if-then-else": "size(N,S) :- ( N > 4 -> S = big ; N > 2 -> S = fair ; S = small ).\n"
    "ok :- msw(die(1),N), size(N,S), ( S = fair -> msw(coin,head) ; S = big ).\n",
    "library predicates": "ok :- msw(die(1),N), member(N,[1,2,2,9]), append(_,[N|_],[2,1]).\n",
    "collected answers": "ok :- msw(die(1),N), all([X],(member(X,[N,N,3]) -> good(X))).\n"
    "good(3).\ngood(5).\n",
    "cuts": "first(X) :- X < 3, !.\nfirst(6).\nok :- msw(die(1),N), first(N).\n",
    "equations": "ok :- msw(die(1),N), msw(die(2),M), f(N,z) = f(M,_), not(N = 4).\n",
    "arithmetic": "ok :- msw(die(1),N), msw(die(2),M), S is N+M, 8 =:= S, M < 6.\n",
    "functions": "ok :- msw(die(1),N), length([N,N],N).\n",
    "findall": "ok :- msw(die(1),N), findall(X,(member(X,[1,2,3]), X > N),[]).\n",
    "arg": "ok :- msw(die(1),N), arg(N,f(2,2,3),N).\n",
    "grammar rules": "ok :- msw(word(1),X), msw(word(2),Y), phrase2([X,Y]).\n"
    "phrase2(L) :- s(L,[]).\ns --> [x], s.\ns --> [y].\n",
    "hidden chain": "ok :- chain(a,0,3).\nchain(_,S,0) :- S > 1.\n"
    "chain(Q,S,N) :- N > 0, msw(next(Q),R), (R = a -> K = 1 ; K = 0), T is S+K, M is N-1, chain(R,T,M).\n",
    "dynamic": ":- dynamic allowed/1.\nallowed(2).\nallowed(3).\nok :- msw(die(1),N), allowed(N).\n",
    "disjunction": "ok :- msw(die(1),N), ( N = 1 ; N = 2 ; N > 4 ).\n",
    "negation as failure": "ok :- msw(die(1),N), \\+ N = 2, \\+ member(N,[3]).\n",
    "always true": "ok :- true, msw(die(1),N), nl, N \\== 3.\n",
    "pattern in a negated call": "ok :- msw(die(1),N), all([X],not(among(p(X),[p(N),q]))).\n"
    "ok :- fail.\namong(X,[X|_]).\namong(X,[_|L]) :- among(X,L).\n",
}


@pytest.mark.parametrize("name", MODELS)
def test_a_goal_and_its_negation_have_probability_one(tmp_path, name):
    program = Compiled(tmp_path, AND_NOT + MODELS[name] + "failure :- not(ok).\n")
    assert program.answer == [{}], program.output
    p = program.probability("ok")
    assert math.isclose(p + program.probability("failure"), 1.0), (p, program.target.read_text())


KNOWN = {
    "if-then-else": 2 / 6 * 0.5 + 2 / 6,
    "collected answers": 2 / 6,
    "cuts": 0.5,
    "equations": 5 / 36,
    "arithmetic": 4 / 36,
    "functions": 1 / 6,
    "findall": 4 / 6,
    "arg": 2 / 6,
    "grammar rules": 0.25,
    "hidden chain": 0.5,
    "pattern in a negated call": 0.0,
}


@pytest.mark.parametrize("name", KNOWN)
def test_probabilities_of_negations(tmp_path, name):
    program = Compiled(tmp_path, AND_NOT + MODELS[name] + "failure :- not(ok).\n")
    assert math.isclose(program.probability("failure"), 1 - KNOWN[name])


@pytest.mark.parametrize("goal", ["not(a = a)", "not(X = X)", "not(true)", "not(f(a,Y) = f(a,Y))"])
def test_what_is_always_true_has_no_negation(tmp_path, goal):
    program = Compiled(tmp_path, f"p(X,Y) :- {goal}.\n")
    assert not holds(program, "p(1,2)")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "ok :- msw(c,X), nosuch(X).\nfailure :- not(ok).\n",
            ["nosuch/1 has no clauses", "(program.psm, 2-2)"],
        ),
        ("ok(X) :- msw(c,X), !.\nok(b).\nfailure :- not(ok(a)).\n", ["a cut", "ok(A)", "(program.psm, 2-2)"]),
        ("ok :- ( msw(c,a) -> true ; fail ).\nfailure :- not(ok).\n", ["condition", "(program.psm, 2-2)"]),
        ("ok :- findall(X,msw(c,X),[_]).\nfailure :- not(ok).\n", ["collected", "(program.psm, 2-2)"]),
        ("ok :- msw(c,X), \\+ msw(c,X).\nfailure :- not(ok).\n", ["use not/1", "(program.psm, 2-2)"]),
        ("ok(G) :- G.\n\nfailure :- not(ok(x)).\n", ["must be known", "(program.psm, 2-2)"]),
        ("p :- all([X],(X > 3 -> q(X))).\nq(1).\n", ["built-in", "A>3", "(program.psm, 2-2)"]),
        ("p :- all(X,(q(X) -> q(X))).\nq(1).\n", ["list of variables", "(program.psm, 2-2)"]),
        ("p :- all([I],not(msw(I,a))).\n", ["name of a switch", "(program.psm, 2-2)"]),
        ("p :- all([X],(member(X-_,[1-2]) -> X = 1)).\n", ["nowhere else", "(program.psm, 2-2)"]),
        ("cont(1).\nfailure :- not(q).\nq.\n", ["rename", "cont(1)", "(program.psm, 2-2)"]),
        ("built_in_mode(q(x)).\n", ["+ or -", "(program.psm, 2-2)"]),
        ("fo_sort(num,z).\n", ["list of patterns"]),
        ("distribute_disjunction(maybe).\n", ["yes or no"]),
        ("ok :- msw(c,X.\n", ["1 of its clauses cannot be read"]),
        ("3 :- ok.\n", ["callable head"]),
    ],
)
def test_what_cannot_be_compiled_is_refused_with_its_clause(tmp_path, text, words):
    assert Compiled(tmp_path, "values(c,[a,b]).\n" + text).refused(*words)


def test_after_a_refusal_the_loaded_program_is_still_there(tmp_path):
    program = Compiled(tmp_path, "values(c,[a,b]).\nok :- msw(c,a).\nfailure :- not(ok).\n")
    program.source.write_text("failure :- not(nosuch).\n")
    assert "not_compilable" in program.ask(f"prismn('{program.source}','{program.target}')")
    assert program.probability("failure") == 0.5
    assert "closure_ok0" in program.target.read_text()


def test_the_source_is_not_overwritten(tmp_path):
    program = Compiled(tmp_path, "p :- not(q).\nq :- fail.\n")
    answer = program.ask(f"foc('{program.source}','{program.source}')")
    assert "permission_error(create,source_sink," in answer
    assert program.source.read_text() == "p :- not(q).\nq :- fail.\n"


def test_two_clauses_that_draw_the_same_switch_are_pointed_out(tmp_path):
    text = "values(c,[a,b,c]).\nok :- msw(c,a).\nok :- msw(c,b).\nfailure :- not(ok).\n"
    program = Compiled(tmp_path, text)
    assert "draw the same switch (program.psm, 2-2 and 3-3)" in program.output
    text = (
        "values(c,[a,b,c]).\nok(N) :- N > 1, msw(c,a).\nok(N) :- N =< 1, msw(c,b).\nfailure :- not(ok(1)).\n"
    )
    program = Compiled(tmp_path, text)
    assert "Warning" not in program.output
    assert math.isclose(program.probability("failure"), 2 / 3)


def test_included_files_and_operators_are_read(tmp_path):
    (tmp_path / "part.psm").write_text("X eq X.\n")
    text = ":- op(700,xfx,eq).\n:- include('part.psm').\nvalues(c,[a,b]).\nok :- msw(c,X), X eq a.\n"
    program = Compiled(tmp_path, text + "failure :- not(ok).\n")
    assert program.probability("failure") == 0.5


def test_long_lists_are_no_problem(tmp_path):
    items = ",".join(map(str, range(5000)))
    among = "among(X,[X|_]).\namong(X,[_|L]) :- among(X,L).\n"
    program = Compiled(tmp_path, f"in(X) :- among(X,[{items}]).\n{among}out(X) :- not(in(X)).\n")
    assert (holds(program, "out(4999)"), holds(program, "out(5000)")) == (False, True)


def test_the_watch_prints_formulas(tmp_path):
    program = Compiled(tmp_path, "p(X) :- not(q(X)).\nq(1).\n")
    program.ask("fo_trace")
    assert program.ask(f"foc('{program.source}','{program.target}')") == [{}]
    assert "compiling: not q(A)" in program.output
    program.ask("fo_notrace")
    program.ask(f"foc('{program.source}','{program.target}')")
    assert "compiling" not in program.output


AGREE = (
    "values(coin(_),[head,tail]).\nagree(S) :- msw(coin(a),S), msw(coin(b),T), S = T.\n"
    "success :- agree(_).\nfailure :- not(success).\n"
)


def log_marginal(heads, tails, steps=400):
    """ln of the integral of the likelihood given success over two uniform priors, by midpoints."""
    points = [(i + 0.5) / steps for i in range(steps)]
    total = 0.0
    for a in points:
        for b in points:
            both = a * b + (1 - a) * (1 - b)
            total += (a * b / both) ** heads * ((1 - a) * (1 - b) / both) ** tails
    return math.log(total / steps**2)


def test_vb_with_failure_bounds_the_marginal_likelihood(tmp_path):
    program = Compiled(tmp_path, AGREE)
    program.ask(
        "set_prism_flag(learn_mode,vb), set_prism_flag(learn_message,none), set_prism_flag(epsilon,1.0e-9)"
    )
    program.ask("set_prism_flag(default_sw_a,1.0)")
    energies = []
    for heads, tails in ((1, 0), (3, 1), (6, 4)):
        goals = [f"count(agree({side}),{n})" for side, n in (("head", heads), ("tail", tails)) if n]
        assert program.ask(f"learn([failure,{','.join(goals)}])") == [{}], program.output
        energies.append(float(program.one("learn_statistics(free_energy,X)")))
        exact = log_marginal(heads, tails)
        assert exact - 1.5 < energies[-1] <= exact + 1e-6
    assert energies == sorted(energies, reverse=True)


def test_map_with_failure_is_at_a_maximum(tmp_path):
    """The gradient of the objective by finite differences."""
    program = Compiled(tmp_path, AGREE)
    program.ask("set_prism_flag(epsilon,1.0e-12), set_prism_flag(default_sw_d,1.0), set_seed(1)")
    assert program.ask("learn([failure,count(agree(head),6),count(agree(tail),2)])") == [{}], program.output
    a, b = (float(program.one(f"get_sw(coin({c}),[_,_,[X|_]])")) for c in "ab")

    def objective(a, b):
        both = a * b + (1 - a) * (1 - b)
        likelihood = 6 * math.log(a * b / both) + 2 * math.log((1 - a) * (1 - b) / both)
        return likelihood + sum(math.log(x) + math.log(1 - x) for x in (a, b))

    assert math.isclose(float(program.one("learn_statistics(log_post,X)")), objective(a, b), abs_tol=1e-6)
    for da, db in ((1e-5, 0.0), (0.0, 1e-5)):
        slope = (objective(a + da, b + db) - objective(a - da, b - db)) / 2e-5
        assert abs(slope) < 1e-3


def test_failure_can_be_sampled(tmp_path):
    program = Compiled(tmp_path, AGREE)
    program.ask("set_seed(1), set_sw(coin(_),[0.5,0.5])")
    found = program.one("findall(x,(between(1,400,_),sample(failure)),L), length(L,X)")
    assert 150 < int(found) < 250

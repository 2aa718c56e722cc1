"""Random small programs, from text to numbers, against an enumeration of their explanations."""

import itertools
import math
from collections import Counter
from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.support.prism import Prism

SIZES = {"s0": 2, "s1": 3, "s2": 2}


@st.composite
def programs(draw):
    """Predicates p0(V) .. pn(V): clauses call switches and earlier predicates, with fixed or free values."""
    predicates = []
    for i in range(draw(st.integers(1, 4))):
        clauses = []
        for _ in range(draw(st.integers(1, 3))):
            body = []
            for _ in range(draw(st.integers(0, 3))):
                if i and draw(st.booleans()):
                    body.append(("goal", draw(st.integers(0, i - 1)), draw(st.sampled_from([0, 1, None]))))
                else:
                    name = draw(st.sampled_from(sorted(SIZES)))
                    value = draw(st.sampled_from([*range(SIZES[name]), None]))
                    body.append(("switch", name, value))
            clauses.append((draw(st.sampled_from([0, 1])), body))
        predicates.append(clauses)
    weights = {name: draw(st.lists(st.integers(1, 9), min_size=k, max_size=k)) for name, k in SIZES.items()}
    return predicates, weights


def text_of(predicates):
    lines = []
    for i, clauses in enumerate(predicates):
        for head, body in clauses:
            goals = []
            for kind, name, value in body:
                shown = "_" if value is None else value
                goals.append(f"msw({name},{shown})" if kind == "switch" else f"p{name}({shown})")
            lines.append(f"p{i}({head}) :- {', '.join(['msw(tie,0)', *goals])}.")
    return lines


MOST = 20_000  # explanations of a goal that are enumerated


class Brute:
    """All explanations by hand: a goal's are the products of its clauses' parts; a path that a goal has twice
    counts once."""

    def __init__(self, predicates, weights):
        self.predicates = predicates
        self.theta = {
            (name, v): Fraction(w, sum(ws)) for name, ws in weights.items() for v, w in enumerate(ws)
        }
        self.theta["tie", 0] = Fraction(1)
        self.memo = {}

    def paths(self, goal):
        """The distinct paths of a goal: lists of goals and switch instances."""
        i, value = goal
        found = []
        for head, body in self.predicates[i]:
            if head != value:
                continue
            choices = [[("switch", "tie", 0)]]
            for kind, name, v in body:
                if kind == "switch":
                    values = range(SIZES[name]) if v is None else [v]
                else:
                    values = [x for x in ([0, 1] if v is None else [v]) if self.explanations((name, x))]
                choices.append([(kind, name, x) for x in values])
            for path in itertools.product(*choices):
                key = [x for x in path if x[0] == "goal"] + [x for x in path if x[0] == "switch"]
                if key not in found:
                    found.append(key)
        return found

    def explanations(self, goal):
        """Every explanation as a Counter of switch instances."""
        if goal not in self.memo:
            result = []
            for path in self.paths(goal):
                parts = []
                for kind, name, x in path:
                    parts.append(
                        [Counter({(name, x): 1})] if kind == "switch" else self.explanations((name, x))
                    )
                # now and then a program has billions of them, which no list holds
                assume(len(result) + math.prod(map(len, parts)) <= MOST)
                result += [sum(choice, Counter()) for choice in itertools.product(*parts)]
            self.memo[goal] = result
        return self.memo[goal]

    def probabilities(self, goal):
        return sorted(
            (math.prod(self.theta[s] ** n for s, n in e.items()) for e in self.explanations(goal)),
            reverse=True,
        )


MACHINE = Prism()
MACHINE.float_format = "full"


def load(predicates, weights, folder):
    path = folder / "random.psm"
    values = [f"values({name},[{','.join(map(str, range(k)))}])." for name, k in SIZES.items()]
    path.write_text("\n".join([*values, "values(tie,[0]).", *text_of(predicates)]) + "\n")
    assert MACHINE.ask(f"prism('{path}')") == [{}], MACHINE.output
    MACHINE.ask("set_prism_flag(warn_exclusiveness,off)")
    for name, ws in weights.items():
        numbers = ",".join(repr(w / sum(ws)) for w in ws)
        assert MACHINE.ask(f"set_sw({name},[{numbers}])") == [{}]


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-300)


@settings(max_examples=60, deadline=None)
@given(programs())
def test_folds_agree_with_enumeration(tmp_path_factory, program):
    predicates, weights = program
    brute = Brute(predicates, weights)
    folder = tmp_path_factory.mktemp("random")
    load(predicates, weights, folder)
    top = len(predicates) - 1
    for value in (0, 1):
        goal = f"p{top}({value})"
        if not any(head == value for head, _ in predicates[top]):
            continue
        expected = [float(p) for p in brute.probabilities((top, value))]
        found = MACHINE.ask(f"prob({goal},P)")
        assert bool(found) == bool(expected)
        if not expected:
            continue
        total = float(sum(brute.probabilities((top, value))))
        assert close(float(found[0]["P"]), total)
        assert (
            close(float(MACHINE.one(f"log_prob({goal},P)", "P")), math.log(total))
            or abs(math.log(total)) < 1e-12
        )
        assert close(float(MACHINE.one(f"viterbi({goal},P)", "P")), expected[0])
        best = MACHINE.one(f"n_viterbi(20,{goal},Ps)", "Ps")[1:-1].split(",")
        assert len(best) == min(20, len(expected))
        assert all(close(float(a), b) for a, b in zip(best, expected, strict=False))
        # the switches of the best explanation have its probability
        switches = MACHINE.one(f"viterbif({goal},_,_E), viterbi_switches(_E,Ss)", "Ss")
        product = 1.0
        for part in switches[1:-1].replace("msw(", "").split("),"):
            name, outcome = part.rstrip(")").split(",")
            product *= float(brute.theta[name, int(outcome)])
        assert close(product, expected[0])
        MACHINE.ask("set_prism_flag(log_scale,on)")
        assert math.isclose(
            float(MACHINE.one(f"prob({goal},P)", "P")), math.log(total), rel_tol=1e-12, abs_tol=1e-12
        )
        assert math.isclose(
            float(MACHINE.one(f"viterbi({goal},P)", "P")), math.log(expected[0]), rel_tol=1e-12, abs_tol=1e-12
        )
        MACHINE.ask("set_prism_flag(log_scale,off)")


@settings(max_examples=30, deadline=None)
@given(programs())
def test_expected_counts_agree_with_enumeration(tmp_path_factory, program):
    """One EM step from known parameters: its counts are those of the explanations, weighed by probability."""
    predicates, weights = program
    brute = Brute(predicates, weights)
    top = len(predicates) - 1
    for value in (0, 1):
        explanations = brute.explanations((top, value))
        total = sum(math.prod(brute.theta[s] ** n for s, n in e.items()) for e in explanations)
        if not explanations or total > 1:
            continue
        load(predicates, weights, tmp_path_factory.mktemp("random"))
        MACHINE.ask(
            "set_prism_flag(init,none), set_prism_flag(max_iterate,1), set_prism_flag(learn_message,none)"
        )
        learned = MACHINE.ask(f"learn([p{top}({value})])")
        if learned != [{}]:
            # explanations that are not exclusive may have become likelier than 1
            assert learned == "error(prism_runtime_error(invalid_likelihood),learn/1)", MACHINE.output
            continue
        expected = Counter()
        for e in explanations:
            p = math.prod(brute.theta[s] ** n for s, n in e.items()) / total
            for s, n in e.items():
                expected[s] += n * p
        for name, size in SIZES.items():
            if not any((name, v) in expected for v in range(size)):
                continue
            counts = MACHINE.one(f"get_sw({name},_,_,_,C)", "C")[1:-1].split(",")
            for v in range(size):
                assert math.isclose(float(counts[v]), float(expected[name, v]), rel_tol=1e-9, abs_tol=1e-12)

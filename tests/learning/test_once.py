"""Learning where switches are thrown once, against the list of all worlds."""

import math
import re

import pytest

from prism_repl.model.gamma import digamma
from tests.support.once import inference
from tests.support.programs import Program
from tests.support.worlds import Clause, Propositional, random_program

SEEDS = [seed for seed in range(40) if random_program(seed).probability("g0") > 0.0][:20]
STEPS = 4


def session(folder, program, *flags):
    machine = Program(folder, program.prism())
    for flag in ("trials,once", "init,none", "epsilon,1.0e-12", "verb,em", *flags):
        machine.printed(f"set_prism_flag({flag})")
    return machine


def observed(program):
    """Some of the goals, with how often they are observed."""
    goals = [(name, 1 + i) for i, name in enumerate(("g0", "g1", "g2"))]
    return [(goal, n) for goal, n in goals if program.probability(goal) > 0.0]


def learned(machine, goals):
    """What is printed, and the objectives of all iterations."""
    text = ",".join(f"count({goal},{n})" for goal, n in goals)
    printed = machine.printed(f"learn([{text}])")
    return [float(x) for x in re.findall(r"(?:log_post|free_energy|log_likelihood)=(\S+)\n", printed)]


def parameters(machine, switch):
    text = machine.ask(f"get_sw({switch},[_,_,P])")[0]["P"]
    return [float(x) for x in text.strip("[]").split(",")]


def counts_of(program, goals):
    """Expected counts over all worlds."""
    counts = {(s, v): 0.0 for s, p in program.switches.items() for v in range(len(p))}
    for goal, n in goals:
        for literal, count in program.expected(goal).items():
            counts[literal] += n * count
    return counts


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("delta", [0.0, 0.7])
def test_em_against_all_worlds(tmp_path, seed, delta):
    program = random_program(seed)
    goals = observed(program)
    machine = session(tmp_path, program, f"max_iterate,{STEPS}")
    machine.printed(f"set_sw_all_d(_,{delta})")
    found = learned(machine, goals)
    # The prior is that of all switches in the graph, also of those that no goal depends on.
    in_graph = {switch for switch, _ in inference(machine, *(goal for goal, _ in goals))[1]}
    expected = []
    for _ in range(STEPS + 1):
        objective = sum(n * math.log(program.probability(goal)) for goal, n in goals)
        prior = 0.0
        if delta > 0.0:
            prior = delta * sum(math.log(p) for switch in in_graph for p in program.switches[switch])
        expected.append(objective + prior)
        counts = counts_of(program, goals)
        before = dict(program.switches)
        for switch in in_graph:
            raw = [counts[switch, v] + delta for v in range(len(program.switches[switch]))]
            if sum(raw) > 0.0:
                program.switches[switch] = [x / sum(raw) for x in raw]
    assert found == sorted(found)
    assert found == pytest.approx(expected[: len(found)], abs=1e-8)
    for switch in in_graph if len(found) == STEPS + 1 else ():
        assert parameters(machine, switch) == pytest.approx(before[switch], abs=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_variational_bayes_against_all_worlds(tmp_path, seed):
    program = random_program(seed)
    goals = observed(program)
    machine = session(
        tmp_path, program, "learn_mode,vb", "std_ratio,1.0e-12", "max_iterate,3", "default_sw_a,1.0"
    )
    found = learned(machine, goals)
    assert found == sorted(found)
    alphas = {s: [1.0] * len(p) for s, p in program.switches.items()}
    involved = set().union(*(program.support(goal) for goal, _ in goals))
    for _ in range(len(found) - 1):
        for switch, a in alphas.items():  # not normalised: a world has the product of its numbers
            program.switches[switch] = [math.exp(float(digamma(x)) - float(digamma(sum(a)))) for x in a]
        counts = {}
        for goal, n in goals:
            for literal, count in program.expected(goal).items():
                counts[literal] = counts.get(literal, 0.0) + n * count
        alphas = {s: [1.0 + counts.get((s, v), 0.0) for v in range(len(a))] for s, a in alphas.items()}
    for switch in involved:
        text = machine.ask(f"get_sw_a({switch},[_,_,A])")[0]["A"]
        assert [float(x) for x in text.strip("[]").split(",")] == pytest.approx(alphas[switch], abs=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_viterbi_training_counts_each_msw_once(tmp_path, seed):
    program = random_program(seed)
    goals = observed(program)
    machine = session(tmp_path, program, "learn_mode,ml_vt", "max_iterate,1")
    best = {goal: program.explanations(goal) for goal, _ in goals}
    if any(len(e) > 1 and e[0][0] == pytest.approx(e[1][0], rel=1e-9) for e in best.values()):
        return  # a tie: either will do
    found = learned(machine, goals)
    assert found[0] == pytest.approx(sum(n * math.log(best[goal][0][0]) for goal, n in goals), abs=1e-8)
    counts = {}
    for goal, n in goals:
        for literal in best[goal][0][1]:
            counts[literal] = counts.get(literal, 0) + n
    for switch in {switch for switch, _ in counts}:
        raw = [counts.get((switch, v), 0) for v in range(len(program.switches[switch]))]
        assert parameters(machine, switch) == pytest.approx([x / sum(raw) for x in raw], abs=1e-12)


def test_restarts_logarithms_and_threads_agree(tmp_path):
    program = random_program(4)
    goals = observed(program)
    results = []
    for flags in (("threads,1",), ("threads,2",), ("log_scale,on",)):
        machine = session(tmp_path, program, "init,random", "restart,6", "verb,none", *flags)
        machine.printed("random_set_seed(5), set_sw_all_d(_,0.5)")
        text = ",".join(f"count({goal},{n})" for goal, n in goals)
        results.append(re.findall(r"Converged: (\S+)\)", machine.printed(f"learn([{text}])")))
    assert len(results[0]) == 6
    assert results[0] == results[1]
    assert [float(x) for x in results[0]] == pytest.approx([float(x) for x in results[2]], abs=1e-7)


def test_a_goal_that_contradicts_itself_cannot_be_learned(tmp_path):
    program = Propositional({"s": [0.5, 0.5]}, [Clause("g", [], [("s", 0), ("s", 1)])])
    machine = session(tmp_path, program)
    assert machine.ask("prob(g,P)") == [{"P": "0.0"}]
    assert machine.ask("viterbif(g)") == []
    assert "invalid_numeric_value" in machine.ask("learn([g])")
    assert "non-positive" in machine.output
    assert "-- g" in machine.output


def test_the_k_best_explanations_are_refused(tmp_path):
    program = random_program(SEEDS[0])
    machine = session(tmp_path, program, "learn_mode,ml_vt", "vt_best,2")
    assert "not_offered" in machine.ask("learn([g0])")
    assert "vt_best must be 1" in machine.output

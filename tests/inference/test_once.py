"""Switches that are thrown once: everything against the list of all worlds."""

import math
import re

import numpy as np
import pytest

from tests.support.once import inference
from tests.support.programs import Program
from tests.support.worlds import random_program


def literals(text):
    """The literals in a text of msw(s0,1) terms."""
    return frozenset((s, int(v)) for s, v in re.findall(r"msw\((\w+),(\d+)\)", text))


def once(folder, program):
    machine = Program(folder, program.prism())
    machine.printed("set_prism_flag(trials,once)")
    return machine


@pytest.mark.parametrize("seed", range(200))
def test_random_programs_against_all_worlds(tmp_path, seed):
    program = random_program(seed)
    machine = once(tmp_path, program)
    probability = program.probability("g0")
    found = machine.number("prob(g0,P)")
    if not any(clause.head == "g0" for clause in program.clauses) or found is None:
        assert probability == 0.0
        return
    assert found == pytest.approx(probability, rel=1e-12, abs=1e-15)
    explanations = program.explanations("g0")
    if probability == 0.0:
        assert machine.ask("viterbi(g0,P)") == []
        return
    assert machine.number("log_prob(g0,P)") == pytest.approx(math.log(probability), rel=1e-12, abs=1e-12)

    # explanations: all of them, best first, each msw once
    listed = machine.ask("viterbif(g0,P,E), viterbi_switches(E,S)")[0]
    best = literals(listed["S"])
    assert best in {e for p, e in explanations if p == pytest.approx(explanations[0][0], rel=1e-12)}
    assert listed["S"].count("msw(") == len(best)
    assert float(listed["P"]) == pytest.approx(explanations[0][0], rel=1e-12)
    printed = machine.printed("n_viterbi(1000,g0)")
    numbers = [float(x) for x in re.findall(r"Viterbi_P = (\S+)", printed)]
    assert numbers == pytest.approx([p for p, _ in explanations], abs=1e-14)

    # subgoals
    for subgoal, p in re.findall(r"\[(g\d),([^\]]+)\]", machine.ask("chindsight(g0,_,L)")[0]["L"]):
        expected = program.probability("g0", subgoal) / probability
        assert float(p) == pytest.approx(expected, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_logarithms_give_the_same(tmp_path, seed):
    program = random_program(seed)
    machine = once(tmp_path, program)
    probability = program.probability("g0")
    if probability == 0.0:
        return
    plain = machine.ask("hindsight(g0,_,L)")[0]["L"]
    machine.printed("set_prism_flag(log_scale,on)")
    assert machine.number("prob(g0,P)") == pytest.approx(math.log(probability), rel=1e-12, abs=1e-12)
    logs = machine.ask("hindsight(g0,_,L)")[0]["L"]
    pairs = zip(*(re.findall(r"\[(g\d),([^\]]+)\]", text) for text in (plain, logs)), strict=True)
    for (goal, p), (same, log) in pairs:
        assert goal == same
        assert float(p) == pytest.approx(math.exp(float(log.replace("1.0Inf", "inf"))), rel=1e-10, abs=1e-300)


@pytest.mark.quick
def test_expectations_against_all_worlds(tmp_path):
    for seed in range(60):
        program = random_program(seed)
        if program.probability("g0") == 0.0:
            continue
        once_, instances = inference(once(tmp_path, program), "g0")
        expected = program.expected("g0")
        counts = once_.expectations()
        for literal, number in instances.items():
            assert counts[number] == pytest.approx(expected.get(literal, 0.0), rel=1e-10, abs=1e-12), seed
        assert np.isfinite(counts).all()

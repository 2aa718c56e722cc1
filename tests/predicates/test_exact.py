"""The flag trials, evidence, and overlaps, as a user sees them."""

import gc
import math
import re
import threading
import time
import weakref
from pathlib import Path

import pytest

from tests.support.programs import WEATHER, Program
from tests.support.worlds import random_program

GRAPH = (Path(__file__).parents[2] / "examples" / "graph.psm").read_text()
# The same without a list of visited nodes: paths run in circles.
CIRCLES = (
    GRAPH.split("% path(X,Y): there")[0]
    + """
path(X,X).
path(X,Y) :- X \\== Y, ( d_e(X,Z) ; d_e(Z,X) ), path(Z,Y).
"""
)


def grid(n):
    """Corner to corner of an undirected grid."""
    edges = [(f"{i}-{j}", f"{i}-{j + 1}") for i in range(n) for j in range(n - 1)]
    edges += [(f"{i}-{j}", f"{i + 1}-{j}") for i in range(n - 1) for j in range(n)]
    return (
        "values(e(_,_),[on,off]).\n"
        + "".join(f"edge({a},{b}).\n" for a, b in edges)
        + """
link(X,Y) :- edge(X,Y), msw(e(X,Y),on).
link(X,Y) :- edge(Y,X), msw(e(Y,X),on).
path(X,X).
path(X,Y) :- X \\== Y, link(X,Z), path(Z,Y).
"""
    )


@pytest.fixture(params=[GRAPH, CIRCLES], ids=["visited", "circles"])
def paths(request, tmp_path):
    program = Program(tmp_path, request.param)
    program.printed("set_prism_flag(trials,once)")
    return program


def test_the_graph_of_the_paper(paths):
    assert paths.number("prob(path(1,4),P)") == pytest.approx(0.53864, abs=1e-12)
    assert paths.output == ""
    assert paths.printed("n_viterbi(3,path(1,4))").split() == [
        "#0:", "Viterbi_P", "=", "0.432000000000000",
        "#1:", "Viterbi_P", "=", "0.168000000000000",
        "#2:", "Viterbi_P", "=", "0.117600000000000",
    ]  # fmt: skip
    solution = paths.ask("viterbif(path(1,4),_P,E), viterbi_switches(E,S)")[0]
    assert solution["S"] == "[msw(d_e(1,2),on),msw(d_e(2,3),on),msw(d_e(3,4),on)]"


def test_numbers_in_the_graph(paths):
    inside = paths.printed("probfi(path(1,4))")
    assert inside.startswith("path(1,4) [0.53864]\n")
    best = paths.printed("probfv(path(1,4))")
    assert best.startswith("path(1,4) [0.432]\n")
    for query in ("probfo(path(1,4))", "probfio(path(1,4),_)"):
        assert "prism_runtime_error(not_offered)" in paths.ask(query)
        assert "outside probabilities have no meaning" in paths.output


def test_a_graph_is_printed_whatever_the_flag_says(tmp_path):
    program = Program(tmp_path, CIRCLES)
    program.printed("set_prism_flag(trials,once)")
    assert "path(2,4)" in program.printed("probf(path(1,4))")


def test_the_warning_names_the_flag(tmp_path):
    program = Program(tmp_path, GRAPH)
    assert program.number("prob(path(1,4),P)") > 1.0
    assert "set_prism_flag(trials,once)" in program.output


def test_a_load_resets_the_flag_and_a_program_may_set_it(tmp_path):
    program = Program(tmp_path, ":- set_prism_flag(trials,once).\n" + GRAPH)
    assert program.one("get_prism_flag(trials,X)") == "once"
    assert program.number("prob(path(1,4),P)") == pytest.approx(0.53864)
    (tmp_path / "other.psm").write_text(WEATHER)
    program.printed(f"prism('{tmp_path}/other.psm')")
    assert program.one("get_prism_flag(trials,X)") == "fresh"


def test_evidence(paths):
    assert paths.number("prob(path(1,4),[d_e(1,2)],P)") == pytest.approx(0.567776)
    both = paths.number("prob((path(1,4),path(1,3)),[],P)")
    assert paths.number("prob(path(1,4),path(1,3),P)") == pytest.approx(
        both / paths.number("prob(path(1,3),P)")
    )
    assert paths.number("prob(not(path(1,4)),[],P)") == pytest.approx(1 - 0.53864)
    assert paths.number("prob(path(1,4),(d_e(1,2),not(d_e(2,3))),P)") == pytest.approx(
        paths.number("prob((path(1,4),d_e(1,2),\\+ d_e(2,3)),[],P)") / (0.9 * 0.2)
    )
    assert paths.number("prob(msw(d_e(1,2),X),[d_e(1,2)],P)") == 1.0
    assert paths.number("prob(path(1,nowhere),[],P)") == 0.0
    assert "zero_divisor" in paths.ask("prob(path(1,4),[path(1,nowhere)],P)")
    assert "evidence of probability zero" in paths.output
    assert "probabilistic_atom" in paths.ask("prob(path(1,4),[absent],P)")
    assert "instantiation_error" in paths.ask("prob(path(1,4),_,P)")
    paths.printed("set_prism_flag(trials,fresh)")
    assert "existence_error(procedure,(prob)/3)" in paths.ask("prob(path(1,4),[d_e(1,2)],P)")


@pytest.mark.parametrize("seed", range(30))
def test_evidence_against_all_worlds(tmp_path, seed):
    program = random_program(seed)
    machine = Program(tmp_path, program.prism())
    machine.printed("set_prism_flag(trials,once)")
    given = program.probability("g1", false=("g2",))
    query = "prob(g0,[g1,not(g2)],P)"
    if given == 0.0:
        assert "zero_divisor" in machine.ask(query)
        return
    expected = program.probability("g0", "g1", false=("g2",)) / given
    assert machine.number(query) == pytest.approx(expected, rel=1e-10, abs=1e-13)


def test_overlaps(paths):
    pair = paths.printed("check_exclusive(path(1,4))").splitlines()
    assert pair[0] == "These explanations of path(1,4) can hold together:"
    first, second = (set(line.strip().split(" & ")) for line in pair[1:])
    assert first != second
    assert not {x.replace("on", "off") for x in first} & second
    assert "exclude each other" in paths.printed("check_exclusive(d_e(1,2))")
    assert paths.one("check_exclusive(d_e(1,2),X)") == "[]"
    assert paths.ask("check_exclusive(path(1,nowhere))") == []


def test_an_hmm_has_no_overlaps(tmp_path):
    program = Program(tmp_path, WEATHER)
    program.printed("params")
    assert "exclude each other" in program.printed("check_exclusive(week([sun,rain,wind]))")


@pytest.mark.parametrize("seed", range(60))
def test_overlaps_against_all_proofs(tmp_path, seed):
    """Without cycles, all proofs can be listed and compared."""
    program = random_program(seed)
    for clause in program.clauses:
        clause.goals = [goal for goal in clause.goals if goal > clause.head]
    machine = Program(tmp_path, program.prism())
    pair = machine.ask("check_exclusive(g0,X)")
    proofs = all_proofs(program, "g0")
    if not pair:
        assert not proofs
        return
    clash = any(consistent(a | b) for i, a in enumerate(proofs) for b in proofs[:i])
    assert (pair[0]["X"] != "[]") == clash
    if clash:
        one, other = pair[0]["X"][1:-1].split("],[")
        for text in (one, other):
            literals = {(s, int(v)) for s, v in re.findall(r"msw\((\w+),(\d+)\)", text)}
            assert consistent(literals)
            assert "g0" in program.true_in(literals)


def all_proofs(program, goal):
    """The literals of all proofs of a goal that do not contradict themselves, different paths each."""
    found = []
    for clause in {(tuple(c.goals), tuple(c.switches)) for c in program.clauses if c.head == goal}:
        partial = [frozenset(clause[1])]
        for subgoal in clause[0]:
            partial = [a | b for a in partial for b in all_proofs(program, subgoal)]
        found += [literals for literals in partial if consistent(literals)]
    return found


def consistent(literals):
    return len({switch for switch, _ in literals}) == len(literals)


def test_too_large_a_diagram_is_a_resource_error_that_names_the_goal(tmp_path):
    program = Program(tmp_path, grid(5))
    program.printed("set_prism_flag(trials,once), set_prism_flag(diagram_nodes,100)")
    assert "resource_error(memory)" in program.ask("prob(path(0-0,4-4))")
    assert "decision diagram too large" in program.output
    assert "-- path(0-0,4-4)" in program.output
    assert "resource_error(memory)" in program.ask("learn([path(0-0,0-0),path(0-0,4-4)])")
    assert "-- path(0-0,4-4)" in program.output
    program.printed("set_prism_flag(diagram_nodes,1000000), set_prism_flag(diagram_time,0.0001)")
    assert "resource_error(time)" in program.ask("prob(path(0-0,4-4))")


def test_an_interrupt_in_the_middle_of_compiling(tmp_path):
    program = Program(tmp_path, grid(8))
    program.printed("set_prism_flag(trials,once)")

    def interrupt():
        time.sleep(0.3)
        program.m.interrupts.interrupted = True

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        program.ask("prob(path(0-0,7-7))")


def test_a_five_by_five_grid(tmp_path):
    program = Program(tmp_path, grid(5))
    program.printed("set_prism_flag(trials,once)")
    assert program.number("prob(path(0-0,4-4),P)") == pytest.approx(connected(5, 0.5), abs=1e-12)


def connected(n, p):
    """The probability that opposite corners of a grid are connected: row by row, with the components of
    what is on the border as the state."""
    edges = sorted(
        [((i, j), (i, j + 1)) for i in range(n) for j in range(n - 1)]
        + [((i, j), (i + 1, j)) for i in range(n - 1) for j in range(n)]
    )
    last = {node: k for k, edge in enumerate(edges) for node in edge}
    states = {frozenset({frozenset({(0, 0)})}): 1.0}
    for k, (a, b) in enumerate(edges):
        after: dict[frozenset[frozenset[tuple[int, int]]], float] = {}
        for state, weight in states.items():
            parts = {node: part for part in state for node in part}
            one, other = (parts.get(node, frozenset({node})) for node in (a, b))
            rest = state - {one, other}
            for joined, share in (({one | other}, p), ({one, other}, 1 - p)):
                kept = set()
                for part in rest | joined:
                    keep = frozenset(x for x in part if last[x] > k or x in ((0, 0), (n - 1, n - 1)))
                    kept.add(keep)
                key = frozenset(kept - {frozenset()})
                after[key] = after.get(key, 0.0) + weight * share
        states = after
    ends = {(0, 0), (n - 1, n - 1)}
    return sum(weight for state, weight in states.items() if any(ends <= part for part in state))


def test_no_room_for_a_store(tmp_path, monkeypatch):
    """The package would end the process."""
    from prism_repl.inference import compiling

    program = Program(tmp_path, grid(2))
    program.printed("set_prism_flag(trials,once)")
    monkeypatch.setattr(compiling, "STORE", 1 << 60)
    assert "resource_error(memory)" in program.ask("prob(path(0-0,1-1))")
    monkeypatch.undo()
    assert program.number("prob(path(0-0,1-1),P)") == 0.4375


def test_what_proved_too_much_is_dropped():
    """An attempt to compile that is given up keeps nothing: a store may be large."""
    from prism_repl.inference import compiling

    class Store:
        pass

    stores = []

    def attempt(check):
        store = Store()
        stores.append(weakref.ref(store))
        raise compiling.TooMuchWork

    gc.disable()
    try:
        with pytest.raises(compiling.TooMuchWork):
            compiling.watched(attempt, None, time.monotonic() + 60.0)
    finally:
        gc.enable()
    assert stores[0]() is None


def test_goals_that_hold_or_fail_together(tmp_path):
    text = "values(die,[1-6]). even :- msw(die,X), X mod 2 =:= 0. big :- msw(die,X), X > 3."
    program = Program(tmp_path, text)
    assert "type_error(probabilistic_atom" in program.ask("prob(not(even),P)")  # as in PRISM
    program.printed("set_prism_flag(trials,once)")
    for goal, probability in (("not(even)", 3 / 6), ("(even,big)", 2 / 6), ("(\\+ even, not(big))", 2 / 6)):
        assert program.number(f"prob({goal},P)") == pytest.approx(probability)
        assert program.number(f"log_prob({goal},P)") == pytest.approx(math.log(probability))
    assert program.number("prob((even,not(even)),P)") == 0.0
    assert program.printed("prob(not(even))") == "Probability of not even is: 0.500000000000000\n"
    assert "type_error(probabilistic_atom" in program.ask("prob(not(odd),P)")

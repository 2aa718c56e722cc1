"""Random programs, run in different ways: the same answers and the same explanation graphs.

Programs with switches, cuts, negation, exceptions, assert, calls and answers with variables: with short cuts
of the search and without, with tables of other queries kept, compiled and uncompiled. Plain programs with
tables: against SWI-Prolog. A part of them in each run of the suite; all 5,000 in each of these ways by

    python -m pytest -m long tests/tabling/test_differential.py
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import prism_repl
from tests.support.random_programs import Found, in_any_order, plain_program, search_program

BATCH = 25
QUICK = 8  # batches
ALL = 200

# A cut or once/1 takes the answers that are there when it is reached. Where its clause belongs to a recursive
# component, these depend on the goal that entered the component first: with the tables of other
# queries kept this may be another one. All programs in which the random ones show it (2132 is a paradox:
# test_branches.py has it):
ENTERED_ELSEWHERE = {1891, 2132, 2364, 3367, 4047}


def batches(count):
    """The numbers of batches: the first ones in every run, the others if asked for."""
    return [pytest.param(i, marks=[] if i < count else [pytest.mark.long]) for i in range(max(count, ALL))]


@pytest.fixture(scope="module")
def ways():
    return Found(), Found("search_shortcuts,off"), Found("clean_table,off")


@pytest.mark.parametrize("batch", batches(QUICK))
def test_searches(ways, batch):
    with_shortcuts, without, kept = ways
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        source = search_program(seed)
        graphs = with_shortcuts.graphs(source)
        assert without.graphs(source) == graphs, seed
        if seed in ENTERED_ELSEWHERE:
            assert source.chooses_in_recursion(), seed
            continue
        kept.load(source)
        for _ in range(2):  # the second time all tables are there
            for goal, graph in zip(source.goals, graphs, strict=True):
                if graph.startswith("True error"):
                    assert kept.graph(goal).split(" ")[:2] == graph.split(" ")[:2], (seed, goal)
                else:
                    assert in_any_order(kept.graph(goal)) == in_any_order(graph), (seed, goal)


@pytest.fixture(scope="module")
def uncompiled(tmp_path_factory):
    """A copy of the package without its native modules."""
    folder = tmp_path_factory.mktemp("uncompiled")
    skipped = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__")
    shutil.copytree(Path(prism_repl.__file__).parent, folder / "prism_repl", ignore=skipped)
    shutil.copytree(Path(__file__).parents[1] / "support", folder / "tests" / "support", ignore=skipped)
    return folder


@pytest.mark.parametrize("batch", batches(1))
def test_uncompiled_searches(ways, uncompiled, batch):
    command = [sys.executable, "-m", "tests.support.random_programs", str(batch * BATCH), str(BATCH)]
    environment = os.environ | {"PYTHONPATH": str(uncompiled)}
    run = subprocess.run(
        command, cwd=uncompiled, env=environment, capture_output=True, text=True, timeout=1200
    )
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    seeds = range(batch * BATCH, (batch + 1) * BATCH)
    assert lines == [repr(ways[0].graphs(search_program(seed))) for seed in seeds]


# Writes the answers of a goal, in any order, and the error that it ends with.
SHOW = """
show(N,G) :- catch(( call(G), shown(N,G), fail ; true ),E,shown(N,E)).
shown(N,G) :- \\+ \\+ ( numbervars(G,0,_), write_term(N-G,[quoted(true),numbervars(true)]), nl ).
"""


def goals_of(sources):
    return [f"show({i},{goal})" for i, source in enumerate(sources) for goal in source.goals]


def answers_of_swi(sources, folder):
    program = folder / "plain.pl"
    directives = "".join(f":- {goal}.\n" for goal in goals_of(sources))
    program.write_text(
        ":- style_check(-singleton).\n" + SHOW + "".join(source.text for source in sources) + directives
    )
    command = ["swipl", "-q", "-g", "halt", str(program)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert not run.stderr
    return sorted(run.stdout.replace(" ", "").splitlines())


def answers_of_ours(sources, folder):
    program = folder / "ours.pl"
    program.write_text(SHOW + "".join(source.text for source in sources))
    found = Found()
    assert found.prism.ask(f"consult('{program}')") == [{}], found.prism.output
    lines = []
    for goal in goals_of(sources):
        assert len(found.prism.ask(goal)) == 1
        lines += found.prism.output.replace(" ", "").splitlines()
    return sorted(lines)


@pytest.mark.skipif(
    shutil.which("swipl") is None,
    reason="SWI-PROLOG IS NOT INSTALLED: plain programs are compared with nothing",
)
@pytest.mark.parametrize("batch", batches(QUICK))
def test_plain_programs_against_swi_prolog(tmp_path, batch):
    sources = [plain_program(seed) for seed in range(batch * BATCH, (batch + 1) * BATCH)]
    theirs = answers_of_swi(sources, tmp_path)
    assert answers_of_ours(sources, tmp_path) == theirs
    assert len(theirs) > 5 * BATCH

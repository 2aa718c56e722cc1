"""Numbers of tables, nodes, paths and factors have 31 bits: beyond that comes a resource error.

The limits are lowered here.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import prism_repl
from prism_repl import Session
from prism_repl.graph import limits

PROGRAM = """
values(c,[h,t]).
hmm([]).
hmm([X|R]) :- msw(c,X), hmm(R).
any([]).
any([_|R]) :- msw(c,_), any(R).
reads(1) :- msw(c,h).
reads(X) :- between(1,400,_), reads(X), fail.
"""


@pytest.fixture
def session(tmp_path):
    shown = []
    session = Session(output=shown.append)
    session.shown = shown
    path = tmp_path / "program.psm"
    path.write_text(PROGRAM)
    list(session.ask(f"prism('{path}')"))
    return session


def ask(session, query):
    session.shown.clear()
    answers = list(session.ask(query))
    return str(answers[0].error) if answers[0].error is not None else answers[0].status


LONG = "length(L,200), maplist(=(h),L), "


def test_too_many_tables_or_paths(session):
    assert ask(session, LONG + "prob(hmm(L),P)") == "yes"
    for limit in (64, 100, 128, 300):
        list(session.ask("initialize_table"))
        tables = session.machine.tabling.tables
        tables.items_limit = limit
        found = ask(session, "length(L,2000), maplist(=(h),L), prob(hmm(L),P)")
        tables.items_limit = 1 << 30
        assert found == "error(resource_error(memory),hmm/1)"
        assert ask(session, LONG + "prob(hmm(L),P), prob(any(L),Q), Q =:= 1.0") == "yes"


def test_too_many_records_of_what_was_read(session):
    tables = session.machine.tabling.tables
    tables.items_limit = session.machine.tabling.branches.reads_size
    found = ask(session, "prob(reads(_),P)")
    tables.items_limit = 1 << 30
    assert found.startswith("error(resource_error(memory)")
    assert ask(session, "prob(reads(1),P), P =:= 0.5") == "yes"


def test_too_many_instances(session):
    session.machine.outcomes.limit = 1
    found = ask(session, "prob(hmm([h]),P)")
    session.machine.outcomes.limit = 1 << 30
    assert found.startswith("error(resource_error(memory)")
    assert ask(session, "prob(hmm([h]),P), P =:= 0.5") == "yes"


@pytest.mark.parametrize("limit", [10, 250, 500])
def test_a_graph_that_is_too_large(session, monkeypatch, limit):
    monkeypatch.setattr(limits, "LARGEST", limit)
    found = ask(session, LONG + "prob(hmm(L),P)")
    monkeypatch.undo()
    assert found == "error(resource_error(memory),(prob)/2)"
    if limit < 400:  # what is written of the graph for a pass is larger than the graph
        assert f"more than {limit}" in "".join(session.shown)
        assert "hmm([h,h,h" in "".join(session.shown)
    assert ask(session, LONG + "prob(hmm(L),P)") == "yes"


def test_a_search_without_end_leaves_room_for_others(session):
    session.machine.heap.limit = 1 << 21
    assert ask(session, "prob(hmm([h|_]),P)").startswith("error(resource_error(memory)")
    assert ask(session, "prob(hmm([h]),P), P =:= 0.5") == "yes"


LISTS = """
values(c,[h,t]).
r(0) :- msw(c,_).
r(N) :- N > 0, M is N-1, msw(c,_), r(M).
:- table lists/1.
lists(L) :- between(1,100000,N), length(L,N).
"""


@pytest.mark.unchecked
def test_a_session_with_little_memory_goes_on_after_it_ran_out(tmp_path):
    """What a process may have (ulimit -v) is what stacks and tables share."""
    (tmp_path / "lists.psm").write_text(LISTS)
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (900 << 20, 900 << 20))\n"
        "from prism_repl import Session\n"
        "session = Session(output=lambda text: None)\n"
        "session.prism('lists.psm')\n"
        "print(next(session.ask('lists(_), fail')).error)\n"
        "print(session.prob('r(20)'))\n"
    )
    package = Path(prism_repl.__file__).parents[1]
    environment = os.environ | {"PYTHONPATH": str(package), "OPENBLAS_NUM_THREADS": "1"}
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, env=environment
    )
    assert found.returncode == 0, found.stderr
    error, probability = found.stdout.splitlines()
    assert "resource_error(memory)" in error
    assert float(probability) == pytest.approx(1.0)

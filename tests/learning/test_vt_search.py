"""Viterbi training that searches anew in each iteration: the same numbers as on the stored graph."""

import re

import numpy as np
import pytest

from prism_repl import PrismError, Session
from prism_repl.inference import slices

GRAMMAR = """
values(s,[[s,s],[a],[b],[c]]).
values(a,[[x],[y]]).
values(b,[[x],[y],[z]]).
values(c,[[y,y],[z]]).
p(L) :- p([s],L,[]).
p([],L,L).
p([X|Xs],L0,L) :- ( get_values(X,_) -> msw(X,B), p(B,L0,L1) ; L0 = [X|L1] ), p(Xs,L1,L).
q(N) :- msw(n,N).
values(n,[1,2,3]).
"""
GOALS = [
    "p([x,y,y])",
    "p([z,x])",
    "p([y,y,y,z])",
    "p([x])",
    "count(p([y,y]),3)",
    "p([x,z,y,x])",
    "q(_)",
    "msw(n,2)",
]


@pytest.fixture(autouse=True)
def small_slices(monkeypatch):
    monkeypatch.setattr(slices, "SLICE_BYTES", 1)  # a goal each


def learned(tmp_path, search, *flags, goals=GOALS, seed=5):
    (tmp_path / "grammar.psm").write_text(GRAMMAR)
    printed: list[str] = []
    session = Session(printed.append)
    session.prism(tmp_path / "grammar.psm")
    for flag in ("learn_mode,ml_vt", f"vt_search,{search}", *flags):
        session.once(f"set_prism_flag({flag})")
    session.once(f"set_seed({seed})")
    found = session.learn(goals)
    text = [line for line in "".join(printed).splitlines() if "time" not in line and "space" not in line]
    return session, found, text


@pytest.mark.parametrize(
    "flags",
    [
        (),
        ("restart,6",),
        ("restart,3", "threads,2"),
        ("init,noisy_u",),
        ("init,none", "restart,2"),
        ("log_scale,on",),
        ("learn_mode,vb_vt", "restart,2"),
        ("learn_mode,both_vt",),
        ("default_sw_d,0.5",),
        ("vt_best,3",),
    ],
)
def test_the_same_as_on_the_graph(tmp_path, flags):
    on, found_on, text_on = learned(tmp_path, "on", *flags)
    off, found_off, text_off = learned(tmp_path, "off", *flags)
    same = [line for line in text_off if "Graph size" not in line]
    assert [line for line in text_on if "Graph size" not in line] == same
    assert found_on.keys() == found_off.keys()
    theta_on, theta_off = (s.machine.prob.switches.parameters() for s in (on, off))
    np.testing.assert_allclose(theta_on, theta_off, rtol=0, atol=1e-12)
    for query in ("get_sw(s,X)", "get_sw_pd(b,X)", "get_sw_d(c,X)"):
        assert str(on.once(query)) == str(off.once(query))


def test_one_slice_tells_the_size_of_the_graph(tmp_path, monkeypatch):
    monkeypatch.setattr(slices, "SLICE_BYTES", 1 << 20)
    on, off = (learned(tmp_path, search)[0] for search in ("on", "off"))
    query = "findall(K-V,graph_statistics(K,V),X)"
    assert on.once(query)["X"] == off.once(query)["X"]


def test_nothing_of_a_slice_stays(tmp_path):
    """Tables, nodes and stored terms are those of one goal, however many are learned from."""
    session, _, _ = learned(tmp_path, "on", goals=["p([x])"])
    m = session.machine
    seen = []
    drop = slices.table_space.drop_young

    tables = m.tabling.tables

    def watched(machine):
        seen.append((tables.table_count, tables.node_count, tables.path_count, m.store.top))
        drop(machine)
        seen[-1] += (tables.table_count, tables.node_count, tables.path_count)

    slices.table_space.drop_young = watched
    try:
        session.learn([f"p([{','.join('xyz'[i // 3**k % 3] for k in range(4))}])" for i in range(81)])
    finally:
        slices.table_space.drop_young = drop
    assert len(seen) > 81
    assert {after for *_, a, b, c in seen for after in [(a, b, c)]} == {seen[0][4:]}
    first, last = seen[0][3], seen[-1][3]
    assert last < first + 4000  # in words: the goals themselves were stored before


def test_shared_subgoals_and_tables_in_use(tmp_path):
    """learn within a search: what is being filled stays."""
    (tmp_path / "grammar.psm").write_text(
        GRAMMAR + ":- table t(+,max).\nt(N,X) :- learn([p([x,y]),p([y])]), X = N.\n"
    )
    session = Session([].append)
    session.prism(tmp_path / "grammar.psm")
    for flag in ("learn_mode,ml_vt", "vt_search,on"):
        session.once(f"set_prism_flag({flag})")
    assert session.once("t(3,X)")["X"] == 3
    assert session.once("prob(p([x]),P)")["P"] >= 0


def test_errors(tmp_path):
    with pytest.raises(PrismError, match="explanation_not_found"):
        learned(tmp_path, "on", goals=["p([x])", "p([w])"])
    with pytest.raises(PrismError, match="not_offered"):
        learned(tmp_path, "on", "trials,once")
    session, _, _ = learned(tmp_path, "on", "learn_mode,ml")  # the flag is Viterbi training's
    assert session.once("learn_statistics(bic,X)") is not None
    with pytest.raises(PrismError):
        session.once("set_prism_flag(vt_search,maybe)")


def test_graphs_are_written_slice_by_slice(tmp_path):
    _, _, on = learned(tmp_path, "on", "verb,graph", goals=["p([x])", "p([z])"])
    _, _, off = learned(tmp_path, "off", "verb,graph", goals=["p([x])", "p([z])"])
    assert sum("<<Goal" in line for line in off) == 2
    # nodes are numbered in each slice anew
    assert [re.sub(r"g\[\d+\]", "g", line) for line in on] == [re.sub(r"g\[\d+\]", "g", line) for line in off]


def test_an_interrupt_keeps_the_session(tmp_path, monkeypatch):
    """In the middle of an iteration: the search is broken off, the switches are as they were."""
    session, _, _ = learned(tmp_path, "on")
    before = session.machine.prob.switches.parameters().copy()
    calls = 0
    answers = slices.answers

    def interrupted(m, goal):
        nonlocal calls
        calls += 1
        if calls == 2 * len(GOALS) + 3:
            m.interrupts.interrupted = True
        return answers(m, goal)

    monkeypatch.setattr(slices, "answers", interrupted)
    with pytest.raises(KeyboardInterrupt):
        session.learn(GOALS)
    monkeypatch.undo()
    np.testing.assert_array_equal(session.machine.prob.switches.parameters(), before)
    assert session.once("prob(p([x,y]),P)")["P"] > 0
    assert session.learn(GOALS)

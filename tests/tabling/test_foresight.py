"""Calls that are known to fail are not made: the graph is the one of a program in which all are made.

A test between two goals, which always succeeds, is enough to have all calls made.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.programs import Program
from tests.tabling.test_lookahead import outcome
from tests.tabling.test_sweeps import graph_of

pytestmark = pytest.mark.quick

SYMBOLS = ["s", "n", "v", "d"]
WORDS = ["a", "b", "c"]
bodies = st.lists(st.sampled_from(SYMBOLS + WORDS + WORDS), min_size=1, max_size=3)
grammars = st.fixed_dictionaries({symbol: st.lists(bodies, min_size=1, max_size=4) for symbol in SYMBOLS})
sentences = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=1, max_size=4)

HEAD = ":- p_table s/2, n/2, v/2, d/2, word/3, rule/3, derive/3, goal/1.\n"


def as_clauses(grammar, between):
    """One clause a rule; words are calls of a tabled predicate with one more argument."""
    text = ["goal(L) :- s(L,[]).", "word(W,[W|L],L)."]
    for symbol, rules in grammar.items():
        text.append(f"values({symbol},[{','.join(map(str, range(len(rules))))}]).")
        for number, rule in enumerate(rules):
            goals = [f"msw({symbol},{number})"]
            for i, part in enumerate(rule):
                rest = f"L{i + 1}" if i + 1 < len(rule) else "L"
                call = f"{part}(L{i},{rest})" if part in SYMBOLS else f"word({part},L{i},{rest})"
                goals += [*between, call]
            text.append(f"{symbol}(L0,L) :- {', '.join(goals)}.")
    return HEAD + "\n".join(text) + "\n"


def as_outcomes(grammar, between):
    """One clause for all rules, which are the outcomes of switches."""
    text = ["goal(L) :- derive([s],L,[])."]
    for symbol, rules in grammar.items():
        values = ",".join("[" + ",".join(rule) + "]" for rule in rules)
        text.append(f"values({symbol},[{values}]).")
    check = "".join(f"{goal}, " for goal in between)
    text.append("derive([],L,L).")
    text.append(f"derive([X|Xs],L0,L) :- rule(X,L0,L1), {check}derive(Xs,L1,L).")
    text += [f"rule({word},[{word}|L],L)." for word in WORDS]
    text += [f"rule({symbol},L0,L) :- msw({symbol},Body), {check}derive(Body,L0,L)." for symbol in SYMBOLS]
    return HEAD + "\n".join(text) + "\n"


@pytest.mark.parametrize("written", [as_clauses, as_outcomes])
@settings(max_examples=100, deadline=None)
@given(grammars, sentences)
def test_foresight_changes_nothing(tmp_path_factory, written, grammar, words):
    folder = tmp_path_factory.mktemp("foresight")
    goals = [f"goal([{','.join(sentence)}])" for sentence in words]
    foreseen = Program(folder, written(grammar, []))
    found = [outcome(foreseen, [goal]) for goal in goals]
    together = outcome(foreseen, goals)
    called = Program(folder, written(grammar, ["0 < 1"]))
    assert found == [outcome(called, [goal]) for goal in goals]
    assert together == outcome(called, goals)


def calls(program, goals):
    """How many calls a search makes."""
    before = program.m.call_count()
    graph_of(program, goals)
    return program.m.call_count() - before


GRAMMAR = {
    "s": [["n", "v"], ["s", "d"], ["n", "d"], ["n", "s", "a"], ["v", "s"]],
    "n": [["a"], ["n", "b"], ["d", "n"]],
    "v": [["b"], ["v", "v"], ["v", "n"]],
    "d": [["c"], ["d", "d"]],
}


@pytest.mark.shortcuts
@pytest.mark.parametrize("written", [as_clauses, as_outcomes])
def test_calls_that_are_known_to_fail_are_not_made(tmp_path, written):
    goals = [f"goal([a,{','.join(n * 'b')},c])" for n in range(4, 8)]
    foreseen = calls(Program(tmp_path, written(GRAMMAR, [])), goals)
    called = calls(Program(tmp_path, written(GRAMMAR, ["0 < 1"])), goals)
    assert foreseen < called


def test_an_msw_that_fails_to_exist_is_an_error_in_each_search(tmp_path):
    """The first call of a clause has no answers, but the msw before it is an error, and stays one."""
    program = Program(
        tmp_path,
        "values(known,[x]).\n"
        ":- p_table p/2, q/2, goal/1.\n"
        "p(L0,L) :- msw(known,x), q(L0,M), p(M,L).\n"
        "p(L0,L) :- msw(unknown,x), q(L0,M), p(M,L).\n"
        "p([a|L],L) :- msw(known,x).\n"
        "q([b|L],L) :- msw(known,x).\n"
        "goal(L) :- p(L,[]).\n",
    )
    for _ in range(2):
        assert "unknown" in str(program.ask("prob(goal([a]))"))


def test_more_patterns_of_calls_than_the_index_holds(tmp_path):
    """Each call has another first argument: what is known of calls is forgotten on the way."""
    program = Program(
        tmp_path,
        "values(c,[x,y]).\n"
        "count(0,[a],L) :- msw(c,x), L = [].\n"
        "count(N,L0,L) :- N > 0, msw(c,y), M is N-1, count(M,L0,L).\n"
        "again(N,L) :- count(N,L,_), M is N//2, count(M,L,_).\n",
    )
    assert program.number("log_prob(again(33000,[a]),P)") == pytest.approx(49502 * -0.6931471805599453)


def test_a_list_longer_than_the_rows_that_are_kept(tmp_path):
    """Rows of lists are forgotten on the way: calls are found by their keys."""
    program = Program(
        tmp_path,
        "values(c,[x,y]).\n"
        "walk([]).\n"
        "walk([X|L]) :- msw(c,X), walk(L).\n"
        "twice(L) :- walk(L), walk(L).\n"
        "long(N,L) :- findall(x,between(1,N,_),L).\n",
    )
    assert program.number("long(6000,L), log_prob(twice(L),P)") == pytest.approx(12000 * -0.6931471805599453)


@pytest.mark.parametrize("between", [13, 14, 15, 16, 30])
def test_answers_that_bind_a_far_argument(tmp_path, between):
    """The list argument of the next call is any argument of the one whose answers are returned."""
    ones = ",".join("1" for _ in range(between))
    voids = ",".join("_" for _ in range(between))
    program = Program(
        tmp_path,
        f"""
values(c,[h,t]).
g(_,_) :- msw(c,_), u(1).
g(L,_) :- msw(c,_), p(L).
g(_,K) :- msw(c,_), p(K).
g(_,K) :- msw(c,h), q(K,{ones},M), p(M).
q(_,{voids},[y]) :- msw(c,_).
p([y|_]) :- msw(c,h).
u(2) :- msw(c,_).
""",
    )
    assert program.number("prob(g([x],[z,w]),P)") == 0.25

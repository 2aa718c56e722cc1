"""Tables are evaluated by branches: the graph is the one that whole evaluations find, paths in order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_repl.core.instructions import CONSTANTS
from prism_repl.inference import search
from prism_repl.prolog.reader import read_term
from prism_repl.prolog.writer import write_term
from prism_repl.tabling.explanations import forget_terms
from tests.support.programs import Program
from tests.tabling.test_lookahead import FIRST, GOALS, REST, outcome

pytestmark = pytest.mark.quick

P_FLAGS, F_CUTS = CONSTANTS["P_FLAGS"], CONSTANTS["F_CUTS"]

# More of what reads tables that are not complete, and of choices before and after.
READERS = [
    *GOALS,
    "p(L0,M), p(M,L)",
    "q(L0,M), q(M,L)",
    "p(L0,L1), q(L1,L2), r(L2,k,L)",
    "( p(L0,L) ; q(L0,L) )",
    "member(X,[a,b]), L0 = [X|M], p(M,L)",
    "member(_,[1,2]), p(L0,L)",
    "msw(z,V), ( V == x -> p(L0,L) ; q(L0,L) )",
    "msw(z,V), s(V,L0,L)",
    "call((msw(z,V), s(V,L0,L)))",
    "once((msw(z,V), s(V,L0,L)))",
    "s(y,L0,M), s(x,M,L)",
]

HEADS = {
    "p": ["p(L0,L)"],
    "q": ["q(L0,L)"],
    "r": ["r(L0,k,L)"],
    "s": ["s(x,L0,L)", "s(y,L0,L)", "s(_,L0,L)"],
}

BASES = {**FIRST, "s": ["s(x,[a|L],L) :- msw(base,x)."]}


@st.composite
def programs(draw):
    text = []
    for name, heads in HEADS.items():
        clauses = list(BASES[name])
        for number, goal in enumerate(draw(st.lists(st.sampled_from(READERS), min_size=1, max_size=4))):
            head = draw(st.sampled_from(heads))
            value = draw(st.sampled_from(["x", "y", "_", "W"]))
            switch = draw(st.sampled_from([f"msw({name}{number},{value}), ", ""]))
            clauses.append(f"{head} :- {switch}{goal}.")
        text += draw(st.permutations(clauses))
    return "\n".join(text) + REST


def tabled_predicates(m):
    return [m.program.pred(m.functor(m.atom(name), arity)) for name, arity in m.prob.tabled]


@settings(max_examples=150, deadline=None)
@given(programs(), st.lists(st.lists(st.sampled_from("ab"), max_size=5), min_size=1, max_size=3))
def test_branches_find_what_whole_evaluations_find(tmp_path_factory, text, lists):
    program = Program(tmp_path_factory.mktemp("branches"), ":- p_table p/2, q/2, r/3, s/3, goal/1.\n" + text)
    m = program.m
    for letters in lists:
        goals = [f"goal([{','.join(letters)}])"]
        found = outcome(program, goals)
        flags = {p: m.program.pred_field(p, P_FLAGS) for p in tabled_predicates(m)}
        for p, value in flags.items():  # as if they had cuts: then all their clauses are one branch
            m.program.set_pred_field(p, P_FLAGS, value | F_CUTS)
        assert found == outcome(program, goals)
        for p, value in flags.items():
            m.program.set_pred_field(p, P_FLAGS, value)


def paths_of(program, goal, node):
    """The paths of a goal of a graph, as texts, in their order."""
    m = program.m
    forget_terms(m)
    found = search.search(m, [m.intern(read_term(m, goal + " .").cell, True)])
    graph = found.graph
    number = [write_term(m, found.node_cell(i)) for i in range(graph.n_nodes)].index(node)
    return [
        " & ".join(
            write_term(
                m,
                found.switch_cell(f) if f < graph.n_instances else found.node_cell(f - graph.n_instances),
            )
            for f in graph.factors[graph.path_factors[path] : graph.path_factors[path + 1]].tolist()
        )
        for path in graph.paths(number)
    ]


def test_paths_come_in_the_order_of_the_clauses(tmp_path):
    # the first clause finds its answers last: when the second has found one
    program = Program(
        tmp_path,
        """
        values(w,[1,2,3]).
        e(L0,L) :- msw(w,1), e(L0,M), M = [a|L].
        e([a|L],L) :- msw(w,2).
        e([a,a|L],L) :- msw(w,3).
        """,
    )
    assert paths_of(program, "e([a,a],[])", "e([a,a],[])") == ["e([a,a],[a]) & msw(w,1)", "msw(w,3)"]


def test_outcomes_are_branches_in_their_order(tmp_path):
    program = Program(
        tmp_path,
        """
        values(_,[[s,a],[a],[a,a]]).
        s(L) :- s([s],L,[]).
        s([],L,L).
        s([a|Xs],[a|L0],L) :- s(Xs,L0,L).
        s([s|Xs],L0,L) :- msw(s,Body), s(Body,L0,L1), s(Xs,L1,L).
        """,
    )
    paths = paths_of(program, "s([a,a])", "s([s],[a,a],[])")
    assert [path.split(" & ")[-1] for path in paths] == ["msw(s,[s,a])", "msw(s,[a,a])"]


def test_a_call_before_the_first_tabled_one_of_a_branch(tmp_path):
    # q makes no tabled call itself; p, which it was called by, has then made one
    program = Program(
        tmp_path,
        """
        :- p_table p/2, q/2.
        values(_,[x,y]).
        p([a|L],L) :- msw(base,x).
        p(L0,L) :- msw(p0,_), q(L0,M), p(M,L).
        q(L0,L) :- msw(q1,_), L0 = L.
        q([_|L],L).
        """,
    )
    assert "cycle_detected" in str(program.ask("prob(p([b,a],_))"))


@pytest.mark.parametrize("words", [10, 60, 61, 500])
def test_many_clauses(tmp_path, words):
    lexicon = "\n".join(f"w([w{i}|L],L) :- msw(word,{i})." for i in range(words))
    program = Program(
        tmp_path,
        f"values(word,{list(range(words))}).\nvalues(more,[x,y]).\n"
        + f"s(L0,L) :- msw(more,x), s(L0,M), w(M,L).\ns(L0,L) :- msw(more,y), w(L0,L).\n{lexicon}\n",
    )
    for last in (0, words // 2, words - 1):
        assert program.number(f"prob(s([w0,w{last}],[]),P)") == pytest.approx(0.25 / words**2)


def test_answers_that_a_cut_leaves_without_a_path_are_dropped(tmp_path):
    """q(2) is found while r has no answer, and cut away when it has one."""
    program = Program(
        tmp_path,
        """
        values(_,[x,y]).
        q(X) :- msw(a,_), r(X), !.
        q(2) :- msw(b,_).
        r(X) :- q(X), X == none.
        r(1) :- msw(c,_).
        r(X) :- msw(d,_), q(X).
        goal(N) :- r(X), X = N.
        late(X) :- msw(a,x), early(X), !.
        late(2) :- msw(b,_).
        early(1) :- msw(c,x), \\+ \\+ true.
        early(3) :- late(X), X == 2, msw(d,x).
        """,
    )
    # r(1) needs q(1), and that r(1): a cycle; r(2) comes from q(2) only
    for query in ("prob(goal(1),P)", "n_viterbi(5,goal(1),P)", "viterbif(goal(1),P,_)"):
        assert "cycle_detected" in program.ask(query)
    assert program.ask("prob(goal(2),P)") == []
    assert program.number("prob(late(1),P)") == 0.25
    assert program.number("prob(early(1),P)") == 0.5
    assert program.number("prob(early(3),P)") is None


@pytest.mark.parametrize("shortcuts", ["on", "off"])
def test_a_cut_that_denies_its_own_reason(tmp_path, shortcuts):
    """q holds by its second clause if r fails, and r holds if q does: no set of answers agrees with all
    clauses (what random program 2132 comes down to). The search ends all the same."""
    program = Program(
        tmp_path,
        """
        values(_,[x]).
        q(_,_) :- r(h,_), !, msw(a,x).
        q(f(_),_) :- msw(b,x).
        r(_,0) :- s(f(_)), msw(c,x).
        r(_,Y) :- q(Y,Y), msw(d,x).
        s(f(_)) :- q(_,_), msw(e,x).
        once :- again, !, msw(a,x).
        once :- msw(b,x).
        again :- once, msw(c,x).
        """,
    )
    program.ask(f"set_prism_flag(search_shortcuts,{shortcuts})")
    assert program.ask("prob(q(_,_),P)") == []
    assert "cycle_detected" in program.ask("prob(once,P)")

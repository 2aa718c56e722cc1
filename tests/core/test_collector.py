"""The collector: programs give the same answers whether garbage is collected at every call or never."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_repl.core import instructions
from prism_repl.core.instructions import CONSTANTS, OPCODES, SHAPES
from prism_repl.core.liveness import decode, slots_needed
from prism_repl.core.queries import Query, solve_once
from prism_repl.prolog.reader import Reader, read_term
from tests.support.sizes import sized
from tests.support.solve import Prolog

PROGRAM = r"""
app([],L,L).
app([H|T],L,[H|R]) :- app(T,L,R).
nrev([],[]).
nrev([H|T],R) :- nrev(T,RT), app(RT,[H],R).
range(N,N,[N]) :- !.
range(I,N,[I|T]) :- I < N, I1 is I+1, range(I1,N,T).
sel(X,[X|T],T).
sel(X,[H|T],[H|R]) :- sel(X,T,R).
perm([],[]).
perm(L,[H|T]) :- sel(H,L,R), perm(R,T).
queens(N,Qs) :- range(1,N,Ns), perm(Ns,Qs), safe(Qs).
safe([]).
safe([Q|Qs]) :- no_attack(Q,Qs,1), safe(Qs).
no_attack(_,[],_).
no_attack(Q,[Q1|Qs],D) :- Q =\= Q1+D, Q =\= Q1-D, D1 is D+1, no_attack(Q,Qs,D1).
right(A,B,[A,B|_]).
right(A,B,[_|T]) :- right(A,B,T).
next(A,B,L) :- right(A,B,L) ; right(B,A,L).
mem(X,[X|_]).
mem(X,[_|T]) :- mem(X,T).
zebra(Owner,Hs) :-
    Hs = [h(_,norwegian,_,_,_),_,h(_,_,_,milk,_),_,_],
    mem(h(red,english,_,_,_),Hs), mem(h(green,_,_,coffee,_),Hs), mem(h(_,spanish,dog,_,_),Hs),
    mem(h(_,ukrainian,_,tea,_),Hs), right(h(ivory,_,_,_,_),h(green,_,_,_,_),Hs),
    mem(h(_,_,snails,_,winston),Hs), mem(h(yellow,_,_,_,kools),Hs),
    next(h(_,_,_,_,chesterfield),h(_,_,fox,_,_),Hs), next(h(_,_,_,_,kools),h(_,_,horse,_,_),Hs),
    mem(h(_,_,_,orange,lucky),Hs), mem(h(_,japanese,_,_,parliament),Hs),
    next(h(_,norwegian,_,_,_),h(blue,_,_,_,_),Hs), mem(h(_,Owner,zebra,_,_),Hs).
fact(0,1) :- !.
fact(N,F) :- M is N-1, fact(M,G), F is N*G.
mean(L,M) :- mean(L,0.0,0,M).
mean([],S,N,M) :- M is S/N.
mean([X|T],S,N,M) :- S1 is S+sqrt(X), N1 is N+1, mean(T,S1,N1,M).
% a slot that is set, backtracked over, and not yet set again when the collector comes
stale(L,R) :- mem(X,L), tall(X,T), big(T), R = X-T.
tall(X,T) :- range(1,X,T).
big(T) :- nrev(T,[H|_]), H > 7.
branch(X,Y) :-
    ( X > 5 -> nrev([X,2.5,a(X)],Z), app(Z,Z,Y) ; X > 2 -> Y = W, range(1,X,W) ; \+ X = 0, Y = f(X) ).
soft(X,Y) :- ( mem(X,[1,2,3]) *-> nrev([X,X],Y) ; Y = none ).
either(X) :- nrev([a,b],Y), ( X = Y ; nrev(Y,X) ; app(Y,Y,X) ).
careful(G,R) :- catch(run(G,R), ball(B), (nrev(B,C), R = caught(C))).
run(G,R) :- range(1,12,L), nrev(L,M), call(G,M), R = M.
toss(L) :- app(L,L,K), throw(ball(K)).
nested(0,[]) :- !.
nested(N,R) :- M is N-1, catch(nested(M,S),never,true), app(S,[N,n(N)],R).
change(N,T) :- T = box(0,v), change_loop(N,T).
change_loop(0,_) :- !.
change_loop(N,T) :- setarg(1,T,g(N)), nrev([1,2],_), M is N-1, change_loop(M,T).
undo(X,Y) :- T = box(old(1)), nrev([1,2,3],_), ( setarg(1,T,new(2)), nrev([1,2],_), setarg(1,T,newer(3)),
    nrev([1,2],_), T = box(X0), X = X0-Y0, arg(1,T,Y0), Y = 1 ; T = box(X), Y = 2 ).
hanoi(0,_,_,_,[]) :- !.
hanoi(N,A,B,C,M) :- N1 is N-1, hanoi(N1,A,C,B,M1), hanoi(N1,C,B,A,M2), app(M1,[A-B|M2],M).
late(N,L) :- length(L,N), bind(L,1).
bind([],_).
bind([X|T],I) :- I1 is I+1, bind(T,I1), nrev([I,I1],X).
inner(X) :- findall(Y, ( mem(Z,[1,2,3]), findall(W, ( mem(W,[a,b]), nrev([1,2],_) ), Ws), Y = Z-Ws ), X).
"""

TABLED = """
:- table(path/2).
path(X,Y) :- path(X,Z), edge(Z,Y).
path(X,Y) :- edge(X,Y).
edge(a,f(b)). edge(f(b),[c,1.5]). edge([c,1.5],a). edge(a,d).
"""

QUERIES = [
    "range(1,30,L), nrev(L,R)",
    "queens(6,Q)",
    "findall(Q,queens(5,Q),L)",
    "zebra(O,H)",
    "fact(40,F), fact(30,G), H is F//G",
    "range(1,40,L), mean(L,M)",
    "stale([3,9,2,8],R)",
    "mem(X,[0,1,3,9]), branch(X,Y)",
    "soft(X,Y)",
    "soft(7,Y)",
    "either(X)",
    "careful(toss,R)",
    "careful(is_list,R)",
    "careful(foo(1),R)",
    "catch(careful(throw,R),E,true)",
    "nested(15,R)",
    "change(50,T)",
    "undo(X,Y)",
    "hanoi(5,a,b,c,M)",
    "late(12,L)",
    "inner(X)",
    "range(1,9,L), nrev(L,R), msort(R,S), copy_term(f(R,X,Y,X),C), nrev(S,T)",
    "X = f(A,B,A), nrev([X,B],Y), B = 2.5, nrev([Y,X],Z), A = 123456789012345678901234567890",
    "L = [A,B,C|T], nrev([1,2],_), msort([C,A,B],S), nrev(S,R), T = [B]",
    "bagof(X-Y,mem(X-Y,[1-a,2-b,1-c]),L), setof(K,V^mem(K-V,[2-x,1-y]),M)",
    "forall(mem(X,[1,2,3]), (nrev([X,X],L), L = [X,X]))",
    "between(1,6,X), nrev([X,X],L), X mod 2 =:= 0",
    "length(L,3), nrev(L,R), L = [a,b,c]",
    'atom_codes(A,"abc"), nrev([A,A],L), atom_concat(A,xyz,B), sub_atom(B,S,2,0,C)',
    "catch(call_cleanup(nrev([1,2],X),nrev([1],_)),_,true)",
    "nrev([1,2,3],L), once(mem(X,L)), \\+ mem(9,L), ignore(mem(Y,L))",
    "assertz(kept(f(X,[1.5],Y))), nrev([1,2],_), kept(K), nrev([K,K],R), retract(kept(Z))",
]


def load(m, text):
    reader = Reader(m, text, "program")
    while (term := reader.read_term()) is not None:
        c = m.deref(term.cell)
        if m.atom_text(m.name_of(c)) == ":-" and m.arity_of(c) == 1:
            assert solve_once(m, m.arg(c, 0))
        else:
            m.database.add_clause(c, True, 0)


def prolog(program=PROGRAM):
    system = Prolog()
    with_stride(system, 0)
    load(system.m, program)
    return system


def with_stride(system, stride):
    """From now on the collector runs whenever this many words were used (0: when it has to)."""
    m = system.m
    m.heap.gc_stride = stride
    m.heap.gc_threshold = m.heap.H if stride else 1 << 20


@pytest.fixture(scope="module")
def systems():
    plain = prolog()
    stressed = []
    for stride in (1, 7, 100):
        system = prolog()
        with_stride(system, stride)
        stressed.append(system)
    return plain, stressed


@pytest.mark.parametrize("query", QUERIES)
def test_same_answers(systems, query):
    plain, stressed = systems
    expected = plain.answers(query)
    if os.environ.get("PRISM_CHECKED") != "collect":  # there no machine goes without
        assert plain.m.collector.collections == 0
    for system in stressed:
        assert system.answers(query) == expected
    assert stressed[0].m.collector.collections > 0


@pytest.mark.quick
def test_every_call_collects():
    system = prolog()
    expected = [system.answers(q) for q in ("nrev([1,2,3],R)", "zebra(O,_)", "careful(toss,R)")]
    with_stride(system, 1)
    assert [system.answers(q) for q in ("nrev([1,2,3],R)", "zebra(O,_)", "careful(toss,R)")] == expected
    assert system.m.collector.collections > 100


def test_tabling():
    plain = prolog(PROGRAM + TABLED)
    stressed = prolog(PROGRAM + TABLED)
    with_stride(stressed, 1)
    for query in ("path(a,X)", "path(X,Y)", "findall(X-Y,path(X,Y),L), nrev(L,R)"):
        assert stressed.answers(query) == plain.answers(query)
        plain.m.tabling.clear_tables()
        stressed.m.tabling.clear_tables()


# ---- terms survive

ATOMS = st.sampled_from(["a", "[]", "f", "'X y'"])
NUMBERS = st.one_of(
    st.integers(-100, 100).map(str),
    st.integers(1 << 62, 1 << 200).map(str),
    st.floats(0.001, 1e9, allow_nan=False).map(repr),
)
VARIABLES = st.sampled_from(["X", "Y", "Z", "_"])
TERMS = st.recursive(
    st.one_of(ATOMS, NUMBERS, VARIABLES),
    lambda t: st.one_of(
        st.lists(t, max_size=4).map(lambda x: "[" + ",".join(x) + "]"),
        st.lists(t, min_size=1, max_size=4).map(lambda x: "g(" + ",".join(x) + ")"),
        st.tuples(t, t).map(lambda x: f"[{x[0]}|{x[1]}]"),
    ),
    max_leaves=25,
)


@pytest.fixture(scope="module")
def stressed():
    system = prolog()
    with_stride(system, 1)
    return system


@settings(max_examples=150, deadline=None)
@given(TERMS, TERMS)
def test_terms_survive(stressed, one, two):
    """A term that is reached through arguments, slots, a choice point, findall and bound variables."""
    found = stressed.answers(
        f"T = t({one},{two}), copy_term(T,C), nrev([T,P],[Q,U]), P = C, nrev([1,2,3],_), "
        "( nrev([T,Q],[C1,U1]), nrev([C1,U1],_), \\+ \\+ T = U, fail "
        "; findall(T,mem(_,[1,2]),[F|_]), nrev([F],[G]), "
        "copy_term(T-Q,A-B), ( A == T ; \\+ ground(T) ), copy_term(A,K), "
        "numbervars(K,0,N), numbervars(G,0,N), numbervars(B,0,N), K == G, B == G, numbervars(U,0,N), U == G )"
    )
    assert found
    assert not found[0].startswith("error")


# ---- memory is bounded


LOOPS = r"""
count(0) :- !.
count(N) :- X = f(N,N,[N]), see(X), M is N-1, count(M).
see(_).
count_if(N) :- ( N > 0 -> X = f(N,[N|_]), see(X), M is N-1, count_if(M) ; true ).
sum(0,S,S) :- !.
sum(N,A,S) :- B is A+N*1.5, M is N-1, sum(M,B,S).
state(0,_) :- !.
state(N,s(A,B)) :- M is N-1, state(M,s(B,[A])), fail.
state(N,s(A,_)) :- M is N-1, state2(M,s(N,A)).
state2(0,_) :- !.
state2(N,s(A,_)) :- M is N-1, state2(M,s(N,[A])), !.
keep(0,_) :- !.
keep(N,T) :- setarg(1,T,f(N)), M is N-1, keep(M,T).
cut(0) :- !.
cut(N) :- X = g(_,N), ( see(X), arg(1,X,1) ; true ), !, M is N-1, cut(M).
fill(N) :- between(1,N,X), Y = f(X,X,X,X), see(Y), fail.
fill(_).
deep(0) :- !.
deep(N) :- M is N-1, catch(see(f(N,N)),_,true), deep(M).
meta(0) :- !.
meta(N) :- G = see(f(N)), call(G), \+ \+ see(N), once(see(G)), M is N-1, meta(M).
collected(0) :- !.
collected(N) :- findall(X,(X=1;X=f(N)),L), see(L), M is N-1, collected(M).
"""

BOUNDED = ["count", "count_if", "cut", "fill", "deep", "meta", "collected"]


@pytest.mark.unchecked  # the sizes of stacks
@pytest.mark.parametrize("loop", [f"{name}(N)" for name in BOUNDED] + ["sum(N,0,_)", "keep(N,t(0,1))"])
def test_loop_is_bounded(loop):
    """A loop that keeps little alive stays within little heap, trail and stack; also above a choice point."""
    system = prolog(LOOPS)
    m = system.m
    most = 0

    class Watch:
        collections = 0

        def __init__(self, collector):
            self.collector = collector

        def __call__(self, machine, nargs):
            nonlocal most
            self.collector(machine, nargs)
            self.collections += 1
            most = max(most, machine.heap.H + machine.heap.TR)

        def forget_code(self):
            self.collector.forget_code()

    m.collector = Watch(m.collector)
    with_stride(system, 20000)
    sizes = m.stacks.env_size, m.stacks.choice_size
    assert system.answers(loop.replace("N", "60000")) == ["true"]
    assert m.collector.collections > 0 or loop == "fill(N)"
    assert most < 8000
    assert system.answers("(true ; true), " + loop.replace("N", "60000"), limit=1) == ["true"]
    assert most < 8000
    assert (m.stacks.env_size, m.stacks.choice_size) == sizes


# ---- the code that the collector reads


@pytest.mark.quick
def test_every_instruction_has_a_shape():
    assert set(SHAPES) == set(OPCODES)
    assert set(instructions.LAST_INSTRUCTIONS) <= set(OPCODES)


def test_code_of_the_library_is_understood():
    """Every clause of the library decodes to exactly its end, and never needs a slot it has not written."""
    m = prolog().m
    size, first, following, code = (CONSTANTS[n] for n in ("C_SIZE", "P_FIRST", "C_NEXT", "C_CODE"))
    term = CONSTANTS["C_TERM"]
    alloc, call = OPCODES.index("ALLOC"), OPCODES.index("CALL")
    clauses = 0
    for p in range(1, m.program.pred_count):
        at = (
            m.program.pred_field(p, first)
            if m.program.pred_field(p, CONSTANTS["P_KIND"]) == CONSTANTS["K_CLAUSES"]
            else 0
        )
        while at:
            end = m.program.code_word(at + term) or at + m.program.code_word(at + size)
            where = at + code
            slots = 0
            while where < end:
                op = m.program.code_word(where)
                if op == alloc:
                    slots = m.program.code_word(where + 1)
                where = decode(m, where)[0]
                if op == call:
                    assert all(y < slots for y in slots_needed(m, where))
            assert where == end
            assert slots_needed(m, at + code) == []
            clauses += 1
            at = m.program.code_word(at + following)
    assert clauses > 300


# ---- limits and interrupts

RUNAWAY = """
both :- both, both.
wide(X) :- wide(f(X,X)).
choose :- choice, choose.
choice.
choice.
bind_all([X|T]) :- X = 1, bind_all(T).
"""


@pytest.mark.parametrize("goal", ["both", "wide(a)", "choose", "bind_all(_)"])
def test_runaway_recursion_is_an_error(goal):
    """Endless recursion ends in an error that can be caught; the memory is given back."""
    system = prolog(RUNAWAY)
    m = system.m
    assert system.answers("set_prolog_flag(stack_limit,20000000)") == ["true"]
    assert system.answers(f"catch({goal},error(E,_),true)") == ["E=resource_error(memory)"]
    assert system.answers(goal) == ["resource_error(memory)"]
    assert system.answers("X = 1") == ["X=1"]
    assert (
        max(
            m.heap.size,
            m.heap.trail_size,
            m.stacks.env_size,
            m.stacks.choice_size,
            m.heap.work_size,
        )
        <= 1 << 20
    )


def test_stack_limit_flag():
    system = prolog("")
    assert system.answers("set_prolog_flag(stack_limit,16000000)") == ["true"]
    assert system.answers("current_prolog_flag(stack_limit,X)") == ["X=16000000"]
    assert system.answers("set_prolog_flag(stack_limit,10)") == ["domain_error(flag_value,stack_limit+10)"]


LONG = """
numbers(N,L) :- numbers(N,[],L).
numbers(0,L,L) :- !.
numbers(N,A,L) :- X is (N*7919) mod 100003, M is N-1, numbers(M,[f(X,_)|A],L).
codes(0,[]) :- !.
codes(N,[97|T]) :- M is N-1, codes(M,T).
"""


@pytest.mark.parametrize(
    ("setup", "goal"),
    [
        ("numbers(200000,L)", "msort(L,_)"),
        ("numbers(200000,L)", "copy_term(L,_)"),
        ("numbers(200000,L), copy_term(L,M)", "L = M"),
        ("codes(200000,L), copy_term(L,M)", "compare(_,L,M)"),
        ("numbers(200000,L)", "term_variables(L,_)"),
        ("numbers(200000,L)", "acyclic_term(L)"),
        ("numbers(200000,L)", "assertz(kept(L))"),
        ("codes(200000,L)", "atom_codes(_,L)"),
        ("codes(200000,L), atom_codes(A,L)", "atom_chars(A,_)"),
        ("true", "repeat, fail"),
    ],
)
def test_interrupt(setup, goal):
    """Builtins that go over long terms look for interrupts, and leave all in order."""
    system = prolog(LONG)
    m = system.m

    def interrupt(machine):
        machine.interrupts.interrupted = True
        return True

    m.program.define_host("interrupt", 0, interrupt)
    query = Query(m, read_term(m, f"{setup}, interrupt, {goal}").cell)
    with pytest.raises(KeyboardInterrupt):
        query.next()
    query.close()
    assert m.heap.wtop == 0
    assert m.heap.TR == 0
    assert system.answers("numbers(3,L), copy_term(L,[_|M])")


# ---- long lists

MANY = sized(200_000)


@pytest.mark.parametrize(
    "goal",
    [
        f"numbers({MANY},L), length(L,N)",
        f"numbers({MANY},L), append(L,[x],M), length(M,N)",
        f"numbers({MANY},L), msort(L,M), length(M,N)",
        f"numbers({MANY},L), copy_term(L,M), length(M,N)",
        f"numbers({MANY},L), findall(X,member(X,L),M), length(M,N)",
        f"length(L,{MANY}), last(L,N)",
        f"codes({MANY},L), atom_codes(A,L), atom_length(A,N)",
    ],
)
def test_long_lists(goal):
    system = prolog(LONG)
    with_stride(system, 100000)
    found = system.answers(f"{goal}, L = _, K = N")
    assert len(found) == 1
    assert "resource" not in found[0][-200:]


def test_erased_clauses_are_released():
    """A loop of assert and retract uses bounded program space, also while a query runs."""
    system = prolog(
        """
        :- dynamic(counter/1).
        :- dynamic(rule/1).
        tick(0) :- !.
        tick(N) :- retract(counter(C)), D is C+1, assertz(counter(D)),
            retractall(rule(_)), assertz((rule(X) :- counter(X), true)), rule(_), M is N-1, tick(M).
        """
    )
    m = system.m
    assert system.answers("assertz(counter(0)), tick(2000)") == ["true"]
    before = m.program.code_top
    assert system.answers(f"tick({sized(30_000)})") == ["true"]
    assert m.program.code_top - before < 5000
    assert system.answers("counter(X)") == [f"X={2000 + sized(30_000)}"]


def test_running_calls_see_the_clauses_of_their_moment():
    system = prolog(":- dynamic(w/1).")
    system.answers("forall(between(1,100,X),assertz(w(X)))")
    found = system.answers(
        "findall(X,(w(X),(X==1->forall(between(3,60,Y),retract(w(Y)));true)),L), length(L,N)"
    )
    assert found[0].endswith("N=100")
    found = system.answers("findall(X,(w(X),(X==2->retractall(w(_)),assertz(w(0));true)),L), length(L,N)")
    assert found[0].endswith("N=42")
    assert system.answers("w(X)") == ["X=0"]


def test_clause_that_retracts_itself():
    system = prolog(
        """
        :- dynamic(act/1).
        selfish(0) :- !.
        selfish(N) :- retractall(act(_)),
            assertz((act(N) :- retractall(act(_)), assertz((act(_) :- fail)), see(N), see(N))),
            act(N), M is N-1, selfish(M).
        see(_).
        """
    )
    assert system.answers("selfish(3000)") == ["true"]

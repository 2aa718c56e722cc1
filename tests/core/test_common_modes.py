"""Predicates that the machine does itself in their common modes: with and without that the answers and the
errors are the same."""

import itertools

import pytest

from prism_repl.core.errors import PrologError, PrologThrow
from prism_repl.core.instructions import COMMON_MODES, COMMON_MODES_OF_LIBRARY, CONSTANTS
from prism_repl.core.queries import Query
from prism_repl.prolog.reader import read_term
from tests.support.sizes import SLOW, sized
from tests.support.solve import Prolog

pytestmark = pytest.mark.quick

P_COMMON = CONSTANTS["P_COMMON"]
LONG = "a" * 250

# Terms of all kinds: texts with and without characters of more than one byte, at the limit of the buffer and
# beyond it, numbers and what looks like them, lists that are complete, open, wrong.
CONSTANTS_OF_ALL_KINDS = [
    "_", "a", "'A'", "''", "[]", "'[]'", "abcabc", "'12'", "'-5'", "'- 5'", "' 7'", "'1.5'", "'0x1F'",
    "'1e5'", "'+3'", "'007'", "inf", "'12345678901234567'", "'123456789012345678'", "'caf\\xe9\\'",
    "'\\x3b1\\x'", "'stra\\xdf\\e'", "'\\xff\\'", f"'{LONG}'", f"'{LONG}{LONG}'", "0", "7", "-7",
    "97", "233", "255", "256", "55296", "1114112", "1152921504606846975",
    "-1152921504606846976", "1152921504606846976",
    "100000000000000000000", "1.5", "f(x)",
]  # fmt: skip
LISTS = [
    '"12"', '"-5"', '" 7"', '"abc"', '"caf\\xe9\\"', "[945]", "[a,b]", "['1','2']", "['-','5']", "['1',b|_]",
    "[a,_]", "[a,b|c]", "[1,'2',x]", "[-1]", "[1.5]", "[f(x)]", "[a,'',b,12,-3]", "['']", "['\\x3b1\\x',a]",
    f"['{LONG}','{LONG}']", f"['{LONG}',b]", "[b-1,a-2,b-0,a-2]", "[c,f(x),1.0,1,Z,b,_,Z]", "[3,1,2,3,1]",
]  # fmt: skip
ORDERS = ["@<", "@=<", "@>", "@>=", "<", "@", "@@", "@<=", "@>>"]
FEW = ["_", "abcabc", "''", "c", "abc", "bc", "1", "'caf\\xe9\\'", "'\\x3b1\\x'", f"'{LONG}'"]
PLACES = ["_", "0", "2", "9", "-1", "a", "100000000000000000000"]
INTEGERS = [
    "_",
    "0",
    "3",
    "-3",
    "a",
    "1.5",
    "1152921504606846975",
    "-1152921504606846976",
    "288230376151711744",
]


def all_goals():
    every = CONSTANTS_OF_ALL_KINDS + LISTS
    for name in ("atom_length", "atom_number", "char_code", "succ", "upcase_atom", "downcase_atom"):
        for a, b in itertools.product(CONSTANTS_OF_ALL_KINDS, CONSTANTS_OF_ALL_KINDS[::3] + INTEGERS):
            yield f"{name}({a},{b})"
    for name in ("atom_codes", "atom_chars", "number_codes", "number_chars"):
        for a in CONSTANTS_OF_ALL_KINDS:
            yield f"{name}({a},_)"
            yield f"{name}({a},{a})"
        for b in every:
            yield f"{name}(_,{b})"
            yield f"{name}(12,{b})"
            yield f"{name}(abc,{b})"
    for a, b, c in itertools.product(FEW, FEW, FEW):
        yield f"atom_concat({a},{b},{c})"
    for whole, sub in itertools.product(["_", "abcabc", "''", "aaa", "12", "'\\x3b1\\bc'"], FEW):
        for b, k, a in itertools.product(PLACES[:4], PLACES[:4], PLACES[:4]):
            yield f"sub_atom({whole},{b},{k},{a},{sub})"
    for b, k, a in itertools.product(PLACES, PLACES, PLACES):
        yield f"sub_atom(abcabc,{b},{k},{a},_)"
    for name in ("sort", "msort", "sort0", "keysort", "atomic_list_concat", "concat_atom"):
        for a in every:
            yield f"{name}({a},_)"
            yield f"{name}({a},[a])"
            yield f"{name}({a},b)"
    for order, c in itertools.product(ORDERS, every):
        yield f"sort(0,{order},{c},_)"
        yield f"sort(1,{order},{c},_)"
    for key in CONSTANTS_OF_ALL_KINDS:
        yield f"sort({key},@<,[f(b),f(a)],_)"
        yield f"sort(0,{key},[f(b),f(a)],_)"
    for name in ("atomic_list_concat", "concat_atom"):
        for a, b in itertools.product(
            [*LISTS, "_", "[]", "a"], ["','", "''", "ab", "1", "_", "f(x)", f"'{LONG}'"]
        ):
            yield f"{name}({a},{b},_)"
        for a, b in itertools.product(["','", "''", "ab", "abc", "abcabcabc"], FEW):
            yield f"{name}(_,{a},{b})"
    for c in [*LISTS, "_", "[]", "a", "[a|L]"]:
        for n in ["_", "0", "1", "3", "-1", "a", "1.5", "L", "100000000000000000000"]:
            yield f"length({c},{n})"
            if c not in ("_", "[a|L]", "['1',b|_]"):  # whose lists would have no end
                yield from (
                    f"{name}({n},{c},{x})" for name in ("nth0", "nth1", "nth") for x in ("_", "a", "b")
                )
            elif n not in ("_", "L"):
                yield from (f"{name}({n},{c},x)" for name in ("nth0", "nth1") if "0000" not in n)
    for a, b, c in itertools.product(INTEGERS, INTEGERS, INTEGERS):
        yield f"plus({a},{b},{c})"


def predicates(prolog):
    m = prolog.m
    return {key: m.program.find_pred(m.functor(m.atom(key[0]), key[1])) for key in COMMON_MODES}


def without_common_modes():
    """A system in which Python and the library do everything."""
    prolog = Prolog()
    m = prolog.m
    for p in predicates(prolog).values():
        m.program.set_pred_field(p, P_COMMON, 0)
    for (name, arity), (_, elsewhere) in COMMON_MODES_OF_LIBRARY.items():
        p, q = (m.program.find_pred(m.functor(m.atom(n), arity)) for n in (name, elsewhere))
        for field in range(CONSTANTS["PSIZE"]):
            if field not in (CONSTANTS["P_FUNCTOR"], CONSTANTS["P_FLAGS"]):
                m.program.set_pred_field(p, field, m.program.pred_field(q, field))
    return prolog


def test_every_common_mode_belongs_to_a_predicate():
    prolog = Prolog()
    for key, p in predicates(prolog).items():
        assert p > 0, key
        assert prolog.m.program.pred_field(p, P_COMMON) == CONSTANTS[COMMON_MODES[key]]


def outcome(prolog, goal, stored):
    """The answers of a goal, and its error with its context. Ground arguments may be in the store."""
    m = prolog.m
    cell = read_term(m, goal).cell
    if stored:
        arguments = [m.arg(cell, i) for i in range(m.arity_of(cell))]
        arguments = [m.intern(c, False) if m.is_ground(c) else c for c in arguments]
        cell = m.struct(m.atom_text(m.name_of(cell)), *arguments)
    found = []
    query = Query(m, cell)
    try:
        while len(found) < 6 and query.next():
            found.append(prolog.text(cell))
    except (PrologError, PrologThrow) as error:
        found.append(prolog.text(m.thaw(error.record)) if isinstance(error, PrologThrow) else str(error))
    finally:
        query.close()
    return found


@pytest.mark.parametrize("stored", [False, True])
def test_the_machine_and_python_agree(stored):
    quick, plain = Prolog(), without_common_modes()
    goals = list(all_goals())[:: 17 if SLOW else 1]
    different = [goal for goal in goals if outcome(quick, goal, stored) != outcome(plain, goal, stored)]
    assert different == []


def test_retract_takes_clauses_of_all_kinds():
    prolog = Prolog()
    assert prolog.answers("assertz(p), assertz(q(1)), assertz((q(X) :- r(X), s)), assertz((q(2) :- true))")
    for goal, answers in [
        ("retract(p)", ["true"]),
        ("retract(p)", []),
        ("retract((q(X) :- r(X),S))", ["S=s"]),
        ("retract((q(X) :- B))", ["X=1, B=true", "X=2, B=true"]),
        ("retract(append(_,_,_))", ["permission_error(modify,static_procedure,append/3)"]),
        ("retract((append(_,_,_) :- _))", ["permission_error(modify,static_procedure,append/3)"]),
        ("retract(_)", ["instantiation_error"]),
        ("retract((_ :- true))", ["instantiation_error"]),
        ("retract(3)", ["type_error(callable,3)"]),
        ("retract((q(_) :- 3))", []),
        ("retract(unknown(_))", []),
        ("retractall(q(_)), q(X)", []),
        ("retractall(new(_)), new(X)", []),
        ("retractall(append(_,_,_))", ["permission_error(modify,static_procedure,append/3)"]),
        ("retractall(3)", ["type_error(callable,3)"]),
        ("retractall(_)", ["instantiation_error"]),
    ]:
        assert prolog.answers(goal) == answers, goal


def test_atoms_are_found_by_their_characters_however_many_there_are():
    prolog = Prolog()
    many = sized(20_000)
    goal = f"numlist(1,{many},L), atoms(L,A), atoms(L,B), A == B, sort(A,C), length(C,N), msort(B,D), C == D"
    assert prolog.answers("assertz(atoms([],[]))") == ["true"]
    rule = (
        "atoms([I|Is],[A|As]) :- number_codes(I,Cs), atom_codes(B,Cs), atom_concat(item_,B,A), atoms(Is,As)"
    )
    assert prolog.answers(f"assertz(({rule}))") == ["true"]
    assert prolog.answers(f"{goal}, N =:= {many}, fail ; true") == ["true"]
    assert prolog.answers("atom_length('item_17',N), atom_concat(A,'_17','item_17')") == ["N=7, A=item"]
    m = prolog.m
    assert m.atom("item_17") == m.deref(read_term(m, "item_17").cell)


def test_results_find_room_and_are_collected():
    """Lists that are made without Python, where each call begins with a heap that is almost full."""
    prolog = Prolog()
    prolog.m.heap.gc_stride = prolog.m.heap.gc_threshold = 2000
    assert prolog.answers(
        "assertz((turn(N) :- atom_codes(A,[0'x,0'0|\"123\"]), atom_chars(A,L), length(L,5)))"
    )
    assert (
        prolog.answers(
            f"between(1,{sized(3000)},N), turn(N), number_codes(N,C), atom_codes(A,C), atom_number(A,M), "
            "( M =\\= N ; length(L,300), numlist(1,300,K), nth1(300,K,X), L = K, X =\\= 300 )"
        )
        == []
    )


@pytest.mark.parametrize("element", ["a", "''", "0'a", "b-1"])
@pytest.mark.parametrize(
    "goal",
    ["atom_codes(_,L)", "atom_chars(_,L)", "number_codes(_,L)", "atomic_list_concat(L,_)", "msort(L,_)",
     "atomic_list_concat(L,'',_)", "atomic_list_concat(L,x,_)", "sort(0,@<,L,_)", "length(L,_)"],
)  # fmt: skip
def test_a_list_without_end_is_not_walked_for_ever(element, goal):
    prolog = Prolog()
    assert prolog.answers(f"\\+ \\+ ( L = [{element}|L], catch({goal},_,true) ; true )") == ["true"]

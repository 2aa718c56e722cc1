"""Text to terms: what the standard and B-Prolog read as which term, and where errors are reported."""

import pytest

from prism_repl.prolog.memory import Memory
from prism_repl.prolog.operators import Operators
from prism_repl.prolog.reader import Reader, ReadError
from prism_repl.prolog.tokens import find_end, term_is_complete

pytestmark = pytest.mark.quick


class Prolog(Memory):
    """Terms, operators and flags, as the machine has them."""

    def __init__(self):
        super().__init__()
        self.operators = Operators()
        self.prolog_flags = {}


def canonical(m, cell, names):
    """The term without operators; lists in brackets, variables by name."""
    cell = m.deref(cell)
    if cell in names:
        return names[cell]
    if cell & 7 == 0:
        return "_"
    if m.is_number(cell):
        return repr(m.number_value(cell))
    if not m.is_compound(cell):
        return m.atom_text(cell)
    if m.is_list_cell(cell):
        items, tail = m.list_items(cell)
        inner = ",".join(canonical(m, item, names) for item in items)
        return f"[{inner}]" if tail == m.nil else f"[{inner}|{canonical(m, tail, names)}]"
    args = ",".join(canonical(m, m.arg(cell, i), names) for i in range(m.arity_of(cell)))
    return f"{m.atom_text(m.name_of(cell))}({args})"


def read(text, m=None, flags=None, ops=()):
    """The canonical form of the one term in the text."""
    m = m or Prolog()
    m.prolog_flags.update(flags or {})
    for priority, kind, name in ops:
        m.operators.add(priority, kind, name)
    reader = Reader(m, text)
    term = reader.read_term()
    assert term is not None
    shown = canonical(m, term.cell, {cell: name for name, cell in term.variables})
    assert reader.read_term() is None
    return shown


def error_of(text, ops=()):
    m = Prolog()
    for priority, kind, name in ops:
        m.operators.add(priority, kind, name)
    with pytest.raises(ReadError) as caught:
        Reader(m, text).read_term()
    return caught.value


TERMS = [
    # names and functional notation
    ("a.", "a"),
    ("f(a,B,_,\"x\").", "f(a,B,_,[120])"),
    ("f(:-).", "f(:-)"),
    ("f((a,b)).", "f(,(a,b))"),
    ("'a b'(c).", "a b(c)"),
    ("','(a).", ",(a)"),
    ("[](x,{}(y),{ },[ ]).", "[](x,{}(y),{},[])"),
    ("é(Éa).", "é(Éa)"),
    # signs and prefix operators
    ("X = - 5.", "=(X,-5)"),
    ("X = -5.", "=(X,-5)"),
    ("X = -(5).", "=(X,-(5))"),
    ("X = - (5).", "=(X,-(5))"),
    ("X = -(2)^2.", "=(X,^(-(2),2))"),
    ("- (2)^2.", "-(^(2,2))"),
    ("-1^2.", "^(-1,2)"),
    ("-a^2.", "-(^(a,2))"),
    ("[-,- - 1,a- -1,a -1,- -a|-].", "[-,-(-1),-(a,-1),-(a,1),-(-(a))|-]"),
    ("- = x.", "=(-,x)"),
    ("\\+ (a,b).", "\\+(,(a,b))"),
    (":- dynamic a/1, b/2.", ":-(dynamic(,(/(a,1),/(b,2))))"),
    ("prob :- a.", ":-(prob,a)"),
    (":- :- :- .", ":-(:-,:-)"),
    ("X = ; .", "=(X,;)"),
    ("* = * .", "=(*,*)"),
    # brackets
    ("[a|b].", "[a|b]"),
    ("[(a,b)|{c,d}].", "[,(a,b)|{}(,(c,d))]"),
    ("(a|b).", "|(a,b)"),
    ("A[1,J] @= B[2].", "@=(^(A,[1,J]),^(B,[2]))"),
    ("X in 10..(-3)..1.", "in(X,..(..(10,-3),1))"),
    # numbers
    ("0'a+0'''+0'\\n+0' .", "+(+(+(97,39),10),32)"),
    ("0x1F+0o17+0b11+1_000.", "+(+(+(31,15),3),1000)"),
    ("f(1.5e3,1.0E-2,2.0).", "f(1500.0,0.01,2.0)"),
    ("123456789012345678901234567890.", "123456789012345678901234567890"),
    ("-1152921504606846976.", "-1152921504606846976"),
    # quoted items
    ("'don''t\\n\\x41\\\\101\\'.", "don't\nAA"),
    ("'a\\\nb'.", "ab"),
    # comments
    ("a /* . */ + % .\n b.", "+(a,b)"),
]


@pytest.mark.parametrize(("text", "expected"), TERMS, ids=[text for text, _ in TERMS])
def test_terms(text, expected):
    assert read(text) == expected


# The places are those of PRISM's own messages.
ERRORS = [
    ("X = \\+ a.", "X = \\+ <<HERE>>a."),
    ("X = \\+ (a,b).", "X = \\+ <<HERE>>(a,b)."),
    ("X = point{a}.", "X = point<<HERE>>{a}."),
    ("X = (a ===> b ===> c).", "X = (a <<HERE>>===> b ===> c)."),
    ("learn([3 times week([sun])]).", "learn([3 <<HERE>>times week([sun])])."),
    ("p(2) :- q(.", "p(2) :- q(<<HERE>>."),
    ("q(X :- r.", "q(X <<HERE>>:- r."),
    ("bad(X) :- msw(c,X,.", "bad(X) :- msw(c,X,<<HERE>>."),
    ("arrival(late\narrival(on_time).\n", "arrival(late<<HERE>>\narrival(on_time)."),
]


@pytest.mark.parametrize(("text", "here"), ERRORS, ids=[text for text, _ in ERRORS])
def test_places_of_errors(text, here):
    assert error_of(text).here == here


def test_an_error_has_lines_and_the_reader_goes_on():
    reader = Reader(Prolog(), "p(1).\n\nq(X :-\n  r.\np(2).\n", "broken.pl")
    assert reader.read_term().start_line == 1
    with pytest.raises(ReadError) as caught:
        reader.read_term()
    assert caught.value.report == "** Syntax error (broken.pl, 3-4)\nq(X <<HERE>>:-\n  r.\n\n\n"
    assert (caught.value.line, caught.value.column) == (3, 5)
    term = reader.read_term()
    assert (term.text, term.start_line, term.end_line) == ("p(2).", 5, 5)
    assert reader.read_term() is None


def test_variables_and_singletons():
    term = Reader(Prolog(), "f(X,_,Y,X,_Z).").read_term()
    assert [name for name, _ in term.variables] == ["X", "Y", "_Z"]
    assert term.singletons == ["Y"]
    assert [name for name, _ in term.singleton_variables] == ["Y", "_Z"]


def test_completeness():
    assert term_is_complete("foo(a).")
    assert term_is_complete("foo(a). % done\n")
    assert not term_is_complete("foo(a")
    assert not term_is_complete("foo(a.")
    assert not term_is_complete("X = 'a.")
    assert not term_is_complete("foo. /* a.")
    assert not term_is_complete("% foo.")
    assert not term_is_complete("")
    assert term_is_complete("X = 0'. .")
    assert find_end("a. b.", 2) == (5, 0)

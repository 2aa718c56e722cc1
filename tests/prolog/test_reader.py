"""Text to terms: what the standard and B-Prolog read as which term, and where errors are reported."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygments.token import Error

from prism_repl.core.errors import PrologError
from prism_repl.core.memory import Memory
from prism_repl.prolog.operators import Operators, check_op
from prism_repl.prolog.queries import scan
from prism_repl.prolog.reader import Reader, ReadError
from prism_repl.prolog.tokens import find_end
from prism_repl.repl.lexer import PrismLexer

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
    ('f(a,B,_,"x").', "f(a,B,_,[120])"),
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
    assert caught.value.report == (
        "** Syntax error (broken.pl, 3-4)\nq(X <<HERE>>:-\n  r.\n"
        "% broken.pl:3:5: an operator of at most priority 999 was expected\n\n\n"
    )
    assert (caught.value.line, caught.value.column) == (3, 5)
    term = reader.read_term()
    assert (term.text, term.start_line, term.end_line) == ("p(2).", 5, 5)
    assert reader.read_term() is None


def test_variables_and_singletons():
    term = Reader(Prolog(), "f(X,_,Y,X,_Z).").read_term()
    assert [name for name, _ in term.variables] == ["X", "Y", "_Z"]
    assert term.singletons == ["Y"]
    assert [name for name, _ in term.singleton_variables] == ["Y", "_Z"]


def test_the_end_of_a_later_clause():
    assert find_end("a. b.", 2) == (5, 0)


# The syntax of the standard: text, then the term or None for a syntax error.
STANDARD = [
    # quoted items and escapes
    (r"'\n'.", "\n"),
    ("'\t'.", "\t"),
    ("'\n'.", None),
    ("'\\\n'.", ""),
    ("'\\\na'.", "a"),
    ("'a\\\nb'.", "ab"),
    ("'a\\\n b'.", "a b"),
    (r"'\ '.", None),
    ("'\\ \n'.", None),
    ("'\\\t'.", None),
    (r"'\t'.", "\t"),
    (r"'\a'.", "\a"),
    (r"'\7\'.", "\a"),
    (r"'\b\f\v\r'.", "\b\f\v\r"),
    (r"'\\'.", "\\"),
    (r"'\''.", "'"),
    (r"""'\"'.""", '"'),
    (r"'\`'.", "`"),
    ("''''.", "'"),
    ("''.", ""),
    ("'''.", None),
    ("'a''b'.", "a'b"),
    (r"'\x41\'.", "A"),
    (r"'\x41'.", None),
    (r"'\x\'.", None),
    (r"'\xD800\'.", None),
    (r"'\x110000\'.", None),
    (r"'\101\'.", "A"),
    (r"'\101'.", None),
    (r"'\8\'.", None),
    (r"'\^'.", None),
    ('"a""b".', "[97,34,98]"),
    ('"".', "[]"),
    ("`a`.", None),
    # punctuation, and where things end
    (").", None),
    (".", None),
    (",.", None),
    ("(,).", None),
    ("[,].", None),
    ("{,}.", None),
    ("[|].", None),
    ("{|}.", None),
    ("[a|].", None),
    ("[a,].", None),
    ("[a|b|c].", None),
    ("[a|b,c].", None),
    ("[a,|b].", None),
    ("[a b].", None),
    ("f(,,a).", None),
    ("f(a|b).", None),
    ("f().", None),
    ("f(a.", None),
    ("(a.", None),
    ("(a].", None),
    ("(a))).", None),
    ("a.b.", None),
    ("f(.).", "f(.)"),
    ("f('.').", "f(.)"),
    ("'.'(a,b).", "[a|b]"),
    ("a.% comment", "a"),
    ("/* not closed", None),
    ("/**/a.", "a"),
    ("f(/*a).", None),
    ("f(//*).", "f(//*)"),
    # operators as atoms
    ("-.", None),
    ("- .", "-"),
    ("-(-).", "-(-)"),
    ("-(-(-)).", "-(-(-))"),
    ("- - .", "-(-)"),
    ("-[-].", "-([-])"),
    ("-{-}.", "-({}(-))"),
    ("-(a).", "-(a)"),
    ("-(-a).", "-(-(a))"),
    ("-(-(-a)).", "-(-(-(a)))"),
    ("-((a,b)).", "-(,(a,b))"),
    ("-(a,b).", "-(a,b)"),
    ("-p(c).", "-(p(c))"),
    ("[:-,-].", "[:-,-]"),
    ("f(:-,a).", "f(:-,a)"),
    ("f(*).", "f(*)"),
    ("f(a,-).", "f(a,-)"),
    ("(:-):-(:-).", ":-(:-,:-)"),
    ("f(;,'|',';;').", "f(;,|,;;)"),
    ("(!;!).", ";(!,!)"),
    ("{!}.", "{}(!)"),
    ("{- = xf}.", "{}(=(-,xf))"),
    ("\\ (-).", "\\(-)"),
    ("[a|\\+].", "[a|\\+]"),
    ("dynamic - a.", "-(dynamic,a)"),
    ("not -a.", "not(-(a))"),
    # priorities
    ("f(a:-b).", None),
    ("f((a:-b)).", "f(:-(a,b))"),
    ("[a:-b].", None),
    ("f(:- a).", None),
    ("{a:-b}.", "{}(:-(a,b))"),
    ("a:-b:-c.", None),
    (":- :- a.", ":-(:-,a)"),
    ("a=b=c.", None),
    ("a=(b=c).", "=(a,=(b,c))"),
    ("1-2-3.", "-(-(1,2),3)"),
    ("a->b->c.", "->(a,->(b,c))"),
    ("a:-b,c;d->e.", ":-(a,;(,(b,c),->(d,e)))"),
    ("a*->b;c.", ";(*->(a,b),c)"),
    ("2**3**4.", None),
    ("2^3^4.", "^(2,^(3,4))"),
    ("-2^3.", "^(-2,3)"),
    ("- (2)^3.", "-(^(2,3))"),
    ("-a*b.", "*(-(a),b)"),
    ("\\+a,b.", ",(\\+(a),b)"),
    ("a= \\+b.", None),
    ("- - - 1.", "-(-(-1))"),
    ("1 - -1.", "-(1,-1)"),
    ("1 -1.", "-(1,1)"),
    ("a is b mod c.", "is(a,mod(b,c))"),
    ("a*(b+c)*d.", "*(*(a,+(b,c)),d)"),
    ("(a-->b,c|d).", "-->(a,|(,(b,c),d))"),
    # things side by side
    ("a b.", None),
    ("f (a).", None),
    ("X(a).", None),
    ("1(a).", None),
    ("-(-)(1).", None),
    ("(a)(b).", None),
    ("a{b}.", None),
    ('a "b".', None),
    ("1 2.", None),
    ("X Y.", None),
    # numbers
    ("- 1.", "-1"),
    ("'-'1.", "-1"),
    ("'-' 1.", "-1"),
    ("'-'/**/1.", "-1"),
    ("-/**/1.", None),
    ("- /* */ 1.", "-1"),
    ("-1.5.", "-1.5"),
    ("+1.", "+(1)"),
    ("0'a.", "97"),
    ("0'''.", "39"),
    ("0''.", None),
    ("0'\\'.", "39"),
    ("0'\".", "34"),
    ("0'`.", "96"),
    ("0'\\x41\\.", "65"),
    ("0'\\101\\.", "65"),
    ("0'\\z.", None),
    ("0'\n.", None),
    ("0'\\\n.", None),
    ("0' .", "32"),
    ("0'é.", "233"),
    ("0b101.", "5"),
    ("0o17.", "15"),
    ("0xfF.", "255"),
    ("-0x1.", "-1"),
    ("0b2.", None),
    ("0o8.", None),
    ("0xg.", None),
    ("0B1.", None),
    ("0b1mod 2.", "mod(1,2)"),
    ("1.0e1.", "10.0"),
    ("1.0e+1.", "10.0"),
    ("1.0e-1.", "0.1"),
    ("1.0E1.", "10.0"),
    ("1.0e.", None),
    ("1.0e400.", None),
    ("1e10.", None),
    ("1.e.", None),
    (".5.", None),
    ("1_000_000.", "1000000"),
    ("1_000.5.", "1000.5"),
    ("0xff_ff.", "65535"),
    ("1__0.", None),
    ("1_.", None),
    ("1..3.", "..(1,3)"),
    ("f(1.0Inf,-1.0Inf,1.5NaN).", "f(inf,-inf,nan)"),
]


@pytest.mark.parametrize(("text", "expected"), STANDARD, ids=[repr(text) for text, _ in STANDARD])
def test_standard_syntax(text, expected):
    if expected is None:
        error_of(text)
    else:
        assert read(text) == expected


DEFINED = [
    ([(700, "xfx", "===>")], "X = (a ===> b ===> c).", None),
    ([(200, "xfy", "&")], "a & b & c.", "&(a,&(b,c))"),
    ([(9, "fy", "fy"), (9, "yf", "yf")], "fy 1 yf.", "fy(yf(1))"),
    ([(9, "fy", "fy"), (9, "yf", "yf")], "(fy 1)yf.", "yf(fy(1))"),
    ([(9, "fy", "fy"), (9, "yf", "yf")], "fy fy 1 yf yf.", "fy(fy(yf(yf(1))))"),
    ([(9, "fx", "fx")], "fx fx 1.", None),
    ([(9, "xf", "xf")], "1 xf xf.", None),
    ([(700, "xf", "xf")], "a = b xf.", None),
    ([(800, "xf", "xf")], "a = b xf.", "xf(=(a,b))"),
    ([(0, "xfy", "|")], "(a|b).", None),
    ([(0, "xfx", "=")], "a = b.", None),
    ([(0, "fy", "-")], "f(-1).", "f(-1)"),
    ([(0, "fy", "-")], "- a.", None),
]


@pytest.mark.parametrize(("ops", "text", "expected"), DEFINED)
def test_defined_operators(ops, text, expected):
    if expected is None:
        error_of(text, ops)
    else:
        assert read(text, ops=ops) == expected


@pytest.mark.parametrize(
    ("flag", "value", "text", "expected"),
    [
        ("double_quotes", "chars", 'f("ab","").', "f([a,b],[])"),
        ("double_quotes", "codes", 'f("ab","").', "f([97,98],[])"),
        ("double_quotes", "atom", 'f("a b","").', "f(a b,)"),
        ("back_quotes", "codes", "`ab`.", "[97,98]"),
        ("back_quotes", "chars", "`a``b`.", "[a,`,b]"),
    ],
)
def test_flags_of_quoted_text(flag, value, text, expected):
    assert read(text, flags={flag: value}) == expected


def test_operators_and_flags_may_change_between_clauses():
    m = Prolog()
    reader = Reader(m, 'a. a ==> "b". "b".')
    assert canonical(m, reader.read_term().cell, {}) == "a"
    m.operators.add(700, "xfx", "==>")
    m.prolog_flags["double_quotes"] = "atom"
    assert canonical(m, reader.read_term().cell, {}) == "==>(a,b)"
    m.prolog_flags["double_quotes"] = "chars"
    assert canonical(m, reader.read_term().cell, {}) == "[b]"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("p(\0). q.", ["q."]),
        ("p('a). \nq.", ["q."]),
        ("p('a) :-\n  b. q.", ["q."]),
        ("p(a)) b. q.", ["q."]),
        ("p(0'. . q.", ["q."]),
        ("p( 'a. b' % c. d\n /* e. */ . q.", ["q."]),
        (r"p('\q'). q.", ["q."]),
        ("a b. /* no end", []),
        ("a b", []),
        ("a(", []),
    ],
)
def test_the_bad_clause_is_skipped(text, rest):
    reader = Reader(Prolog(), text)
    with pytest.raises(ReadError):
        reader.read_term()
    found = []
    for _ in range(3):
        try:
            term = reader.read_term()
        except ReadError:
            continue
        if term is not None:
            found.append(term.text)
    assert found == rest


def test_control_characters_are_shown_as_escapes():
    assert error_of("foo(\0,\x1b).").here == r"foo(<<HERE>>\x0\,\x1b\)."
    assert error_of("'a\x07b'.").here == r"'a<<HERE>>\x7\b'."


def test_long_clauses_are_cut_in_messages():
    error = error_of("f(" + "a," * 20_000 + "b c" + ",a" * 20_000 + ").")
    assert "b <<HERE>>c" in error.here
    assert len(error.here) < 5000


def test_messages_say_what_is_wrong():
    assert "not closed" in error_of("p('abc).\n").message
    assert error_of("p(abc.").message.endswith("where ), for the ( at line 1, column 2, was expected")
    assert error_of("p :-\n q([walk,shop).").message == "], for the [ at line 2, column 4, was expected"
    assert error_of("p({a)).").message == "}, for the { at line 1, column 3, was expected"
    assert str(error_of("p(a b).")).startswith("user_input:1:5: an operator was expected")


def test_end_of_text_without_period():
    error = error_of("\n foo(a,\n  b)  \n\n")
    assert (error.here, error.first_line, error.last_line) == ("foo(a,\n  b)<<HERE>>", 2, 3)


def test_positions():
    m = Prolog()
    text = "\n  foo(X, [a,\n bar] ) :- baz - 1 .  q."
    reader = Reader(m, text, line=11, positions=True)
    term = reader.read_term()
    assert (term.start_line, term.start_column) == (12, 3)
    assert (term.end_line, term.end_column) == (13, 21)
    assert reader.end_position == term.end == text.index(" .") + 2

    def source(parent, i):
        start, end = term.position(parent, i)
        return text[start:end]

    head, body = m.arg(term.cell, 0), m.arg(term.cell, 1)
    assert source(term.cell, 0) == "foo(X, [a,\n bar] )"
    assert source(term.cell, 1) == "baz - 1"
    assert [source(body, 0), source(body, 1)] == ["baz", "1"]
    assert [source(head, 0), source(head, 1)] == ["X", "[a,\n bar]"]
    assert source(m.tail(m.arg(head, 1)), 0) == "bar"


def test_byte_order_mark_and_script_line():
    assert read("\ufeffa.") == "a"
    assert read("#!/usr/bin/env prism-repl\na.") == "a"


def test_unicode():
    assert read("größe(Ωmega, ℵ_x, 'a b').") == "größe(Ωmega,ℵ_x,a b)"
    assert error_of("a \ud800.").column == 3
    assert read("a → b.", ops=[(700, "xfx", "→")]) == "→(a,b)"
    assert read("a\u00a0:-\u2003b.") == ":-(a,b)"


@pytest.mark.parametrize(
    ("before", "after", "follow"),
    [
        ("f(", ")", 0),
        ("[", "]", 0),
        ("- ", "", 0),
        ("(", ")", None),
        ("{", "}", 0),
        ("a,", "", 1),
        ("", "+a", 0),
    ],
)
def test_deep_nesting(before, after, follow):
    depth = 10_000
    m = Prolog()
    cell = Reader(m, before * depth + "a" + after * depth + " .").read_term().cell
    count = 0
    while m.is_compound(cell):
        cell = m.arg(cell, follow)
        count += 1
    assert count == (0 if follow is None else depth)


def test_large_numbers():
    m = Prolog()
    digits = "123456789" * 2000
    cell = Reader(m, f"-{digits}.").read_term().cell
    value = -m.int_value(cell)
    assert value % 10**9 == 123456789
    assert value // 10 ** (len(digits) - 9) == 123456789


def test_a_term_that_does_not_fit_is_a_resource_error():
    m = Prolog()
    m.heap.limit = m.heap.size
    reader = Reader(m, "a. [" + "a," * 50_000 + "a]. b.")
    before = m.heap.H
    assert reader.read_term() is not None
    with pytest.raises(PrologError) as caught:
        reader.read_term()
    assert caught.value.kind == "resource_error"
    assert before == m.heap.H
    assert reader.read_term().text == "b."


PIECES = ["a", "X", "f(", "(", ")", "[", "]", "{", "}", ",", "|", "-", " - ", "1", "'", '"', "\\", "0'"]
PIECES += [". ", ".", " :- ", " dynamic ", " mod ", "/*", "*/", "% ", "\n", "\0", "é", "_", "e", ".."]
SOUP = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@given(st.one_of(SOUP, st.text(max_size=40)))
@settings(max_examples=150, deadline=None)
def test_any_text_ends_in_terms_or_errors(text):
    reader = Reader(Prolog(), text)
    place = -1
    errors = []
    while True:
        try:
            if reader.read_term() is None:
                break
        except ReadError as error:
            errors.append(error)
        assert reader.end_position > place
        place = reader.end_position
    assert reader.end_position == len(text)
    for error in errors:
        assert error.here.count("<<HERE>>") == 1
        assert error.first_line <= error.line <= error.last_line


ATOMIC = ["a", "X", "_", "12", "1.5e3", "0'.", "0'''", "0x1F", "'q. r'", "'it''s'", r"'\''", '"s. "']
ATOMIC += ["[]", "{}", "!"]
INFIX = [" - ", "-", " mod ", ",", " , ", "*.", " /* . */ - ", "- % a. b\n", " -\n"]
TERMS = st.recursive(
    st.sampled_from(ATOMIC),
    lambda terms: st.one_of(
        terms.map("f({})".format),
        terms.map("({})".format),
        terms.map("{{{}}}".format),
        terms.map(r"\+ {}".format),
        st.lists(terms, min_size=1, max_size=3).map(lambda elements: f"[{', '.join(elements)}]"),
        st.tuples(terms, st.sampled_from(INFIX), terms).map("".join),
    ),
    max_leaves=8,
)
CLAUSES = st.tuples(TERMS, st.sampled_from([".", ". ", ".\n", " .\t", ".% a. "]), SOUP).map("".join)


@given(st.one_of(CLAUSES, SOUP))
@settings(max_examples=150, deadline=None)
def test_where_a_term_ends_does_not_depend_on_parsing(text):
    reader = Reader(Prolog(), text)
    try:
        term = reader.read_term()
    except ReadError:
        return
    if term is not None:  # of clauses most are
        assert find_end(text) == (term.end, 0)
        # what the prompt, pipes and transcripts go by, which must also know text that is not finished
        assert scan(text).ends[0] == term.end
        lexed = PrismLexer(ensurenl=False, stripnl=False).get_tokens(text[: term.end])
        assert not [value for kind, value in lexed if kind is Error]


def test_check_op():
    m = Prolog()
    check_op(m, 700, "xfx", "===>")
    check_op(m, 0, "xfy", "|")
    check_op(m, 1001, "xfy", "|")
    refused = [
        (1201, "xfx", "a", "domain_error"),
        (-1, "xfx", "a", "domain_error"),
        (700, "xxx", "a", "domain_error"),
        (700, "xfx", ",", "permission_error"),
        (700, "xfx", "[]", "permission_error"),
        (700, "fy", "{}", "permission_error"),
        (1000, "xfy", "|", "permission_error"),
        (1100, "fy", "|", "permission_error"),
        (700, "xf", "=", "permission_error"),
    ]
    for priority, kind, name, error in refused:
        with pytest.raises(PrologError) as caught:
            check_op(m, priority, kind, name)
        assert caught.value.kind == error

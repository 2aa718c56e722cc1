"""Terms as text: layout, quoting, numbers, big and cyclic terms.

Terms are given as Python values: "a" an atom, ("f", x, y) a structure, [x, y] a list, V("X") a variable.
"""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_repl.core.memory import Memory
from prism_repl.prolog.notation import atom_source, float_text
from prism_repl.prolog.operators import Operators
from prism_repl.prolog.reader import read_term
from prism_repl.prolog.writer import write_term


class Machine(Memory):
    def __init__(self):
        super().__init__()
        self.operators = Operators()


class V(str):
    """A variable of a term given as a Python value."""


@pytest.fixture
def m():
    return Machine()


def build(m, value, variables=None):
    """The cell of a term given as a Python value."""
    variables = {} if variables is None else variables
    if isinstance(value, V):
        if value not in variables:
            variables[str(value)] = m.new_var()
        return variables[value]
    if isinstance(value, str):
        return m.atom(value)
    if isinstance(value, float):
        return m.float_cell(value)
    if isinstance(value, int):
        return m.int_cell(value)
    if isinstance(value, list):
        return m.list_from([build(m, x, variables) for x in value])
    return m.struct(value[0], *[build(m, x, variables) for x in value[1:]])


def answer(m, value):
    """As an answer shows it: quoted, below the priority of =, named variables."""
    variables = {}
    cell = build(m, value, variables)
    names = list(variables.items())
    return write_term(m, cell, quoted=True, numbervars=True, priority=699, variable_names=names)


# What PRISM 2.4.2a shows after `X = `.
ANSWERS = [
    ("a", "a"),
    (("f", V("Y"), V("Z"), V("Y")), "f(Y,Z,Y)"),
    ([1, 2, 3], "[1,2,3]"),
    ((".", "a", V("T")), "[a|T]"),
    ((".", "a", "b"), "[a|b]"),
    ([], "[]"),
    ("hello world", "'hello world'"),
    ("Hello", "'Hello'"),
    ("[]", "[]"),
    ("{}", "{}"),
    (("{}", (",", "a", "b")), "{a,b}"),
    ("$x", "'$x'"),
    (1.5, "1.5"),
    (123456789012345678901234567890, "123456789012345678901234567890"),
    (-5, "-5"),
    (("-", 5), "- (5)"),
    (("-", ("-", 5)), "- (- (5))"),
    (("-", "a"), "-a"),
    (("-", 1, 2), "1-2"),
    (("-", 1, ("-", 2, 3)), "1-(2-3)"),
    (("-", ("-", 1, 2), 3), "1-2-3"),
    ((":", "a", (":", "b", "c")), "a:b:c"),
    ((",", "a", "b"), "(a,b)"),
    ((":-", "a", (";", (",", "b", "c"), ("->", "d", "e"))), "(a:-b,c ;  d->e)"),
    ([("=", "a", 1), ("-", "b", 2)], "[a=1,b-2]"),
    (("f", ":-"), "f(:-)"),
    ((":-", "a"), "(:-a)"),
    (("f", (",", "a", "b")), "f((a,b))"),
    ([(",", "a", "b")], "[(a,b)]"),
    ("\n", "'\\n'"),
    ("don't", "'don\\'t'"),
    ("a\\b", "'a\\\\b'"),
    (("**", 2, 3), "2**3"),
    (("^", 2, 3), "2^3"),
    (("@", "a", "b"), "a@b"),
    (("=", "a", "b"), "(a=b)"),
    (("a b", "c"), "'a b'(c)"),
    (("+", 1), "+1"),
    (("+", ("+", 1, 2), ("*", 3, 4)), "1+2+3*4"),
    (("*", ("+", 1, 2), 3), "(1+2)*3"),
    (("^", ("-", 2), 2), "(- (2))^2"),
    (("-->", "p", "q"), "(p-->q)"),
    ("@", "(@)"),
    (">", "(>)"),
    ("!", "!"),
    (";", "(;)"),
    ([","], "[',']"),
    ((",", "a"), "','(a)"),
    (("+", "A", "b"), "'A'+b"),
    (("&", "a", ("&", "b", "c")), "a&b&c"),
    (("&", ("&", "a", "b"), "c"), "(a&b)&c"),
    ((":-", "p", ("===>", "q", "r")), "(p:-q===>r)"),
    (("is", V("B"), ("*", V("A"), 2)), "(B is A*2)"),
    (
        ("error", ("type_error", "evaluable", ("/", "foo", 0)), ("/", ">", 2)),
        "error(type_error(evaluable,foo/0),> /2)",
    ),
    (("error", "x", ("/", "//", 2)), "error(x,// /2)"),
    (("error", "x", ("/", "/", 2)), "error(x,/ /2)"),
    (("error", "x", ("/", "prob", 2)), "error(x,(prob)/2)"),
    (("[]", "x", V("Y")), "[](x,Y)"),
    (("-", "a", -1), "a- -1"),
    ([(":-", ("b", V("X")), (",", ("a", V("X")), ("\\+", ("c", V("X")))))], "[(b(X):-a(X),\\+c(X))]"),
    (("Odd atom", "It's"), "'Odd atom'('It\\'s')"),
    (("f", ("$VAR", 0), ("$VAR", 1), ("$VAR", 27)), "f(A,B,B1)"),
    (("^", -1, 2), "-1^2"),
    (("-", ("^", 1, 2)), "- (1^2)"),
    (("\\+", (",", "a", "b")), "(\\+ (a,b))"),
]


@pytest.mark.parametrize(("value", "text"), ANSWERS, ids=[text for _, text in ANSWERS])
def test_answers(m, value, text):
    m.operators.add(200, "xfy", "&")
    m.operators.add(700, "xfx", "===>")
    assert answer(m, value) == text


# writeq: quoted, priority 1200.
QUOTED = [
    ((":-", "a", (",", "b", "c")), "a:-b,c"),
    ((":-", ("dynamic", ("/", "foo", 1))), ":-dynamic foo/1"),
    (("=", "a", ("\\", "b")), "a= \\b"),
    (("=", "a", ("\\+", "b")), "a=(\\+b)"),
    (("-", ("-", "a")), "- -a"),
    (("-", -1), "- -1"),
    (("-", 1, ("-", 1)), "1- - (1)"),
    (("-", ("a", "b")), "-a(b)"),
    (("-", ("-", "a", "b")), "- (a-b)"),
    (("\\+", ("\\+", "a")), "\\+ \\+a"),
    (("\\+", ["a"]), "\\+[a]"),
    (("-", "-"), "- (-)"),
    (("=", "-", "-"), "(-)=(-)"),
    ("-", "-"),
    (["-", "mod", ("-", "mod", "mod")], "[-,mod,(mod)-(mod)]"),
    (("mod", ("mod", 1, 2), ("mod", 3, 4)), "1 mod 2 mod (3 mod 4)"),
    (("dynamic", (",", "a", "b")), "dynamic a,b"),
    (("dynamic", (":-", "a", "b")), "dynamic (a:-b)"),
    (("{}", ("-", 1)), "{- (1)}"),
    (("{}", "a", "b"), "{}(a,b)"),
    (("=..", V("X"), ["a"]), "X=..[a]"),
    (("..", 1, 3), "1..3"),
    (("..", ("..", 10, -3), 1), "10.. -3..1"),
    ((";", ("->", "a", "b"), "c"), "a->b ;  c"),
    (("|", "a", "b"), "a|b"),
    (("f", ("|", "a", "b")), "f((a|b))"),
    ("|", "'|'"),
    ("", "''"),
    (".", "'.'"),
    ("/*", "'/*'"),
    ("//", "//"),
    ("a\tb\x01", "'a\\tb\\x1\\'"),
    ("été", "été"),
    ("Été", "'Été'"),
    ("_x", "'_x'"),
    (("[]",), "[]"),
    (0.1 + 0.2, "0.30000000000000004"),
    (1e22, "1.0e+22"),
    (-0.0, "-0.0"),
    (math.inf, "1.0Inf"),
    (-math.inf, "-1.0Inf"),
    (math.nan, "1.5NaN"),
    (("-", 1.0), "- (1.0)"),
    (("+", "a", -1.5), "a+ -1.5"),
    (("f", ("A", 1), "B"), "f('A'(1),'B')"),
    (("$VAR", -1), "'$VAR'(-1)"),
    (("yf", "a"), "a yf"),
    (("yf", ("yf", ("-", "a", "b"))), "(a-b) yf yf"),
]


@pytest.mark.parametrize(("value", "text"), QUOTED, ids=[repr(text) for _, text in QUOTED])
def test_quoted(m, value, text):
    m.operators.add(200, "yf", "yf")
    variables = {}
    cell = build(m, value, variables)
    names = list(variables.items())
    written = write_term(m, cell, quoted=True, numbervars=True, float_format="full", variable_names=names)
    assert written == text


def test_unquoted(m):
    assert write_term(m, build(m, ["A b", ("+", "X", 1), "", ("f", ",")])) == "[A b,X+1,,f(,)]"
    assert write_term(m, build(m, ("$VAR", 1))) == "$VAR(1)"


def test_canonical(m):
    cell = build(m, ("+", "A b", [1, V("X")]))
    text = write_term(m, cell, quoted=True, ignore_ops=True, dotlists=True)
    variable = m.deref(m.term_vars(cell)[0])
    assert text == f"+('A b','.'(1,'.'(_{variable:x},[])))"
    assert write_term(m, build(m, ("-", ("-", 1))), ignore_ops=True) == "-(-(1))"
    text = write_term(m, build(m, [("{}", (",", "a", "b"))]), quoted=True, ignore_ops=True)
    assert text == "[{}(','(a,b))]"
    assert write_term(m, build(m, (":-", "a", "-")), quoted=True, ignore_ops=True) == ":-(a,-)"


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (1 / 3, "0.333333"),
        (2.0, "2.0"),
        (1e10, "1.0e+10"),
        (70303312.0, "7.03033e+07"),
        (123456.7, "123457.0"),
        (1234567.5, "1234567.5"),
        (1e6, "1000000.0"),
        (0.00001, "0.00001"),
        (0.000001, "0.000001"),
        (1e7, "1.0e+07"),
        (1.234567e-5, "1.23457e-05"),
        (1.234e-5, "1.234e-05"),
        (1234567.8, "1.23457e+06"),
        (100000.5, "100000.5"),
        (123456.789, "123457.0"),
        (1e20, "1.0e+20"),
        (1e8, "1.0e+08"),
        (1e-10, "1.0e-10"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "nan"),
        (-math.nan, "-nan"),
        (-0.5, "-0.5"),
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (3.7, "3.7"),
        (0.1, "0.1"),
        (8.5, "8.5"),
        (1.41421356, "1.41421"),
        (-1234567.5, "-1234567.5"),
    ],
)
def test_short_floats(x, text):
    assert float_text(x) == text


def test_fresh_variables_are_distinct_and_look_like_variables(m):
    x, y = m.new_var(), m.new_var()
    texts = [write_term(m, x), write_term(m, y)]
    assert texts[0] != texts[1]
    assert all(t[0] == "_" and int(t[1:], 16) >= 0 for t in texts)


def test_max_depth(m):
    deep = ("f", ("g", ("h", "x")))
    assert write_term(m, build(m, deep), max_depth=2) == "f(g(...))"
    assert write_term(m, build(m, [1, 2, 3, 4]), max_depth=2) == "[1,2|...]"


def test_spacing(m):
    assert write_term(m, build(m, ("f", "a", ["b", "c"])), spacing="next_argument") == "f(a, [b,c])"


def test_big_integers(m):
    n = 7**20000
    text = write_term(m, m.int_cell(-n))
    assert text[0] == "-"
    value = 0
    for i in range(1, len(text), 100):
        piece = text[i : i + 100]
        value = value * 10 ** len(piece) + int(piece)
    assert value == n


def test_long_list(m):
    n = 300_000
    cell = m.list_from([m.int_cell(i) for i in range(n)])
    assert write_term(m, cell) == "[" + ",".join(map(str, range(n))) + "]"


@pytest.mark.parametrize("shape", ["right", "left", "prefix", "compound", "list"])
def test_deep_terms(m, shape):
    n = 100_000
    a = m.atom("a")
    minus, f = m.functor(m.atom("-"), 2), m.functor(m.atom("f"), 1)
    negation = m.functor(m.atom("\\+"), 1)
    c = a
    for _ in range(n):
        if shape == "right":
            c = m.new_struct(minus, [a, c])
        elif shape == "left":
            c = m.new_struct(minus, [c, a])
        elif shape == "prefix":
            c = m.new_struct(negation, [c])
        elif shape == "compound":
            c = m.new_struct(f, [c])
        else:
            c = m.cons(c, m.nil)
    expected = {
        "right": "a-(" * (n - 1) + "a-a" + ")" * (n - 1),
        "left": "a" + "-a" * n,
        "prefix": "\\+ " * (n - 1) + "\\+a",
        "compound": "f(" * n + "a" + ")" * n,
        "list": "[" * n + "a" + "]" * n,
    }
    assert write_term(m, c) == expected[shape]


def test_cycles_end(m):
    x = m.new_var()
    m.bind(x, m.struct("f", m.atom("a"), x))
    assert write_term(m, x) == "f(a,...)"
    y = m.new_var()
    m.bind(y, m.list_from([m.int_cell(1), m.int_cell(2)], y))
    assert write_term(m, y) == "[1,2|...]"
    z = m.new_var()
    m.bind(z, m.struct("-", z))
    assert write_term(m, z).endswith("...")


def test_shared_parts_are_no_cycle(m):
    big = m.list_from([m.int_cell(i) for i in range(600)])
    text = write_term(m, big)
    assert write_term(m, m.struct("f", big, big)) == f"f({text},{text})"


def test_ground_store(m):
    cell = m.intern(build(m, ("f", [1, "b", ("g", 2.5)], 1 << 70)))
    assert cell
    assert write_term(m, cell) == f"f([1,b,g(2.5)],{1 << 70})"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("abc", "abc"),
        ("aBc_1", "aBc_1"),
        ("+", "+"),
        ("=..", "=.."),
        ("[]", "[]"),
        ("!", "!"),
        (";", ";"),
        (",", "','"),
        ("a b", "'a b'"),
        ("$", "$"),
        ("a$", "'a$'"),
        ("1a", "'1a'"),
        ("a-b", "'a-b'"),
        ("\x00", "'\\x0\\'"),
        ("\\", "\\"),
        ("é", "é"),
        ("日本", "'日本'"),
    ],
)
def test_atom_source(text, source):
    assert atom_source(text) == source


# ---- what is written reads back

ATOMS = [
    "a",
    "b",
    "foo_Bar1",
    "[]",
    "{}",
    "!",
    ";",
    ",",
    "|",
    ".",
    "-",
    "+",
    "*",
    "->",
    ":-",
    "?-",
    "-->",
    "=",
    "mod",
    "is",
    "dynamic",
    "prob",
    "table",
    "@",
    "..",
    "=..",
    "^",
    "**",
    "$VAR",
    "$x",
    "A",
    "_",
    "/*",
    "//",
    "%",
    "0",
    "e",
    "inf",
    "nan",
    "é",
    "Éa",
    "日本",
    "ª",
    "a²",
    "ǅ",
    "ß",
    "yf",
    "xfop",
    "===>",
    "times",
    "not",
    "*->",
    "😀",
    "in",
    "#",
    "??",
    "fyop",
    "-1",
]
ATOMS += [
    "\\+",
    "\\",
    "",
    " ",
    "don't",
    "a\nb",
    "\\\\",
    "0'a",
    "Big Op",
    "`",
    '"',
    "\x00",
    "\x7f",
    "\u2028",
    "?? ",
    "- 1",
    "'",
    "''",
]
BINARY = [
    ",",
    ";",
    "->",
    ":-",
    "-->",
    "-",
    "+",
    "*",
    "/",
    "=",
    "is",
    "mod",
    "^",
    "**",
    ":",
    "@",
    "..",
    "|",
    "===>",
    "times",
    "*->",
    "rem",
    "in",
    "=..",
    "xor",
    ">",
    "<<",
    "right",
]
BINARY += ["Big Op"]
UNARY = ["-", "+", ":-", "?-", "dynamic", "prob", "yf", "fyop", "p_table", "??", "not", "{}", "xfop", "pre"]
UNARY += ["\\", "\\+", "Big Pre"]

leaves = st.one_of(
    st.sampled_from(ATOMS),
    st.integers(-5, 5),
    st.sampled_from([1 << 59, -(1 << 60), 1 << 60, -(1 << 63), 10**40, -(10**40)]),
    st.floats(allow_nan=False),
    st.sampled_from([1e22, 1e-7, 0.1, -0.0, 1.0, 5e-324, math.nan, -math.nan]),
    st.text(max_size=4),
    st.sampled_from([V("X"), V("Y")]),
)


def compounds(children):
    return st.one_of(
        st.tuples(st.sampled_from(BINARY), children, children),
        st.tuples(st.sampled_from(UNARY), children),
        st.tuples(st.sampled_from(ATOMS), children),
        st.tuples(st.sampled_from(ATOMS), children, children),
        st.tuples(st.sampled_from(ATOMS), children, children, children),
        st.lists(children, max_size=3),
        st.tuples(st.just("."), children, children),
    )


terms = st.recursive(leaves, compounds, max_leaves=8)


OWN_OPERATORS = [
    (700, "xfx", "===>"),
    (200, "yf", "yf"),
    (300, "xf", "xfop"),
    (650, "xfy", "Big Op"),
    (900, "fy", "fyop"),
    (400, "fx", "Big Pre"),
    (500, "xfy", "right"),
    (500, "fy", "pre"),
]


@pytest.fixture(scope="module")
def machine():
    m = Machine()
    for priority, kind, name in OWN_OPERATORS:
        m.operators.add(priority, kind, name)
    return m


def reads_back(m, value, **options):
    cell = build(m, value)
    text = write_term(m, cell, quoted=True, float_format="full", **options)
    again = read_term(m, text + " .").cell
    assert m.is_variant(cell, again), text


@settings(max_examples=500, deadline=None)
@given(terms)
def test_writeq_reads_back(machine, value):
    reads_back(machine, value)


@settings(max_examples=150, deadline=None)
@given(terms)
def test_write_canonical_reads_back(machine, value):
    reads_back(machine, value, ignore_ops=True, dotlists=True)


@settings(max_examples=150, deadline=None)
@given(terms)
def test_an_answer_reads_back(machine, value):
    m = machine
    cell = build(m, value)
    text = write_term(m, cell, quoted=True, float_format="full", priority=699)
    again = m.arg(read_term(m, "x = " + text + " .").cell, 1)
    assert m.is_variant(cell, again), text


def test_a_length_limit_ends_terms_that_share_their_parts(m):
    """As a tree this one has 2**200 leaves."""
    cell = m.atom("a")
    for _ in range(200):
        cell = m.struct("f", cell, cell)
    text = write_term(m, cell, max_length=1000)
    assert text.startswith("f(f(f(")
    assert text.endswith(" ...")
    assert 1000 < len(text) < 1500
    assert write_term(m, m.list_from([m.int_cell(1)]), max_length=1000) == "[1]"

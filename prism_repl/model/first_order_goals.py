"""What the first-order compiler knows of built-in predicates."""

Indicator = tuple[str, int]

# Comparisons of numbers, which are never undecided: the test or its opposite.
OPPOSITE_COMPARISONS: dict[Indicator, str] = {
    ("<", 2): ">=",
    (">", 2): "=<",
    ("=<", 2): ">",
    (">=", 2): "<",
    ("=:=", 2): "=\\=",
    ("=\\=", 2): "=:=",
}

# Tests of terms.
OPPOSITE_TESTS: dict[Indicator, str] = {
    ("==", 2): "\\==",
    ("\\==", 2): "==",
    ("\\=", 2): "=",
    ("@<", 2): "@>=",
    ("@>", 2): "@=<",
    ("@=<", 2): "@>",
    ("@>=", 2): "@<",
    ("var", 1): "nonvar",
    ("nonvar", 1): "var",
}
PLAIN_TESTS: set[Indicator] = {
    (name, 1)
    for name in (
        "atom",
        "atomic",
        "number",
        "integer",
        "float",
        "compound",
        "callable",
        "ground",
        "is_list",
        "real",
    )
}

# Goals that always succeed, once.
ALWAYS_TRUE: set[Indicator] = {
    ("nl", 0),
    ("nl", 1),
    ("write", 1),
    ("write", 2),
    ("writeq", 1),
    ("writeq", 2),
    ("writeln", 1),
    ("print", 1),
    ("display", 1),
    ("write_canonical", 1),
    ("tab", 1),
    ("put", 1),
    ("put_char", 1),
    ("format", 1),
    ("format", 2),
    ("format", 3),
    ("assert", 1),
    ("asserta", 1),
    ("assertz", 1),
    ("garbage_collect", 0),
}

# Functions: which arguments may be outputs (in turn, the first that fits counts), and whether they may fail.
FUNCTIONS: dict[Indicator, tuple[list[tuple[int, ...]], bool]] = {
    ("is", 2): ([(0,)], False),
    ("length", 2): ([(1,)], False),
    ("sort", 2): ([(1,)], False),
    ("msort", 2): ([(1,)], False),
    ("keysort", 2): ([(1,)], False),
    ("functor", 3): ([(1, 2), (0,)], False),
    ("arg", 3): ([(2,)], True),
    ("=..", 2): ([(1,), (0,)], False),
    ("name", 2): ([(1,), (0,)], False),
    ("atom_codes", 2): ([(1,), (0,)], False),
    ("atom_chars", 2): ([(1,), (0,)], False),
    ("atom_length", 2): ([(1,)], False),
    ("char_code", 2): ([(1,), (0,)], False),
    ("number_codes", 2): ([(1,), (0,)], False),
    ("number_chars", 2): ([(1,), (0,)], False),
    ("copy_term", 2): ([(1,)], False),
    ("findall", 3): ([(2,)], False),
    ("bagof", 3): ([(2,)], True),
    ("setof", 3): ([(2,)], True),
    ("read", 1): ([(0,)], False),
    ("open", 3): ([(2,)], False),
}

"""What completion expects and offers."""

import pytest

from prism_repl.repl.completer import (
    Candidate,
    Expected,
    Index,
    Place,
    Source,
    after_lines,
    candidates,
    expected_at,
    place_at,
    variables,
)


@pytest.mark.parametrize(
    ("text", "kind", "prefix"),
    [
        ("", "predicate", ""),
        ("vit", "predicate", "vit"),
        ("foo(X), vit", "predicate", "vit"),
        ("prob(hmm", "predicate", "hmm"),
        ("set_prism_flag(", "flag", ""),
        ("set_prism_flag(lea", "flag", "lea"),
        ("set_prism_flag(learn_mode,m", "flag_value", "m"),
        ("get_prism_flag(learn_mode, ", "flag_value", ""),
        ("msw(co", "switch", "co"),
        ("set_sw(coin,", "predicate", ""),
        ("prism(h", "file", "h"),
        ("consult('a b/c", "file", "a b/c"),
        ("prism([v],h", "file", "h"),
        ("[h", "file", "h"),
        ("foo(Xs, Y", "variable", "Y"),
        ("foo(_", "variable", "_"),
        ("write('vit", "nothing", ""),
        ("X = 'it''s' , wri", "predicate", "wri"),
        ("% vit", "nothing", ""),
        ("/* vit", "nothing", ""),
        ("X = 0'v", "nothing", ""),
        ('X = "vit', "nothing", ""),
        ("a. vi", "predicate", "vi"),
        ("help(vit", "topic", "vit"),
    ],
)
def test_expected(text, kind, prefix):
    found = expected_at(text, len(text))
    assert (found.kind, found.prefix) == (kind, prefix)


def test_flag_of_a_value():
    assert expected_at("set_prism_flag(learn_mode,", 26).flag == "learn_mode"


def test_cursor_in_the_middle():
    text = "vit(X), prob(hmm(Y))"
    assert expected_at(text, 3) == Expected("predicate", "vit")


class Names(Source):
    def __init__(self):
        self.index = Index(
            [
                ("viterbi", "viterbi/1", "best probability"),
                ("viterbif", "viterbif/3", ""),
                ("write", "write/1", ""),
            ]
        )

    def predicates(self):
        return self.index

    def switches(self):
        return ["coin", "tr(s0)"]

    def flag_values(self, flag):
        return {"learn_mode": ["ml", "ml_vt", "vb"]}[flag]


def offered(text):
    return [c.text for c in candidates(Names(), expected_at(text, len(text)), text, len(text))]


def test_candidates(tmp_path, monkeypatch):
    assert offered("vit") == ["viterbi", "viterbif"]
    assert offered("msw(") == ["coin", "tr(s0)"]
    assert offered("set_prism_flag(learn_mode,m") == ["ml", "ml_vt"]
    assert offered("foo(Long,Other,L") == ["Long"]
    assert next(Names().index.starting_with("viterbi")) == Candidate(
        "viterbi", "viterbi/1", "best probability"
    )
    for name in ("hmm.psm", "a b.pl", "notes.txt", ".hidden"):
        (tmp_path / name).touch()
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    assert offered("prism(") == ["'a b.pl'", "hmm", "'sub/", "'notes.txt'"]
    assert offered("prism('h") == ["hmm.psm"]
    assert offered("prism(nosuch") == []


def test_many_predicates():
    index = Index((f"pred_{i}", f"pred_{i}/2", "") for i in range(10_000))
    assert len(list(index.starting_with("pred_77"))) == 111
    assert len(list(index.starting_with("pred_"))) == 200  # no more than anyone looks at


LINES = """\
foo(a, % it's
  [b,'c
d( ', /* (
 */ "e", Var1], `f`),
Var2 = 0'(, set_prism_flag(learn_mode,
  m
"""


def test_the_lines_above_the_cursor_are_looked_at_once():
    for end in range(len(LINES)):
        fresh = Place()
        fresh.follow(LINES[:end], 0)
        known = place_at(LINES[:end])
        assert known.stack == fresh.stack, LINES[:end]
        if known.kind != "layout":
            assert (known.kind, known.token, known.start) == (fresh.kind, fresh.token, fresh.start)
    after_lines.cache_clear()
    for end in range(len(LINES) - 3, len(LINES)):
        assert expected_at(LINES, end).kind == "flag_value"
    assert after_lines.cache_info().misses == 1


def test_variables_of_all_lines():
    text = "foo(Above,\n  V, _Here,\n  Var, _)"
    assert variables(text, text.index("V") + 1) == ["Above", "Var", "_Here"]
    assert variables(text, len(text)) == ["Above", "V", "_Here", "Var"]

"""What completion expects and offers."""

import pytest

from prism_repl import Session
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
from prism_repl.repl.names import SessionNames


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
        ("msw(act(su", "switch", "act(su"),
        ("show_sw( act(sunny)", "switch", "act(sunny)"),
        ("msw(act(sunny),w", "outcome", "w"),
        ("msw(act(sunny), pair(a,", "outcome", "pair(a,"),
        ("set_sw(coin,", "distribution", ""),
        ("set_sw(coin,[0.5,", "predicate", ""),
        ("prism([lo", "option", "lo"),
        ("prism([load,res", "option", "res"),
        ("prism([learn_mode = m", "flag_value", "m"),
        ("X is ma", "function", "ma"),
        ("X is max(1,ab", "function", "ab"),
        ("X is 1, wri", "predicate", "wri"),
        ("X < sq", "function", "sq"),
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
    assert expected_at("set_prism_flag(learn_mode,", 26).of == "learn_mode"
    assert expected_at("prism([learn_mode=", 18).of == "learn_mode"
    assert expected_at("msw( act( sunny ), ", 19).of == "act( sunny )"


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

    def outcomes(self, switch):
        return {"tr(s0)": ["s0", "s1"]}[switch]

    def flags(self):
        return Index([("restart", "restart", "")])

    def functions(self):
        return Index([("sqrt", "sqrt/1", "")])

    def flag_values(self, flag):
        return {"learn_mode": ["ml", "ml_vt", "vb"]}[flag]


def offered(text):
    return [c.text for c in candidates(Names(), expected_at(text, len(text)), text, len(text))]


def test_candidates(tmp_path, monkeypatch):
    assert offered("vit") == ["viterbi", "viterbif"]
    assert offered("msw(") == ["coin", "tr(s0)"]
    assert offered("set_prism_flag(learn_mode,m") == ["ml", "ml_vt"]
    assert offered("msw(tr(") == ["tr(s0)"]
    assert offered("msw(tr( s") == ["tr(s0)"]
    assert offered("msw(tr(s0),") == ["s0", "s1"]
    assert offered("set_sw(coin,u") == ["uniform"]
    assert offered("prism([l") == ["load"]
    assert offered("prism([r") == ["restart"]
    assert offered("prism([learn_mode=v") == ["vb"]
    assert offered("X is sq") == ["sqrt"]
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


def test_names_of_a_session(tmp_path):
    """Also while tracing is on: completion runs nothing that is shown."""
    program = tmp_path / "m.psm"
    program.write_text("values(act(_),[walk,shop]).\nvalues(first,[a]).\nday(W) :- msw(act(W),_).\n")
    output = []
    session = Session(output.append)
    session.prism(program)
    session.once("set_sw(act(sunny),uniform), set_sw(act(rainy),uniform)")
    session.once("trace")
    output.clear()
    names = SessionNames(session)
    assert names.switches() == ["act(rainy)", "act(sunny)"]
    assert names.outcomes("act(sunny)") == ["walk", "shop"]
    assert names.outcomes("nosuch") == names.outcomes("f(") == []
    assert names.flag_values("learn_message") == ["all", "none", "search", "em", "stats", "misc"]
    assert names.flag_values("data_source") == ["none", "data/1"]
    assert "uniform" in names.flag_values("default_sw")
    assert "sqrt" in names.functions().keys
    assert "pi" in names.functions().keys
    assert output == []
    assert session.mode_line() == "{Trace mode}\n"

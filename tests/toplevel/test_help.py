"""The help texts: complete, well formed, found."""

from importlib.resources import files

import pytest

from prism_repl import Session
from prism_repl.flags import TABLE
from prism_repl.toplevel import help as texts
from prism_repl.toplevel.compare import diff_text, same_output
from prism_repl.toplevel.console import record
from prism_repl.toplevel.transcript import parse

PRIORITY_A = """
    prism/1 prism/2 values/2 values/3 sample/1 msw/2 get_samples/3 prob/1 prob/2 log_prob/1 log_prob/2
    probf/1 probf/2
    viterbi/1 viterbi/2 viterbif/1 viterbif/3 viterbig/1 viterbig/2 viterbig/3 n_viterbi/2 n_viterbi/3
    n_viterbif/2 n_viterbif/3 n_viterbig/2 n_viterbig/3 n_viterbig/4 viterbi_subgoals/2 viterbi_switches/2
    learn/0 learn/1 learn_statistics/0 graph_statistics/0 infer_statistics/0 prism_statistics/0
    learn_statistics/2 graph_statistics/2 infer_statistics/2 prism_statistics/2
    set_prism_flag/2 get_prism_flag/2
    set_sw/1 set_sw/2 set_sw_all/0 set_sw_all/1 set_sw_all/2 set_sw_a/1 set_sw_a/2 set_sw_d/1 set_sw_d/2
    set_sw_all_a/0 set_sw_all_a/1 set_sw_all_a/2 set_sw_all_d/0 set_sw_all_d/1 set_sw_all_d/2
    fix_sw/1 fix_sw/2 unfix_sw/1 show_sw/0 show_sw/1 show_sw_a/0 show_sw_a/1 show_sw_d/0 show_sw_d/1
    show_sw_pa/0 show_sw_pa/1 show_sw_pd/0 show_sw_pd/1 get_sw/1 get_sw/2 get_sw/4 get_sw/5
    get_values/2 get_values1/2 random_set_seed/0 random_set_seed/1 random_get_seed/1
"""


@pytest.mark.parametrize("indicator", PRIORITY_A.split())
def test_most_important_predicates_have_help(indicator):
    name, arity = indicator.split("/")
    assert texts.find(name, int(arity))


@pytest.mark.parametrize("flag", [flag.name for flag in TABLE])
def test_all_flags_have_help(flag):
    assert "Default: " in texts.help_text(flag)


@pytest.mark.parametrize("entry", texts.predicates(), ids=lambda entry: entry.signatures[0])
def test_entries_are_well_formed(entry):
    assert entry.text
    assert entry.group
    assert len(entry.summary) < 130
    assert all(len(line) <= 116 for line in entry.text.split("\n"))
    assert len(parse(entry.example)) == (1 if entry.example else 0)


def test_no_predicate_is_described_twice():
    indicators = [i for entry in texts.predicates() for i in entry.indicators]
    assert len(indicators) == len(set(indicators))


def test_finding():
    assert texts.help_text("viterbif", 3).startswith(
        "viterbif(Goal)\nviterbif(Goal,P,Explanation)\n    The most"
    )
    assert "Perhaps viterbi" in texts.help_text("vitterbi")
    assert "There is no help on viterbif/7" in texts.help_text("viterbif", 7)
    assert "log_prob/1, log_prob/2" in texts.apropos_text("logarithm")
    assert texts.apropos_text("qqqq") == "Nothing is found for qqqq.\n"
    assert "Learning:\n  learn" in texts.overview()


def test_parse():
    (entry,) = texts.parse("# Group\n\na(X)\na(X,Y)\n    First. Second\n    line.\n    ?- a(1).\n    yes\n")
    assert entry.indicators == (("a", 1), ("a", 2))
    assert (entry.summary, entry.group) == ("First", "Group")
    assert entry.text == "First. Second\nline."
    assert entry.example == "?- a(1).\nyes"


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A directory with the models that the examples use."""
    folder = tmp_path_factory.mktemp("models")
    for model in (files("prism_repl.toplevel") / "help_texts" / "models").iterdir():
        (folder / model.name).write_text(model.read_text())
    return folder


@pytest.mark.parametrize(
    "entry", [entry for entry in texts.predicates() if entry.example], ids=lambda entry: entry.signatures[0]
)
def test_examples_are_true(entry, models, monkeypatch):
    monkeypatch.chdir(models)
    session = Session([].append)
    session.prism("coin")
    (example,) = parse(entry.example)
    actual = record(session, example.query, example.alternatives)
    assert same_output(example.output, actual), diff_text(example.output, actual)

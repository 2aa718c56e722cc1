"""The help texts: complete, well formed, found."""

from importlib.resources import files

import pytest

from prism_repl import Session
from prism_repl.flags import TABLE
from prism_repl.repl import help as texts
from prism_repl.repl.compare import diff_text, same_output
from prism_repl.repl.console import record
from prism_repl.repl.transcript import parse


@pytest.mark.parametrize("flag", [flag.name for flag in TABLE])
def test_all_flags_have_help(flag):
    assert "Default: " in texts.help_text(flag)


@pytest.mark.parametrize("entry", texts.predicates(), ids=lambda entry: entry.signatures[0])
def test_entries_are_well_formed(entry):
    assert entry.text
    assert entry.group
    assert len(entry.summary) < 130
    assert all(len(line) <= 76 for line in entry.text.split("\n"))
    assert len(parse(entry.example)) == (0 if entry.signatures[0] in NO_EXAMPLE else 1)


# They leave the session, or open an editor.
NO_EXAMPLE = {"halt", "edit(File)"}


def test_no_predicate_is_described_twice():
    indicators = [i for entry in texts.predicates() for i in entry.indicators]
    assert len(indicators) == len(set(indicators))


def test_finding():
    assert texts.help_text("viterbif", 3).startswith(
        "viterbif(+Goal) is semidet\nviterbif(+Goal, -P, -Explanation) is semidet\n    The most"
    )
    assert "Perhaps viterbi" in texts.help_text("vitterbi")
    assert "There is no help on viterbif/7" in texts.help_text("viterbif", 7)
    assert "log_prob/1,2              The natural" in texts.apropos_text("logarithm")
    assert "viterbif/1,3              The most probable" in texts.apropos_text("decoding")
    assert texts.apropos_text("qqqq") == "Nothing is found for qqqq.\n"
    assert "Learning:\n  learn" in texts.overview()


@pytest.mark.parametrize(
    ("word", "predicate"),
    [
        ("sampling", "sample(Goal)"), ("samples", "sample(Goal)"), ("training", "learn"), ("quit", "halt"),
        ("decoding", "viterbif(Goal)"), ("debugging", "trace"), ("trees", "print_tree(Tree)"),
        ("probabilities", "prob(Goal)"), ("posterior", "hindsight(Goal)"), ("parameters", "set_sw(Switch)"),
        ("transcripts", "log(File)"),
    ],
)  # fmt: skip
def test_words_are_found_in_other_forms(word, predicate):
    assert predicate in [entry.signatures[0] for entry in texts.search(word)]


def test_names_come_first():
    assert texts.apropos_text("sampling").splitlines()[0].startswith("sample/1 ")


def test_examples_show_their_program():
    text = texts.help_text("viterbit")
    assert "    With the program\n    values(coin,[head,tail],[0.6,0.4]).\n" in text
    assert "    pair(X,Y) :- toss(1,X), toss(2,Y).\n" in text
    assert "same" not in text
    assert "With the program" not in texts.help_text("append")


def test_signatures():
    assert texts.indicator("viterbif(Goal,P,E)") == ("viterbif", 3)
    assert texts.indicator("learn") == ("learn", 0)
    assert texts.indicator("X is Y") == ("is", 2)
    assert texts.indicator("A , B") == (",", 2)
    assert texts.indicator("\\+ Goal") == ("\\+", 1)
    assert texts.indicator("[File,...]") == (".", 2)
    with pytest.raises(ValueError, match="not a signature"):
        texts.indicator("Two words")


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
    for model in (files("prism_repl.repl") / "help_texts" / "models").iterdir():
        (folder / model.name).write_text(model.read_text())
    return folder


@pytest.mark.parametrize(
    "entry",
    [entry for entry in (*texts.predicates(), *texts.flags().values()) if entry.example],
    ids=lambda entry: entry.signatures[0],
)
def test_examples_are_true(entry, models, monkeypatch):
    monkeypatch.chdir(models)
    session = Session([].append)
    session.prism("coin")
    (example,) = parse(entry.example)
    actual = record(session, example.query, example.alternatives)
    assert same_output(example.output, actual), diff_text(example.output, actual)

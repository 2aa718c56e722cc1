"""Configuration, history, and what Enter does."""

import json
import multiprocessing

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.shortcuts import PromptSession

from prism_repl.repl import config
from prism_repl.repl.history import QueryHistory, Suggest
from prism_repl.repl.keys import indentation, lacks_period, pasted, submits, typing_keys


def test_no_configuration(tmp_path):
    assert config.load(tmp_path / "none.toml") == (config.Config(), [])


def test_template_gives_the_defaults(tmp_path):
    path = tmp_path / "deep" / "config.toml"
    config.write_template(path)
    assert config.load(path) == (config.Config(), [])
    path.write_text(
        "\n".join(
            line.removeprefix("#") for line in config.TEMPLATE.splitlines() if not line.startswith("# ")
        )
    )
    assert config.load(path) == (config.Config(), [])  # what the comments show are the defaults


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("style = ", "not a TOML file"),
        ("colour = 1", "no such setting"),
        ('fold = "many"', "int expected"),
        ('editing = "ed"', "one of emacs, vi"),
        ("fold = -1", "from 0"),
        ("pager = 1", "bool expected"),
    ],
)
def test_bad_configuration_goes_on(tmp_path, text, message):
    path = tmp_path / "config.toml"
    path.write_text(text + "\n")
    found, messages = config.load(path)
    assert found == config.Config()
    assert len(messages) == 1
    assert message in messages[0]
    assert str(path) in messages[0]


def test_configuration_that_is_a_directory(tmp_path):
    found, messages = config.load(tmp_path)
    assert found == config.Config()
    assert "cannot read" in messages[0]


def test_good_settings_survive_a_bad_one(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text('style = "light"\nnope = 1\n')
    found, messages = config.load(path)
    assert found.style == "light"
    assert len(messages) == 1


def fill(path, name):
    history = QueryHistory(path, 1000, print)
    for i in range(50):
        history.store_string(f"{name}({i}),\n  true.")


def test_history_of_concurrent_sessions(tmp_path):
    path = tmp_path / "state" / "history"
    workers = [multiprocessing.get_context("fork").Process(target=fill, args=(path, name)) for name in "abc"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = list(QueryHistory(path, 1000, print).load_history_strings())
    assert len(found) == 150
    assert next(q for q in found if q.startswith("b")) == "b(49),\n  true."


def test_history_after_a_crash(tmp_path):
    path = tmp_path / "history"
    path.write_bytes(b'"a."\n"half of a li')
    history = QueryHistory(path, 100, print)
    history.store_string("b.")
    assert list(history.load_history_strings()) == ["b.", "a."]
    assert json.loads(path.read_text().splitlines()[-1]) == "b."


def test_history_that_cannot_be_written(tmp_path):
    told = []
    history = QueryHistory(tmp_path / "history", 100, told.append)
    (tmp_path / "history").mkdir()
    history.store_string("a.")
    history.store_string("b.")
    assert len(told) == 1
    assert "cannot write the history" in told[0]
    assert list(history.load_history_strings()) == []


def test_history_that_cannot_be_read(tmp_path):
    """Said before the first prompt, once."""
    told = []
    history = QueryHistory(tmp_path, 100, told.append)
    assert len(told) == 1
    assert "cannot read the history" in told[0]
    history.store_string("a.")
    assert list(history.load_history_strings()) == []
    assert len(told) == 1


def test_suggestions_are_whole_queries(tmp_path):
    history = QueryHistory(tmp_path / "history", 100, print)
    for query in ("member(X,\n    [a,b]).", "memberchk(a,[b])."):
        history.append_string(query)
    buffer = Buffer(history=history)

    def suggested(text):
        found = Suggest().get_suggestion(buffer, Document(text))
        return found.text if found else None

    assert suggested("memberc") == "hk(a,[b])."
    assert suggested("member(") == "X,\n    [a,b])."
    assert suggested("member(X,\n ") == "   [a,b])."
    assert suggested("foo,\nmember") is None  # the query starts with something else
    assert suggested(" ") is None


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("", True),
        ("a.", True),
        ("a", False),
        ("a(b,", False),
        ("X = 'a", False),
        ("X = 'a.", True),
        ("a. b", False),
    ],
)
def test_enter(text, result):
    assert submits(text) is result


def test_indentation():
    assert indentation("foo(a),") == "    "
    assert indentation("foo([a,") == "        "
    assert indentation("X = 'a") == ""


def typed(text):
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(text)
        return PromptSession(multiline=True, key_bindings=typing_keys(lambda: None)).prompt()


def test_typing():
    assert typed("a.\r") == "a."
    assert typed("a,\rb.\r") == "a,\n    b."
    assert typed("a\x1b\r") == "a"
    assert typed("\x1b[200~a,\r\nb\x00.\x1b[201~\r") == "a,\nb."


def test_pasted_text():
    assert pasted("a,\r\nb,\rc,\n\td\x07.\x1b") == "a,\nb,\nc,\n\td."
    assert pasted("'caf\udce9 日本'") == "'caf\N{REPLACEMENT CHARACTER} 日本'"


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("help", False),  # Enter was not pressed
        ("help\n    ", True),
        ("X = 1, Y = 2\n", True),
        ("member(X,\n    ", False),
        ("a,\n    ", False),
        ("X = \n    ", False),
        ("X = 'a\n", False),
        ("/* a\n", False),
        ("foo\n    , bar", False),
        ("\n", False),
        ("foo.\n", False),
    ],
)
def test_a_period_is_missing(text, lacks):
    assert lacks_period(text) == lacks

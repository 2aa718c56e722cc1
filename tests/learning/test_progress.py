"""The progress line of a terminal."""

import pytest

from prism_repl.learning.progress import ProgressLine, bar_text, clock_text
from tests.support.programs import WEATHER, Program


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (61, "1:01"), (3599.6, "1:00:00"), (7325, "2:02:05")]
)
def test_clock(seconds, text):
    assert clock_text(seconds) == text


def test_bar():
    assert bar_text("#goals:", 0, 10, 0.0) == "#goals: [--------------------] 0/10"
    assert bar_text("#goals:", 250, 1000, 0.5) == "#goals: [#####---------------] 250/1000  500/s  0:02 left"


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_text_waits_for_its_line_and_the_status_goes_first():
    told, clock = [], Clock()
    line = ProgressLine(
        lambda text: told.append(("put", text)), lambda text: told.append(("show", text)), clock
    )
    line.write("#goals: 0")
    line.status(lambda seconds: f"{seconds:.1f}")
    assert told == []  # too early
    clock.now = 0.2
    line.status(lambda seconds: f"{seconds:.1f}")
    line.status(lambda seconds: "not so soon")
    line.write("(3)\n")
    assert told == [("show", "0.2"), ("show", ""), ("put", "#goals: 0(3)\n")]
    line.write("cut off")
    line.finish()
    assert told[-1] == ("put", "cut off")


def test_without_a_terminal_text_is_written_at_once():
    told = []
    line = ProgressLine(told.append, None)
    line.write("#goals: 0")
    line.status(lambda seconds: "never")
    assert told == ["#goals: 0"]


def test_a_terminal_gets_the_same_text_in_the_end(tmp_path):
    program = Program(tmp_path, WEATHER)
    program.ask("set_prism_flag(init,none), set_prism_flag(learn_message,search+em)")
    query = "params, learn([week([sun,rain])])"
    program.ask(query)
    plain = program.output
    shown = []
    program.m.prob.show_progress = shown.append
    program.ask(query)
    assert program.output == plain
    program.ask("params, learn([week([sun]),week([snow])])")
    assert program.output.startswith("#goals: 0***  PRISM ERROR: no explanations")


def test_a_run_is_shown(tmp_path, monkeypatch):
    monkeypatch.setattr("prism_repl.learning.progress.EVERY", 0.0)
    program = Program(tmp_path, WEATHER)
    shown = []
    program.m.prob.show_progress = shown.append
    program.ask("params, set_prism_flag(init,none), learn([week([sun,rain]),week([wind])])")
    assert any(text.startswith("#goals: [----------") for text in shown)
    assert any(text.startswith("#em-iters: ") for text in shown)
    assert shown[-1] == ""
    assert "#em-iters: 0" in program.output
    program.ask("set_prism_flag(restart,2), learn([week([sun,rain])])")
    assert any(text.startswith("[2 of 2] #em-iters: ") for text in shown)

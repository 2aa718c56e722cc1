"""The kernel, as a notebook talks to it. One kernel serves all tests of this file."""

import os
import queue
import time

import pytest

pytest.importorskip("ipykernel", reason="SKIPPED: ipykernel is not installed (extra `jupyter`)")

from jupyter_client.manager import KernelManager

from prism_repl.jupyter.install import install
from tests.test_examples import EXAMPLES, ROOT

SECONDS = 60
PROGRAM = """%%program coins
values(coin(_),[head,tail]).
toss(I,X) :- msw(coin(I),X).
tosses([]).
tosses([X|Xs]) :- toss(1,X), tosses(Xs)."""


class Outputs(list):
    """The outputs of a cell: (kind, content)."""

    def of(self, kind):
        return [content for found, content in self if found == kind]

    @property
    def text(self):
        return "".join(content["text"] for content in self.of("stream"))

    @property
    def data(self):
        return [content["data"] for content in self.of("display_data")]

    @property
    def error(self):
        (content,) = self.of("error")
        return content

    @property
    def table(self):
        """The only table, as text."""
        (data,) = self.data
        assert "text/html" in data
        return data["text/plain"]


class Cells:
    """Runs cells in a kernel."""

    def __init__(self, manager, client):
        self.manager, self.client = manager, client

    def run(self, code, when=None, answer=None):
        """The outputs of a cell; `when(outputs)` is called after each, `answer` is typed in."""
        outputs = Outputs()

        def note(message):
            if message["msg_type"] not in ("status", "execute_input"):
                outputs.append((message["msg_type"], message["content"]))
                if when is not None:
                    when(outputs)

        def type_in(message):
            outputs.append(("asked", message["content"]))
            self.client.input(answer)

        reply = self.client.execute_interactive(
            code,
            allow_stdin=answer is not None,
            output_hook=note,
            stdin_hook=type_in if answer is not None else None,
            timeout=SECONDS,
        )
        self.reply = reply["content"]
        return outputs

    def request(self, send, *args, **options):
        number = send(*args, **options)
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            reply = self.client.get_shell_msg(timeout=SECONDS)
            if reply["parent_header"].get("msg_id") == number:
                return reply["content"]
        raise queue.Empty


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    folder = tmp_path_factory.mktemp("jupyter")
    install("prism", "PRISM", str(folder))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(folder / "share" / "jupyter"))
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        manager = KernelManager(kernel_name="prism")
        manager.start_kernel(cwd=str(EXAMPLES))
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=SECONDS)
        yield Cells(manager, client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_what_it_says_of_itself(cells):
    info = cells.request(cells.client.kernel_info)
    assert info["language_info"]["pygments_lexer"] == "prism"
    assert info["language_info"]["file_extension"] == ".psm"


def test_an_answer_is_a_table(cells):
    (data,) = cells.run("X = f(a), Y = 1.").data
    assert data["text/plain"] == "X = f(a)\nY = 1"
    assert "<th" in data["text/html"]
    assert ">f(a)</td>" in data["text/html"]


def test_html_is_escaped(cells):
    (data,) = cells.run("X = '<b>&'.").data
    assert "&lt;b&gt;&amp;" in data["text/html"]


def test_several_queries_in_a_cell(cells):
    outputs = cells.run("true. fail.\nwrite(hello), nl.\n% a comment\nX = 1")
    assert outputs.text == ("?- true.\nyes\n\n?- fail.\nno\n\n?- write(hello), nl.\nhello\nyes\n\n?- X = 1\n")
    assert outputs.table == "X = 1"


def test_an_error_ends_the_cell(cells):
    outputs = cells.run("nosuch(1). write(never).")
    assert cells.reply["status"] == "error"
    assert outputs.error["evalue"] == "there is no predicate nosuch/1"
    assert "never" not in outputs.text.replace("?- write(never)", "")


def test_all_answers_up_to_twenty(cells):
    assert cells.run("member(X,[1,b,Y]).").table == "X\n─\n1\nb\nY"
    shown = cells.run("between(1,45,X).").table
    assert shown.startswith("X\n──\n1\n2\n")
    assert shown.endswith("20\n(20 answers, there may be more: %next or %all)")
    assert cells.run("%next 3").table == "X\n──\n21\n22\n23\n(3 answers, there may be more: %next or %all)"
    assert cells.run("%all").table.endswith("\n45\n(22 answers)")
    assert "no query" in cells.run("%next").error["evalue"]
    assert "not many" in cells.run("between(1,45,X).\n%next many").error["evalue"]


def test_answers_of_a_long_search_are_shown_before_it_ends(cells):
    """A third answer is never found: the others are shown meanwhile; an interrupt ends the search."""
    stop = []
    outputs = cells.run(
        "( X = 1 ; X = 2 ; repeat, fail ).",
        lambda found: stop.append(cells.manager.interrupt_kernel()) if found.data and not stop else None,
    )
    meanwhile, final = outputs.data
    assert meanwhile["text/plain"] == "X\n─\n1\n2\n(2 answers, there may be more)"
    assert final["text/plain"] == "X\n─\n1\n2"
    (gone,) = outputs.of("update_display_data")
    assert gone["data"] == {"text/html": "", "text/plain": ""}
    assert gone["transient"] == outputs.of("display_data")[0]["transient"]
    assert outputs.error["ename"] == "KeyboardInterrupt"


def test_an_interrupt_keeps_the_session(cells):
    cells.run("assertz(seen(1)), assertz((loop :- loop)).")
    outputs = cells.run(
        "write(started), nl, loop.",
        lambda found: cells.manager.interrupt_kernel() if len(found) == 1 else None,
    )
    assert outputs.error["evalue"] == "interrupted in loop/0"
    assert cells.run("seen(X).").table == "X = 1"


def test_programs(cells):
    assert cells.run(PROGRAM).text == "yes\n"
    assert cells.run("prob(toss(1,head),P).").table == "P = 0.5"
    cells.run("%%program coins\nvalues(coin,[head,tail]).\nthrow_it(X) :- msw(coin,X).")
    assert "toss/2" in cells.run("toss(1,X).").error["evalue"]  # the old version is gone


def test_errors_in_a_program_have_line_and_column_of_the_cell(cells):
    outputs = cells.run("%%program bad\nvalues(a,[1,2]).\np(X) :- msw(a,X\nq(1).\nr(X) :- nosuch(X).")
    assert "% bad:3:16: an operator" in outputs.text
    assert outputs.error["evalue"] == "There is 1 error in bad: see above."
    assert "name" in cells.run("%%program\nvalues(a,[1,2]).").error["evalue"]


def test_errors_in_a_query_have_line_and_column_of_the_cell(cells):
    error = cells.run("true.\n\n   X = f(a b).").error
    assert error["evalue"] == "Syntax error in line 3, column 12: an operator was expected"
    assert error["traceback"][1:] == ["   X = f(a b).", "           ^"]


def test_sentences_and_hints(cells):
    cells.run(PROGRAM)
    error = cells.run("prob(tos(1,head)).").error
    assert error["evalue"] == "tos(1,head) is not a goal of the program that has a probability, in prob/1"
    assert error["traceback"][1].startswith("Perhaps toss/2")
    assert "%%program" in cells.run("p(X) :- q(X).").error["traceback"][1]


def test_commands(cells):
    assert cells.run("%load hmm.psm").text == "loading::hmm.psm.out\nyes\n"
    cells.run("prob(days([walk])).")
    assert cells.run("%sw first").table.split() == [
        *("switch", "outcome", "probability", "fixed"),
        *("first", "sunny", "0.4", "False"),
        *("first", "rainy", "0.6", "False"),
    ]
    assert "there is no" in cells.run("%load nosuch.psm").error["evalue"]
    assert "needs a file" in cells.run("%load").error["evalue"]
    assert "%sw" in cells.run("%help").text
    assert "viterbif(+Goal, -P, -Explanation) is semidet" in cells.run("%help viterbif").text
    assert "perhaps %load" in cells.run("%lod hmm").text
    assert not cells.run("% a comment only")
    assert not cells.run("")


def test_pictures(cells):
    pytest.importorskip("svgling", reason="SKIPPED: svgling is not installed (extra `pictures`)")
    cells.run("%load hmm.psm")
    (data,) = cells.run("show_tree(days([walk,shop])).").data
    assert data["image/svg+xml"].startswith("<svg")
    assert "days([walk,shop])" in data["text/plain"]
    cells.run("learn([days([walk,shop]),days([shop])]).")
    for query in ("show_learn.", "show_bars."):
        (data,) = cells.run(query).data
        assert data["image/svg+xml"].startswith("<svg")


def stop_learning(cells):
    """Interrupts when the bar shows that iterations go on."""
    stopped = []

    def stop(found):
        kind, content = found[-1]
        if kind.endswith("display_data") and "#em-iters" in content["data"]["text/plain"] and not stopped:
            stopped.append(cells.manager.interrupt_kernel())

    return stop


LONG_LEARNING = (
    "set_prism_flag(epsilon,1.0e-300), set_prism_flag(restart,1000),"
    " get_samples(500,days([_,_,_,_,_,_]),_Goals), learn(_Goals)."
)


def test_progress_is_shown_in_place_and_goes(cells):
    cells.run("%load hmm.psm")
    outputs = cells.run(LONG_LEARNING, stop_learning(cells))
    shown = [content for kind, content in outputs if kind.endswith("display_data")]
    assert len({content["transient"]["display_id"] for content in shown}) == 1
    assert shown[0]["data"]["text/html"].startswith("<code>")
    assert shown[-1]["data"] == {"text/html": "", "text/plain": ""}
    assert "The parameters are as they were" in outputs.text
    assert outputs.error["ename"] == "KeyboardInterrupt"


def test_parameters_of_an_interrupted_learn_can_be_kept(cells):
    cells.run("%load hmm.psm")
    outputs = cells.run(LONG_LEARNING, stop_learning(cells), answer="y")
    assert outputs.of("asked")[0]["prompt"].startswith("Keep the parameters of iteration")
    assert "0.4  " not in cells.run("%sw first").table


def test_input(cells):
    outputs = cells.run("read(X).", answer="foo(Y).")
    assert outputs.of("asked")[0]["prompt"] == "|: "
    assert outputs.table == "X = foo(_)" or outputs.table.startswith("X = foo(")
    assert cells.run("read(X).").table == "X = end_of_file"  # nobody can be asked


def test_completion(cells):
    found = cells.request(cells.client.complete, "X = 1, viterbi_sw", 17)
    assert found["matches"] == ["viterbi_switches"]
    assert (found["cursor_start"], found["cursor_end"]) == (7, 17)
    assert "learn_mode" in cells.request(cells.client.complete, "set_prism_flag(learn_", 21)["matches"]
    assert cells.request(cells.client.complete, "%s", 2)["matches"] == ["%sw"]
    assert "hmm.psm" in cells.request(cells.client.complete, "%load hm", 8)["matches"]


def test_inspection(cells):
    cells.run(PROGRAM)
    cells.run("prob(toss(7,head)).")

    def help_at(text):
        found = cells.request(cells.client.inspect, text, len(text))
        return found["data"].get("text/plain", "") if found["found"] else ""

    assert help_at("viterbif").startswith("viterbif(+Goal) is semidet")
    assert help_at("viterbif(toss(1,X),").startswith("viterbif(+Goal) is semidet")
    assert help_at("toss") == "toss/2: a probabilistic predicate of the program\n"
    assert help_at("msw(coin(7),X), coin") == "switch coin(7): head 0.5, tail 0.5\n"
    assert help_at("%sw").startswith("%sw [PATTERN]")
    assert help_at("X + ") == ""


@pytest.mark.parametrize(
    ("code", "status"),
    [("foo(", "incomplete"), ("foo(X).", "complete"), ("", "complete"), ("%sw", "complete"),
     ("%%program a\nvalues(a,[1]).\n", "incomplete"), ("%%program a\nvalues(a,[1]).\n\n", "complete")],
)  # fmt: skip
def test_is_complete(cells, code, status):
    assert cells.request(cells.client.is_complete, code)["status"] == status


def test_history(cells):
    cells.run("X = 'for the history'.")
    cells.run("Y = another.")
    tail = cells.request(cells.client.history, hist_access_type="tail", n=2)["history"]
    assert [cell for _, _, cell in tail] == ["X = 'for the history'.", "Y = another."]
    found = cells.request(
        cells.client.history, hist_access_type="search", pattern="*the history*", n=5, unique=True
    )
    assert [cell for _, _, cell in found["history"]] == ["X = 'for the history'."]


def test_halt_starts_a_new_session(cells):
    cells.run("assertz(kept(1)).")
    assert "new one" in cells.run("halt.").text
    assert "there is no predicate kept/1" in cells.run("kept(X).").error["evalue"]

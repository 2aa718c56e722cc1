"""Cells and their outputs: the same for the kernel and for magics in Python notebooks."""

from __future__ import annotations

import html
import itertools
import re
import threading
import uuid
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from prism_repl.answers import Answer
from prism_repl.api import RowGoal
from prism_repl.jupyter.cells import Command, Doubt, Program, Query, commands_text, parts_of, place_in_cell
from prism_repl.prolog.terms import Struct, Term
from prism_repl.repl.help import help_text
from prism_repl.repl.hints import hint
from prism_repl.repl.loading import load_goal
from prism_repl.repl.names import SessionNames
from prism_repl.repl.sessions import Session
from prism_repl.sentences import sentence
from prism_repl.session import INTERRUPTED, PrismError
from prism_repl.tables import Answers

Bundle = dict[str, Any]  # a picture or table by MIME type

NOTHING: Bundle = {"text/html": "", "text/plain": ""}  # takes the place of what was shown for a while
SHOWN = 20  # answers to a query, until %next or %all
HOW = ": %next or %all"
PATIENCE = 0.5  # seconds until the answers found so far are shown, and others beside them
ECHOED = 100  # characters of a query above its answers
VALUE = re.compile(r"\{\s*([^\W\d]\w*)\s*\}")  # {name}
CLAUSES = "Clauses stand in a cell of their own that begins with %%program NAME."


class Display(Protocol):
    """Where outputs go."""

    def write(self, text: str) -> object: ...

    def write_error(self, text: str) -> object: ...

    def show(self, bundle: Bundle, name: str | None = None, again: bool = False) -> object:
        """Show something; what has a name can be shown `again` in its place."""


class CellError(Exception):
    """A cell ended with an error: a sentence, and lines of detail."""

    def __init__(self, kind: str, said: str, details: tuple[str, ...] = ()) -> None:
        super().__init__(said)
        self.kind = kind
        self.said = said
        self.details = tuple(line for line in details if line)


class OpenAnswers:
    """The answers to the last query, of which more may be asked for."""

    def __init__(self, query: Query, answers: Iterator[Answer]) -> None:
        self.query = query
        self.answers = answers
        self.ended = False
        self.failed: Answer | None = None  # an error after some answers

    def take(self, limit: int | None) -> Iterator[Answer]:
        """The next answers, at most `limit`."""
        for answer in itertools.islice(self.answers, limit):
            if answer.status == "error":
                self.failed = answer
            self.ended = not answer.pending
            if answer:
                yield answer
            if self.ended:
                return
        if limit is None:
            self.ended = True


class Notebook:
    """Runs cells in a session."""

    def __init__(self, session: Session, display: Display) -> None:
        self.display = display
        self.names = SessionNames(session)
        self.last: OpenAnswers | None = None
        self.progress_name = ""
        self.values: Mapping[str, Any] | None = None
        self.use(session)

    def use(self, session: Session) -> None:
        """Take a session: its outputs go to the notebook while a cell runs."""
        self.session = session
        self.names = SessionNames(session)
        self.last = None

    # Cells

    def run(self, cell: str, give: bool = False, values: Mapping[str, Any] | None = None) -> Any:
        """Run a cell. With `give`, what the last query or command found is not shown but given back; with
        `values`, {name} in a query is one of them. CellError if something is wrong, KeyboardInterrupt if it
        was interrupted."""
        self.values = values
        parts = parts_of(cell)
        queries = sum(isinstance(part, Query) for part in parts)
        result: Any = None
        with Connected(self):
            for i, part in enumerate(parts):
                given = give and i == len(parts) - 1
                if isinstance(part, Program):
                    self.load_text(part)
                elif isinstance(part, Query):
                    if queries > 1:
                        self.display.write(("\n" if i else "") + echo(part.text))
                    result = self.query(part, cell, given)
                elif isinstance(part, Command):
                    result = self.command(part, cell, given)
                elif isinstance(part, Doubt):
                    self.display.write_error(
                        f"{part.text} is a comment here; perhaps {part.meant} is meant?\n"
                    )
        return result if give else None

    def load_text(self, program: Program) -> None:
        if not program.name:
            raise CellError("ProgramError", "A program needs a name: %%program hmm")
        self.load(Struct("$load_text", program.name, program.text), program.name)

    def load(self, goal: str | Term, name: str) -> None:
        """Load a program; errors in it are counted, their places were told."""
        state = self.session.machine.state
        before = state.get("load_errors", 0)
        answer = first(self.session.answers(goal))
        if answer.status == "error":
            raise self.error(answer, Query(f"%load {name}", 1, 1))
        self.hint(answer)
        errors = state.get("load_errors", 0) - before
        if errors:
            is_are = "is 1 error" if errors == 1 else f"are {errors} errors"
            raise CellError("ProgramError", f"There {is_are} in {name}: see above.")
        self.display.write("yes\n")

    # Queries

    def query(self, query: Query, cell: str, given: bool) -> Answers:
        self.last = OpenAnswers(query, self.session.answers(self.goal_of(query, cell)))
        return self.show_answers(self.last, SHOWN, cell, given)

    def goal_of(self, query: Query, cell: str) -> str | Term:
        """A query with the values that it names."""
        if self.values is None or not VALUE.search(query.text):
            return query.text
        try:
            form = RowGoal(self.session, query.text, VALUE)
        except PrismError as error:
            raise self.error(error.answer, query, cell) from None
        for name in form.places.values():
            if name not in self.values:
                raise CellError("NameError", f"{{{name}}}: there is no Python variable {name}")
            if isinstance(self.values[name], Mapping):
                raise CellError(
                    "TypeError", f"{{{name}}}: a mapping has no Prolog term; give a list of pairs"
                )
        return form.of(self.values) if form.places else query.text

    def show_answers(self, found: OpenAnswers, limit: int | None, cell: str, given: bool) -> Answers:
        """Show the next answers; while the search goes on for long, those that it has found already."""
        answers: list[Answer] = []
        with Growing(self.display, answers, not given):
            for answer in found.take(limit):
                answers.append(answer)
        table = Answers(answers, found.ended, HOW)
        if table.names and not given:
            self.display.show(table_bundle(table))
        elif not table.names and not given and found.failed is None:
            self.display.write(f"{table}\n")
        self.display.write(self.session.mode_line())
        if found.failed is not None:
            raise self.error(found.failed, found.query, cell)
        self.hint(Answer("yes" if answers else "no"))
        return table

    def hint(self, answer: Answer) -> None:
        if text := hint(self.names, answer):
            self.display.write(text + "\n")

    # Commands

    def command(self, command: Command, cell: str, given: bool) -> Any:
        if command.name == "load":
            if not command.argument:
                raise CellError("UsageError", "%load needs a file: %load hmm.psm")
            self.load(load_goal(command.argument.strip("'\"")), command.argument)
        elif command.name == "sw":
            return self.switches(command, given)
        elif command.name == "help":
            self.display.write(help_text(command.argument) if command.argument else commands_text())
        elif self.last is None or self.last.ended or self.session.open is None:
            raise CellError("UsageError", "There is no query that may have more answers.")
        else:
            return self.show_answers(self.last, how_many(command), cell, given)
        return None

    def switches(self, command: Command, given: bool) -> Any:
        """The switches as a DataFrame."""
        try:
            frame = self.session.switch_frame(command.argument or "_")
        except PrismError as error:
            raise self.error(error.answer, Query(command.argument, command.line, 5)) from None
        except ImportError:
            raise CellError("ImportError", "%sw needs pandas: pip install 'prism-repl[jupyter]'") from None
        if not given:
            table = {"text/html": frame.to_html(index=False), "text/plain": frame.to_string(index=False)}
            self.display.show(table)
        return frame

    # Errors

    def error(self, answer: Answer, query: Query, cell: str = "") -> Exception:
        """What to raise for an answer that is an error."""
        if answer.error == INTERRUPTED:
            return KeyboardInterrupt(answer.message.removeprefix("***").strip())  # type: ignore[return-value]
        if answer.place is not None:
            line, column = place_in_cell(query, answer.place)
            shown = (cell.split("\n") + [""] * line)[line - 1]
            said = f"Syntax error in line {line}, column {column}: {answer.reason}"
            return CellError("SyntaxError", said, (shown, " " * (column - 1) + "^"))
        meaning = sentence(answer.error, answer.reason)
        message = answer.message.removeprefix("***").strip()
        said = meaning or message
        perhaps = hint(self.names, answer)
        if perhaps.startswith("Clauses stand in"):
            perhaps = CLAUSES
        return CellError("PrismError", said, (perhaps, message if meaning else ""))

    # Pictures and progress

    def picture(self, svg: str, text: str) -> None:
        self.display.show({"image/svg+xml": svg, "text/plain": text.rstrip("\n")})

    def progress(self, text: str) -> None:
        """The line that says where a long run is; '' takes it away."""
        again = bool(self.progress_name)
        if not again:
            self.progress_name = uuid.uuid4().hex
        bundle = {"text/html": f"<code>{html.escape(text)}</code>", "text/plain": text} if text else NOTHING
        self.display.show(bundle, self.progress_name, again)


class Growing:
    """A table of answers that is shown every now and then while it grows."""

    def __init__(self, display: Display, answers: list[Answer], wanted: bool) -> None:
        self.display, self.answers, self.wanted = display, answers, wanted
        self.name = uuid.uuid4().hex
        self.shown = 0  # answers
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def __enter__(self) -> None:
        if self.wanted:
            self.thread.start()

    def __exit__(self, *error: object) -> None:
        """The whole table comes after all else that the query shows: what was shown so far goes."""
        self.ended.set()
        if self.wanted:
            self.thread.join()
            if self.shown:
                self.display.show(NOTHING, self.name, again=True)

    def watch(self) -> None:
        while not self.ended.wait(PATIENCE):
            if len(self.answers) > self.shown and self.answers[0].bindings:
                table = Answers(list(self.answers), False)
                self.display.show(table_bundle(table), self.name, again=self.shown > 0)
                self.shown = len(table)


class Connected:
    """While a cell runs, the outputs of its session go to the notebook."""

    def __init__(self, notebook: Notebook) -> None:
        self.notebook = notebook
        self.session = notebook.session

    def __enter__(self) -> None:
        notebook, session, m = self.notebook, self.session, self.session.machine
        self.before = session.output, session.error, m.prob.show_progress, m.state.get("show_svg")
        session.output, session.error = notebook.display.write, notebook.display.write_error
        m.prob.show_progress, m.state["show_svg"] = notebook.progress, notebook.picture
        notebook.progress_name = ""

    def __exit__(self, *error: object) -> None:
        session, m = self.session, self.session.machine
        session.output, session.error, m.prob.show_progress, m.state["show_svg"] = self.before
        self.notebook.names.forget()


def table_bundle(table: Answers) -> Bundle:
    return {"text/html": table.html(), "text/plain": str(table)}


def first(answers: Iterator[Answer]) -> Answer:
    return next(answers, Answer("no"))


def how_many(command: Command) -> int | None:
    if command.name == "all":
        return None
    if not command.argument:
        return SHOWN
    if not command.argument.isdigit() or int(command.argument) == 0:
        raise CellError("UsageError", f"%next takes a number of answers, not {command.argument}")
    return int(command.argument)


def echo(query: str) -> str:
    """A query above its answers, where there are several."""
    line = " ".join(query.split())
    return f"?- {line if len(line) <= ECHOED else line[: ECHOED - 4] + ' ...'}\n"

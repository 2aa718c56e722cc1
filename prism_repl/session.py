"""A session: a Prolog machine with its program, switches and flags, to which queries are put.

A session never prints. What programs write goes to `output`; answers and errors are values.
Several sessions can live in one process; they share nothing.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import os
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterator
from typing import Any, NamedTuple, NoReturn

from prism_repl.answers import NO, Answer, defect, uncaught, undefined_procedure
from prism_repl.api import Probabilities
from prism_repl.core.cells import HASH_MASK
from prism_repl.core.deadline import Deadline
from prism_repl.core.errors import EXHAUSTION, Interrupted, PrologError, PrologThrow, exhausted
from prism_repl.core.queries import Query
from prism_repl.predicates.system import new_prism
from prism_repl.prolog import queries
from prism_repl.prolog.reader import Reader, ReadError
from prism_repl.prolog.terms import Atom, Struct, Term, Var, from_python, to_python
from prism_repl.prolog.tracing import tracing
from prism_repl.prolog.writer import write_term
from prism_repl.sentences import sentence, short
from prism_repl.tables import Answers
from prism_repl.tabling.explanations import forget_terms

INTERRUPTED = Atom("interrupted")  # stands for the ball when the user stopped a query
# An answer is an argument of `=`, whose priority is 700.
ANSWER_PRIORITY = 699
COMPLAINT = "***  PRISM ERROR: "
BUSY = (
    "the session is running a query: what is called meanwhile (output, read_line, progress, a handler of"
    " signals) cannot use it; note what is to be asked, and ask when the query has its answer"
)
ENDED = (
    "the query was ended by another one: a session has one query at a time; take all answers first (all), or"
    " ask in another session"
)
# The face of a session for Python programs.
PUBLIC = (
    "all", "ask", "close", "consult", "flags", "goals_of", "graph", "hindsight", "learn", "log_prob",
    "n_viterbi", "once", "output", "prism", "prob", "program", "sample", "set_switch", "solutions", "switch",
    "statistics", "switch_frame", "switch_names", "switches", "term", "viterbi",
)  # fmt: skip
# How the top level writes.
TOP_LEVEL = {"numbervars": True, "float_format": "short", "bounded": True}


def stored_terms_abound(m: Any) -> bool:
    """Whether nothing runs, and the terms that searches stored fill an eighth of what they may."""
    return bool(m.stacks.B == 0 and m.store.top > min(m.heap.limit, HASH_MASK << 3) // 8)


class PrismError(Exception):
    """A query raised an exception. Its text is a sentence with the query; `answer` is the error answer, whose
    message a top level shows, `term` the ball as a Python value."""

    def __init__(self, answer: Answer, query: str | Term = "") -> None:
        if answer.place is not None:
            line, column = answer.place
            text = f"syntax error in line {line}, column {column}: {answer.reason}"
        else:
            meaning = sentence(answer.error, answer.reason)
            message = answer.message.removeprefix("***").strip()
            text = f"{meaning} ({message})" if meaning else message
        goal = short(query) if query != "" else ""
        super().__init__(f"{goal}: {text}" if goal else text)
        self.answer = answer
        self.term = answer.error

    def __reduce__(self) -> tuple[Any, ...]:
        return restored_error, (type(self), self.args, self.answer)


def restored_error(kind: type[PrismError], arguments: tuple[Any, ...], answer: Answer) -> PrismError:
    """An error that was pickled: from another process, perhaps."""
    error = kind.__new__(kind, *arguments)
    error.args, error.answer, error.term = arguments, answer, answer.error
    return error


class PrismTimeout(PrismError, TimeoutError):
    """A query took longer than it was given."""


class NoTerm(Exception):
    """A Python value has no Prolog term."""


class OpenQuery(NamedTuple):
    """A query whose answers are being asked for."""

    handle: Any
    bottom: int  # the top of the heap before it
    names: list[str]
    cells: list[int]


# A session that was dropped is a cycle of objects, with memory of the native machine that Python's collector
# does not weigh: it is collected when so many others have been made.
SESSIONS_BETWEEN_COLLECTIONS = 8
made = itertools.count(1)


class Session(Probabilities):
    """Put queries with ask(); load programs with prism() and consult()."""

    def __init__(
        self,
        output: Callable[[str], object] | None = None,
        error: Callable[[str], object] | None = None,
        read_line: Callable[[], str] | None = None,
    ) -> None:
        """What programs write goes to `output` (standard output if none is given) and `error` (the
        same place); what they read from user_input comes from `read_line`."""
        for name, function in (("output", output), ("error", error), ("read_line", read_line)):
            if function is not None and not callable(function):
                raise TypeError(f"{name} must be a function: {function!r}")
        if next(made) % SESSIONS_BETWEEN_COLLECTIONS == 0:
            gc.collect()
        # Looked up at each write: standard output may be redirected for a while.
        self.output: Callable[[str], object] = output or (lambda text: sys.stdout.write(text))
        self.error = error
        self.read_line: Callable[[], str] = read_line or (lambda: "")
        self.complaint = ""  # of the query that runs: what PRISM says beside the ball
        self.log: Any = None  # where a console records what it shows
        self.open: tuple[Any, int] | None = None  # the query whose answers are being asked for
        # Threads take turns: one finds its next answer, the others wait.
        self.lock = threading.RLock()
        self.busy = False  # the machine is at work, for the thread that has the lock
        self.machine = m = new_prism()
        m.session = self
        m.streams.user_output_sink = lambda text: self.output(text)
        m.streams.user_error_sink = self.write_error
        m.streams.user_input_source = lambda: self.read_line()

    def __repr__(self) -> str:
        path = self.machine.prob.program_path
        return f"<Session {path.name.strip('<>')}>" if path is not None else "<Session without a program>"

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a session cannot be copied or pickled; save_sw(File) saves what it has learned")

    def __dir__(self) -> list[str]:
        """What Python programs use; the rest belongs to the top level."""
        return sorted({*PUBLIC, *(name for name in object.__dir__(self) if name.startswith("__"))})

    def write_error(self, text: str) -> None:
        if text.startswith(COMPLAINT):
            self.complaint = text.removeprefix(COMPLAINT).strip()
        (self.error or self.output)(text)

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """While the machine is used. It calls functions of others in the midst of its work, which must not
        come back to it."""
        with self.lock:
            if self.busy:
                raise RuntimeError(BUSY)
            self.busy = True
            try:
                yield
            finally:
                self.busy = False

    # Queries

    def ask(self, query: str | Term, timeout: float | None = None) -> Generator[Answer, None, None]:
        """The answers to a query, one after the other; the last one is not `pending`.

        The query is text (its final period may be missing) or a term. Asking the next query
        ends this one: who wants further answers then gets a RuntimeError. Errors are answers, also
        that an answer was not found within `timeout` seconds; only halt (PrologHalt) and Ctrl-C
        (KeyboardInterrupt) are raised.
        """
        if isinstance(query, str):
            finished, rest = queries.split(query)
            if len(finished) + bool(rest) > 1:
                raise ValueError(f"one query at a time: there are others after {finished[0]}")
        for answer in self.answers(query, timeout):
            if answer.error == INTERRUPTED:
                raise KeyboardInterrupt(answer.message)
            yield answer

    def answers(self, query: str | Term, timeout: float | None = None) -> Generator[Answer, None, None]:
        """The same; an interrupt is an answer, too, as a top level shows it."""
        Deadline(self.machine, timeout)  # raises if it is no time
        opened: OpenQuery | None = None
        try:
            with self.turn():
                answer = self.start(query)
                if isinstance(answer, OpenQuery):
                    opened = answer
                    answer = self.next_answer(opened, timeout)
            while isinstance(answer, Answer):
                yield answer
                if opened is None or not answer.pending:
                    return
                with self.turn():
                    answer = self.next_answer(opened, timeout)
            if opened is not None:
                raise RuntimeError(ENDED)
        finally:
            if opened is not None:
                self.abandon(opened)

    def abandon(self, query: OpenQuery) -> None:
        """Nobody wants further answers of a query. Python's collector may find that out at any moment: if the
        machine is at work just then, the next query ends this one."""
        if self.lock.acquire(blocking=False):
            try:
                if not self.busy:
                    with self.turn():  # ending it may run goals of setup_call_cleanup/3
                        self.end(query.handle, query.bottom)
            finally:
                self.lock.release()

    def start(self, query: str | Term) -> OpenQuery | Answer | None:
        """Open a query; an answer if that is an error, nothing if there is only layout."""
        self.end_open()
        m = self.machine
        bottom = m.heap.H
        m.streams.user_output.column = 0
        self.complaint = ""
        try:
            goal, names, cells = self.read_query(query)
            if goal is None:
                return None
            if tracing(m).wanted(m, goal):
                goal = m.struct("$trace_query", goal)
            m.prob.thrown.clear()
            handle = Query(m, goal)
        except NoTerm as error:
            m.heap.H = bottom
            raise TypeError(str(error)) from None
        except Exception as error:
            answer = self.error_answer(error)
            m.heap.H = bottom
            return answer
        self.open = handle, bottom
        return OpenQuery(handle, bottom, names, cells)

    def next_answer(self, query: OpenQuery, timeout: float | None) -> Answer | None:
        """The next answer of the open query; None if it was ended by another query."""
        if self.open is None or self.open[0] is not query.handle:
            return None
        deadline = Deadline(self.machine, timeout)
        try:
            # Cells that were made before the query started are not moved while it runs.
            with deadline:
                found = query.handle.next()
            # A query without named variables has one answer, as in PRISM.
            pending = found and query.handle.pending and bool(query.names)
            answer = self.success(query.names, query.cells, pending) if found else NO
        except (Exception, KeyboardInterrupt) as error:
            if deadline.passed and isinstance(error, KeyboardInterrupt):
                answer = self.time_is_over(timeout)
            else:
                answer = self.error_answer(error)
        if not answer.pending:
            self.end(query.handle, query.bottom)
        return answer

    def read_query(self, query: str | Term) -> tuple[int | None, list[str], list[int]]:
        """The goal of a query, and names and cells of its variables; no goal if there is only layout."""
        m = self.machine
        if isinstance(query, str):
            read = Reader(m, queries.with_period(queries.without_prompt(query)), "user_input").read_term()
            if read is None:
                return None, [], []
            return read.cell, [name for name, _ in read.variables], [cell for _, cell in read.variables]
        variables: dict[Var, int] = {}
        try:
            goal = from_python(m, query, variables)
        except TypeError as error:
            raise NoTerm(str(error)) from None
        return goal, [var.name for var in variables], list(variables.values())

    def mode_line(self) -> str:
        """What stands above the prompt while tracing is on."""
        return tracing(self.machine).banner()

    def close(self) -> None:
        """End the query whose further answers nobody wants."""
        with self.turn():
            self.end_open()

    def end_open(self) -> None:
        if self.open is not None:
            self.end(*self.open)

    def end(self, handle: Any, bottom: int) -> None:
        """End a query and give back the memory above the heap's old top."""
        if self.open is not None and self.open[0] is handle:
            self.open = None
            handle.close()
            self.machine.heap.H = bottom
            if stored_terms_abound(self.machine):  # one search without memory must not end all others
                forget_terms(self.machine)

    def once(self, query: str | Term, timeout: float | None = None) -> Answer:
        """The first answer; an error is raised as PrismError."""
        with self.lock:
            answers = self.ask(query, timeout)
            try:
                answer = next(answers, NO)
            finally:
                answers.close()
        if answer.status == "error":
            raise (PrismTimeout if answer.timed_out else PrismError)(answer, query)
        return answer

    def call(self, predicate: str, *arguments: Term) -> Answer:
        """The first answer to a goal; its error does not name the variables for what is asked for."""
        try:
            return self.once(Struct(predicate, *arguments))
        except PrismError as error:
            given = [argument for argument in arguments if not isinstance(argument, Var)]
            raise type(error)(error.answer, Struct(predicate, *given)) from None

    def solutions(self, query: str | Term, timeout: float | None = None) -> Iterator[Answer]:
        """The answers in which the query holds, one after the other; an error is raised as PrismError."""
        for answer in self.ask(query, timeout):
            if answer.status == "error":
                raise (PrismTimeout if answer.timed_out else PrismError)(answer, query)
            if answer:
                yield answer

    def all(self, query: str | Term, limit: int | None = None, timeout: float | None = None) -> Answers:
        """All answers to a query, or the first ones: a list that prints as a table; its .frame()
        is a DataFrame."""
        with self.lock:  # other threads wait for all of them
            answers = list(itertools.islice(self.solutions(query, timeout), limit))
        return Answers(answers, not answers or not answers[-1].pending or limit is None)

    # Answers

    def time_is_over(self, seconds: float | None) -> Answer:
        """The answer to a query that was not done in time."""
        ball = Struct("time_limit_exceeded", seconds or 0.0)
        return Answer(
            "error", message=uncaught(f"time limit of {seconds:g} s exceeded"), error=ball, timed_out=True
        )

    def success(self, names: list[str], cells: list[int], pending: bool) -> Answer:
        """The answer from the values of the query's variables."""
        m = self.machine
        values = [m.deref(cell) for cell in cells]
        # Of several variables that are one, the last lends its name: X = Y.
        shown_as = {cell: name for name, cell in zip(names, values, strict=True) if is_var(m, cell)}
        written_as = [(name, cell) for cell, name in shown_as.items()]
        bindings = []
        for name, cell in zip(names, values, strict=True):
            if name.startswith("_") or shown_as.get(cell) == name:
                continue
            text = self.text(cell, quoted=True, variable_names=written_as, priority=ANSWER_PRIORITY)
            bindings.append((name, text))
        return Answer(
            "yes",
            tuple(bindings),
            pending,
            self.waiting_goals(values, written_as),
            value_of=self.frozen_values(names, values),
        )

    def waiting_goals(self, cells: list[int], written_as: list[tuple[str, int]]) -> tuple[str, ...]:
        """The goals that wait for variables of an answer."""
        m = self.machine
        if m.heap.attr_floor == 0:
            return ()
        goals = m.new_var()
        query = Query(m, m.struct("$waiting_goals", m.list_from(cells), goals))
        try:
            found = m.proper_list(m.deref(goals)) if query.next() else []
            return tuple(self.text(goal, quoted=True, variable_names=written_as) for goal in found)
        finally:
            query.close()

    def frozen_values(self, names: list[str], values: list[int]) -> Callable[[str], Term]:
        """A function from names to Python values that outlives the query; it converts when it is asked."""
        m = self.machine
        without: dict[str, str] = {}  # names without a Python value, and why
        try:
            record = m.freeze(m.list_from(values))
        except PrologError:
            for name, cell in zip(names, values, strict=True):
                try:
                    m.freeze(cell)
                except PrologError as error:
                    without[name] = "too large" if error.kind == "resource_error" else "cyclic"
            kept = [m.nil if name in without else c for name, c in zip(names, values, strict=True)]
            record = m.freeze(m.list_from(kept))
        converted: dict[str, Term] = {}

        def value_of(name: str) -> Term:
            if name in without:
                raise ValueError(f"the value of {name} is {without[name]}: it has no Python value")
            if not converted:
                with self.turn():
                    top = m.heap.H
                    cells = [m.deref(c) for c in m.proper_list(m.thaw(record))]
                    known = {cell: Var(n) for n, cell in zip(names, cells, strict=True) if is_var(m, cell)}
                    converted.update((n, to_python(m, c, known)) for n, c in zip(names, cells, strict=True))
                    m.heap.H = top
            if name not in converted:
                raise KeyError(f"{name} is no variable of the query; there are {', '.join(names) or 'none'}")
            return converted[name]

        return value_of

    def text(self, cell: int, **options: Any) -> str:
        """A term as the top level writes it."""
        return write_term(self.machine, cell, **{**TOP_LEVEL, **options})

    def error_answer(self, error: BaseException) -> Answer:
        """Any exception as an answer."""
        m = self.machine
        if isinstance(error, ReadError):
            message = error.report + "*** error(syntax_error(read),read/1)"
            ball: Term = Struct("error", Struct("syntax_error", "read"), Struct("/", "read", 1))
            place = (error.line, error.column)
            return Answer("error", message=message, error=ball, place=place, reason=error.message)
        if isinstance(error, KeyboardInterrupt):
            text = str(error)
            if not isinstance(error, Interrupted):
                text = "interrupted" + (f" in {text}" if text else "")
            return Answer("error", message=uncaught(text), error=INTERRUPTED)
        if isinstance(error, PrologThrow):
            cell = m.thaw(error.record)
        elif isinstance(error, PrologError):
            cell = m.struct("error", error.formal(m), context_cell(m, error))
        elif isinstance(error, EXHAUSTION):
            return self.error_answer(exhausted(error))
        else:
            # A defect of ours: the session goes on.
            return defect(error)
        missing = missing_procedure(m, cell)
        if missing is None:
            message = uncaught(self.text(cell))
        else:
            message = undefined_procedure(self.text(missing), self.text(m.arg(missing, 0)))
        ball = to_python(m, cell) if m.is_acyclic(cell) else "cyclic_term"
        return Answer("error", message=message, error=ball, reason=self.complaint)

    def term(self, text: str) -> Term:
        """The term that a text means; PrismError if it is not one. Equal variables become the same Var."""
        if not isinstance(text, str):
            raise TypeError(f"term(text) reads a str, not {type(text).__name__}")
        m = self.machine
        with self.turn():
            top = m.heap.H
            try:
                read = Reader(m, queries.with_period(text), "text").read_term()
                if read is None:
                    raise PrismError(Answer("error", message="*** no term in the text"))
                return to_python(m, read.cell, {cell: Var(name) for name, cell in read.variables})
            except ReadError as error:
                raise PrismError(self.error_answer(error), text) from None
            finally:
                m.heap.H = top

    # Programs

    def prism(self, path: str | os.PathLike[str]) -> Answer:
        """Load a PRISM program. As in PRISM, clauses that cannot be read are left out; a Python warning says
        that there are such."""
        return self.loaded(Struct("prism", os.fspath(path)), os.fspath(path))

    def program(self, text: str, name: str = "program") -> Answer:
        """Load the text of a PRISM program; messages call it by the name."""
        if not isinstance(text, str) or not isinstance(name, str):
            wrong = name if isinstance(text, str) else text
            raise TypeError(f"a program is loaded from a str, and named by one, not {type(wrong).__name__}")
        return self.loaded(Struct("$load_text", name, text), name)

    def consult(self, path: str | os.PathLike[str]) -> Answer:
        """Load a program: PRISM if the file is a .psm, plain Prolog otherwise."""
        name = os.fspath(path)
        return self.loaded(Struct("prism" if name.endswith(".psm") else "consult", name), name)

    def loaded(self, goal: Struct, name: str) -> Answer:
        """The answer to a goal that loads a program."""
        state = self.machine.state
        before = state.get("load_errors", 0)
        answer = self.once(goal)
        errors = state.get("load_errors", 0) - before
        if errors:
            warnings.warn(f"{name}: {errors} error(s) while loading; see the output", stacklevel=3)
        return answer


def is_var(m: Any, cell: int) -> bool:
    return not (m.is_atomic(cell) or m.is_compound(cell))


def missing_procedure(m: Any, ball: int) -> int | None:
    """Name/Arity, if the ball says that there is no such procedure."""
    formal = part(m, ball, "error", 2, 0)
    kind = part(m, formal, "existence_error", 2, 0)
    if kind is None or not m.is_callable(kind) or m.is_compound(kind) or m.atom_text(kind) != "procedure":
        return None
    indicator = part(m, formal, "existence_error", 2, 1)
    return None if part(m, indicator, "/", 2, 0) is None else indicator


def part(m: Any, cell: int | None, name: str, arity: int, i: int) -> int | None:
    """Argument i (from 0) of name/arity, None for any other term."""
    if (
        cell is None
        or not m.is_compound(cell)
        or m.arity_of(cell) != arity
        or m.atom_text(m.name_of(cell)) != name
    ):
        return None
    return m.arg(cell, i)


def context_cell(m: Any, error: PrologError) -> int:
    if error.context is None:
        return m.new_var()
    name, arity = error.context
    return m.struct("/", m.atom(name), m.int_cell(arity))

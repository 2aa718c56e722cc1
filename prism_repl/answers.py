"""Answers, and the one place where they become text: exactly what PRISM's top level prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from prism_repl.missing import absent_subject
from prism_repl.prolog.terms import Atom, Struct, Term, Var

# The values in answers belong to the public face.
__all__ = ["NEXT", "NO", "STOPPED", "Answer", "Atom", "Struct", "Term", "Var", "answer_text"]

Status = Literal["yes", "no", "error"]


@dataclass(frozen=True)
class KeptValues:
    """The values of an answer apart from its session: what is pickled."""

    values: dict[str, Term]

    def __call__(self, name: str) -> Term:
        if name not in self.values:
            raise KeyError(f"{name}: no value of it was kept; there are {', '.join(self.values) or 'none'}")
        return self.values[name]


@dataclass(frozen=True, repr=False)
class Answer:
    """One answer to a query.

    `bindings` are (variable, term as text) in the order of the query; `residual` are the goals that wait for
    variables of the answer (freeze/2, dif/2 ...), as text; `pending` says that there may be
    more answers; `message` is what is printed for an error. `answer["X"]` is the value of X as a Python
    term; iterating gives the names.
    """

    status: Status
    bindings: tuple[tuple[str, str], ...] = ()
    pending: bool = False
    residual: tuple[str, ...] = ()  # goals that wait for variables of the answer
    message: str = ""
    error: Term | None = None  # the ball of an exception
    timed_out: bool = False
    place: tuple[int, int] | None = None  # line and column of a syntax error in the query, from 1
    reason: str = ""  # what is wrong there
    cause: BaseException | None = field(default=None, compare=False)  # a defect of ours
    value_of: Callable[[str], Term] | None = field(default=None, compare=False)

    def __bool__(self) -> bool:
        return self.status == "yes"

    def __getitem__(self, name: str) -> Term:
        if self.value_of is None:
            raise KeyError(
                f"{name}: the query has no answer" if self.status == "no" else f"{name}: {self.message}"
            )
        return self.value_of(name)

    def __contains__(self, name: object) -> bool:
        return any(name == known for known, _ in self.bindings)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.bindings)

    def keys(self) -> list[str]:
        """The variables that are bound; with `answer[name]` this makes dict(answer) work."""
        return [name for name, _ in self.bindings]

    def __str__(self) -> str:
        return answer_text(self)

    def __reduce__(self) -> tuple[Any, ...]:
        state = {part.name: getattr(self, part.name) for part in fields(self)}
        state["cause"] = None
        if self.value_of is not None:
            state["value_of"] = KeptValues(dict(self.kept_values()))
        return Answer, tuple(state.values())

    def kept_values(self) -> Iterator[tuple[str, Term]]:
        for name in self:
            try:
                yield name, self[name]
            except ValueError:
                pass  # too large, or cyclic

    def __repr__(self) -> str:
        bound = ", ".join(f"{name} = {text}" for name, text in self.bindings)
        return f"<Answer {bound or self.message or self.status}>"


NO = Answer("no")

# What follows an answer that has alternatives, once the user has chosen.
STOPPED = "\nyes\n"
NEXT = ";\n"


def answer_text(answer: Answer) -> str:
    """The answer as printed. A pending one ends after ` ?`, where the user chooses (STOPPED or NEXT)."""
    if answer.status == "error":
        return answer.message + "\n"
    if answer.status == "no":
        return "no\n"
    lines = "\n".join([f"{name} = {text}" for name, text in answer.bindings] + list(answer.residual))
    if answer.pending:
        return (lines or "true") + " ?"
    return lines + "\nyes\n"


def undefined_procedure(indicator: str, name: str) -> str:
    subject = absent_subject(name)
    hint = "" if subject is None else f"\n***  Not part of this system: {subject}"
    return f"***  Undefined procedure: {indicator}{hint}"


def uncaught(ball: str) -> str:
    return f"*** {ball}"


def defect(error: BaseException) -> Answer:
    """The answer for an error of this program itself: one line, and the session goes on."""
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    return Answer(
        "error",
        message=uncaught(f"error(system_error,{what})"),
        error=Struct("system_error", what),
        cause=error,
    )

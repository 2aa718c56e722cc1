"""One query from its text to its printed answers; the same for the prompt, a pipe, -g and a replay."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from prism_repl.answers import NEXT, NO, STOPPED, Answer, answer_text, defect
from prism_repl.repl.log import Log

if TYPE_CHECKING:
    from prism_repl.repl.sessions import Session

Write = Callable[[str], object]
# Called at an answer that has alternatives: is the next one wanted?
Choose = Callable[[Answer], bool]


class Show(Protocol):
    """Prints an answer; the prompt folds and colours it, everything else takes its text."""

    def __call__(self, answer: Answer) -> str: ...


class Console:
    """Runs queries of a session and writes what they print and answer, in order, to one place."""

    def __init__(self, session: Session, write: Write, write_answer: Write | None = None) -> None:
        self.session = session
        self.timeout: float | None = None  # seconds for an answer
        self.write_program = write
        self.write_answer = write_answer or write
        session.output = self.program_output
        session.log = session.log or Log()

    def program_output(self, text: str) -> None:
        """What a program prints goes to the same place, and into the log."""
        self.write_program(text)
        self.session.log.write(text)

    def answer_output(self, text: str) -> None:
        self.write_answer(text)
        self.session.log.write(text)

    def run(self, query: str, choose: Choose, show: Show = answer_text) -> Answer:
        """Run one query; the last answer is returned."""
        answer = NO
        self.session.log.begin(query)
        answers = self.session.answers(query, self.timeout)
        try:
            for answer in answers:
                self.write_answer(show(answer))
                self.session.log.write(answer_text(answer))
                if not answer.pending:
                    break
                if not choose(answer):
                    self.answer_output(STOPPED)
                    break
                self.answer_output(NEXT)
        except OSError:
            raise  # the reader of our output has gone
        except Exception as error:
            answer = defect(error)
            self.answer_output(answer_text(answer))
        finally:
            answers.close()
            self.answer_output(self.session.mode_line())
            self.session.log.end()
        return answer


def record(session: Session, query: str, alternatives: int = 0, timeout: float | None = None) -> str:
    """The output of a query, asking for `alternatives` further answers on the way."""
    parts: list[str] = []
    record_into(parts.append, session, query, alternatives, timeout)
    return "".join(parts)


def record_into(write: Write, session: Session, query: str, alternatives: int, timeout: float | None) -> None:
    """The same, written piece by piece: what was printed is known even if the query halts."""
    left = alternatives

    def choose(answer: Answer) -> bool:
        nonlocal left
        left -= 1
        return left >= 0

    console = Console(session, write)
    console.timeout = timeout
    console.run(query, choose)

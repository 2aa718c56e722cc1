"""Runs without a prompt: goals (-g), or a program's prism_main (run)."""

from __future__ import annotations

import sys

from prism_repl.answers import NO, Answer
from prism_repl.core.errors import PrologHalt
from prism_repl.prolog.queries import with_period
from prism_repl.prolog.terms import Struct, Term
from prism_repl.repl.banner import banner
from prism_repl.repl.console import Console
from prism_repl.repl.loading import load_goal
from prism_repl.repl.log import Log
from prism_repl.repl.sessions import Session


def run_goals(files: list[str], goals: list[str], log: str | None = None, ascii_only: bool = False) -> int:
    """Load files, run goals one after the other: 0 if all succeeded; the first that does not ends the run.
    Errors go to stderr, the program's output to stdout; answers are only written to the log."""
    session = Session(sys.stdout.write, write_error, sys.stdin.readline)
    session.machine.state["ascii_pictures"] = ascii_only
    console = Console(session, sys.stdout.write, lambda text: None)
    if log and not open_log(session, log):
        return 1
    for query in [load_goal(name) for name in files] + [with_period(goal) for goal in goals]:
        answer = console.run(query, lambda answer: False)
        if not answer:
            complain(answer)
            return 1
    return 1 if loaded_with_errors(session) else 0


def loaded_with_errors(session: Session) -> bool:
    """Was something wrong in the files that were loaded? The run then ends with status 1; say so."""
    count = session.machine.state.get("load_errors", 0)
    if count:
        sys.stdout.flush()
        print(f"prism-repl: {count} error(s) while loading", file=sys.stderr)
    return bool(count)


def write_error(text: str) -> None:
    """Errors come after what was printed before them, also where both go to one place."""
    sys.stdout.flush()
    sys.stderr.write(text)
    sys.stderr.flush()


def first_answer(session: Session, query: str | Term) -> Answer:
    answers = session.answers(query)
    try:
        return next(answers, NO)
    finally:
        answers.close()


def complain(answer: Answer) -> None:
    """Say on stderr why a run ends with status 1; a goal that failed says nothing, as in a shell."""
    sys.stdout.flush()
    if answer.message:
        print(answer.message, file=sys.stderr)


def open_log(session: Session, path: str) -> bool:
    session.log = session.log or Log()
    try:
        session.log.open(path)
    except OSError as error:
        print(f"prism-repl: cannot write the log {path}: {error.strerror}", file=sys.stderr)
        return False
    return True


def run_main(program: str | None, args: list[str]) -> int:
    """Batch execution: load a program and call prism_main/1 with the arguments, or prism_main/0."""
    sys.stdout.write(banner())
    session = Session(sys.stdout.write, write_error, sys.stdin.readline)
    try:
        if program is None:
            return aborted("batch file not specified", "existence_error(prism_file,unknown)")
        how, _, name = program.rpartition(":")
        if how not in ("", "prism", "prismn", "load"):
            how, name = "", program
        load: Term = Struct("prismn", name) if how == "prismn" else Struct("prism", name)
        if how == "load":
            load = Struct("prism", ["load"], name)
        answer = first_answer(session, load)
        if answer.status != "yes":
            return stopped(answer)
        main: Term
        if defined(session, 1):
            main = Struct("prism_main", list(args))
        elif defined(session, 0):
            main = "prism_main"
        else:
            return aborted(f"prism_main/0-1 undefined -- {name}", f"existence_error(batch_predicate,{name})")
        answer = first_answer(session, Struct("call", main))
    except PrologHalt as halt:
        return halt.status
    if answer.status == "error":
        return stopped(answer)
    sys.stdout.write("\nyes\n" if answer else "\nno\n")
    return 1 if loaded_with_errors(session) or not answer else 0


def defined(session: Session, arity: int) -> bool:
    goal = Struct("current_predicate", Struct("/", "prism_main", arity))
    return bool(first_answer(session, goal))


def aborted(message: str, formal: str) -> int:
    sys.stdout.flush()
    print(f"***  PRISM ERROR: {message}", file=sys.stderr)
    print(f"Aborted by exception -- error({formal},$pp_batch_main/2)", file=sys.stderr)
    return 1


def stopped(answer: Answer) -> int:
    """An error while loading or running."""
    sys.stdout.flush()
    if answer.error == "interrupted":
        print("Aborted by interruption", file=sys.stderr)
    elif answer.status == "error":
        ball = answer.message.removeprefix("***").lstrip()
        undefined = ball.removeprefix("Undefined procedure: ")
        if undefined != ball:
            ball = f"error(existence_error(procedure,{undefined.splitlines()[0]}),call/1)"
        print(f"Aborted by exception -- {ball}", file=sys.stderr)
    else:
        print("no", file=sys.stderr)
    return 1

"""The command line, and nothing else. Imports wait until they are needed: a start should be quick."""

from __future__ import annotations

import argparse
import codecs
import gc
import os
import sys
from pathlib import Path

USAGE = """\
  prism-repl [FILE...]             load the files, open the prompt (or read queries from a pipe)
  prism-repl [FILE...] -g GOAL     load the files, run one goal (or several: -g A -g B)
  prism-repl run FILE [ARG...]     load a PRISM program, run its prism_main with the arguments
  prism-repl replay FILE...        replay transcripts and show what differs
  prism-repl kernel install        make PRISM a kernel of Jupyter (kernel uninstall removes it)"""


def add_color(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--color",
        nargs="?",
        choices=["auto", "always", "never"],
        const="always",
        default="auto",
        help="colours: auto (on a terminal, unless NO_COLOR is set), always, never",
    )


def main_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="prism-repl",
        usage="\n" + USAGE,
        description="PRISM's top level: Prolog with random switches, explanation graphs and learning.",
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="programs to load: .psm by prism/1, others by consult/1"
    )
    parser.add_argument(
        "-g",
        dest="goals",
        metavar="GOAL",
        action="append",
        help="run this goal and exit: 0 if it succeeded, else 1; may be repeated",
    )
    parser.add_argument("--log", metavar="FILE", help="append the session to a transcript")
    parser.add_argument("--ascii", action="store_true", help="draw pictures in text with ASCII only")
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    # Written --color WHEN here: with an optional value a file after it would be taken for the value.
    parser.add_argument(
        "--color",
        choices=["auto", "always", "never"],
        default="auto",
        help="colours: auto (on a terminal, unless NO_COLOR is set), always, never",
    )
    return parser


def seconds(text: str) -> float:
    """The value of --timeout."""
    value = float(text)
    if not value > 0:
        raise ValueError(text)
    return value


def replay_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="prism-repl replay",
        description="Replay transcripts, each in its own session; exit 1 if something differs.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
    parser.add_argument("--update", action="store_true", help="rewrite the outputs that differ")
    parser.add_argument("--match", metavar="GLOB", help="compare only queries that match, such as 'learn(*'")
    parser.add_argument(
        "--timeout", metavar="S", type=seconds, help="stop a query that takes longer than S seconds"
    )
    parser.add_argument(
        "--differences",
        metavar="FILE",
        type=Path,
        help="differences that are agreed on: `topic ?- query.`, then the reason, indented",
    )
    add_color(parser)
    return parser


def run_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="prism-repl run", description="Load a PRISM program and run its prism_main/1 (or prism_main/0)."
    )
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="a program; also prism:FILE, prismn:FILE, load:FILE"
    )
    parser.add_argument(
        "args", metavar="ARG", nargs=argparse.REMAINDER, help="passed to prism_main/1 as a list of atoms"
    )
    return parser


def kernel_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="prism-repl kernel", description="Make PRISM a kernel of Jupyter, or remove it."
    )
    parser.add_argument("action", choices=["install", "uninstall"])
    parser.add_argument("--name", default="prism", help="the name of the kernel (prism)")
    parser.add_argument(
        "--display-name", metavar="TEXT", default="PRISM", help="as notebooks show it (PRISM)"
    )
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--user", action="store_true", help="for the user; this is the default")
    place.add_argument("--prefix", metavar="DIR", help="below this directory, such as a virtual environment")
    place.add_argument(
        "--sys-prefix", dest="prefix", action="store_const", const=sys.prefix, help=f"below {sys.prefix}"
    )
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run the command line; the result is the exit status."""
    argv = sys.argv[1:] if argv is None else argv
    codecs.register_error("as_it_was", as_it_was)
    gc.disable()  # until all is imported: there is no garbage yet
    # numpy's idle threads would spin for 30 ms after its import, and statistics/2 counts them: sleep at once
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # Bytes that are not UTF-8 pass through; the locale decides nothing.
        if hasattr(stream, "reconfigure"):
            errors = "surrogateescape" if stream is sys.stdin else "as_it_was"
            stream.reconfigure(encoding="utf-8", errors=errors)
    from prism_repl.core.errors import PrologHalt

    try:
        status = dispatch(argv)
        sys.stdout.flush()
        return status
    except PrologHalt as halt:
        sys.stdout.flush()
        return halt.status
    except BrokenPipeError:
        # The reader of our output has gone. Nothing must be written on exit, either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        # A defect of ours. Those who look for it set PRISM_REPL_DEBUG.
        if os.environ.get("PRISM_REPL_DEBUG"):
            raise
        text = str(error).splitlines()
        print(f"prism-repl: {type(error).__name__}: {text[0] if text else ''}", file=sys.stderr)
        return 1
    finally:
        gc.enable()


def as_it_was(error: UnicodeError) -> tuple[str | bytes, int]:
    """Writing: a byte that was no UTF-8 when it was read goes out as that byte, any other character that
    cannot be encoded as its escape."""
    assert isinstance(error, UnicodeEncodeError)
    code = ord(error.object[error.start])
    text = bytes([code - 0xDC00]) if 0xDC80 <= code <= 0xDCFF else b"\\x%x\\" % code
    return text, error.start + 1


def imported() -> None:
    """What was imported stays: the collector need not look at it."""
    gc.freeze()
    gc.enable()


def dispatch(argv: list[str]) -> int:
    if argv[:1] == ["replay"]:
        return replay(replay_parser().parse_args(argv[1:]))
    if argv[:1] == ["run"]:
        options = run_parser().parse_args(argv[1:])
        from prism_repl.repl.batch import run_main

        imported()
        return run_main(options.file, options.args)
    if argv[:1] == ["kernel"]:
        return kernel(kernel_parser().parse_args(argv[1:]))
    options = main_parser().parse_args(argv)
    if options.version:
        from prism_repl.repl.banner import version_line

        print(version_line())
        return 0
    if options.goals:
        from prism_repl.repl.batch import run_goals

        imported()
        return run_goals(options.files, options.goals, options.log, options.ascii)
    if not sys.stdin.isatty():
        from prism_repl.repl.pipe import run_pipe

        imported()
        return run_pipe(options.files, options.log, options.ascii)
    from prism_repl.repl.prompt import run_prompt

    imported()
    return run_prompt(options.files, options.log, options.color, options.ascii)


def replay(options: argparse.Namespace) -> int:
    from prism_repl.repl.replay import Replayer, read_differences
    from prism_repl.repl.style import wants_color
    from prism_repl.repl.transcript import TranscriptError

    try:
        differences = read_differences(options.differences) if options.differences else []
    except (OSError, TranscriptError) as error:
        print(f"prism-repl replay: {error}", file=sys.stderr)
        return 1
    imported()
    return Replayer(
        sys.stdout.write,
        update=options.update,
        match=options.match,
        color=wants_color(options.color, sys.stdout),
        differences=differences,
        timeout=options.timeout,
    ).run(options.files)


def kernel(options: argparse.Namespace) -> int:
    try:
        from prism_repl.jupyter import install
    except ImportError as error:
        print(f"prism-repl: a kernel needs {error.name}: pip install 'prism-repl[jupyter]'", file=sys.stderr)
        return 1
    try:
        if options.action == "install":
            folder = install.install(options.name, options.display_name, options.prefix)
            print(f"The kernel {options.name} is in {folder}.")
            print(f"Use it in jupyter lab, or in the terminal: jupyter console --kernel {options.name}")
            return 0
        removed = install.uninstall(options.name, options.prefix)
    except (OSError, ValueError) as error:
        print(f"prism-repl: {error}", file=sys.stderr)
        return 1
    if removed is None:
        print(f"prism-repl: there is no kernel {options.name}", file=sys.stderr)
        return 1
    print(f"The kernel {options.name} is gone from {removed}.")
    return 0

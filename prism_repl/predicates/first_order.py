"""foc/1,2 and prismn/1,2,3, prismn_opt/2: programs with not/1 and quantified implications."""

from pathlib import Path
from typing import Any

from prism_repl.core.errors import PrologError, permission_error
from prism_repl.model.first_order_files import compiled_text
from prism_repl.model.first_order_program import FirstOrderError
from prism_repl.model.logic_terms import to_cell
from prism_repl.model.messages import prism_error, say
from prism_repl.predicates.loading import check_file, prism_2, program_path
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.source import file_name
from prism_repl.prolog.whole_files import OPEN, write_file
from prism_repl.prolog.writer import write_term

DEFAULT_OUTPUT = "temp"


def goal_text(m: Any, term: Any) -> str:
    """A goal as a message shows it, its variables named A, B, ..."""
    cell = to_cell(m, term, {})
    names = {v: chr(65 + i % 26) + (str(i // 26) if i >= 26 else "") for i, v in enumerate(m.term_vars(cell))}
    return write_term(m, cell, quoted=True, variable_names=names)


def compile_file(m: Any, path: Path, output: int, source: tuple[str, int]) -> None:
    """Compile a program into a file; nothing is written if it cannot be compiled."""
    target = Path(file_name(m, output))
    if target.exists() and target.resolve() == path.resolve():
        error = permission_error("create", "source_sink", output)
        raise prism_error(m, "4012", error, str(path), source=source)
    watch = (
        (lambda formula: say(m, f"compiling: {goal_text(m, formula)}\n")) if m.state.get("fo_trace") else None
    )
    try:
        text, errors = compiled_text(
            m, path, lambda warning: m.streams.complain(f"** Warning: {warning}\n"), watch
        )
    except FirstOrderError as error:
        place = error.clause
        culprit = f"{goal_text(m, error.goal)} ({place.file}, {place.line}-{place.last_line})"
        formal = PrologError("prism_translation_error", "not_compilable")
        raise prism_error(m, "4010", formal, culprit, error.why, source=source) from None
    if errors:
        formal = PrologError("prism_translation_error", "not_readable")
        raise prism_error(m, "4011", formal, str(path), str(errors), source=source)
    write_file(m, output, text)
    say(m, "step1.\nstep2.\nstep3.\n")


@builtin("foc(+File:file, +Out) is det")
def foc(m, file, output):
    """Compile a file, named exactly, into another one."""
    name = file_name(m, file)
    file_name(m, output)
    path = Path(name)
    if not path.is_file():
        raise PrologError("existence_error", "source_sink", file, context=OPEN)
    compile_file(m, path, output, ("foc", 2))
    return True


@builtin("foc(+File:file) is det")
def foc_1(m, file):
    path = Path(file_name(m, file))
    return foc(m, file, m.atom(str(path.with_name(f"compiled_{path.name}"))))


def load_compiled(m: Any, options: int, file: int, output: int, source: tuple[str, int]) -> bool:
    """Compile a program, then load the result with these options."""
    check_file(m, file, source)
    check_file(m, output, source)
    path = program_path(m, file, "compile", source)
    compile_file(m, path, output, source)
    say(m, "Compilation done by FOC\n\n")
    return prism_2(m, options, output)


@builtin("prismn(+File:file) is det")
def prismn(m, file):
    return load_compiled(m, m.nil, file, m.atom(DEFAULT_OUTPUT), ("prismn", 1))


@builtin("prismn(+File:file, +Temporary) is det")
def prismn_2(m, file, output):
    return load_compiled(m, m.nil, file, output, ("prismn", 2))


@builtin("prismn(+Options:load_options, +File:file, +Temporary) is det")
def prismn_3(m, options, file, output):
    return load_compiled(m, options, file, output, ("prismn", 3))


@builtin("prismn_opt(+Options:load_options, +File:file) is det")
def prismn_opt(m, options, file):
    return load_compiled(m, options, file, m.atom(DEFAULT_OUTPUT), ("prismn_opt", 2))


@builtin("fo_trace is det")
def fo_trace(m):
    """Print the formulas that the first-order compiler works on."""
    m.state["fo_trace"] = True
    return True


@builtin("fo_notrace is det")
def fo_notrace(m):
    m.state["fo_trace"] = False
    return True

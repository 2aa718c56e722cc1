"""prism/1,2 and what tells about the loaded program."""

from pathlib import Path
from typing import Any

from prism_repl.core.cells import ATM
from prism_repl.core.errors import PrologError, domain_error, permission_error, type_error
from prism_repl.core.queries import solve_once
from prism_repl.model import checks
from prism_repl.model.declaration_checks import suspicions
from prism_repl.model.messages import prism_error, prism_warning, say
from prism_repl.model.translation import (
    USER,
    indicator_text,
    install_program,
    run_directives,
    translate_program,
)
from prism_repl.prolog.builtins.registry import builtin, helper
from prism_repl.prolog.consulting import typed_text
from prism_repl.prolog.definitions import is_loaded
from prism_repl.prolog.source import file_name, find_file, read_text

WAYS = {"compile", "consult", "load", "dump"}


def check_file(m: Any, file: int, source: checks.Source = None) -> None:
    """A file is named by an atom."""
    checks.bound(m, "3000", file, source)
    if file & 7 != ATM or file == m.nil:
        raise prism_error(m, "3000", type_error("atom", file), file, source=source)


@builtin("prism(+File:file) is det")
def prism_1(m, file):
    return prism_2(m, m.nil, file)


@builtin("prism(+Options:load_options, +File:file) is det")
def prism_2(m, options, file):
    """Load a program: flags are reset, options applied, switches cleared, then the program is replaced and
    its directives are run. An error before this leaves everything as it was."""
    check_file(m, file)
    way, settings = read_options(m, options)
    typed = typed_text(m) if file == m.atom("user") else None
    path = USER if typed is not None else program_path(m, file, way)
    load_program(m, file, path, way, settings, typed)
    return True


@helper("$load_text", 2)
def load_text(m, name, text):
    """Load the text of a program as prism/1 loads a file; messages call it by its name."""
    shown = m.atom_text(name)
    load_program(m, name, Path(f"<{shown}>"), "compile", [], m.atom_text(text), shown)
    return True


def load_program(
    m: Any, file: int, path: Path, way: str, settings: list[int], text: str | None, shown: str | None = None
) -> None:
    """Load a program from its path or, if it is given, its text."""
    if m.tabling.tables_in_use():
        raise prism_error(m, "4001", PrologError("permission_error", "load", "program", file), file)
    loading: list[Path] = m.state.setdefault("programs_loading", [])
    if path.resolve() in loading:  # a directive of the program loads it
        raise permission_error("load", "source_sink", file)
    loading.append(path.resolve())
    try:
        load_one(m, path, way, settings, text, shown)
    finally:
        loading.pop()


def load_one(m: Any, path: Path, way: str, settings: list[int], text: str | None, shown: str | None) -> None:
    """The same without a look at what is going on."""
    # PRISM's byte code has no more to be complained about
    known = way == "load" and is_loaded(m, path)
    before = m.prob.flags.values
    try:
        m.prob.flags.reset()
        for setting in settings:
            solve_once(m, m.struct("set_prism_flag", m.arg(setting, 0), m.arg(setting, 1)))
        with m.streams.silenced(known):
            program = translate_program(m, path, way != "consult", text, shown)
    except BaseException:
        m.prob.flags.values = before
        raise
    if way == "load":
        m.prob.switches.doubt_outcomes()
    else:
        m.prob.switches.clear()
    m.prob.statistics.clear()
    m.prob.goals_above.clear()
    with m.streams.silenced(known):
        install_program(m, program)
    with m.streams.silenced(True):  # an encoding that is wrong was told above
        text = read_text(m, path) if text is None else text
    m.prob.notices += suspicions(m, program, text)
    if way != "consult" and shown is None:
        say(m, f"loading::{path}.out\n")
    run_directives(m, program)


def program_path(m: Any, file: int, way: str, source: checks.Source = None) -> Path:
    name = file_name(m, file)
    suffixes = (".psm", "")
    if way == "load" and name.endswith(".out"):
        name = name.removesuffix(".out")
    path = find_file(name, suffixes)
    if path is None:
        error = PrologError("existence_error", "prism_file", file)
        raise prism_error(m, "3001", error, file, source=source)
    return path


def read_options(m: Any, options: int) -> tuple[str, list[int]]:
    """(how to load, [Flag=Value, ...]) of prism/2's first argument."""
    items = checks.proper_list(m, "1006", options)
    for item in items:
        checks.ground(m, "1001", item)
    way = "compile"
    settings = []
    for item in items:
        c = m.deref(item)
        word = m.atom_text(c) if c & 7 == ATM else ""
        if word in WAYS:
            way = word
        elif word in ("v", "verb"):
            settings.append(m.struct("=", m.atom("verb"), m.atom("full")))
        elif word in ("nv", "noverb"):
            settings.append(m.struct("=", m.atom("verb"), m.atom("none")))
        elif m.is_compound(c) and m.arity_of(c) == 2 and m.atom_text(m.name_of(c)) == "=":
            settings.append(c)
        else:
            raise prism_error(m, "1001", domain_error("prism_option", c), c)
    return way, settings


def show(m: Any, title: str, indicators: set[tuple[str, int]]) -> bool:
    say(m, title + "\n")
    for indicator in sorted(indicators):
        say(m, f"  {indicator_text(m, indicator)}\n")
    return True


@builtin("show_prob_preds is det")
def show_prob_preds(m):
    return show(m, "Probabilistic predicates:", m.prob.probabilistic)


@builtin("show_tabled_preds is det")
def show_tabled_preds(m):
    if not m.prob.tabling:
        prism_warning(m, "1002")
        return True
    return show(m, "Tabled probabilistic predicates:", m.prob.tabled)


@helper("$prob_preds", 1)
def prob_preds(m, result):
    return m.unify(result, indicators_list(m, m.prob.probabilistic))


@helper("$tabled_preds", 1)
def tabled_preds(m, result):
    return m.unify(result, indicators_list(m, m.prob.tabled))


def indicators_list(m: Any, indicators: set[tuple[str, int]]) -> int:
    return m.list_from([m.struct("/", m.atom(n), m.int_cell(a)) for n, a in sorted(indicators)])


@builtin("p_table(+Predicates:indicators) is det")
def p_table(m, spec):
    """As a query it has no effect: it is a declaration for program files."""
    return True


@builtin("p_not_table(+Predicates:indicators) is det")
def p_not_table(m, spec):
    return True

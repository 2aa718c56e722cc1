"""Program files for the first-order compiler: reading one, and the text of what it becomes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from prism_repl.core.instructions import CONSTANTS
from prism_repl.model.first_order import FirstOrderCompiler
from prism_repl.model.first_order_program import FirstOrderError, SourceClause, SourceProgram
from prism_repl.model.logic_terms import TRUE, from_cell, indicator, list_items, to_cell
from prism_repl.prolog.listing import clause_text
from prism_repl.prolog.source import Clause, SourceReader, expand, run_directive
from prism_repl.prolog.terms import Struct, Var

F_SYSTEM = CONSTANTS["F_SYSTEM"]
SWITCHES = {
    ("delay_ununifiablity_check", 1): "delay_disequalities",  # spelled as PRISM spells it
    ("delay_ununifiability_check", 1): "delay_disequalities",
    ("distribute_disjunction", 1): "distribute",
    ("use_built_in", 1): "use_built_in",
}
MODES = {("built_in_mode", 1): "modes", ("built_in_p_mode", 1): "probabilistic_modes"}


def compiled_text(
    m: Any, path: Path, warn: Callable[[str], None], watch: Callable[[Any], None] | None = None
) -> tuple[str, int]:
    """(the compiled program, how many clauses of the file could not be read)."""
    source = SourceReader(m, path)
    source.singletons = False
    program = read_program(m, source)
    if source.errors:
        return "", source.errors
    compiler = FirstOrderCompiler(program, lambda name, arity: is_system(m, name, arity), warn, watch)
    try:
        terms = compiler.compiled()
    except RecursionError:
        place = compiler.source.place
        raise FirstOrderError("nested too deeply", compiler.source.head, place) from None
    return "".join(clause_text(m, to_cell(m, term, {})) for term in terms), 0


def is_system(m: Any, name: str, arity: int) -> bool:
    """Whether a predicate is built in or in the library."""
    p = m.program.find_pred(m.functor(m.atom(name), arity))
    return bool(p and m.database.has_flag(p, F_SYSTEM))


def read_program(m: Any, source: SourceReader) -> SourceProgram:
    """Sort the terms of a file. Included files are read in their places, grammar rules are translated."""
    program = SourceProgram()
    for clause in source.clauses():
        for cell in expand(m, clause.cell):
            term = from_cell(m, cell, {})
            if source.is_directive(cell, None, 0):
                note_directive(m, program, m.arg(cell, 0), term.args[0])
                program.items.append(term)
            elif not is_setting(program, term, clause):
                add_clause(program, term, clause)
    return program


def add_clause(program: SourceProgram, term: Any, place: Clause) -> None:
    head, body = term.args if indicator(term) == (":-", 2) else (term, TRUE)
    if isinstance(head, Var) or not isinstance(head, (Struct, str)):
        raise FirstOrderError("a clause must have a callable head", head, place)
    clause = SourceClause(head, body, place)
    program.items.append(clause)
    program.clauses.setdefault(indicator(head), []).append(clause)


def note_directive(m: Any, program: SourceProgram, goal: int, term: Any) -> None:
    """Operators hold at once; what is dynamic is remembered."""
    if indicator(term) == ("op", 3):
        run_directive(m, goal)
    if indicator(term) == ("dynamic", 1):
        pending = [term.args[0]]
        while pending:
            spec = pending.pop()
            if indicator(spec) in ((",", 2), (".", 2)):
                pending += spec.args
            elif indicator(spec) == ("/", 2) and isinstance(spec.args[1], int):
                program.dynamic.add((str(spec.args[0]), spec.args[1]))


def is_setting(program: SourceProgram, term: Any, place: Clause) -> bool:
    """Take in a fact that steers the compiler; False if it is an ordinary clause."""
    name = indicator(term)
    if name in SWITCHES:
        if term.args[0] not in ("yes", "no"):
            raise FirstOrderError("yes or no expected", term, place)
        setattr(program, SWITCHES[name], term.args[0] == "yes")
        return True
    if name in MODES:
        pattern = term.args[0]
        if not isinstance(pattern, Struct) or any(mode not in ("+", "-") for mode in pattern.args):
            raise FirstOrderError("a predicate with + or - for each argument expected", term, place)
        getattr(program, MODES[name])[indicator(pattern)] = [str(mode) for mode in pattern.args]
        return True
    if name == ("fo_sort", 2):
        patterns = list_items(term.args[1])
        if not isinstance(term.args[0], str) or not patterns:
            raise FirstOrderError("a name and a list of patterns expected", term, place)
        program.sorts[str(term.args[0])] = patterns
        return True
    if name == ("fo_sort", 1):
        if not isinstance(term.args[0], Struct):
            raise FirstOrderError("a predicate with a sort or _ for each argument expected", term, place)
        program.argument_sorts[indicator(term.args[0])] = list(term.args[0].args)
        return True
    return False

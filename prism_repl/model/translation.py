"""Loading a PRISM program: its declarations, and which predicates are probabilistic and tabled.

A predicate is probabilistic if a clause of it reaches msw/2 through the bodies of the program; by
default each probabilistic predicate is tabled in explanation search. Nothing is transformed: the same
code samples or explains, as the machine's mode says. Switch declarations become clauses of
'$values'/3, their settings are run after everything else.
"""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from prism_repl import arrays
from prism_repl.core.cells import REF
from prism_repl.core.errors import PrologError, type_error
from prism_repl.core.instructions import CONSTANTS
from prism_repl.model.messages import prism_error, prism_warning, text_of
from prism_repl.model.outcomes import expanded_values
from prism_repl.model.switches import values_key
from prism_repl.model.tensors import translate_tensors
from prism_repl.prolog.definitions import Definitions, forget_file, loading
from prism_repl.prolog.source import Clause, SourceReader, expand, head_of, run_directive
from prism_repl.prolog.undefined import report_undefined
from prism_repl.prolog.writer import write_term

F_EXPLAINED = CONSTANTS["F_EXPLAINED"]
F_MODED = CONSTANTS["F_MODED"]
F_TABLED = CONSTANTS["F_TABLED"]

# Goals that make a choice, and so make their predicate probabilistic.
CHOICES = {("msw", 2), ("soft_msw", 2), ("b_msw", 2), ("msw", 3), ("soft_msw", 3), ("b_msw", 3)}
# Constructs whose arguments are goals, by the positions of the goals.
CONTROL = {
    (",", 2): (0, 1),
    (";", 2): (0, 1),
    ("->", 2): (0, 1),
    ("*->", 2): (0, 1),
    ("\\+", 1): (0,),
    ("not", 1): (0,),
    ("write_call", 1): (0,),
    ("write_call", 2): (1,),
    ("??", 1): (0,),
    ("??*", 1): (0,),
    ("??>", 1): (0,),
    ("??<", 1): (0,),
    ("??+", 1): (0,),
    ("??-", 1): (0,),
}
NEGATIONS = {("\\+", 1), ("not", 1)}
DECLARATIONS = {
    ("values", 2),
    ("values", 3),
    ("values", 4),
    ("values_x", 2),
    ("values_x", 3),
    ("values_x", 4),
}
# Directives that say something about predicates.
PROPERTIES = {
    ("dynamic", 1),
    ("table", 1),
    ("discontiguous", 1),
    ("multifile", 1),
    ("mode", 1),
    ("meta_predicate", 1),
}
# Directives that tell how the following clauses are read.
READING = {("op", 3), ("set_prolog_flag", 2), ("char_conversion", 2), ("module", 2)}
# The wrappers that :- disable_write_call removes.
WATCHED = {name for name in CONTROL if name[0] == "write_call" or name[0].startswith("??")}
ALTERNATIVES = {(";", 2), ("->", 2), ("*->", 2)}

Indicator = tuple[str, int]
USER = Path("user")  # what is typed in, not a file


@dataclass
class Program:
    """A program file taken apart. Cells stay valid: nothing runs until all clauses are in."""

    path: Path
    tabling: bool  # whether inference is wanted
    shown: str = ""  # its name in messages
    terms: list[tuple[Clause, int]] = field(default_factory=list)  # clauses and declarations as they stand
    clauses: list[tuple[Clause, int]] = field(default_factory=list)
    errors: int = 0
    directives: list[tuple[int, Clause]] = field(default_factory=list)
    properties: list[tuple[int, Clause]] = field(default_factory=list)  # such as dynamic(p/1); run first
    declarations: list[tuple[Clause, int]] = field(default_factory=list)
    tabled: set[Indicator] | None = None
    not_tabled: set[Indicator] | None = None
    watch_calls: bool = True
    definitions: Any = None  # Definitions, once it is installed
    # What follows from these.
    probabilistic: set[Indicator] = field(default_factory=set)
    explained: set[Indicator] = field(default_factory=set)  # what explanation search tables
    values: list[tuple[int, int]] = field(default_factory=list)  # lines and clauses of '$values'/3
    settings: list[tuple[int, Clause]] = field(default_factory=list)


def indicator_of(m: Any, goal: int) -> Indicator:
    return (m.atom_text(m.name_of(goal)), m.arity_of(goal))


def translate_program(
    m: Any, path: Path, tabling: bool = True, text: str | None = None, shown: str | None = None
) -> Program:
    """Read and check a program file; with tabling off nothing is tabled (prism's option consult). A program
    that is no file is given as a text; `shown` is its name in messages. What is loaded stays as it is, so
    that it is not lost if there is an error."""
    program = read_program(m, SourceReader(m, path, shown), tabling, text)
    translate_tensors(m, program)
    graph, negations = call_graph(m, program)
    program.probabilistic = reaching_choice(graph)
    if tabling:
        program.explained = tabled_predicates(m, program)
    refuse_negation(m, negations, program)
    declare_switches(m, program)
    return program


def install_program(m: Any, program: Program, adding: bool = False) -> None:
    """Replace the loaded program. Predicates of the last one that this one does not define can still be
    called, but are not probabilistic any more; with `adding`, they are."""
    arrays.load()  # here, so that the first search, whose time is shown, need not wait for it

    if not adding:
        forget_program(m)
        forget_file(m, program.path)
    state = m.prob
    program.definitions = definitions = Definitions(m, program.path, False)
    set_properties(m, program)
    for clause, cell in program.clauses:
        head = head_of(m, cell)
        if m.is_callable(head):
            m.database.user_predicate(m.functor(m.name_of(head), m.arity_of(head)))
    for clause, cell in program.terms:
        if is_declaration(m, cell):
            head = head_of(m, cell)
            definitions.note_place(m.functor(m.name_of(head), m.arity_of(head)))
        else:
            definitions.add(clause, body_rewritten(m, cell, program.watch_calls))
    for line, cell in program.values:
        m.database.add_clause(cell, True, line)
    if program.declarations:
        state.note_declarations()
    probabilistic = defined(m, program.probabilistic, definitions)
    tabled = defined(m, program.explained, definitions)
    state.probabilistic = state.probabilistic | probabilistic if adding else probabilistic
    state.tabled = state.tabled | tabled if adding else tabled
    state.tabling = program.tabling
    state.crf = may_be_crf(m, program) or (adding and state.crf)
    refuse_modes(m, program, probabilistic)
    for name, arity in tabled:
        p = m.program.pred(m.functor(m.atom(name), arity))
        m.database.set_flag(p, F_TABLED | F_EXPLAINED)
        for count in ("P_LIST_ARG", "P_LOOKS"):
            m.program.set_pred_field(p, CONSTANTS[count], 0)
    program.errors += definitions.errors
    if program.path != USER:
        definitions.record()
        state.program_path = program.path


def run_directives(m: Any, program: Program) -> None:
    """Run the goals of an installed program, then the settings of its switches."""
    # goals may change anything: what is still needed is kept as records
    for record, clause in [
        (m.freeze(goal), clause) for goal, clause in program.directives + program.settings
    ]:
        if not run_directive(m, m.thaw(record), clause):
            program.errors += 1
    m.tabling.clear_tables()
    report_undefined(m, [program.definitions])
    m.state["load_errors"] = m.state.get("load_errors", 0) + program.errors
    if program.errors:
        m.streams.complain(f"% {program.errors} error(s) in {program.shown}\n")


def set_properties(m: Any, program: Program) -> None:
    """Declare predicates dynamic, tabled ..."""
    loading(m).append(program.definitions)
    try:
        for goal, clause in program.properties:
            if not run_directive(m, goal, clause):
                program.errors += 1
    finally:
        loading(m).pop()


def defined(m: Any, indicators: set[Indicator], definitions: Definitions) -> set[Indicator]:
    """Those of the indicators whose predicate the file really defined."""
    return {i for i in indicators if m.program.pred(m.functor(m.atom(i[0]), i[1])) in definitions.predicates}


def forget_program(m: Any) -> None:
    """What the last program declared goes; its predicates stay, but are not explained any more."""
    for name, arity in m.prob.tabled:
        m.database.set_flag(m.program.pred(m.functor(m.atom(name), arity)), F_TABLED | F_EXPLAINED, False)
    m.program.restore_overridden()
    m.database.remove_all(m.program.pred(m.functor(m.atom("$values"), 3)))


def add_typed_program(m: Any, text: str) -> bool:
    """[user]: clauses that were typed in. If they make a model (they declare switches or reach msw), they
    join the loaded program; False if they are ordinary Prolog."""
    if not re.search(r"\bvalues(_x)?\s*\(|\bmsw\s*\(|\btensor_atom\s*\(", text):
        return False
    program = translate_program(m, USER, text=text)
    install_program(m, program, adding=True)
    run_directives(m, program)
    return True


def read_program(m: Any, source: SourceReader, tabling: bool, text: str | None = None) -> Program:
    """Sort the terms of a file into clauses, declarations and directives."""
    program = Program(source.path, tabling, source.shown)
    for clause in source.clauses() if text is None else source.clauses_of(text, source.shown, Path()):
        for cell in expand(m, clause.cell):
            if source.is_directive(cell, None, 0):
                read_directive(m, program, m.arg(cell, 0), clause)
                continue
            program.terms.append((clause, cell))
            if is_declaration(m, cell):
                program.declarations.append((clause, cell))
            else:
                program.clauses.append((clause, cell))
    program.errors = source.errors
    return program


def is_declaration(m: Any, cell: int) -> bool:
    """Whether a clause declares a switch."""
    head = head_of(m, cell)
    return bool(m.is_callable(head) and indicator_of(m, head) in DECLARATIONS)


def read_directive(m: Any, program: Program, goal: int, clause: Clause) -> None:
    """Sort a directive; operators take effect at once, so that they hold for the following clauses."""
    if not m.is_callable(goal):
        program.directives.append((goal, clause))
        return
    indicator = indicator_of(m, goal)
    if indicator == ("p_table", 1):
        program.tabled = (program.tabled or set()) | listed(m, goal)
    elif indicator == ("p_not_table", 1):
        program.not_tabled = (program.not_tabled or set()) | listed(m, goal)
    elif indicator == ("disable_write_call", 0):
        program.watch_calls = False
    elif indicator in READING:
        if not run_directive(m, goal, clause):
            program.errors += 1
    elif indicator in PROPERTIES:
        program.properties.append((goal, clause))
    else:
        program.directives.append((goal, clause))


def listed(m: Any, declaration: int) -> set[Indicator]:
    """The predicates of :- p_table p/1, q/2."""
    found = set()
    pending = [m.arg(declaration, 0)]
    while pending:
        c = pending.pop()
        if m.is_compound(c) and indicator_of(m, c) == (",", 2):
            pending += [m.arg(c, 1), m.arg(c, 0)]
            continue
        good = m.is_compound(c) and indicator_of(m, c) == ("/", 2)
        if not good or not m.is_integer(m.arg(c, 1)) or m.is_compound(m.arg(c, 0)):
            source = indicator_of(m, declaration)
            raise prism_error(
                m, "1102", PrologError("type_error", "predicate_indicator", c), c, source=source
            )
        found.add((m.atom_text(m.arg(c, 0)), m.int_value(m.arg(c, 1))))
    return found


def call_graph(m: Any, program: Program) -> tuple[dict[Indicator, set[Indicator]], list[Any]]:
    """Who calls whom, as far as the bodies show it; and the goals under a negation."""
    graph: dict[Indicator, set[Indicator]] = {}
    negations: list[tuple[Clause, Indicator, Indicator]] = []
    for clause, cell in program.clauses:
        head = head_of(m, cell)
        if not m.is_callable(head):
            continue
        caller = indicator_of(m, head)
        called = graph.setdefault(caller, set())
        if cell == head:
            continue
        pending = [(m.arg(cell, 1), False)]
        while pending:
            goal, negated = pending.pop()
            if not m.is_callable(goal):
                continue
            indicator = indicator_of(m, goal)
            if indicator in CONTROL:
                inside = negated or indicator in NEGATIONS
                pending += [(m.arg(goal, i), inside) for i in CONTROL[indicator]]
                continue
            called.add(indicator)
            if negated:
                negations.append((clause, caller, indicator))
    return graph, negations


def reaching_choice(graph: dict[Indicator, set[Indicator]]) -> set[Indicator]:
    """The predicates that reach a choice."""
    callers: dict[Indicator, set[Indicator]] = {}
    for caller, called in graph.items():
        for goal in called:
            callers.setdefault(goal, set()).add(caller)
    found: set[Indicator] = set()
    pending = list(CHOICES)
    while pending:
        for caller in callers.get(pending.pop(), ()):
            if caller not in found:
                found.add(caller)
                pending.append(caller)
    return found


def tabled_predicates(m: Any, program: Program) -> set[Indicator]:
    if program.tabled is not None and program.not_tabled is not None:
        error = PrologError("prism_translation_error", "mixed_table_declarations")
        raise prism_error(m, "1101", error)
    if program.tabled is not None:
        return program.probabilistic & program.tabled
    return program.probabilistic - (program.not_tabled or set())


def may_be_crf(m: Any, program: Program) -> bool:
    """Whether there are g(x,y) and its normaliser g(x), and the clauses of g(x,y) look at x: the numbers of
    switches may then be weights of any size."""
    for _, cell in program.clauses:
        head = head_of(m, cell)
        if not m.is_compound(head) or m.arity_of(head) != 2:
            continue
        name = m.atom_text(m.name_of(head))
        if {(name, 1), (name, 2)} <= program.probabilistic:
            x = m.arg(head, 0)
            rest = m.list_from([m.arg(head, 1), *([m.arg(cell, 1)] if cell != head else [])])
            if x & 7 != REF or x in m.term_vars(rest):
                return True
    return False


def refuse_negation(m: Any, negations: list[Any], program: Program) -> None:
    """The negation of a probabilistic goal has no explanations of its own: refuse it in a predicate that
    explanation search would run."""
    for clause, caller, goal in negations:
        if caller in program.explained and (goal in program.probabilistic or goal in CHOICES):
            name = f"{goal[0]}/{goal[1]}"
            m.streams.complain(
                f"***  PRISM ERROR: negation of a probabilistic goal -- {name} in {caller[0]}/{caller[1]} "
                f"({clause.file}, {clause.line}-{clause.last_line}); explanations of the failure of a goal "
                "cannot be searched: write the complementary case out, or use p_not_table for sampling only\n"
            )
            culprit = m.struct("/", m.atom(goal[0]), m.int_cell(goal[1]))
            raise PrologError("prism_translation_error", ("negated_probabilistic_goal", culprit))


def refuse_modes(m: Any, program: Program, probabilistic: set[Indicator]) -> None:
    """Modes of :- table would leave out explanations of a probabilistic predicate."""
    for name, arity in sorted(probabilistic):
        p = m.program.pred(m.functor(m.atom(name), arity))
        if m.database.has_flag(p, F_MODED):
            m.database.set_flag(p, F_TABLED | F_MODED, False)
            m.streams.complain(
                f"***  PRISM ERROR: table modes of a probabilistic predicate -- {name}/{arity}; modes are "
                "for ordinary predicates, the best explanation is what viterbi finds\n"
            )
            program.errors += 1


def body_rewritten(m: Any, cell: int, watch_calls: bool) -> int:
    """values(S,V) in a body is get_values(S,V); without watch_calls the wrappers of write_call go."""
    head = head_of(m, cell)
    if head == cell:
        return cell
    body = m.arg(cell, 1)
    new = goal_rewritten(m, body, watch_calls)
    return cell if new == body else int(m.struct(":-", head, new))


def goal_rewritten(m: Any, goal: int, watch_calls: bool) -> int:
    if not m.is_compound(goal):
        return goal
    # the right spine of a long conjunction is walked, not recursed into
    spine: list[int] = []
    while m.is_compound(goal) and indicator_of(m, goal) == (",", 2):
        spine.append(m.arg(goal, 0))
        goal = m.arg(goal, 1)
    parts = [plain_rewritten(m, part, watch_calls) for part in [*spine, goal]]
    result = parts.pop()
    changed = result != goal
    for old, new in zip(reversed(spine), reversed(parts), strict=True):
        changed = changed or old != new
        result = m.struct(",", new, result)
    if not changed:
        result = goal
        for old in reversed(spine):
            result = m.struct(",", old, result)
    return result


def plain_rewritten(m: Any, goal: int, watch_calls: bool) -> int:
    if not m.is_compound(goal):
        return goal
    indicator = indicator_of(m, goal)
    if indicator == ("values", 2):
        return int(m.struct("get_values", m.arg(goal, 0), m.arg(goal, 1)))
    if indicator in WATCHED and not watch_calls:
        return goal_rewritten(m, m.arg(goal, CONTROL[indicator][0]), watch_calls)
    if indicator in ALTERNATIVES:
        return alternatives_rewritten(m, goal, watch_calls)
    if indicator in CONTROL and indicator not in WATCHED:
        args = [m.arg(goal, i) for i in range(indicator[1])]
        new = [goal_rewritten(m, a, watch_calls) for a in args]
        if new != args:
            return int(m.struct(indicator[0], *new))
    return goal


def alternatives_rewritten(m: Any, goal: int, watch_calls: bool) -> int:
    """The same for alternatives, of which there may be many: their right spine is walked, too."""
    spine: list[int] = []
    while m.is_compound(goal) and indicator_of(m, goal) in ALTERNATIVES:
        spine.append(goal)
        goal = m.arg(goal, 1)
    result = goal_rewritten(m, goal, watch_calls)
    for whole in reversed(spine):
        old = m.arg(whole, 0)
        new = goal_rewritten(m, old, watch_calls)
        unchanged = new == old and result == m.arg(whole, 1)
        result = whole if unchanged else int(m.struct(indicator_of(m, whole)[0], new, result))
    return result


def declare_switches(m: Any, program: Program) -> None:
    """The clauses of '$values'/3 and the goals of the settings that the declarations stand for."""
    for clause, cell in program.declarations:
        head = head_of(m, cell)
        program.values.append((clause.line, values_clause(m, clause, cell)))
        for i in range(2, m.arity_of(head)):
            goals = setting_goals(m, m.arg(head, 0), m.arg(head, i))
            program.settings += [
                (goal, replace(clause, text=write_term(m, goal, quoted=True))) for goal in goals
            ]


def values_clause(m: Any, clause: Clause, cell: int) -> int:
    """The clause of '$values'/3 for a declaration. Outcomes that are known are expanded now."""
    head = head_of(m, cell)
    name, outcomes, values = m.arg(head, 0), m.arg(head, 1), m.new_var()
    declared = m.struct("$values", values_key(m, name), name, values)
    if head == cell and m.is_ground(outcomes):
        culprit = f"{text_of(m, head)} ({clause.file}, {clause.line}-{clause.last_line})"
        items, tail = m.list_items(outcomes)
        if tail != m.nil:
            raise prism_error(m, "1105", type_error("list_or_nil", outcomes), culprit)
        goal = m.struct("=", values, m.list_from(expanded_values(m, items, "1105", culprit)))
        return int(m.struct(":-", declared, goal))
    expansion = m.struct("expand_values1", outcomes, values)
    body = expansion if head == cell else m.struct(",", m.arg(cell, 1), expansion)
    return int(m.struct(":-", declared, body))


SETTERS = {
    "set": "set_sw",
    "fix": "fix_sw",
    "a": "set_sw_a",
    "set_a": "set_sw_a",
    "d": "set_sw_d",
    "h": "set_sw_d",
    "set_d": "set_sw_d",
    "set_h": "set_sw_d",
    "fix_a": "fix_sw_a",
    "fix_d": "fix_sw_d",
    "fix_h": "fix_sw_d",
    "set_l": "set_sw",
    "set_w": "set_sw_a",
}


def setting_goals(m: Any, name: int, setting: int) -> list[int]:
    """The goals that a third (fourth) argument of values stands for."""
    if setting & 7 == REF or not m.is_ground(name) or not m.is_ground(setting):
        prism_warning(m, "1104", name)
        return []
    goals: list[int] = []
    pending = [setting]
    while pending:
        c = pending.pop()
        if m.is_compound(c) and indicator_of(m, c) == (",", 2):
            pending += [m.arg(c, 1), m.arg(c, 0)]
        elif m.is_compound(c) and indicator_of(m, c) == ("@", 2) and m.arg(c, 0) & 7 == 1:
            setter = SETTERS.get(m.atom_text(m.arg(c, 0)))
            if setter is None:
                goals.append(m.struct("set_sw", name, c))
            else:
                goals.append(m.struct(setter, name, m.arg(c, 1)))
        elif c != m.atom("true"):
            goals.append(m.struct("set_sw", name, c))
    return goals


def indicator_text(m: Any, indicator: Indicator) -> str:
    """name/arity as it is printed."""
    return write_term(m, m.struct("/", m.atom(indicator[0]), m.int_cell(indicator[1])), quoted=True)

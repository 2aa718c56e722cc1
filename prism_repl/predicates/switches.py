"""Setting, fixing and showing switches.

Each predicate comes for parameters (plain), alphas (_a) and deltas (_d, also spelled _h);
the families are registered by loops at the end.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from prism_repl.core.cells import REF
from prism_repl.core.errors import PrologError, instantiation_error
from prism_repl.model import checks, distributions
from prism_repl.model.messages import prism_error, say, text_of
from prism_repl.model.switches import Switch, fetch, values_key
from prism_repl.predicates.distributions import check_form, counts_of, number_list, numbers_of
from prism_repl.prolog.builtins.checks import indicator
from prism_repl.prolog.builtins.registry import builtin, helper

KINDS = {"": "p", "_a": "a", "_d": "d", "_h": "d"}  # suffix of a predicate's name -> what it sets
BOTH = {"_pa": "pa", "_pd": "pd", "_b": "pd"}


def expanded(m: Any, kind: str, form: int, n: int) -> tuple[Any, ...]:
    """What to store in a switch of n outcomes: (parameters,) or (alphas, deltas)."""
    if kind != "p":
        return counts_of(m, form, n, kind)
    lambdas = m.prob.flags["crf_enable"] == "on" and m.prob.crf
    return (numbers_of(m, distributions.weights if lambdas else distributions.switch_parameters, form, n),)


def expanded_for(m: Any, kind: str, form: int, switch: Switch) -> tuple[Any, ...]:
    """The same for this switch. A fixed one is not going to be set: what was drawn for it is put back."""
    if not (switch.fixed if kind == "p" else switch.fixed_h):
        return expanded(m, kind, form, switch.size)
    mark = m.prob.random.mark()
    numbers = expanded(m, kind, form, switch.size)
    m.prob.random.go_back(mark)
    return numbers


def set_switch(m: Any, kind: str, switch: Switch, numbers: tuple[Any, ...]) -> None:
    """Set a switch, unless it is fixed."""
    store = m.prob.switches.set_parameters_of if kind == "p" else m.prob.switches.set_hyperparameters_of
    store(m, switch, *numbers)


def set_fixed(kind: str, switch: Switch, fixed: bool) -> None:
    if kind == "p":
        switch.fixed = fixed
    else:
        switch.fixed_h = fixed


# ---- one switch, by its name


def set_sw(m: Any, kind: str, name: int, form: int, fix: bool = False) -> bool:
    """Set one switch; with `fix`, also if it is fixed, and fix it."""
    if not m.is_ground(name):
        raise prism_error(m, "0101", instantiation_error(), name)
    check_form(m, kind, form)
    switch = m.prob.switches.declared(m, name)
    if fix:
        numbers = expanded(m, kind, form, switch.size)
        set_fixed(kind, switch, False)
    else:
        numbers = expanded_for(m, kind, form, switch)
    set_switch(m, kind, switch, numbers)
    if fix:
        set_fixed(kind, switch, True)
    return True


# ---- registered switches, by a pattern


def set_sw_all(m: Any, kind: str, pattern: int, form: int) -> bool:
    """Set all registered switches that match, or, after an error, none."""
    check_form(m, kind, form)
    switches = m.prob.switches.to_set(m, pattern)
    for switch, numbers in [(s, expanded_for(m, kind, form, s)) for s in switches]:
        set_switch(m, kind, switch, numbers)
    return True


def fix_all(m: Any, kind: str, patterns: int, fixed: bool) -> bool:
    """Fix or unfix what matches a pattern or one of a list of patterns."""
    items = checks.proper_list(m, "2104", patterns) if m.is_list_cell(patterns) else [patterns]
    for pattern in items:
        matching = m.prob.switches.matching(m, pattern)
        if not matching:
            note_unmatched(m, pattern)
        for switch in matching:
            fill(m, kind, switch)
            set_fixed(kind, switch, fixed)
    return True


def fill(m: Any, kind: str, switch: Switch) -> bool:
    """Give a switch default numbers of this kind if it has none; False if there is no default."""
    try:
        if "p" in kind:
            m.prob.switches.fill_parameters(switch)
        if "a" in kind or "d" in kind:
            m.prob.switches.fill_hyperparameters(switch)
    except distributions.Unavailable:
        return False
    return True


# ---- showing


def columns(kind: str, switch: Switch) -> list[tuple[str, list[Any] | None]]:
    """The numbers that a kind shows, with their letters."""
    both = {"p": switch.parameters, "a": switch.alphas, "d": switch.deltas}
    return [(letter, both[letter]) for letter in kind]


def shown_number(number: Any) -> str:
    return "n/a" if number is None else f"{float(number):.9f}"


def show_switch(m: Any, kind: str, switch: Switch) -> None:
    for letter in kind:
        fill(m, letter, switch)
    statuses = []
    if "p" in kind:
        statuses.append(switch.status() + "_p")
    if kind != "p":
        statuses.append(switch.status_h() + "_h")
    outcomes = []
    for i, kept in enumerate(switch.outcomes):
        numbers = [f"{x}: {shown_number(v and v[i])}" for x, v in columns(kind, switch)]
        outcomes.append(f"{text_of(m, fetch(m, kept))} ({', '.join(numbers)})")
    name = text_of(m, fetch(m, switch.name))
    say(m, f"Switch {name}: {','.join(statuses)}: {' '.join(outcomes)}\n")


def show_sw(m: Any, kind: str, pattern: int) -> bool:
    switches = m.prob.switches
    matching = switches.matching(m, pattern)
    if not matching and pattern & 7 != REF:
        note_unmatched(m, pattern)
    for switch in switches.in_order(m, matching):
        show_switch(m, kind, switch)
    return True


def note_unmatched(m: Any, pattern: int) -> None:
    """Tell a person at the prompt, if no switch is declared that could have been meant either."""
    if pattern & 7 != REF and not m.prob.declares(pattern):
        m.prob.notices.append(f"No switch {text_of(m, pattern)} is declared.")


@builtin("show_reg_sw is det")
def show_reg_sw(m: Any) -> bool:
    say(m, "Registered random switches:\n")
    for switch in m.prob.switches.in_order(m, m.prob.switches.live()):
        say(m, f"  {text_of(m, fetch(m, switch.name))}\n")
    return True


@builtin("show_values is det")
def show_values(m: Any) -> bool:
    say(m, "Outcome spaces:\n")
    for switch in m.prob.switches.in_order(m, m.prob.switches.live()):
        values = m.list_from(switch.outcome_cells(m))
        say(m, f"  {text_of(m, fetch(m, switch.name))}: {text_of(m, values)}\n")
    return True


@builtin("get_reg_sw_list(-Switches) is det")
def get_reg_sw_list(m: Any, names: int) -> bool:
    switches = m.prob.switches.in_order(m, m.prob.switches.live())
    return m.unify(names, m.list_from([fetch(m, s.name) for s in switches]))


# ---- reading


def row(m: Any, kind: str, switch: Switch) -> int:
    """row(Name,Status,Values,Numbers,...,Expectations), where Expectations is expected(List) or none."""
    status = {"p": switch.status(), "a": switch.status_h(), "d": switch.status_h()}
    states = [m.atom(status[letter]) for letter in kind]
    lists = [number_list(m, numbers or []) for _, numbers in columns(kind, switch)]
    expected = m.atom("none")
    if switch.expectations is not None and switch.expectations[0] == ("vb" if "a" in kind else "ml"):
        expected = m.struct("expected", number_list(m, switch.expectations[1]))
    values = m.list_from(switch.outcome_cells(m))
    state = states[0] if len(states) == 1 else m.list_from(states)
    return m.struct("row", fetch(m, switch.name), state, values, *lists, expected)


@helper("$sw_rows", 4)
def sw_rows(m: Any, kind_cell: int, name: int, rows: int, by: int) -> bool:
    """What get_sw and its relatives (the one that is called is `by`) tell of one switch (registering it), or
    of those that match and have numbers of this kind, in the order in which these were set."""
    kind = m.atom_text(kind_cell)
    switches = m.prob.switches
    if m.is_ground(name):
        source = indicator(m, by)
        switch = switches.with_parameters(m, name, source)
        if kind != "p":
            switches.with_hyperparameters(m, switch, source)
        found: Iterable[Switch] = [switch]
    else:
        matching = {s.number for s in switches.matching(m, name)}
        ordered = [s for s in switches.by_setting(kind[0]) if s.number in matching]
        found = [s for s in ordered if all(v is not None for _, v in columns(kind, s))]
    return m.unify(rows, m.list_from([row(m, kind, s) for s in found]))


@builtin("get_values1(+Switch:switch, -Values) is semidet")
def get_values1(m: Any, name: int, values: int) -> bool:
    return m.unify(values, m.list_from(m.prob.switches.declared_outcomes(m, name, None)))


@helper("$values_key", 2)
def key_of_values(m: Any, name: int, key: int) -> bool:
    return m.unify(key, values_key(m, name))


@helper("$values_missing", 0)
def values_missing(m: Any) -> bool:
    """The error that no program with values/2 was loaded yet."""
    raise prism_error(m, "0100", PrologError("msw_declaration_not_found"), source=("get_values", 2))


# ---- the families


def define_kind(suffix: str, kind: str) -> None:
    default = "default"
    form_name = "+Distribution:distribution" if kind == "p" else "+Counts"
    define = partial(define_named, suffix)
    define("set_sw{}(+Switch:switch)", lambda m, s: set_sw(m, kind, s, m.atom(default)))
    define(f"set_sw{{}}(+Switch:switch, {form_name})", lambda m, s, form: set_sw(m, kind, s, form))
    for name in {f"set_sw_all{suffix}", f"set_sw{suffix}_all"}:
        define(name, lambda m: set_sw_all(m, kind, m.new_var(), m.atom(default)))
        define(f"{name}(@Pattern:switch)", lambda m, p: set_sw_all(m, kind, p, m.atom(default)))
        define(f"{name}(@Pattern:switch, {form_name})", lambda m, p, form: set_sw_all(m, kind, p, form))
    define("fix_sw{}(@Switch:switch)", lambda m, p: fix_all(m, kind, p, True))
    define(f"fix_sw{{}}(+Switch:switch, {form_name})", lambda m, s, form: set_sw(m, kind, s, form, fix=True))
    define("unfix_sw{}(@Switch:switch)", lambda m, p: fix_all(m, kind, p, False))


def define_named(suffix: str, head: str, function: Callable[..., bool]) -> None:
    builtin(head.format(suffix) + " is det")(function)


def define_show(suffix: str, kind: str) -> None:
    define_named(suffix, "show_sw{}", lambda m: show_sw(m, kind, m.new_var()))
    define_named(suffix, "show_sw{}(@Pattern:switch)", lambda m, p: show_sw(m, kind, p))


for each_suffix, each_kind in KINDS.items():
    define_kind(each_suffix, each_kind)
for each_suffix, each_kind in (KINDS | BOTH).items():
    define_show(each_suffix, each_kind)

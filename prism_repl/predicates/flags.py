"""Flags: set_prism_flag/2 and its relatives. The table is in prism_repl/flags.py."""

from typing import Any

from prism_repl.core.cells import ATM
from prism_repl.core.errors import PrologError, domain_error
from prism_repl.flags import DISABLED, DeletedFlag, InvalidValue, UnknownFlag
from prism_repl.model import checks
from prism_repl.model.messages import prism_error, prism_warning, say, text_of
from prism_repl.model.term_values import to_cell
from prism_repl.prolog.builtins.registry import builtin, helper


@builtin("set_prism_flag(+Flag:flag, +Value:flag_value) is det")
def set_prism_flag(m: Any, flag: int, value: int) -> bool:
    checks.bound(m, "3100", flag)
    given = checks.ground(m, "3101", value, None, text_of(m, flag))
    name = checks.atom(m, "3100", flag)
    try:
        renamings = m.prob.flags.set(name, given)
    except DeletedFlag as error:
        raise prism_error(m, "3103", domain_error("prism_flag", flag), flag, error.version) from None
    except UnknownFlag:
        raise prism_error(m, "3100", domain_error("prism_flag", flag), flag) from None
    except InvalidValue as error:
        formal = PrologError("domain_error", ("prism_flag_value", str(error)), value)
        raise prism_error(m, "3101", formal, value, str(error)) from None
    for old, new in renamings:
        prism_warning(m, "3102" if old == name else "3104", old, new)
    return True


@helper("$prism_flags", 2)
def prism_flags(m: Any, flag: int, pairs: int) -> bool:
    """Name-Value for each of PRISM's flags, or for the one that is named (also if it is ours)."""
    flags = m.prob.flags
    if flag & 7 == ATM:
        name = m.atom_text(flag)
        shown = [(name, flags[name])] if name in flags else []
    else:
        shown = list(flags.shown())
    return m.unify(pairs, m.list_from([m.struct("-", m.atom(n), to_cell(m, v)) for n, v in shown]))


@builtin("reset_prism_flags is det")
def reset_prism_flags(m: Any) -> bool:
    m.prob.flags.reset()
    return True


def show_prism_flags(m: Any) -> bool:
    for name, value in [*m.prob.flags.shown(), *m.prob.flags.changed()]:
        text = "(disabled)" if value == DISABLED else text_of(m, to_cell(m, value))
        say(m, f"{name:<22}: {text}\n")
    return True


for alias in ("show_prism_flags", "show_prism_flag", "show_flags", "show_flag"):
    builtin(f"{alias} is det")(show_prism_flags)

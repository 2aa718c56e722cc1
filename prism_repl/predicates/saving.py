"""save_sw, restore_sw and their relatives: switches in files.

One line a switch: switch(Name,Status,Values,Numbers). Restoring sets the numbers only, and all
of a file's switches or, after an error, none.
"""

from typing import Any

from prism_repl.core.errors import domain_error
from prism_repl.model.messages import prism_error
from prism_repl.model.switches import Switch, fetch
from prism_repl.model.term_values import all_numbers, to_plain
from prism_repl.predicates.distributions import unmatched_counts
from prism_repl.predicates.switches import expanded, set_switch
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.whole_files import read_terms, write_file
from prism_repl.prolog.writer import write_term

FILES = {"p": "Saved_SW", "a": "Saved_SW_A", "d": "Saved_SW_D"}


def saved_text(m: Any, kind: str) -> str:
    return "".join(line(m, kind, s) for s in m.prob.switches.by_setting(kind))


def line(m: Any, kind: str, switch: Switch) -> str:
    name = write_term(m, fetch(m, switch.name), quoted=True, float_format="full", priority=999)
    values = write_term(m, m.list_from(switch.outcome_cells(m)), quoted=True, float_format="full")
    status = switch.status() if kind == "p" else switch.status_h()
    numbers = {"p": switch.parameters, "a": switch.alphas, "d": switch.deltas}[kind] or []
    return f"switch({name},{status},{values},[{','.join(f'{float(x):.15e}' for x in numbers)}]).\n"


def save(m: Any, files: list[tuple[str, int]]) -> bool:
    """Write switches to files; each is a kind of numbers with the name of its file."""
    for (_, file), text in [(each, saved_text(m, each[0])) for each in files]:
        write_file(m, file, text)
    return True


def restore(m: Any, files: list[tuple[str, int]]) -> bool:
    """Set the switches of all the files, or, after an error, none."""
    met: dict[Any, Switch] = {}
    read = [(kind, restored(m, kind, file, met)) for kind, file in files]
    for kind, switches in read:
        for switch, numbers in switches:
            set_switch(m, kind, switch, numbers)
    return True


def restored(m: Any, kind: str, file: int, met: dict[Any, Switch]) -> list[tuple[Switch, tuple[Any, ...]]]:
    """The switches of a file with their numbers; `met` are those of other files."""
    found = []
    functor = m.functor(m.atom("switch"), 4)
    for term in read_terms(m, file):
        if not m.is_compound(term) or m.functor_of(term) != functor:
            raise invalid(m, term)
        form = m.arg(term, 3)
        numbers = to_plain(m, form)
        if not all_numbers(numbers):
            raise invalid(m, term)
        switch = m.prob.switches.declared(m, m.arg(term, 0))
        switch = met.setdefault(switch.key, switch)
        if kind == "d":  # learned deltas may be negative
            if len(numbers) != switch.size:
                raise unmatched_counts(m, form, switch.size)
            found.append((switch, ([x + 1 for x in numbers], numbers)))
        else:
            found.append((switch, expanded(m, kind, form, switch.size)))
    return found


def invalid(m: Any, term: int) -> Exception:
    return prism_error(m, "0111", domain_error("switch_information", term), term)


def define(word: str, action: Any) -> None:
    for suffix, kind in {"": "p", "_a": "a", "_d": "d", "_h": "d"}.items():
        builtin(f"{word}{suffix} is det")(lambda m, k=kind: action(m, [(k, m.atom(FILES[k]))]))
        builtin(f"{word}{suffix}(+File:file) is det")(lambda m, f, k=kind: action(m, [(k, f)]))
    for suffix, kind in {"_pa": "a", "_pd": "d", "_b": "d"}.items():
        builtin(f"{word}{suffix} is det")(
            lambda m, k=kind: action(m, [("p", m.atom(FILES["p"])), (k, m.atom(FILES[k]))])
        )
        second = f"+File{kind.upper()}:file"
        builtin(f"{word}{suffix}(+File:file, {second}) is det")(
            lambda m, p, h, k=kind: action(m, [("p", p), (k, h)])
        )


define("save_sw", save)
define("restore_sw", restore)

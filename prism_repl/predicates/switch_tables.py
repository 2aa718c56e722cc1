"""save_sw_tsv and its relatives: the switches as a table."""

from __future__ import annotations

from typing import Any

from prism_repl.model.messages import text_of
from prism_repl.model.switches import fetch
from prism_repl.predicates.switches import row
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.whole_files import write_file

TITLES = {"p": ["Param"], "d": ["PseudoCount"], "pd": ["Param", "PseudoCount"]}
ARGUMENTS = [f"Arg{i}" for i in range(1, 6)]


def table_text(m: Any, kind: str) -> str:
    """A line for each switch that has such numbers, in the order of get_sw; at its end the arguments of its
    name."""
    lines = [["Name", "Arity", "Term", "Status", "Vals", *TITLES[kind], *ARGUMENTS]]
    for switch in m.prob.switches.by_setting(kind[0]):
        if kind == "pd":
            m.prob.switches.with_hyperparameters(m, switch)
        name, cell = fetch(m, switch.name), row(m, kind, switch)
        parts = [m.arg(cell, i) for i in range(1, m.arity_of(cell) - 1)]  # status, outcomes, numbers
        compound = m.is_compound(name)
        functor = text_of(m, m.name_of(name)) if compound else text_of(m, name)
        arguments = [m.arg(name, i) for i in range(m.arity_of(name))] if compound else []
        texts = [text_of(m, part) for part in [name, *parts, *arguments]]
        lines.append([functor, str(len(arguments)), *texts])
    return "".join("\t".join(line) + "\n" for line in lines)


def define(name: str, kind: str) -> None:
    def save(m: Any, file: int) -> bool:
        write_file(m, file, table_text(m, kind))
        return True

    builtin(f"{name}(+File:file) is det")(save)


define("save_sw_tsv", "p")
define("save_sw_d_tsv", "d")
define("save_sw_pd_tsv", "pd")

"""Explanations as the user handles them: their subgoals, switches, trees, and the printed tree."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from prism_repl.model import checks
from prism_repl.model.messages import say, text_of
from prism_repl.predicates.graphs import elements_of, node_arity, path_parts, reads_graphs
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.builtins.streams import output_stream

DEFAULT_INDENT = 3
Step = tuple[int, list[int], list[int]]  # a goal, its subgoals, its switches


def steps_of(m: Any, explanation: int) -> list[Step]:
    """Goal, subgoals and switches of each node of an explanation; nodes have one path, or none."""
    steps: list[Step] = []
    for node in checks.non_empty_list(m, "2104", explanation):
        node_arity(m, node)
        paths = elements_of(m, m.arg(node, 1))
        if not paths:
            steps.append((m.arg(node, 0), [], []))
        for path in paths:
            goals, switches = (elements_of(m, part) for part in path_parts(m, path))
            steps.append((m.arg(node, 0), goals, switches))
    return steps


@builtin("viterbi_subgoals(+Explanation, -Goals) is det")
@builtin("cyc_viterbi_subgoals(+Explanation, -Goals) is det")
@reads_graphs
def viterbi_subgoals(m: Any, explanation: int, result: int) -> bool:
    cells = [goal for _, goals, _ in steps_of(m, explanation) for goal in goals]
    return m.unify(result, m.list_from(cells))


@builtin("viterbi_switches(+Explanation, -Switches) is det")
@builtin("cyc_viterbi_switches(+Explanation, -Switches) is det")
@reads_graphs
def viterbi_switches(m: Any, explanation: int, result: int) -> bool:
    cells = [switch for _, _, switches in steps_of(m, explanation) for switch in switches]
    if m.prob.flags["trials"] == "once":  # the same msw is the same throw
        cells = list({m.intern(switch, True): switch for switch in cells}.values())
    return m.unify(result, m.list_from(cells))


@builtin("viterbi_tree(+Explanation, -Tree) is det")
@builtin("cyc_viterbi_tree(+Explanation, -Tree) is det")
@reads_graphs
def viterbi_tree(m: Any, explanation: int, result: int) -> bool:
    checks.non_empty_list(m, "2104", explanation)
    return m.unify(result, explanation_tree(m, explanation))


def explanation_tree(m: Any, explanation: int) -> int:
    """[Goal,Child,...]: the trees of the subgoals, then the switches. The nodes of an explanation are in the
    order of the proof: a goal, then what explains its subgoals, one after the other."""
    steps = steps_of(m, explanation)
    at = 0
    # Goals being built: their first step, the subgoals still to come (last first), finished children.
    goal, goals, switches = steps[0]
    work: list[tuple[int, list[int], list[int], list[int]]] = [(goal, goals[::-1], switches, [])]
    while True:
        goal, waiting, switches, children = work[-1]
        if waiting:
            subgoal = waiting.pop()
            if at + 1 < len(steps) and m.compare(steps[at + 1][0], subgoal) == 0:
                at += 1
                following, goals, below = steps[at]
                work.append((following, goals[::-1], below, []))
            else:  # not explained in this list
                children.append(m.list_from([subgoal]))
            continue
        work.pop()
        tree: int = m.list_from([goal, *children, *switches])
        if not work:
            return tree
        work[-1][3].append(tree)


def write_tree(
    m: Any, write: Callable[[str], object], tree: int, indent: int, text: Callable[[int], str] | None = None
) -> None:
    """A line for each goal and switch, one bar for each level above it; `text` makes text of their cells."""
    if text is None:
        text = functools.partial(text_of, m)
    bar = "|".ljust(indent)
    todo = [(tree, 0)]
    while todo:
        cell, depth = todo.pop()
        if m.is_list_cell(cell):
            items = m.proper_list(cell)
            todo += [(child, depth + 1) for child in reversed(items[1:])]
            cell = items[0]
        write(bar * depth + text(cell) + "\n")


def print_tree(m: Any, write: Callable[[str], object], tree: int, options: int) -> bool:
    checks.non_empty_list(m, "2104", tree)
    given = checks.option_list(m, options, {"indent": {1}})
    indent = DEFAULT_INDENT
    if "indent" in given:
        number = given["indent"][0]
        indent = m.int_value(number) if m.is_integer(number) else 0
        if indent < 1:
            raise checks.unknown_option(m, m.struct("indent", number))
    write_tree(m, write, tree, indent)
    return True


@builtin("print_tree(+Tree) is det")
def print_tree_plain(m: Any, tree: int) -> bool:
    return print_tree(m, lambda text: say(m, text), tree, m.nil)


@builtin("print_tree(+Tree, +Options:options) is det")
def print_tree_with(m: Any, tree: int, options: int) -> bool:
    return print_tree(m, lambda text: say(m, text), tree, options)


@builtin("print_tree(+Stream:stream, +Tree, +Options:options) is det")
def print_tree_to(m: Any, stream: int, tree: int, options: int) -> bool:
    return print_tree(m, output_stream(m, stream).write, tree, options)

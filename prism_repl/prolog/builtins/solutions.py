"""Helpers of bagof/3 and setof/3."""

from prism_repl.core.cells import REF
from prism_repl.core.errors import instantiation_error, type_error
from prism_repl.core.sorting import PAIR, sort_list
from prism_repl.prolog.builtins.arguments import compound_items, items
from prism_repl.prolog.builtins.registry import helper
from prism_repl.prolog.builtins.types import partial_list
from prism_repl.prolog.cleanups import add_cleanup, run_due, take_cleanup


@helper("$cleanup_begin", 3)
def cleanup_begin(m, goal, choice, number):
    """A cleanup goal waits for the choice point to go."""
    return m.unify(number, m.int_cell(add_cleanup(m, goal, m.int_value(choice))))


@helper("$cleanup_taken", 1)
def cleanup_taken(m, number):
    take_cleanup(m, m.int_value(number))
    return True


@helper("$cleanups_due", 0)
def cleanups_due(m):
    run_due(m)
    return True


@helper("$bagof_variables", 5, context=("bagof", 3))
@helper("$setof_variables", 5, context=("setof", 3))
def free_variables(m, template, goal, result, inner, witness):
    """The goal without its V^ prefixes, and the list of its free variables: those that are
    neither in the template nor in one of the prefixes."""
    bound = set(m.term_vars(template))
    while True:
        found = compound_items(m, goal, "^", 2)
        if not found:
            break
        bound.update(m.term_vars(found[0]))
        goal = found[1]
    if goal & 7 == REF:
        raise instantiation_error()
    if not m.is_callable(goal):
        raise type_error("callable", goal)
    partial_list(m, result)
    free = [v for v in m.term_vars(goal) if v not in bound]
    return m.unify(inner, goal) and m.unify(witness, m.list_from(free))


@helper("$bag_groups", 2)
def bag_groups(m, pairs, groups):
    """[group(Witnesses,Solutions),...] from [Witness-Solution,...]: the solutions of which the
    witnesses are variants belong together; the groups are in the order of their witnesses."""
    found: list[tuple[list[int], list[int]]] = []
    open_groups: list[tuple[list[int], list[int]]] = []  # those of witnesses with variables
    for pair in items(m, sort_list(m, pairs, PAIR, False, False)):
        witness, solution = m.arg(pair, 0), m.arg(pair, 1)
        if m.is_ground(witness):
            if found and m.compare(found[-1][0][0], witness) == 0:
                found[-1][1].append(solution)
                continue
            found.append(([witness], [solution]))
            continue
        for group in open_groups:
            if m.is_variant(group[0][0], witness):
                group[0].append(witness)
                group[1].append(solution)
                break
        else:
            open_groups.append(([witness], [solution]))
            found.append(open_groups[-1])
    cells = [m.struct("group", m.list_from(w), m.list_from(s)) for w, s in found]
    return m.unify(groups, m.list_from(cells))

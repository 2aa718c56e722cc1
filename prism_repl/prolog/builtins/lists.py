"""List predicates with one answer, where Python pays; the others are in library/lists.pl."""

from functools import cmp_to_key

from prism_repl.prolog.builtins.registry import builtin, helper


@builtin("list_to_set(+List:list, -Set) is det")
def list_to_set(m, cells, unique):
    """The elements without later ones that are identical (==) to an earlier one."""
    places = sorted(range(len(cells)), key=cmp_to_key(lambda i, j: m.compare(cells[i], cells[j])))
    kept = [i for k, i in enumerate(places) if k == 0 or m.compare(cells[places[k - 1]], cells[i]) != 0]
    return m.unify(unique, m.list_from([cells[i] for i in sorted(kept)]))


@helper("$skip_list", 3)
def skip_list(m, c, length, tail):
    """The number of elements of a list or partial list, and its tail."""
    cells, end = m.list_items(c)
    return m.unify(length, m.int_cell(len(cells))) and m.unify(tail, end)

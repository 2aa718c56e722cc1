"""Helpers of foreach/N, list comprehensions and arrays (library/loops.pl)."""

from prism_repl.core.cells import ATM, INT, REF
from prism_repl.core.errors import PrologError, domain_error, instantiation_error, type_error
from prism_repl.prolog.arithmetic import array_length, evaluate, list_place
from prism_repl.prolog.builtins.arguments import assign, compound_items, items
from prism_repl.prolog.builtins.registry import helper
from prism_repl.prolog.builtins.types import integer


class Template:
    """A term in which all that is not local to the loop has become a hole.

    `local` are the variables of the patterns, `accumulators` pairs (name cell, (before, after)).
    """

    def __init__(self, m, local, accumulators):
        self.m = m
        self.local = set(local)
        self.accumulators = accumulators
        self.holes = []
        self.values = []
        self.hole_of = {}

    def accumulator(self, c):
        """The variable that stands for S^0 or S^1, if c is one of these."""
        found = compound_items(self.m, c, "^", 2)
        if found and found[1] & 7 == INT and self.m.int_value(found[1]) in (0, 1):
            for name, places in self.accumulators:
                if self.m.compare(found[0], name) == 0:
                    return places[self.m.int_value(found[1])]
        return None

    def hole(self, c):
        if c not in self.hole_of:
            self.hole_of[c] = self.m.new_var()
            self.holes.append(self.hole_of[c])
            self.values.append(c)
        return self.hole_of[c]

    def skeleton(self, root):
        """The term with holes: subterms are rebuilt, bottom up, if they contain something local."""
        m = self.m
        built: dict[int, int] = {}
        met = set()
        stack = [(root, False)]
        while stack:
            c, ready = stack.pop()
            args = [m.arg(c, i) for i in range(m.arity_of(c))] if m.is_compound(c) else []
            if ready:
                if any(x in self.local or x in built or self.accumulator(x) is not None for x in args):
                    built[c] = m.new_struct(m.functor_of(c), [self.part(x, built) for x in args])
            elif c not in met and args and self.accumulator(c) is None:
                met.add(c)
                stack.append((c, True))
                stack.extend((x, False) for x in args if m.is_compound(x))
        return self.part(root, built)

    def part(self, c, built):
        if c in built:
            return built[c]
        place = self.accumulator(c)
        if place is not None:
            return place
        if c in self.local or self.m.is_atomic(c):
            return c
        return self.hole(c)


@helper("$loop_template", 5)
def loop_template(m, iterators, locals_list, names, goal, template):
    """t(Holes,Values,Domains,Before,After,Goal): see '$loop'/6."""
    pairs = items(m, iterators)
    patterns = [m.arg(p, 0) for p in pairs]
    local = m.term_vars(m.list_from([*patterns, locals_list]))
    accumulators = [(name, (m.new_var(), m.new_var())) for name in items(m, names)]
    before = [places[0] for _, places in accumulators]
    after = [places[1] for _, places in accumulators]
    maker = Template(m, [*local, *before, *after], accumulators)
    domains = [maker.skeleton(m.arg(p, 1)) for p in pairs]
    body = maker.skeleton(goal)
    parts = [m.list_from(x) for x in (maker.holes, maker.values, domains, before, after)]
    return m.unify(template, m.struct("t", *parts, body))


# ---- arrays


def subscripts(m, c):
    return [evaluate(m, x) for x in items(m, c)]


def array_place(m, array, indices, whole):
    """(structure or list, place from 0) of an element."""
    if not indices:
        raise domain_error("non_empty_list", whole)
    for depth, index in enumerate(indices):
        if array & 7 == REF:
            raise instantiation_error()
        if not m.is_compound(array):
            raise type_error("array", array)
        n = integer(m, index)
        if m.is_list_cell(array) and index & 7 == INT:
            array, n = list_place(m, array, index), 1
        elif not 1 <= n <= m.arity_of(array):
            raise PrologError("domain_error", "array_subscript", index)
        if depth < len(indices) - 1:
            array = m.arg(array, n - 1)
    return array, n - 1


@helper("$array_value", 2, context=("@=", 2))
def array_value(m, term, value):
    """The element that A^[I,...] (also written A[I,...]) names; fails for other terms."""
    found = compound_items(m, term, "^", 2)
    if not found:
        return False
    array, where = found
    if where & 7 == ATM and m.atom_text(where) == "length" and array & 7 != REF:
        return m.unify(value, m.int_cell(array_length(m, array)))
    if not m.is_list_cell(where):
        return False
    holder, place = array_place(m, array, subscripts(m, where), where)
    return m.unify(value, m.arg(holder, place))


@helper("$array_assign", 4)
def array_assign(m, array, where, value, source):
    try:
        return assign_element(m, array, where, value)
    except PrologError as error:
        error.context = error.context or (m.atom_text(source), 2)
        raise


def assign_element(m, array, where, value):
    if not m.is_list_cell(where):
        raise type_error("list", where)
    holder, place = array_place(m, array, subscripts(m, where), where)
    assign(m, holder, place, value)
    return True

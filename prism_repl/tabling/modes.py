# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Mode-directed tabling: of the answers of a call only the best stay.

`:- table path(+,+,-,min)` says what each argument is: + an input; - (or first) an output; min, max, last,
lattice(P) an output that decides which answers stay; nt one that tables do not know. A call is told from
another by its inputs alone: outputs are free in the call that is run, and unified afterwards. Answers with
the same inputs form a group, of which as many stay as the declaration says (one, if it says nothing).

An answer that takes the place of another one comes to the end of the table's chain, so that branches that
read the table are run again, as for any new answer; the other one leaves the chain when enough have gathered.
A component is so repeated until nothing better appears, which makes cycles of the program harmless.
"""

import cython

from prism_repl.core.errors import PrologError
from prism_repl.core.queries import Query

# how the argument that decides does
FIRST, LAST, LATTICE, MIN, MAX = range(5)

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.comparison import compare
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.interning import instantiate, intern


class TableModes:
    """What a declaration says of a predicate: the places of its inputs, of its outputs, and of arguments that
    are not tabled; the place that decides (-1: none), and how; the predicate that joins two values there; how
    many answers stay."""

    def __init__(self, inputs, outputs, untabled, decider=-1, kind=FIRST, join="", limit=1):
        self.inputs = inputs
        self.outputs = outputs
        self.untabled = untabled
        self.decider = decider
        self.kind = kind
        self.join = join
        self.limit = limit


class Groups:
    """The answers of one table while it is being filled: those that stay, for each group, and those that have
    lost their place but are in the chain still."""

    def __init__(self):
        self.kept = {}
        self.beaten = set()


class ModedTables:
    """The predicates that were declared with modes, and those tables of them that are being filled. `caller`
    is the predicate '$moded_call'/2."""

    def __init__(self, caller):
        self.caller = caller
        self.modes = {}
        self.groups = {}
        self.untabled = {}

    def declare(self, p, modes):
        self.modes[p] = modes

    # ---- calls

    def table(self, m, tables, p):
        """The table of the call of p with arguments in x. If outputs are bound, 0: what is to be called
        instead is in `called` and x."""
        n: cython.longlong = tables.program.preds[p * PSIZE + P_ARITY]
        i: cython.longlong
        t: cython.longlong
        modes: TableModes = self.modes[p]
        for i in range(n):
            tables.stacks.x[i] = tables.terms.deref(tables.stacks.x[i])
        if not outputs_are_free(tables, modes, n):
            call_free(tables, modes, p, n)
            m.called = self.caller
            return 0
        if not modes.untabled:
            return tables.table_of(tables.call_key(p, n), p)
        passed = [tables.stacks.x[i] for i in modes.untabled]
        free_arguments(tables, modes.untabled)
        t = tables.table_of(tables.call_key(p, n), p)
        for k, i in enumerate(modes.untabled):
            tables.stacks.x[i] = passed[k]
        if tables.records[t * TB_SIZE + TB_STATUS] == TS_NEW:
            self.untabled[t] = [intern(tables.terms, c, True) for c in passed]
        return t

    def load_untabled(self, tables, t):
        """What the call of table t has in the arguments that are not tabled, into x."""
        i: cython.longlong
        modes: TableModes = self.modes[tables.records[t * TB_SIZE + TB_PRED]]
        for k, i in enumerate(modes.untabled):
            tables.stacks.x[i] = instantiate(tables.terms, self.untabled[t][k], [])
        return 0

    # ---- answers

    def answer(self, m, tables, t):
        """The goal of table t with the arguments in x is an answer: it stays if it is good enough."""
        p: cython.longlong = tables.records[t * TB_SIZE + TB_PRED]
        n: cython.longlong = tables.program.preds[p * PSIZE + P_ARITY]
        key: cython.longlong
        group: cython.longlong
        place: cython.longlong = -1
        modes: TableModes = self.modes[p]
        free_arguments(tables, modes.untabled)
        key = tables.call_key(p, n)
        if is_answer(tables, key, t):
            return 0
        if modes.kind >= MIN and tables.store.has_numbered_vars(
            tables.store.cells[(key >> 3) + 1 + modes.decider]
        ):
            raise PrologError("instantiation_error", context=user_name(tables, p))
        groups = self.groups.get(t)
        if groups is None:
            groups = self.groups[t] = Groups()
        group = group_of(tables, modes, p, n, key)
        kept = groups.kept.setdefault(group, [])
        if len(kept) == modes.limit:
            place = place_for(tables, modes, kept, tables.store.cells[(key >> 3) + 1 + modes.decider])
            if place < 0:
                return 0
            if modes.kind == LATTICE:
                key = joined_answer(m, tables, modes, p, n, key, value_of(tables, modes, kept[0]))
                if key == 0 or is_answer(tables, key, t):
                    return 0
        tables.answer_node(key, t)
        if place >= 0:
            groups.beaten.add(kept.pop(place))
        kept.append(tables.records[t * TB_SIZE + TB_LAST])
        if 2 * len(groups.beaten) >= tables.records[t * TB_SIZE + TB_COUNT]:
            leave_chain(tables, t, groups.beaten)
            groups.beaten.clear()
        return 0

    def complete(self, tables, t):
        """Nothing new can come to table t: what has lost its place goes, and of each group the best comes
        first."""
        modes: TableModes = self.modes[tables.records[t * TB_SIZE + TB_PRED]]
        groups = self.groups.pop(t, None)
        self.untabled.pop(t, None)
        if groups is None:
            return 0
        if modes.limit > 1 and (modes.kind == MIN or modes.kind == MAX):
            best = []
            for kept in groups.kept.values():
                best += best_first(tables, modes, kept)
            make_chain(tables, t, best)
        else:
            leave_chain(tables, t, groups.beaten)
        return 0

    def drop(self, t):
        """Table t is forgotten."""
        self.groups.pop(t, None)
        self.untabled.pop(t, None)

    def clear(self):
        """All tables are."""
        self.groups.clear()
        self.untabled.clear()


# ---- arguments


def outputs_are_free(tables, modes, n):
    """Whether the outputs of the call in x are distinct variables, which are no inputs either."""
    i: cython.longlong
    j: cython.longlong
    for i in modes.outputs:
        if tables.stacks.x[i] & 7 != REF:
            return False
        for j in range(n):
            if j != i and tables.stacks.x[j] == tables.stacks.x[i]:
                return False
    for j in modes.inputs:
        if tables.stacks.x[j] & 7 == LST or tables.stacks.x[j] & 7 == STR:
            ground: cython.longlong = intern(tables.terms, tables.stacks.x[j], False)
            if ground != 0:
                tables.stacks.x[j] = ground
                continue
            inside = tables.terms.term_vars(tables.stacks.x[j])
            for i in modes.outputs:
                if tables.stacks.x[i] in inside:
                    return False
    return True


def call_free(tables, modes, p, n):
    """Replace the call of p in x by the two arguments of '$moded_call': the goal with free outputs, and the
    goal as it is."""
    i: cython.longlong
    f: cython.longlong = tables.program.preds[p * PSIZE + P_FUNCTOR]
    tables.heap.room(2 * n + 8)
    h: cython.longlong = tables.heap.H
    tables.heap.H = h + 2 * (n + 1)
    tables.heap.cells[h] = f << 3 | INT
    tables.heap.cells[h + n + 1] = f << 3 | INT
    for i in range(n):
        tables.heap.cells[h + 1 + i] = tables.stacks.x[i]
        tables.heap.cells[h + n + 2 + i] = tables.stacks.x[i]
    for i in modes.outputs:
        tables.heap.cells[h + 1 + i] = (h + 1 + i) << 3 | REF
    tables.stacks.x_room(2)
    tables.stacks.x[0] = h << 3 | STR
    tables.stacks.x[1] = (h + n + 1) << 3 | STR
    return 0


def free_arguments(tables, places):
    """Some arguments in x become new variables."""
    i: cython.longlong
    tables.heap.room(len(places) + 8)
    for i in places:
        tables.heap.cells[tables.heap.H] = tables.heap.H << 3 | REF
        tables.stacks.x[i] = tables.heap.H << 3 | REF
        tables.heap.H += 1
    return 0


def user_name(tables, p):
    """The name and arity of a predicate, for errors."""
    f: cython.longlong = tables.program.preds[p * PSIZE + P_FUNCTOR]
    return tables.symbols.atom_text(tables.symbols.functor_name[f]), tables.symbols.functor_arity[f]


# ---- groups


def is_answer(tables, key, t):
    """Whether a goal is an answer of table t, or was one before a better one came."""
    node: cython.longlong = tables.first_node(key)
    while node != 0:
        if tables.nodes[node * ND_SIZE + ND_OWNER] == t:
            return True
        node = tables.nodes[node * ND_SIZE + ND_SAME]
    return False


def group_of(tables, modes, p, n, key):
    """What the answers with the same inputs have in common: a stored goal."""
    i: cython.longlong
    term: cython.longlong = instantiate(tables.terms, key, [])
    for i in range(n):
        tables.stacks.x[i] = tables.terms.arg(term, i)
    for i in modes.outputs:
        tables.stacks.x[i] = tables.symbols.nil
    return tables.call_key(p, n)


def value_of(tables, modes, a):
    """What answer a has in the argument that decides."""
    word: cython.longlong = tables.nodes[tables.answers[a * AN_SIZE + AN_NODE] * ND_SIZE + ND_TERM]
    return tables.store.cells[word + 1 + modes.decider]


def place_for(tables, modes, kept, value):
    """The place among the answers of a full group that one with this value takes; -1: none."""
    i: cython.longlong
    worst: cython.longlong = 0
    if modes.kind == FIRST:
        return -1
    if modes.kind == LAST or modes.kind == LATTICE:
        return 0
    for i in range(1, len(kept)):
        if not is_better(
            tables, modes, value_of(tables, modes, kept[i]), value_of(tables, modes, kept[worst])
        ):
            worst = i
    return worst if is_better(tables, modes, value, value_of(tables, modes, kept[worst])) else -1


def is_better(tables, modes, a, b):
    """Whether a value is better than another one: less or greater, as numbers if they are such, else in the
    standard order."""
    if modes.kind == MAX:
        a, b = b, a
    if tables.terms.is_number(a) and tables.terms.is_number(b):
        return tables.terms.number_value(a) < tables.terms.number_value(b)
    return compare(tables.terms, a, b) < 0


def best_first(tables, modes, kept):
    """Sort the answers of a group by their values; they are few."""
    i: cython.longlong
    a: cython.longlong
    found = []
    for a in kept:
        i = len(found)
        while i > 0 and is_better(
            tables, modes, value_of(tables, modes, a), value_of(tables, modes, found[i - 1])
        ):
            i -= 1
        found.insert(i, a)
    return found


def joined_answer(m, tables, modes, p, n, key, old):
    """The answer like this one whose value is what the program makes of the old value and its own; 0 if it
    makes nothing of them."""
    i: cython.longlong
    value: cython.longlong = tables.terms.new_var()
    goal: cython.longlong = tables.terms.struct(
        modes.join, old, tables.store.cells[(key >> 3) + 1 + modes.decider], value
    )
    hidden = m.tabling.begin_nested(False)
    query = Query(m, goal)
    try:
        if not query.next():
            return 0
        value = intern(tables.terms, value, False)
    finally:
        query.close()
        m.tabling.end_nested(hidden)
    if value == 0:
        raise PrologError("instantiation_error", context=(modes.join, 3))
    goal = instantiate(tables.terms, key, [])
    for i in range(n):
        tables.stacks.x[i] = tables.terms.arg(goal, i)
    tables.stacks.x[modes.decider] = value
    return tables.call_key(p, n)


# ---- chains of answers


def leave_chain(tables, t, beaten):
    """Some answers leave the chain of table t. They still lead to those after them,
    for who has read so far."""
    a: cython.longlong = tables.records[t * TB_SIZE + TB_FIRST]
    stay = []
    while a != 0:
        if a not in beaten:
            stay.append(a)
        a = tables.answers[a * AN_SIZE + AN_NEXT]
    return make_chain(tables, t, stay)


def make_chain(tables, t, stay):
    """These are the answers of table t, in this order."""
    a: cython.longlong
    last: cython.longlong = 0
    q: cython.longlong = t * TB_SIZE
    tables.records[q + TB_FIRST] = stay[0]
    for a in stay:
        if last != 0:
            tables.answers[last * AN_SIZE + AN_NEXT] = a
        last = a
    tables.answers[last * AN_SIZE + AN_NEXT] = 0
    tables.records[q + TB_LAST] = last
    tables.records[q + TB_COUNT] = len(stay)
    return 0

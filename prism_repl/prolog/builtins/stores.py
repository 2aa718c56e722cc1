"""Places to keep terms in: global variables, hash tables, arrays.

Hash tables and arrays are heap terms that are changed with set_arg: changes are undone on
backtracking, and variables in them stay shared.
"""

from prism_repl.core.cells import ATM, INT, REF
from prism_repl.core.errors import (
    domain_error,
    existence_error,
    instantiation_error,
    permission_error,
    resource_error,
    type_error,
)
from prism_repl.prolog.builtins.arguments import assign, compound_items, items
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.builtins.types import TYPES, Type, integer

# ---- global variables: copies that survive backtracking


def global_key(m, c):
    return m.atom_text(c) if c & 7 == ATM else m.number_value(c)


@builtin("nb_setval(+Name:atomic, +Value) is det")
@builtin("global_set(+Name:atomic, +Value) is det")
def nb_setval(m, key, value):
    m.state.setdefault("globals", {})[global_key(m, key)] = m.freeze(value)
    return True


@builtin("nb_getval(+Name:atomic, -Value) is det")
@builtin("global_get(+Name:atomic, -Value) is det")
def nb_getval(m, key, value):
    record = m.state.get("globals", {}).get(global_key(m, key))
    if record is None:
        raise existence_error("variable", key)
    return m.unify(value, m.thaw(record))


@builtin("global_set(+Name:atomic, +Arity:integer, +Value) is det")
def global_set(m, name, arity, value):
    """B-Prolog: a global variable is known by name and arity."""
    m.state.setdefault("globals", {})[global_key(m, name), arity] = m.freeze(value)
    return True


@builtin("global_get(+Name:atomic, +Arity:integer, -Value) is det")
def global_get(m, name, arity, value):
    record = m.state.get("globals", {}).get((global_key(m, name), arity))
    if record is None:
        raise existence_error("variable", name)
    return m.unify(value, m.thaw(record))


@builtin("is_global(+Name:atomic) is semidet")
def is_global(m, key):
    return global_key(m, key) in m.state.get("globals", {})


@builtin("global_del(+Name:atomic) is det")
def global_del(m, key):
    m.state.get("globals", {}).pop(global_key(m, key), None)
    return True


# ---- global variables whose changes are undone on backtracking: a list of Key-Value in a term at the
# bottom of the heap, which the library's loader made


def backtrackable(m):
    return m.state["b_globals"]


@builtin("b_setval(+Name:atomic, +Value) is det")
def b_setval(m, key, value):
    name = global_key(m, key)
    pairs = items(m, m.arg(backtrackable(m), 0))
    others = [p for p in pairs if global_key(m, m.arg(p, 0)) != name]
    m.set_arg(backtrackable(m), 0, m.list_from([m.struct("-", key, value), *others]))
    return True


@builtin("b_getval(+Name:atomic, -Value) is det")
def b_getval(m, key, value):
    """The value of b_setval/2, or that of nb_setval/2."""
    name = global_key(m, key)
    for pair in items(m, m.arg(backtrackable(m), 0)):
        if global_key(m, m.arg(pair, 0)) == name:
            return m.unify(value, m.arg(pair, 1))
    return nb_getval(m, key, value)


@builtin("nb_setarg(+N:integer, +Term:compound, +Value) is semidet")
def nb_setarg(m, n, term, value):
    """Assignment of a copy that backtracking does not undo."""
    if not 1 <= n <= m.arity_of(term):
        return False
    if value & 7 not in (ATM, INT):
        value = m.copy(value)
        if term >> 3 < m.heap.floor:
            # the query that the term belongs to goes on when this one has failed and dropped the copy
            raise permission_error("modify", "shared_term", term)
    assign(m, term, n - 1, value)
    m.heap.TR -= 2  # the old value
    m.stacks.keep_heap()
    return True


# ---- hash tables: '$hashtable'(table(Count,buckets([Key=Value,...],...)))


def hash_of(m, key):
    """A hash of the term; 0 for terms with variables, which therefore share a bucket. Integers are their own,
    so that they are listed in order while there are fewer than buckets."""
    if key & 7 == ATM:
        return key >> 3
    if m.is_integer(key):
        return abs(m.int_value(key))
    if not m.is_ground(key):
        return 0
    if not m.is_acyclic(key):
        raise type_error("acyclic_term", key)
    h = 17
    stack = [key]
    steps = 0
    while stack and steps < 1000:  # a part will do: shared parts make large trees of small terms
        steps += 1
        c = stack.pop()
        if c & 7 == ATM:
            part = c
        elif m.is_number(c):
            part = hash((m.is_float(c), m.number_value(c)))
        else:
            part = m.functor_of(c)
            stack.extend(m.arg(c, i) for i in range(m.arity_of(c)))
        h = (h * 31 + part) & 0xFFFFFFFFFFFF
    return h ^ (h >> 21)


def hashtable(m, c):
    """The cell of table(Count,Buckets) in a hash table."""
    if c & 7 == REF:
        raise instantiation_error()
    found = compound_items(m, c, "$hashtable", 1)
    parts = compound_items(m, found[0], "table", 2) if found else None
    if not parts or not m.is_integer(parts[0]) or not is_buckets(m, parts[1]):
        raise type_error("hashtable", c)
    return found[0]


TYPES["hashtable"] = Type(hashtable)


def is_buckets(m, c):
    return m.is_compound(c) and m.atom_text(m.name_of(c)) == "buckets"


def bucket(m, inner, at):
    """The cells of the pairs Key=Value in a bucket."""
    found = [m.deref(pair) for pair in m.list_items(m.arg(m.arg(inner, 1), at))[0]]
    for pair in found:
        if compound_items(m, pair, "=", 2) is None:
            raise type_error("pair", pair)
    return found


def empty_buckets(m, n):
    return m.new_struct(m.functor(m.atom("buckets"), n), [m.nil] * n)


@builtin("new_hashtable(-Table, +Size:nonneg) is det")
def new_hashtable2(m, table, n):
    if n > 1 << 28:
        raise resource_error("memory")
    return m.unify(
        table, m.struct("$hashtable", m.struct("table", m.int_cell(0), empty_buckets(m, max(n, 1))))
    )


@builtin("new_hashtable(-Table) is det")
def new_hashtable1(m, table):
    return new_hashtable2(m, table, 16)


def find_pair(m, inner, key):
    """(bucket number, the cell of Key=Value or None)"""
    buckets = m.arg(inner, 1)
    at = hash_of(m, key) % m.arity_of(buckets)
    for pair in bucket(m, inner, at):
        if m.compare(m.arg(pair, 0), key) == 0:
            return at, pair
    return at, None


def pairs_of(m, inner):
    buckets = m.arg(inner, 1)
    found = []
    for i in range(m.arity_of(buckets)):
        found += bucket(m, inner, i)
    return found


def insert(m, inner, at, key, value):
    buckets = m.arg(inner, 1)
    n = m.arity_of(buckets)
    count = m.int_value(m.arg(inner, 0)) + 1
    assign(m, inner, 0, m.int_cell(count))
    assign(m, buckets, at, m.cons(m.struct("=", key, value), m.arg(buckets, at)))
    if count > 2 * n:
        lists: list[list[int]] = [[] for _ in range(4 * n)]
        for pair in pairs_of(m, inner):
            lists[hash_of(m, m.arg(pair, 0)) % (4 * n)].append(pair)
        cells = [m.list_from(x) for x in lists]
        assign(m, inner, 1, m.new_struct(m.functor(m.atom("buckets"), 4 * n), cells))


@builtin("hashtable_put(+Table:hashtable, +Key, +Value) is det")
def hashtable_put(m, inner, key, value):
    at, pair = find_pair(m, inner, key)
    if pair is None:
        insert(m, inner, at, key, value)
    else:
        assign(m, pair, 1, value)
    return True


@builtin("hashtable_get(+Table:hashtable, @Key, -Value) is semidet")
def hashtable_get(m, inner, key, value):
    pair = find_pair(m, inner, key)[1]
    return pair is not None and m.unify(value, m.arg(pair, 1))


@builtin("hashtable_register(+Table:hashtable, @Key, ?Value) is semidet")
def hashtable_register(m, inner, key, value):
    """Unify with the value that is there, or put this one."""
    at, pair = find_pair(m, inner, key)
    if pair is not None:
        return m.unify(value, m.arg(pair, 1))
    insert(m, inner, at, key, value)
    return True


@builtin("hashtable_size(+Table:hashtable, -N) is det")
def hashtable_size(m, inner, size):
    return m.unify(size, m.arg(inner, 0))


@builtin("hashtable_to_list(+Table:hashtable, -Pairs) is det")
def hashtable_to_list(m, inner, pairs):
    return m.unify(pairs, m.list_from(pairs_of(m, inner)))


@builtin("hashtable_keys_to_list(+Table:hashtable, -Keys) is det")
def hashtable_keys_to_list(m, inner, keys):
    return m.unify(keys, m.list_from([m.arg(p, 0) for p in pairs_of(m, inner)]))


@builtin("hashtable_values_to_list(+Table:hashtable, -Values) is det")
def hashtable_values_to_list(m, inner, values):
    return m.unify(values, m.list_from([m.arg(p, 1) for p in pairs_of(m, inner)]))


# ---- arrays: structures with the functor '[]', nested for more dimensions


@builtin("new_array(-Array, +Dimensions:list) is det")
def new_array(m, array, sizes):
    """new_array(A,[2,3]): 2 rows of 3 variables."""
    numbers = [integer(m, c) for c in sizes]
    if not numbers:
        raise domain_error("non_empty_list", m.nil)
    total = 1
    for n, c in zip(numbers, sizes, strict=True):
        if n < 1:
            raise domain_error("greater_than_zero", c)
        total *= n
        if total > 1 << 28:
            raise resource_error("memory")
    level = [m.new_var() for _ in range(total)]
    for n in reversed(numbers):
        f = m.functor(m.nil, n)
        level = [m.new_struct(f, level[i : i + n]) for i in range(0, len(level), n)]
    return m.unify(array, level[0])


# ---- big arrays of PRISM: '$bigarray'(Size,array(...)), counted from 1


def bigarray(m, c):
    if c & 7 == REF:
        raise instantiation_error()
    parts = compound_items(m, c, "$bigarray", 2)
    if not parts or not m.is_integer(parts[0]):
        raise type_error("bigarray", c)
    if m.int_value(parts[0]) != (m.arity_of(parts[1]) if m.is_compound(parts[1]) else 0):
        raise type_error("bigarray", c)
    return c


TYPES["bigarray"] = Type(bigarray)


def make_bigarray(m, cells):
    array = m.atom("array")
    if cells:
        array = m.new_struct(m.functor(array, len(cells)), cells)
    return m.new_struct(m.functor(m.atom("$bigarray"), 2), [m.int_cell(len(cells)), array])


@builtin("new_bigarray(-Array, +Size:positive_integer) is det")
def new_bigarray(m, array, n):
    if n > 1 << 28:
        raise resource_error("memory")
    return m.unify(array, make_bigarray(m, [m.new_var() for _ in range(n)]))


@builtin("bigarray_length(+Array:bigarray, -N) is det")
def bigarray_length(m, array, length):
    return m.unify(length, m.arg(array, 0))


def check_index(m, array, index):
    if not 1 <= index <= m.int_value(m.arg(array, 0)):
        raise domain_error("bigarray_index", m.int_cell(index))


@builtin("bigarray_get(+Array:bigarray, +I:integer, -X) is det")
def bigarray_get(m, array, index, value):
    check_index(m, array, index)
    return m.unify(value, m.arg(m.arg(array, 1), index - 1))


@builtin("bigarray_put(+Array:bigarray, +I:integer, +X) is det")
def bigarray_put(m, array, index, value):
    check_index(m, array, index)
    assign(m, m.arg(array, 1), index - 1, value)
    return True


@builtin("list_to_bigarray(+List:list, -Array) is det")
def list_to_bigarray(m, cells, array):
    return m.unify(array, make_bigarray(m, cells))


@builtin("bigarray_to_list(+Array:bigarray, -List) is det")
def bigarray_to_list(m, array, c):
    cells = m.arg(array, 1)
    return m.unify(c, m.list_from([m.arg(cells, i) for i in range(m.int_value(m.arg(array, 0)))]))

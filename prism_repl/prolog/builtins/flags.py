"""Prolog flags, operators, halt, statistics, date and time."""

import datetime
import resource
import sys
import time

from prism_repl.core.cells import ATM, REF
from prism_repl.core.collector import Collector
from prism_repl.core.errors import (
    PrologHalt,
    domain_error,
    instantiation_error,
    permission_error,
    type_error,
)
from prism_repl.prolog.builtins.arguments import items
from prism_repl.prolog.builtins.registry import builtin, helper
from prism_repl.prolog.builtins.types import atom, integer
from prism_repl.prolog.occurs_check import set_occurs_check
from prism_repl.prolog.operators import check_op

# ---- flags: name -> (default, allowed values); None: read only; int: any integer that is not negative

FLAGS: dict[str, tuple[str | int, tuple[str, ...] | type | None]] = {
    "bounded": ("false", None),
    "max_integer": ((1 << 63) - 1, None),
    "min_integer": (-(1 << 63), None),
    "integer_rounding_function": ("toward_zero", None),
    "max_arity": ("unbounded", None),
    "char_conversion": ("off", ("off",)),
    "debug": ("off", ("off",)),
    "unknown": ("error", ("error", "fail", "warning")),
    "double_quotes": ("codes", ("codes", "chars", "atom")),
    "back_quotes": ("codes", ("codes", "chars", "atom")),
    "occurs_check": ("false", ("false", "true", "error")),
    "singleton": ("on", ("on", "off")),  # warn of variables that occur once
    "contiguous_warning": ("on", ("on", "off")),
    "redefine_builtin": ("off", ("on", "off")),  # a program's clauses replace library predicates
    "gc": ("on", ("on", "off")),
    "float_format": ("short", ("short", "full")),
    "float_overflow": ("infinity", ("infinity", "error")),
    "float_undefined": ("nan", ("nan", "error")),
    "stack_limit": (0, int),  # bytes that each stack may grow to; kept as heap.limit
    "max_tagged_integer": ((1 << 60) - 1, None),
    "min_tagged_integer": (-(1 << 60), None),
    "dialect": ("prism", None),
}


def default_flags() -> dict[str, str | int]:
    """The flags of a new machine."""
    return {name: default for name, (default, _) in FLAGS.items()}


def flag_value(m, name):
    """The cell of a flag's value."""
    value = m.prolog_flags.get(name, FLAGS[name][0] if name in FLAGS else None)
    if name == "stack_limit":
        value = 8 * m.heap.limit
    return m.int_cell(value) if isinstance(value, int) else m.atom(value)


def set_stack_limit(m, size):
    """Let each stack grow to so many bytes; False if that is less than what is in use, or than 8 MB."""
    words = size // 8
    if words < 1 << 20 or words < 2 * m.heap.H or words > 1 << 40:
        return False
    m.heap.limit = words
    m.heap.gc_threshold = min(m.heap.gc_threshold, words // 2)
    return True


@builtin("set_prolog_flag(+Flag, +Value) is det, protected")
def set_prolog_flag(m, flag, value):
    if flag & 7 == REF or value & 7 == REF:
        raise instantiation_error()
    name = atom(m, flag)
    if name not in FLAGS:
        raise domain_error("prolog_flag", flag)
    allowed = FLAGS[name][1]
    pair = m.struct("+", flag, value)
    if allowed is int:
        if not m.is_integer(value) or m.int_value(value) < 0:
            raise domain_error("flag_value", pair)
        number = m.int_value(value)
        if name == "stack_limit":
            if not set_stack_limit(m, number):
                raise domain_error("flag_value", pair)
        else:
            m.prolog_flags[name] = number
        return True
    if allowed is None:
        if m.compare(value, flag_value(m, name)) != 0:
            raise permission_error("modify", "flag", flag)
        return True
    if value & 7 != ATM or not isinstance(allowed, tuple) or m.atom_text(value) not in allowed:
        raise domain_error("flag_value", pair)
    m.prolog_flags[name] = m.atom_text(value)
    if name == "occurs_check":
        set_occurs_check(m, m.atom_text(value))
    if name == "gc":
        m.collector = Collector() if m.atom_text(value) == "on" else None
    return True


@helper("$flags", 2, context=("current_prolog_flag", 2))
def flags(m, flag, pairs):
    """[Name-Value,...] for current_prolog_flag/2, after its argument check."""
    if flag & 7 != REF:
        name = atom(m, flag)
        if name not in FLAGS and name not in m.prolog_flags:
            raise domain_error("prolog_flag", flag)
        names = [name]
    else:
        names = list(FLAGS) + [name for name in m.prolog_flags if name not in FLAGS]
    return m.unify(pairs, m.list_from([m.struct("-", m.atom(n), flag_value(m, n)) for n in names]))


# ---- operators


@builtin("op(+Priority, +Type, +Name) is det, protected")
def op(m, priority, kind, names):
    if priority & 7 == REF or kind & 7 == REF or names & 7 == REF:
        raise instantiation_error()
    level = integer(m, priority)
    if kind & 7 != ATM:
        raise type_error("atom", kind)
    specifier = m.atom_text(kind)
    if names == m.nil or not m.is_list_cell(names):
        cells = [names]
    else:
        cells = items(m, names)
    texts = []
    for c in cells:
        if c & 7 == REF:
            raise instantiation_error()
        if c & 7 != ATM:
            raise type_error("list" if c == names else "atom", c)
        texts.append(m.atom_text(c))
    for text in texts:
        check_op(m, level, specifier, text)
    for text in texts:
        m.operators.add(level, specifier, text)
    return True


@helper("$ops", 4, context=("current_op", 3))
def ops(m, priority, kind, name, found):
    """[op(P,T,N),...] for current_op/3, after its argument checks."""
    if priority & 7 != REF and (not m.is_integer(priority) or not 0 <= m.int_value(priority) <= 1200):
        raise domain_error("operator_priority", priority)
    specifiers = ("xfx", "xfy", "yfx", "fx", "fy", "xf", "yf")
    if kind & 7 != REF and (kind & 7 != ATM or m.atom_text(kind) not in specifiers):
        raise domain_error("operator_specifier", kind)
    if name & 7 != REF and name & 7 != ATM:
        raise type_error("atom", name)
    wanted = None if name & 7 == REF else m.atom_text(name)
    cells = [
        m.struct("op", m.int_cell(p), m.atom(t), m.atom(n))
        for p, t, n in m.operators.all()
        if wanted is None or n == wanted
    ]
    return m.unify(found, m.list_from(cells))


# ---- the end


@builtin("halt is det, protected")
def halt(m):
    raise PrologHalt(0)


@builtin("halt(+Status:integer) is det, protected")
def halt1(m, status):
    raise PrologHalt(status)


# ---- statistics and time


def cpu_milliseconds():
    return int(time.process_time() * 1000)


def wall_milliseconds():
    return int(time.monotonic() * 1000)


def since_last(m, key, now):
    """[Now, Since the last call]"""
    last = m.state.setdefault("statistics", {})
    before = last.get(key, now if key == "walltime" else 0)
    last[key] = now
    return [now, now - before]


def memory_bytes():
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used * 1024


def heap_figures(m):
    """Words in use on the heap and words that may still be used."""
    return [m.heap.H * 8, (m.heap.size - m.heap.H) * 8]


STATISTICS = {
    "runtime": lambda m: since_last(m, "runtime", cpu_milliseconds()),
    "process_time": lambda m: since_last(m, "process_time", cpu_milliseconds()),
    "cputime": lambda m: cpu_milliseconds(),
    "system_time": lambda m: since_last(m, "system_time", cpu_milliseconds()),
    "walltime": lambda m: since_last(m, "walltime", wall_milliseconds()),
    "real_time": lambda m: since_last(m, "real_time", int(time.time())),
    "inferences": lambda m: m.call_count(),
    "memory": lambda m: [memory_bytes(), 0],
    "global_stack": heap_figures,
    "heap": heap_figures,
    "trail": lambda m: [m.heap.TR * 8, (m.heap.trail_size - m.heap.TR) * 8],
    "atoms": lambda m: len(m.symbols.atom_texts),
}


@builtin("statistics(+Name:atom, -Value) is det")
def statistics(m, name, value):
    if name not in STATISTICS:
        raise domain_error("statistics_key", m.atom(name))
    figures = STATISTICS[name](m)
    if isinstance(figures, list):
        return m.unify(value, m.list_from([m.int_cell(n) for n in figures]))
    return m.unify(value, m.int_cell(figures))


@helper("$statistics_keys", 1)
def statistics_keys(m, keys):
    return m.unify(keys, m.list_from([m.atom(name) for name in STATISTICS]))


@builtin("statistics is det")
def statistics0(m):
    lines = [
        f"CPU time:   {time.process_time():.3f} s",
        f"Memory:     {memory_bytes() // 1024} kB at most",
        f"Heap:       {m.heap.H * 8} bytes in use, {m.heap.size * 8} allocated",
        f"Trail:      {m.heap.TR * 8} bytes in use, {m.heap.trail_size * 8} allocated",
        f"Atoms:      {len(m.symbols.atom_texts)}",
    ]
    m.streams.current_output.write("\n".join(lines) + "\n")
    return True


@builtin("garbage_collect is det")
def garbage_collect(m):
    """The machine collects at its next call."""
    m.heap.gc_threshold = min(m.heap.gc_threshold, m.heap.H)
    return True


@builtin("cputime(-Milliseconds) is det")
def cputime(m, value):
    return m.unify(value, m.int_cell(cpu_milliseconds()))


@builtin("date(-Year, -Month, -Day) is det")
def date(m, year, month, day):
    today = datetime.date.today()
    return (
        m.unify(year, m.int_cell(today.year))
        and m.unify(month, m.int_cell(today.month))
        and m.unify(day, m.int_cell(today.day))
    )


@builtin("time(-Hour, -Minute, -Second) is det")
def clock(m, hour, minute, second):
    now = datetime.datetime.now()
    return (
        m.unify(hour, m.int_cell(now.hour))
        and m.unify(minute, m.int_cell(now.minute))
        and m.unify(second, m.int_cell(now.second))
    )


@builtin("get_time(-Seconds) is det")
def get_time(m, seconds):
    return m.unify(seconds, m.float_cell(time.time()))

"""Random switches: outcomes, parameters, hyperparameters, fixed or not.

A switch has a number; its outcomes have consecutive instance ids, from `base` on. Numbers and
instance ids are given out in order of registration and never change while a program is
loaded, so an explanation graph can refer to them. If the outcome space of a switch changes, the switch
gets a new number, and the old one stays behind unused.
"""

import contextlib
import functools
import itertools
import struct
from array import array
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from prism_repl.arrays import Array, np
from prism_repl.core.cells import ATM, BOX, INT, REF, STR
from prism_repl.core.errors import (
    PrologError,
    PrologThrow,
    domain_error,
    existence_error,
    instantiation_error,
    resource_error,
    type_error,
)
from prism_repl.model import distributions
from prism_repl.model.messages import prism_error, prism_warning, runtime_error

if TYPE_CHECKING:
    from prism_repl.model.state import ProbState

Key = tuple[Any, ...]
Kept = Any  # an atomic cell as it is, or the Record of any other term
Numbers = list[Any]
CYCLE_SUSPECTED = 10_000  # terms of this size are looked at for a cycle


def key_of(m: Any, c: int) -> Key:
    """A value that is equal for variants (so for equal ground terms), at any time: the term in
    prefix order, its variables numbered."""
    root = c
    tokens: list[Any] = []
    variables: dict[int, str] = {}
    work = [c]
    while work:
        c = m.deref(work.pop())
        if c & 7 == ATM or c & 7 == INT:
            tokens.append(c)
        elif c & 7 == BOX:
            tokens.append(struct.pack("<d", m.float_value(c)) if m.is_float(c) else f"{m.int_value(c):x}")
        elif c & 7 == REF:
            tokens.append(variables.setdefault(c, f"_{len(variables)}"))
        else:
            tokens.append(m.functor_of(c) << 3 | STR)
            if len(tokens) == CYCLE_SUSPECTED and not m.is_acyclic(root):
                raise type_error("acyclic_term", root)
            if (
                len(tokens) > CYCLE_SUSPECTED + m.heap.H + m.store.top
            ):  # parts are shared: far larger as a tree
                raise resource_error("memory")
            work.extend(m.arg(c, i) for i in range(m.arity_of(c) - 1, -1, -1))
    return tuple(tokens)


def values_key(m: Any, name: int) -> int:
    """By which '$values'/3 finds the declarations of a name: an atomic name itself, a number for another
    ground name, a variable for the rest."""
    if m.is_atomic(name):
        return name
    return m.int_cell(hash(key_of(m, name)) & 0xFFFFFFFFFF) if m.is_ground(name) else m.new_var()


def keep(m: Any, c: int) -> Kept:
    """A term in a form that outlives the query."""
    return c if c & 7 == ATM or c & 7 == INT else m.freeze(c)


def fetch(m: Any, kept: Kept) -> int:
    """The cell of a kept term."""
    return kept if isinstance(kept, int) else m.thaw(kept)


class Switch:
    """One registered switch. Parameters or hyperparameters may be None: not given yet."""

    def __init__(self, key: Key, name: Kept, outcomes: list[Kept], keys: Key, computed: bool) -> None:
        self.number = self.base = -1  # until it is registered
        self.key = key
        self.name = name
        self.outcomes = outcomes
        self.outcome_keys = keys
        self.computed = computed  # a declaration with a body gives the outcomes: they may change
        self.index = {k: i for i, k in reversed(list(enumerate(keys)))}
        self.size = len(outcomes)
        self.parameters: Numbers | None = None
        self.alphas: Numbers | None = None
        self.deltas: Numbers | None = None
        self.fixed = False
        self.fixed_h = False
        self.expectations: tuple[str, Numbers] | None = None  # ("ml" or "vb", one per outcome)
        self.cumulated: list[float] | None = None  # running sums of the parameters, for drawing
        self.total = 0.0  # their sum
        self.set_at = self.set_h_at = 0  # when set last: listings without order go by it

    def status(self) -> str:
        return "fixed" if self.fixed else "unfixed"

    def status_h(self) -> str:
        return "fixed" if self.fixed_h else "unfixed"

    def outcome_cells(self, m: Any) -> list[int]:
        return [fetch(m, kept) for kept in self.outcomes]


class Switches:
    """All registered switches of the loaded program."""

    def __init__(self, state: "ProbState") -> None:
        self.state = state
        self.comparing = False  # outcomes are compared with the declarations
        self.clear()

    def clear(self) -> None:
        """Forget every switch: a program is being loaded."""
        self.all: list[Switch] = []
        self.at_base: dict[int, Switch] = {}
        self.by_key: dict[Key, Switch] = {}
        self.outside: dict[tuple[Key, Key], Switch] = {}
        self.instances = 0
        self.clock = itertools.count(1)
        # What ranges() and parameters() give: kept up to date, as there may be many switches.
        self.bases = array("i", [0])
        self.by_instance = array("d")

    def doubt_outcomes(self) -> None:
        """Compare outcomes with the declarations at every use: another program is being loaded."""
        for switch in self.by_key.values():
            switch.computed = True

    def __len__(self) -> int:
        return len(self.all)

    def __getitem__(self, number: int) -> Switch:
        return self.all[number]

    # ---- finding and registering

    def find(self, m: Any, name: int) -> Switch | None:
        """The registered switch of this ground name."""
        return self.by_key.get(key_of(m, name))

    def declared_outcomes(self, m: Any, name: int, source: tuple[str, int] | None) -> list[int]:
        """The outcome cells that the program declares; PRISM's errors if there are none."""
        if not m.is_ground(name):
            raise prism_error(m, "0101", instantiation_error(), name, source=source)
        values = self.state.get_values(name)
        if values is None:
            formal = existence_error("outcome", name)
            if not self.state.has_declarations():
                formal = PrologError("msw_declaration_not_found")
            raise prism_error(m, "0102", formal, name, source=source)
        return values

    def declared(self, m: Any, name: int, source: tuple[str, int] | None = None) -> Switch:
        """The switch of a ground name, with the outcomes that the program declares now. If it is
        not registered (with these outcomes), a new one: storing numbers in it registers it."""
        key = key_of(m, name)
        switch = self.by_key.get(key)
        if switch is not None and not switch.computed:
            return switch
        values = self.declared_outcomes(m, name, source)
        if not values:
            zero = m.int_cell(0)
            raise prism_error(m, "0204", domain_error("greater_than_zero", zero), zero, source=source)
        if switch is not None and switch.outcomes == values:  # atomic outcomes, compared at once
            return switch
        keys = tuple(key_of(m, v) for v in values)
        if switch is not None and switch.outcome_keys == keys:
            return switch
        if switch is not None:
            self.refuse_change(m, switch, name, source)
        computed = self.state.computes_values(name)
        return Switch(key, keep(m, name), [keep(m, v) for v in values], keys, computed)

    def outdated(self, m: Any) -> bool:
        """Whether some registered switch has other outcomes than the program computes for it now. What the
        program searches in order to compute them trusts no table that is there."""
        if self.comparing:
            return True
        self.comparing = True
        try:
            return any(s.computed and self.now_outcomes(m, s) != s.outcome_keys for s in self.live())
        finally:
            self.comparing = False

    def now_outcomes(self, m: Any, switch: Switch) -> Key | None:
        """What the program computes for a switch now; None if nothing, or an error."""
        try:
            values = self.state.get_values(fetch(m, switch.name))
        except (PrologError, PrologThrow):
            return None
        return None if values is None else tuple(key_of(m, v) for v in values)

    def refuse_change(self, m: Any, switch: Switch, name: int, source: tuple[str, int] | None) -> None:
        """Errors of a changed outcome space: fixed values or tables may depend on the old one."""
        error = runtime_error("modified_switch_outcomes")
        if switch.fixed:
            raise prism_error(m, "0106", error, name, source=source)
        if switch.fixed_h:
            raise prism_error(m, "0108", error, name, source=source)
        if self.state.flags["clean_table"] == "off":
            raise prism_error(m, "0112", error, name, source=source)

    def admit(self, switch: Switch) -> None:
        """Put a new switch, whose first values are known, into the database."""
        if self.by_key.get(switch.key) is not switch:
            self.by_key[switch.key] = switch
            self.number(switch)

    def number(self, switch: Switch) -> None:
        """Give a switch its number and its instance ids."""
        switch.number = len(self.all)
        switch.base = self.instances
        self.all.append(switch)
        self.at_base[switch.base] = switch
        self.instances += switch.size
        self.bases.append(self.instances)
        self.by_instance.extend(itertools.repeat(0.0, switch.size))

    def outside_instance(self, m: Any, name: int, value: int) -> int:
        """The instance id of a value that is no outcome of the switch. It is kept as a switch of its own,
        whose one parameter is 0 for good, and which no listing shows."""
        key = key_of(m, name), key_of(m, value)
        switch = self.outside.get(key)
        if switch is None:
            switch = Switch(key, keep(m, name), [keep(m, value)], key[1:], False)
            switch.parameters, switch.alphas, switch.deltas = [0.0], [1], [0]
            switch.fixed = switch.fixed_h = True
            self.outside[key] = switch
            self.number(switch)
        return switch.base

    def fill_parameters(self, switch: Switch) -> None:
        """Default parameters for a switch that has none; Unavailable if there is no default."""
        if switch.parameters is None:
            form, flags, random = "default", self.state.flags, self.state.random
            self.store_parameters(switch, distributions.switch_parameters(form, switch.size, flags, random))

    def fill_hyperparameters(self, switch: Switch) -> None:
        """Default hyperparameters for a switch that has none; Unavailable if there is no default."""
        if switch.alphas is None:
            both = distributions.hyperparameters("default", switch.size, "d", self.state.flags)
            self.store_hyperparameters(switch, *both)

    def with_parameters(self, m: Any, name: int, source: tuple[str, int] | None = None) -> Switch:
        """The switch of a ground name, with default parameters if it has none yet."""
        switch = self.declared(m, name, source)
        self.require_parameters(m, switch, source)
        return switch

    def require_parameters(self, m: Any, switch: Switch, source: tuple[str, int] | None = None) -> None:
        """Give this switch default parameters if it has none yet."""
        try:
            self.fill_parameters(switch)
        except distributions.Unavailable:
            error = runtime_error("default_distribution_unavailable")
            raise prism_error(m, "0202", error, source=source) from None

    def with_hyperparameters(self, m: Any, switch: Switch, source: tuple[str, int] | None = None) -> Switch:
        """The same switch, with default hyperparameters if it has none yet."""
        try:
            self.fill_hyperparameters(switch)
        except distributions.Unavailable:
            error = runtime_error("default_hyperparameters_unavailable")
            raise prism_error(m, "0203", error, source=source) from None
        return switch

    def register(self, m: Any, bases: Iterable[int]) -> None:
        """Give the switches that a search met, by their first instances, the numbers that they lack. The
        search has just seen what the program declares: to ask again might begin a search, and so on."""
        for switch in [self.at_base[base] for base in bases]:
            self.require_parameters(m, switch)
            if switch.alphas is None:
                with contextlib.suppress(distributions.Unavailable):  # an error only where they are needed
                    self.fill_hyperparameters(switch)

    # ---- setting

    def store_parameters(self, switch: Switch, numbers: Numbers) -> None:
        self.admit(switch)
        self.note_parameters(switch, numbers)
        switch.set_at = next(self.clock)

    def note_parameters(self, switch: Switch, numbers: Numbers | None) -> None:
        """Give a registered switch these numbers, or none, without saying that it was set."""
        switch.parameters = numbers
        switch.cumulated = None
        own = array("d", numbers or itertools.repeat(0.0, switch.size))
        self.by_instance[switch.base : switch.base + switch.size] = own

    def store_hyperparameters(self, switch: Switch, alphas: Numbers, deltas: Numbers) -> None:
        self.admit(switch)
        switch.alphas, switch.deltas = alphas, deltas
        switch.set_h_at = next(self.clock)

    def set_parameters_of(self, m: Any, switch: Switch, numbers: Numbers) -> None:
        """Set the parameters, unless they are fixed."""
        if switch.fixed:
            prism_warning(m, "0109", fetch(m, switch.name))
        else:
            self.store_parameters(switch, numbers)

    def set_hyperparameters_of(self, m: Any, switch: Switch, alphas: Numbers, deltas: Numbers) -> None:
        """Set the hyperparameters, unless they are fixed."""
        if switch.fixed_h:
            prism_warning(m, "0110", fetch(m, switch.name))
        else:
            self.store_hyperparameters(switch, alphas, deltas)

    def known(self) -> dict[int, tuple[bool, bool]]:
        """Which switches have parameters, and which have hyperparameters."""
        return {s.number: (s.parameters is not None, s.alphas is not None) for s in self.all}

    def forget_others(self, known: dict[int, tuple[bool, bool]]) -> None:
        """Take back the numbers that switches got since known() was asked."""
        for s in self.all:
            parameters, hyperparameters = known.get(s.number, (False, False))
            if not parameters:
                self.note_parameters(s, None)
            if not hyperparameters:
                s.alphas = s.deltas = None

    # ---- listings

    def live(self) -> Iterable[Switch]:
        """The registered switches. What a search only met, and that ended by an error, is not one yet."""
        return [s for s in self.by_key.values() if s.parameters is not None or s.alphas is not None]

    def by_setting(self, kind: str) -> list[Switch]:
        """The switches with numbers of a kind ("p", or "a" and "d"), those that were set last at the end."""
        if kind == "p":
            return sorted((s for s in self.live() if s.parameters is not None), key=lambda s: s.set_at)
        return sorted((s for s in self.live() if s.alphas is not None), key=lambda s: s.set_h_at)

    def to_set(self, m: Any, pattern: int) -> list[Switch]:
        """The matching switches in the order in which setting them all goes: by parameters, and then, those
        that are in both lists again, by hyperparameters."""
        matching = {s.number for s in self.matching(m, pattern)}
        return [s for kind in "pa" for s in self.by_setting(kind) if s.number in matching]

    def matching(self, m: Any, pattern: int) -> list[Switch]:
        """The registered switches whose names unify with the pattern."""
        pattern = m.deref(pattern)
        if pattern & 7 == REF:
            return list(self.live())
        if m.is_ground(pattern):
            switch = self.find(m, pattern)
            return [] if switch is None or switch.parameters is switch.alphas is None else [switch]
        return [s for s in self.live() if m.unify(m.copy(pattern), fetch(m, s.name))]

    def in_order(self, m: Any, switches: Iterable[Switch]) -> list[Switch]:
        """Sorted by the standard order of the names."""
        names = {s.number: fetch(m, s.name) for s in switches}

        def order(a: int, b: int) -> int:
            return m.compare(names[a], names[b])

        return [self.all[number] for number in sorted(names, key=functools.cmp_to_key(order))]

    # ---- arrays, for inference and learning

    def outcomes(self, number: int) -> int:
        """How many outcomes the switch has."""
        return self.all[number].size

    def ranges(self) -> Array:
        """The first instance id of each switch, and one past the last of all."""
        return np.array(self.bases)

    def parameters(self) -> Array:
        """All parameters by instance id. Switches without any have zeros."""
        return np.array(self.by_instance)

    def hyperparameters(self, m: Any, numbers: Iterable[int]) -> tuple[Array, Array]:
        """Alphas and deltas by instance id; these switches get default ones if they have none."""
        alphas, deltas = np.ones(self.instances), np.zeros(self.instances)
        for number in numbers:
            s = self.with_hyperparameters(m, self.all[number])
            alphas[s.base : s.base + s.size] = s.alphas
            deltas[s.base : s.base + s.size] = s.deltas
        return alphas, deltas

    def fixed(self) -> tuple[Array, Array]:
        """By switch number: parameters fixed, hyperparameters fixed."""
        return (
            np.array([s.fixed for s in self.all], dtype=bool),
            np.array([s.fixed_h for s in self.all], dtype=bool),
        )

    def slices(self, numbers: Iterable[int], array: Array) -> Iterator[tuple[Switch, Numbers]]:
        """Each switch with its part of an array by instance id, as Python floats."""
        for number in numbers:
            s = self.all[number]
            yield s, [float(x) for x in array[s.base : s.base + s.size]]

    def set_parameters(self, numbers: Iterable[int], array: Array) -> None:
        """Store learned parameters (an array by instance id) of these switches; fixed ones stay."""
        for s, values in self.slices(numbers, array):
            if not s.fixed:
                self.store_parameters(s, values)

    def set_hyperparameters(self, numbers: Iterable[int], alphas: Array) -> None:
        """Store learned alphas of these switches; fixed ones stay."""
        for s, values in self.slices(numbers, alphas):
            if not s.fixed_h:
                self.store_hyperparameters(s, values, [x - 1 for x in values])

    def set_expectations(self, kind: str, numbers: Iterable[int], array: Array) -> None:
        """Remember the expected counts of the last learning run; kind is "ml" or "vb"."""
        for s in self.all:
            s.expectations = None
        for s, values in self.slices(numbers, array):
            s.expectations = (kind, values)

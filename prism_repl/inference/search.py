"""Explanation search: from goals to their explanation graph.

The machine runs each goal in explanation mode, all of them in one table space; what it notes in its tables
becomes a Graph. A goal that is not ground, or is an msw, gets a node of its own above its instances.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from prism_repl.arrays import Array, int_array, np
from prism_repl.core.cells import ATM
from prism_repl.core.errors import PrologError, evaluation_error, resource_error, type_error
from prism_repl.graph.building import with_stand_ins
from prism_repl.graph.equations import NoSolution
from prism_repl.graph.graph import Graph, build_graph
from prism_repl.inference.interface import Impossible, Inference, NotOffered, TooLarge
from prism_repl.inference.methods import inference_on
from prism_repl.model import checks, sampling
from prism_repl.model.messages import prism_error, runtime_error, text_of
from prism_repl.model.switches import fetch, keep
from prism_repl.tabling import same_answers, table_space
from prism_repl.tabling.explanations import explain

SWITCH_CALLS = {("msw", 2), ("soft_msw", 2), ("b_msw", 2)}
GOALS_NAMED = 8  # of a cycle, in its error message


class NoExplanation(Exception):
    """A goal has no explanation; `goal` is its cell."""

    def __init__(self, goal: int) -> None:
        super().__init__("no explanation")
        self.goal = goal


def indicator(m: Any, goal: int) -> tuple[str, int]:
    """Name and arity of a callable term."""
    if goal & 7 == ATM:
        return m.atom_text(goal), 0
    return m.atom_text(m.name_of(goal)), m.arity_of(goal)


def check_goal(m: Any, goal: int, ident: str = "0006", source: tuple[str, int] | None = None) -> None:
    """Inference takes calls of tabled probabilistic predicates, and msw."""
    checks.callable_term(m, ident, goal, source)
    predicate = indicator(m, goal)
    if predicate in m.prob.tabled or predicate in SWITCH_CALLS:
        return
    expected = "tabled_probabilistic_atom" if predicate in m.prob.probabilistic else "probabilistic_atom"
    raise prism_error(m, ident, type_error(expected, goal), goal, source=source)


def search(
    m: Any,
    goals: Iterable[int],
    counts: Iterable[float] | None = None,
    progress: Callable[[int], None] | None = None,
    may_fail: bool = False,
) -> Search:
    """Find all explanations of the goals, which were checked. Raises NoExplanation, unless goals may fail
    (their nodes then have no paths), and the errors of the program that is run. `progress` is called with
    the number of each goal before it is searched, and with how many they are before their switches get
    default parameters."""
    use_shortcuts(m)
    # Kept tables would hide that outcomes have changed: without them the switch is asked, and refuses.
    clean = m.prob.flags["clean_table"] == "on" or m.prob.switches.outdated(m)
    if m.tabling.tables_in_use():
        return nested_search(m, goals, counts, progress, may_fail, clean)
    if clean:
        m.tabling.clear_tables()
    started = time.perf_counter()
    goals = list(goals)
    found: list[list[int]] = []
    swept = 0  # goals before this one have their final nodes
    set_outside_hook(m)
    table_space.begin(m.tabling)
    try:
        for i, goal in enumerate(goals):
            if progress is not None:
                progress(i)
            if table_space.full(m.tabling):
                found[swept:] = renumbered(m, found[swept:])
                swept = i
            found.append(answers(m, goal))
            if not found[i] and not may_fail:
                raise NoExplanation(goal)
    finally:
        table_space.end(m.tabling)
    if progress is not None:
        progress(len(goals))
    m.prob.switches.register(m, m.outcomes.arrays()[0])
    return graph_of(m, goals, found, counts, started)


def nested_search(
    m: Any,
    goals: Iterable[int],
    counts: Iterable[float] | None,
    progress: Callable[[int], None] | None,
    may_fail: bool,
    clean: bool,
) -> Search:
    """A search that begins while tables are being filled, or have answers left to return: these stay."""
    started = time.perf_counter()
    goals = list(goals)
    found: list[list[int]] = []
    outside_hook, hidden = m.switches.outside_hook, m.tabling.begin_nested(clean)
    set_outside_hook(m)
    try:
        for i, goal in enumerate(goals):
            if progress is not None:
                progress(i)
            found.append(answers(m, goal))
            if not found[i] and not may_fail:
                raise NoExplanation(goal)
    finally:
        m.tabling.end_nested(hidden)
        m.switches.outside_hook = outside_hook
    if progress is not None:
        progress(len(goals))
    m.prob.switches.register(m, m.outcomes.arrays()[0])
    return graph_of(m, goals, found, counts, started)


def graph_of(
    m: Any, goals: list[int], found: list[list[int]], counts: Iterable[float] | None, started: float
) -> Search:
    """The graph of what was found; a resource error that names the goal if it is too large."""
    try:
        return Search(m, goals, found, counts, started)
    except MemoryError as error:
        others = f" and {len(goals) - 1} others" if len(goals) > 1 else ""
        too_large = resource_error("memory")
        too_large.announcement = f"***  PRISM ERROR: {error} -- {text_of(m, goals[0])}{others}\n"
        raise too_large from None


def use_shortcuts(m: Any) -> None:
    """Short cuts of the search are used if the flag says so. What they have noted so far stays valid."""
    wanted = m.prob.flags["search_shortcuts"] == "on"
    if m.tabling.shortcuts.on() != wanted:
        m.tabling.shortcuts.use(wanted)
        m.outcomes.forget()  # what the code has noted of them is a short cut, too


def set_outside_hook(m: Any) -> None:
    """Whether msw takes values that are no outcomes."""
    m.switches.outside_hook = None if m.prob.flags["fail_on_outcomes"] == "on" else sampling.outside_in_search


def renumbered(m: Any, found: list[list[int]]) -> list[list[int]]:
    """The tops of some goals after a sweep of the tables."""
    items = iter(table_space.sweep(m.tabling, [item for tops in found for item in tops]))
    return [[next(items) for _ in tops] for tops in found]


def answers(m: Any, goal: int) -> list[int]:
    """What the top of a goal's graph consists of: nodes and switch instances, as items of a path."""
    if indicator(m, goal) not in SWITCH_CALLS:
        return [node << 1 for node in explain(m, goal)]
    switch = sampling.switch_for_msw(m, m.arg(goal, 0))
    value = m.arg(goal, 1)
    outcomes = enumerate(switch.outcome_cells(m))
    found = [switch.base + i for i, cell in outcomes if m.unify(m.copy(value), cell)]
    if not found and m.switches.outside_hook is not None and m.is_ground(value):
        found = [m.switches.outside_hook(m, m.arg(goal, 0), value)]
    return [instance << 1 | 1 for instance in found]


def node_goal(m: Any, node: int) -> int:
    """The goal of one of the machine's nodes; if it has variables, a fresh copy."""
    cell: int = m.tabling.tables.node_term(node)
    return m.instantiate(cell, []) if m.has_numbered_vars(cell) else cell


def msw_cell(m: Any, number: int, ranges: Array | None = None) -> int:
    """msw(Name,Value) for the number of a switch instance; `ranges` are those of the switches, if known."""
    if ranges is None:
        ranges = m.prob.switches.ranges()
    switch = m.prob.switches[int(np.searchsorted(ranges, number, side="right")) - 1]
    outcome = fetch(m, switch.outcomes[number - switch.base])
    return int(m.struct("msw", fetch(m, switch.name), outcome))


class Search:
    """The explanation graph of some goals, and the terms that its numbers stand for.

    Cells of nodes and switch instances are valid as long as the tables are, and no Prolog code runs."""

    def __init__(
        self,
        m: Any,
        goals: list[int],
        found: list[list[int]],
        counts: Iterable[float] | None,
        started: float,
    ) -> None:
        self.m, self.goals, self.found = m, goals, found
        self.ranges = m.prob.switches.ranges()
        self.met = [
            m.prob.switches.at_base[base].number for base in m.outcomes.arrays()[0]
        ]  # in search order
        self.own_nodes: dict[int, int] = {}  # nodes that the search does not know -> cells of goals
        # For each node the one that stands for it, and its place among those; None if all nodes differ.
        self.same: Array | None = same_answers.merged(m.tabling.tables)
        self.graph = self._build(found, counts)
        if all(found) and (np.diff(self.graph.node_paths) == 0).any():
            raise PrologError("system_error", "a goal without explanation in the graph")
        self.table_bytes = m.tabling.tables.table_bytes()
        self.seconds = time.perf_counter() - started
        self._node_cells: dict[int, int] = {}
        self._switch_cells: dict[int, int] = {}
        self._before: Array | None = None  # how many nodes before each are the same as another one
        self._first_numbers: dict[int, int] | None = None

    def explained(self) -> tuple[Search | None, list[int]]:
        """The goals that have explanations, as numbers, and the search of only these."""
        places = [i for i, tops in enumerate(self.found) if tops]
        if not places or len(places) == len(self.goals):
            return self if places else None, places
        goals, found = [self.goals[i] for i in places], [self.found[i] for i in places]
        return Search(self.m, goals, found, None, time.perf_counter() - self.seconds), places

    def _build(self, found: list[list[int]], counts: Iterable[float] | None) -> Graph:
        m = self.m
        head, following, start, length, items = m.tabling.tables.search_arrays()
        if self.same is not None:
            items = with_stand_ins(items, self.same)
            found = [[top if top & 1 else int(self.same[top >> 1]) << 1 for top in tops] for tops in found]
        # The machine counts from 1 and ends chains by 0.
        head = int_array(head) - 1
        following, start, length = int_array(following[1:]) - 1, int_array(start[1:]), int_array(length[1:])
        roots = []
        n_nodes, n_paths = len(head), len(following)
        new_heads: list[int] = []
        new_next: list[int] = []
        new_items: list[int] = []
        for goal, tops in zip(self.goals, found, strict=True):
            if len(tops) == 1 and self._is_goal(goal, tops[0]):
                roots.append(tops[0] >> 1)
                continue
            roots.append(n_nodes + len(new_heads))
            self.own_nodes[roots[-1]] = goal
            new_heads.append(n_paths + len(new_next) if tops else -1)
            if not tops:
                continue
            new_next += [n_paths + len(new_next) + 1 + i for i in range(len(tops) - 1)] + [-1]
            new_items += tops
        if new_heads:
            head = np.append(head, int_array(new_heads))
            following = np.append(following, int_array(new_next))
            start = np.append(start, int_array(np.arange(len(items), len(items) + len(new_items))))
            length = np.append(length, np.ones(len(new_items), dtype=np.int32))
            items = np.append(items, int_array(new_items))
        sizes = np.diff(self.ranges)
        owners = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        switches = (owners, self.ranges[:-1], sizes)
        return build_graph(roots, head, following, start, length, items, *switches, counts, poll(m))

    def _is_goal(self, goal: int, item: int) -> bool:
        """Whether the only answer of a goal is the goal itself."""
        m = self.m
        if item & 1:
            return False
        cell = m.tabling.tables.node_term(item >> 1)
        if m.has_numbered_vars(cell):
            return bool(m.is_variant(goal, m.instantiate(cell, [])))
        return bool(m.is_ground(goal))

    # ---- what numbers stand for

    def node_cell(self, node: int) -> int:
        """The goal of a node of the graph."""
        cell = self._node_cells.get(node)
        if cell is None:
            cell = self._node_cells[node] = self._goal_of(int(self.graph.node_ids[node]))
        return cell

    def _goal_of(self, number: int) -> int:
        if number in self.own_nodes:
            return self.own_nodes[number]
        return node_goal(self.m, number)

    def switch_cell(self, instance: int) -> int:
        """msw(Name,Value) for a switch instance of the graph."""
        cell = self._switch_cells.get(instance)
        if cell is None:
            cell = msw_cell(self.m, int(self.graph.instance_ids[instance]), self.ranges)
            self._switch_cells[instance] = cell
        return cell

    def node_number(self, node: int) -> int:
        """The number that encoded graphs have for a node: in the order of the search, from 0."""
        number = int(self.graph.node_ids[node]) - 1
        if self.same is None:
            return number
        if self._before is None:
            kept = self.same == np.arange(len(self.same))
            self._before = np.cumsum(~kept)
        return number - int(self._before[min(number, len(self._before) - 1)])

    def instance_number(self, instance: int) -> int:
        """The number that encoded graphs have for a switch instance: switches in the order of the search."""
        if self._first_numbers is None:
            bases, sizes = self.m.outcomes.arrays()
            firsts = np.cumsum([0, *sizes]).tolist()
            self._first_numbers = dict(zip(bases, firsts, strict=False))
            for number in self.graph.switch_ids.tolist():  # of an msw that was asked for itself
                self._first_numbers.setdefault(int(self.ranges[number]), firsts[-1])
        number = int(self.graph.instance_ids[instance])
        base = int(self.ranges[np.searchsorted(self.ranges, number, side="right") - 1])
        return self._first_numbers[base] + number - base

    # ---- inference

    def refuse_cycle(self, always: bool = False) -> None:
        """The error of a cyclic graph, with the goals on the cycle; unless the flag error_on_cycle is off, or
        switches are thrown once. `always`: nothing can be done with a cycle."""
        cycle, flags = self.graph.cycle, self.m.prob.flags
        refused = flags["error_on_cycle"] == "on" and flags["trials"] != "once"
        if cycle is not None and (always or refused):
            names = [text_of(self.m, self._goal_of(number)) for number in cycle[:GOALS_NAMED]]
            if len(cycle) > GOALS_NAMED:
                names.append("...")
            names.append(names[0])
            raise prism_error(self.m, "4000", runtime_error("cycle_detected"), " -> ".join(names))

    def not_solvable(self) -> Exception:
        """The error of a cycle whose explanations have no finite sum."""
        return prism_error(self.m, "0200", evaluation_error("non_solvable"), "system not solvable")

    def inference(self, log_scale: bool | None = None, theta: Array | None = None) -> Inference:
        """Inference on the graph under the current parameters, or these; by the flag log_scale, if not
        told."""
        self.refuse_cycle()
        if theta is None:
            theta = self.m.prob.switches.parameters()[self.graph.instance_ids]
        return inference_on(self.graph, theta, self.m.prob.flags, log_scale, poll(self.m))


def poll(m: Any) -> Callable[[], None]:
    """What long loops call now and then: raises KeyboardInterrupt if the user asked for it."""

    def check() -> None:
        if m.interrupts.interrupted:
            m.interrupts.interrupted = False
            raise KeyboardInterrupt

    return check


def refused(m: Any, error: NotOffered | TooLarge, goal: int) -> PrologError:
    """The error for what a way of inference cannot do."""
    if isinstance(error, TooLarge):
        return prism_error(m, "4021", resource_error(error.resource), goal, error.resource)
    return prism_error(m, "4020", runtime_error("not_offered"), goal, str(error))


Result = TypeVar("Result")


def infer(m: Any, goal: int, compute: Callable[[Search], Result]) -> Result | None:
    """Check a goal, search it, and compute something on its graph; None if it has no explanation. Notes the
    statistics of the search."""
    check_goal(m, goal)
    started = time.perf_counter()
    try:
        found = search(m, [goal])
    except NoExplanation:
        return None
    m.prob.statistics["graph"] = found.graph.statistics()
    m.prob.goals_above = {number: keep(m, cell) for number, cell in found.own_nodes.items()}
    try:
        result = compute(found)
    except Impossible:
        return None
    except (NotOffered, TooLarge) as error:
        raise refused(m, error, goal) from None
    except NoSolution:
        raise found.not_solvable() from None
    total = time.perf_counter() - started
    m.prob.statistics["infer"] = {
        "infer_time": total,
        "infer_search_time": found.seconds,
        "infer_calc_time": total - found.seconds,
    }
    return result

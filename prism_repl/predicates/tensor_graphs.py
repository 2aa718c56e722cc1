"""save_expl_graph and save_flags: what T-PRISM's trainer reads."""

from __future__ import annotations

from typing import Any

from prism_repl.arrays import np
from prism_repl.core.cells import REF
from prism_repl.core.errors import domain_error, existence_error, instantiation_error, type_error
from prism_repl.core.instructions import CONSTANTS
from prism_repl.inference.search import Search
from prism_repl.learning.observations import (
    Observations,
    check_observed,
    data_items,
    goal_and_count,
)
from prism_repl.learning.segments import Segments
from prism_repl.learning.starts import start_parameters
from prism_repl.model import checks
from prism_repl.model.messages import prism_error, say
from prism_repl.model.switches import fetch
from prism_repl.model.tensors import factor_word
from prism_repl.model.term_values import to_cell
from prism_repl.predicates.cycles import components_of
from prism_repl.predicates.learning import Learning
from prism_repl.predicates.tensor_formats import (
    FORMATS,
    UNSUPPORTED,
    Message,
    atom_argument,
    check_format,
    save_message,
    term_string,
)
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.standard_order import by_first

F_DEFINED = CONSTANTS["F_DEFINED"]
GRAPH_FILE, FLAG_FILE = "expl.json", "flags.json"
PROBABILISTIC, TENSOR, OPERATOR = 0, 1, 2
DECIMALS = 17  # no more are needed to write a float

Group = tuple[list[int], int]  # numbers of goals, and how often they were observed


# ---- graphs


class GraphExport(Learning):
    """One call of save_expl_graph. `groups` are the elements of what it was given."""

    anneals = False

    def __init__(
        self, m: Any, observed: Observations, groups: list[Group], files: list[tuple[int, str]]
    ) -> None:
        super().__init__(m, observed, "ml")
        self.groups, self.files = groups, files

    def learn(self) -> bool:
        """Save both files. Switches that have no numbers yet, as tensors never have, get none by this."""
        switches = self.m.prob.switches
        known = switches.known()
        try:
            self.save()
        finally:
            switches.forget_others(known)
        return True

    def exporting(self) -> str:
        return "Exporting switch information ... "

    def save(self) -> None:
        m = self.m
        (graph_file, graph_mode), (flag_file, flag_mode) = self.files
        found = self.search()
        numbers = self.numbers(found)
        self.say("misc", "done\n")
        found.refuse_cycle()
        check_format(m, graph_mode, FORMATS, UNSUPPORTED)
        segments = Segments(found.graph.switch_instances)
        # PRISM draws the start of a run here, and does not use it: random numbers go on as after that.
        fixed = np.repeat(numbers.fixed, segments.sizes)
        start_parameters(numbers.theta, fixed, segments, self.options(found), m.prob.random)
        size, order = sizes_of_components(found)
        message = GraphMessage(found, numbers.theta).graph(self.groups)
        shapes = tensor_shapes(found)
        say(m, f"max SCC size : {size}\nmax order : {order}\n")
        save_message(m, graph_file, graph_mode, message, "ExplGraph")
        check_format(m, flag_mode, FORMATS, UNSUPPORTED)
        save_message(m, flag_file, flag_mode, flags_message(m, shapes), "Option")


def sizes_of_components(found: Search) -> tuple[int, int]:
    """The size of the largest component, and the most subgoals of one path that are in its component."""
    graph, components = found.graph, components_of(found)
    component = np.empty(graph.n_nodes, dtype=int)
    component[components.nodes] = np.repeat(np.arange(len(components)), np.diff(components.starts))
    order = 0
    for node in range(graph.n_nodes) if found.graph.cycle is not None else []:
        for path in graph.paths(node):
            goals, _ = graph.split(path)
            order = max(order, sum(int(component[goal] == component[node]) for goal in goals))
    return int(np.diff(components.starts).max(initial=1)), order


class GraphMessage:
    """The message of an explanation graph."""

    def __init__(self, found: Search, theta: Any) -> None:
        self.m, self.found, self.theta = found.m, found, theta
        self.nodes = [self.node(node) for node in range(found.graph.n_nodes)]
        self.switches: dict[int, tuple[int, Message]] = {}

    def graph(self, groups: list[Group]) -> Message:
        graph = self.found.graph
        goals = [{"node": self.nodes[n], "paths": self.paths(n)} for n in range(graph.n_nodes)]
        roots = graph.roots.tolist()
        listed = [
            {
                "count": count,
                "roots": [{key: self.nodes[roots[g]][key] for key in ("id", "sorted_id")} for g in members],
            }
            for members, count in groups
        ]
        return {"goals": goals, "rootList": listed}

    def node(self, node: int) -> Message:
        m, cell = self.m, self.found.node_cell(node)
        arguments = [term_string(m, m.arg(cell, i)) for i in range(m.arity_of(cell))]
        goal = {"name": m.atom_text(m.name_of(cell)), "args": arguments}
        return {"goal": goal, "id": self.found.node_number(node), "sorted_id": node}

    def paths(self, node: int) -> list[Message]:
        """Last found first; a fact has none."""
        graph = self.found.graph
        paths = list(graph.paths(node))
        if len(paths) == 1 and graph.path_factors[paths[0]] == graph.path_factors[paths[0] + 1]:
            return []
        return [self.path(path) for path in reversed(paths)]

    def path(self, path: int) -> Message:
        goals, instances = self.found.graph.split(path)
        switches = [self.switch(instance) for instance in instances]
        kinds = {"prob_switches": PROBABILISTIC, "tensor_switches": TENSOR, "operators": OPERATOR}
        message: Message = {key: [s for k, s in switches if k == kind] for key, kind in kinds.items()}
        message["nodes"] = [self.nodes[goal] for goal in goals]
        return message

    def switch(self, instance: int) -> tuple[int, Message]:
        """The kind of a switch instance, and its message."""
        if instance not in self.switches:
            self.switches[instance] = self.described(instance)
        return self.switches[instance]

    def described(self, instance: int) -> tuple[int, Message]:
        m, cell = self.m, self.found.switch_cell(instance)
        word, goal = factor_word(m, cell) or ("", cell)
        inside = 0.0
        if word == "operator":
            kind, function = OPERATOR, m.arg(goal, 0)
            callable_function = m.is_callable(function)
            name = m.atom_text(m.name_of(function)) if callable_function else term_string(m, function)
            values = [m.arg(function, i) for i in range(m.arity_of(function))] if callable_function else []
        else:
            kind = TENSOR if word else PROBABILISTIC
            inside = 0.0 if word else float(self.theta[instance])
            name, outcome = term_string(m, m.arg(cell, 0)), m.arg(cell, 1)
            items, tail = m.list_items(outcome)
            values = items if tail == m.nil else [outcome]
        return kind, {
            "id": self.found.instance_number(instance),
            "inside": inside,
            "name": name,
            "sw_type": kind,
            "values": [term_string(m, value) for value in values],
        }


def tensor_shapes(found: Search) -> list[Message]:
    """The tensors that occur, in descending standard order, with their declared shapes and types."""
    m, switches = found.m, found.m.prob.switches
    names = [fetch(m, switches[number].name) for number in found.graph.switch_ids.tolist()]
    tensors = [
        (name,)
        for name in names
        if m.is_compound(name) and (m.atom_text(m.name_of(name)), m.arity_of(name)) == ("tensor", 1)
    ]
    return [declared_shape(m, m.arg(name, 0)) for (name,) in reversed(by_first(m, tensors))]


def declared_shape(m: Any, name: int) -> Message:
    shape, kind = m.new_var(), m.new_var()
    predicate = m.program.find_pred(m.functor(m.atom("tensor_atom"), 3))
    defined = predicate and m.database.has_flag(predicate, F_DEFINED)
    if not defined or not m.prob.solve_plainly("tensor_atom", name, shape, kind):
        raise prism_error(m, "4033", existence_error("tensor_atom", name), name)
    return shape_message(m, name, m.deref(shape), m.deref(kind))


def shape_message(m: Any, name: int, shape: int, kind: int) -> Message:
    dimensions = checks.proper_list(m, "4031", shape)
    return {
        "shape": [checks.integer(m, "4031", each) for each in dimensions],
        "tensor_name": term_string(m, m.struct("tensor", name)),
        "type": term_string(m, kind),
    }


# ---- flags


def flags_message(m: Any, shapes: list[Message]) -> Message:
    flags = sorted(m.prob.flags.shown())
    ranges = sorted(m.prob.index_ranges.items())
    return {
        "flags": [{"key": name, "value": flag_string(m, value)} for name, value in flags],
        "index_range": [{"index": index, "range": n} for index, n in ranges],
        "tensor_shape": shapes,
    }


def flag_string(m: Any, value: Any) -> str:
    """The value of a flag; floats are quoted atoms, without exponents."""
    if isinstance(value, float):
        text = f"{value:.{DECIMALS}g}" if abs(value) >= 1e16 else np.format_float_positional(value, trim="0")
        return f"'{text}'"
    return term_string(m, to_cell(m, value))


def save_flags(m: Any, file: int, mode: int, shapes: list[Message]) -> bool:
    word = atom_argument(m, mode)
    check_format(m, word, FORMATS, UNSUPPORTED)
    save_message(m, file, word, flags_message(m, shapes), "Option")
    return True


@builtin("save_flags is det")
def save_flags_0(m: Any) -> bool:
    return save_flags(m, m.atom(FLAG_FILE), m.atom("json"), [])


@builtin("save_flags(+File:file) is det")
def save_flags_1(m: Any, file: int) -> bool:
    return save_flags(m, file, m.atom("json"), [])


@builtin("save_flags(+File:file, +Mode) is det")
def save_flags_2(m: Any, file: int, mode: int) -> bool:
    return save_flags(m, file, mode, [])


@builtin("save_flags(+File:file, +Mode, +Shapes) is det")
def save_flags_3(m: Any, file: int, mode: int, shapes: int) -> bool:
    messages = []
    for entry in checks.proper_list(m, "2104", shapes):
        parts = checks.proper_list(m, "2104", entry)
        if len(parts) != 3:
            raise prism_error(m, "3400", domain_error("tensor_shape", entry), entry)
        messages.append(shape_message(m, *parts))
    return save_flags(m, file, mode, messages)


@builtin("set_index_range(+Index, +N) is det")
def set_index_range(m: Any, index: int, size: int) -> bool:
    checks.ground(m, "3400", index)
    if size & 7 == REF:
        raise instantiation_error()
    if not m.is_integer(size):
        raise type_error("integer", size)
    m.prob.index_ranges[term_string(m, index)] = m.int_value(size)
    return True


# ---- save_expl_graph


def goal_groups(m: Any, data: int) -> tuple[Observations, list[Group]]:
    """The distinct goals in standard order; and for each element of the list, which may be a goal, count(G,N)
    or a list of goals, the numbers of its goals."""
    items, tail = m.list_items(data)
    if tail & 7 == REF:
        raise prism_error(m, "1302", instantiation_error(), data)
    if not items or tail != m.nil:
        raise prism_error(m, "1302", domain_error("observed_data", data), data)
    found: dict[int, int] = {}
    groups: list[tuple[list[int], int]] = []
    for item in items:
        members, tail = m.list_items(item)
        count = 1
        if tail != m.nil:
            goal, count = goal_and_count(m, item)
            members = [goal]
        if not members:
            raise prism_error(m, "1302", domain_error("observed_data", data), data)
        keys = []
        for goal in members:
            check_observed(m, goal)
            keys.append(m.intern(goal, True))
            found.setdefault(keys[-1], goal if m.has_numbered_vars(keys[-1]) else keys[-1])
        groups.append((keys, count))
    ordered = by_first(m, [(goal, key) for key, goal in found.items()])
    place = {key: i for i, (_, key) in enumerate(ordered)}
    numbered = [([place[key] for key in keys], count) for keys, count in groups]
    counts = [0] * len(ordered)
    for members, count in numbered:
        for member in members:
            counts[member] += count
    return Observations([goal for goal, _ in ordered], counts, None), numbered


def save_graph(m: Any, arity: int, goals: int | None, *files: tuple[int, str]) -> bool:
    data = m.list_from(data_items(m)) if goals is None else goals
    named = list(files) or [(m.atom(GRAPH_FILE), "json"), (m.atom(FLAG_FILE), "json")]
    return GraphExport(m, *goal_groups(m, data), named).run(f"save_expl_graph/{arity}")


@builtin("save_expl_graph is det")
def save_expl_graph_0(m: Any) -> bool:
    return save_graph(m, 0, None)


@builtin("save_expl_graph(+Goals) is det")
def save_expl_graph_1(m: Any, goals: int) -> bool:
    return save_graph(m, 1, goals)


@builtin("save_expl_graph(+File:file, +FlagFile) is det")
def save_expl_graph_2(m: Any, file: int, flags: int) -> bool:
    return save_graph(m, 2, None, (file, "json"), (flags, "json"))


@builtin("save_expl_graph(+File:file, +FlagFile, +Goals) is det")
def save_expl_graph_3(m: Any, file: int, flags: int, goals: int) -> bool:
    return save_graph(m, 3, goals, (file, "json"), (flags, "json"))


@builtin("save_expl_graph(+File:file, +FlagFile, +Mode, +FlagMode, +Goals) is det")
def save_expl_graph_5(m: Any, file: int, flags: int, mode: int, flag_mode: int, goals: int) -> bool:
    modes = atom_argument(m, mode), atom_argument(m, flag_mode)
    return save_graph(m, 5, goals, (file, modes[0]), (flags, modes[1]))

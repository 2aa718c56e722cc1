"""The explanation graph: order, sizes, shared paths, cycles."""

import numpy as np
import pytest

from prism_repl.graph.best import BestPaths
from prism_repl.graph.components import find_components
from prism_repl.graph.graph import Graph, build_graph
from prism_repl.graph.plan import Plan
from prism_repl.graph.stream import monomials
from tests.support.search import Search, Switch, edge_paths, pcfg, swim, weather

pytestmark = pytest.mark.quick


def printed(graph):
    """Goals in print order with the subgoals of their paths."""
    return [
        (graph.goals[n], [[graph.goals[c] for c in graph.split(p)[0]] for p in graph.paths(n)])
        for n in graph.print_order()
    ]


def test_sizes_are_those_that_prism_counts():
    reports = (["sun", "sun", "rain"], ["rain", "wind", "wind"], ["sun"] * 3, ["wind", "rain", "wind"])
    assert weather(*reports)[0].size == 148
    assert weather([None, None])[0].size == 189
    assert weather(["sun", None, "rain"])[0].size == 99
    assert edge_paths(*[("path", a, b) for a, b in [(1, 3), (1, 4), (2, 4), (2, 5), (3, 6)]])[0].size == 147
    assert pcfg("a", "ab", "bab", "b")[0].size == 35
    assert swim(("two", "last", "last"), ("two", "first", "second"))[0].size == 12


def test_statistics():
    def clauses(goal):
        if goal[0] == "letter":
            return [[Switch("office", o), ("trip", o, goal[1])] for o in "ns"]
        return [[Switch(f"delay({goal[1]})", goal[2])]]

    graph = Search({"office": "ns", "delay(n)": [0, 1, 2], "delay(s)": [0, 1, 2]}, clauses).graph(
        [("letter", 0)]
    )
    assert graph.statistics() == {
        "num_subgraphs": 3,
        "num_nodes": 6,
        "num_goal_nodes": 2,
        "num_switch_nodes": 4,
        "avg_shared": 2 / 3,
    }
    assert (graph.n_switches, graph.n_instances) == (3, 8)


def test_print_order():
    graph, _ = weather(["sun"])
    assert [goal for goal, _ in printed(graph)] == [
        ("week", ("sun",)),
        ("days", "calm", ("sun",)),
        ("days", "storm", ("sun",)),
        ("days", "calm", ()),
        ("days", "storm", ()),
    ]
    graph, _ = edge_paths(("path", 4, 3))
    assert [goal for goal, _ in printed(graph)][:8] == [
        ("path", 4, 3),
        ("path", 4, 3, (4,)),
        ("path", 3, 3, (3, 4)),
        ("d_e", 3, 4),
        ("path", 5, 3, (5, 4)),
        ("path", 3, 3, (3, 5, 4)),
        ("d_e", 5, 3),
        ("path", 6, 3, (6, 5, 4)),
    ]


def one_switch(paths, roots=(0,), poll=None):
    """A graph of nodes given as lists of paths of items, on one switch of three outcomes."""
    head, following, start, length, items = [], [], [], [], []
    for node in paths:
        head.append(len(following) if node else -1)
        for i, path in enumerate(node):
            following.append(len(following) + 1 if i + 1 < len(node) else -1)
            start.append(len(items))
            length.append(len(path))
            items += path
    return build_graph(roots, head, following, start, length, items, [0, 0, 0], [0], [3], poll=poll)


def goal(n):
    return n << 1


def outcome(v):
    return v << 1 | 1


def test_identical_paths_are_kept_once_and_goals_come_before_switches():
    graph = one_switch(
        [
            [
                [outcome(0), goal(1)],
                [outcome(0), goal(1)],
                [goal(1), outcome(0)],
                [outcome(1)],
                [outcome(1), outcome(0)],
            ],
            [[]],
        ]
    )
    assert graph.n_nodes == 2
    assert [graph.split(p) for p in graph.paths(1)] == [([0], [0]), ([], [1]), ([], [1, 0])]
    assert graph.node_ids.tolist() == [1, 0]
    assert graph.size == 5


def test_many_paths_of_a_node():
    paths = [[outcome(i % 3), outcome(i // 3 % 3), outcome(i // 9 % 3)] for i in range(500)]
    graph = one_switch([paths])
    assert graph.n_paths == 27
    assert [graph.split(p)[1] for p in graph.paths(0)] == [[i % 3, i // 3 % 3, i // 9 % 3] for i in range(27)]


def test_cycle():
    graph = one_switch([[[goal(1)]], [[outcome(0)], [goal(2)]], [[goal(3), goal(1)]], [[]]])
    assert graph.cycle == [1, 2]
    assert graph.node_ids.tolist() == [3, 2, 1, 0]
    components = graph.components
    assert [components.members(c).tolist() for c in range(len(components))] == [[0], [2, 1], [3]]
    assert components.kinds.tolist() == [0, 1, 0]
    graph = one_switch([[[goal(0), goal(0)], [outcome(0)]]])
    assert graph.cycle == [0]
    assert graph.components.kinds.tolist() == [2]
    assert one_switch([[[goal(1)]], [[]]]).components is None


def test_components_are_complete_and_children_first():
    rng = np.random.default_rng(3)
    for _ in range(200):
        n = int(rng.integers(1, 12))
        paths = [
            [
                [goal(int(c)) for c in rng.integers(n, size=rng.integers(0, 3))]
                for _ in range(rng.integers(1, 3))
            ]
            for _ in range(n)
        ]
        graph = one_switch(paths)
        below = [{c for p in graph.paths(v) for c in graph.split(p)[0]} for v in range(graph.n_nodes)]
        reach = [set(children) for children in below]
        for _ in range(n):
            reach = [r.union(*[reach[c] for c in r]) for r in reach]
        if graph.components is None:
            assert all(v not in reach[v] for v in range(graph.n_nodes))
            continue
        done = set()
        for c in range(len(graph.components)):
            members = set(graph.components.members(c).tolist())
            v = min(members)
            assert members == {v} | {u for u in reach[v] if v in reach[u]}
            done |= members
            assert all(reach[u] <= done for u in members)
            assert (graph.components.kinds[c] > 0) == (v in reach[v])
        assert len(done) == graph.n_nodes


@pytest.mark.parametrize(
    "change",
    [
        {"node_paths": [0, 2, 1]},
        {"path_factors": [0, 1, 5]},
        {"factors": [0, 9]},
        {"factors": [-1, 2]},
        {"roots": [2]},
        {"roots": [-1]},
        {"counts": [1.0, 1.0]},
    ],
    ids=str,
)
def test_arrays_that_do_not_fit_are_refused(change):
    """Kernels trust what a Graph holds."""
    arrays = {
        "node_paths": [0, 1, 2],
        "path_factors": [0, 1, 2],
        "factors": [0, 2],
        "switch_instances": [0, 2],
        "roots": [1],
        "counts": [1.0],
    }
    Graph(**arrays)
    with pytest.raises(ValueError, match=r"graph|node|factor|root"):
        Graph(**arrays | change)


@pytest.mark.parametrize("cycle", [[], [[goal(0), goal(1)]]], ids=["plain", "cyclic"])
def test_a_node_without_a_path_reaches_no_kernel(cycle):
    graph = one_switch([[[goal(1)], *cycle, [outcome(0)]], []])
    assert (graph.components is not None) == bool(cycle)
    with pytest.raises(ValueError, match="has no path"):
        Plan(graph)
    with pytest.raises(ValueError, match="has no path"):
        BestPaths(graph, np.array([0.2, 0.3, 0.5]), lambda: None)


def test_only_what_the_roots_reach():
    graph = one_switch([[[goal(2)]], [[outcome(1)]], [[outcome(2)]]], roots=[2, 0, 2])
    assert graph.node_ids.tolist() == [2, 0]
    assert graph.roots.tolist() == [0, 1, 0]
    assert graph.counts.tolist() == [1.0, 1.0, 1.0]


def test_whole_switches_in_the_order_of_their_ids():
    graph = build_graph(
        [0], [0], [-1], [0], [2], [outcome(6), outcome(1)], [0, 0, 1, 1, 2, 2, 2], [0, 2, 4], [2, 2, 3]
    )
    assert graph.switch_ids.tolist() == [0, 2]
    assert graph.instance_ids.tolist() == [0, 1, 4, 5, 6]
    assert graph.factors.tolist() == [4, 1]
    assert graph.switch_instances.tolist() == [0, 2, 5]


def test_deep_graphs_need_no_recursion_and_can_be_broken_off():
    depth = 100_000
    nodes = [[[outcome(0), goal(i + 1)]] for i in range(depth)] + [[[]]]
    graph = one_switch(nodes)
    assert graph.n_nodes == depth + 1
    assert graph.node_ids[0] == depth

    calls = []

    def poll():
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        one_switch(nodes, poll=poll)
    calls.clear()
    with pytest.raises(KeyboardInterrupt):
        Plan(graph, poll=poll)


def test_monomials_are_shared():
    graph, _ = weather(["sun", "rain", "sun"], ["sun", "sun", "rain"])
    start, members, path_mono = monomials(graph)
    assert len(start) - 1 == 1 + 2 + 8  # nothing, first, report & next
    for p in range(graph.n_paths):
        m = path_mono[p]
        assert sorted(graph.split(p)[1]) == members[start[m] : start[m + 1]].tolist()
    # More distinct monomials than the first hash table holds.
    n = 3000
    graph = build_graph(
        [0], [0], [*range(1, n), -1], range(n), [1] * n, [i << 1 | 1 for i in range(n)], [0] * n, [0], [n]
    )
    start, members, path_mono = monomials(graph)
    assert members.tolist() == list(range(n))
    assert path_mono.tolist() == list(range(1, n + 1))
    assert np.all(np.diff(start) == np.array([0] + [1] * n))


def test_the_search_for_components_can_be_interrupted():
    n = 70_000
    around = (np.arange(n) - 1) % n  # one cycle through all nodes
    graph = Graph(np.arange(n + 1), np.arange(n + 1), around, [0], [n - 1], [1.0])
    asked = []
    assert len(find_components(graph, lambda: asked.append(1))) == 1
    assert asked

"""A toy explanation search: Python generators instead of clauses, and the tables that build_graph wants."""

import itertools

import numpy as np

from prism_repl.graph.graph import build_graph


class Search:
    """Tables of a model given as a function `clauses(goal)` that returns the explanations of a goal: lists of
    goals (any hashable but a Switch) and Switch values, in call order. No explanation: an empty list."""

    def __init__(self, switches, clauses):
        self.names = list(switches)
        self.outcomes = [list(switches[name]) for name in self.names]
        self.first = [0, *itertools.accumulate(len(v) for v in self.outcomes)]
        self.clauses = clauses
        self.nodes = {}
        self.paths = []

    def switch(self, name, value):
        s = self.names.index(name)
        return self.first[s] + self.outcomes[s].index(value)

    def add(self, goal):
        """The node of a goal, -1 if it has no explanation."""
        if goal not in self.nodes:
            number = self.nodes[goal] = len(self.paths)
            self.paths.append([])
            for body in self.clauses(goal):
                items = []
                for item in body:
                    if isinstance(item, Switch):
                        items.append(self.switch(item.name, item.value) << 1 | 1)
                    else:
                        child = self.add(item)
                        if child < 0:
                            break
                        items.append(child << 1)
                else:
                    self.paths[number].append(items)
            if not self.paths[number]:
                self.nodes[goal] = -1
        return self.nodes[goal]

    def graph(self, goals, counts=None):
        roots = [self.add(goal) for goal in goals]
        assert min(roots) >= 0
        head, following, start, length, items = [], [], [], [], []
        for paths in self.paths:
            head.append(len(following) if paths else -1)
            for i, path in enumerate(paths):
                following.append(len(following) + 1 if i + 1 < len(paths) else -1)
                start.append(len(items))
                length.append(len(path))
                items += path
        sizes = [len(v) for v in self.outcomes]
        graph = build_graph(
            roots,
            head,
            following,
            start,
            length,
            items,
            np.repeat(np.arange(len(sizes)), sizes),
            self.first[:-1],
            sizes,
            counts,
        )
        names = {number: goal for goal, number in self.nodes.items()}
        graph.goals = [names[i] for i in graph.node_ids.tolist()]
        return graph

    def vector(self, graph, by_name):
        """The values of `by_name` (switch name -> list, or one number for all) for the instances of a
        graph."""
        if not isinstance(by_name, dict):
            return np.full(graph.n_instances, float(by_name))
        return np.concatenate(
            [np.asarray(by_name[self.names[s]], dtype=float) for s in graph.switch_ids.tolist()]
        )


class Switch:
    def __init__(self, name, value):
        self.name, self.value = name, value


# -- the models of the recorded sessions ------------------------------------------------------------

REPORTS = ["sun", "rain", "wind"]
WEATHER = {
    "first": ["calm", "storm"],
    "report(calm)": REPORTS,
    "next(calm)": ["calm", "storm"],
    "report(storm)": REPORTS,
    "next(storm)": ["calm", "storm"],
}
WEATHER_PARAMS = {
    "first": [0.6, 0.4],
    "next(calm)": [0.8, 0.2],
    "next(storm)": [0.3, 0.7],
    "report(calm)": [0.7, 0.2, 0.1],
    "report(storm)": [0.1, 0.4, 0.5],
}


def weather_clauses(goal):
    match goal:
        case ("week", reports) if None in reports:
            # A goal with variables: one path for each instance, in the order in which the answers come.
            def instances(state, rest):
                if not rest:
                    return [()]
                answers = []
                for r in REPORTS if rest[0] is None else [rest[0]]:
                    for following in ("calm", "storm"):
                        answers += [(r, *more) for more in instances(following, rest[1:])]
                return list(dict.fromkeys(answers))

            return [[("week", full)] for full in instances("calm", reports)]
        case ("week", reports):
            return [[Switch("first", s), ("days", s, reports)] for s in ("calm", "storm")]
        case ("days", _, ()):
            return [[]]
        case ("days", s, (r, *rest)):
            return [
                [Switch(f"report({s})", r), Switch(f"next({s})", t), ("days", t, tuple(rest))]
                for t in ("calm", "storm")
            ]


def weather(*weeks, counts=None):
    """Graph and search of week/1 on these report lists, in standard order of the goals."""
    search = Search(WEATHER, weather_clauses)
    return search.graph([("week", tuple(w)) for w in weeks], counts), search


EDGES = {
    (1, 2): 0.9,
    (2, 3): 0.8,
    (3, 4): 0.6,
    (1, 6): 0.7,
    (2, 6): 0.5,
    (6, 5): 0.4,
    (5, 3): 0.7,
    (5, 4): 0.2,
}


def path_clauses(goal):
    match goal:
        case ("path", x, y):
            return [[("path", x, y, (x,))]]
        case ("path", x, y, _) if x == y:
            return [[]]
        case ("path", x, y, visited):
            bodies = []
            for edge in [e for e in EDGES if e[0] == x] + [e for e in EDGES if e[1] == x]:
                z = edge[1] if edge[0] == x else edge[0]
                if z not in visited:
                    bodies.append([("d_e", *edge), ("path", z, y, (z, *visited))])
            return bodies
        case ("d_e", x, y):
            return [[Switch((x, y), "on")]]


def edge_paths(*goals, counts=None):
    search = Search({edge: ["on", "off"] for edge in sorted(EDGES)}, path_clauses)
    return search.graph(goals, counts), search


PLACES = ["first", "second", "last"]


def swim_clauses(goal):
    _kind, *places = goal
    return [[Switch("shape", s), *[Switch(f"place({s})", p) for p in places]] for s in ("fit", "tired")]


def swim(*goals, counts=None):
    search = Search({"shape": ["fit", "tired"], "place(fit)": PLACES, "place(tired)": PLACES}, swim_clauses)
    return search.graph(goals, counts), search


def pcfg_clauses(goal):
    match goal:
        case ("pcfg", words):
            return [[("pcfg", ("S",), words, 0)]]
        case ("pcfg", (), words, left):
            return [[]] if len(words) == left else []
        case ("pcfg", ("S", *rest), words, left):
            bodies = []
            for rhs in (("S", "S"), ("a",), ("b",)):
                for middle in range(len(words) - len(rhs), left - 1, -1):
                    bodies.append(
                        [
                            Switch("S", rhs),
                            ("pcfg", rhs, words, middle),
                            ("pcfg", tuple(rest), words[len(words) - middle :], left),
                        ]
                    )
            return bodies
        case ("pcfg", (a, *rest), words, left):
            if not words or words[0] != a:
                return []
            return [[("pcfg", tuple(rest), words[1:], left)]]


def pcfg(*sentences, counts=None):
    search = Search({"S": [("S", "S"), ("a",), ("b",)]}, pcfg_clauses)
    return search.graph([("pcfg", tuple(s)) for s in sentences], counts), search

"""Parse trees from the Viterbi explanations of grammars.

An explanation lists, for each subgoal, the switches that it throws and the subgoals that it calls. Read from
the top, switches of a goal before its subgoals, the switches are a derivation: of a context-free grammar the
leftmost one, of a left-corner grammar the sequence of its shifts, projections and attachments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from prism_repl.experiments.trees import Tree
from prism_repl.prolog.terms import Struct, Term


def switches_in_order(explanation: Iterable[Term]) -> Iterator[tuple[Term, Term]]:
    """(name, outcome) of the switches of a Viterbi explanation (node(Goal,[path(Goals,Switches)]) terms, the
    goal itself first), from the top, switches of a goal before its subgoals."""
    paths: dict[str, Struct] = {}
    top: str | None = None
    for node in explanation:
        assert isinstance(node, Struct)
        goal, found = node.args
        if top is None:
            top = str(goal)
        if isinstance(found, list) and found:  # a subgoal without switches below has no path
            path = found[0]
            assert isinstance(path, Struct)
            paths[str(goal)] = path
    work = [top] if top is not None else []
    while work:
        path_of_goal = paths.get(work.pop())
        if path_of_goal is None:
            continue
        goals, switches = path_of_goal.args
        assert isinstance(goals, list)
        assert isinstance(switches, list)
        for switch in switches:
            assert isinstance(switch, Struct)
            yield switch.args[0], switch.args[1]
        work.extend(str(goal) for goal in reversed(goals))


def leftmost_tree(start: str, switches: Iterable[tuple[Term, Term]], is_word: Callable[[str], bool]) -> Tree:
    """The tree of a context-free grammar: its switches are nonterminals, their outcomes right-hand sides."""
    source = iter(switches)

    def next_rule(label: str) -> list[str]:
        name, body = next(source, (None, None))
        if str(name) != label or not isinstance(body, list):
            raise ValueError(f"the derivation has no rule for {label} where it is expected, but {name}")
        return [str(symbol) for symbol in body]

    # (label, children so far, symbols still to come)
    stack: list[tuple[str, list[Tree | str], list[str]]] = [(start, [], next_rule(start))]
    while True:
        label, children, symbols = stack[-1]
        if symbols:
            symbol = symbols.pop(0)
            if is_word(symbol):
                children.append(symbol)
            else:
                stack.append((symbol, [], next_rule(symbol)))
            continue
        stack.pop()
        node = Tree(label, tuple(children))
        if not stack:
            return node
        stack[-1][1].append(node)


def left_corner_tree(start: str, switches: Iterable[tuple[Term, Term]]) -> Tree:
    """The tree of a left-corner grammar: switches first(G), lc(G,B) with outcomes rule(A,[B|Rest]), att(A).

    The order is that of switches_in_order for a program in which lc and att are thrown by one goal, and
    the rest of the rule and what follows are its subgoals.
    """
    source = iter(switches)
    # Frames of the goals that wait: (goal category, the corner's tree, rule head, children so far, symbols to
    # come, attach).
    stack: list[LeftCorner] = [LeftCorner(start)]
    pending = next(source, None)
    while True:
        frame = stack[-1]
        if frame.corner is None:  # shift the first word of the goal
            name, word = pending if pending is not None else (None, None)
            if not (isinstance(name, Struct) and name.name == "first"):
                raise ValueError(f"the derivation has no first word of {frame.goal}, but {name}")
            frame.corner = str(word)
            pending = next(source, None)
        if frame.head is None:  # project the corner by a rule
            name, rule = pending if pending is not None else (None, None)
            if not (isinstance(name, Struct) and name.name == "lc" and isinstance(rule, Struct)):
                raise ValueError(f"the derivation has no rule for the corner of {frame.goal}, but {name}")
            body = rule.args[1]
            assert isinstance(body, list)
            frame.head = str(rule.args[0])
            frame.children = [frame.corner]
            frame.symbols = [str(symbol) for symbol in body[1:]]
            pending = next(source, None)
            frame.attach = frame.head == frame.goal
            if frame.attach and pending is not None:
                name, choice = pending
                if isinstance(name, Struct) and name.name == "att" and str(name.args[0]) == frame.head:
                    frame.attach = str(choice) == "att"
                    pending = next(source, None)
        if frame.symbols:
            symbol = frame.symbols.pop(0)
            waits = LeftCorner(symbol)
            if pending is not None and is_first_of(pending[0], symbol):
                stack.append(waits)
            else:  # the symbol is a word, which is shifted without a switch
                frame.children.append(symbol)
            continue
        assert frame.head is not None
        node = Tree(frame.head, tuple(frame.children))
        if not frame.attach:
            frame.corner, frame.head = node, None
            continue
        stack.pop()
        if not stack:
            return node
        stack[-1].children.append(node)


class LeftCorner:
    """A goal category that is being parsed: its finished corner, and the rule by which that grows."""

    def __init__(self, goal: str) -> None:
        self.goal = goal
        self.corner: Tree | str | None = None
        self.head: str | None = None
        self.children: list[Tree | str] = []
        self.symbols: list[str] = []
        self.attach = False


def is_first_of(name: Term, symbol: str) -> bool:
    return isinstance(name, Struct) and name.name == "first" and str(name.args[0]) == symbol

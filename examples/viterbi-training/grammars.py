"""A context-free grammar as PRISM programs: top-down (PCFG) and by left corners (PLCG).

Both programs are specialised: the parsers of the paper's figures, partially evaluated with the rules of the
grammar, so that a rule is a clause. Their switches are those of the figures.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from prism_repl.experiments import Tree

Rule = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Grammar:
    """The rules of a context-free grammar by their heads; what heads no rule is a word."""

    start: str
    rules: dict[str, list[tuple[str, ...]]]

    @classmethod
    def of_trees(cls, trees: Iterable[Tree]) -> Grammar:
        """All rules that occur in trees. The label of the first tree is the start symbol."""
        rules: dict[str, dict[tuple[str, ...], None]] = {}
        start = ""
        for tree in trees:
            start = start or tree.label
            if tree.label != start:
                raise ValueError(f"the trees begin with {start} and with {tree.label}")
            for head, body in tree.rules():
                rules.setdefault(head, {})[body] = None
        return cls(start, {head: list(bodies) for head, bodies in rules.items()})

    def is_word(self, symbol: str) -> bool:
        return symbol not in self.rules

    def words(self) -> set[str]:
        return {x for bodies in self.rules.values() for body in bodies for x in body if self.is_word(x)}

    def size(self) -> int:
        return sum(map(len, self.rules.values()))


def quoted(symbol: str) -> str:
    """A symbol as an atom of a program."""
    if symbol[:1].islower() and symbol.replace("_", "a").isalnum() and symbol.isascii():
        return symbol
    escaped = symbol.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def list_text(symbols: Iterable[str]) -> str:
    return "[" + ",".join(map(quoted, symbols)) + "]"


def goal_text(predicate: str, words: Iterable[str]) -> str:
    """An observed goal: a sentence."""
    return f"{predicate}({list_text(words)})"


def pcfg_program(grammar: Grammar) -> str:
    """pcfg(Words): the grammar derives the words; a switch for each nonterminal chooses its rule."""
    number = {head: i for i, head in enumerate(grammar.rules)}
    lines = ["% A PCFG, one clause a rule.\n"]
    for head, bodies in grammar.rules.items():
        outcomes = ",".join(map(list_text, bodies))
        lines.append(f"values({quoted(head)},[{outcomes}]).\n")
    lines.append(f"\npcfg(Words) :- nt{number[grammar.start]}(Words,[]).\n\n")
    for head, bodies in grammar.rules.items():
        for body in bodies:
            lines.append(pcfg_clause(grammar, number, head, body))
    return "".join(lines)


def pcfg_clause(grammar: Grammar, number: dict[str, int], head: str, body: tuple[str, ...]) -> str:
    """A rule as a clause. Its first words stand in the head, where they are indexed."""
    leading = 0
    while leading < len(body) and grammar.is_word(body[leading]):
        leading += 1
    first = f"[{','.join(map(quoted, body[:leading]))}|L0]" if leading else "L0"
    goals = [f"msw({quoted(head)},{list_text(body)})"]
    rest, last = span_goals(grammar, number, body[leading:], "nt")
    return f"nt{number[head]}({first},{last}) :- {', '.join(goals + rest)}.\n"


def span_goals(
    grammar: Grammar, number: dict[str, int], symbols: Iterable[str], predicate: str
) -> tuple[list[str], str]:
    """The goals that parse symbols one after another from L0, and the variable where they end."""
    goals = []
    at = 0
    for symbol in symbols:
        if grammar.is_word(symbol):
            goals.append(f"L{at} = [{quoted(symbol)}|L{at + 1}]")
        else:
            goals.append(f"{predicate}{number[symbol]}(L{at},L{at + 1})")
        at += 1
    return goals, f"L{at}"


class LeftCorners:
    """The left-corner relation of a grammar: what a goal category may begin with."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.goals = self.goal_categories()
        self.below = {goal: self.heads_below(goal) for goal in self.goals}

    def goal_categories(self) -> list[str]:
        """The start symbol and every nonterminal that stands behind the first place of a rule that is used
        on the way to a goal."""
        found = [self.grammar.start]
        for goal in found:  # grows
            for head in self.heads_below(goal):
                for body in self.grammar.rules[head]:
                    for symbol in body[1:]:
                        if not self.grammar.is_word(symbol) and symbol not in found:
                            found.append(symbol)
        return found

    def heads_below(self, goal: str) -> list[str]:
        """The goal itself and the nonterminals that are left corners of it, also of left corners."""
        found = [goal]
        for head in found:  # grows
            for body in self.grammar.rules[head]:
                if not self.grammar.is_word(body[0]) and body[0] not in found:
                    found.append(body[0])
        return found

    def projections(self, goal: str) -> dict[str, list[Rule]]:
        """For each left corner of a goal the rules by which it grows on the way there."""
        found: dict[str, list[Rule]] = {}
        for head in self.below[goal]:
            for body in self.grammar.rules[head]:
                found.setdefault(body[0], []).append((head, body))
        return found


def plcg_program(grammar: Grammar) -> str:
    """plcg(Words): switches first(G), lc(G,B) and att(G) shift a word, grow a finished corner B on the way to
    G by a rule, and decide whether a finished G is the one that was looked for."""
    corners = LeftCorners(grammar)
    number = {goal: i for i, goal in enumerate(corners.goals)}
    values: list[str] = []
    clauses: list[str] = []
    for goal in corners.goals:
        projections = corners.projections(goal)
        first = [corner for corner in projections if grammar.is_word(corner)]
        values.append(f"values(first({quoted(goal)}),{list_text(first)}).\n")
        for corner, rules in projections.items():
            outcomes = ",".join(rule_text(rule) for rule in rules)
            values.append(f"values(lc({quoted(goal)},{quoted(corner)}),[{outcomes}]).\n")
        recursive = goal in projections
        if recursive:
            values.append(f"values(att({quoted(goal)}),[att,pro]).\n")
        i = number[goal]
        clauses.append(f"goal{i}([Word|L0],L) :- msw(first({quoted(goal)}),Word), lc{i}(Word,L0,L).\n")
        for corner, rules in projections.items():
            for rule in rules:
                clauses.extend(plcg_clauses(grammar, number, goal, corner, rule, recursive))
    start = f"\nplcg(Words) :- goal{number[grammar.start]}(Words,[]).\n\n"
    return "".join(["% A PLCG, one clause a rule and goal.\n", *values, start, *clauses])


def plcg_clauses(
    grammar: Grammar, number: dict[str, int], goal: str, corner: str, rule: Rule, recursive: bool
) -> list[str]:
    """The clauses by which a finished corner grows by a rule. att is thrown beside lc, before the rest of the
    rule is parsed, so that both are switches of one goal."""
    head, body = rule
    i = number[goal]
    throw = f"msw(lc({quoted(goal)},{quoted(corner)}),{rule_text(rule)})"
    rest, end = span_goals(grammar, number, body[1:], "goal")
    further = f"lc{i}({quoted(head)},{end},L)"
    start = f"lc{i}({quoted(corner)},L0,"
    if head != goal:
        return [f"{start}L) :- {', '.join([throw, *rest, further])}.\n"]
    if not recursive:
        return [f"{start}{end}) :- {', '.join([throw, *rest])}.\n"]
    att = f"msw(att({quoted(goal)}),"
    return [
        f"{start}{end}) :- {', '.join([throw, att + 'att)', *rest])}.\n",
        f"{start}L) :- {', '.join([throw, att + 'pro)', *rest, further])}.\n",
    ]


def rule_text(rule: Rule) -> str:
    return f"rule({quoted(rule[0])},{list_text(rule[1])})"

"""T-PRISM: the tensors and operators in a program become switches.

tensor(Name,Index) (vector/2, matrix/2, too) is msw(tensor(Name),Index); the outcomes of tensor(Name) are all
index lists of the length that tensor_atom/2,3 declares; operator(F) is msw('$operator'(F),'$operator').
subgoal(G,Index) and prob_tensor(Dist,Goals) are tabled goals of their own, with a clause for each predicate
that they are used with. A word that the program defines itself keeps the program's meaning.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from prism_repl.core.cells import REF
from prism_repl.core.errors import instantiation_error, resource_error, type_error
from prism_repl.model.messages import prism_error
from prism_repl.prolog.source import Clause, head_of

if TYPE_CHECKING:
    from prism_repl.model.translation import Program

Indicator = tuple[str, int]

TENSORS = {("tensor", 2), ("vector", 2), ("matrix", 2)}
OPERATOR, SUBGOAL, PROB_TENSOR = ("operator", 1), ("subgoal", 2), ("prob_tensor", 2)
WORDS = TENSORS | {OPERATOR, SUBGOAL, PROB_TENSOR}
SHAPES = (("tensor_atom", 3), ("tensor_atom", 2))  # in the order in which they are asked
INDEX_ATOMS, INDEX = ("index_atoms", 1), ("index", 2)
OPERATOR_NAME = "$operator"
CONJUNCTION = (",", 2)
CONTROL = {CONJUNCTION, (";", 2), ("->", 2), ("*->", 2)}
MOST_INDEX_LISTS = 1_000_000  # of one tensor


def indicator_of(m: Any, goal: int) -> Indicator:
    return (m.atom_text(m.name_of(goal)), m.arity_of(goal))


class TensorProgram:
    """What a program says about tensors, and its clauses translated."""

    def __init__(self, m: Any, program: Program) -> None:
        self.m, self.program = m, program
        self.by_head: dict[Indicator, list[tuple[Clause, int]]] = {}
        for clause, cell in program.clauses:
            head = head_of(m, cell)
            if m.is_callable(head):
                self.by_head.setdefault(indicator_of(m, head), []).append((clause, cell))
        self.words = WORDS - set(self.by_head)
        self.symbols: dict[Any, int] = {}  # ground elements of index lists, in the order of the text
        self.used: dict[Indicator, tuple[Clause, int]] = {}  # words, and a goal where each is used first
        self.reindexed: dict[int, tuple[Clause, int]] = {}  # functors of goals in subgoal/2
        self.sampled: dict[tuple[int, ...], tuple[Clause, list[int]]] = {}  # and of lists in prob_tensor/2

    def translate(self) -> None:
        program = self.program
        new = {id(clause): cell for clause, cell in self.bodies()}
        if not self.used and not any(shape in self.by_head for shape in SHAPES):
            return
        program.terms = [(clause, new.get(id(clause), cell)) for clause, cell in program.terms]
        program.clauses = [(clause, new.get(id(clause), cell)) for clause, cell in program.clauses]
        self.add_clauses()
        program.declarations = [*self.declarations(), *program.declarations]

    # ---- bodies

    def bodies(self) -> Iterator[tuple[Clause, int]]:
        """The clauses that change."""
        m = self.m
        for clause, cell in self.program.clauses:
            head = head_of(m, cell)
            if head != cell:
                body = m.arg(cell, 1)
                new = self.goal(clause, body)
                if new != body:
                    yield clause, m.struct(":-", head, new)

    def goal(self, clause: Clause, goal: int) -> int:
        """A goal with its tensors and operators as switches."""
        m = self.m
        if not m.is_callable(goal):
            return goal
        spine = []
        while m.is_compound(goal) and indicator_of(m, goal) == CONJUNCTION:  # may be long
            spine.append(m.arg(goal, 0))
            goal = m.arg(goal, 1)
        changed = [self.part(clause, part) for part in [*spine, goal]]
        result: int = changed[-1]
        for part in reversed(changed[:-1]):
            result = m.struct(",", part, result)
        return result

    def part(self, clause: Clause, goal: int) -> int:
        m = self.m
        if not m.is_compound(goal):
            return goal
        word = indicator_of(m, goal)
        if word in CONTROL:
            return self.control(clause, goal)
        if word not in self.words:
            return goal
        self.used.setdefault(word, (clause, goal))
        if word in TENSORS:
            self.note_symbols(m.arg(goal, 1))
            return m.struct("msw", m.struct("tensor", m.arg(goal, 0)), m.arg(goal, 1))
        if word == OPERATOR:
            return self.operator(m.arg(goal, 0))
        if word == SUBGOAL and m.is_callable(m.arg(goal, 0)):
            first = m.arg(goal, 0)
            self.reindexed.setdefault(m.functor(m.name_of(first), m.arity_of(first)), (clause, first))
        if word == PROB_TENSOR:
            goals, tail = m.list_items(m.arg(goal, 1))
            if tail == m.nil and all(m.is_callable(g) for g in goals):
                functors = tuple(m.functor(m.name_of(g), m.arity_of(g)) for g in goals)
                self.sampled.setdefault(functors, (clause, goals))
        return goal

    def control(self, clause: Clause, goal: int) -> int:
        m = self.m
        spine = []
        while m.is_compound(goal) and (word := indicator_of(m, goal)) in CONTROL:  # many alternatives
            spine.append((word[0], m.arg(goal, 0)))
            goal = m.arg(goal, 1)
        result = self.part(clause, goal)
        for name, first in reversed(spine):
            result = m.struct(name, self.goal(clause, first), result)
        return result

    def operator(self, function: int) -> int:
        m = self.m
        name = m.atom(OPERATOR_NAME)
        return int(m.struct("msw", m.struct(OPERATOR_NAME, function), name))

    def note_symbols(self, index: int) -> None:
        from prism_repl.model.switches import key_of  # imports flags and chance, too

        for element in self.m.list_items(index)[0]:
            if self.m.is_ground(element):
                self.symbols.setdefault(key_of(self.m, element), element)

    # ---- clauses and declarations

    def add_clauses(self) -> None:
        m, program = self.m, self.program
        added: list[tuple[Clause, int]] = []
        for clause, goal in self.reindexed.values():
            general, index = self.general(goal), m.new_var()
            body = m.struct(",", self.operator(m.struct("reindex", index)), general)
            added.append((clause, m.struct(":-", m.struct("subgoal", general, index), body)))
        for clause, goals in self.sampled.values():
            generals, distribution = [self.general(goal) for goal in goals], m.new_var()
            body = m.nil
            for part in reversed([self.operator(m.struct("distribution", distribution)), *generals]):
                body = part if body == m.nil else m.struct(",", part, body)
            head = m.struct("prob_tensor", distribution, m.list_from(generals))
            added.append((clause, m.struct(":-", head, body)))
        program.terms += added
        program.clauses += added
        if ("tensor_atom", 2) in self.by_head:
            name, shape = m.new_var(), m.new_var()
            head = m.struct("tensor_atom", name, shape, m.atom("no"))
            rule = m.struct(":-", head, m.struct("tensor_atom", name, shape))
            last = self.by_head.get(("tensor_atom", 3), self.by_head["tensor_atom", 2])[-1]
            # beside the others of its predicate
            at = max(i for i, (clause, _) in enumerate(program.terms) if clause is last[0]) + 1
            program.terms.insert(at, (last[0], rule))
            program.clauses.append((last[0], rule))

    def general(self, goal: int) -> int:
        """The most general goal of the same predicate."""
        m = self.m
        arity = m.arity_of(goal)
        return m.struct(m.atom_text(m.name_of(goal)), *[m.new_var() for _ in range(arity)]) if arity else goal

    def declarations(self) -> list[tuple[Clause, int]]:
        """values/2 of the tensors and of the operators."""
        m = self.m
        found = []
        symbols, computing = self.index_symbols()
        for shape in SHAPES:
            for clause, cell in self.by_head.get(shape, []):
                head = head_of(m, cell)
                switch, dimensions = m.struct("tensor", m.arg(head, 0)), m.arg(head, 1)
                if head == cell and computing is None:
                    lists = m.list_from(index_lists(m, dimensions, symbols))
                    found.append((clause, m.struct("values", switch, lists)))
                    continue
                lists = m.new_var()
                goals = [] if head == cell else [m.arg(cell, 1)]
                atoms = m.list_from(symbols) if computing is None else m.new_var()
                if computing is not None:
                    goals.append(m.struct("once", m.struct("index_atoms", atoms)))
                body = m.struct("$index_lists", dimensions, atoms, lists)
                for goal in reversed(goals):
                    body = m.struct(",", goal, body)
                found.append((clause, m.struct(":-", m.struct("values", switch, lists), body)))
        if self.used:
            for clause, cell in self.by_head.get(INDEX, []):
                head = head_of(m, cell)
                declared = m.struct("values", m.struct("tensor", m.arg(head, 0)), m.arg(head, 1))
                if head != cell:
                    declared = m.struct(":-", declared, m.arg(cell, 1))
                found.append((clause, declared))
            clause = next(iter(self.used.values()))[0]
            name = m.atom(OPERATOR_NAME)
            operators = m.struct("values", m.struct(OPERATOR_NAME, m.new_var()), m.list_from([name]))
            found.append((clause, operators))
        return found

    def index_symbols(self) -> tuple[list[int], int | None]:
        """The symbols of the fact index_atoms/1, or else those in the text; if index_atoms/1 must be asked, a
        clause of it, too."""
        m = self.m
        declared = self.by_head.get(INDEX_ATOMS)
        if declared is None:
            for _, cell in self.by_head.get(INDEX, []):
                for index in m.list_items(m.arg(head_of(m, cell), 1))[0]:
                    self.note_symbols(index)
            return list(self.symbols.values()), None
        _, cell = declared[0]
        symbols, tail = m.list_items(m.arg(head_of(m, cell), 0))
        known = cell == head_of(m, cell) and tail == m.nil and m.is_ground(cell)
        return symbols, None if known else cell


def index_lists(m: Any, shape: int, symbols: list[int]) -> list[int]:
    """All lists of symbols that have a member for each dimension of a shape, the first one slowest."""
    dimensions, tail = m.list_items(shape)
    if tail != m.nil:
        error = instantiation_error() if tail & 7 == REF else type_error("list", shape)
        raise prism_error(m, "4031", error, shape)
    if len(symbols) ** len(dimensions) > MOST_INDEX_LISTS:
        raise prism_error(m, "4032", resource_error("memory"), shape)
    return [m.list_from(list(chosen)) for chosen in itertools.product(symbols, repeat=len(dimensions))]


def translate_tensors(m: Any, program: Program) -> None:
    TensorProgram(m, program).translate()


def factor_word(m: Any, switch: int) -> tuple[str, int] | None:
    """(word, goal) of msw(Name,Value) if it stands for a tensor or an operator: as the program has it."""
    if not m.is_compound(switch) or indicator_of(m, switch) != ("msw", 2):
        return None
    name = m.arg(switch, 0)
    if not m.is_compound(name) or m.arity_of(name) != 1:
        return None
    word = m.atom_text(m.name_of(name))
    if word == OPERATOR_NAME:
        return "operator", m.struct("operator", m.arg(name, 0))
    if word == "tensor":
        return "tensor", m.struct("tensor", m.arg(name, 0), m.arg(switch, 1))
    return None

"""The first-order compiler: programs with not/1, all/2 and implications become plain definite clauses.

`for all V: if L1,..,Ln then R` is compiled goal by goal. A call p(t) under the quantifier becomes a call of
closure_pK(inputs,C): for every answer of p(t), the continuation C holds of its outputs. Closures are made of
all clauses of their predicate, continuations are clauses of cont/N. For `not p` the continuation is false.

    failure :- not(ok).        failure :- closure_ok0(f0).
    ok :- msw(c,X), X == a.    closure_ok0(C) :- msw(c,X), ( X \\== a ; X == a, cont(C) ).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from prism_repl.model.closures import (
    clause_term,
    collection_clauses,
    common_draw,
    contains_cut,
    delayed,
    other_patterns,
)
from prism_repl.model.first_order_goals import (
    ALWAYS_TRUE,
    FUNCTIONS,
    OPPOSITE_COMPARISONS,
    OPPOSITE_TESTS,
    PLAIN_TESTS,
)
from prism_repl.model.first_order_program import (
    CHOICES,
    FirstOrderError,
    Indicator,
    SourceClause,
    SourceProgram,
    indicators_in,
)
from prism_repl.model.formulas import IMPLICATIONS, equation, for_all, free_variables, implication, negated
from prism_repl.model.logic_terms import (
    FAIL,
    TRUE,
    conjunction,
    conjuncts,
    disjunction,
    equations,
    indicator,
    list_items,
    list_of,
    mentions,
    occurrences,
    renamed,
    substitute,
    variables_of,
    variant,
)
from prism_repl.model.simplification import Generated, simplified
from prism_repl.prolog.terms import Atom, Struct, Var


class Choice(Struct):
    """A disjunction of formulas: a continuation is written with one clause for each of its alternatives."""

    __slots__ = ()


@dataclass
class Closure:
    """closure_pK: for every answer of p, the continuation holds."""

    name: str
    predicate: Indicator
    modes: str


class FirstOrderCompiler:
    """Compiles one program. `is_system` says whether name/arity is a predicate of the system; `warn` takes a
    text; `watch` each formula as its compilation begins."""

    def __init__(
        self,
        program: SourceProgram,
        is_system: Callable[[str, int], bool],
        warn: Callable[[str], None],
        watch: Callable[[Any], None] | None = None,
    ) -> None:
        self.program, self.is_system, self.warn, self.watch = program, is_system, warn, watch
        self.probabilistic = program.probabilistic()
        self.closures: list[Closure] = []
        self.user_calls: list[tuple[Any, Any]] = []  # heads and bodies of user_q
        self.collections: set[int] = set()  # the N of closure_findallN
        self.continuations = 0  # how many fN there are
        self.written: list[Any] = []  # clauses caused by what is being compiled
        self.source: SourceClause

    def compiled(self) -> list[Any]:
        """The clauses and other terms of the compiled program."""
        output: list[Any] = []
        for item in self.program.items:
            if not isinstance(item, SourceClause):
                output.append(item)
                continue
            self.source, self.written = item, []
            body = self.positive(item.body)
            output += [*self.written, clause_term(item.head, body)]
        self.written = []
        made = 0
        definitions: list[Any] = []
        while made < len(self.closures):
            definitions.append(self.definition(self.closures[made]))
            made += 1
        output += self.written + definitions
        self.refuse_clashes()
        output = simplified(output, self.program.distribute, self.is_logical)
        output += [term for n in sorted(self.collections) for term in collection_clauses(n)]
        return output + [clause_term(head, body) for head, body in self.user_calls]

    def is_logical(self, name: Indicator) -> bool:
        """Whether it does not matter to a call when its variables are bound."""
        return (
            name in self.program.clauses or name[0] in ("msw", "=", "cont") or name[0].startswith("closure_")
        )

    def refuse_clashes(self) -> None:
        """The program must not define what the compiler makes."""
        made = {closure.name for closure in self.closures} | {str(head.name) for head, _ in self.user_calls}
        made |= {f"closure_findall{n}" for n in self.collections}
        if self.continuations:
            made.add("cont")
        for clauses in self.program.clauses.values():
            if indicator(clauses[0].head)[0] in made:
                raise FirstOrderError(
                    "the compiler makes a predicate of this name; rename yours",
                    clauses[0].head,
                    clauses[0].place,
                )

    def error(self, why: str, goal: Any) -> FirstOrderError:
        return FirstOrderError(why, goal, self.source.place)

    # formulas that are to hold

    def positive(self, formula: Any) -> Any:
        """The code of a formula."""
        name = indicator(formula)
        if name == (",", 2):
            return conjunction([self.positive(part) for part in conjuncts(formula)])
        if name == (";", 2):
            left, right = formula.args
            if indicator(left) == ("->", 2):
                return Struct(";", Struct("->", *map(self.positive, left.args)), self.positive(right))
            if indicator(left) == ("*->", 2):
                return formula
            return Struct(";", self.positive(left), self.positive(right))
        if name == ("exist", 2):
            names = renamed(self.quantified(formula))
            return self.positive(substitute(formula.args[1], names))
        if name in IMPLICATIONS:
            if self.watch is not None:
                self.watch(formula)
            if name == ("all", 2):
                self.quantified(formula)
            variables, condition, conclusion = implication(formula)
            return self.universal(variables, list(conjuncts(condition)), conclusion)
        return formula

    def quantified(self, formula: Any) -> list[Var]:
        variables = list_items(formula.args[0])
        if variables is None or not all(isinstance(v, Var) for v in variables):
            raise self.error("the first argument must be a list of variables", formula)
        return variables

    # for all `own`: if the literals hold, then so does the conclusion

    def universal(self, own: list[Var], literals: list[Any], then: Any) -> Any:
        if not literals:
            return self.positive(self.still_quantified(own, then))
        first, rest = literals[0], literals[1:]
        inside = set(free_variables(first))
        others = [v for v in own if v not in inside]
        own = [v for v in own if v in inside]
        if rest:
            then = for_all(others, conjunction(rest), then)
        else:
            then = self.still_quantified(others, then)
        return self.literal(own, first, then)

    def still_quantified(self, variables: list[Var], then: Any) -> Any:
        """The conclusion when these variables are still to be quantified: only an implication takes them."""
        parts = []
        for part in conjuncts(then):
            free = set(free_variables(part))
            inside = [v for v in variables if v in free]
            if not inside:
                parts.append(part)
            elif indicator(part) in IMPLICATIONS:
                if indicator(part) == ("all", 2):
                    inside, part = inside + (list_items(part.args[0]) or []), part.args[1]
                parts.append(Struct("all", list_of(inside), part))
            else:
                raise self.error(
                    "a quantified variable is bound by no goal before it is needed",
                    self.source.head if indicator(part)[0] == "cont" else part,
                )
        return conjunction(parts)

    def literal(self, own: list[Var], goal: Any, then: Any) -> Any:
        """The code of: for all `own` for which goal holds, then."""
        name = indicator(goal)
        if name == ("", 0):
            raise self.error("a goal must be known when the program is compiled", goal)
        if name in (("fail", 0), ("false", 0)):
            return TRUE
        if name == (",", 2):
            return self.universal(own, list(conjuncts(goal)), then)
        if name == ("true", 0):
            return self.universal(own, [], then)
        if name == ("!", 0):
            raise self.error("a cut cannot be negated", goal)
        if name == (";", 2):
            return self.alternatives(own, goal, then)
        if name == ("exist", 2):
            names = renamed(self.quantified(goal))
            inner = substitute(goal.args[1], names)
            return self.universal(own + list(names.values()), [inner], then)
        if name == ("call", 1):
            return self.literal(own, goal.args[0], then)
        if name in IMPLICATIONS:
            return self.negated_implication(own, goal, then)
        if name == ("=", 2):
            return self.equality(own, goal.args[0], goal.args[1], then)
        if name == ("msw", 2):
            return self.switch(own, goal, then)
        if name in CHOICES:
            raise self.error("only msw/2 can be negated", goal)
        return self.atom(own, name, goal, then)

    def atom(self, own: list[Var], name: Indicator, goal: Any, then: Any) -> Any:
        """An ordinary call."""
        program = self.program
        if name in program.modes:
            return self.function_call(own, goal, then, program.modes[name])
        if name in program.probabilistic_modes and then != FAIL:
            self.inputs_known(own, goal, program.probabilistic_modes[name])
            found = conjunction([goal, self.positive(then)])
            names = renamed(own)
            return Struct(";", self.call(list(names.values()), substitute(goal, names), FAIL), found)
        if name in program.dynamic:
            return self.dynamic_call(own, goal, then)
        if name in program.clauses:
            if self.has_control(name):
                return self.collected(own, goal, then)
            return self.call(own, goal, then)
        if program.use_built_in:
            if name == ("\\+", 1):
                return self.negation_as_failure(own, goal, then)
            if name in OPPOSITE_COMPARISONS or name in OPPOSITE_TESTS or name in PLAIN_TESTS:
                return self.test(own, name, goal, then)
            if name in ALWAYS_TRUE:
                self.refuse_quantified(own, goal)
                return conjunction([goal, self.positive(then)])
            if name in FUNCTIONS:
                return self.built_in_function(own, name, goal, then)
            if self.is_system(*name):
                return self.collected(own, goal, then)
        raise self.error(
            f"{name[0]}/{name[1]} has no clauses in the program, so its negation cannot be made", goal
        )

    def alternatives(self, own: list[Var], goal: Any, then: Any) -> Any:
        left, right = goal.args
        if indicator(left) == ("*->", 2):
            raise self.error("*-> cannot be negated", goal)
        if indicator(left) == ("->", 2):
            condition, chosen = left.args
            self.refuse_probabilistic(condition, "the condition of an if-then-else is probabilistic")
            names = renamed(own)
            bound = [v for v in own if mentions(condition, [v])]
            return Struct(
                ";",
                Struct(
                    "->",
                    self.positive(condition),
                    self.universal([v for v in own if v not in bound], [chosen], then),
                ),
                self.universal(list(names.values()), [substitute(right, names)], substitute(then, names)),
            )
        first = self.universal(own, [left], then)
        names = renamed(own)
        second = self.universal(list(names.values()), [substitute(right, names)], substitute(then, names))
        return conjunction([first, second])

    def negated_implication(self, own: list[Var], goal: Any, then: Any) -> Any:
        """If (all V: A -> B) then C: some A without B, or the implication and C."""
        if own:
            raise self.error("a variable quantified outside occurs in an implication on the left", goal)
        if indicator(goal) == ("all", 2):
            self.quantified(goal)
        _, condition, conclusion = implication(goal)
        if then == FAIL and conclusion == FAIL:
            return self.positive(condition)
        holds = None if then == FAIL else conjunction([self.positive(goal), self.positive(then)])
        without = conjunction([self.positive(condition), self.universal([], [conclusion], FAIL)])
        return without if holds is None else Choice(";", without, holds)

    def equality(self, own: list[Var], left: Any, right: Any, then: Any) -> Any:
        found = equations(left, right)
        if found is None:
            return TRUE
        if not found:
            return self.universal(own, [], then)
        (variable, term), rest = found[0], [equation(*pair) for pair in found[1:]]
        if variable not in own and isinstance(term, Var) and term in own:
            variable, term = term, variable
        if variable in own:
            if mentions(term, [variable]):
                return TRUE  # no finite term contains itself
            values = {variable: term}
            own = [v for v in own if v is not variable]
            return self.universal(own, [substitute(e, values) for e in rest], substitute(then, values))
        own = [v for v in own if not mentions(term, [v])]
        found_equal = equation(variable, term)
        if then == FAIL and not rest:
            return negated(found_equal)
        # what follows may see the variable as the term
        return Struct(";", negated(found_equal), conjunction([found_equal, self.universal(own, rest, then)]))

    def switch(self, own: list[Var], goal: Any, then: Any) -> Any:
        name, value = goal.args
        if mentions(name, own):
            raise self.error("the name of a switch contains a quantified variable", goal)
        drawn = Var()
        equal = equation(drawn, value)
        draw = Struct("msw", name, drawn)
        if then == FAIL:
            return conjunction([draw, negated(equal)])
        return conjunction([draw, Struct(";", negated(equal), conjunction([equal, self.positive(then)]))])

    def test(self, own: list[Var], name: Indicator, goal: Any, then: Any) -> Any:
        self.refuse_quantified(own, goal)
        if name in OPPOSITE_COMPARISONS:
            holds = conjunction([goal, self.positive(then)])
            return Struct(";", holds, Struct(OPPOSITE_COMPARISONS[name], *goal.args))
        opposite = Struct(OPPOSITE_TESTS[name], *goal.args) if name in OPPOSITE_TESTS else negated(goal)
        return Struct(";", opposite, conjunction([goal, self.positive(then)]))

    def negation_as_failure(self, own: list[Var], goal: Any, then: Any) -> Any:
        self.refuse_quantified(own, goal)
        inner = goal.args[0]
        self.refuse_probabilistic(inner, "\\+ of a probabilistic goal; use not/1")
        if then == FAIL:
            return inner
        return Struct(";", inner, conjunction([goal, self.positive(then)]))

    def refuse_quantified(self, own: list[Var], goal: Any) -> None:
        if own:
            raise self.error("a built-in predicate with a quantified variable that no goal binds", goal)

    def refuse_probabilistic(self, goal: Any, why: str) -> None:
        if indicators_in(goal) & (self.probabilistic | CHOICES):
            raise self.error(why, goal)

    def inputs_known(self, own: list[Var], goal: Any, modes: list[str]) -> None:
        for argument, mode in zip(goal.args, modes, strict=True):
            if mode == "+" and mentions(argument, own):
                raise self.error("a quantified variable in an argument that is declared +", goal)

    def built_in_function(self, own: list[Var], name: Indicator, goal: Any, then: Any) -> Any:
        """A built-in predicate that computes outputs from inputs."""
        outputs_of, may_fail = FUNCTIONS[name]
        local = {0, 1} if name[0] in ("findall", "bagof", "setof") else set()
        if local:
            self.refuse_probabilistic(goal, "the solutions of a probabilistic goal cannot be collected")
        for outputs in outputs_of:
            inputs = [a for i, a in enumerate(goal.args) if i not in outputs and i not in local]
            if not mentions(list_of(inputs), own):
                break
        else:
            raise self.error("a built-in predicate with a quantified variable that no goal binds", goal)
        values = [goal.args[i] for i in outputs]
        if not own:
            if then == FAIL and name != ("is", 2):
                return negated(goal)
            return Struct(";", conjunction([goal, self.positive(then)]), negated(goal))
        counts = occurrences(goal)
        plain = all(isinstance(v, Var) and v in own and counts[v] == 1 for v in values)
        if plain:
            code = conjunction([goal, self.positive(then)])
        else:
            results = [Var() for _ in values]
            args = list(goal.args)
            for i, result in zip(outputs, results, strict=True):
                args[i] = result
            goal = Struct(name[0], *args)
            needed = {*variables_of(*values), *free_variables(then)}
            left = [v for v in own if v in needed]
            pairs = [equation(r, v) for r, v in zip(results, values, strict=True)]
            code = conjunction([goal, self.universal(left, pairs, then)])
        return Struct(";", code, negated(goal)) if may_fail else code

    def function_call(self, own: list[Var], goal: Any, then: Any, modes: list[str]) -> Any:
        """A predicate under built_in_mode: it has one answer or none, and is called as it is."""
        self.inputs_known(own, goal, modes)
        if then == FAIL:
            return negated(goal)
        answer = Var()
        args = goal.args if isinstance(goal, Struct) else ()
        call = Struct(f"user_{indicator(goal)[0]}", answer, *args)
        self.note_user_call(goal)
        yes, no = (Struct("==", answer, Atom(word)) for word in ("true", "false"))
        return conjunction([call, Struct(";", no, conjunction([yes, self.positive(then)]))])

    def note_user_call(self, goal: Any) -> None:
        answer = Var()
        goal = substitute(goal, renamed(variables_of(goal)))
        args = goal.args if isinstance(goal, Struct) else ()
        head = Struct(f"user_{indicator(goal)[0]}", answer, *args)
        if any(variant(head, old) for old, _ in self.user_calls):
            return
        tried = Struct(
            ";",
            conjunction([goal, equation(answer, Atom("true"))]),
            equation(answer, Atom("false")),
        )
        self.user_calls.append((head, conjunction([tried, Atom("!")])))

    def dynamic_call(self, own: list[Var], goal: Any, then: Any) -> Any:
        if own:
            return self.collected(own, goal, then)
        ground = Struct("ground", goal)
        fails = conjunction([ground, negated(goal)])
        if then == FAIL:
            return fails
        return Struct(";", conjunction([ground, goal, self.positive(then)]), fails)

    def has_control(self, name: Indicator) -> bool:
        """Whether clauses of a predicate cut: then its answers are collected, which needs no look into it."""
        for clause in self.program.clauses[name]:
            if contains_cut(clause.body):
                if name in self.probabilistic:
                    raise FirstOrderError("a cut in a predicate that is negated", clause.head, clause.place)
                return True
        return False

    def collected(self, own: list[Var], goal: Any, then: Any) -> Any:
        """A goal that depends on no switch: its answers are collected where the program runs."""
        self.refuse_probabilistic(goal, "a probabilistic goal inside of a goal that cannot be looked into")
        counts = occurrences(self.source.head, self.source.body)
        for v in variables_of(goal):
            if v not in own and counts.get(v) == 1:
                raise self.error("a variable that occurs nowhere else; list it in all/2 or exist/2", goal)
        if then == FAIL:
            return negated(goal)
        in_conclusion = set(free_variables(then))
        needed = [v for v in own if v in in_conclusion]
        if not needed:
            return Struct(";", negated(goal), conjunction([negated(negated(goal)), self.positive(then)]))
        size = len(needed)
        self.collections.add(size)
        found, answers = Var(), Var()
        answer = needed[0] if size == 1 else Struct("y", *needed)
        continuation = self.continuation(own, needed, then)
        return conjunction(
            [
                Struct("findall", answer, goal, found),
                Struct("sort", found, answers),
                Struct(f"closure_findall{size}", answers, continuation),
            ]
        )

    # closures and continuations

    def call(self, own: list[Var], goal: Any, then: Any) -> Any:
        """A call of a predicate of the program."""
        args = goal.args if isinstance(goal, Struct) else ()
        counts = occurrences(goal)
        needed = set(free_variables(then))
        modes = ""
        for argument in args:
            if not mentions(argument, own):
                modes += "+"
            elif isinstance(argument, Var) and counts[argument] == 1 and argument not in needed:
                modes += "*"
            else:
                modes += "-"
        closure = self.closure(indicator(goal), modes)
        inputs = [a for a, mode in zip(args, modes, strict=True) if mode == "+"]
        outputs = [a for a, mode in zip(args, modes, strict=True) if mode == "-"]
        return Struct(closure.name, *inputs, self.continuation(own, outputs, then))

    def closure(self, predicate: Indicator, modes: str) -> Closure:
        same_predicate = [c for c in self.closures if c.predicate == predicate]
        for closure in same_predicate:
            if closure.modes == modes:
                return closure
        number = sum(c.predicate[0] == predicate[0] for c in self.closures)
        closure = Closure(f"closure_{predicate[0]}{number}", predicate, modes)
        self.closures.append(closure)
        return closure

    def continuation(self, own: list[Var], outputs: list[Any], then: Any) -> Any:
        """What is to hold of the outputs of an answer, as a term; its clauses are written."""
        number = self.continuations
        self.continuations += 1
        if indicator(then)[0] == "cont" and len(then.args) == len(outputs) + 1:
            plain = all(a is b for a, b in zip(then.args, outputs, strict=False))
            if plain and all(v in own for v in outputs) and len(set(outputs)) == len(outputs):
                return then.args[-1]
        parameters = [v for v in dict.fromkeys(free_variables(then) + variables_of(*outputs)) if v not in own]
        name = f"f{number}"
        term = Struct(name, *parameters) if parameters else Atom(name)
        heads: list[Any] = []
        pairs = []
        for output in outputs:
            if isinstance(output, Var) and output in own and output not in heads:
                heads.append(output)
            else:
                heads.append(Var())
                pairs.append(equation(heads[-1], output))
        head = Struct("cont", *heads, term)
        bodies: list[Any] = []
        for i, pair in enumerate(pairs):
            bodies.append(conjunction([*pairs[:i], negated(pair)]))
        if then != FAIL:
            code = self.positive(then)
            for part in code.args if isinstance(code, Choice) else [code]:
                bodies.append(conjunction([*pairs, part]))
        self.written += [Generated(head, body) for body in bodies]
        return term

    def definition(self, closure: Closure) -> Generated:
        """The clause of a closure, from all clauses of its predicate."""
        clauses = self.program.clauses[closure.predicate]
        self.warn_of_two_draws(clauses)
        inputs = [Var() for mode in closure.modes if mode == "+"]
        after = Var()
        parts = []
        for clause in clauses:
            self.source = clause
            parts.append(self.clause_part(closure, clause, inputs, after))
        if self.program.delay_disequalities:
            body = delayed(parts)
        else:
            body = conjunction([disjunction(part) if len(part) > 1 else part[0] for part in parts])
        return Generated(Struct(closure.name, *inputs, after), body)

    def clause_part(self, closure: Closure, clause: SourceClause, inputs: list[Var], after: Var) -> list[Any]:
        """What a clause adds to a closure: alternatives, the last of which is that its head fits."""
        names = renamed(variables_of(clause.head, clause.body))
        head, body = substitute(clause.head, names), substitute(clause.body, names)
        args = head.args if isinstance(head, Struct) else ()
        given = [a for a, mode in zip(args, closure.modes, strict=True) if mode == "+"]
        outputs = [a for a, mode in zip(args, closure.modes, strict=True) if mode == "-"]
        linear = all(n == 1 for n in occurrences(*given).values())
        values: dict[Var, Any] = {}
        repeated, patterns = [], []
        sorts = self.input_sorts(closure)
        for x, argument, sort in zip(inputs, given, sorts, strict=True):
            if not isinstance(argument, Var):
                patterns.append((x, argument, sort))
            elif argument in values:
                repeated.append((x, values[argument], None))
            else:
                values[argument] = x
        known = set(variables_of(*given))
        inner = [v for v in dict.fromkeys(variables_of(head) + free_variables(body)) if v not in known]
        body = substitute(body, values)
        then = Struct("cont", *(substitute(a, values) for a in outputs), after)
        code = self.universal(inner, list(conjuncts(body)), then)
        result = [code]
        for x, argument, sort in reversed(repeated + patterns):
            argument = substitute(argument, values)
            others = other_patterns(argument, sort) if linear and sort is not None else None
            if others is None:
                fails = [negated(equation(x, argument))]
            else:
                fails = [equation(x, other) for other in others]
            result = [*fails, conjunction([equation(x, argument), disjunction(result)])]
        return result

    def input_sorts(self, closure: Closure) -> list[Any]:
        declared = self.program.argument_sorts.get(closure.predicate)
        if declared is None:
            return [None] * closure.modes.count("+")
        return [
            self.program.sorts.get(sort) if isinstance(sort, str) else None
            for sort, mode in zip(declared, closure.modes, strict=True)
            if mode == "+"
        ]

    def warn_of_two_draws(self, clauses: list[SourceClause]) -> None:
        """The clauses of a negated predicate must all fail: two that draw the same switch draw it twice."""
        for i, first in enumerate(clauses):
            for second in clauses[:i]:
                goal = common_draw(second, first)
                if goal is not None:
                    a, b = second.place, first.place
                    name, arity = indicator(first.head)
                    self.warn(
                        f"both clauses of {name}/{arity} draw the same "
                        f"switch ({a.file}, {a.line}-{a.last_line} and {b.line}-{b.last_line}); its negation "
                        "draws it twice: draw it once, before the clauses part"
                    )
                    return

"""What Python programs ask a session about probabilities: goals are text or terms, results Python values."""

from __future__ import annotations

import difflib
import math
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from numbers import Integral
from typing import TYPE_CHECKING, Any

from prism_repl.answers import Answer
from prism_repl.flags import ON_OFF as SWITCHED
from prism_repl.flags import TABLE, Kind
from prism_repl.learning.events import LearnEvents
from prism_repl.model.switches import fetch
from prism_repl.pictures.graphs import GraphPicture
from prism_repl.pictures.trees import Tree
from prism_repl.prolog.queries import TOKEN
from prism_repl.prolog.terms import Struct, Term, Var, to_python
from prism_repl.results import LearnProgress, LearnStatistics, Switch, Viterbi

if TYPE_CHECKING:
    import numpy as np

    from prism_repl.tables import Answers


class ProgressListener(LearnEvents):
    """Tells a function how learning goes on; keeps the exception that the function raised."""

    def __init__(self, tell: Callable[[LearnProgress], object]) -> None:
        self.tell = tell
        self.run, self.runs = 0, 1
        self.error: BaseException | None = None

    def run_started(self, run: int, n_runs: int) -> None:
        self.run, self.runs = run, n_runs

    def evaluated(self, iteration: int, objective: float, likelihood: float, prior: float | None) -> None:
        self.report(iteration, objective, None)

    def run_ended(self, iterations: int, converged: bool, objective: float) -> None:
        self.report(iterations, objective, converged)

    def report(self, iteration: int, objective: float, converged: bool | None) -> None:
        try:
            self.tell(LearnProgress(self.run, self.runs, iteration, objective, converged))
        except Exception as error:
            self.error = error
            raise


class Probabilities(ABC):
    """The part of a session that knows about goals and their probabilities."""

    machine: Any
    lock: Any

    @abstractmethod
    def turn(self) -> AbstractContextManager[None]: ...

    @abstractmethod
    def ask(self, query: str | Term, timeout: float | None = None) -> Generator[Answer, None, None]: ...

    @abstractmethod
    def all(self, query: str | Term, limit: int | None = None, timeout: float | None = None) -> Answers: ...

    @abstractmethod
    def once(self, query: str | Term, timeout: float | None = None) -> Answer: ...

    @abstractmethod
    def call(self, predicate: str, *arguments: Term) -> Answer: ...

    @abstractmethod
    def term(self, text: str) -> Term: ...

    def as_term(self, goal: str | Term) -> Term:
        """Text at the top is read; inside a term a str is an atom."""
        return self.term(goal) if isinstance(goal, str) else goal

    def as_value(self, value: Any) -> Term:
        """The value of a flag: text such as "uniform(2)" is read."""
        return self.term(value) if isinstance(value, str) and not value.isidentifier() else value

    def number(self, predicate: str, goal: str | Term) -> float | None:
        """P of predicate(Goal,P), None if it fails."""
        result = Var("Result")
        answer = self.call(predicate, self.as_term(goal), result)
        return float(answer["Result"]) if answer else None  # type: ignore[arg-type]

    def prob(self, goal: str | Term) -> float:
        """The probability of a goal, 0.0 if it has no explanation; its logarithm if log_scale is on."""
        value = self.number("prob", goal)
        if value is not None:
            return value
        return -math.inf if self.once("get_prism_flag(log_scale,on)") else 0.0

    def log_prob(self, goal: str | Term) -> float:
        """The natural logarithm of the probability of a goal, -inf if that is 0."""
        try:
            value = self.number("log_prob", goal)
        except Exception as error:
            if not is_log_of_zero(getattr(error, "term", None)):
                raise
            return -math.inf
        return -math.inf if value is None else value

    def log_probs(self, goals: Iterable[str | Term]) -> np.ndarray[Any, Any]:
        """The logarithms of the probabilities of many goals, which are searched together."""
        import numpy as np

        answer = self.once(Struct("log_prob_all", [self.as_term(goal) for goal in goals], Var("Logs")))
        return np.array(answer["Logs"], dtype=float)

    def viterbi(self, goal: str | Term) -> Viterbi | None:
        """The most probable explanation of a goal, None if there is none."""
        best = self.n_viterbi(goal, 1)
        return best[0] if best else None

    def n_viterbi(self, goal: str | Term, n: int) -> list[Viterbi]:
        """The n most probable explanations of a goal, the best first."""
        if isinstance(goal, Integral):
            raise TypeError(f"a goal is a text or a term, not {goal!r}")
        if not isinstance(n, Integral):
            raise TypeError(f"n must be an integer in n_viterbi(goal, n): {n!r}")
        goal = self.as_term(goal)
        answer = self.call("n_viterbif", int(n), goal, Var("Found"))
        if not answer:
            return []
        found = answer["Found"]
        assert isinstance(found, list)
        return [Viterbi(float(e.args[1]), e.args[2], self.explanation_tree(e.args[2])) for e in found]

    def explanation_tree(self, explanation: Term) -> Tree:
        answer = self.once(Struct("viterbi_tree", explanation, Var("Tree")))
        return tree_of(answer["Tree"])

    def hindsight(
        self, goal: str | Term, pattern: str | Term = "_", conditional: bool = True
    ) -> dict[Term, float]:
        """The probabilities of the subgoals that match a pattern, given the goal (or, not conditional,
        together with it)."""
        name = "chindsight" if conditional else "hindsight"
        answer = self.call(name, self.as_term(goal), self.as_term(pattern), Var("Found"))
        found = answer["Found"] if answer else []
        assert isinstance(found, list)
        return {subgoal: float(p) for subgoal, p in found}

    def graph(self, goal: str | Term) -> GraphPicture | None:
        """The explanation graph of a goal with its probabilities, the best explanation marked; a notebook
        shows its picture. None if the goal has no explanation."""
        with self.lock:
            self.machine.state["picture"] = None
            self.once(Struct("$picture", "graph", self.as_term(goal)))
            picture: GraphPicture | None = self.machine.state.pop("picture")
        return picture

    @property
    def flags(self) -> FlagValues:
        """PRISM's flags as attributes: `session.flags.learn_mode = "vb"`; on and off are True and False."""
        return FlagValues(self)

    def switch_frame(self, pattern: str | Term = "_") -> Any:
        """The switches that match as a pandas DataFrame: a row for each outcome, with its parameter."""
        import pandas

        rows = [
            (str(switch.name), str(outcome), p, switch.fixed)
            for switch in self.switches(pattern)
            for outcome, p in zip(switch.outcomes, switch.parameters.tolist(), strict=True)
        ]
        return pandas.DataFrame(rows, columns=["switch", "outcome", "probability", "fixed"])

    def sample(self, goal: str | Term, n: int = 1) -> list[Term]:
        """n samples of a goal."""
        answer = self.call("get_samples", n, self.as_term(goal), Var("Samples"))
        samples = answer["Samples"] if answer else []
        assert isinstance(samples, list)
        return samples

    def learn(
        self,
        goals: Any,
        goal: str | None = None,
        *,
        progress: Callable[[LearnProgress], object] | None = None,
    ) -> LearnStatistics:
        """Learn parameters from observed goals; the flags say how. The result are the statistics.

        Goals are text or terms, or pairs of these with counts, from any iterable, or a mapping from goals to
        counts (a Counter). With a
        `goal` such as "person({type},{age})" they are the rows of a table, a DataFrame or dicts: each row is
        that goal with its values in place of the names of the columns; what is missing (None, NaN) is a
        variable.
        What PRISM prints while it learns goes to the session's output. `progress` is called at each
        iteration and at the end of each run; if it raises an exception, learning ends with it and the
        switches stay as they were.
        """
        if goal is not None:
            goals = Counter(self.goals_of(goals, goal))
        elif hasattr(goals, "columns"):
            raise TypeError('for a table, say which goal a row is: learn(table, "goal({column})")')
        if isinstance(goals, (str, Struct)):
            goals = [goals]
        if isinstance(goals, Mapping):
            goals = goals.items()
        observed = [
            self.observed(*item) if isinstance(item, tuple) and len(item) == 2 else self.as_term(item)
            for item in goals
        ]
        listener = ProgressListener(progress) if progress is not None else None
        self.machine.prob.learn_listener = listener
        try:
            self.once(Struct("learn", observed))
        except Exception:
            if listener is not None and listener.error is not None:
                raise listener.error from None
            raise
        finally:
            self.machine.prob.learn_listener = None
        return self.statistics

    def learn_samples(self, goals: Iterable[str | Term], samples: Any) -> Iterator[LearnStatistics]:
        """Learn from several samples of the same goals at once: folds of a cross validation, or samples with
        replacement, which tell how sure parameters are.

        A sample says how often each of the goals was observed, 0 if it was not: `samples` is a list of lists,
        or an array with a row for each sample. The goals are searched once and all samples are learned side
        by side, on all threads; the flags say how, as for learn(). What comes back is to be iterated over:
        at each step the session has the parameters of the next sample, and the step's value are their
        statistics.
        """
        import numpy as np

        observed = [self.as_term(goal) for goal in goals]
        counts = np.asarray(samples)
        if counts.ndim != 2 or not len(counts) or counts.shape[1] != len(observed):
            raise ValueError(f"a sample must have a count for each of the {len(observed)} goals")
        if counts.dtype.kind not in "iub" or (counts < 0).any():
            raise ValueError("counts of goals must be integers, 0 or larger")
        if not counts.any(axis=1).all():
            raise ValueError("a sample is empty: all of its counts are 0")
        with self.lock:
            self.machine.prob.samples = counts
            try:
                self.once(Struct("$learn_samples", observed))
                learning = self.machine.prob.samples
            finally:
                self.machine.prob.samples = None
        return self.each_sample(learning, len(counts))

    def each_sample(self, learning: Any, n: int) -> Iterator[LearnStatistics]:
        for i in range(n):
            with self.turn():
                learning.use(i)
            yield self.statistics

    def observed(self, goal: str | Term, count: int) -> Term:
        """A goal with its count, which it may have already."""
        match term := self.as_term(goal):
            case Struct("count" | "goal", (_, int())) if count == 1:
                return term
        return Struct("count", term, plain(count))

    @property
    def statistics(self) -> LearnStatistics:
        """The statistics of the last learn; all of them are None if there was none."""
        m = self.machine
        with self.lock:
            observed = m.prob.statistics.get("observed")
            numbers = dict(m.prob.statistics.get("learn", {}))

        def goals() -> list[Term]:
            with self.turn():
                top = m.heap.H
                found = [to_python(m, fetch(m, goal)) for goal, _ in observed]
                m.heap.H = top
            return found

        return LearnStatistics.of(numbers, goals if numbers and observed is not None else None)

    def goals_of(self, table: Any, goal: str) -> list[Term]:
        """The goal for each row of a table."""
        form = RowGoal(self, goal)
        return [form.of(row) for row in rows_of(table)]

    def switch(self, name: str | Term) -> Switch:
        """A switch by its name."""
        name = self.as_term(name)
        answer = self.call("get_sw", name, Var("Status"), Var("Values"), Var("Parameters"))
        return switch_of(name, answer)

    def switches(self, pattern: str | Term = "_") -> list[Switch]:
        """The registered switches that match, in standard order."""
        name = Var("Name")
        found = Struct("get_sw", name, Var("Status"), Var("Values"), Var("Parameters"))
        query = Struct(",", Struct("=", name, self.as_term(pattern)), found)
        return [switch_of(answer["Name"], answer) for answer in self.all(query)]

    def set_switch(self, name: str | Term, parameters: Mapping[Any, float] | Iterable[float] | str) -> None:
        """Set the parameters of a switch: numbers, numbers by outcome, or the text of a distribution such as
        uniform."""
        if isinstance(parameters, Mapping):
            outcomes = [str(outcome) for outcome in self.switch(name).outcomes]
            given = {str(outcome): p for outcome, p in parameters.items()}
            if sorted(given) != sorted(outcomes):
                raise ValueError(f"the outcomes of {name} are {', '.join(outcomes)}, not {', '.join(given)}")
            parameters = [given[outcome] for outcome in outcomes]
        values = self.term(parameters) if isinstance(parameters, str) else [float(p) for p in parameters]
        self.once(Struct("set_sw", self.as_term(name), values))

    def switch_names(self) -> list[str]:
        """The names of the registered switches, as text."""
        return [answer.bindings[0][1] for answer in self.all("get_reg_sw(Name)")]


def switch_of(name: Term, answer: Answer) -> Switch:
    import numpy as np

    outcomes, parameters = answer["Values"], answer["Parameters"]
    assert isinstance(outcomes, list)
    return Switch(name, outcomes, np.array(parameters, dtype=float), answer["Status"] == "fixed")


def is_log_of_zero(ball: Term | None) -> bool:
    match ball:
        case Struct("error", (Struct("evaluation_error", ("undefined",)), _)):
            return True
    return False


def tree_of(term: Term) -> Tree:
    """[Goal,Child,...] as a tree of texts; msw(I,V) is I = V. Bottom up: it may be deep."""
    results: list[Tree] = []
    work: list[tuple[Term, bool]] = [(term, False)]
    while work:
        item, done = work.pop()
        if isinstance(item, list) and item and not done:
            work.append((item, True))
            work += [(child, False) for child in reversed(item[1:])]
        elif isinstance(item, list) and item:
            count = len(item) - 1
            children = tuple(results[len(results) - count :])
            del results[len(results) - count :]
            results.append(Tree.of(str(item[0]), children))
        elif isinstance(item, Struct) and item.name == "msw" and item.arity == 2:
            results.append(Tree.of(f"{item.args[0]} = {item.args[1]}"))
        else:
            results.append(Tree.of(str(item)))
    return results[0]


class RowGoal:
    """A goal with names (of columns, of Python variables) in braces, which becomes a term by their values."""

    COLUMN = re.compile(r"\{([^{}]+)\}")

    def __init__(self, session: Probabilities, text: str, name: re.Pattern[str] = COLUMN) -> None:
        quoted = [token.span() for token in TOKEN.finditer(text) if token.lastgroup in ("quoted", "layout")]
        self.places: dict[str, str] = {}  # variables that stand for names
        variables: dict[str, str] = {}
        parts, at = [], 0
        for match in name.finditer(text):
            if any(start <= match.start() < end for start, end in quoted):
                if name is self.COLUMN:
                    raise ValueError(
                        f"{match[0]} stands within quotes; without them its value is quoted as needed"
                    )
                continue
            # As long as what it replaces, so that the columns of errors are right.
            variable = variables.setdefault(match[1], f"C{len(variables)}_".ljust(len(match[0]), "_"))
            self.places[variable] = match[1].strip()
            parts += [text[at : match.start()], variable]
            at = match.end()
        self.term = session.term("".join([*parts, text[at:]]))

    def of(self, row: Mapping[Any, Any]) -> Term:
        """The term, with a row's values. Bottom up: it may be deep."""
        results: list[Term] = []
        work: list[tuple[Term, bool]] = [(self.term, False)]
        while work:
            item, done = work.pop()
            if not isinstance(item, (Struct, list)):
                results.append(self.filled(item, row))
                continue
            parts = item if isinstance(item, list) else item.args
            if not done:
                work.append((item, True))
                work += [(part, False) for part in reversed(parts)]
                continue
            first = len(results) - len(parts)
            made = results[first:]
            del results[first:]
            results.append(made if isinstance(item, list) else Struct(item.name, *made))
        return results[0]

    def filled(self, term: Term, row: Mapping[Any, Any]) -> Term:
        if isinstance(term, Var) and term.name in self.places:
            value = self.value(self.places[term.name], row)
            return Var() if is_missing(value) else plain(value)
        return term

    def value(self, name: str, row: Mapping[Any, Any]) -> Any:
        if name in row:
            return row[name]
        if name.isdigit() and int(name) in row:
            return row[int(name)]
        raise ValueError(f"there is no column {name}; there are {', '.join(map(str, row))}")


def is_missing(value: Any) -> bool:
    """None, NaN, or what pandas has for them."""
    return (
        value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and math.isnan(value))
    )


def plain(value: Any) -> Term:
    """A cell of a table as a term."""
    made: list[Any] = []
    work = [(value, made)]
    while work:  # lists in lists of any depth
        item, place = work.pop()
        if hasattr(item, "tolist"):  # of numpy
            item = item.tolist()
        if isinstance(item, (list, tuple)):
            items: list[Any] = []
            place.append(items)
            work.extend((part, items) for part in reversed(item))
        else:
            place.append(item if isinstance(item, (bool, int, float, str, Struct, Var)) else str(item))
    term: Term = made[0]
    return term


def rows_of(table: Any) -> Iterable[Mapping[Any, Any]]:
    """The rows of a DataFrame (of pandas or polars), of a mapping of columns, or dicts as they are."""
    if isinstance(table, (str, bytes)):  # its characters are no rows
        raise ValueError("a text is no table; wanted are a DataFrame, columns or rows as dicts")
    if hasattr(table, "to_dicts"):
        return list(table.to_dicts())
    if hasattr(table, "to_dict"):
        return list(with_integers(table).to_dict("records"))
    if isinstance(table, Mapping):
        return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    return list(table)


def with_integers(frame: Any) -> Any:
    """A DataFrame of pandas in which integers are integers: where some are missing, it makes them floats."""
    gaps = [
        name
        for name in frame.columns[frame.isna().any()]
        if frame[name].dtype.kind == "f" and frame[name].dropna().mod(1).eq(0).all()
    ]
    return frame.astype(dict.fromkeys(gaps, "Int64")).astype(dict.fromkeys(gaps, object)) if gaps else frame


class FlagValues:
    """The flags of a session as attributes."""

    KINDS: dict[str, Kind] = {flag.name: flag.kind for flag in TABLE}

    def __init__(self, session: Probabilities) -> None:
        object.__setattr__(self, "_session", session)

    def __getattr__(self, name: str) -> Any:
        if name not in self.KINDS:
            raise AttributeError(no_flag(name, self.KINDS))
        value = self._session.once(Struct("get_prism_flag", name, Var("Value")))["Value"]
        if self.KINDS[name] is SWITCHED:
            return value == "on"
        return str(value) if isinstance(value, str) else value

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.KINDS:
            raise AttributeError(no_flag(name, self.KINDS))
        if isinstance(value, bool) and self.KINDS[name] is SWITCHED:
            value = "on" if value else "off"
        self._session.once(Struct("set_prism_flag", name, self._session.as_value(value)))

    def __dir__(self) -> list[str]:
        return sorted(self.KINDS)

    def __repr__(self) -> str:
        return "\n".join(f"{name} = {getattr(self, name)!r}" for name in self)

    def __iter__(self) -> Iterator[str]:
        return iter(self.KINDS)


def no_flag(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"there is no flag {name}" + (f"; perhaps {near[0]}?" if near else "")

"""One run of learning: parameters from observed goals, with PRISM's report of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any, TypeVar

from prism_repl.arrays import Array, np
from prism_repl.core.errors import Interrupted
from prism_repl.flags import words_in_sum
from prism_repl.inference.interface import NotOffered, TooLarge
from prism_repl.inference.search import NoExplanation, Search, poll, refused, search
from prism_repl.inference.slices import Survey, search_slices
from prism_repl.learning.course import Course
from prism_repl.learning.events import Both, LearnEvents
from prism_repl.learning.expectations import Expecting
from prism_repl.learning.loop import Stopped, learn
from prism_repl.learning.methods import expecting_on
from prism_repl.learning.observations import Observations
from prism_repl.learning.problem import (
    DEFAULT_MAX_ITERATE,
    LearningError,
    LearnOptions,
    LearnResult,
    SwitchNumbers,
)
from prism_repl.learning.progress import ProgressLine, bar_text
from prism_repl.learning.report import ProgressText, mark
from prism_repl.learning.searching import SearchExpecting
from prism_repl.model import distributions
from prism_repl.model.messages import message, prism_error, runtime_error, say, text_of
from prism_repl.model.switches import Switch, keep
from prism_repl.predicates.checkpoints import Checkpoint
from prism_repl.predicates.learning_text import below, statistics_text, write_graphs
from prism_repl.predicates.probability import short_text

Found = TypeVar("Found", Search, Survey)

MESSAGES = ("search", "em", "stats", "misc")
CLOSING = {"ml": "show_sw", "vb": "show_sw_a/show_sw_d", "both": "show_sw_pa/show_sw_pd"}


class Learning:
    """One call of learn: search, report, learn, and only then store what was learned. With `cyclic` it is
    reported as lin_learn and its relatives do, which know no annealing."""

    objective_name = ""  # in pictures, if it is no likelihood
    anneals = True  # if the flag daem says so

    def __init__(
        self,
        m: Any,
        observed: Observations,
        mode: str,
        cyclic: bool = False,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self.m, self.observed, self.mode, self.cyclic = m, observed, mode, cyclic
        self.flags = m.prob.flags
        chosen = self.flags["learn_message"]
        words = MESSAGES if chosen == "all" else () if chosen == "none" else words_in_sum(chosen) or ()
        self.messages = set(words)
        self.variational = not mode.startswith("ml")
        self.checkpoint = checkpoint
        self.course = Course()
        self.reset: list[Switch] = []  # whose hyperparameters go back to their defaults
        self.within_line = False  # whether a line of the report is not complete
        output = m.streams.current_output
        at_margin = output is m.streams.user_output and output.column == 0
        live = self.flags["progress_style"] == "live" and at_margin
        self.line = ProgressLine(self.put, m.prob.show_progress if live else None)
        self.routine = "VT" if mode.endswith("_vt") else "EM"  # as the report calls it
        self.annealing = self.anneals and self.flags["daem"] == "on" and not cyclic
        if observed.failure is not None and self.annealing:
            raise prism_error(m, "1305", runtime_error("daem_with_failure"))

    def put(self, text: str) -> None:
        say(self.m, text)
        self.m.streams.current_output.flush()

    def say(self, group: str, text: str) -> None:
        if group in self.messages and text:
            self.line.write(text)
            self.within_line = not text.endswith("\n")

    def run(self, called: str) -> bool:
        """Learn; `called` is the predicate that does it."""
        self.m.prob.statistics.pop("learn", None)  # a run that ends in an error leaves none, as in PRISM
        try:
            return self.learn()
        except KeyboardInterrupt:
            self.interrupted()
            raise Interrupted(f"error(prism_runtime_error(ctrl_c_pressed),{called})") from None
        finally:
            self.line.finish()

    def learn(self) -> bool:
        m = self.m
        started = time.perf_counter()
        self.reset = m.prob.switches.to_set(m, m.new_var()) if self.resets() else []
        found: Search | Survey = self.survey() if self.searches_anew() else self.search()
        numbers = self.numbers(found)
        self.say("misc", "done\n")
        if isinstance(found, Search):
            found.refuse_cycle()
        self.write_graphs(found)
        if self.flags["clean_table"] == "on":
            m.tabling.clear_tables()  # only numbers are needed from here on
        options = self.options(found)
        if self.checkpoint is not None:
            self.checkpoint.found = found
        try:
            expecting = self.expecting(found, options)
            result = self.learned(found, numbers, options, expecting)
            if result is None:
                return False
        except (NotOffered, TooLarge) as error:
            self.line.finish()
            raise refused(m, error, self.goal_above(found, error)) from None
        except LearningError as error:
            raise self.error(found, error) from None
        except Stopped as stopped:
            self.stopped(found, stopped.result, started)
            raise
        self.take(found, result)
        seconds = time.perf_counter() - started
        self.note(found, result, seconds)
        if "stats" in self.messages:
            self.say("stats", statistics_text(found, result, self.variational, seconds))
        closing = CLOSING[self.mode.removesuffix("_vt")]
        self.say("misc", f"Type {closing} to show the probability distributions.\n")
        return True

    def learned(
        self,
        found: Search | Survey,
        numbers: SwitchNumbers,
        options: LearnOptions,
        expecting: Expecting | None,
    ) -> LearnResult | None:
        """The best run; None if the flags ask for what this way of learning cannot do."""
        m = self.m
        return learn(
            found.graph, numbers, options, m.prob.random, self.events(), expecting, poll(m), self.watch
        )

    # ---- interrupts

    def watch(self, so_far: Callable[[], LearnResult | None]) -> None:
        if self.checkpoint is not None:
            self.checkpoint.so_far = so_far

    def interrupted(self) -> None:
        if self.within_line:
            self.line.write("(Interrupted)\n")
            self.within_line = False

    def stopped(self, found: Search | Survey, result: LearnResult, started: float) -> None:
        """Keep what was reached, if there is someone to ask who wants it."""
        m = self.m
        self.interrupted()
        self.line.finish()
        if self.checkpoint is not None:
            self.checkpoint.save()
            where = f"{self.checkpoint.path}: {self.checkpoint.restoring(result)} restores them"
            self.say("misc", f"The parameters reached so far are in {where}.\n")
        where = f"iteration {result.iterations}, {result.objective:.6f}"
        if m.prob.keep_learned is not None and m.prob.keep_learned(f"Keep the parameters of {where}? (y/n) "):
            self.take(found, result)
            self.note(found, result, time.perf_counter() - started)
        else:
            self.say("misc", f"The parameters are as they were; those of {where} are dropped.\n")

    def take(self, found: Search | Survey, result: LearnResult) -> None:
        """Store all of it or nothing."""
        try:
            self.store(found, result)
        except KeyboardInterrupt:
            self.store(found, result)
            raise

    # ---- before

    def search(self) -> Search:
        """All explanations of the observed goals."""
        return self.searched(
            lambda progress: search(self.m, self.observed.goals, self.observed.counts, progress)
        )

    def searches_anew(self) -> bool:
        """Whether no graph is stored."""
        if self.flags["vt_search"] == "off" or not self.mode.endswith("_vt"):
            return False
        if self.flags["trials"] == "once":
            error = NotOffered("where switches are thrown once, graphs are stored: vt_search must be off")
            raise refused(self.m, error, self.observed.goals[0])
        return True

    def survey(self) -> Survey:
        """The switches of the explanations of the observed goals, which are searched and forgotten."""
        goals, counts = self.observed.goals, self.observed.counts
        return self.searched(lambda progress: Survey(self.m, goals, counts, progress))

    def write_graphs(self, found: Search | Survey) -> None:
        """The explanation graphs, if the flag verb asks for them."""
        counts = self.observed.counts
        if self.flags["verb"] not in ("graph", "full"):
            return
        if isinstance(found, Search):
            write_graphs(found, counts)
        else:
            search_slices(self.m, self.observed.goals, lambda first, some: write_graphs(some, counts, first))

    def expecting(self, found: Search | Survey, options: LearnOptions) -> Expecting | None:
        """How counts are found, if not simply from the graph."""
        if isinstance(found, Survey):
            return SearchExpecting(self.m, self.observed.goals, found.graph.instance_ids, options.vt_best)
        return expecting_on(found.graph, options, self.flags, poll(self.m))

    def searched(self, run: Callable[[Callable[[int], None]], Found]) -> Found:
        """Search with marks of progress."""
        m = self.m
        every = self.flags["search_progress"]
        total = len(self.observed.goals)
        at = 0
        shown = "search" in self.messages and self.line.show is not None

        def progress(i: int) -> None:
            nonlocal at
            at = i
            if i == total:
                self.say("search", f"({total})\n")
                self.say("misc", self.exporting())
                return
            if i % every == 0:
                self.say("search", mark(i, every))
            if shown:
                show()

        def show() -> None:
            """Also within one goal, which may take long: then what is tabled grows."""
            self.line.status(
                lambda seconds: (
                    f"{bar_text('#goals:', at, total, seconds)}  {m.tabling.tables.node_count} subgoals"
                )
            )

        m.interrupts.watcher = show if shown else None
        self.say("search", "#goals: ")
        try:
            return run(progress)
        except NoExplanation as missing:
            self.line.finish()
            raise prism_error(m, "1306", runtime_error("explanation_not_found"), missing.goal) from None
        finally:
            m.interrupts.watcher = None

    def exporting(self) -> str:
        """What the report says after the search, while the numbers of the switches are fetched."""
        return f"Exporting switch information to the {self.routine} routine ... "

    def resets(self) -> bool:
        """Whether hyperparameters go back to their defaults first."""
        return self.variational and self.flags["reset_hparams"] == "on"

    def numbers(self, found: Search | Survey) -> SwitchNumbers:
        """The numbers of the graph's switches to start from."""
        m, graph, switches = self.m, found.graph, self.m.prob.switches
        theta = switches.parameters()[graph.instance_ids]
        fixed, fixed_h = switches.fixed()
        _, deltas = switches.hyperparameters(m, graph.switch_ids.tolist())
        if self.resets():
            for switch in (switches[number] for number in graph.switch_ids.tolist()):
                if not switch.fixed_h:
                    deltas[switch.base : switch.base + switch.size] = self.defaults(switch.size)[1]
        return SwitchNumbers(
            theta, deltas[graph.instance_ids], fixed[graph.switch_ids], fixed_h[graph.switch_ids]
        )

    def defaults(self, size: int) -> Any:
        """Default alphas and deltas of a switch."""
        try:
            return distributions.hyperparameters("default", size, "d", self.flags)
        except distributions.Unavailable:
            error = runtime_error("default_hyperparameters_unavailable")
            raise prism_error(self.m, "0203", error) from None

    def options(self, found: Search | Survey) -> LearnOptions:
        flags = self.flags
        limit = flags["max_iterate"]
        return LearnOptions(
            mode=self.mode,
            init=flags["init"],
            restart=flags["restart"],
            epsilon=float(flags["epsilon"]),
            max_iterate=DEFAULT_MAX_ITERATE if limit == "default" else None if limit == "inf" else limit,
            std_ratio=float(flags["std_ratio"]),
            daem=self.annealing,
            itemp_init=float(flags["itemp_init"]),
            itemp_rate=float(flags["itemp_rate"]),
            log_scale=flags["log_scale"] == "on",
            refuse_zero=flags["log_scale"] == "on",  # as PRISM does: tiny pseudo counts are the remedy
            threads=self.threads(found),
            vt_best=flags["vt_best"],
            failure=self.observed.failure,
            init_order=self.init_order(found),
        )

    def threads(self, found: Search | Survey) -> int:
        threads = self.flags["threads"]
        if isinstance(found, Survey):
            return 1  # the machine searches one goal at a time
        return os.cpu_count() or 1 if threads in (0, "auto") else int(threads)

    def init_order(self, found: Search | Survey) -> list[int]:
        """The graph's switches in the order in which they are initialised."""
        place = {number: i for i, number in enumerate(found.graph.switch_ids.tolist())}
        if self.flags["fix_init_order"] == "off":
            asked = [number for number in place if number not in found.met]  # by goals that are an msw
            return [place[number] for number in found.met + asked if number in place]
        switches = self.m.prob.switches
        return [place[s.number] for s in switches.in_order(self.m, [switches[n] for n in place])]

    def events(self) -> LearnEvents:
        """Who is told how the runs go on."""
        listener = self.m.prob.learn_listener
        events = Both(self.report() if "em" in self.messages else LearnEvents(), self.course)
        for other in (listener, self.checkpoint):
            if other is not None:
                events = Both(events, other)
        return events

    def report(self) -> LearnEvents:
        """PRISM's text for the runs."""
        m, flags = self.m, self.flags

        def warn(goal: int) -> None:
            self.line.write("\n")
            message(m, "WARNING", "4005", short_text(m, self.observed.goals[goal]))

        return ProgressText(
            lambda text: self.say("em", text),
            self.mode,
            flags["em_progress"],
            flags["verb"] in ("em", "full"),
            flags["show_itemp"] == "on",
            warn,
            self.line,
            self.cyclic,
        )

    def error(self, found: Search | Survey, error: LearningError) -> Exception:
        """PRISM's error for what went wrong, with the goal or the switch that is to blame."""
        m = self.m
        self.line.finish()
        text = error.message
        if error.reason == "no_finite_probability" and self.annealing:
            text += " at the temperatures that the flag daem asks for; lin_learn does without it"
        if error.goal is not None:
            text += " -- " + short_text(m, self.observed.goals[error.goal])
        if error.instance is not None:
            text += " -- " + text_of(m, found.switch_cell(error.instance))
        formal = runtime_error(error.reason)
        formal.announcement = f"***  PRISM ERROR: {text}\n"
        return formal

    def goal_above(self, found: Search | Survey, error: NotOffered | TooLarge) -> int:
        """The observed goal that inference was at work on, if it is known."""
        node = getattr(error, "node", None)
        if isinstance(found, Survey):
            return self.observed.goals[0]
        for root, goal in zip(found.graph.roots.tolist(), self.observed.goals, strict=True):
            if node is not None and node in below(found, root):
                return goal
        return self.observed.goals[0]

    # ---- after

    def store(self, found: Search | Survey, result: LearnResult) -> None:
        """Put what was learned into the switches."""
        switches, graph = self.m.prob.switches, found.graph
        ids = graph.switch_ids.tolist()
        numbers = [ids[i] for i in reversed(self.init_order(found))]  # the order of storing shows in listings

        def by_instance(values: Array) -> Array:
            array = np.zeros(switches.instances)
            array[graph.instance_ids] = values
            return array

        if result.alpha is not None:
            if self.resets():
                for switch in self.reset:
                    if not switch.fixed_h:
                        switches.store_hyperparameters(switch, *self.defaults(switch.size))
            switches.set_hyperparameters(numbers, by_instance(result.alpha))
        if result.theta is not None:
            switches.set_parameters(numbers, by_instance(result.theta))
        switches.set_expectations("vb" if self.variational else "ml", numbers, by_instance(result.counts))

    def note(self, found: Search | Survey, result: LearnResult, seconds: float) -> None:
        """Keep the statistics, the course and the observed goals."""
        m = self.m
        self.note_numbers(found, result, seconds)
        name = "free energy" if self.variational else "log likelihood"
        name = "log posterior" if "log_post" in result.statistics else name
        name = "squared error" if "squared_error" in result.statistics else name
        m.prob.statistics["course"] = (self.course.curves(result.best_run), self.objective_name or name)
        goals = [keep(m, goal) for goal in self.observed.goals]
        m.prob.statistics["observed"] = list(zip(goals, self.observed.counts, strict=True))

    def note_numbers(self, found: Search | Survey, result: LearnResult, seconds: float) -> None:
        """Keep the statistics."""
        m = self.m
        m.prob.statistics["graph"] = found.graph.statistics()
        if self.cyclic and self.mode.endswith("_vt"):  # as PRISM has it
            for score in ("bic", "cs"):
                result.statistics.pop(score, None)
        m.prob.statistics["learn"] = result.statistics | {
            "learn_time": seconds,
            "learn_search_time": found.seconds,
            "em_time": result.em_time,
        }

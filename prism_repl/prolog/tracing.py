"""What a tracer has to remember, and what it prints and asks at the ports of a goal.

The interpreter itself is library/tracing.pl; the top level runs a query through it while tracing is on.
"""

from collections.abc import Callable
from typing import Any

from prism_repl.core.cells import REF
from prism_repl.core.errors import Interrupted
from prism_repl.prolog.writer import write_term

Indicator = tuple[str, int]

LONGEST = 1000  # bytes of a goal; longer ones are shown without the rest

HELP = """\
  Enter  c   creep: go on to the next port
  s          skip: run this goal without showing what happens inside
  l          leap: go on to the next spy point
  n          go on without tracing
  r          retry: call this goal again
  f          fail: leave this goal as failed
  g          show the goals that this one is part of
  a          abort the query
  h          this help
"""
COMMANDS = {
    "\r": "creep", "\n": "creep", "c": "creep", " ": "creep",
    "s": "skip", "l": "leap", "n": "nodebug", "r": "retry", "f": "fail", "g": "ancestors",
    "a": "abort", "\x03": "abort", "\x04": "abort",
}  # fmt: skip


class Tracing:
    """The state of the tracer of one machine.

    `mode` holds from query to query: off, creep (trace/0) or leap (stops at spy points only); `current`
    is what the user made of it in the query that runs. `ask` reads a key; without it nothing waits.
    `shown_as` has functions that say more about the goals of some predicates: machine, goal, whether it
    succeeded -> term. `rewritten` has functions that put traced goals into goals: machine, goal, depth
    -> goal.
    """

    def __init__(self) -> None:
        self.mode = self.current = "off"
        self.spied: set[tuple[str, int | None]] = set()
        self.number = 0
        self.retrying = 0  # the number of the goal that is to be called again
        self.chains: list[Any] = []  # ancestors of goals that built-in predicates call, as records
        self.search: Any = None  # what the model knows of the explanation search that is traced
        self.ask: Callable[[], str] | None = None
        self.shown_as: dict[Indicator, Callable[[Any, int, bool], int]] = {}
        self.rewritten: dict[Indicator, Callable[[Any, int, int], int]] = {}

    def set_mode(self, mode: str) -> None:
        self.mode = self.current = mode

    def banner(self) -> str:
        """What stands above the prompt."""
        return {"off": "", "creep": "{Trace mode}\n", "leap": "{Spy mode}\n"}[self.mode]

    def wanted(self, m: Any, goal: int) -> bool:
        """Must this query go through the interpreter? A new query starts its count."""
        self.number = self.retrying = 0
        self.chains.clear()
        self.search = None
        self.current = self.mode
        return self.mode != "off" or switches_on(m, goal)

    def is_spied(self, indicator: Indicator) -> bool:
        return indicator in self.spied or (indicator[0], None) in self.spied

    def port(self, m: Any, port: str, number: int, goal: int, above: int, note: str = "") -> str:
        """Show a port if it is to be shown; what to do: creep, skip, fail, or quiet (creep, without a sign of
        the other ports of this goal). `above` are the goals that this one is part of."""
        if self.current == "off":
            return "skip"
        indicator = (m.atom_text(m.name_of(goal)), m.arity_of(goal))
        spied = self.is_spied(indicator)
        if self.current == "leap" and not spied:
            return "quiet"
        shown = goal
        if indicator in self.shown_as:
            shown = self.shown_as[indicator](m, goal, port == "exit")
        text = short_text(m, shown) + note
        while True:
            begin = " + " if spied else "   "
            m.streams.user_output.write(f"{begin}{port.capitalize()}: ({number}) {text} ?")
            if self.ask is None:
                m.streams.user_output.write("\n")
                return "creep"
            command = COMMANDS.get(self.ask())
            m.streams.user_output.write(f" {command or 'help'}\n")
            if command == "ancestors":
                m.streams.user_output.write(self.ancestors_text(m, above))
            elif command is None:
                m.streams.user_output.write(HELP)
            elif command == "retry" and port == "call":
                return self.obey("creep", number)
            else:
                return self.obey(command, number)

    def ancestors_text(self, m: Any, above: int) -> str:
        """One line for each goal above, the outermost first; older ones may be left out."""
        lines = []
        while m.is_compound(above):
            lines.append(f"     ({m.int_value(m.arg(above, 1))}) {short_text(m, m.arg(above, 2))}\n")
            above = m.arg(above, 3)
        more = "     ...\n" if m.is_integer(above) and m.int_value(above) < 0 else ""
        return more + "".join(reversed(lines))

    def obey(self, command: str, number: int) -> str:
        if command == "abort":
            raise Interrupted("aborted")
        if command == "nodebug":
            self.current = "off"
            return "skip"
        if command == "retry":
            self.retrying = number
            return "fail"
        if command in ("skip", "fail"):
            return command
        self.current = command
        return "creep"


def tracing(m: Any) -> Tracing:
    """The tracer of a machine."""
    state: Tracing = m.state.setdefault("tracing", Tracing())
    return state


# The goals above a goal are in(Depth,Number,Goal,Above), 0 at the top. A chain that grows longer than this
# loses its older half, and -1 is at its top: a loop of last calls runs in bounded room also when traced.
LONGEST_CHAIN = 200


def inside(m: Any, number: int, goal: int, above: int) -> int:
    """The chain of the goals within a goal."""
    depth = m.int_value(m.arg(above, 0)) + 1 if m.is_compound(above) else 1
    if depth > LONGEST_CHAIN:
        kept: list[tuple[int, int]] = []
        while len(kept) < LONGEST_CHAIN // 2:
            kept.append((m.arg(above, 1), m.arg(above, 2)))
            above = m.arg(above, 3)
        above, depth = m.int_cell(-1), 1
        for known, of in reversed(kept):
            above = m.struct("in", m.int_cell(depth), known, of, above)
            depth += 1
    return m.struct("in", m.int_cell(depth), number, goal, above)


MANY_CHAINS = 10_000


def without_variables(m: Any, above: int) -> int:
    """A number that stands for a chain, where variables of other goals would do harm (bagof). Only the last
    ones are remembered."""
    if not m.is_compound(above):
        return above
    chains = tracing(m).chains
    if len(chains) >= MANY_CHAINS:
        chains.clear()
    chains.append(m.freeze(above))
    return m.int_cell(len(chains))


def chain(m: Any, above: int) -> int:
    """The chain itself."""
    chains = tracing(m).chains
    if m.is_integer(above) and 0 < m.int_value(above) <= len(chains):
        return m.thaw(chains[m.int_value(above) - 1])
    return above


def short_text(m: Any, goal: int) -> str:
    return write_term(m, goal, quoted=True, numbervars=True, float_format="short", max_length=LONGEST)


def switches_on(m: Any, goal: int) -> bool:
    """Is trace or spy(_) one of the goals of a conjunction?"""
    pending = [m.deref(goal)]
    while pending:
        c = pending.pop()
        if c & 7 == REF or not m.is_callable(c):
            continue
        indicator = (m.atom_text(m.name_of(c)), m.arity_of(c))
        if indicator == (",", 2):
            pending += [m.arg(c, 0), m.arg(c, 1)]
        elif indicator in (("trace", 0), ("spy", 1)):
            return True
    return False

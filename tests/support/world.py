"""Builtins without the machine: memory, operators, an output, and declared outcome spaces.

`World(values).ask("set_sw(coin,[0.2,0.8])")` calls one builtin and tells what happened as
(answer, output): answer is "yes", "no" or the text of the error term.
"""

import io

import prism_repl.predicates  # noqa: F401
from prism_repl.core.errors import PrologError
from prism_repl.core.memory import Memory
from prism_repl.model.messages import prism_error
from prism_repl.model.state import ProbState
from prism_repl.prolog.builtins.registry import BUILTINS
from prism_repl.prolog.evaluables import FUNCTORS
from prism_repl.prolog.operators import Operators
from prism_repl.prolog.reader import read_term
from prism_repl.prolog.streams import Streams
from prism_repl.prolog.writer import write_term


class DeclaredState(ProbState):
    """Outcome spaces from a dictionary: name -> outcomes, both as text."""

    def __init__(self, m, values):
        super().__init__(m, seed=1)
        self.values = values

    def has_declarations(self):
        return bool(self.values)

    def get_values(self, name):
        text = self.values.get(write_term(self.m, name, quoted=True))
        if text is None:
            return None
        return self.m.proper_list(read_term(self.m, text + " .").cell)

    def declares(self, pattern):
        return True

    def computes_values(self, name):
        return True


class World(Memory):
    def __init__(self, values=None):
        super().__init__(FUNCTORS)
        self.operators = Operators()
        self.prolog_flags = {}
        self.state = {"announce": prism_error}
        self.streams = Streams()
        self.prob = DeclaredState(self, values or {})

    def ask(self, query):
        read = read_term(self, query + " .")
        goal = self.deref(read.cell)
        arguments = [self.arg(goal, i) for i in range(self.arity_of(goal))] if self.is_compound(goal) else []
        name = self.atom_text(self.name_of(goal)) if arguments else self.atom_text(goal)
        self.streams.current_output = io.StringIO()
        self.bindings = dict(read.variables)
        try:
            answer = "yes" if BUILTINS[name, len(arguments)].run()(self, *arguments) else "no"
        except PrologError as error:
            self.streams.complain(error.announcement or "")
            answer = write_term(self, error.formal(self), quoted=True)
            self.context = error.context
        return answer, self.streams.current_output.getvalue()

    def value(self, query, variable="X"):
        """The value that a query gives a variable; the query must succeed."""
        answer, _ = self.ask(query)
        assert answer == "yes", answer
        return write_term(self, self.bindings[variable], quoted=True)

"""Queries to a whole machine, as text: solutions, errors, output."""

import re

from prism_repl.core.cells import REF
from prism_repl.core.errors import PrologError, PrologThrow
from prism_repl.core.queries import Query
from prism_repl.prolog.reader import read_term
from prism_repl.prolog.system import new_machine
from prism_repl.prolog.writer import write_term


class Prolog:
    def __init__(self):
        self.m = new_machine()
        self.output = []
        self.m.streams.user_output_sink = self.m.streams.user_error_sink = self.output.append

    def printed(self):
        """What was written since the last call."""
        text = "".join(self.output)
        self.output.clear()
        return text

    def text(self, c):
        shown = write_term(
            self.m, self.m.deref(c), quoted=True, numbervars=True, float_format="full", priority=699
        )
        return re.sub(r"\b_[0-9A-Za-z]*", "_", shown)

    def answers(self, query, limit=20):
        """The solutions, each "X=1, Y=f(_)" ("true" without bindings); an exception comes last, as the text
        of its formal term or ball."""
        m = self.m
        read = read_term(m, query)
        found = []
        goal = Query(m, read.cell)
        try:
            while len(found) < limit and goal.next():
                bound = [(name, c) for name, c in read.variables if m.deref(c) & 7 != REF and name[0] != "_"]
                found.append(", ".join(f"{name}={self.text(c)}" for name, c in bound) or "true")
        except (PrologError, PrologThrow) as error:
            found.append(self.error_text(error))
        finally:
            goal.close()
        return found

    def error_text(self, error):
        m = self.m
        if isinstance(error, PrologError):
            return self.text(error.formal(m))
        ball = m.thaw(error.record)
        if m.is_compound(ball) and m.atom_text(m.name_of(ball)) == "error" and m.arity_of(ball) == 2:
            ball = m.arg(ball, 0)
        return self.text(ball)

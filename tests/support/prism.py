"""A machine with PRISM's predicates, asked by text."""

import io

from prism_repl.core.errors import PrologThrow
from prism_repl.core.queries import Query
from prism_repl.predicates.system import new_prism
from prism_repl.prolog.reader import read_term
from prism_repl.prolog.writer import write_term


class Prism:
    float_format = "short"

    def __init__(self, program=(), values=()):
        """`program` and `values` are clauses as text; values are declarations with two arguments."""
        self.m = new_prism(seed=1)
        if values:
            self.m.prob.note_declarations()
        for clause in [v.replace("values(", "'$values'(_,", 1) for v in values] + list(program):
            assert len(self.ask(f"assertz(({clause}))")) == 1

    def ask(self, query, limit=1000):
        """The solutions as {variable: text}, or the text of the ball; what was printed is in `output`."""
        m = self.m
        output = io.StringIO()
        m.streams.user_output_sink = m.streams.user_error_sink = output.write
        read = read_term(m, query + " .")
        run = Query(m, m.deref(read.cell))
        solutions = []
        try:
            while len(solutions) < limit and run.next():
                solutions.append(
                    {
                        name: write_term(m, c, quoted=True, float_format=self.float_format)
                        for name, c in read.variables
                        if name[0] != "_"
                    }
                )
        except PrologThrow as throw:
            return write_term(m, m.thaw(throw.record), quoted=True)
        finally:
            run.close()
            self.output = output.getvalue()
        return solutions

    def all(self, query, variable="X"):
        """The values of one variable in all solutions."""
        return [solution[variable] for solution in self.ask(query)]

    def one(self, query, variable="X"):
        values = self.all(query, variable)
        assert len(values) == 1, values
        return values[0]

    def formal(self, query):
        """The formal term of the error that a query raises."""
        return self.one(f"catch((({query}),fail),error(X,_),true)")

"""Magics for Python notebooks: %prism and %%prism, after %load_ext prism_repl.

%prism QUERY           the answers to a query; `found = %prism member(X,[1,2])` keeps them
%prism                 the session itself
%%prism [-o X] [-s S]  a cell of queries, or a program (its first line is %%program NAME)

{name} in a query is the value of the Python variable; -o X,Y makes Python variables of what the last query
binds X and Y to in its first answer; -s NAME uses the Session that is in a Python variable.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from IPython.core.display_functions import publish_display_data
from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from prism_repl.jupyter.notebook import Bundle, CellError, Notebook
from prism_repl.repl.sessions import Session
from prism_repl.tables import Answers

OPTION = re.compile(r"\s*(?:(?:-o|--out|-s|--session)[ =]\s*\S+(?:\s+|$))*")


class QueryError(CellError):
    """A cell's error, which IPython shows as a sentence and not as a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [self.said, *self.details]


class Shown:
    """Outputs by IPython."""

    def write(self, text: str) -> None:
        sys.stdout.write(text)

    def write_error(self, text: str) -> None:
        sys.stdout.flush()
        sys.stderr.write(text)

    def show(self, bundle: Bundle, name: str | None = None, again: bool = False) -> None:
        publish_display_data(bundle, transient={"display_id": name} if name else None, update=again)


@magics_class
class PrismMagics(Magics):
    """%prism and %%prism"""

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self.variables: dict[str, Any] = shell.user_ns
        self.push = shell.push
        self.notebook = Notebook(Session(), Shown())

    @no_var_expand
    @magic_arguments()
    @argument("-o", "--out", action="append", default=[], help="variables to take over into Python: -o X,Y")
    @argument("-s", "--session", help="the Python variable of the Session to use")
    @argument("query", nargs="*", help="a query, or a command such as %%sw")
    @line_cell_magic
    def prism(self, line: str, cell: str | None = None) -> Any:
        """Put queries to PRISM, or load a program. {name} is the value of a Python variable."""
        options_end = OPTION.match(line).end()  # type: ignore[union-attr]
        options = parse_argstring(self.prism, line[:options_end].strip())
        text = line[options_end:].strip()
        self.use(options.session)
        if cell is not None:
            text = f"{text}\n{cell}" if text else cell
        elif not text:
            return self.notebook.session
        try:
            found = self.notebook.run(text, give=True, values=self.variables)
        except CellError as error:
            raise QueryError(error.kind, error.said, error.details) from None
        names = [name for out in options.out for name in out.split(",") if name]
        if names:
            self.take_over(names, found)
        return found

    def use(self, name: str | None) -> None:
        if name is None:
            return
        session = self.variables.get(name)
        if not isinstance(session, Session):
            raise UsageError(f"{name} is not a Session of prism_repl")
        if session is not self.notebook.session:
            self.notebook.use(session)

    def take_over(self, names: list[str], found: Any) -> None:
        """Make Python variables of an answer's."""
        if not isinstance(found, Answers) or not found:
            raise UsageError(f"the last query has no answer to take {', '.join(names)} from")
        answer = found[0]
        for name in names:
            if name not in answer:
                raise UsageError(f"the last query does not bind {name}")
        self.push({name: answer[name] for name in names})


def load(shell: Any) -> None:
    shell.register_magics(PrismMagics)

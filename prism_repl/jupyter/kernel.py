"""The kernel: Jupyter's messages in terms of a notebook."""

from __future__ import annotations

import fnmatch
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ipykernel.kernelbase import Kernel

from prism_repl.core.errors import PrologHalt
from prism_repl.jupyter.cells import COMMANDS, PROGRAM
from prism_repl.jupyter.inspection import described
from prism_repl.jupyter.notebook import Bundle, CellError, Notebook
from prism_repl.prolog import queries
from prism_repl.repl import config
from prism_repl.repl.completer import candidates, expected_at, files
from prism_repl.repl.history import QueryHistory
from prism_repl.repl.sessions import Session

INDENT = "    "
RED, PLAIN = "\x1b[31m", "\x1b[0m"
HALTED = "The session has ended; the next cell starts a new one.\n"


def package_version() -> str:
    try:
        return version("prism-repl")
    except PackageNotFoundError:  # run from its source
        return "0"


class PrismKernel(Kernel):
    """Cells are programs or queries; all of them share one session."""

    implementation = "prism-repl"
    implementation_version = package_version()
    banner = "PRISM: Prolog with random switches. %help lists what a cell can be."
    language_info = {
        "name": "prism",
        "version": "2.4.2a",
        "mimetype": "text/x-prism",
        "file_extension": ".psm",
        "pygments_lexer": "prism",
        # `prism` is our extension for JupyterLab; another editor takes the nearest language that it has.
        "codemirror_mode": {"name": "prism", "mime": "text/x-erlang"},
    }

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.history = QueryHistory(
            config.history_path().with_name("jupyter_history"),
            1000,
            lambda text: self.log.warning("%s", text),
        )
        self.notebook = self.new_notebook()

    def new_notebook(self) -> Notebook:
        session = Session(read_line=self.read_line)
        session.machine.prob.keep_learned = self.ask_yes
        return Notebook(session, self)

    @property
    def _supports_kernel_subshells(self) -> bool:
        return False  # a session takes one query at a time

    # Outputs

    def set_parent(self, ident: Any, parent: Any, channel: str = "shell") -> None:
        """What is written belongs to the cell that runs."""
        super().set_parent(ident, parent, channel)
        if channel == "shell":
            for stream in (sys.stdout, sys.stderr):
                if hasattr(stream, "set_parent"):
                    stream.set_parent(parent)

    def write(self, text: str) -> None:
        sys.stdout.write(text)

    def write_error(self, text: str) -> None:
        sys.stdout.flush()
        sys.stderr.write(text)
        sys.stderr.flush()

    def show(self, bundle: Bundle, name: str | None = None, again: bool = False) -> None:
        self.flush()
        content = {"data": bundle, "metadata": {}, "transient": {"display_id": name} if name else {}}
        self.send_response(self.iopub_socket, "update_display_data" if again else "display_data", content)

    def flush(self) -> None:
        sys.stdout.flush()
        sys.stderr.flush()

    # Inputs

    def read_line(self) -> str:
        """A line for a program that reads; the end of input where nobody can be asked."""
        if not self._allow_stdin:
            return ""
        try:
            return str(self.raw_input("|: ")) + "\n"
        except EOFError:
            return ""

    def ask_yes(self, question: str) -> bool:
        return bool(self._allow_stdin) and str(self.raw_input(question)).strip().lower() in ("y", "yes")

    # Requests

    async def do_execute(
        self,
        code: str,
        silent: bool,
        store_history: bool = True,
        user_expressions: dict[str, Any] | None = None,
        allow_stdin: bool = False,
        *,
        cell_meta: dict[str, Any] | None = None,
        cell_id: str | None = None,
    ) -> dict[str, Any]:
        self._allow_stdin = allow_stdin
        if store_history and not silent and code.strip():
            self.history.store_string(code)
        reply: dict[str, Any] = {"status": "ok", "payload": [], "user_expressions": {}}
        try:
            self.notebook.run(code)
        except CellError as error:
            reply = self.failed(error.kind, error.said, error.details, silent)
        except KeyboardInterrupt as interrupt:
            reply = self.failed("KeyboardInterrupt", str(interrupt) or "interrupted", (), silent)
        except PrologHalt:
            self.notebook = self.new_notebook()
            self.write(HALTED)
            reply["payload"] = [{"source": "ask_exit", "keepkernel": False}]
        except Exception as error:  # a defect of ours: the session goes on
            reply = self.failed(type(error).__name__, str(error), (), silent)
        self.flush()
        return {**reply, "execution_count": self.execution_count}

    def failed(self, kind: str, said: str, details: tuple[str, ...], silent: bool) -> dict[str, Any]:
        content = {"ename": kind, "evalue": said, "traceback": [f"{RED}{said}{PLAIN}", *details]}
        if not silent:
            self.flush()
            self.send_response(self.iopub_socket, "error", content)
        return {"status": "error", **content}

    async def do_complete(self, code: str, cursor_pos: int) -> dict[str, Any]:
        start, found = self.completions(code, cursor_pos)
        types = [
            {"start": start, "end": cursor_pos, "text": text, "type": kind, "signature": note}
            for text, kind, note in found
        ]
        return {
            "status": "ok",
            "matches": [text for text, _, _ in found],
            "cursor_start": start,
            "cursor_end": cursor_pos,
            "metadata": {"_jupyter_types_experimental": types},
        }

    def completions(self, code: str, cursor: int) -> tuple[int, list[tuple[str, str, str]]]:
        """Where what is completed begins, and (text, kind, note) of each completion."""
        line = code[code.rfind("\n", 0, cursor) + 1 : cursor]
        if line.startswith("%load "):
            typed = line.removeprefix("%load ").lstrip()
            return cursor - len(typed), [(c.text, "path", "") for c in files(typed, True)]
        if line.startswith("%") and line[1:].isidentifier() | (line == "%"):
            names = ["%%program", *(f"%{name}" for name in COMMANDS)]
            return cursor - len(line), [(name, "magic", "") for name in names if name.startswith(line)]
        expected = expected_at(code, cursor)
        found = candidates(self.notebook.names, expected, code, cursor)
        start = cursor - len(expected.prefix)
        return start, [(c.text, expected.kind, c.note or c.shown) for c in found]

    async def do_inspect(
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: Any = ()
    ) -> dict[str, Any]:
        text = described(self.notebook.names, code, cursor_pos)
        data = {"text/plain": text} if text else {}
        return {"status": "ok", "found": bool(text), "data": data, "metadata": {}}

    async def do_is_complete(self, code: str) -> dict[str, str]:
        """A program ends with an empty line, queries with a period."""
        if PROGRAM.match(code):
            return {"status": "complete"} if code.endswith("\n\n") else {"status": "incomplete", "indent": ""}
        found = queries.scan(code)
        return {"status": "complete"} if found.blank else {"status": "incomplete", "indent": INDENT}

    async def do_history(
        self,
        hist_access_type: str,
        output: bool,
        raw: bool,
        session: int | None = None,
        start: int | None = None,
        stop: int | None = None,
        n: int | None = None,
        pattern: str | None = None,
        unique: bool = False,
    ) -> dict[str, Any]:
        """Cells that were run, oldest first; there is one session for all that were ever run."""
        cells = list(self.history.load_history_strings())[::-1]
        numbered = list(enumerate(cells, 1))
        if hist_access_type == "range":
            numbered = numbered[(start or 1) - 1 : stop - 1 if stop else None]
        elif hist_access_type == "search":
            numbered = [(i, cell) for i, cell in numbered if fnmatch.fnmatchcase(cell, pattern or "*")]
            if unique:
                numbered = list({cell: (i, cell) for i, cell in numbered}.values())
        if hist_access_type in ("tail", "search") and n:
            numbered = numbered[-n:]
        shown = [(0, i, (cell, None)) if output else (0, i, cell) for i, cell in numbered]
        return {"status": "ok", "history": shown}

    async def do_shutdown(self, restart: bool) -> dict[str, Any]:
        self.notebook.session.close()
        return {"status": "ok", "restart": restart}

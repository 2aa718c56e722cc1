"""The interactive prompt."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.cursor_shapes import ModalCursorShapeConfig
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import PygmentsTokens, to_formatted_text
from prompt_toolkit.layout import BufferControl
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style, merge_styles, style_from_pygments_cls
from pygments.token import Token

from prism_repl.answers import Answer, answer_text
from prism_repl.prolog import queries
from prism_repl.prolog.tracing import tracing
from prism_repl.repl import config as configuration
from prism_repl.repl.background import background
from prism_repl.repl.banner import HELP_HINT, banner
from prism_repl.repl.batch import open_log
from prism_repl.repl.completer import Source, candidates, expected_at
from prism_repl.repl.config import Config
from prism_repl.repl.console import Console, Show
from prism_repl.repl.highlight import MatchingBrackets, QueryLexer, WhereNeeded
from prism_repl.repl.hints import hint
from prism_repl.repl.history import QueryHistory, Suggest
from prism_repl.repl.keys import (
    ANSWER_HELP,
    ANSWER_HINT,
    PERIOD_HINT,
    WHOLE_HINT,
    Choice,
    answer_choice,
    lacks_period,
    read_key,
    typing_keys,
)
from prism_repl.repl.loading import load_goal
from prism_repl.repl.names import SessionNames
from prism_repl.repl.screen import Screen, folded_text
from prism_repl.repl.sessions import Session
from prism_repl.repl.style import PARTS, STYLES, wants_color

if TYPE_CHECKING:
    from prompt_toolkit.formatted_text import StyleAndTextTuples

PROMPT = "?- "
CONTINUATION = "|  "
INPUT_PROMPT = "|: "  # a program reads
END_OF_INPUT = to_formatted_text("(Ctrl-D ends the input)", "class:auto-suggestion")


class QueryCompleter(Completer):
    """Our completion in prompt_toolkit's terms."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        expected = expected_at(document.text, document.cursor_position)
        for candidate in candidates(self.source, expected, document.text, document.cursor_position):
            yield Completion(
                candidate.text,
                start_position=-len(expected.prefix),
                display=candidate.shown or candidate.text,
                display_meta=candidate.note,
            )


class Prompt:
    """The loop: read a query, run it, show its answers."""

    def __init__(self, session: Session, config: Config, color: bool) -> None:
        if config.style == "auto":
            config = replace(config, style=background() if color else "neutral")
        self.session = session
        self.config = config
        self.color = color
        self.screen = Screen(
            sys.stdout, color=color, style=config.style, pager=config.pager, read_key=read_key
        )
        self.console = Console(session, self.screen.write, self.write_answer)
        self.hinted = False
        self.whole: Answer | None = None  # the last one, if it was folded
        self.take_all = False
        self.names = SessionNames(session)
        self.lines = self.prompt_session()
        self.input: PromptSession[str] | None = None
        session.read_line = self.read_line
        session.machine.prob.show_progress = self.screen.show_progress
        session.machine.prob.keep_learned = self.ask_yes
        session.machine.state["picture_width"] = self.screen.columns
        tracing(session.machine).ask = self.trace_key

    def prompt_session(self) -> PromptSession[str]:
        config = self.config
        brackets = MatchingBrackets()
        lines: PromptSession[str] = PromptSession(
            multiline=True,
            lexer=QueryLexer(),
            **self.options(),
            prompt_continuation=CONTINUATION,
            rprompt=self.period_hint,
            history=QueryHistory(configuration.history_path(), config.history_size, self.tell),
            # Without colours a suggestion could not be told from what was typed.
            auto_suggest=Suggest() if config.suggest and self.color else None,
            completer=QueryCompleter(self.names),
            complete_while_typing=config.complete_while_typing,
            input_processors=[brackets],
            key_bindings=typing_keys(self.show_whole),
            enable_open_in_editor=True,
        )
        control = lines.layout.current_control
        assert isinstance(control, BufferControl)
        control.input_processors = [WhereNeeded(control.input_processors or [], brackets)]
        first, others = self.message(), to_formatted_text(CONTINUATION, "class:prompt-continuation")
        lines.layout.current_window.get_line_prefix = lambda line, wraps: others if line or wraps else first
        return lines

    def period_hint(self) -> StyleAndTextTuples:
        text = PERIOD_HINT if lacks_period(self.lines.default_buffer.text) else ""
        return to_formatted_text(text, "class:auto-suggestion")

    def options(self) -> dict[str, Any]:
        """What all input lines have in common: colours and keys."""
        style = merge_styles(
            [style_from_pygments_cls(STYLES[self.config.style]), Style(PARTS[self.config.style])]
        )
        return {
            "style": style if self.color else None,
            "color_depth": None if self.color else ColorDepth.DEPTH_1_BIT,
            "include_default_pygments_style": False,
            "editing_mode": EditingMode.VI if self.config.editing == "vi" else EditingMode.EMACS,
            "cursor": ModalCursorShapeConfig() if self.config.editing == "vi" else None,
        }

    def tell(self, message: str) -> None:
        """A message of the prompt itself."""
        sys.stderr.write(message)
        sys.stderr.flush()

    def run(self, files: list[str]) -> int:
        """Load files, then read queries until the end of input."""
        for name in files:
            self.query(load_goal(name), self.show_load)
        while True:
            try:
                text = self.lines.prompt(self.message())
            except KeyboardInterrupt:
                continue  # Ctrl-C clears the line
            except EOFError:
                return 0
            finished, rest = queries.split(text)
            for query in [queries.without_prompt(part) for part in (*finished, rest)]:
                if query.strip() and not self.query(query, self.show):
                    break

    def message(self) -> StyleAndTextTuples:
        return to_formatted_text(PygmentsTokens([(Token.Generic.Prompt, PROMPT)]) if self.color else PROMPT)

    def query(self, query: str, show: Show) -> bool:
        """Run one query; False if it was interrupted or not read: what was pasted after it does not run."""
        self.screen.start()
        self.take_all = False
        self.whole = None
        try:
            answer = self.console.run(query, self.choose, show)
        except KeyboardInterrupt:
            # Between two answers, or while one was printed.
            self.screen.write("\n")
            return False
        finally:
            self.screen.skipping = False
            self.names.forget()
        if self.whole is not None:
            self.screen.write_dim(WHOLE_HINT)
        if text := hint(self.names, answer):
            self.screen.write_dim(text + "\n")
        return not (answer.status == "error" and (answer.error == "interrupted" or answer.place))

    def read_line(self) -> str:
        """A line for a program that reads from user_input."""
        if self.input is None:
            self.input = PromptSession(lexer=QueryLexer(), placeholder=END_OF_INPUT, **self.options())
        try:
            return self.input.prompt(INPUT_PROMPT) + "\n"
        except EOFError:
            return ""

    def ask_yes(self, question: str) -> bool:
        """A question that is answered by one key; Ctrl-C is no."""
        self.screen.rows = 0
        self.screen.write(question)
        try:
            answer = read_key().lower() == "y"
        except KeyboardInterrupt:
            answer = False
        self.screen.write("yes\n" if answer else "no\n")
        return answer

    def trace_key(self) -> str:
        """The key that is pressed at a port of the tracer."""
        self.screen.rows = 0
        return read_key()

    # Answers

    def write_answer(self, text: str) -> None:
        """An answer is shown even if the rest of the output was skipped."""
        self.screen.skipping = False
        self.screen.write(text)

    def show_load(self, answer: Answer) -> str:
        """A file of the command line that was loaded needs no yes."""
        return "" if answer else answer_text(answer)

    def show(self, answer: Answer) -> str:
        """The text of an answer. One that is folded can be seen whole later: nothing waits for a key."""
        text, folded = self.folded(answer)
        if folded and not answer.pending:
            self.whole = answer
        # the terminal has shown ^C where the cursor was
        return "\n" + text if text.startswith("*** interrupted") else text

    def folded(self, answer: Answer) -> tuple[str, bool]:
        return folded_text(answer, self.config.fold, self.screen.columns())

    def show_whole(self) -> None:
        """The last answer that was folded."""
        if self.whole is not None:
            self.screen.start()
            self.screen.write(folded_text(self.whole, 0, self.screen.columns())[0])

    def choose(self, answer: Answer) -> bool:
        """The keys after an answer with alternatives."""
        if self.take_all:
            return True
        shown, folded = self.folded(answer)
        hint = ("w whole   " if folded else "") + ("" if self.hinted else ANSWER_HINT)
        self.hinted = True
        self.screen.hint("   " + hint, len(shown) - shown.rfind("\n") - 1)
        while True:
            choice = self.ask_key()
            if choice == "next":
                return True
            if choice == "all":
                self.take_all = True
                return True
            if choice == "help":
                self.screen.write("\n" + ANSWER_HELP)
                self.screen.write(shown)
            elif choice == "whole":
                self.screen.write("\n" + folded_text(answer, 0, self.screen.columns())[0])
            elif choice == "stop":
                return False

    def ask_key(self) -> Choice:
        try:
            return answer_choice()
        except KeyboardInterrupt:
            return "stop"
        finally:
            self.screen.end_hint()


def run_prompt(files: list[str], log: str | None, color: str, ascii_only: bool) -> int:
    """Open the prompt."""
    path = configuration.config_path()
    configuration.write_template(path)
    config, messages = configuration.load(path)
    for message in messages:
        print(f"prism-repl: {message}", file=sys.stderr)
    sys.stdout.write(banner() + HELP_HINT)
    session = Session()
    session.machine.state["ascii_pictures"] = ascii_only
    if log and not open_log(session, log):
        return 1
    return Prompt(session, config, wants_color(color, sys.stdout)).run(files)

"""Streams: text and bytes from and to files, memory and the owner of the machine.

A stream knows nothing of terms; builtins/characters.py turns PastEnd into a Prolog error.
"""

import codecs
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from prism_repl.core.errors import PrologError, representation_error

ENCODINGS = {
    "utf8": "utf-8",
    "utf_8": "utf-8",
    "utf-8": "utf-8",
    "UTF-8": "utf-8",
    "iso_latin_1": "latin-1",
    "latin1": "latin-1",
    "latin-1": "latin-1",
    "octet": "latin-1",
    "ascii": "ascii",
    "utf16": "utf-16",
    "utf-16": "utf-16",
}


class PastEnd(Exception):
    """Input was asked for beyond the end of a stream with eof_action(error)."""


class Stream:
    """What input and output streams have in common."""

    mode = ""

    def __init__(self, number: int, file_name: str | None, encoding: str | None) -> None:
        self.number = number
        self.file_name = file_name
        self.encoding = encoding  # None: a binary stream
        self.aliases: list[str] = []
        self.reposition = False
        self.eof_action = "error"
        self.is_terminal = False
        self.closed = False
        self.by_name = False  # opened by see/1 or tell/1, which find it again by the name of its file

    @property
    def binary(self) -> bool:
        return self.encoding is None

    def close(self) -> None:
        self.closed = True


class InputStream(Stream):
    """Characters (or bytes, as characters below 256) from a source: a callable that returns the
    next piece of text, "" at the end."""

    mode = "read"

    def __init__(
        self,
        number: int,
        source: Callable[[], str],
        file_name: str | None = None,
        encoding: str | None = "utf-8",
    ) -> None:
        super().__init__(number, file_name, encoding)
        self.source = source
        self.text = ""  # what was read and may be needed again
        self.place = 0  # of the next character in text
        self.dropped = 0  # characters before text
        self.line = 1
        self.line_start = 0  # offset of the first character of the line, from the start of the stream
        self.past = False
        self.ended = False
        self.file: BinaryIO | None = None

    @property
    def offset(self) -> int:
        return self.dropped + self.place

    def fill(self) -> bool:
        """Get more text; False at the end."""
        if self.ended and self.eof_action != "reset":
            return False
        try:
            more = self.source()
        except UnicodeError:
            raise representation_error("character") from None
        except OSError:
            raise PrologError("system_error") from None
        if not more:
            self.ended = True
            return False
        self.ended = False
        if self.place and not self.reposition:
            self.dropped += self.place
            self.text = self.text[self.place :] + more
            self.place = 0
        else:
            self.text += more
        return True

    def peek(self) -> str:
        """The next character, "" at the end."""
        if self.place >= len(self.text):
            self.check_past()
            if not self.fill():
                return ""
        return self.text[self.place]

    def check_past(self) -> None:
        if self.past and self.eof_action == "error":
            raise PastEnd

    def get(self) -> str:
        """The next character, which is consumed; "" at the end."""
        ch = self.peek()
        if ch == "":
            self.past = self.eof_action != "reset"
            return ""
        self.place += 1
        if ch == "\n":
            self.line += 1
            self.line_start = self.offset
        return ch

    def take(self, n: int) -> str:
        """Consume the next n characters, which are in the buffer."""
        text = self.text[self.place : self.place + n]
        self.place += n
        newlines = text.count("\n")
        if newlines:
            self.line += newlines
            self.line_start = self.offset - (len(text) - text.rindex("\n") - 1)
        return text

    def rest(self) -> str:
        """What is in the buffer and not yet consumed."""
        return self.text[self.place :]

    def end_state(self) -> str:
        """The end_of_stream property: not, at or past. A terminal is not asked for input."""
        if self.past:
            return "past"
        if self.place < len(self.text):
            return "not"
        if self.is_terminal and not self.ended:
            return "not"
        return "not" if self.fill() else "at"

    def position(self) -> tuple[int, int, int]:
        return self.offset, self.line, self.offset - self.line_start

    def seek(self, offset: int, line: int, column: int) -> None:
        while self.dropped + len(self.text) < offset and self.fill():
            pass
        self.place = offset - self.dropped
        self.line = line
        self.line_start = offset - column
        self.past = False

    def close(self) -> None:
        super().close()
        if self.file is not None:
            self.file.close()


class OutputStream(Stream):
    """Text to a sink, a callable that takes it; `column` is where the next character goes."""

    mode = "append"

    def __init__(
        self,
        number: int,
        sink: Callable[[str], None],
        file_name: str | None = None,
        encoding: str | None = "utf-8",
    ) -> None:
        super().__init__(number, file_name, encoding)
        self.sink = sink
        self.line = 1
        self.column = 0
        self.count = 0
        self.file: BinaryIO | None = None

    def write(self, text: str) -> None:
        if not text:
            return
        self.sink(text)
        self.count += len(text)
        newlines = text.count("\n")
        if newlines:
            self.line += newlines
            self.column = len(text) - text.rindex("\n") - 1
        else:
            self.column += len(text)

    def flush(self) -> None:
        if self.file is not None:
            try:
                self.file.flush()
            except OSError:
                raise PrologError("system_error") from None

    def position(self) -> tuple[int, int, int]:
        offset = self.file.tell() if self.file is not None else self.count
        return offset, self.line, self.column

    def seek(self, offset: int, line: int, column: int) -> None:
        if self.file is not None:
            self.file.flush()
            self.file.seek(offset)
        self.count, self.line, self.column = offset, line, column

    def close(self) -> None:
        super().close()
        if self.file is not None:
            try:
                self.file.close()
            except OSError:  # what was buffered could not be written
                raise PrologError("system_error") from None


class Streams:
    """The open streams of a machine, by number and by alias.

    The owner of the machine sets `user_output_sink`, `user_error_sink` (callables that take
    text) and `user_input_source` (a callable that returns a line, "" at the end of input).
    """

    def __init__(self) -> None:
        self.by_number: dict[int, Stream] = {}
        self.by_alias: dict[str, Stream] = {}
        self.next_number = 0
        self.user_output_sink: Callable[[str], None] = lambda text: None
        self.user_error_sink: Callable[[str], None] = lambda text: None
        self.user_input_source: Callable[[], str] = lambda: ""
        self.user_input = InputStream(self.number(), lambda: self.user_input_source())
        self.user_output = OutputStream(self.number(), lambda text: self.user_output_sink(text))
        self.user_error = OutputStream(self.number(), lambda text: self.user_error_sink(text))
        for name in ("user_input", "user_output", "user_error"):
            stream = getattr(self, name)
            stream.eof_action = "reset"
            stream.is_terminal = True
            self.add(stream)
            self.give_alias(stream, name)
        self.current_input: InputStream = self.user_input
        self.current_output: OutputStream = self.user_output
        self.silent = False  # complaints are dropped

    @contextmanager
    def silenced(self, silent: bool) -> Iterator[None]:
        """While what was complained about before is done again."""
        before, self.silent = self.silent, silent
        try:
            yield
        finally:
            self.silent = before

    def complain(self, text: str) -> None:
        """Write a message about something that is wrong: to user_error, unless the output was redirected."""
        if self.silent:
            return
        redirected = self.current_output is not self.user_output
        if text.startswith("%") and self.current_output.column:
            self.current_output.write("\n")  # PRISM has no such lines: replays pass over whole ones
        (self.current_output if redirected else self.user_error).write(text)

    def number(self) -> int:
        self.next_number += 1
        return self.next_number - 1

    def add(self, stream: Stream) -> None:
        self.by_number[stream.number] = stream

    def give_alias(self, stream: Stream, alias: str) -> None:
        self.by_alias[alias] = stream
        stream.aliases.append(alias)

    def open_input(self, path: str, encoding: str | None) -> InputStream:
        """Open a file for reading; raises OSError. A regular file is read when it is first needed."""
        file = open(path, "rb")  # noqa: SIM115
        try:
            mode = os.fstat(file.fileno()).st_mode
            if stat.S_ISDIR(mode):
                raise IsADirectoryError(path)
        except BaseException:
            file.close()
            raise
        regular = stat.S_ISREG(mode)
        decoder = codecs.getincrementaldecoder(encoding or "latin-1")()
        first = [True]

        def more() -> str:
            while True:
                data = file.read() if regular else file.readline()
                text = decoder.decode(data, final=not data)
                if first[0] and text:
                    first[0] = False
                    if encoding == "utf-8" and text.startswith("\ufeff"):
                        text = text[1:]
                if text or not data:
                    return text

        stream = InputStream(self.number(), more, path, encoding)
        stream.file = file
        stream.reposition = regular
        self.add(stream)
        return stream

    def open_output(self, path: str, mode: str, encoding: str | None) -> OutputStream:
        """Open a file for writing ("write", "append"); raises OSError."""
        file = open(path, "wb" if mode == "write" else "ab")  # noqa: SIM115
        code = encoding or "latin-1"

        def put(text: str) -> None:
            try:
                file.write(text.encode(code))
            except UnicodeError:
                raise representation_error("character") from None
            except OSError:
                raise PrologError("system_error") from None

        stream = OutputStream(self.number(), put, path, encoding)
        stream.mode = mode
        stream.file = file
        stream.reposition = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
        self.add(stream)
        return stream

    def open_memory(self) -> tuple[OutputStream, list[str]]:
        """A stream that collects text in the list that comes with it."""
        parts: list[str] = []
        stream = OutputStream(self.number(), parts.append)
        self.add(stream)
        return stream, parts

    def close(self, stream: Stream) -> None:
        """Close it, unless it is one of the three standard streams; current ones go back to the user's."""
        if stream in (self.user_input, self.user_output, self.user_error):
            if isinstance(stream, OutputStream):
                stream.flush()
            return
        if stream is self.current_input:
            self.current_input = self.user_input
        if stream is self.current_output:
            self.current_output = self.user_output
        self.by_number.pop(stream.number, None)
        for alias in stream.aliases:
            if self.by_alias.get(alias) is stream:
                del self.by_alias[alias]
        for user in ("user_input", "user_output", "user_error"):
            self.by_alias.setdefault(user, getattr(self, user))
        stream.close()

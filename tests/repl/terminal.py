"""Drives the real program in a pseudo terminal, as a person would."""

import os
import re
import sys
import time

import pexpect

ESCAPES = re.compile(r"\x1b\][^\x07]*\x07|\x1b[\[(][0-?]*[ -/]*[@-~]|\x1b[78=>]|[\x07\x0f]")


class Terminal:
    """A running prism-repl. `wait` looks for text that appeared since the last call, without escapes."""

    def __init__(self, home, *args, columns=100, rows=40, env=()):
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
            "HOME": str(home),
            "TERM": "xterm-256color",
            "PROMPT_TOOLKIT_NO_CPR": "1",
            "COLORFGBG": "15;0",
            **dict(env),
        }
        for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "NO_COLOR", "COLUMNS", "LINES"):
            environment.pop(name, None)
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "prism_repl", *map(str, args)],
            env=environment,
            dimensions=(rows, columns),
            encoding="utf-8",
            codec_errors="replace",
            timeout=60,
        )
        self.raw = ""  # everything so far
        self.seen = 0  # of the text without escapes

    def text(self):
        return ESCAPES.sub("", self.raw).replace("\r\n", "\n")

    def wait(self, pattern, timeout=60):
        """Wait for a regular expression; what was printed up to its end is returned."""
        limit = time.monotonic() + timeout
        while True:
            try:
                self.raw += self.child.read_nonblocking(65536, timeout=0.05)
            except pexpect.TIMEOUT:
                pass
            except pexpect.EOF:
                limit = 0
            text = self.text()
            match = re.compile(pattern, re.MULTILINE).search(text, self.seen)
            if match:
                part = text[self.seen : match.end()]
                self.seen = match.end()
                return part
            if time.monotonic() > limit:
                raise AssertionError(f"{pattern!r} did not appear in:\n{text[self.seen :][-3000:]}")

    def type(self, keys):
        self.child.send(keys)

    def ready(self):
        """Wait for the prompt."""
        self.wait(r"\?-")
        return self

    def query(self, text):
        self.type(text + "\r")

    def end(self):
        """Leave with Ctrl-D; the exit status."""
        self.type("\x04")
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus

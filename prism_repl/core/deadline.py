"""A limit on the time that something may take in a machine."""

import threading
from numbers import Real
from types import TracebackType
from typing import Any

LONGEST = threading.TIMEOUT_MAX / 2


class Deadline:
    """Within `with Deadline(m, seconds)` the machine is interrupted (KeyboardInterrupt) when the time is up;
    `passed` tells this from the user's Ctrl-C. No limit if seconds is None. TypeError, ValueError if
    it is neither that nor a number."""

    def __init__(self, m: Any, seconds: float | None) -> None:
        if seconds is not None:
            if not isinstance(seconds, Real):  # numbers of numpy are, too
                raise TypeError(f"a time limit is a number of seconds, or None, not {type(seconds).__name__}")
            if seconds != seconds:
                raise ValueError("a time limit is a number of seconds, not nan")
        self.m = m
        self.seconds = None if seconds is None else float(seconds)
        self.passed = self.over = False
        self.lock = threading.Lock()
        self.timer: threading.Timer | None = None

    def __enter__(self) -> "Deadline":
        if self.seconds is not None:
            self.timer = threading.Timer(min(max(0.0, self.seconds), LONGEST), self.interrupt)
            self.timer.daemon = True
            self.timer.start()
        return self

    def interrupt(self) -> None:
        with self.lock:
            if not self.over:
                self.passed = self.m.interrupts.interrupted = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self.timer is None:
            return
        self.timer.cancel()
        with self.lock:
            self.over = True
            if self.passed:
                self.m.interrupts.interrupted = False  # what comes next is not meant

"""A progress line on a terminal: rewritten while a long run goes on, gone when its text is complete."""

from __future__ import annotations

import time
from collections.abc import Callable

WIDTH = 20  # of the bar
EVERY = 0.1  # seconds between two looks of the line


def clock_text(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def bar_text(label: str, done: int, total: int, seconds: float) -> str:
    """`#goals: [#####---------------] 250/1000  500/s  0:02 left`"""
    filled = WIDTH * done // total
    bar = "#" * filled + "-" * (WIDTH - filled)
    text = f"{label} [{bar}] {done}/{total}"
    if done and seconds > 0.0:
        text += f"  {done / seconds:.3g}/s  {clock_text(seconds * (total - done) / done)} left"
    return text


class ProgressLine:
    """PRISM's text of a line waits here until the line is complete; meanwhile `show`, if there is such a
    thing as a terminal, shows where the run is. Without `show` all text is written at once."""

    def __init__(
        self,
        write: Callable[[str], None],
        show: Callable[[str], None] | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.put, self.show, self.clock = write, show, clock
        self.waiting = ""
        self.shown = False
        self.started = self.last = clock()

    def write(self, text: str) -> None:
        if self.show is None:
            self.put(text)
            return
        self.waiting += text
        if "\n" in text:
            self.finish()
            self.started = self.clock()

    def status(self, text: Callable[[float], str]) -> None:
        """Show where the run is, unless that was done just now. `text` is given the seconds since the line
        began."""
        now = self.clock()
        if self.show is not None and now - self.last >= EVERY:
            self.last = now
            self.shown = True
            self.show(text(now - self.started))

    def finish(self) -> None:
        """Write what waits, complete or not."""
        if self.shown and self.show is not None:
            self.shown = False
            self.show("")
        if self.waiting:
            waiting, self.waiting = self.waiting, ""
            self.put(waiting)

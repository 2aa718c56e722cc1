"""Answers as tables: a row for each answer, a column for each variable."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from prism_repl.answers import Answer

SHOWN = 300  # characters of a value; the rest is folded
LINE = 60  # characters of a value in a table of text
STYLE = "text-align:left;vertical-align:top;font-family:monospace;white-space:pre-wrap;overflow-wrap:anywhere"


class Answers(Sequence[Answer]):
    """The answers to a query. A notebook shows them as a table; `.frame()` makes a DataFrame.

    `complete` says that there are no others; if it is False, there may be more, and `how` says how to ask.
    """

    def __init__(self, answers: Sequence[Answer] = (), complete: bool = True, how: str = "") -> None:
        self.answers = list(answers)
        self.complete = complete
        self.how = how

    def __getitem__(self, i: Any) -> Any:
        return self.answers[i]

    def __len__(self) -> int:
        return len(self.answers)

    def __bool__(self) -> bool:
        """Did the query succeed?"""
        return bool(self.answers)

    @property
    def names(self) -> list[str]:
        """The variables of the query that some answer binds."""
        return list(dict.fromkeys(name for answer in self.answers for name in answer))

    def frame(self) -> Any:
        """A pandas DataFrame with a row for each answer and a column for each variable; terms that are no
        numbers are text."""
        import pandas

        return pandas.DataFrame(
            [{name: plain(answer[name], text) for name, text in answer.bindings} for answer in self.answers],
            columns=self.names,
        )

    def rows(self) -> list[list[str]]:
        """The texts of all values; an unbound variable is an underscore."""
        names = self.names
        return [[dict(answer.bindings).get(name, "_") for name in names] for answer in self.answers]

    def note(self) -> str:
        """How many there are, if that is not plain to see."""
        count = len(self.answers)
        if not self.complete:
            answers = "1 answer" if count == 1 else f"{count} answers"
            return f"{answers}, there may be more{self.how}"
        return f"{count} answers" if count > 10 else ""

    def __str__(self) -> str:
        if not self.answers:
            return "no"
        if not self.names:
            return "yes"
        if len(self.answers) == 1:
            text = "\n".join(f"{name} = {value}" for name, value in self.answers[0].bindings)
        else:
            text = columns_text(self.names, self.rows())
        return text + (f"\n({self.note()})" if self.note() else "")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str | None:
        return self.html() if self.names else None

    def html(self) -> str:
        head = "".join(f'<th style="text-align:left">{html.escape(name)}</th>' for name in self.names)
        body = "".join(
            "<tr>" + "".join(f'<td style="{STYLE}">{folded_html(value)}</td>' for value in row) + "</tr>"
            for row in self.rows()
        )
        note = f"<div><small>{html.escape(self.note())}</small></div>" if self.note() else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def plain(value: Any, text: str) -> Any:
    """What stands in a DataFrame: numbers as they are, other terms as text."""
    return value if isinstance(value, (int, float)) else text


def folded_html(text: str) -> str:
    """A value; of a long one the beginning, which opens."""
    if len(text) <= SHOWN:
        return html.escape(text)
    start = html.escape(text[: SHOWN - 100])
    return f"<details><summary>{start} …</summary>{html.escape(text)}</details>"


def columns_text(names: list[str], rows: list[list[str]]) -> str:
    """A table of text; long values are cut."""
    table = [
        names,
        *([value if len(value) <= LINE else value[: LINE - 1] + "…" for value in row] for row in rows),
    ]
    widths = [max(len(row[i]) for row in table) for i in range(len(names))]
    lines = ["  ".join(value.ljust(width) for value, width in zip(row, widths, strict=True)) for row in table]
    rule = "  ".join("─" * width for width in widths)
    return "\n".join(line.rstrip() for line in [lines[0], rule, *lines[1:]])

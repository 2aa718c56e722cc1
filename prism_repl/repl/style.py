"""Colours: whether to use them, and which."""

from __future__ import annotations

import os
from typing import TextIO

from pygments.style import Style
from pygments.token import (
    Comment,
    Error,
    Generic,
    Keyword,
    Name,
    Number,
    Operator,
    String,
    Token,
)


def wants_color(choice: str, stream: TextIO) -> bool:
    """`always`, `never`, or `auto`: on a terminal that can, unless NO_COLOR is set."""
    if choice != "auto":
        return choice == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


# What has a colour, and which. Plain text, punctuation and atoms have the terminal's own.
ROLES = (
    "comment", "keyword", "declaration", "variable", "function", "builtin", "number", "string", "operator",
    "wrong", "prompt", "good",
)  # fmt: skip
PALETTES = {
    "dark": (
        "#808080", "#87afff", "#5fd7ff", "#ffd787", "#87d7ff", "#87afff", "#afd787", "#87d787", "#d7afff",
        "#ff5f5f", "#5fafff", "#87d787",
    ),
    "light": (
        "#767676", "#005faf", "#00678a", "#875f00", "#005f87", "#005faf", "#3f6f00", "#006f00", "#6f3fa0",
        "#af0000", "#005faf", "#006f00",
    ),
    # For a background that is not known: all of these are at least 4 to 1 on white and on black.
    "neutral": (
        "#767676", "#5f5fff", "#008787", "#af5f00", "#0087af", "#5f5fff", "#5f8700", "#008700", "#875fd7",
        "#d7005f", "#005fff", "#008700",
    ),
}  # fmt: skip


def style_of(name: str) -> type[Style]:
    """The pygments style of a palette."""
    color = dict(zip(ROLES, PALETTES[name], strict=True))
    return type(
        f"{name.capitalize()}Style",
        (Style,),
        {
            "name": f"prism-{name}",
            "styles": {
                Token: "",
                Comment: f"italic {color['comment']}",
                Keyword: f"bold {color['keyword']}",
                Keyword.Declaration: f"bold {color['declaration']}",
                Name.Variable: color["variable"],
                Name.Function: color["function"],
                Name.Builtin: color["builtin"],
                Number: color["number"],
                String: color["string"],
                String.Escape: f"bold {color['string']}",
                Operator: color["operator"],
                Error: f"bold {color['wrong']}",
                Generic.Prompt: f"bold {color['prompt']}",
                Generic.Error: f"bold {color['wrong']}",
                Generic.Strong: f"bold {color['good']}",
                Generic.Heading: "bold",
                Generic.Deleted: color["wrong"],
                Generic.Inserted: color["good"],
            },
        },
    )


STYLES: dict[str, type[Style]] = {name: style_of(name) for name in PALETTES}

# The parts of the prompt that are no text of a query: prompt_toolkit's names. Where there is a background,
# there is a colour on it.
PARTS: dict[str, list[tuple[str, str]]] = {
    name: [
        ("matching-bracket", "bold underline"),
        ("auto-suggestion", grey),
        ("prompt-continuation", grey),
        ("completion-menu.completion", f"bg:{back} {front}"),
        ("completion-menu.meta.completion", f"bg:{back} {front}"),
        ("completion-menu.completion.current", "noreverse bg:#005f87 #ffffff"),
        ("completion-menu.meta.completion.current", "bg:#005f87 #ffffff"),
        ("scrollbar.background", f"bg:{back}"),
        ("scrollbar.button", f"bg:{grey}"),
    ]
    for name, grey, back, front in (
        ("dark", "#767676", "#303030", "#d0d0d0"),
        ("light", "#8a8a8a", "#e4e4e4", "#303030"),
        ("neutral", "#767676", "#444444", "#ffffff"),
    )
}

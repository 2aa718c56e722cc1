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
    Punctuation,
    String,
    Text,
    Token,
)


def wants_color(choice: str, stream: TextIO) -> bool:
    """`always`, `never`, or `auto`: on a terminal that can, unless NO_COLOR is set."""
    if choice != "auto":
        return choice == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


class DarkStyle(Style):
    """For a dark background."""

    name = "prism-dark"
    background_color = "#1c1c1c"
    styles = {
        Token: "#d0d0d0",
        Text: "",
        Comment: "italic #808080",
        Keyword: "bold #87afff",
        Keyword.Declaration: "bold #5fd7ff",
        Name.Variable: "#ffd787",
        Name.Variable.Anonymous: "#af875f",
        Name.Function: "#87d7ff",
        Name.Builtin: "#87afff",
        Name.Constant: "#d0d0d0",
        Number: "#afd787",
        String: "#87d787",
        String.Escape: "bold #87d787",
        String.Symbol: "#afd7af",
        Operator: "#d7afff",
        Punctuation: "#9e9e9e",
        Error: "bold #ff5f5f",
        Generic.Prompt: "bold #5fafff",
        Generic.Error: "bold #ff5f5f",
        Generic.Output: "#bcbcbc",
        Generic.Strong: "bold #87d787",
        Generic.Heading: "bold #d0d0d0",
        Generic.Deleted: "#ff5f5f",
        Generic.Inserted: "#87d787",
    }


class LightStyle(Style):
    """For a light background."""

    name = "prism-light"
    background_color = "#ffffff"
    styles = {
        Token: "#303030",
        Text: "",
        Comment: "italic #767676",
        Keyword: "bold #005faf",
        Keyword.Declaration: "bold #00678a",
        Name.Variable: "#875f00",
        Name.Variable.Anonymous: "#8a6d3b",
        Name.Function: "#005f87",
        Name.Builtin: "#005faf",
        Name.Constant: "#303030",
        Number: "#3f6f00",
        String: "#006f00",
        String.Escape: "bold #006f00",
        String.Symbol: "#2f6f2f",
        Operator: "#6f3fa0",
        Punctuation: "#6c6c6c",
        Error: "bold #af0000",
        Generic.Prompt: "bold #005faf",
        Generic.Error: "bold #af0000",
        Generic.Output: "#4e4e4e",
        Generic.Strong: "bold #006f00",
        Generic.Heading: "bold #303030",
        Generic.Deleted: "#af0000",
        Generic.Inserted: "#006f00",
    }


STYLES: dict[str, type[Style]] = {"dark": DarkStyle, "light": LightStyle}

# The parts of the prompt that are no text of a query: prompt_toolkit's names.
PARTS: dict[str, list[tuple[str, str]]] = {
    "dark": [
        ("matching-bracket", "bold underline"),
        ("auto-suggestion", "#767676"),
        ("prompt-continuation", "#767676"),
        ("completion-menu.completion", "bg:#303030 #d0d0d0"),
        ("completion-menu.meta.completion", "bg:#262626 #9e9e9e"),
        ("completion-menu.completion.current", "noreverse bg:#005f87 #ffffff"),
        ("completion-menu.meta.completion.current", "bg:#004a6b #ffffff"),
        ("scrollbar.background", "bg:#303030"),
        ("scrollbar.button", "bg:#767676"),
    ],
    "light": [
        ("matching-bracket", "bold underline"),
        ("auto-suggestion", "#8a8a8a"),
        ("prompt-continuation", "#8a8a8a"),
        ("completion-menu.completion", "bg:#e4e4e4 #303030"),
        ("completion-menu.meta.completion", "bg:#eeeeee #626262"),
        ("completion-menu.completion.current", "noreverse bg:#005faf #ffffff"),
        ("completion-menu.meta.completion.current", "bg:#5f87af #ffffff"),
        ("scrollbar.background", "bg:#e4e4e4"),
        ("scrollbar.button", "bg:#8a8a8a"),
    ],
}

"""Pygments lexers for PRISM: programs and queries (`prism`), and what the top level prints (`prism-session`).

Registered as plug-ins, so that `pygmentize -l prism` works.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pygments.lexer import Lexer, RegexLexer, bygroups, words
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
    _TokenType,
)

SYMBOL = r"[-+*/\\^<>=~:.?@#&$]"

DECLARATIONS = (
    "dynamic", "discontiguous", "initialization", "include", "ensure_loaded", "table", "mode", "op", "module",
    "p_table", "p_not_table", "values", "values_x", "data", "failure", "target", "prism_main",
    "disable_write_call",
)  # fmt: skip

# Words that are operators of PRISM or Prolog.
WORD_OPERATORS = (
    "is", "mod", "rem", "div", "xor", "in", "times", "not", "sample", "prob", "log_prob", "probf", "probfi",
    "probfo", "probfv", "probfio", "viterbi", "viterbif", "viterbig", "hindsight", "chindsight",
)  # fmt: skip

CONTROL = (
    "true",
    "fail",
    "false",
    "repeat",
    "once",
    "call",
    "catch",
    "throw",
    "findall",
    "bagof",
    "setof",
    "forall",
    "foreach",
    "halt",
)

PROBABILISTIC = (
    "msw",
    "soft_msw",
    "b_msw",
    "learn",
    "set_sw",
    "get_sw",
    "fix_sw",
    "show_sw",
    "prism",
    "prismn",
    "set_prism_flag",
    "get_prism_flag",
)


class PrismLexer(RegexLexer):
    """PRISM programs and queries."""

    name = "PRISM"
    aliases = ["prism"]
    filenames = ["*.psm"]
    mimetypes = ["text/x-prism"]

    # In this order a number such as 0'c or 1.5 is seen before a quote or a period.
    tokens = {
        "root": [
            (r"\s+", Text),
            (r"%.*?$", Comment.Single),
            (r"/\*", Comment.Multiline, "comment"),
            (r"0'(?:\\x[0-9a-fA-F]+\\?|\\[0-7]+\\?|\\.|''|[^'\\\n]|')", String.Char),
            (r"0b[01]+|0o[0-7]+|0x[0-9a-fA-F]+", Number.Integer),
            (r"\d+'[0-9A-Za-z]+", Number.Integer),
            (r"\d+(?:_\d+)*\.\d+(?:[eE][+-]?\d+)?", Number.Float),
            (r"\d+(?:_\d+)*", Number.Integer),
            (r"'", String.Symbol, "quoted_atom"),
            (r'"', String.Double, "string"),
            (r"`", String.Backtick, "back_quoted"),
            (r"_(?!\w)", Name.Variable.Anonymous),
            (r"_\w*", Name.Variable),
            (r"[A-Z]\w*", Name.Variable),
            (r"\.(?=\s|%|\Z)", Punctuation),
            (r":-|-->|\?-", Keyword.Declaration),
            (words(DECLARATIONS, prefix=r"\b", suffix=r"\b"), Keyword.Declaration),
            (words(CONTROL, prefix=r"\b", suffix=r"\b"), Keyword),
            (words(PROBABILISTIC, prefix=r"\b", suffix=r"\b(?=\()"), Name.Builtin),
            (words(WORD_OPERATORS, prefix=r"\b", suffix=r"\b"), Operator.Word),
            (r"[^\W\d_A-Z]\w*(?=\()", Name.Function),
            (r"[^\W\d_A-Z]\w*", Name.Constant),
            (r"[^\W\d_]\w*", Name.Variable),
            (r"[!;]", Keyword),
            (r"->|\\\+", Keyword),
            (SYMBOL + "+", Operator),
            (r"[()\[\]{},|]", Punctuation),
            (r".", Error),
        ],
        "comment": [
            (r"[^*]+", Comment.Multiline),
            (r"\*/", Comment.Multiline, "#pop"),
            (r"\*", Comment.Multiline),
        ],
        "quoted_atom": [
            (r"''", String.Escape),
            (r"'", String.Symbol, "#pop"),
            (r"\\(?:x[0-9a-fA-F]+\\?|[0-7]+\\?|\n|.)", String.Escape),
            (r"[^'\\]+", String.Symbol),
        ],
        "string": [
            (r'""', String.Escape),
            (r'"', String.Double, "#pop"),
            (r"\\(?:x[0-9a-fA-F]+\\?|[0-7]+\\?|\n|.)", String.Escape),
            (r'[^"\\]+', String.Double),
        ],
        "back_quoted": [
            (r"``", String.Escape),
            (r"`", String.Backtick, "#pop"),
            (r"\\(?:x[0-9a-fA-F]+\\?|[0-7]+\\?|\n|.)", String.Escape),
            (r"[^`\\]+", String.Backtick),
        ],
    }

    def analyse_text(text: str) -> float:
        return 0.6 if re.search(r"^values(_x)?\(|\bmsw\(", text, re.MULTILINE) else 0.0


class PrismOutputLexer(RegexLexer):
    """What the top level prints: answers, graphs, switches, messages."""

    name = "PRISM output"
    aliases = ["prism-output"]

    tokens = {
        "root": [
            (r"^(?:yes|true)(?=\s*(?:\?;?)?\s*$)", Generic.Strong),
            (r"^no$", Generic.Deleted),
            (r"^\*\*\*?.*$", Generic.Error),
            (r"<<HERE>>", Generic.Error),
            (r"^%.*$", Comment),
            (r" \?;?$", Generic.Prompt),
            (r"^([A-Z]\w*)( = )", bygroups(Name.Variable, Operator)),
            (r"^(Switch )(.*?)(: (?:un)?fixed\S*:)", bygroups(Keyword, Name.Function, Comment)),
            (r"\((?=[pad]: )", Punctuation, "parameter"),
            (r"^   (?:<=>|<=|  v|v )", Keyword),
            (r"^     v ", Keyword),
            (r" & ", Operator),
            (r"^((?:\[\d+\] )?#\S+:)(.*)$", bygroups(Generic.Heading, Generic.Output)),
            (r"^\{(?:Trace|Spy) mode\}$", Comment),
            (r"^\w[\w ]*:$", Generic.Heading),
            (r"^( +)([A-Z][\w -]*:)", bygroups(Text, Generic.Heading)),
            (r"\b(?:msw)\b", Name.Builtin),
            (r"(?<![\w'])_(?:G?\d\w*)?(?!\w)", Name.Variable.Anonymous),
            (r"(?<![\w.])\d+\.\d+(?:[eE][+-]?\d+)?", Number.Float),
            (r"(?<![\w.])\d+(?![\w.])", Number.Integer),
            (r"'(?:[^'\\\n]|\\.|'')*'", String.Symbol),
            # Within a term; in a sentence a capital letter means nothing.
            (r"(?:(?<=\w\()|(?<=[\[{,|:=<>+*/-])|(?<== ))[A-Z]\w*", Name.Variable),
            (r"\w+(?=\()", Name.Function),
            (r"\w+", Text),
            (r"[()\[\]{},|]", Punctuation),
            (r"\n", Text),
            (r"[^\w\n]", Text),
        ],
        "parameter": [
            (r"([pad])(: )", bygroups(Comment, Punctuation)),
            (r"-?\d+\.\d+", Number.Float),
            (r", ", Punctuation),
            (r"\)", Punctuation, "#pop"),
            (r"n/a", Comment),
            (r"\n", Text, "#pop"),
            (r".", Text),
        ],
    }


class PrismSessionLexer(Lexer):
    """A transcript: queries and what was printed."""

    name = "PRISM session"
    aliases = ["prism-session", "prism-repl"]
    filenames = ["*.session.txt"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        query, output = PrismLexer(**self.options), PrismOutputLexer(**self.options)
        at = 0
        for part, prompt in split_session(text):
            if prompt == "%":
                yield at, Comment.Single, part
            elif prompt:
                yield at, Generic.Prompt, prompt
                yield from shifted(query, part[len(prompt) :], at + len(prompt))
            else:
                yield from shifted(output, part, at)
            at += len(part)


def shifted(lexer: Any, text: str, by: int) -> Iterator[tuple[int, _TokenType, str]]:
    return ((by + i, kind, value) for i, kind, value in lexer.get_tokens_unprocessed(text))


def split_session(text: str) -> Iterator[tuple[str, str]]:
    """The lines of a transcript with their prompts ('' for output, '%' for a comment)."""
    from prism_repl.prolog.queries import is_complete

    query = ""
    for line in text.splitlines(keepends=True):
        prompt = re.match(r"(?:\| )?\?- |\|    ", line)
        if prompt:
            query = line[prompt.end() :] if "?-" in prompt.group() else query + line[prompt.end() :]
            yield line, prompt.group()
        elif line.startswith("%"):
            yield line, "%"
        elif query and not is_complete(query) and line[:1].isspace() and line.strip():
            query += line
            indent = line[: len(line) - len(line.lstrip())]
            yield line, indent
        else:
            query = ""
            yield line, ""

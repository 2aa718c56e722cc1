"""What is known about the word at the cursor: help, a predicate of the program, a switch."""

from __future__ import annotations

from prism_repl.jupyter.cells import COMMAND, COMMANDS
from prism_repl.prolog.queries import TOKEN
from prism_repl.repl.completer import place_at
from prism_repl.repl.help import find
from prism_repl.repl.names import SessionNames


def words_at(text: str, cursor: int) -> list[str]:
    """The word that the cursor is in or after, then the functors whose arguments it is within, innermost
    first."""
    words = []
    for token in TOKEN.finditer(text):
        if token.lastgroup == "name" and token.start() <= cursor <= token.end():
            words.append(token.group())
    words += [bracket.functor for bracket in reversed(place_at(text[:cursor]).stack)]
    return [word for word in words if word and not (word[0].isupper() or word[0] == "_")]


def described(names: SessionNames, text: str, cursor: int) -> str:
    """What to say at the cursor, '' if nothing is known."""
    line = text[text.rfind("\n", 0, cursor) + 1 :]
    command = COMMAND.match(line)
    if command and command[1] in COMMANDS:
        argument, what = COMMANDS[command[1]]
        return f"%{command[1]} {argument}\n    {what}\n"
    for word in words_at(text, cursor):
        if said := description(names, word):
            return said
    return ""


def description(names: SessionNames, word: str) -> str:
    parts = [entry.show() for entry in find(word)]
    if not parts:
        parts = [*own_predicate(names, word), *switches(names, word)]
    return "\n".join(parts)


def own_predicate(names: SessionNames, word: str) -> list[str]:
    """A predicate of the program, by its clauses."""
    arities = names.arities().get(word)
    if not arities:
        return []
    probabilistic = names.probabilistic().get(word, [])
    lines = []
    for arity in arities:
        kind = "a probabilistic predicate" if arity in probabilistic else "a predicate"
        lines.append(f"{word}/{arity}: {kind} of the program\n")
    return lines


def switches(names: SessionNames, word: str) -> list[str]:
    """The distributions of the switches of a name, as show_sw prints them."""
    rows = []
    for switch in names.session.switches():
        if str(getattr(switch.name, "name", switch.name)) == word:
            outcomes = ", ".join(
                f"{outcome} {p:.6g}" for outcome, p in zip(switch.outcomes, switch.parameters, strict=True)
            )
            rows.append(f"switch {switch.name}: {outcomes}\n")
    return ["".join(rows)] if rows else []

"""Declarations of built-in predicates, in the notation of mode lines:

    atom_length(+Atom:atom, ?Length:integer) is semidet, itself, protected

Predicates written in Python have them in @builtin (builtins/registry.py), those written in Prolog in a
comment that begins with %% and ends with a period, in the library file that has their clauses. Argument
checks, protection, help, completion and predicate_property come from them. Determinism is that of calls whose
- arguments are unbound.

An argument is a mode, a name and, after a colon, a type (builtins/types.py):

    +X:type   must be bound, and of the type; a function in Python gets its value
    ?X:type   if it is bound, of the type
    -X        an answer: whatever it is, the result is unified with it
    @X        looked at, and not bound
    :X        called; :X/2 with two more arguments, :X^ behind variables that are not free

A type without a check says what the argument is for people and for completion. After the type, !2104 is the
message of PRISM that goes with its errors. Arguments are checked from left to right; after the determinism
may follow

    first X     this argument is checked before the others; also of several
    itself      the predicate's own code makes the checks
    fixed       control, and what is compiled inline: no program can replace it
    protected   a PRISM program cannot define it; files of plain Prolog may have their own
    kept        a program's own version is passed over, with a message
"""

import re
from functools import cached_property
from typing import NamedTuple

DETERMINISM = ("det", "semidet", "multi", "nondet", "failure", "erroneous")
PROTECTION = ("fixed", "protected", "kept")
ARGUMENT = re.compile(r"([-+?@:])([A-Z]\w*)(?::([a-z]\w*)(?:!(\d+))?|/(\d)|(\^))?")
CHECKED = re.compile(r"[+?]\w+:")
COMMENT = re.compile(r"^%% (.+)\.$", re.MULTILINE)


class Argument(NamedTuple):
    """An argument: `extra` is how many arguments are added to a goal that is called, or ^."""

    mode: str
    name: str
    type: str = ""
    message: str = ""
    extra: str = ""


def argument_of(text: str) -> Argument | None:
    """An argument as it is written; None if it cannot be read."""
    match = ARGUMENT.fullmatch(text)
    if match is None:
        return None
    mode, name, type_, message, count, caret = match.groups()
    return Argument(mode, name, type_ or "", message or "", count or caret or "0")


class Declaration:
    """What is declared of a predicate. Most of it is never asked for, and read when it is."""

    __slots__ = ("__dict__", "arity", "determinism", "name", "text", "words")

    def __init__(self, text: str) -> None:
        head, _, rest = text.rpartition(" is ")
        self.text = text
        self.name, bracket, arguments = head.partition("(")
        self.arity = arguments.count(", ") + 1 if bracket else 0
        self.determinism, *self.words = rest.split(", ")

    @cached_property
    def arguments(self) -> list[Argument]:
        if self.arity == 0:
            return []
        texts = self.head[len(self.name) + 1 : -1].split(", ")
        return [argument for argument in map(argument_of, texts) if argument is not None]

    @cached_property
    def called(self) -> str:
        """For each argument how many arguments are added when it is called, ^ for a goal behind variables, *
        for what is not called; '' if none is."""
        if "(:" not in self.text and " :" not in self.text:
            return ""
        return "".join(argument.extra if argument.mode == ":" else "*" for argument in self.arguments)

    @property
    def head(self) -> str:
        """The predicate with its arguments."""
        return self.text.rpartition(" is ")[0]

    @property
    def is_checked(self) -> bool:
        """Whether checks are made before its code is run."""
        return CHECKED.search(self.text) is not None and "itself" not in self.words

    @property
    def protection(self) -> str:
        """One of PROTECTION, or ''."""
        return next((word for word in self.words if word in PROTECTION), "")

    @property
    def order(self) -> list[int]:
        """The places of the arguments, as they are checked."""
        names = [argument.name for argument in self.arguments]
        first = [names.index(word.removeprefix("first ")) for word in self.words if word.startswith("first ")]
        return first + [place for place in range(self.arity) if place not in first]

    @property
    def shown(self) -> str:
        """The mode line as people read it: without what only the system needs to know."""
        return re.sub(r"!\d+", "", self.head) + f" is {self.determinism}"


DECLARATIONS: dict[tuple[str, int], Declaration] = {}  # of all built-in predicates


def faults(text: str) -> list[str]:
    """What is wrong with a declaration."""
    found = []
    declaration = Declaration(text)
    if declaration.determinism not in DETERMINISM:
        found.append(f"no determinism: {declaration.determinism}")
    if len(declaration.arguments) != declaration.arity:
        found.append("arguments that cannot be read")
    names = [argument.name for argument in declaration.arguments]
    if len(set(names)) < len(names):
        found.append("two arguments of one name")
    for word in declaration.words:
        if word not in (*PROTECTION, "itself") and word.removeprefix("first ") not in names:
            found.append(f"unknown word: {word}")
    return found


def declared_in(text: str) -> list[Declaration]:
    """The declarations in the text of a library file."""
    return [Declaration(found) for found in COMMENT.findall(text)]

"""The help texts: help_texts/*.txt (their format: help_texts/FORMAT.md), and the flags from their table."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from prism_repl.flags import TABLE as FLAGS
from prism_repl.predicates.system import declared

SIGNATURE = re.compile(r"([a-z]\w*|[^\w\s]+)(?:\((.*)\))?$")
INFIX = re.compile(r"[A-Z]\w* (\S+) [A-Z]\w*$")
PREFIX = re.compile(r"([^\w\s(]+) [A-Z]\w*$")
# Flags of what is not there yet: debugging of cyclic graphs.
NOT_YET = ("scc_",)
FLAG_GROUP = "Flags (set_prism_flag/2)"
WIDTH = 24  # of the names in the answer to apropos


@dataclass(frozen=True)
class Entry:
    """What is known about a predicate (or several that belong together) or a flag."""

    signatures: tuple[str, ...]
    text: str
    group: str
    example: str = ""  # a transcript

    @property
    def summary(self) -> str:
        """The first sentence."""
        flat = " ".join(self.text.split())
        return re.split(r"(?<=[.:?])\s", flat, maxsplit=1)[0].rstrip(".:")

    @property
    def indicators(self) -> tuple[tuple[str, int], ...]:
        return tuple(indicator(signature) for signature in self.signatures)

    def show(self) -> str:
        lines = [*map(mode_line, self.signatures), *("    " + line for line in self.text.split("\n"))]
        program = program_of(self.example)
        if program:
            lines += ["", "    With the program", *("    " + line for line in program)]
        if self.example:
            lines += ["", *("    " + line if line else "" for line in self.example.split("\n"))]
        return "\n".join(lines) + "\n"


def mode_line(signature: str) -> str:
    """How a predicate is declared: its arguments with modes and types, and how often it succeeds. The
    signature as it is where that is more to the point: declarations in programs, [File,...], make(keep)."""
    declaration = None if signature in flags() else declared().get(indicator(signature))
    if declaration is None or [a.name for a in declaration.arguments] != re.findall(r"\b[A-Z]\w*", signature):
        return signature
    return declaration.shown


CLAUSE = re.compile(r"(?:values\()?([a-z]\w*)")


@cache
def model_clauses() -> tuple[tuple[str, str], ...]:
    """The clauses of the model that examples use, each with the name of its predicate or switch."""
    model = files("prism_repl.repl") / "help_texts" / "models" / "coin.psm"
    lines = [line for line in model.read_text(encoding="utf-8").splitlines() if line and line[0] != "%"]
    return tuple((match[1], line) for line in lines if (match := CLAUSE.match(line)))


def program_of(example: str) -> list[str]:
    """The clauses that an example needs: those of what its query names, and of what these name."""
    query = re.split(r"\.\n", example, maxsplit=1)[0]
    names = set(re.findall(r"[a-z]\w*", query))
    needed: list[str] = []
    found = True
    while found:
        found = False
        for name, line in model_clauses():
            if name in names and line not in needed:
                needed.append(line)
                names.update(re.findall(r"[a-z]\w*", line))
                found = True
    return [line for _, line in model_clauses() if line in needed]


def indicator(signature: str) -> tuple[str, int]:
    """Name and arity of viterbif(Goal,P,E), of `X is Y`, of `\\+ Goal`, and of [File,...]."""
    if signature.startswith("["):
        return ".", 2
    for form, arity in ((INFIX, 2), (PREFIX, 1)):
        if operator := form.match(signature):
            return operator[1], arity
    match = SIGNATURE.match(signature)
    if not match:
        raise ValueError(f"not a signature: {signature}")
    return match[1], match[2].count(",") + 1 if match[2] else 0


def parse(text: str) -> list[Entry]:
    """The entries of one help file."""
    entries: list[Entry] = []
    group = ""
    signatures: list[str] = []
    body: list[str] = []

    def finish() -> None:
        if signatures:
            lines = "\n".join(body).strip("\n").split("\n")
            example = next((i for i, line in enumerate(lines) if line.startswith("?- ")), len(lines))
            description = "\n".join(lines[:example]).strip()
            entries.append(Entry(tuple(signatures), description, group, "\n".join(lines[example:]).strip()))
        signatures.clear()
        body.clear()

    for line in text.splitlines():
        if line.startswith("# "):
            finish()
            group = line[2:]
        elif line and not line[0].isspace():
            if body:
                finish()
            signatures.append(line)
        elif signatures:
            body.append(line[4:])
    finish()
    return entries


@cache
def predicates() -> tuple[Entry, ...]:
    """All entries of the help files."""
    folder = files("prism_repl.repl") / "help_texts"
    texts = sorted(
        (f.name, f.read_text(encoding="utf-8")) for f in folder.iterdir() if f.name.endswith(".txt")
    )
    return tuple(entry for _, text in texts for entry in parse(text))


@cache
def flags() -> dict[str, Entry]:
    """The flags, with what their table says."""
    found = {}
    for flag in FLAGS:
        text = f"{flag.help}.\nValues: {flag.kind.text}. Default: {value_text(flag.default)}."
        if flag.name.startswith(NOT_YET):
            text += "\nWhat it is for is not there yet: the flag can be set and read, and changes nothing."
        example = f"?- get_prism_flag({flag.name},X).\nX = {answer_text(flag.default)}\nyes"
        found[flag.name] = Entry((flag.name,), text[0].upper() + text[1:], FLAG_GROUP, example)
    return found


def answer_text(value: object) -> str:
    """The value of a flag as an answer shows it."""
    if value == "$disabled":
        return "'$disabled'"
    return "1.0e-08" if value == 1.0e-8 else value_text(value)


def value_text(value: object) -> str:
    """The value of a flag as it is typed."""
    if isinstance(value, tuple):
        if value[0] == "/":
            return f"{value[1]}/{value[2]}"
        return f"{value[0]}({','.join(map(value_text, value[1:]))})"
    return "disabled" if value == "$disabled" else str(value)


@cache
def by_indicator() -> dict[tuple[str, int], Entry]:
    return {key: entry for entry in predicates() for key in entry.indicators}


def find(name: str, arity: int | None = None) -> list[Entry]:
    """The entries for a name (and arity)."""
    found = [e for e in predicates() if any(n == name and arity in (None, a) for n, a in e.indicators)]
    if arity is None and name in flags():
        found.append(flags()[name])
    return found


# What someone may look for, and the words that the help has for it. Stems on the left.
SYNONYMS = {
    "decod": "viterbi", "pars": "viterbi", "best": "viterbi", "argmax": "viterbi",
    "train": "learn", "fit": "learn", "estimat": "learn", "optimi": "learn", "em": "learn",
    "draw": "sample", "simulat": "sample", "generat": "sample",
    "inferenc": "prob", "probabilit": "prob", "likelihood": "prob",
    "posterior": "hindsight", "marginal": "hindsight", "smooth": "hindsight",
    "paramet": "_sw", "distribut": "_sw", "switch": "_sw", "prior": "pseudo",
    "quit": "halt", "exit": "halt", "leav": "halt", "debug": "trace", "step": "trace",
    "load": "prism(", "print": "writ", "output": "writ", "record": "log(", "transcript": "log(",
}  # fmt: skip
ENDINGS = ("ation", "ing", "ion", "ies", "ie", "er", "ed", "e", "y")
LEAST = 3  # letters of a stem


def stem(word: str) -> str:
    """A word without its ending: sampling, samples and sample are one."""
    if word.endswith("s") and not word.endswith("ss") and len(word) > LEAST:
        word = word[:-1]
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= LEAST and not word.endswith("ee"):
            word = word.removesuffix(ending)
            return word[:-1] if word[-1] == word[-2] and word[-1] not in "lsz" else word  # debugg
    return word


def search(word: str) -> list[Entry]:
    """The entries whose name or summary contains a word, or another form of it, or another word for it, names
    first; if there are none, those whose text does."""
    word = word.lower()
    root = stem(word)
    parts = (word, root, SYNONYMS.get(root, SYNONYMS.get(word, word)))
    everything = [*predicates(), *flags().values()]
    places = [
        [(entry, " ".join(entry.signatures).lower()) for entry in everything],
        [(entry, entry.summary.lower()) for entry in everything],
    ]
    found = [entry for place in places for part in parts for entry, text in place if part in text]
    if not found:
        found = [entry for entry in everything if root in " ".join(entry.text.split()).lower()]
    return list(dict.fromkeys(found))


def help_text(name: str, arity: int | None = None) -> str:
    """The answer to help(Name) or help(Name/Arity)."""
    found = find(name, arity)
    if found:
        return "\n".join(entry.show() for entry in found)
    shown = name if arity is None else f"{name}/{arity}"
    near = difflib.get_close_matches(name, {*(n for n, _ in by_indicator()), *flags()}, n=3)
    hint = f" Perhaps {' or '.join(near)}?" if near else f" Try apropos({name})."
    return f"There is no help on {shown}.{hint}\n"


def overview() -> str:
    """The answer to help/0: all topics by group."""
    groups: dict[str, list[str]] = {}
    for entry in [*predicates(), *flags().values()]:
        names = groups.setdefault(entry.group, [])
        for signature in entry.signatures:
            name = indicator(signature)[0]
            if name not in names:
                names.append(name)
    parts = ["help(Name) explains a predicate or a flag, apropos(Word) searches.\n"]
    for group, names in groups.items():
        parts.append(f"{group}:\n{wrapped(names)}")
    return "\n".join(parts)


def wrapped(words: list[str], width: int = 76) -> str:
    lines = [" "]
    for word in words:
        if len(lines[-1]) + len(word) + 1 > width:
            lines.append(" ")
        lines[-1] += " " + word
    return "\n".join(lines) + "\n"


def apropos_text(word: str) -> str:
    """The answer to apropos(Word): one line for each entry."""
    found = search(word)
    if not found:
        return f"Nothing is found for {word}.\n"
    lines = []
    for entry in found:
        name = names(entry)
        # A long list of names has a line of its own.
        lines.append(f"{name:{WIDTH}}  {entry.summary}" if len(name) <= WIDTH else name)
        if len(name) > WIDTH:
            lines.append(" " * WIDTH + f"  {entry.summary}")
    return "\n".join(lines) + "\n"


def names(entry: Entry) -> str:
    """What an entry is about: `log_prob/1,2`, or the name of a flag."""
    if entry.group == FLAG_GROUP:
        return entry.signatures[0]
    arities: dict[str, list[str]] = {}
    for name, arity in entry.indicators:
        arities.setdefault(name, []).append(str(arity))
    return "  ".join(f"{name}/{','.join(known)}" for name, known in arities.items())

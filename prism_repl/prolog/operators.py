"""The operator table: what the reader and the writer know about operators, and the checks of op/3."""

from collections.abc import Iterator

from prism_repl.core.errors import domain_error, permission_error

PREFIX_TYPES = ("fx", "fy")
INFIX_TYPES = ("xfx", "xfy", "yfx")
POSTFIX_TYPES = ("xf", "yf")

# ISO 13211-1 with its corrigenda, then what B-Prolog and PRISM add.
PREDEFINED = [
    (1200, "xfx", ":- -->"),
    (1200, "fx", ":- ?-"),
    (1100, "xfy", ";"),
    (1105, "xfy", "|"),
    (1050, "xfy", "->"),
    (1000, "xfy", ","),
    (900, "fy", "\\+"),
    (700, "xfx", "= \\= == \\== @< @=< @> @>= =.. is =:= =\\= < =< > >="),
    (600, "xfy", ":"),
    (500, "yfx", "+ - /\\ \\/"),
    (400, "yfx", "* / // rem mod div << >>"),
    (200, "xfx", "**"),
    (200, "xfy", "^"),
    (200, "fy", "- + \\"),
    # the soft cut, variants, and B-Prolog
    (1200, "xfx", "=>"),
    (1150, "fx", "dynamic discontiguous initialization table mode multifile public"),
    (1050, "xfy", "*->"),
    (700, "xfx", "=@= \\=@="),
    (900, "fy", "not spy nospy"),
    (760, "yfx", "#<=>"),
    (750, "xfy", "#=>"),
    (740, "yfx", "#\\/"),
    (720, "yfx", "#/\\"),
    (710, "fy", "#\\"),
    (700, "xfx", ":= @:= @= <= #= #\\= #< #=< #> #>="),
    (580, "xfx", "in notin ::"),
    (560, "yfx", ".."),
    (500, "yfx", "\\"),
    (400, "yfx", "xor"),
    (200, "fy", "@"),
    # PRISM
    (1160, "xfx", "times"),
    (1150, "fx", "sample prob log_prob probf probfi probfo probfv probfio"),
    (1150, "fx", "viterbi viterbif viterbig hindsight chindsight"),
    (1150, "fy", "p_table p_not_table"),
    (950, "fx", "?? ??* ??> ??< ??+ ??-"),
    (600, "xfx", "@"),
]


class Operators:
    """Prefix, infix and postfix operators by name; a priority of 0 removes one."""

    def __init__(self) -> None:
        self._prefix: dict[str, tuple[int, str]] = {}
        self._infix: dict[str, tuple[int, str]] = {}
        self._postfix: dict[str, tuple[int, str]] = {}
        # For the reader: priority << 24 | greatest left priority << 12 | greatest right priority.
        self.prefix_codes: dict[str, int] = {}
        self.infix_codes: dict[str, int] = {}
        self.postfix_codes: dict[str, int] = {}
        for priority, kind, names in PREDEFINED:
            for name in names.split():
                self.add(priority, kind, name)

    def add(self, priority: int, kind: str, name: str) -> None:
        """Define, change or (priority 0) remove an operator; check_op says what is allowed."""
        if kind in PREFIX_TYPES:
            table, codes = self._prefix, self.prefix_codes
        elif kind in INFIX_TYPES:
            table, codes = self._infix, self.infix_codes
        elif kind in POSTFIX_TYPES:
            table, codes = self._postfix, self.postfix_codes
        else:
            raise ValueError(f"not an operator type: {kind}")
        if priority == 0:
            table.pop(name, None)
            codes.pop(name, None)
            return
        table[name] = (priority, kind)
        left = priority if kind[0] == "y" else priority - 1
        right = priority if kind[-1] == "y" else priority - 1
        codes[name] = priority << 24 | left << 12 | right

    def prefix(self, name: str) -> tuple[int, str] | None:
        return self._prefix.get(name)

    def infix(self, name: str) -> tuple[int, str] | None:
        return self._infix.get(name)

    def postfix(self, name: str) -> tuple[int, str] | None:
        return self._postfix.get(name)

    def all(self) -> Iterator[tuple[int, str, str]]:
        """(priority, type, name) of every operator."""
        for table in (self._prefix, self._infix, self._postfix):
            for name, (priority, kind) in list(table.items()):
                yield priority, kind, name


def check_op(m, priority: int, kind: str, name: str) -> None:  # type: ignore[no-untyped-def]
    """Raise the ISO error for an op/3 that is not allowed; the arguments have the right types already."""
    if not 0 <= priority <= 1200:
        raise domain_error("operator_priority", m.int_cell(priority))
    if kind not in PREFIX_TYPES + INFIX_TYPES + POSTFIX_TYPES:
        raise domain_error("operator_specifier", m.atom(kind))
    refused = _refused(m.operators, priority, kind, name)
    if refused:
        raise permission_error(refused, "operator", m.atom(name))


def _refused(operators: Operators, priority: int, kind: str, name: str) -> str:
    """The action (modify, create) that is not permitted, or ''."""
    if name == ",":
        return "modify"
    if name in ("[]", "{}"):
        return "create"
    if name == "|" and (kind not in INFIX_TYPES or 0 < priority < 1001):
        return "create"
    # An atom is never both infix and postfix.
    if priority > 0 and kind in INFIX_TYPES and operators.postfix(name):
        return "create"
    if priority > 0 and kind in POSTFIX_TYPES and operators.infix(name):
        return "create"
    return ""

"""Prolog exceptions as Python exceptions.

A builtin raises one of these; the machine turns it into the ball error(Formal,Context), where
Context is the predicate indicator of the builtin that was running. Culprits are cells.
"""


class PrologError(Exception):
    """error(Formal,Context) in the making: build(m) gives the cell of Formal.

    `context` is a (name, arity) pair, or None for "the builtin that is running". `announcement` is a line to
    print when the ball is thrown: not when the error is made, since it may be dropped.
    """

    def __init__(self, kind: str, *parts: object, context: tuple[str, int] | None = None) -> None:
        super().__init__(kind, *parts)
        self.kind = kind
        self.parts = parts
        self.context = context
        self.announcement: str | None = None

    def formal(self, m):
        """The cell of the formal term; strings are atoms, integers are cells, tuples structures."""
        if not self.parts:
            return m.atom(self.kind)
        return m.struct(self.kind, *[part_cell(m, p) for p in self.parts])


def part_cell(m, part):
    if isinstance(part, str):
        return m.atom(part)
    if isinstance(part, tuple):
        return m.struct(part[0], *[part_cell(m, p) for p in part[1:]])
    return part


class PrologThrow(Exception):
    """A ball as it is: throw(Ball). `record` is the frozen ball."""

    def __init__(self, record: object) -> None:
        super().__init__("Prolog exception")
        self.record = record


class PrologHalt(BaseException):
    """halt/0,1: the process (or the embedding session) should end with this status."""

    def __init__(self, status: int = 0) -> None:
        super().__init__(status)
        self.status = status


class Interrupted(KeyboardInterrupt):
    """An interrupt with the text that the top level prints for it. No catch/3 sees it."""


def instantiation_error() -> PrologError:
    return PrologError("instantiation_error")


def type_error(expected: str, culprit: int) -> PrologError:
    return PrologError("type_error", expected, culprit)


def domain_error(domain: str, culprit: int) -> PrologError:
    return PrologError("domain_error", domain, culprit)


def existence_error(kind: str, culprit: int) -> PrologError:
    return PrologError("existence_error", kind, culprit)


def permission_error(action: str, kind: str, culprit: int) -> PrologError:
    return PrologError("permission_error", action, kind, culprit)


def representation_error(what: str) -> PrologError:
    return PrologError("representation_error", what)


def evaluation_error(what: str) -> PrologError:
    return PrologError("evaluation_error", what)


def resource_error(what: str) -> PrologError:
    return PrologError("resource_error", what)


EXHAUSTION = (MemoryError, RecursionError, OverflowError)


def exhausted(error: BaseException, context: tuple[str, int] | None = None) -> PrologError:
    """What Prolog is told of a Python error that says that there is no room."""
    error.__traceback__ = None  # its frames may hold what filled the memory
    if isinstance(error, OverflowError) and str(error).endswith("float"):  # an integer that no float holds
        return PrologError("evaluation_error", "float_overflow", context=context)
    return PrologError("resource_error", "memory", context=context)


def syntax_error(what: str) -> PrologError:
    return PrologError("syntax_error", what)

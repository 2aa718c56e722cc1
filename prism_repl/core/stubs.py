"""Code that no clause has: the end of a query, control predicates, natives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_repl.core.instructions import COMMON_MODES_OF_LIBRARY, CONSTANTS, NATIVES

if TYPE_CHECKING:
    from prism_repl.core.program import Program
    from prism_repl.core.symbols import Symbols


def coded(words: list[str | int]) -> list[int]:
    """Instructions, written by their names and operands, as numbers."""
    return [CONSTANTS[word] if isinstance(word, str) else word for word in words]


def define_stubs(program: Program, symbols: Symbols) -> None:
    """Give a new program the code that no clause has."""

    def pred(name: str, arity: int) -> int:
        number: int = program.pred(symbols.functor(symbols.atom(name), arity))
        return number

    def define(name: str, arity: int, words: list[str | int], flags: int = 0) -> None:
        program.define_code(name, arity, coded(words), flags)

    program.stop_code = program.stub(coded(["STOP"]))
    program.answer_code = program.stub(coded(["ANSWER"]))
    program.resume_code = program.stub(coded(["RESUME"]))
    program.p_wakeup = pred("$wakeup", 1)
    program.p_plain_call = pred("$plain_call", 1)
    for i in range(1, 9):
        define("call", i, ["CALLN", i])
    program.call_code = program.stub(coded(["CALLN", 1]))
    define("$body", 2, ["BODY"])
    program.p_body = pred("$body", 2)
    define("$cut", 1, ["CUT_TO"])
    define("msw", 2, ["MSW"])
    program.p_msw = pred("msw", 2)
    program.p_is = pred("is", 2)
    define("$clause", 3, ["CLAUSE_TRY", 0])
    define("clause", 2, ["CLAUSE_TRY", 1])
    program.p_clause = pred("clause", 2)
    define("between", 3, ["BETWEEN"])
    define("$between_up", 3, ["BETWEEN"])
    program.p_between = pred("$between_any", 3)
    call1 = pred("call", 1)
    define(
        "catch",
        3,
        ["ALLOC", 4, 3, 0, 0, 1, 1, 2, 2, "CATCH", 3, "CALL", call1, "CATCH_EXIT", 3, "DPROCEED"],
    )
    program.recover_code = program.stub(coded(["DEXEC", call1]))
    for name, arity in ((",", 2), (";", 2), ("->", 2), ("*->", 2), ("|", 2)):
        define(name, arity, ["CALLN", 1], CONSTANTS["F_CONTROL"])
    define("!", 0, ["PROCEED"], CONSTANTS["F_CONTROL"])
    for number, ((name, arity), _) in enumerate(NATIVES.values()):
        define(name, arity, ["NATIVE", number, "PROCEED"])
    for (name, arity), (mode, elsewhere) in COMMON_MODES_OF_LIBRARY.items():
        p = pred(elsewhere, arity)
        named = pred(name, arity)
        define(name, arity, ["COMMON", CONSTANTS[mode], p, named])
    for name, arity, field in (
        ("$and", 3, "p_and"),
        ("$or", 3, "p_or"),
        ("$ite", 4, "p_ite"),
        ("$ifthen", 3, "p_ifthen"),
        ("$soft", 4, "p_soft"),
        ("$softthen", 3, "p_softthen"),
    ):
        setattr(program, field, pred(name, arity))

"""What code still needs, read from its instructions: slots of the environment, argument registers."""

from typing import Any

from prism_repl.core.instructions import CONSTANTS, LAST_INSTRUCTIONS, OPCODES, SHAPES

SHAPE = [SHAPES[name] for name in OPCODES]
IS_LAST = [name in LAST_INSTRUCTIONS for name in OPCODES]
OPERAND_KINDS = {CONSTANTS["OX"]: "x", CONSTANTS["OY"]: "y"}
ARITY = CONSTANTS["P_ARITY"]
CALLS = ("CALL", "EXEC", "DEXEC")
CHUNK_ENDS = ("CALL", "TRY_ELSE", "RETRY_ELSE", "TRUST")


def decode(m: Any, at: int) -> tuple[int, dict[str, list[int]]]:
    """The next address, and the operands of an instruction by kind: slots read (y) and written (Y), registers
    read (x) and written (X), addresses that it may go on at (L)."""
    found: dict[str, list[int]] = {"y": [], "Y": [], "x": [], "X": [], "L": []}
    p = at + 1
    for kind in SHAPE[m.program.code_word(at)]:
        word = m.program.code_word(p)
        p += 1
        if kind in found:
            if kind != "L" or word != 0:
                found[kind].append(word)
        elif kind == "k":
            if word in OPERAND_KINDS:
                found[OPERAND_KINDS[word]].append(m.program.code_word(p))
            p += 1
        elif kind == "#":
            p += word
        elif kind == "A":
            moves = m.program.code_word(p)
            p += 1
            for i in range(moves):
                found["x"].append(m.program.code_word(p + 2 * i))
                found["Y"].append(m.program.code_word(p + 2 * i + 1))
            p += 2 * moves
    return p, found


def slots_needed(m: Any, code: int) -> list[int]:
    """The slots of the environment that are read, before they are written, from an address on.
    Jumps only go forward, so one look at the instructions from the last to the first will do."""
    instructions = []
    p = code
    furthest = code
    while True:
        op = m.program.code_word(p)
        following, found = decode(m, p)
        instructions.append((p, IS_LAST[op], found))
        furthest = max([furthest, *found["L"]])
        if IS_LAST[op] and furthest < following:
            break
        p = following
    places = {target for _, _, found in instructions for target in found["L"]}
    needed_at: dict[int, int] = {}
    needed = 0
    for p, is_last, found in reversed(instructions):
        if is_last:
            needed = 0
        for target in found["L"]:
            needed |= needed_at[target]
        for y in found["Y"]:
            needed &= ~(1 << y)
        for y in found["y"]:
            needed |= 1 << y
        if p in places:
            needed_at[p] = needed
    return [y for y in range(needed.bit_length()) if needed >> y & 1]


def registers_needed(m: Any, at: int) -> list[int]:
    """The argument registers that are read, before they are written, from an address within a chunk on: they
    live up to its call, or its end."""
    needed: list[int] = []
    written: set[int] = set()
    while True:
        op = m.program.code_word(at)
        following, found = decode(m, at)
        reads = found["x"]
        if OPCODES[op] in CALLS:
            reads.extend(range(m.program.pred_field(m.program.code_word(at + 1), ARITY)))
        needed.extend(r for r in reads if r not in written and r not in needed)
        if IS_LAST[op] or OPCODES[op] in CHUNK_ENDS:
            return needed
        written.update(found["X"])
        at = following

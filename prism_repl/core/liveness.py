"""What code still needs, read from its instructions: slots of the environment, argument registers."""

from typing import Any

from prism_repl.core.instructions import CONSTANTS, LAST_INSTRUCTIONS, OPCODES, SHAPES

SHAPE = [SHAPES[name] for name in OPCODES]
IS_LAST = [name in LAST_INSTRUCTIONS for name in OPCODES]
OPERAND_X = CONSTANTS["OX"]
OPERAND_Y = CONSTANTS["OY"]
ARITY = CONSTANTS["P_ARITY"]
CALLS = ("CALL", "EXEC", "DEXEC")
CHUNK_ENDS = ("CALL", "TRY_ELSE", "RETRY_ELSE", "TRUST")


def decode(m: Any, at: int) -> tuple[int, list[int], list[int], list[int]]:
    """(next address, slots read, slots written, addresses that it may go on at) of an instruction."""
    reads = []
    writes = []
    targets = []
    op = m.program.code_word(at)
    p = at + 1
    for kind in SHAPE[op]:
        word = m.program.code_word(p)
        p += 1
        if kind == "y":
            reads.append(word)
        elif kind == "Y":
            writes.append(word)
        elif kind == "L":
            if word != 0:
                targets.append(word)
        elif kind == "k":
            if word == OPERAND_Y:
                reads.append(m.program.code_word(p))
            p += 1
        elif kind == "#":
            p += word
        elif kind == "A":
            moves = m.program.code_word(p)
            p += 1
            for i in range(moves):
                writes.append(m.program.code_word(p + 2 * i + 1))
            p += 2 * moves
    return p, reads, writes, targets


def slots_needed(m: Any, code: int) -> list[int]:
    """The slots of the environment that are read, before they are written, from an address on.
    Jumps only go forward, so one look at the instructions from the last to the first will do."""
    instructions = []
    p = code
    furthest = code
    while True:
        op = m.program.code_word(p)
        following, reads, writes, targets = decode(m, p)
        instructions.append((p, IS_LAST[op], reads, writes, targets))
        for target in targets:
            furthest = max(furthest, target)
        if IS_LAST[op] and furthest < following:
            break
        p = following
    places = {target for _, _, _, _, targets in instructions for target in targets}
    needed_at: dict[int, int] = {}
    needed = 0
    for p, is_last, reads, writes, targets in reversed(instructions):
        if is_last:
            needed = 0
        for target in targets:
            needed |= needed_at[target]
        for y in writes:
            needed &= ~(1 << y)
        for y in reads:
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
        p = at + 1
        reads = []
        for kind in SHAPE[op]:
            word = m.program.code_word(p)
            p += 1
            if kind == "x":
                reads.append(word)
            elif kind == "k":
                if word == OPERAND_X:
                    reads.append(m.program.code_word(p))
                p += 1
            elif kind == "#":
                p += word
            elif kind == "A":
                moves = m.program.code_word(p)
                p += 1
                reads.extend(m.program.code_word(p + 2 * i) for i in range(moves))
                p += 2 * moves
        if OPCODES[op] in CALLS:
            reads.extend(range(m.program.pred_field(m.program.code_word(at + 1), ARITY)))
        needed.extend(r for r in reads if r not in written and r not in needed)
        if IS_LAST[op] or OPCODES[op] in CHUNK_ENDS:
            return needed
        written.update(m.program.code_word(at + 1 + i) for i, kind in enumerate(SHAPE[op]) if kind == "X")
        at = p

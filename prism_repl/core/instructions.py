"""The instruction set of the machine, and the layout of what it works on, declared once.

`python -m prism_repl.core.instructions` writes instructions.pxd, which has the same names
as C constants; a test holds the two together.

Operands follow the opcode, a word each: x, a are argument registers, y a slot of the
environment, c a cell, f a functor header, p a predicate number, L an address relative to the
start of the clause, k,v an operand of arithmetic (kind and value).
"""

# Each instruction: its operands, where it is done (loop: in the loop, which leaves rare cases to
# out_of_line.py; out: there), and how many cells it makes at most. Operands, for whoever reads code without
# running it (the collector asks which slots a continuation still needs): y a slot that is read, Y one that is
# written, x and X the same for registers, L an address in the clause (0: none), k a kind of operand with its
# value, # a number of words and the words (of a box, which may become cells), A the moves of ALLOC, .
# anything else; - for none.
# PUT_YY and PUT_YYY do the one or two PUT_Y behind them, too, and WAKE_CUT the NECK_CUT behind it: whoever
# reads code finds these as they are.
INSTRUCTIONS = {
    name: (operands.replace("-", ""), place, int(cells))
    for name, operands, place, cells in (
        line.split()
        for line in """
        PROCEED - loop 0 | CALL . loop 0 | EXEC . loop 0 | DEXEC . loop 0 | DPROCEED - loop 0
        ALLOC A loop 0 | FAIL - loop 0 | JUMP L loop 0 | STOP - out 0
        GET_VAL xx loop 0 | GET_CONST .x loop 0 | GET_LIST x loop 0 | GET_STRUCT .x loop 1
        GET_LIST_VV xXX loop 2 | GET_LIST_LV xxX loop 2 | GET_STRUCT_VV .xXX loop 3 | GET_BOX x# loop 0
        U_VAR X loop 1 | U_VAL x loop 1 | U_CONST . loop 1 | U_VOID . loop 1 | U_LIST - loop 1
        U_STRUCT . loop 2 | U_VAR_Y Y loop 1 | U_VAL_Y y loop 1 | U_BOX # out 1
        PUT_VAR X loop 1 | PUT_VAR_Y YX loop 1 | PUT_CONST .X loop 0 | PUT_LIST X loop 0
        PUT_STRUCT .X loop 1 | PUT_Y yX loop 0 | PUT_BOX X# loop 0 | MOVE xX loop 0
        B_VAR X loop 1 | B_VAL x loop 1 | B_CONST . loop 1 | B_VOID . loop 1 | B_LIST - loop 1
        B_STRUCT . loop 2 | B_VAR_Y Y loop 1 | B_VAL_Y y loop 1 | B_BOX # out 1
        SET_Y xY loop 0 | ROOM . loop 0 | KNOWN_TERM XL.. loop 0 | NOTE_TERM x. out 0 | KNOWN_MSW L.. loop 0
        NECK_CUT - loop 0 | GET_LEVEL Y loop 0 | GET_B Y loop 0 | CUT_Y y loop 0 | SOFT_CUT y loop 0
        TRY_ELSE L loop 0 | RETRY_ELSE L loop 0 | TRUST - loop 0
        TEST .xL loop 0 | EQUAL .xxL loop 0 | COMPARE .xxL out 0
        ADD Xkk loop 0 | SUB Xkk loop 0 | MUL Xkk loop 0 | ARITH1 .Xk out 0 | ARITH2 .Xkk loop 0
        CMP .kkL loop 0 | EVAL Xk loop 0
        CALLN . loop 0 | BODY - out 0 | CATCH Y out 0 | CATCH_EXIT y loop 0 | CUT_TO - loop 0
        CLAUSE_TRY . out 0 | NATIVE . out 0 | ANSWER - loop 0 | MSW - out 0 | WAKE . loop 0 | RESUME - out 0
        NECK_TRY - loop 0 | WAKE_CUT . loop 0 | PUT_YY yX loop 0 | PUT_YYY yX loop 0
        BETWEEN - out 0 | COMMON ... out 0
        """.replace("|", "\n")
        .strip()
        .splitlines()
    )
}
OPCODES = list(INSTRUCTIONS)
SHAPES = {name: operands for name, (operands, _, _) in INSTRUCTIONS.items()}

# Work out of line that is a part of an instruction, a call or a failure; instructions have their opcodes.
OUT_OF_LINE = {
    "OUT_UNIFY": 100,
    "OUT_RETRY": 101,
    "OUT_TABLE": 102,
    "OUT_HOST": 103,
    "OUT_POLL": 104,
    "OUT_RETURN": 105,
    "OUT_ROOM": 106,
    "OUT_LOOK": 107,
    "OUT_MAY_SUCCEED": 108,
    "OUT_SIGNALS": 109,
    "OUT_UNDEFINED": 110,
    "OUT_NO": 111,
}

# How the loop goes on after it.
RESULTS = {
    "R_GO": 0,
    "R_FAIL": 1,
    "R_CALL": 2,
    "R_CALL_LOOKED": 3,
    "R_CALL_CLAUSES": 4,
    "R_NO": 5,
    "R_YES": 6,
}

# Instructions that are not followed by the next one.
LAST_INSTRUCTIONS = ("STOP", "PROCEED", "EXEC", "DEXEC", "DPROCEED", "FAIL", "JUMP", "ANSWER", "RESUME")

# Operand kinds of arithmetic and comparison.
OPERANDS = {"OX": 0, "OY": 1, "OC": 2}

# Type tests (TEST kind).
TESTS = {
    "T_VAR": 0,
    "T_NONVAR": 1,
    "T_ATOM": 2,
    "T_INTEGER": 3,
    "T_FLOAT": 4,
    "T_NUMBER": 5,
    "T_ATOMIC": 6,
    "T_COMPOUND": 7,
    "T_CALLABLE": 8,
    "T_LIST": 9,
    "T_GROUND": 10,
}

# Comparisons (COMPARE and CMP op).
COMPARISONS = {"C_LT": 0, "C_LE": 1, "C_GT": 2, "C_GE": 3, "C_EQ": 4, "C_NE": 5}

# Four bits for each of them, the first one lowest: 1 if it holds for less, 2 for equal, 4 for greater.
COMPARISON_TABLE = {"COMPARISON_BITS": 0x526431}

# A predicate is PSIZE words.
PREDICATE = {
    "P_KIND": 0,
    "P_FUNCTOR": 1,
    "P_ARITY": 2,
    "P_FLAGS": 3,
    "P_FIRST": 4,
    "P_LAST": 5,
    "P_VAR_FIRST": 6,
    "P_VAR_LAST": 7,
    "P_HASH": 8,
    "P_HMASK": 9,
    "P_HCOUNT": 10,
    "P_LIVE": 11,
    "P_DEAD": 12,
    "P_ENTRY": 13,
    "P_LOW": 14,
    "P_HIGH": 15,
    "P_TABLE": 16,
    # static clauses that are not tabled, for which the loop takes a short way: FAST_KEYS if some have a
    # first-argument key, FAST_CHAIN if none has; 0: the long way
    "P_FAST": 18,
    "P_LIST": 19,  # for FAST_KEYS: the first clause for a list,
    # and the code of that clause, if it is the only one and begins with GET_LIST_VV of the first argument
    "P_HEAD_TAIL": 21,
    "P_PURGE_AT": 20,
    # the argument by which calls are found and looked ahead (0: not decided); looks since one failed; the
    # pattern of calls whose other arguments are distinct variables
    "P_LIST_ARG": 24,
    "P_LOOKS": 25,
    "P_PATTERN": 26,
    "P_COMMON": 23,  # of one written in Python: the number of its common mode, 0: none
    "P_STANDS": 22,  # while clauses are released: a choice point has clauses of it left
    "PSIZE": 32,
}

FAST = {"FAST_KEYS": 1, "FAST_CHAIN": 2}

KINDS = {"K_UNDEFINED": 0, "K_CLAUSES": 1, "K_HOST": 2, "K_CODE": 3}

PREDICATE_FLAGS = {
    "F_DYNAMIC": 1,
    "F_SYSTEM": 2,
    "F_TABLED": 4,
    "F_EXPLAINED": 8,
    "F_DISCONTIGUOUS": 16,
    "F_DEFINED": 32,
    "F_CONTROL": 64,
    "F_MULTIFILE": 256,
    "F_LIBRARY": 512,
    "F_CONSULTED": 1024,
    "F_PROTECTED": 2048,
    "F_CUTS": 4096,  # a clause of it has a cut
    "F_MODED": 8192,  # tabled, with modes (modes.py)
}

# A clause in the code area: header, then instructions, then (dynamic clauses) the term.
CLAUSE = {
    "C_NEXT": 0,
    "C_NEXT_KEY": 1,
    "C_SEQ": 2,
    "C_BIRTH": 3,
    "C_DEATH": 4,
    "C_PRED": 5,
    "C_KEY": 6,
    "C_SIZE": 7,
    "C_TERM": 8,
    "C_LINE": 9,
    # where its coming calls is (foresight.py), from 1; 0: not known, -1: it has none
    "C_COMING": 10,
    # whether its neck ends in NECK_CUT or NECK_TRY, until which it needs no choice point: SH_TESTS if there
    # are only tests in it, else SH_HEAD; 0: it does not
    "C_SHALLOW": 11,
    "C_CODE": 12,
}

# Above SH_KINDS, from bit SH_BITS on: the arguments that the neck overwrites.
SHALLOW = {"SH_TESTS": 1, "SH_HEAD": 2, "SH_KINDS": 3, "SH_BITS": 2, "SH_ARGUMENTS": 60}

# A choice point: header, then the saved argument registers.
CHOICE = {
    "B_PREV": 0,
    "B_KIND": 1,
    "B_E": 2,
    "B_CP": 3,
    "B_TR": 4,
    "B_H": 5,
    "B_ETOP": 6,
    "B_CUT": 7,
    "B_XT": 8,
    "B_1": 9,
    "B_2": 10,
    "B_3": 11,
    "B_N": 12,
    "B_ARGS": 13,
}

CHOICE_KINDS = {
    "BK_STOP": 0,
    "BK_CLAUSE": 1,
    "BK_CODE": 2,
    "BK_CATCH": 3,
    "BK_FAIL": 4,
    "BK_CLAUSEREF": 5,
    "BK_MSW": 6,
    "BK_GENERATOR": 7,
    "BK_ANSWERS": 8,
    "BK_LOOK": 9,
    "BK_BETWEEN": 10,
}

# An environment: previous environment, continuation, number of slots, slots.
ENVIRONMENT = {"E_PREV": 0, "E_CP": 1, "E_N": 2, "E_SLOTS": 3}

# Builtins that the machine does itself, without a call to Python: the predicate, and the one that its errors
# name.
NATIVES = {
    "N_FUNCTOR": (("functor", 3), ("functor", 3)),
    "N_ARG": (("arg", 3), ("arg", 3)),
    "N_UNIV": (("=..", 2), ("=..", 2)),
    "N_COPY": (("copy_term", 2), ("copy_term", 2)),
    "N_COMPARE": (("compare", 3), ("compare", 3)),
    "N_FINDALL_BEGIN": (("$findall_begin", 0), ("findall", 3)),
    "N_FINDALL_ADD": (("$findall_add", 1), ("findall", 3)),
    "N_FINDALL_END": (("$findall_end", 2), ("findall", 3)),
    "N_THROW": (("throw", 1), ("throw", 1)),
    "N_GET_B": (("$get_b", 1), ("$get_b", 1)),
    "N_SKIP_LIST": (("$skip_list", 3), ("length", 2)),
    "N_TERM_VARS": (("term_variables", 2), ("term_variables", 2)),
    "N_ASSERT": (("assert", 1), ("assert", 1)),
    "N_ASSERTZ": (("assertz", 1), ("assertz", 1)),
    "N_ASSERTA": (("asserta", 1), ("asserta", 1)),
    "N_RETRACTALL": (("$retractall", 1), ("retractall", 1)),
    "N_NEW_LIST": (("$new_list", 2), ("length", 2)),
    "N_COUNT_LIST": (("$count_list", 3), ("numlist", 3)),
}

# Predicates written in Python that the machine does itself in their most common modes (common_modes.py).
COMMON_MODES = {
    ("atom_length", 2): "M_ATOM_LENGTH",
    ("atom_codes", 2): "M_ATOM_CODES",
    ("atom_chars", 2): "M_ATOM_CHARS",
    ("number_codes", 2): "M_NUMBER_CODES",
    ("number_chars", 2): "M_NUMBER_CHARS",
    ("atom_number", 2): "M_ATOM_NUMBER",
    ("char_code", 2): "M_CHAR_CODE",
    ("$sub_text", 4): "M_SUB_TEXT",
    ("upcase_atom", 2): "M_UPCASE_ATOM",
    ("downcase_atom", 2): "M_DOWNCASE_ATOM",
    ("atomic_list_concat", 2): "M_LIST_CONCAT",
    ("concat_atom", 2): "M_LIST_CONCAT",
    ("atomic_list_concat", 3): "M_LIST_CONCAT_WITH",
    ("concat_atom", 3): "M_LIST_CONCAT_WITH",
    ("sort", 2): "M_SORT",
    ("msort", 2): "M_MSORT",
    ("sort0", 2): "M_MSORT",
    ("keysort", 2): "M_KEYSORT",
    ("sort", 4): "M_SORT_BY",
    ("succ", 2): "M_SUCC",
    ("plus", 3): "M_PLUS",
    ("$clause_parts", 3): "M_CLAUSE_PARTS",
    ("$retractall_check", 1): "M_RETRACTALL_CHECK",
}

# The same of predicates that are written in Prolog: for the other modes there is a predicate of the library.
COMMON_MODES_OF_LIBRARY = {
    ("atom_concat", 3): ("M_ATOM_CONCAT", "$atom_concat_any"),
    ("sub_atom", 5): ("M_SUB_ATOM", "$sub_atom_any"),
    ("length", 2): ("M_LENGTH", "$length_any"),
    ("nth0", 3): ("M_NTH0", "$nth0_any"),
    ("nth1", 3): ("M_NTH1", "$nth1_any"),
    ("nth", 3): ("M_NTH1", "$nth1_any"),
}

COMMON_MODE_NAMES = list(
    dict.fromkeys([*COMMON_MODES.values(), *(name for name, _ in COMMON_MODES_OF_LIBRARY.values())])
)

TABLE = {
    "TB_KEY": 0,
    "TB_STATUS": 1,
    "TB_FIRST": 2,
    "TB_LAST": 3,
    "TB_COUNT": 4,
    "TB_DFN": 5,
    "TB_LOW": 6,
    "TB_READS": 7,  # the last record of what it read; its next one is the first
    "TB_AT": 8,
    "TB_PRED": 9,
    "TB_GOAL": 10,
    "TB_STATE": 11,
    "TB_SIZE": 12,
    # of a look ahead, which has no answers, and whose reads are no chain: its pattern, and the branches that
    # may succeed
    "TB_PATTERN": 3,
    "TB_BITS": 7,
}

TABLE_STATUS = {"TS_NEW": 0, "TS_RUNNING": 1, "TS_INCOMPLETE": 2, "TS_COMPLETE": 3}

# The state of a table, in bits: its branches are the outcomes of a switch; some were run again; a cut left
# outcomes out; (of a look ahead) a tabled call failed; the records of what it read, or the paths of an
# answer, are not in the order of its branches.
TABLE_STATE = {
    "ST_OUTCOMES": 1,
    "ST_AGAIN": 2,
    "ST_CUT": 4,
    "ST_CALL_FAILED": 8,
    "ST_UNSORTED": 16,
    "ST_MIXED": 32,
}

# A table that is being filled: where what waits for it, and what was read under it, begin; how far its look
# for outdated reads got; the branch that runs, how many there are, the choice point that was on top when it
# began; which clauses and which outcomes have to be run; where a look for branches that missed answers goes
# on; the list argument of its call (from 1) if the other arguments are distinct variables, else 0; the clause
# that is the branch; the argument that is the only variable of its call (from 1), or 0 (-1: not asked yet).
RUNNING = {
    "RUN_TABLE": 0,
    "RUN_COMPONENT": 1,
    "RUN_READS": 2,
    "RUN_LOOKED": 3,
    "RUN_STATE": 4,
    "RUN_BRANCH": 5,
    "RUN_BRANCHES": 6,
    "RUN_CHOICE": 7,
    "RUN_FILTER": 8,
    "RUN_OUTCOMES": 9,
    "RUN_NEXT_READ": 10,
    "RUN_PLAIN": 11,
    "RUN_CLAUSE": 12,
    "RUN_OPEN_ARG": 13,
    "RUN_SIZE": 16,
}

# The state of such a table, in bits: only branches that missed answers are run; it was called to do so, by
# its leader; its call was the first of a branch; the loop finds its clauses; something was run since its look
# for outdated reads began; outcomes wait to be tried.
RUNNING_STATE = {
    "RS_AGAIN": 1,
    "RS_BACK": 2,
    "RS_DIRECT": 4,
    "RS_WHOLE": 8,
    "RS_CHANGED": 16,
    "RS_OPEN": 32,
}

# A record of what a branch of a table read: up to which answer; the next record of the same reader; the
# clause that is the branch, if a clause is.
READS = {
    "RD_TABLE": 0,
    "RD_BRANCH": 1,
    "RD_READ": 2,
    "RD_LAST": 3,
    "RD_KIND": 4,
    "RD_NEXT": 5,
    "RD_CLAUSE": 6,
    "RD_SIZE": 8,
}
READ_KINDS = {"RK_NONE": 0, "RK_FIRST": 1, "RK_LATER": 2}

# The index of calls (call_index.py). The word before a stored list: where its row begins, flags.
# PATTERNS, ROWS and LOOK_WORDS are limits. The result of a look: the branches that may succeed; whether these
# are outcomes; whether a tabled call failed in it; and always 1.
CALLS = {
    "CALL_ARGUMENTS": 6,
    "PN_CALL": 0,
    "PN_WORDS": 1,
    "PN_TABLE": 7,
    "PN_SIZE": 8,
    "PATTERNS": 1 << 15,
    "ROW_SIZE": 8,
    "ROWS": 1 << 15,
    "ROW_SHIFT": 8,
    "PATTERN_BITS": 20,
    "PATTERN_MASK": (1 << 20) - 1,
    "GENERATION_BITS": 38,
    "LOOK_WORDS": 1 << 21,
    "FS_WORD": 0,
    "FS_ROW": 1,
    "FS_FAILS": 2,
    "FS_FAIL_WORDS": 3,
    "FS_LIST": 4,
    "FS_SIZE": 5,
    "LK_BRANCHES": 0x7FFFFFF8,
    "LK_SHIFT": 3,
    "LK_OUTCOMES": 4,
    "LK_CALL_FAILED": 2,
    "LK_KNOWN": 1,
}

# The coming calls of a clause (foresight.py): where its msw is (0: nowhere); its first tabled call and the
# one that comes next (-1: something else does): the predicate, and what each argument is, FC_BITS each: one
# of the clause, a new variable, or one that an answer of the first call tells (and the number of its argument
# there). For both the pattern that they have if the call of the clause's table is plain.
COMING_CALLS = {
    "CC_SITE": 0,
    "CC_FIRST": 1,
    "CC_SECOND": 2,
    "CC_PLAIN_FIRST": 3,
    "CC_PLAIN_SECOND": 4,
    "CC_PLAIN": 2,  # from a call to its pattern
    "CC_CLAUSE": 5,
    "CC_SIZE": 8,
    "COMING_SLOTS": 64,
    "FC_BITS": 4,
    "FC_ARGUMENT": 15,
    "FC_NEW": 7,
    "FC_ANSWER": 8,
    "FC_NONE": 16,
}

# An answer: the node it stands for and the next answer of the same table.
ANSWERS = {"AN_NODE": 0, "AN_NEXT": 1, "AN_SIZE": 2}

# A node of the explanation graph in the making: its term; its chain of paths (SETTLED as the last one: it has
# all its paths); the table whose answer it is (0: it was dropped; below 0: the table is gone, and this is the
# complement of its key); the next node with the same term.
NODES = {
    "ND_TERM": 0,
    "ND_FIRST": 1,
    "ND_LAST": 2,
    "ND_OWNER": 3,
    "ND_SAME": 4,
    "ND_SIZE": 5,
    "SETTLED": -1,
}

# A path: the next one of its node, where its items begin (they end where those of the path with the next
# number begin), the branch that found it.
PATHS = {"PT_NEXT": 0, "PT_START": 1, "PT_BRANCH": 2, "PT_SIZE": 3}

# MARGIN: words that the instructions between two calls may use without asking for room (the compiler
# emits ROOM for more). TICKS: calls between two looks at signals. WORTH_NOTING: words of the smallest
# ground term in a loaded clause that is built once in a query, not at each call. LOOKS: looks ahead in
# vain after which a predicate gives them up. NAMES: names of switches that are found without storing them.
# RECENT: nodes of answers that are found by the value of the call's only variable.
# FILTER_BITS: branches that a filter tells apart. NO_BRANCH: beyond all branches. COLLECTS: 1 if garbage is
# collected whenever signals are looked at.
LIMITS = {
    "MARGIN": 8192,
    "TICKS": 20000,
    "WORTH_NOTING": 5,
    "LOOKS": 256,
    "RECENT": 4096,
    "NAMES": 256,
    "NM_SIZE": 5,
    "FILTER_BITS": 28,
    "NO_BRANCH": 1 << 30,
    "COLLECTS": 0,
}

# What a look ahead says of a call: it fails for certain, it may succeed, or the look has to be run.
LOOK_RESULTS = {"LOOK_FAILS": 0, "LOOK_GOES_ON": 3, "LOOK_RUNS": 5}

# Limits that a stress build (tests/checked_build.sh) sets to other values.
STRESSED = ("MARGIN", "TICKS", "COLLECTS")

CONSTANTS: dict[str, int] = {}
for _table in (
    {name: number for number, name in enumerate(OPCODES)},
    OUT_OF_LINE,
    RESULTS,
    OPERANDS,
    TESTS,
    COMPARISONS,
    COMPARISON_TABLE,
    PREDICATE,
    FAST,
    KINDS,
    PREDICATE_FLAGS,
    CLAUSE,
    SHALLOW,
    CHOICE,
    CHOICE_KINDS,
    ENVIRONMENT,
    {name: number for number, name in enumerate(NATIVES)},
    {name: number for number, name in enumerate(COMMON_MODE_NAMES, 1)},
    TABLE,
    TABLE_STATUS,
    TABLE_STATE,
    RUNNING,
    RUNNING_STATE,
    READS,
    READ_KINDS,
    ANSWERS,
    NODES,
    PATHS,
    CALLS,
    COMING_CALLS,
    LOOK_RESULTS,
    LIMITS,
):
    CONSTANTS.update(_table)
globals().update(CONSTANTS)


def pxd_text() -> str:
    lines = ["# Written by `python -m prism_repl.core.instructions`; do not edit.", "cdef enum:"]
    lines += [f"    {name} = {number}" for name, number in CONSTANTS.items() if name not in STRESSED]
    lines += ["", "cdef extern from *:", '    """']
    for name in STRESSED:
        lines += [f"    #ifndef PRISM_{name}", f"    #define PRISM_{name} {CONSTANTS[name]}", "    #endif"]
    lines += ['    """', "    enum:"]
    lines += [f'        {name} "PRISM_{name}"' for name in STRESSED]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    from pathlib import Path

    Path(__file__).with_suffix(".pxd").write_text(pxd_text(), encoding="utf-8")

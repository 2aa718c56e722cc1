"""The constants of the reader: kinds of characters, of tokens and of parser frames."""

# What a character can begin.
ILLEGAL = 0
LAYOUT = 1
DIGIT = 2
SMALL = 3
CAPITAL = 4
SYMBOL = 5
SOLO = 6
QUOTE = 7

# Kinds of tokens.
NAME = 1
VARIABLE = 2
NUMBER = 3
TEXT = 4
PUNCTUATION = 5
END = 6
END_OF_TEXT = 7

# Kinds of parser frames: two for operators that wait for an operand, the others for open brackets.
PREFIX = 1
INFIX = 2
TOP = 3
PAREN = 4
CURLY = 5
ARGUMENTS = 6
LIST = 7
LIST_TAIL = 8
SUBSCRIPT = 9

# Words of a frame and of an operand.
F_KIND = 0
F_NAME = 1
F_PRIORITY = 2
F_LIMIT = 3
F_START = 4
F_BASE = 5
F_CONTEXT = 6
FRAME = 7
O_CELL = 0
O_PRIORITY = 1
O_START = 2
O_END = 3
OPERAND = 4

"""Constants of the writer: ends of tokens, places of terms, kinds of frames.

Compiled, they come from writer_states.pxd.
"""

# What the text ends with, or a token begins with: two equal neighbours of the classes ALNUM,
# SYMBOL, QUOTE would melt into one token and need a blank between them.
OPENER = 0  # nothing yet, an opening bracket or a comma: an operand begins here
ALNUM = 1
SYMBOL = 2
QUOTE = 3
BREAK = 4  # a blank or a closing bracket

# Where a term stands: an atom that is an operator needs parentheses as an operand.
ARGUMENT = 0
LEFT = 1
OPERAND = 2
# The left of an operator that takes its own priority there: a term of that priority which is
# open to the right (-a before a yf of 200) would swallow the operator.
LEFT_OPEN = 3

# What is left to write.
F_TERM = 0
F_ARGUMENTS = 1
F_ELEMENTS = 2
F_INFIX = 3
F_POSTFIX = 4
F_CLOSE = 5
F_LEAVE = 6

# Characters after which text that grows because parts of a term are shared may be cut.
BOUND = 100000

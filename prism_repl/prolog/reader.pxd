from prism_repl.core.cells cimport INT, LST, STR
from prism_repl.core.areas cimport *
from prism_repl.prolog.syntax cimport (
    NAME, VARIABLE, NUMBER, TEXT, PUNCTUATION, END, END_OF_TEXT,
    PREFIX, INFIX, TOP, PAREN, CURLY, ARGUMENTS, LIST, LIST_TAIL, SUBSCRIPT,
    F_KIND, F_NAME, F_PRIORITY, F_LIMIT, F_START, F_BASE, F_CONTEXT, FRAME,
    O_CELL, O_PRIORITY, O_START, O_END, OPERAND,
)
from prism_repl.prolog.tokens cimport Tokens, ends_clause, skip_quoted

cdef class Reader(Tokens):
    cdef public str name
    cdef public object operators
    # line and column are counted up to line_known
    cdef long long line, line_known, line_start
    # of this clause
    cdef long long first
    cdef dict prefix_codes, infix_codes, postfix_codes
    cdef public bint keep_positions
    cdef dict positions
    # the parser's stacks
    cdef long long* operands
    cdef long long operands_size, otop
    cdef long long* frames
    cdef long long frames_size, ftop, context

    cdef int prepare(self) except -1
    cdef int place(self, long long offset) except -1
    cdef int shrink(self) except -1

    cdef long long parse(self) except -1
    cdef bint operand(self) except -1
    cdef bint operator_follows(self) except -1
    cdef bint prefix_or_atom(self) except -1
    cdef bint signs_operand(self, str word, long long limit) except -1
    cdef bint terminator_follows(self) except -1
    cdef bint infix(self, long long name, long long code) except -1
    cdef int postfix(self, long long name, long long code) except -1
    cdef bint separator(self) except -1
    cdef int close(self, int opened) except -1
    cdef int open_frame(self, int kind, long long name, long long limit) except -1
    cdef int push_frame(self, int kind, long long name, long long priority, long long limit, long long start) except -1
    cdef int push_operand(self, long long c, long long priority, long long start, long long end) except -1
    cdef int reduce(self) except -1
    cdef int reduce_all(self) except -1
    cdef long long structure(self, long long name, long long n) except -1
    cdef long long list_of(self, long long n, bint has_tail) except -1

from cpython.exc cimport PyErr_CheckSignals
from prism_repl.prolog.cells cimport REF, ATM, INT, LST, STR, BOX
from prism_repl.prolog.syntax cimport (
    ILLEGAL, LAYOUT, DIGIT, SMALL, CAPITAL, SYMBOL, SOLO, QUOTE,
    NAME, VARIABLE, NUMBER, TEXT, PUNCTUATION, END, END_OF_TEXT,
    PREFIX, INFIX, TOP, PAREN, CURLY, ARGUMENTS, LIST, LIST_TAIL, SUBSCRIPT,
    F_KIND, F_NAME, F_PRIORITY, F_LIMIT, F_START, F_BASE, F_CONTEXT, FRAME, O_CELL, O_PRIORITY, O_START, O_END, OPERAND,
)
from prism_repl.prolog.memory cimport Memory, new_area, grow_area, free_area

cdef int char_class(Py_UCS4 ch) except -1
cdef bint continues_word(Py_UCS4 ch) except -1
cdef bint ends_clause(str text, long long i) except -1
cdef long long skip_quoted(str text, long long i) except -1
cdef long long skip_number(str text, long long i) except -1

cdef class Reader:
    cdef Memory m
    cdef public object operators
    cdef public str text, name
    cdef long long length
    # the place up to which the text is read, and the line that it is on
    cdef public long long end_position
    cdef long long line, line_known, line_start
    # the current token
    cdef int kind
    cdef long long cell, start, end, last_end, first
    cdef bint functional
    cdef str word
    # tables and flags of this read
    cdef dict prefix_codes, infix_codes, postfix_codes
    cdef str double_quotes, back_quotes
    cdef public bint keep_positions
    cdef dict positions
    cdef dict variable_numbers
    cdef list variables, occurrences
    # parser stacks
    cdef long long* operands
    cdef long long operands_size, otop
    cdef long long* frames
    cdef long long frames_size, ftop, context
    cdef long long ticks

    cdef int prepare(self) except -1
    cdef int place(self, long long offset) except -1
    cdef int advance(self) except -1
    cdef long long skip_layout(self, long long i) except -1
    cdef int name_token(self, str word, long long i) except -1
    cdef int number_token(self, long long i) except -1
    cdef int radix_token(self, long long i, int base) except -1
    cdef int character_token(self, long long i) except -1
    cdef int quoted_token(self, long long i) except -1
    cdef str quoted_text(self, long long i, Py_UCS4 quote)
    cdef int text_token(self, str text, str flag) except -1
    cdef long long escape(self, long long i, Py_UCS4 quote) except -1
    cdef long long variable(self, str name) except -1

    cdef long long parse(self) except -1
    cdef bint operand(self) except -1
    cdef bint operator_follows(self) except -1
    cdef bint prefix_or_atom(self) except -1
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
    cdef int shrink(self) except -1

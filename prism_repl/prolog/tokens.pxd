from cpython.exc cimport PyErr_CheckSignals
from prism_repl.core.cells cimport INT, LST
from prism_repl.core.memory cimport Memory
from prism_repl.prolog.syntax cimport (
    ILLEGAL, LAYOUT, DIGIT, SMALL, CAPITAL, SYMBOL, SOLO, QUOTE,
    NAME, VARIABLE, NUMBER, TEXT, PUNCTUATION, END, END_OF_TEXT,
)

cdef int char_class(Py_UCS4 ch) except -1
cdef bint continues_word(Py_UCS4 ch) except -1
cdef bint is_digit(Py_UCS4 ch, int base) noexcept
cdef bint ends_clause(str text, long long i) except -1
cdef long long skip_quoted(str text, long long i) except? -1
cdef long long skip_number(str text, long long i) except -1

cdef class Tokens:
    cdef Memory m
    cdef public str text
    cdef long long length
    # the place up to which the text is read
    cdef public long long end_position
    # the current token
    cdef int kind
    cdef long long cell, start, end, last_end
    cdef bint functional
    cdef str word
    cdef long long ticks
    # of this clause
    cdef str double_quotes, back_quotes
    cdef bint dollar_words
    cdef dict variable_numbers
    cdef list variables, occurrences

    cdef int forget(self) except -1
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
    cdef long long unicode_escape(self, long long i, long long count) except -1
    cdef long long character_code(self, str digits, int base, long long start, long long end) except -1
    cdef long long variable(self, str name) except -1

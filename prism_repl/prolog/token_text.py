# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Text that tokens are appended to. Compiled, it grows in one UTF-8 buffer."""

import cython

from prism_repl.core.errors import resource_error

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.heap import Heap
    from prism_repl.prolog.writer_states import ALNUM, BREAK, OPENER, QUOTE


class TokenText:
    """The text so far, and what its end means for the next token."""

    def __init__(self, heap: Heap):
        self.heap = heap
        self.size = 0
        self.last = OPENER
        self.after_prefix = False
        if cython.compiled:
            self.room = first_size(256)
            self.text = cython.cast(cython.p_char, malloc(self.room))
            if self.text == cython.NULL:
                raise resource_error("memory")
        else:
            self.parts = []

    def __dealloc__(self):
        if cython.compiled:
            free(self.text)

    def text_room(self, n):
        if cython.compiled:
            if self.size + n > self.room:
                bigger: cython.longlong = larger(self.room, self.size + n)
                if bigger > self.heap.limit:
                    raise resource_error("memory")
                grown = cython.cast(cython.p_char, resized(self.text, self.room, bigger))
                if grown == cython.NULL:
                    raise resource_error("memory")
                self.text = grown
                self.room = bigger
        return 0

    def put(self, text):
        if cython.compiled:
            n: cython.Py_ssize_t = 0
            try:
                data = PyUnicode_AsUTF8AndSize(text, cython.address(n))
                self.text_room(n)
                memcpy(self.text + self.size, data, n)
                self.size += n
            except UnicodeEncodeError:  # lone surrogates
                self.put(text.encode("utf-8", "backslashreplace").decode())
        else:
            self.parts.append(text)
            self.size += len(text)
        return 0

    def put_char(self, code):
        if cython.compiled:
            self.text_room(1)
            self.text[self.size] = code
            self.size += 1
        else:
            self.parts.append(chr(code))
            self.size += 1
        return 0

    def put_small(self, n):
        """Append a small integer in decimal."""
        if cython.compiled:
            self.text_room(24)
            if n < 0:
                self.text[self.size] = 45
                self.size += 1
                n = -n  # small integers have 61 bits: no overflow
            k: cython.longlong = n
            digits: cython.longlong = 1
            while k >= 10:
                k //= 10
                digits += 1
            i: cython.longlong = self.size + digits
            self.size = i
            while digits > 0:
                i -= 1
                self.text[i] = 48 + n % 10
                n //= 10
                digits -= 1
        else:
            self.parts.append(str(n))
            self.size += len(self.parts[-1])
        return 0

    def result(self):
        if cython.compiled:
            return self.text[: self.size].decode("utf-8")
        else:
            return "".join(self.parts)

    # ---- tokens

    def token(self, text, first, last):
        """Append a token, after a blank if it would melt into the one before."""
        if first == self.last and ALNUM <= first <= QUOTE:
            self.put_char(32)
        self.put(text)
        self.last = last
        self.after_prefix = False
        return 0

    def punctuation(self, code, last):
        self.put_char(code)
        self.last = last
        self.after_prefix = False
        return 0

    def open_paren(self):
        """A parenthesis that must not make a function call of a prefix operator before it."""
        if self.after_prefix and self.last != BREAK:
            self.put_char(32)
        self.punctuation(40, OPENER)
        return 0

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Atoms and functors: each has a number that never changes."""

import cython

if not cython.compiled:
    TEXT = 3
    BUFFER_SIZE = 256

    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403


class Symbols:
    """The atoms and functors of a machine."""

    def __init__(self, first_functors=()):
        """`first_functors` are (name, arity) pairs that get the lowest numbers, the same in every machine."""
        self.char_atoms = new_area(256)
        self.texts_size = first_size(1 << 10)
        self.texts = new_area(TEXT * self.texts_size)
        self.names_mask = 2047
        self.names_count = 0
        self.names = new_area(self.names_mask + 1)
        if cython.compiled:
            self.buffer = cython.cast(cython.p_uchar, new_area(BUFFER_SIZE // 8))
        else:
            self.buffer = [0] * BUFFER_SIZE
        self.atom_texts = []
        self.atom_ids = {}
        self.functor_ids = {}
        self.known_functors = new_area(2 * 1024)
        self.known_functors[0] = -1
        self.functor_size = first_size(1 << 10)
        self.functor_name = new_area(self.functor_size)
        self.functor_arity = new_area(self.functor_size)
        self.functor_count = 0
        self.nil = self.atom("[]")
        self.list_functor = self.functor(self.atom("."), 2)
        self.comma_functor = self.functor(self.atom(","), 2)
        for name, arity in first_functors:
            self.functor(self.atom(name), arity)
        self.name_functors()

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.char_atoms)
            free_area(self.texts)
            free_area(self.names)
            free_area(cython.cast(cython.p_longlong, self.buffer))
            free_area(self.known_functors)
            free_area(self.functor_name)
            free_area(self.functor_arity)

    def atom(self, text):
        """The cell of the atom with this text."""
        number = self.atom_ids.get(text)
        if number is None:
            self.text_room()
            number = len(self.atom_texts)
            self.atom_ids[text] = number
            self.atom_texts.append(text)
            self.note_text(number, text)
        n: cython.longlong = number
        return n << 3 | ATM

    # ---- texts of one-byte characters, without Python: atoms are never dropped, so that these stay in place

    def text_room(self):
        """A new atom is about to get the next number."""
        n: cython.longlong = len(self.atom_texts)
        if n == self.texts_size:
            size: cython.longlong = larger(n, 0)
            self.texts = grow_area(self.texts, TEXT * n, TEXT * size)
            self.texts_size = size
        if 2 * self.names_count > self.names_mask:
            self.grow_names()
        return 0

    def note_text(self, n, text):
        """Note where the characters of atom number n are."""
        self.texts[TEXT * n] = 0
        self.texts[TEXT * n + 1] = len(text)
        if cython.compiled:
            if PyUnicode_KIND(text) == 1:
                data: cython.p_uchar = cython.cast(cython.p_uchar, PyUnicode_DATA(text))
                h: cython.longlong = self.buffer_hash(data, len(text))
                self.texts[TEXT * n] = cython.cast(cython.longlong, data)
                self.texts[TEXT * n + 2] = h
                h = h & self.names_mask
                while self.names[h] != 0:
                    h = (h + 1) & self.names_mask
                self.names[h] = n + 1
                self.names_count += 1
        return 0

    def grow_names(self):
        i: cython.longlong
        h: cython.longlong
        mask: cython.longlong = 2 * self.names_mask + 1
        bigger: cython.p_longlong = new_area(mask + 1)
        for i in range(self.names_mask + 1):
            if self.names[i] != 0:
                h = self.texts[TEXT * (self.names[i] - 1) + 2] & mask
                while bigger[h] != 0:
                    h = (h + 1) & mask
                bigger[h] = self.names[i]
        free_area(self.names)
        self.names = bigger
        self.names_mask = mask
        return 0

    def buffer_hash(self, data, n):
        h: cython.ulonglong = n
        i: cython.longlong
        for i in range(n):
            h = (h ^ data[i]) * 1540483477
        return cython.cast(cython.longlong, (h ^ (h >> 29)) >> 1)

    def text_length(self, c):
        """The number of characters of an atom."""
        if c < 0:
            return len(self.atom_text(c))
        return self.texts[TEXT * (c >> 3) + 1]

    def load(self, c, at):
        """Put the text of an atom into the buffer, from a place on; the place behind it, or -1 if there is no
        room for it or if it has characters of more than one byte."""
        n: cython.longlong
        if c < 0:
            return -1
        n = self.texts[TEXT * (c >> 3) + 1]
        if at + n > BUFFER_SIZE:
            return -1
        if cython.compiled:
            if self.texts[TEXT * (c >> 3)] == 0:
                return -1
            data = cython.cast(cython.p_uchar, self.texts[TEXT * (c >> 3)])
            memcpy(self.buffer + at, data, n)
        else:
            text = self.atom_texts[c >> 3]
            if not text.isascii() and max(text) > "\xff":
                return -1
            self.buffer[at : at + n] = text.encode("latin-1")
        return at + n

    def load_integer(self, value, at):
        """Put the digits of a small integer into a buffer with 20 free places; the place behind."""
        n: cython.longlong = value if value >= 0 else -value
        end: cython.longlong = at + (1 if value < 0 else 0)
        i: cython.longlong = n
        if value < 0:
            self.buffer[at] = 45
        end += 1
        while i > 9:
            i = i // 10
            end += 1
        i = end
        while True:
            i -= 1
            self.buffer[i] = 48 + n % 10
            n = n // 10
            if n == 0:
                return end

    def buffer_atom(self, first, end):
        """The cell of the atom whose text is in the buffer."""
        n: cython.longlong = end - first
        if cython.compiled:
            data: cython.p_uchar = self.buffer + first
            h: cython.longlong = self.buffer_hash(data, n)
            at: cython.longlong = h & self.names_mask
            i: cython.longlong = self.names[at]
            while i != 0:
                i = TEXT * (i - 1)
                if self.texts[i + 2] == h and self.texts[i + 1] == n:
                    if memcmp(cython.cast(cython.p_uchar, self.texts[i]), data, n) == 0:
                        return i // TEXT << 3 | ATM
                at = (at + 1) & self.names_mask
                i = self.names[at]
            return self.atom(cython.cast(cython.p_char, data)[:n].decode("latin-1"))
        else:
            return self.atom(bytes(self.buffer[first:end]).decode("latin-1"))

    def code_of(self, c):
        """The code of the atom that is a one-byte character, -1 if the cell is anything else."""
        if c & 7 != ATM or c < 0 or self.texts[TEXT * (c >> 3) + 1] != 1:
            return -1
        if cython.compiled:
            if self.texts[TEXT * (c >> 3)] == 0:
                return -1
            return cython.cast(cython.p_uchar, self.texts[TEXT * (c >> 3)])[0]
        else:
            code = ord(self.atom_texts[c >> 3])
            return code if code < 256 else -1

    def order(self, a, b):
        """-1, 0 or 1: two atoms by their characters."""
        if a == b:
            return 0
        if cython.compiled:
            if a >= 0 and b >= 0:
                x: cython.longlong = TEXT * (a >> 3)
                y: cython.longlong = TEXT * (b >> 3)
                if self.texts[x] != 0 and self.texts[y] != 0:
                    n: cython.longlong = self.texts[x + 1] - self.texts[y + 1]
                    r: cython.int = memcmp(
                        cython.cast(cython.p_uchar, self.texts[x]),
                        cython.cast(cython.p_uchar, self.texts[y]),
                        self.texts[x + 1] if n < 0 else self.texts[y + 1],
                    )
                    if r == 0:
                        return -1 if n < 0 else 1
                    return -1 if r < 0 else 1
        return -1 if self.atom_text(a) < self.atom_text(b) else 1

    def char_atom(self, code):
        """The cell of the atom that is one character."""
        if code >= 256:
            return self.atom(chr(code))
        if self.char_atoms[code] == 0:
            self.char_atoms[code] = self.atom(chr(code))
        return self.char_atoms[code]

    def atom_text(self, c):
        i: cython.longlong = c >> 3
        if i < 0:
            return "_N" + str(-i - 1)
        if c & 7 != ATM or i >= len(self.atom_texts):
            raise TypeError("the cell is no atom")
        return self.atom_texts[i]

    def functor(self, name, arity):
        """The number of the functor name/arity; name is an atom cell."""
        i: cython.longlong = ((name >> 3) * 8 + arity) & 1023
        # the one found last in this place; an arity beyond the mask is not kept there
        if self.known_functors[2 * i] == (name >> 3) << 8 | arity and arity < 256:
            return self.known_functors[2 * i + 1]
        key = (name, arity)
        number = self.functor_ids.get(key)
        if number is None:
            if self.functor_count == self.functor_size:
                size: cython.longlong = larger(self.functor_size, 0)
                self.functor_name = grow_area(self.functor_name, self.functor_size, size)
                self.functor_arity = grow_area(self.functor_arity, self.functor_size, size)
                self.functor_size = size
            number = self.functor_count
            self.functor_ids[key] = number
            self.functor_name[self.functor_count] = name
            self.functor_arity[self.functor_count] = arity
            self.functor_count += 1
        if arity < 256 and name & 7 == ATM:
            self.known_functors[2 * i] = (name >> 3) << 8 | arity
            self.known_functors[2 * i + 1] = number
        return number

    def functor_name_of(self, f):
        return self.functor_name[f]

    def functor_arity_of(self, f):
        return self.functor_arity[f]

    def name_functors(self):
        self.f_plus = self.functor(self.atom("+"), 2)
        self.f_minus = self.functor(self.atom("-"), 2)
        self.f_times = self.functor(self.atom("*"), 2)
        self.f_mod = self.functor(self.atom("mod"), 2)
        self.f_rem = self.functor(self.atom("rem"), 2)
        self.f_intdiv = self.functor(self.atom("//"), 2)
        self.f_and = self.functor(self.atom("/\\"), 2)
        self.f_or = self.functor(self.atom("\\/"), 2)
        self.f_shl = self.functor(self.atom("<<"), 2)
        self.f_shr = self.functor(self.atom(">>"), 2)
        self.f_min = self.functor(self.atom("min"), 2)
        self.f_max = self.functor(self.atom("max"), 2)
        self.f_semicolon = self.functor(self.atom(";"), 2)
        self.f_bar = self.functor(self.atom("|"), 2)
        self.f_arrow = self.functor(self.atom("->"), 2)
        self.f_softarrow = self.functor(self.atom("*->"), 2)
        self.f_neck = self.functor(self.atom(":-"), 2)
        self.a_cut = self.atom("!")
        self.a_true = self.atom("true")
        self.a_fail = self.atom("fail")

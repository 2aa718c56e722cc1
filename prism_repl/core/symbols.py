# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3
"""Atoms and functors: each has a number that never changes."""

import cython

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403


class Symbols:
    """The atoms and functors of a machine."""

    def __init__(self, first_functors=()):
        """`first_functors` are (name, arity) pairs that get the lowest numbers, the same in every machine."""
        self.char_atoms = new_area(256)
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
            free_area(self.known_functors)
            free_area(self.functor_name)
            free_area(self.functor_arity)

    def atom(self, text):
        """The cell of the atom with this text."""
        number = self.atom_ids.get(text)
        if number is None:
            number = len(self.atom_texts)
            self.atom_ids[text] = number
            self.atom_texts.append(text)
        n: cython.longlong = number
        return n << 3 | ATM

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

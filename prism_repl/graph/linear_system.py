# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""Systems of linear equations (I - E) x = right, where E is given by its entries.

Small ones are solved by elimination, large ones by scipy's sparse LU.
"""

import cython

from prism_repl.arrays import np, zero_doubles, zero_ints

if not cython.compiled:
    from prism_repl.graph.kernels import doubles, fabs, ints

    # Systems of up to this many unknowns are solved by elimination.
    DENSE = 64


class LinearSystem:
    """The entries of E (row, column, value), and `right`, which becomes the solution."""

    def __init__(self, most, most_entries):
        self.right_array = zero_doubles(most)
        self.value_array = zero_doubles(most_entries)
        self.row_array = zero_ints(most_entries)
        self.column_array = zero_ints(most_entries)
        self.matrix_array = zero_doubles(min(most, DENSE) ** 2)
        self.right = doubles(self.right_array)
        self.values = doubles(self.value_array)
        self.rows = ints(self.row_array)
        self.columns = ints(self.column_array)
        self.matrix = doubles(self.matrix_array)
        self.entries = 0

    def clear(self):
        """No entries."""
        self.entries = 0

    def add(self, row, column, value):
        """One more entry; those of the same place add up."""
        self.rows[self.entries] = row
        self.columns[self.entries] = column
        self.values[self.entries] = value
        self.entries += 1

    def solve(self, n, transposed):
        """Replaces `right` by the solution, of E or of its transpose. False if the matrix is singular."""
        if n <= DENSE:
            return self.eliminate(n, transposed)
        return self.sparse_solve(n, transposed)

    def eliminate(self, n, transposed):
        """A small system: False if the matrix is singular."""
        i: cython.Py_ssize_t = 0
        j: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t = 0
        pivot: cython.Py_ssize_t = 0
        m: cython.p_double = self.matrix
        factor: cython.double = 0.0
        for i in range(n * n):
            m[i] = 0.0
        for i in range(n):
            m[i * n + i] = 1.0
        for i in range(self.entries):
            if transposed:
                m[self.columns[i] * n + self.rows[i]] -= self.values[i]
            else:
                m[self.rows[i] * n + self.columns[i]] -= self.values[i]
        for k in range(n):
            pivot = k
            for i in range(k + 1, n):
                if fabs(m[i * n + k]) > fabs(m[pivot * n + k]):
                    pivot = i
            if not fabs(m[pivot * n + k]) > 1e-15:
                return False
            if pivot != k:
                for j in range(k, n):
                    factor = m[k * n + j]
                    m[k * n + j] = m[pivot * n + j]
                    m[pivot * n + j] = factor
                factor = self.right[k]
                self.right[k] = self.right[pivot]
                self.right[pivot] = factor
            for i in range(k + 1, n):
                factor = m[i * n + k] / m[k * n + k]
                if factor != 0.0:
                    for j in range(k + 1, n):
                        m[i * n + j] -= factor * m[k * n + j]
                    self.right[i] -= factor * self.right[k]
        for k in range(n - 1, -1, -1):
            factor = self.right[k]
            for j in range(k + 1, n):
                factor -= m[k * n + j] * self.right[j]
            self.right[k] = factor / m[k * n + k]
        return True

    def sparse_solve(self, n, transposed):
        """A large system: False if the matrix is singular."""
        from scipy.sparse import csc_array, eye_array
        from scipy.sparse.linalg import splu

        rows = self.row_array[: self.entries]
        columns = self.column_array[: self.entries]
        values = self.value_array[: self.entries]
        matrix = eye_array(n, format="csc") - csc_array((values, (rows, columns)), shape=(n, n))
        try:
            factors = splu(csc_array(matrix))
        except RuntimeError:  # exactly singular
            return False
        solved = factors.solve(self.right_array[:n].copy(), "T" if transposed else "N")
        self.right_array[:n] = solved
        return bool(np.isfinite(solved).all())

    def positive(self, n):
        """Whether the solution is finite and, up to rounding, not negative."""
        i: cython.Py_ssize_t = 0
        most: cython.double = 0.0
        for i in range(n):
            if fabs(self.right[i]) > most:
                most = fabs(self.right[i])
        if not most < 1e300:
            return False
        for i in range(n):
            if self.right[i] < 0.0:
                if self.right[i] < -1e-9 * most:
                    return False
                self.right[i] = 0.0
        return True

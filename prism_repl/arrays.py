"""numpy, imported when something of it is first used: it is half of the time of a start, and plain Prolog has
no use for it."""

import gc
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]
else:
    Array = Any

    class Numpy:
        """Stands for the module numpy; what was asked for once is kept."""

        def __getattr__(self, name: str) -> Any:
            value = getattr(load(), name)
            setattr(self, name, value)
            return value

    np = Numpy()


def load() -> Any:
    """Import numpy. On the command line the collector looks at nothing that was imported: at this neither."""
    # the count of what is frozen is a walk over all of it, so it comes last
    freezes = "numpy" not in sys.modules and gc.isenabled() and gc.get_freeze_count() > 0
    if freezes:
        gc.disable()
    try:
        import numpy
    finally:
        if freezes:
            gc.freeze()
            gc.enable()
    return numpy


# Native modules make their arrays with these: written out, each would be a page of C.


def int_array(values: Any) -> Array:
    """`values` as a contiguous int32 array, copied only if it is not one already."""
    return np.ascontiguousarray(values, dtype=np.int32)


def double_array(values: Any) -> Array:
    """`values` as a contiguous array of doubles, copied only if it is not one already."""
    return np.ascontiguousarray(values, dtype=np.float64)


def empty_ints(size: Any) -> Array:
    """Room for int32 numbers."""
    return np.empty(size, dtype=np.int32)


def zero_ints(size: int) -> Array:
    return np.zeros(size, dtype=np.int32)


def filled_ints(size: int, value: int) -> Array:
    return np.full(size, value, dtype=np.int32)


def counted_ints(size: int) -> Array:
    """0, 1, 2, ..."""
    return np.arange(size, dtype=np.int32)


def zero_doubles(size: int) -> Array:
    return np.zeros(size)


def largest_gap(starts: Array) -> int:
    """The most that lies between a start and the next."""
    return int(np.diff(starts).max(initial=0))


def logarithms(mantissas: Array, shifts: Array) -> Array:
    """log(mantissas) + shifts, -inf for 0."""
    with np.errstate(divide="ignore"):
        return np.log(mantissas) + shifts

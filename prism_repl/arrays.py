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

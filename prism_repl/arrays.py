"""numpy, imported when something of it is first used: it is half of the time of a start, and plain Prolog has
no use for it."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]
else:
    Array = Any

    class Numpy:
        """Stands for the module numpy; what was asked for once is kept."""

        def __getattr__(self, name: str) -> Any:
            import numpy

            value = getattr(numpy, name)
            setattr(self, name, value)
            return value

    np = Numpy()

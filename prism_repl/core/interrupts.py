# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""What breaks into work that takes long: Ctrl-C, a request of another thread, somebody who watches."""

import cython


class Interrupts:
    """Long loops ask every 65536 steps."""

    def __init__(self):
        self.interrupted = False
        self.watcher = None  # is called now and then while something runs

    def check(self):
        """Ctrl-C, or `interrupted` set by another thread, becomes KeyboardInterrupt. Long loops ask every
        65536 steps."""
        if cython.compiled:
            PyErr_CheckSignals()  # noqa: F821
            with cython.nogil:
                pass  # other Python threads have their turn
        if self.interrupted:
            self.interrupted = False
            raise KeyboardInterrupt
        if self.watcher is not None:
            self.watcher()
        return 0

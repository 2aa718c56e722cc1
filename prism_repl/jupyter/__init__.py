"""Notebooks: a kernel for Jupyter, and magics for Python notebooks (extra `jupyter`)."""

"""Clauses to instructions.

`clauses.py` compiles a clause. It is read from its source (`source.py`), where its variables live is decided
(`variables.py`), and its instructions are written (`code.py`): those of terms (`terms.py`), of expressions
(`expressions.py`) and of the body, goal by goal (`body.py`). `kinds.py` has the goals that are no calls.
"""

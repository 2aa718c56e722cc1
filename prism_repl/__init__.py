"""PRISM's top level in Python.

    from prism_repl import Session

    s = Session()
    s.consult("hmm.psm")
    for answer in s.ask("viterbif(hmm([a,b]),P,E)"):
        print(answer["P"])

Public are Session, Answer, Answers, PrismError, PrismTimeout, the terms Atom, Struct, Var, and
PrismClassifier for scikit-learn. In a Python notebook, `%load_ext prism_repl` gives %prism and %%prism.
"""

from typing import TYPE_CHECKING, Any

from prism_repl.native import finder

if TYPE_CHECKING:
    from prism_repl.answers import Answer, Atom, Struct, Var
    from prism_repl.classifier import PrismClassifier
    from prism_repl.session import PrismError, PrismTimeout, Session
    from prism_repl.tables import Answers

finder.install()

__all__ = [
    "Answer",
    "Answers",
    "Atom",
    "PrismClassifier",
    "PrismError",
    "PrismTimeout",
    "Session",
    "Struct",
    "Var",
]

PLACES = {
    "Answer": "prism_repl.answers",
    "Answers": "prism_repl.tables",
    "Atom": "prism_repl.answers",
    "PrismClassifier": "prism_repl.classifier",
    "PrismError": "prism_repl.session",
    "PrismTimeout": "prism_repl.session",
    "Session": "prism_repl.repl.sessions",
    "Struct": "prism_repl.answers",
    "Var": "prism_repl.answers",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for, when it is asked for: the command line should start quickly."""
    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(PLACES[name]), name)


def load_ipython_extension(shell: Any) -> None:
    """%load_ext prism_repl"""
    from prism_repl.jupyter.magic import load

    load(shell)


def __dir__() -> list[str]:
    return [*__all__, "load_ipython_extension"]

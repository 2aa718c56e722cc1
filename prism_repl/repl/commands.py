"""Predicates of the top level itself: help, apropos, log, nolog, prism_help, the version."""

from __future__ import annotations

from typing import Any

from prism_repl.core.errors import instantiation_error, permission_error, type_error
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.definitions import loaded_files

PRISM_HELP = """\
 prism(File)             -- compile and load a program
 prism(Opts,File)        -- compile and load a program

 msw(I,V)                -- the switch I randomly outputs the value V

 learn(Gs)               -- learn the parameters
 learn                   -- learn the parameters from data_source
 sample(Goal)            -- get a sampled instance of Goal
 prob(Goal,P)            -- compute a probability
 probf(Goal,F)           -- compute an explanation graph
 viterbi(Goal,P)         -- compute a Viterbi probability
 viterbif(Goal,P,F)      -- compute a Viterbi probability with its explanation
 hindsight(Goal,Patt,Ps) -- compute hindsight probabilities

 set_sw(Sw,Params)       -- set parameters of a switch
 get_sw(Sw,SwInfo)       -- get information of a switch
 set_prism_flag(Flg,Val) -- set a new value to a flag
 get_prism_flag(Flg,Val) -- get the current value of a flag

 please consult the user's manual for details.
"""


def put(m: Any, text: str) -> bool:
    m.streams.current_output.write(text)
    return True


def atom_text(m: Any, cell: int) -> str:
    """The text of an argument that must be an atom."""
    if not m.is_atomic(cell) and not m.is_compound(cell):
        raise instantiation_error()
    if m.is_compound(cell) or m.is_number(cell):
        raise type_error("atom", cell)
    return str(m.atom_text(cell))


@builtin("prism_help is det")
def prism_help(m: Any) -> bool:
    return put(m, PRISM_HELP)


@builtin("help is det")
def help_0(m: Any) -> bool:
    from prism_repl.repl.help import overview

    return put(m, overview())


@builtin("help(+Topic:topic) is det")
def help_1(m: Any, topic: int) -> bool:
    """help(Name) or help(Name/Arity)"""
    from prism_repl.repl.help import help_text

    if m.is_compound(topic) and m.arity_of(topic) == 2 and m.atom_text(m.name_of(topic)) == "/":
        arity = m.arg(topic, 1)
        if not m.is_integer(arity):
            raise type_error("integer", arity)
        return put(m, help_text(atom_text(m, m.arg(topic, 0)), int(m.int_value(arity))))
    return put(m, help_text(atom_text(m, topic)))


@builtin("apropos(+Word:topic) is det")
def apropos(m: Any, word: int) -> bool:
    from prism_repl.repl.help import apropos_text

    return put(m, apropos_text(atom_text(m, word)))


@builtin("log(+File:file) is det")
def log(m: Any, file: int) -> bool:
    """log(File): record the session from here on."""
    name = atom_text(m, file)
    if m.session.log is None:
        raise permission_error("log", "session", file)  # used from Python: there is nothing to record
    try:
        m.session.log.open(name, loaded_files(m))
    except OSError:
        raise permission_error("open", "source_sink", file) from None
    return True


@builtin("nolog is det")
def nolog(m: Any) -> bool:
    if m.session.log is not None:
        m.session.log.close()
    return True


# The version of PRISM whose behaviour this is; programs ask for it.
PRISM_VERSION = "2.4.2a"


@builtin("get_version(-Version) is det")
def get_version(m: Any, version: int) -> bool:
    return bool(m.unify(version, m.atom(PRISM_VERSION)))


@builtin("print_version is det")
def print_version(m: Any) -> bool:
    return put(m, PRISM_VERSION + "\n")


@builtin("print_copyright is det")
def print_copyright(m: Any) -> bool:
    from prism_repl.repl.banner import banner

    return put(m, banner())

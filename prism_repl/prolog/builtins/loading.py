"""consult/1 and its relatives, and the directives that only mean something in files."""

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import domain_error, instantiation_error, type_error
from prism_repl.core.queries import solve_once
from prism_repl.prolog.builtins.arguments import compound_items, items
from prism_repl.prolog.builtins.database import declared
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.consulting import consult, consult_user
from prism_repl.prolog.definitions import loaded_files, loading
from prism_repl.prolog.goals import indicator
from prism_repl.prolog.source import SUFFIXES, file_name, find_file


def consult_all(m, spec, label, keep_terms):
    """Consult a file or each file of a list."""
    if spec & 7 == REF:
        raise instantiation_error()
    if spec == m.nil:
        return True
    specs = [spec]
    if m.is_list_cell(spec):
        specs = [m.deref(c) for c in m.proper_list(spec)]
        if all(m.is_integer(c) for c in specs):
            specs = [spec]
    for one in specs:
        if one & 7 == REF:
            raise instantiation_error()
        name = file_name(m, one)
        if name == "user":
            consult_user(m)
        else:
            consult(m, name, label, keep_terms)
    return True


@builtin("consult(+File:file) is det, protected")
def consult_1(m, spec):
    return consult_all(m, spec, "consulting", True)


@builtin("reconsult(+File:file) is det")
def reconsult(m, spec):
    return consult_all(m, spec, "consulting", True)


@builtin(".(+File:file, +Files) is det, fixed")
def consult_list(m, head, tail):
    return consult_all(m, m.cons(head, tail), "consulting", True)


@builtin("compile(+File:file) is det")
def compile_1(m, spec):
    return consult_all(m, spec, "Compiling", False)


@builtin("cl(+File:file) is det")
def compile_and_load(m, spec):
    return consult_all(m, spec, "Compiling", False)


@builtin("load(+File:file) is det")
def load(m, spec):
    return consult_all(m, spec, "loading", False)


@builtin("ensure_loaded(+File:file) is det")
def ensure_loaded(m, spec):
    """Consult a file unless it was loaded already; library(Name) is there."""
    if compound_items(m, spec, "library", 1):
        return True
    path = find_file(file_name(m, spec), SUFFIXES)
    if path is not None and str(path.resolve()) in loaded_files(m):
        return True
    return consult_all(m, spec, "consulting", True)


@builtin("initialization(:Goal) is det")
def initialization(m, goal):
    """In a file: run the goal after the load. At the prompt: run it now."""
    if goal & 7 == REF:
        raise instantiation_error()
    if not m.is_callable(goal):
        raise type_error("callable", goal)
    if loading(m):
        m.state["initialization"].append(m.freeze(goal))
        return True
    return solve_once(m, goal)


@builtin("mode(+Declaration) is det")
def mode(m, spec):
    """B-Prolog's mode declarations: the compiler has no use for them, they are checked for shape."""
    if spec & 7 == REF:
        raise instantiation_error()
    return True


@builtin("public(+Predicates:indicators) is det")
def public(m, spec):
    """All predicates can be seen; the declaration is checked."""
    return declared(m, spec, lambda p: None)


@builtin("module(+Name:atom, +Exports:list) is det")
def module(m, name, exports):
    """There is one name space: a module declaration only has its shape checked."""
    return True


@builtin("use_module(+File:file) is det")
def use_module(m, spec):
    """A file is loaded unless it was."""
    return ensure_loaded(m, spec)


@builtin("use_module(+File:file, +Imports) is det")
def use_module_2(m, spec, imports):
    return use_module(m, spec)


@builtin("meta_predicate(+Heads) is det")
def meta_predicate(m, spec):
    """meta_predicate p(0,?,:): what predicate_property/2 tells about p/3."""
    pending = [spec]
    while pending:
        c = m.deref(pending.pop())
        if c & 7 == REF:
            raise instantiation_error()
        if m.is_list_cell(c) or c == m.nil:
            pending += reversed(items(m, c))
        elif m.is_compound(c) and indicator(m, c) == (",", 2):
            pending += [m.arg(c, 1), m.arg(c, 0)]
        elif not m.is_compound(c):
            raise type_error("compound", c)
        else:
            check_meta_arguments(m, c)
            m.state.setdefault("meta_predicates", {})[indicator(m, c)] = m.freeze(c)
    return True


def check_meta_arguments(m, head):
    for i in range(m.arity_of(head)):
        mode = m.arg(head, i)
        if mode & 7 == REF:
            raise instantiation_error()
        good = m.is_integer(mode) and 0 <= m.int_value(mode) <= 9
        if not good and not (mode & 7 == ATM and m.atom_text(mode) in ("?", "+", "-", "*", ":", "^", "//")):
            raise domain_error("meta_argument_specifier", mode)

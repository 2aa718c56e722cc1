"""C of the native modules, changed so that they can be linked as one shared object.

Cython makes each module a shared object of its own. Functions and methods of others are called through
pointers, which are fetched when a module is imported, and no compiler sees through these. Here such calls
become direct calls of functions that all modules share; a compiler that optimizes while it links makes small
ones part of their callers (the search of a treebank takes 6 % less time, and a start opens one file instead
of seventy). Methods of classes that have subclasses stay virtual.

setuptools loads this file by its path, so it must not import the package.
"""

import re
from collections.abc import Iterable

# struct __pyx_vtabstruct_X { struct __pyx_vtabstruct_BASE __pyx_base;  int (*method)(ARGUMENTS); ... };
TABLE = re.compile(r"^struct __pyx_vtabstruct_(\w+) \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
BASE = re.compile(r"^ *struct __pyx_vtabstruct_(\w+) __pyx_base;", re.MULTILINE)
METHOD = re.compile(r"^ *(\S.*?) *\(\*(\w+)\)\((.*)\);$", re.MULTILINE)
METHOD_CALL = re.compile(r"\(\(struct __pyx_vtabstruct_(\w+) \*\)[\w>.-]+?(?:->|\.)__pyx_vtab\)->(\w+)\(")
POINTER = re.compile(r"^static (\S.*?) *\(\*__pyx_f_(\w+)\)\((.*)\); /\*proto\*/$", re.MULTILINE)
FUNCTION = re.compile(r"^static (?:CYTHON_INLINE )?((?:\w+ )+\**)(__pyx_f_\w+)(?=\()", re.MULTILINE)
DECLARATIONS = "/* #### Code section: module_declarations ### */\n"
SHARED = '__attribute__((visibility("hidden")))'  # by the modules, not with the world


def mangled(name: str) -> str:
    """How Cython writes the full name of a module in C: each part behind its length."""
    return "_".join(f"{len(part)}{part}" for part in name.split("."))


def initializer(name: str) -> str:
    """The function that initializes a module: some share the last part of their names."""
    return "PyInit_" + name.replace(".", "__")


def joined(texts: dict[str, str]) -> dict[str, str]:
    """The C texts of modules, by their full names, as one shared object needs them."""
    bases = {base for text in texts.values() for base in BASE.findall(text)}
    owners = {mangled(name): name for name in texts}
    called: set[str] = set()
    changed = {name: direct_calls(name, text, owners, bases, called) for name, text in texts.items()}
    defined: set[str] = set()
    for name, text in changed.items():
        changed[name] = shared_functions(name, text, called, defined)
    if not called or called - defined:
        raise ValueError(f"Cython has written functions in another way: {sorted(called - defined)[:3]}")
    return changed


def direct_calls(name: str, text: str, owners: dict[str, str], bases: set[str], called: set[str]) -> str:
    """A module's text with direct calls of other modules' functions, whose names are added to `called`."""
    methods = {
        (table, method): (result, arguments)
        for table, body in TABLE.findall(text)
        for result, method, arguments in METHOD.findall(body)
    }
    declarations: dict[str, str] = {}

    def method_call(match: re.Match[str]) -> str:
        table, method = match.groups()
        owner = next((o for o in owners if table.startswith(f"{o}_") and "_" not in table[len(o) + 1 :]), "")
        if not owner or table in bases or (table, method) not in methods:
            return match[0]
        kind = table[len(owner) + 1 :]
        function = f"__pyx_f_{owner}_{len(kind)}{kind}_{method}"
        if owners[owner] != name:
            result, arguments = methods[table, method]
            declarations[function] = f"{SHARED} {result} {function}({arguments});\n"
            called.add(function)
        return f"{function}("

    text = METHOD_CALL.sub(method_call, text)

    # the pointer is still fetched, which imports the module that has the function
    def pointer(match: re.Match[str]) -> str:
        result, function, arguments = match.groups()
        if not any(function.startswith(f"{owner}_") for owner in owners):
            return match[0]
        called.add(f"__pyx_f_{function}")
        fetched.append(function)
        return (
            f"{SHARED} {result} __pyx_f_{function}({arguments});\n"
            f"static {result} (*__pyx_fetched_{function})({arguments});"
        )

    fetched: list[str] = []
    text = POINTER.sub(pointer, text)
    for function in fetched:
        place = f"&__pyx_f_{function},"
        if text.count(place) != 1:
            raise ValueError("Cython has written imports in another way")
        text = text.replace(place, f"&__pyx_fetched_{function},")
    if DECLARATIONS not in text:
        raise ValueError("Cython has written declarations in another way")
    return text.replace(DECLARATIONS, DECLARATIONS + "".join(declarations.values()), 1)


def shared_functions(name: str, text: str, called: set[str], defined: set[str]) -> str:
    """A module's text in which the functions that others call are shared; they are added to `defined`."""

    def function(match: re.Match[str]) -> str:
        result, function = match.groups()
        if function not in called:
            return match[0]
        defined.add(function)
        return f"{SHARED} {result}{function}"

    last = name.rpartition(".")[2]
    return re.sub(rf"\bPyInit_{last}\b", initializer(name), FUNCTION.sub(function, text))


def entry(name: str, modules: Iterable[str]) -> str:
    """C of the module that makes all others: names(), make(spec), run(module). An import is these two
    (prism_repl/native/finder.py)."""
    modules = list(modules)
    declared = "\n".join(f"PyMODINIT_FUNC {initializer(module)}(void);" for module in modules)
    listed = "\n".join(f'    {{"{module}", {initializer(module)}}},' for module in modules)
    last = name.rpartition(".")[2]
    return f"""#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

{declared}

static const struct {{ const char *name; PyObject *(*initialize)(void); }} modules[] = {{
{listed}
}};
static const int count = sizeof(modules) / sizeof(modules[0]);

static PyObject *names(PyObject *self, PyObject *unused) {{
    PyObject *list = PyList_New(count);
    for (int i = 0; list != NULL && i < count; i++) {{
        PyObject *name = PyUnicode_FromString(modules[i].name);
        if (name == NULL) Py_CLEAR(list);
        else PyList_SET_ITEM(list, i, name);
    }}
    return list;
}}

static PyObject *make(PyObject *self, PyObject *spec) {{
    PyObject *definition, *name = PyObject_GetAttrString(spec, "name");
    const char *text = name == NULL ? NULL : PyUnicode_AsUTF8(name);
    int i = 0;
    if (text == NULL) {{ Py_XDECREF(name); return NULL; }}
    while (i < count && strcmp(modules[i].name, text) != 0) i++;
    Py_DECREF(name);
    if (i == count) {{ PyErr_SetString(PyExc_ImportError, "no such native module"); return NULL; }}
    definition = modules[i].initialize();
    if (definition == NULL || PyModule_Check(definition)) return definition;
    return PyModule_FromDefAndSpec((PyModuleDef *)definition, spec);
}}

static PyObject *run(PyObject *self, PyObject *module) {{
    PyModuleDef *definition = PyModule_GetDef(module);
    if (definition == NULL || PyModule_ExecDef(module, definition) < 0) return NULL;
    Py_RETURN_NONE;
}}

static PyMethodDef functions[] = {{
    {{"names", names, METH_NOARGS, NULL}},
    {{"make", make, METH_O, NULL}},
    {{"run", run, METH_O, NULL}},
    {{NULL}}
}};
static struct PyModuleDef definition = {{PyModuleDef_HEAD_INIT, "{last}", NULL, -1, functions}};
PyMODINIT_FUNC PyInit_{last}(void) {{ return PyModule_Create(&definition); }}
"""

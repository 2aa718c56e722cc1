"""The native modules as one shared object."""

import importlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig

import pytest

from prism_repl.native import finder, joining
from tests.conftest import extension_of, native_modules

# what Cython writes of two modules: b calls a method of a's class, one of a class with a subclass, a function
HEAD = """
struct __pyx_obj_1p_1a_Box { struct __pyx_vtabstruct_1p_1a_Box *__pyx_vtab; long long n; };
struct __pyx_vtabstruct_1p_1a_Box {
  long long (*size)(struct __pyx_obj_1p_1a_Box *, long long);
};
struct __pyx_obj_1p_1a_Base { struct __pyx_vtabstruct_1p_1a_Base *__pyx_vtab; };
struct __pyx_vtabstruct_1p_1a_Base {
  int (*kind)(struct __pyx_obj_1p_1a_Base *);
};
struct __pyx_vtabstruct_1p_1b_Derived {
  struct __pyx_vtabstruct_1p_1a_Base __pyx_base;
};
"""
A = f"""{HEAD}
/* #### Code section: module_declarations ### */
static long long __pyx_f_1p_1a_3Box_size(struct __pyx_obj_1p_1a_Box *, long long); /* proto*/
static CYTHON_INLINE int __pyx_f_1p_1a_twice(int); /*proto*/
static int __pyx_f_1p_1a_own(int); /*proto*/
static long long __pyx_f_1p_1a_3Box_size(struct __pyx_obj_1p_1a_Box *__pyx_v_self, long long __pyx_v_k) {{
  return __pyx_v_self->n + __pyx_v_k;
}}
static CYTHON_INLINE int __pyx_f_1p_1a_twice(int n) {{
  return 2 * n;
}}
PyMODINIT_FUNC PyInit_a(void) {{ return 0; }}
"""
B = f"""{HEAD}
/* #### Code section: module_declarations ### */
static int (*__pyx_f_1p_1a_twice)(int); /*proto*/
static int (*__pyx_f_5other_1m_far)(int); /*proto*/
static int __pyx_f_1p_1b_use(struct __pyx_obj_1p_1a_Box *box, struct __pyx_obj_1p_1a_Base *base) {{
  void *pointers[] = {{(void (**)(void))&__pyx_f_1p_1a_twice, (void (**)(void))&__pyx_f_5other_1m_far, 0}};
  int k = ((struct __pyx_vtabstruct_1p_1a_Base *)base->__pyx_vtab)->kind(base);
  return __pyx_f_1p_1a_twice(((struct __pyx_vtabstruct_1p_1a_Box *)box->__pyx_vtab)->size(box, k));
}}
PyMODINIT_FUNC PyInit_b(void) {{ return 0; }}
"""


def test_calls_between_modules_are_direct():
    texts = joining.joined({"p.a": A, "p.b": B})
    a, b = texts["p.a"], texts["p.b"]
    assert "return __pyx_f_1p_1a_twice(__pyx_f_1p_1a_3Box_size(box, k));" in b
    assert "->kind(base)" in b, "there is a subclass"
    assert "&__pyx_fetched_1p_1a_twice," in b
    assert "static int (*__pyx_f_5other_1m_far)(int);" in b, "that module is not one of them"
    assert not re.search(r"static [^\n]*__pyx_f_1p_1a_(3Box_size|twice)\(", a)
    assert "static int __pyx_f_1p_1a_own(int);" in a, "nobody else calls it"
    assert "PyInit_p__a(void)" in a
    assert "PyInit_p__b(void)" in b


@pytest.mark.parametrize(
    "b", [B.replace("module_declarations", "declared"), B.replace("twice", "thrice"), "struct nothing;"]
)
def test_c_of_another_shape_is_an_error(b):
    with pytest.raises(ValueError, match="in another way"):
        joining.joined({"p.a": A, "p.b": b})


def test_modules_are_made_by_name(tmp_path):
    """A shared object of two modules that have the same last name, found by a finder."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("no C compiler that makes shared objects in this way")
    names = ["joined_one.part", "joined_two.part"]
    sources = []
    for name in names:
        source = f"""#include <Python.h>
static int run(PyObject *module) {{ return PyModule_AddStringConstant(module, "mine", "{name}"); }}
static PyModuleDef_Slot slots[] = {{{{Py_mod_exec, run}}, {{0, NULL}}}};
static struct PyModuleDef definition = {{PyModuleDef_HEAD_INIT, "part", NULL, 0, NULL, slots}};
PyMODINIT_FUNC {joining.initializer(name)}(void) {{ return PyModuleDef_Init(&definition); }}
"""
        sources.append((f"{name}.c", source))
    sources.append(("entry.c", joining.entry("joined_entry", names)))
    for file, source in sources:
        (tmp_path / file).write_text(source)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    command = [compiler, "-shared", "-fPIC", f"-I{sysconfig.get_paths()['include']}", "-o"]
    files = [tmp_path / file for file, _ in sources]
    subprocess.run([*command, tmp_path / f"joined_entry{suffix}", *files], check=True)
    program = (
        "import sys, joined_entry\n"
        "from prism_repl.native.finder import Finder\n"
        "sys.meta_path.insert(0, Finder(joined_entry))\n"
        "import joined_one.part, joined_two.part\n"
        "print(joined_one.part.mine, joined_two.part.mine, joined_two.part.__name__)\n"
        "try: joined_entry.make(__import__('importlib.util').util.spec_from_loader('none', None))\n"
        "except ImportError as error: print(error)\n"
    )
    for package in ("joined_one", "joined_two"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    run = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": f"{tmp_path}:{joining.__file__.rpartition('/prism_repl/')[0]}"},
        capture_output=True,
        text=True,
    )
    assert run.stderr == ""
    assert run.stdout == "joined_one.part joined_two.part joined_two.part\nno such native module\n"


def test_the_native_modules_are_found_as_one():
    """Where they are: the finder has all of them, and each is itself."""
    modules = next((f.modules for f in sys.meta_path if isinstance(f, finder.Finder)), None)
    if modules is None:
        pytest.skip("the native modules are not linked as one here")
    places = {extension_of(path) for path in native_modules()}
    assert [str(place) for place in places] == [modules.__file__]
    assert importlib.import_module("prism_repl.core.terms") is not importlib.import_module(
        "prism_repl.prolog.compiler.terms"
    )


@pytest.mark.parametrize("broken", [False, True])
def test_a_shared_object_that_cannot_be_loaded_is_an_error(tmp_path, broken):
    """Not a reason to run uncompiled without a word, as the lack of one is."""
    package = tmp_path / "prism_repl" / "native"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").touch()
    shutil.copy(finder.__file__, package / "finder.py")
    if broken:
        (package / f"modules{sysconfig.get_config_var('EXT_SUFFIX')}").write_bytes(b"no shared object")
    program = "from prism_repl.native import finder; finder.install(); print('uncompiled')"
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    if broken:
        assert "ImportError" in run.stderr
    else:
        assert run.stdout == "uncompiled\n"

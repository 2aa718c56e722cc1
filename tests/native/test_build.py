"""How native modules are found and translated to C."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from prism_repl.native import build
from prism_repl.native.build import ROOT, declarations_of, native_sources, threaded, translate_all


def test_declarations_are_followed_through_others():
    found = {path.relative_to(ROOT).as_posix() for path in declarations_of(ROOT / "prism_repl/core/loop.py")}
    assert {"prism_repl/core/loop.pxd", "prism_repl/core/machine.pxd", "prism_repl/core/cells.pxd"} <= found
    assert not any(path.startswith("prism_repl/graph/") for path in found)


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """Two native modules, one of which needs the other's declarations, in a tree of their own."""
    package = tmp_path / "prism_repl"
    for name in ("areas.py", "areas.pxd", "cells.pxd", "heap.py", "heap.pxd"):
        (package / "core").mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "prism_repl/core" / name, package / "core" / name)
    for folder in (package, package / "core"):
        (folder / "__init__.py").touch()
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "PACKAGE", package)
    monkeypatch.setattr(build, "HELPERS_C", package / "core" / "cython_helpers.c")
    monkeypatch.chdir(tmp_path)
    # an isolated build has no path to the tree
    monkeypatch.setattr(sys, "path", [p for p in sys.path if not Path(p or ".", "prism_repl").exists()])
    return package / "core"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="one by one where there is no fork")
def test_modules_are_translated_when_what_they_need_is_newer(copied):
    sources = native_sources()
    assert [path.name for path in sources] == ["areas.py", "heap.py"]
    assert translate_all(sources, 2)
    assert "cython_helpers" in (copied / "heap.c").read_text()
    first = {path: path.stat().st_mtime_ns for path in copied.glob("*.c")}
    assert len(first) == 3
    assert translate_all(sources, 2)
    assert first == {path: path.stat().st_mtime_ns for path in copied.glob("*.c")}
    later = (copied / "heap.c").stat().st_mtime + 1
    os.utime(copied / "heap.pxd", (later, later))
    assert [path.name for path in sources if not build.is_translated(path)] == ["heap.py"]


def test_what_cannot_be_translated_is_left_to_setuptools(copied, capfd):
    (copied / "heap.py").write_text("# cython: language_level=3\n# native: -O1\nx: cython.int = (\n")
    assert translate_all(native_sources(), 1)
    assert (copied / "areas.c").exists()
    assert not (copied / "heap.c").exists()


def test_another_cython_translates_one_by_one(copied, monkeypatch, capsys):
    def unknown(*args):
        raise TypeError("no such option")

    sources = native_sources()
    assert translate_all(sources[:1], 1)
    monkeypatch.setattr(build, "Translator", unknown)
    assert not translate_all(sources, 1)
    assert not list(copied.glob("[ah]*.c")), "what is left over would need the helpers"
    assert "one by one (TypeError: no such option)" in capsys.readouterr().out


# the shape in which Cython writes the loop: code at P adds, doubles or ends; anything else is a fault
LOOP = r"""
#include <stdio.h>
enum { ADD = 3, DOUBLE = 5, END = 90 };
static const unsigned char __pyx_v_code[] = { ADD, DOUBLE, DOUBLE, 7, END };

static int __pyx_f_10prism_repl_4core_4loop_execute(int __pyx_v_P) {
  int __pyx_v_op, x = 1;
  while (1) {
    __pyx_v_op = __pyx_v_code[__pyx_v_P];
    switch (__pyx_v_op) {
      case ADD:
      x += 1; __pyx_v_P += 1;
      goto __pyx_L3_continue;
      case DOUBLE:
      x *= 2; __pyx_v_P += 1;
      goto __pyx_L3_continue;
      case END:
      return x;
      default:
      x += 100; __pyx_v_P += 1;
      break;
    }
    __pyx_L3_continue:;
  }
}
int main(void) { printf("%d", __pyx_f_10prism_repl_4core_4loop_execute(0)); return 0; }
"""


def test_instructions_jump_to_the_next_by_themselves(tmp_path):
    text = threaded(LOOP)
    assert text.count("NEXT_INSTRUCTION;") == 2
    assert len(re.findall(r"instruction_\w+:;", text)) == 3
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    for name, source in (("plain", LOOP), ("threaded", text)):
        (tmp_path / f"{name}.c").write_text(source)
        subprocess.run([compiler, "-o", tmp_path / name, tmp_path / f"{name}.c"], check=True)
        assert subprocess.run([tmp_path / name], capture_output=True, check=True, text=True).stdout == "108"


@pytest.mark.parametrize("text", ["", LOOP.replace("default:", "case 9:"), LOOP.replace("goto", "break; //")])
def test_a_loop_of_another_shape_is_left_as_it_is(text, tmp_path, capsys):
    with pytest.raises(ValueError, match="in another way"):
        threaded(text)
    path = tmp_path / "loop.c"
    path.write_text(text)
    build.thread_file(path)
    assert path.read_text() == text
    assert "not threaded" in capsys.readouterr().out

"""How setuptools compiles the native modules: all files whose first line is a Cython directive, in parallel.

The second line of such a file, `# native: -O3 ...`, has the options of the compiler. setuptools loads this
file by its path (pyproject.toml names the class), so it must not import the package.

Left alone, Cython would read the same fifty declaration files (.pxd) anew for each module, and write the same
helpers into each. Here they are read once, by a process whose children translate a module each, and the
helpers are a module of their own. Then all are linked as one shared object (joining.py). It uses what Cython
does not document: where anything of it fails, setuptools translates and links each module as usual.
"""

import gc
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat, takewhile
from pathlib import Path
from typing import Any

from setuptools import Extension
from setuptools.command.build_ext import build_ext

PACKAGE = Path(__file__).parent.parent
ROOT = PACKAGE.parent
JOINED = "prism_repl.native.modules"  # the module that makes all others
LOAD = (
    "import sys; from importlib.machinery import ExtensionFileLoader as Loader, ModuleSpec; "
    "name, path = sys.argv[1:]; loader = Loader(name, path); "
    "print(len(loader.create_module(ModuleSpec(name, loader, origin=path)).names()), 'native modules')"
)
HELPERS = "prism_repl.core.cython_helpers"  # a module that exists only compiled
HELPERS_C = PACKAGE / "core" / "cython_helpers.c"
LOOP = PACKAGE / "core" / "loop.py"
CIMPORT = re.compile(r"^\s*(?:from\s+(prism_repl[\w.]*)\s+)?cimport\b\s*(.*)", re.MULTILINE)


def load_joining() -> Any:
    """joining.py, which cannot be imported here."""
    path = Path(__file__).with_name("joining.py")
    spec: Any = importlib.util.spec_from_file_location("prism_native_joining", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def native_sources() -> list[Path]:
    """The files to compile."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        with path.open(encoding="utf-8") as file:
            if file.readline().startswith("# cython:"):
                found.append(path)
    return found


def compiler_options(path: Path) -> list[str]:
    """The options on the second line of a native module, and on those after it that begin like it."""
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    options = [
        line.removeprefix("# native:") for line in takewhile(lambda line: line.startswith("# native:"), lines)
    ]
    if not "".join(options).strip():
        raise ValueError(f"{path}: line 2 must be '# native:' and the options of the C compiler")
    return " ".join(options).split()


# Records are written a word at a time and read soon after; joined into one wide read, the words would wait
# until the writes have left the processor's store buffer (the search of a treebank takes 3 % longer).
# Cython marks all its helpers as inline, cold ones too: the compiler decides better, in a tenth less time.
ALL_OPTIONS = ["-fno-tree-slp-vectorize", "-DCYTHON_INLINE=", "-Wno-unused-function"]


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def extension(name: str, source: Path, options: Iterable[str]) -> Extension:
    """What setuptools needs to know about a native module; it is optional, as the file also runs as it is."""
    options = [*options, *ALL_OPTIONS, *os.environ.get("PRISM_NATIVE_CFLAGS", "").split()]
    return Extension(name, [str(source.relative_to(ROOT))], extra_compile_args=options, optional=True)


# ---- from Python to C


def declarations_of(path: Path) -> set[Path]:
    """The declaration files that a native module depends on, directly or by others."""
    found: set[Path] = set()
    waiting = [path.with_suffix(".pxd")]
    while waiting:
        pxd = waiting.pop()
        if pxd in found or not pxd.exists():
            continue
        found.add(pxd)
        for module, names in CIMPORT.findall(pxd.read_text(encoding="utf-8")):
            parts = (module or names.split()[0]).split(".")
            waiting.append(ROOT.joinpath(*parts).with_suffix(".pxd"))
    return found


def is_translated(path: Path) -> bool:
    """Is the C file newer than all that it is made of?"""
    c = path.with_suffix(".c")
    sources = [path, Path(__file__), *declarations_of(path)]
    return c.exists() and c.stat().st_mtime > max(source.stat().st_mtime for source in sources)


class Translator:
    """Cython with all declarations read."""

    def __init__(self, sources: Iterable[Path]):
        from Cython.Compiler import Errors
        from Cython.Compiler.Main import CompilationOptions, Context
        from Cython.Compiler.Nodes import OverrideCheckNode

        # Nobody overrides a native method in Python: that need not be looked up in each cpdef method.
        OverrideCheckNode.generate_execution_code = lambda self, code: None  # type: ignore[method-assign]
        # Nor pickles native objects, asks native functions for signatures, or names their only argument.
        self.settings: dict[str, Any] = {
            "language_level": 3,
            "include_path": [str(ROOT)],
            "compiler_directives": {
                "binding": False,
                "auto_pickle": False,
                "always_allow_keywords": False,
                "emit_code_comments": False,
            },
            "shared_utility_qualified_name": HELPERS,
        }
        self.context = Context.from_options(CompilationOptions(**self.settings))
        Errors.init_thread()
        for path in sources:
            if path.with_suffix(".pxd").exists():
                self.context.find_module(module_name(path), need_pxd=True)

    def translate(self, path: Path) -> bool:
        """Make the C file of a module. The context serves for one only: call this in a child process."""
        from Cython.Compiler.Main import CompilationOptions, run_pipeline

        # Functions that are declared inline become part of the module: only those that it can see may.
        seen = {module_name(pxd) for pxd in declarations_of(path)}
        pxds = self.context.pxds
        self.context.pxds = {
            name: pxd for name, pxd in pxds.items() if name in seen or not name.startswith("prism_repl.")
        }
        options = CompilationOptions(**self.settings, output_file=str(path.with_suffix(".c")))
        source = str(path.relative_to(ROOT))
        if run_pipeline(source, options, module_name(path), self.context).num_errors != 0:
            return False
        if path == LOOP:
            thread_file(path.with_suffix(".c"))
        return True


def write_helpers() -> None:
    """Make the C file of what all native modules share."""
    from Cython.Build.SharedModule import generate_shared_module
    from Cython.Compiler.Main import CompilationOptions
    from Cython.Compiler.Options import default_options

    if HELPERS_C.exists() and HELPERS_C.stat().st_mtime > Path(__file__).stat().st_mtime:
        return
    settings: dict[str, Any] = {"language_level": 3, "shared_c_file_path": str(HELPERS_C)}
    if "shared_utility_features_disabled" in default_options:  # Cython 3.3
        settings["shared_utility_features_disabled"] = ["MemoryView"]  # most of it, and nobody's need
    generate_shared_module(CompilationOptions(**settings))


def translate_all(sources: list[Path], processes: int) -> bool:
    """Make all C files that are missing or old; False if that cannot be done here."""
    old = [path for path in sources if not is_translated(path)]
    collects = gc.isenabled()
    gc.disable()  # trees of syntax are large and all in use until a child ends: a third of the time
    try:
        write_helpers()
        if not old:
            return True
        translator = Translator(sources)
        running: dict[int, Path] = {}
        for path in old:
            path.with_suffix(".c").unlink(missing_ok=True)
            if len(running) == processes:
                end_one(running)
            pid = os.fork()
            if pid == 0:
                status = 1
                try:
                    status = 0 if translator.translate(path) else 1
                finally:
                    os._exit(status)  # nothing of the parent's must be run or written twice
            running[pid] = path
        while running:
            end_one(running)
    except Exception as error:  # another version of Cython, a system without fork
        print(f"native modules are translated one by one ({type(error).__name__}: {error})")
        for path in sources:  # those that are translated need the helpers
            path.with_suffix(".c").unlink(missing_ok=True)
        return False
    finally:
        if collects:
            gc.enable()
    return True


def end_one(running: dict[int, Path]) -> None:
    """Wait for a child; what it could not translate is left to setuptools, which says why."""
    pid, status = os.wait()
    path = running.pop(pid, None)
    if path is not None and status != 0:
        path.with_suffix(".c").unlink(missing_ok=True)


# ---- threaded code


def thread_file(path: Path) -> None:
    """Let each instruction of the loop jump to the next by itself; a text of another shape stays as it is."""
    try:
        path.write_text(threaded(path.read_text(encoding="utf-8")), encoding="utf-8")
    except ValueError as error:
        print(f"instructions are not threaded ({error})")


def threaded(text: str) -> str:
    """C of the loop in which the end of an instruction, which goes back to the one switch, goes to the next
    instruction through a table of labels. The Prolog benchmarks become up to 20 % faster. Python, and so
    Cython, cannot say this; compilers without labels as values keep the switch."""
    start = text.find("switch (__pyx_v_op) {")
    repeat = re.compile(r"goto (__pyx_L\d+_continue);").search(text, start)
    end = text.find(f"{repeat[1]}:;", start) if repeat else -1
    function = text.rfind("\nstatic int __pyx_f_10prism_repl_4core_4loop_execute(", 0, start)
    body = text.find("{\n", function) + 2
    if not 0 < function < body < start < end or repeat is None:
        raise ValueError("Cython has written the loop in another way")
    chain = text[start:end]
    first = re.search(r"\n( +)case \w+:", chain)
    if first is None or chain.count(f"\n{first[1]}default:") != 1:
        raise ValueError("Cython has written the instructions in another way")
    names = re.findall(rf"\n{first[1]}case (\w+):", chain)
    chain = re.sub(rf"\n{first[1]}case (\w+):", rf"\n{first[1]}case \1: instruction_\1:;", chain)
    chain = chain.replace(f"\n{first[1]}default:", f"\n{first[1]}default: other_instruction:;")
    chain = chain.replace(repeat[0], "NEXT_INSTRUCTION;")
    labels = ", ".join(f"[{name}] = &&instruction_{name}" for name in names)
    table = f"""#if defined(__GNUC__)
  static const void *const instructions[128] = {{ [0 ... 127] = &&other_instruction, {labels} }};
  #define NEXT_INSTRUCTION {{ __pyx_v_op = __pyx_v_code[__pyx_v_P]; goto *instructions[__pyx_v_op & 127]; }}
#else
  #define NEXT_INSTRUCTION {repeat[0]}
#endif
"""
    return text[:body] + table + text[body:start] + chain + text[end:]


def without_link_optimization(extensions: Iterable[Extension]) -> None:
    for ext in extensions:
        ext.extra_compile_args = [option for option in ext.extra_compile_args if option != "-flto"]


class BuildNative(build_ext):
    """build_ext for all native modules, on all cores."""

    parallel: int | bool | None
    extensions: list[Extension]
    compiler: Any

    def finalize_options(self) -> None:
        # the largest first: the last one to finish decides how long the build takes
        sources = sorted(native_sources(), key=lambda path: -path.stat().st_size)
        extensions = [extension(module_name(path), path, compiler_options(path)) for path in sources]
        joined = Extension(JOINED, [], extra_compile_args=["-O1"])
        self.distribution.ext_modules = [joined, extension(HELPERS, HELPERS_C, ["-O1"]), *extensions]
        super().finalize_options()
        self.in_tree = bool(self.inplace)  # setuptools copies it there at the end
        if self.parallel is None:
            self.parallel = os.cpu_count()

    def build_extensions(self) -> None:
        joined, *modules = self.extensions
        translated = translate_all([ROOT / ext.sources[0] for ext in modules[1:]], int(self.parallel or 1))
        if not translated:
            del modules[0]  # nobody needs the helpers
        # debugging information and warnings would take a third of the compiler's time
        options = ["-g0", "-w"]
        options += self.precompiled_header(options)
        for ext in modules:
            c = Path(ext.sources[0]).with_suffix(".c")
            if c.exists():
                ext.sources = [str(c)]
            ext.extra_compile_args += options
        if translated and self.compiler.compiler_type == "unix" and self.build_joined(joined, modules):
            self.extensions = [joined]
            self.remove_built(modules)
            return
        self.extensions = modules
        without_link_optimization(modules)
        self.remove_built([joined])
        super().build_extensions()

    def remove_built(self, extensions: Iterable[Extension]) -> None:
        """Remove what an earlier build has left of extensions: an import would find it."""
        for ext in extensions:
            name = Path(self.get_ext_filename(ext.name))
            for folder in (Path(self.build_lib), *([ROOT] if self.in_tree else [])):
                (folder / name).unlink(missing_ok=True)

    def build_joined(self, joined: Extension, modules: list[Extension]) -> bool:
        """Link all modules as one shared object; False if that cannot be done here."""
        checked = "PRISM_NATIVE_CFLAGS" in os.environ
        link = []
        if self.is_gcc() and not checked:
            link = ["-O3", f"-flto={int(self.parallel or 1)}"]
        else:
            without_link_optimization(modules)
        joining = load_joining()
        # relative, as object files lie beside the sources then
        folder = Path(os.path.relpath(self.build_temp), "joined")
        folder.mkdir(parents=True, exist_ok=True)
        try:
            texts = {ext.name: Path(ext.sources[0]).read_text(encoding="utf-8") for ext in modules}
            parts = [*joining.joined(texts).values(), joining.entry(JOINED, texts)]
            with ThreadPoolExecutor(int(self.parallel or 1)) as threads:
                objects = list(threads.map(self.compile_part, [*modules, joined], parts, repeat(folder)))
            path = Path(self.get_ext_fullpath(JOINED))
            path.parent.mkdir(parents=True, exist_ok=True)
            self.compiler.link_shared_object(
                objects,
                str(path),
                libraries=self.get_libraries(joined),
                library_dirs=joined.library_dirs,
                runtime_library_dirs=joined.runtime_library_dirs,
                extra_postargs=link,
                build_temp=self.build_temp,
                target_lang="c",
            )
            os.utime(path)  # also if nothing of it had to be made again
            # A shared object may lack functions without a word of the linker. What has the sanitizers cannot
            # be loaded alone, nor what is for another machine.
            if not checked and "_PYTHON_HOST_PLATFORM" not in os.environ:
                subprocess.run([sys.executable, "-c", LOAD, JOINED, str(path)], check=True, timeout=60)
        except Exception as error:  # another Cython, a compiler or linker that cannot
            print(f"native modules are linked one by one ({type(error).__name__}: {error})")
            shutil.rmtree(folder, ignore_errors=True)
            return False
        return True

    def compile_part(self, ext: Extension, text: str, folder: Path) -> str:
        """The object file of one of the joined modules, made if it is not there from the last build."""
        c = folder / f"{ext.name}.c"
        text = f"/* {' '.join([*self.compiler.compiler_so, *ext.extra_compile_args])} */\n{text}"
        made = Path(self.compiler.object_filenames([str(c)], strip_dir=False, output_dir="")[0])
        if made.exists() and c.exists() and c.read_text(encoding="utf-8") == text:
            return str(made)
        made.unlink(missing_ok=True)
        c.write_text(text, encoding="utf-8")
        self.compiler.compile([str(c)], include_dirs=ext.include_dirs, extra_postargs=ext.extra_compile_args)
        return str(made)

    def is_gcc(self) -> bool:
        command = self.compiler.compiler_so if sys.platform == "linux" else []
        return bool(command) and re.search(r"(^|-)gcc(-\d+)?$", Path(command[0]).name) is not None

    def precompiled_header(self, options: list[str]) -> list[str]:
        """Options by which gcc has read Python.h once for all modules; none for another compiler."""
        if not self.is_gcc():
            return []
        header = Path(self.build_temp, "python_once.h")
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text("#define PY_SSIZE_T_CLEAN\n#include <Python.h>\n", encoding="utf-8")
        folders = [f"-I{folder}" for folder in self.compiler.include_dirs]
        command = self.compiler.compiler_so
        try:
            self.compiler.spawn(
                [*command, *folders, *ALL_OPTIONS, *options, str(header), "-o", f"{header}.gch"]
            )
        except Exception:  # then it is read each time
            return []
        return ["-include", str(header)]

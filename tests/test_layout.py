"""The shape of the project: what may import what, and what is declared in two places agrees."""

import ast
import importlib
import re
import tomllib
from pathlib import Path

import pytest

from prism_repl.native.build import compiler_options
from tests.conftest import PACKAGE as INSTALLED
from tests.conftest import native_modules

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "prism_repl"

pytestmark = pytest.mark.quick

# Each layer may import itself and what stands to its right.
LAYERS = [
    "__main__", "cli", "jupyter", "repl", "experiments", "classifier", "session", "api", "results", "tables",
    "sentences", "answers", "missing", "predicates",
    "learning", "inference", "graph", "model", "prolog", "tabling", "core", "pictures",
]  # fmt: skip
# What all layers may use: numpy when it is needed, and the table of flags.
SHARED = {"arrays", "flags"}


def python_files() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imports_of(path: Path, text: str | None = None) -> set[str]:
    """The full names of all modules that a file imports, anywhere in it."""
    found = set()
    package = path.relative_to(ROOT).parent.parts
    if text is None:
        text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join((*package[: len(package) - node.level + 1], base)).strip(".")
            found.add(base)
            # `from prism_repl import model` imports prism_repl.model
            found.update(f"{base}.{alias.name}" for alias in node.names)
    return found


def layer_of(module: str) -> str | None:
    parts = module.split(".")
    if parts[0] != "prism_repl" or len(parts) < 2:
        return None
    return parts[1]


def allowed_layers(path: Path) -> set[str]:
    layer = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if layer == "__init__":
        # the public face: Session, Answer, PrismError, and IPython's way to load magics
        return {"classifier", "session", "tables", "answers", "jupyter", "native", *SHARED}
    if layer == "native":  # setuptools loads what builds without the package
        return {"native"}
    if layer in SHARED:
        return SHARED
    return {*LAYERS[LAYERS.index(layer) :], *SHARED}


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path):
    known = {*LAYERS, *SHARED, "native"}
    used = {layer for layer in map(layer_of, imports_of(path)) if layer in known}
    name = path.relative_to(PACKAGE).as_posix()
    assert not used - allowed_layers(path), name


def test_the_objects_of_the_compiler_know_those_before_them():
    order = ["__init__", "kinds", "source", "variables", "code", "terms", "expressions", "body", "clauses"]
    folder = PACKAGE / "prolog" / "compiler"
    assert sorted(order) == sorted(path.stem for path in folder.glob("*.py"))
    for path in [*folder.glob("*.py"), *folder.glob("*.pxd")]:
        used = set(re.findall(r"from prism_repl\.prolog\.compiler\.(\w+) c?import", path.read_text()))
        assert used <= set(order[: order.index(path.stem)]), path


def test_the_check_of_imports_can_fail():
    path = PACKAGE / "prolog" / "made_up.py"
    text = "from prism_repl import model\nfrom ..repl import session\ndef f(): import prism_repl.cli\n"
    used = {layer_of(module) for module in imports_of(path, text)} - {None}
    assert used == {"model", "repl", "cli"}
    assert not used & allowed_layers(path)


def test_only_the_prompt_imports_prompt_toolkit():
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in python_files()
        if any(module.split(".")[0] == "prompt_toolkit" for module in imports_of(path))
    }
    assert all(user.startswith("repl/") for user in users), users


@pytest.mark.parametrize("folder", ["predicates", "prolog/builtins"])
def test_all_files_of_predicates_are_loaded(folder):
    """A file that its package does not import would define nothing, and nobody would be told."""
    registering = {
        path.stem
        for path in (PACKAGE / folder).glob("*.py")
        if "prism_repl.prolog.builtins.registry" in imports_of(path)
    }
    imported = imports_of(PACKAGE / folder / "__init__.py")
    package = f"prism_repl.{folder.replace('/', '.')}"
    assert {name.removeprefix(f"{package}.") for name in imported} - {package} == registering


def test_texts_name_files_that_exist():
    """Comments and docstrings say where other things are: by the name of a file, with or without folders."""
    files = [f"/{path.relative_to(ROOT).as_posix()}" for path in PACKAGE.rglob("*.*")]
    named = re.compile(r"(?<![\w/.-])(?:[a-z_]+/)*[a-z_]+\.(?:py|pl|pxd|md)\b")
    missing = {
        f"{path.relative_to(PACKAGE).as_posix()}: {name}"
        for path in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pxd"), *PACKAGE.rglob("*.pl")]
        for name in named.findall(path.read_text(encoding="utf-8"))
        if not any(file.endswith(f"/{name}") for file in files)
    }
    assert not missing


def test_nothing_points_outside_the_repository():
    outside = re.compile(r"\.\./" + "shared")
    for path in [*python_files(), *PACKAGE.rglob("*.pl"), ROOT / "README.md", ROOT / "pyproject.toml"]:
        assert not outside.search(path.read_text(encoding="utf-8")), path
    for path in sorted((ROOT / "tests").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if outside.search(text):
            assert "pytest.skip(" in text, f"{path} must skip loudly where that folder is missing"


def enumerated(path: Path) -> dict[str, int]:
    """The constants of the enums of a .pxd file; a name without a value counts on from the last. Those that
    a stress build changes are macros."""
    text = path.read_text(encoding="utf-8")
    constants = {
        name: int(value) for name, value in re.findall(r"#ifndef PRISM_(\w+)\s+#define \S+ (\d+)", text)
    }
    value = 0
    inside = False
    for line in text.splitlines():
        line = line.split("#")[0]
        if re.match(r"\s*c?p?def enum\b.*:", line):
            inside, value = True, 0
        elif line.strip() and not line[0].isspace():
            inside = False
        elif inside and line.strip():
            for item in line.split(","):
                name, _, given = item.partition("=")
                if not name.strip():
                    continue
                if given:
                    value = int(given, 0)
                constants[name.strip()] = value
                value += 1
    return constants


def constants_uncompiled(path: Path) -> dict[str, object]:
    """The names that a source file gives itself when it runs uncompiled.

    An extension beside the file hides them; so, of a native module, only the assignments and the imports from
    plain modules are run, those below `if not cython.compiled:` included.
    """
    files = [file.relative_to(INSTALLED.parent) for file in native_modules()]
    native = {".".join(file.with_suffix("").parts) for file in files}
    names: dict[str, object] = {}
    statements = list(ast.parse(path.read_text(encoding="utf-8")).body)
    while statements:
        statement = statements.pop(0)
        if isinstance(statement, ast.If) and ast.unparse(statement.test) == "not cython.compiled":
            statements = statement.body + statements
        elif isinstance(statement, ast.Assign) or (
            isinstance(statement, ast.ImportFrom) and statement.module not in native
        ):
            exec(compile(ast.Module([statement], []), str(path), "exec"), names)
    return names


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(PACKAGE.rglob("*.pxd")) if enumerated(path)],
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_constants_of_pxd_files_agree(path):
    """A constant is declared for C in the .pxd and for uncompiled runs in the .py: the same values."""
    source = path.with_suffix(".py")
    if source in native_modules():
        names = constants_uncompiled(source)
    else:
        names = vars(importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts)))
    constants = enumerated(path)
    assert constants == {constant: names.get(constant) for constant in constants}
    integers = {k: v for k, v in names.items() if k.isupper() and type(v) is int}
    if path.stem in ("cells", "instructions"):
        assert integers == constants


def test_native_modules_name_the_options_of_the_compiler():
    for path in native_modules():
        assert compiler_options(PACKAGE / path.relative_to(INSTALLED)), path


def test_mypy_leaves_out_the_native_modules():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    for pattern in settings["exclude"]:
        assert pattern.endswith(r"\.py$"), "mypy leaves out a folder as a whole if a pattern fits its name"
    files = [path.relative_to(ROOT).as_posix() for path in python_files()]
    left_out = {file for file in files if any(re.search(pattern, file) for pattern in settings["exclude"])}
    assert left_out == {path.relative_to(INSTALLED.parent).as_posix() for path in native_modules()}


def test_files_of_many_kinds_stay_small():
    for path in [
        *PACKAGE.glob("prolog/builtins/*.py"),
        *PACKAGE.glob("prolog/compiler/*.py"),
        *PACKAGE.glob("predicates/*.py"),
    ]:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= 450, f"{path.name} has {lines} lines: cut it by subject"


def declared_in_pxd(path: Path) -> dict[str, tuple[str | None, set[str]]]:
    """The classes of a .pxd file: base and members of each."""
    classes: dict[str, tuple[str | None, set[str]]] = {}
    members: set[str] = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].rstrip()
        if head := re.match(r"cdef class (\w+)(?:\((\w+)\))?:", line):
            members = set()
            classes[head[1]] = (head[2], members)
        elif line and not line[0].isspace():
            members = set()
        elif method := re.match(r"\s+cp?def [^(]*?(\w+)\(", line):
            members.add(method[1])
        elif fields := re.match(r"\s+cdef (?:public |readonly )?(.*)", line):
            members.update(re.findall(r"(\w+)\s*(?:,|$)", fields[1]))
    return classes


def test_native_classes_use_what_their_pxd_files_declare():
    """What only a subclass declares would still be found, but by its name, as a Python attribute: slowly."""
    declared: dict[str, tuple[str | None, set[str]]] = {}
    for path in PACKAGE.rglob("*.pxd"):
        declared.update(declared_in_pxd(path))
    sources = [ast.parse((PACKAGE / path.relative_to(INSTALLED)).read_text()) for path in native_modules()]
    classes = {
        node.name: node for source in sources for node in ast.walk(source) if isinstance(node, ast.ClassDef)
    }
    methods = {
        name: {statement.name for statement in node.body if isinstance(statement, ast.FunctionDef)}
        for name, node in classes.items()
    }
    for name in declared.keys() & classes.keys():
        known: set[str] = set()
        base: str | None = name
        while base is not None:
            known |= declared[base][1] | methods[base]
            base = declared[base][0]
        used = {
            node.attr
            for node in ast.walk(classes[name])
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self"
        }
        assert used <= known, f"{name}: {sorted(used - known)}"
    assert {"Heap", "Store", "Program", "Stacks", "Tables", "Msw", "Machine"} <= declared.keys()


def test_only_its_owner_makes_and_grows_an_area():
    """An area that is an attribute is made, grown and renewed by methods of the class that has it."""
    makers = {"new_area", "grow_area", "extend_area", "renew_area", "new_items", "grow_items"}
    kept = 0
    for path in native_modules():
        source = ast.parse((PACKAGE / path.relative_to(INSTALLED)).read_text(encoding="utf-8"))
        for node in ast.walk(source):
            if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
                continue
            target = node.targets[0]
            if ast.unparse(node.value.func) in makers and isinstance(target, ast.Attribute):
                kept += 1
                # a record is made by the function that freezes a term
                assert ast.unparse(target.value) == "self" or ast.unparse(target) == "r.words", path
    assert kept > 100


def test_owners_derive_from_nothing():
    """The machine holds them. What it asks of higher layers, and the face of terms, are all that is derived
    from."""
    for folder in ("core", "tabling", "model"):
        for path in (PACKAGE / folder).rglob("*.pxd"):
            bases = {base for base, _ in declared_in_pxd(path).values() if base is not None}
            assert bases <= {"Memory", "Tabling", "Switches"}, path


def test_the_architecture_names_files_that_exist():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w./-]+(?:\.(?:py|pl|sh|txt)|/))`", text))
    assert len(named) > 40
    missing = [name for name in named if not (PACKAGE / name).exists() and not (ROOT / name).exists()]
    assert missing == ["library/"]  # there are two

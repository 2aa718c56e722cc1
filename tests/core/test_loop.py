"""The loop: what it does itself cannot move an area or raise; all other work leaves it at one place."""

import ast
import functools
import re

import pytest

from prism_repl.core.instructions import INSTRUCTIONS, LAST_INSTRUCTIONS
from tests.test_layout import PACKAGE

pytestmark = pytest.mark.quick

LOOP = PACKAGE / "core" / "loop.py"
# At the one place: room for the instructions that follow, and the work itself.
ONE_PLACE = {"hp.room", "hp.trail_room", "st.grow_choice", "out_of_line"}


@functools.cache
def function() -> ast.FunctionDef:
    tree = ast.parse(LOOP.read_text(encoding="utf-8"))
    return next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "execute")


def noexcept_methods() -> set[str]:
    """Methods that cannot raise: so they cannot make an area grow either, since there may be no memory."""
    found: set[str] = set()
    for path in PACKAGE.rglob("*.pxd"):
        found.update(re.findall(r"(\w+)\([^)\n]*\) noexcept", path.read_text(encoding="utf-8")))
    return found


def inline_functions() -> list[ast.FunctionDef]:
    """Functions of this file that become part of the loop, and are declared not to raise."""
    tree = ast.parse(LOOP.read_text(encoding="utf-8"))
    return [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and {"cython.inline", "cython.exceptval(check=False)"} <= set(map(ast.unparse, node.decorator_list))
    ]


def calls(node: ast.AST) -> list[str]:
    return [ast.unparse(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)]


def main_loop() -> ast.While:
    return next(n for n in function().body if isinstance(n, ast.While))


def steps() -> ast.While:
    """The loop inside: instructions, calls, failures."""
    return next(n for n in main_loop().body if isinstance(n, ast.While))


def test_the_loop_itself_calls_only_what_cannot_raise():
    inline = inline_functions()
    allowed = noexcept_methods() | {node.name for node in inline}
    for node in (steps(), *inline):
        called = {name for statement in node.body for name in calls(statement)} - {"range"}
        assert {name.rpartition(".")[2] for name in called} <= allowed


def test_other_work_is_done_at_one_place():
    assert sorted(calls(function()).count(name) for name in ONE_PLACE) == [1, 1, 1, 1]
    assert not ONE_PLACE & set(calls(steps()))
    assert not any(isinstance(node, (ast.Raise, ast.Try)) for node in ast.walk(function()))


def assigned(nodes: list[ast.stmt]) -> dict[str, str]:
    return {
        ast.unparse(target): ast.unparse(node.value)
        for node in nodes
        if isinstance(node, ast.Assign)
        for target in node.targets
    }


def test_what_is_saved_is_loaded_again():
    body = main_loop().body
    at = body.index(steps())
    loaded, saved = assigned(body[:at]), assigned(body[at:])
    registers = {name: f"st.{name}" for name in ("P", "E", "B", "CP", "CUT")}
    registers |= {"H": "hp.H", "S": "m.S", "ticks": "m.ticks"}
    areas = {name: f"st.{name}" for name in ("x", "env", "choice")}
    areas |= {"code": "pg.code", "preds": "pg.preds", "heap": "hp.cells"}
    for name, owned in registers.items():
        assert saved[owned] == name
    for name, owned in (registers | areas).items():
        assert loaded[name] == owned
    # whatever the steps change is a register, a temporary, or loaded
    pointers = {
        ast.unparse(node.target)
        for node in function().body
        if isinstance(node, ast.AnnAssign) and "p_longlong" in ast.unparse(node.annotation)
    }
    assert pointers == areas.keys() | {"sb"}
    assert {"hmax", "tmax", "cmax", "HB", "sb", "watch"} <= loaded.keys()


def opcodes_in_loop() -> set[str]:
    return {
        ast.unparse(node.comparators[0])
        for node in ast.walk(steps())
        if isinstance(node, ast.Compare) and ast.unparse(node.left) == "op"
    }


def test_instructions_are_done_where_they_are_declared_to_be():
    declared = {name for name, (_, place, _) in INSTRUCTIONS.items() if place == "loop"}
    assert opcodes_in_loop() == declared
    text = (PACKAGE / "core" / "out_of_line.py").read_text(encoding="utf-8")
    for name, (_, place, _) in INSTRUCTIONS.items():
        assert place in ("loop", "out")
        if place == "out":
            assert re.search(rf"== {name}\b", text), name


def test_an_instruction_makes_no_more_cells_than_it_has_words():
    """The compiler asks for as many cells as its code has words."""
    for name, (operands, _, cells) in INSTRUCTIONS.items():
        words = 1 + len(operands) + operands.count("k") + operands.count("A")
        assert cells <= words, name
    assert set(LAST_INSTRUCTIONS) <= INSTRUCTIONS.keys()


def test_cells_are_declared():
    """Steps of the heap's top in the code of an instruction, on any path, are what its declaration allows."""
    for branch in instruction_branches(steps()):
        names = [
            ast.unparse(node.comparators[0])
            for node in ast.walk(branch.test)
            if isinstance(node, ast.Compare)
        ]
        made = [
            node.value.value if isinstance(node.value, ast.Constant) else None
            for statement in branch.body
            for node in ast.walk(statement)
            if isinstance(node, ast.AugAssign) and ast.unparse(node.target) == "H"
        ]
        for name in names:
            most = INSTRUCTIONS[name][2]
            for cells in made:
                # a number of words that is an operand: those of a box
                assert (cells is None and "#" in INSTRUCTIONS[name][0]) or (cells or 0) <= most, name


def instruction_branches(loop: ast.While) -> list[ast.If]:
    first = next(
        node
        for node in ast.walk(loop)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "op == GET_LIST_VV"
    )
    found = []
    node: ast.stmt | None = first
    while isinstance(node, ast.If) and "op ==" in ast.unparse(node.test):
        found.append(node)
        node = node.orelse[0] if len(node.orelse) == 1 else None
    return found

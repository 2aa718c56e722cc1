"""The formats of T-PRISM's files: JSON, and protocol buffers as bytes (pb) and as text (pbtxt).

A message is a dictionary with the keys of PRISM's JSON. SCHEMA has the fields of each kind of message: the
number and the type that protocol buffers need, where a star stands for a list.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import instantiation_error, type_error
from prism_repl.model.messages import runtime_error, say
from prism_repl.prolog.whole_files import write_bytes
from prism_repl.prolog.writer import write_term

Message = dict[str, Any]

SCHEMA: dict[str, dict[str, tuple[int, str]]] = {
    "ExplGraph": {"goals": (1, "ExplGraphGoal*"), "rootList": (2, "RankRoot*")},
    "ExplGraphGoal": {"node": (1, "ExplGraphNode"), "paths": (2, "ExplGraphPath*")},
    "ExplGraphPath": {
        "nodes": (1, "ExplGraphNode*"),
        "prob_switches": (2, "SwIns*"),
        "tensor_switches": (3, "SwIns*"),
        "operators": (4, "SwIns*"),
    },
    "ExplGraphNode": {"id": (1, "int"), "sorted_id": (2, "int"), "goal": (3, "GoalTerm")},
    "GoalTerm": {"name": (1, "string"), "args": (2, "string*")},
    "SwIns": {
        "id": (1, "int"),
        "name": (2, "string"),
        "values": (3, "string*"),
        "inside": (4, "float"),
        "sw_type": (5, "enum"),
    },
    "RankRoot": {"roots": (1, "Root*"), "count": (2, "int")},
    "Root": {"id": (1, "int"), "sorted_id": (2, "int")},
    "Option": {"flags": (1, "Flag*"), "index_range": (2, "IndexRange*"), "tensor_shape": (3, "TensorShape*")},
    "Flag": {"key": (1, "string"), "value": (2, "string")},
    "IndexRange": {"index": (1, "string"), "range": (2, "int")},
    "TensorShape": {"tensor_name": (1, "string"), "shape": (2, "int*"), "type": (3, "string")},
    "PlaceholderData": {"goals": (1, "PlaceholderGoal*")},
    "PlaceholderGoal": {"id": (1, "int"), "placeholders": (2, "Placeholder*"), "records": (3, "DataRecord*")},
    "Placeholder": {"name": (1, "string")},
    "DataRecord": {"items": (2, "string*")},
}
SWITCH_TYPES = ("Probabilistic", "Tensor", "Operator")
PROTO_NAMES = {"rootList": "root_list"}  # where the name of a field is not its key in JSON

FORMATS = ("json", "pb", "pbtxt")
UNSUPPORTED = ("hdf5", "npy")


# ---- protocol buffers


def varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


def counted(data: bytes) -> bytes:
    return varint(len(data)) + data


def encoded(message: Message, kind: str) -> bytes:
    """The bytes of a message; zero and empty fields are left out."""
    found = []
    for key, (number, field) in SCHEMA[kind].items():
        value: Any = message.get(key)
        listed = field.endswith("*")
        field = field.rstrip("*")
        if field == "int" and listed:
            packed = b"".join(varint(each) for each in value or [])
            found.append(varint(number << 3 | 2) + counted(packed) if packed else b"")
            continue
        each: Any
        for each in (value or []) if listed else [value]:
            if not each and not listed and field not in SCHEMA:
                continue
            if field in SCHEMA:
                found.append(varint(number << 3 | 2) + counted(encoded(each, field)))
            elif field == "string":
                found.append(varint(number << 3 | 2) + counted(each.encode("utf-8")))
            elif field == "float":
                found.append(varint(number << 3 | 5) + struct.pack("<f", each))
            else:
                found.append(varint(number << 3) + varint(each))
    return b"".join(found)


def text_lines(message: Message, kind: str, margin: str = "") -> Iterator[str]:
    """The lines of a message in the text format."""
    for key, (_, field) in SCHEMA[kind].items():
        value: Any = message.get(key)
        listed = field.endswith("*")
        field = field.rstrip("*")
        name = PROTO_NAMES.get(key, key)
        each: Any
        for each in (value or []) if listed else [value]:
            if field in SCHEMA:
                yield f"{margin}{name} {{\n"
                yield from text_lines(each, field, margin + "  ")
                yield f"{margin}}}\n"
            elif each or listed:
                yield f"{margin}{name}: {scalar_text(each, field)}\n"


def scalar_text(value: Any, field: str) -> str:
    if field == "enum":
        return SWITCH_TYPES[value]
    return json.dumps(value, ensure_ascii=False) if field == "string" else str(value)


# ---- files


def save_message(m: Any, file: int, mode: str, message: Message, kind: str) -> None:
    """Write a message to a file in one of the FORMATS, and say so."""
    name = atom_argument(m, file)
    if mode == "json":
        data = (
            json.dumps(message, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
        ).encode()
        said = f"[SAVE:json] {name}\n"
    elif mode == "pb":
        data, said = encoded(message, kind), f"[SAVE:PB]{name}\n"
    else:
        data, said = "".join(text_lines(message, kind)).encode(), f"[SAVE:PBTxt]{name}\n"
    write_bytes(m, file, data)
    say(m, said)


def check_format(m: Any, mode: str, known: tuple[str, ...], others: tuple[str, ...]) -> None:
    """The error of a format that is not one of those that are `known`; `others` exist for other files."""
    if mode in known:
        return
    if mode in others:
        error = runtime_error(f"{mode}_is_not_supportted_for_saving_flags")  # spelled as PRISM spells it
        text = f"not implemented yet -- {mode}"
    else:
        error, text = runtime_error("unknown_save_format"), "unexpected failure"
    error.announcement = f"***  PRISM INTERNAL ERROR: {text}\n"
    raise error


def atom_argument(m: Any, cell: int) -> str:
    """The text of an argument that must be an atom."""
    if cell & 7 == ATM:
        return str(m.atom_text(cell))
    raise instantiation_error() if cell & 7 == REF else type_error("atom", cell)


# ---- terms as strings


def term_string(m: Any, term: int) -> str:
    """A term in prefix notation without operators: atoms quoted where needed, floats with six decimals."""
    if m.is_compound(term) and not m.is_acyclic(term):
        raise type_error("acyclic_term", term)
    found: list[str] = []
    work: list[int | str] = [term]
    while work:
        part = work.pop()
        if isinstance(part, str):
            found.append(part)
            continue
        c = m.deref(part)
        if m.is_float(c):
            found.append(f"{m.float_value(c):f}")
        elif m.is_list_cell(c):
            items, tail = m.list_items(c)
            work.append("]")
            if tail != m.nil:
                work += [tail, "|"]
            work += separated(items)
            work.append("[")
        elif m.is_compound(c):
            work.append(")")
            work += separated([m.arg(c, i) for i in range(m.arity_of(c))])
            work += ["(", write_term(m, m.name_of(c), quoted=True)]
        else:
            found.append(write_term(m, c, quoted=True))
    return "".join(found)


def separated(items: list[int]) -> list[int | str]:
    """Cells with commas between them, the last one first."""
    found: list[int | str] = []
    for item in reversed(items):
        found += [item, ","]
    return found[:-1]

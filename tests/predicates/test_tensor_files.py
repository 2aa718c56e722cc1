"""The files that T-PRISM's trainer reads."""

import json
import struct

import numpy as np
import pytest

from prism_repl.predicates.tensor_formats import SCHEMA, encoded
from tests.support.programs import Program

GARDEN = """
index_atoms([i,j]).
tensor_atom(bee(_),[4]).
tensor_atom(map,[4,4],sparse).
visits(B) :- tensor(bee(B),[i]), operator(relu), tensor(map,[i,j]).
values(rain,[yes,no],[0.25,0.75]).
wet(B) :- msw(rain,yes), visits(B).
wet(_) :- msw(rain,no).
values(step(_),[on,stop]).
walk(a) :- msw(step(a),stop).
walk(X) :- next(X,Y), msw(step(X),on), walk(Y).
next(a,b). next(b,a).
twice(X) :- msw(step(X),stop).
twice(X) :- msw(step(X),on), twice(X), twice(X).
planted(apple,clay,3). planted(pear,loam,1.5). planted(apple,sand,0.25).
"""


@pytest.fixture
def garden(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Program(tmp_path, GARDEN)


def saved(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)


def test_parameters_are_exported(garden):
    garden.printed("save_expl_graph([wet(bob)])")
    paths = saved("expl.json")["goals"][-1]["paths"]
    assert [s["inside"] for path in paths for s in path["prob_switches"]] == [0.75, 0.25]
    shapes = saved("flags.json")["tensor_shape"]
    assert [(s["tensor_name"], s["shape"], s["type"]) for s in shapes] == [
        ("tensor(bee(bob))", [4], "no"),
        ("tensor(map)", [4, 4], "sparse"),
    ]


def test_counts_are_exported(garden):
    garden.printed("save_expl_graph([count(visits(bob),3),[visits(ann),visits(bob)]])")
    roots = saved("expl.json")["rootList"]
    assert [(root["count"], len(root["roots"])) for root in roots] == [(3, 1), (1, 2)]


def test_components_are_described(garden):
    garden.printed("set_prism_flag(error_on_cycle,off)")
    assert "max SCC size : 2\nmax order : 1\n" in garden.printed("save_expl_graph([walk(a)])")
    assert "max SCC size : 1\nmax order : 2\n" in garden.printed("save_expl_graph([twice(c)])")
    garden.printed("set_prism_flag(error_on_cycle,on)")
    assert garden.formal("save_expl_graph([walk(a)])") == "prism_runtime_error(cycle_detected)"


def test_a_file_that_cannot_be_written_is_an_error(garden):
    formal = garden.formal("save_expl_graph('no/g.json','f.json',[visits(bob)])")
    assert formal == "permission_error(open,source_sink,'no/g.json')"
    assert "[SAVE" not in garden.output


def test_no_numbers_are_registered(garden):
    garden.printed("save_expl_graph([visits(bob)])")
    assert garden.all("get_sw(switch(X,_,_,_))") == ["rain"]


def test_learn_message(garden):
    garden.printed("set_prism_flag(learn_message,none)")
    assert garden.printed("save_expl_graph([visits(bob)])").splitlines()[0] == "max SCC size : 1"


# ---- protocol buffers


def decoded(data, kind):
    """A message from its bytes, by the rules of the wire format."""
    fields = {number: (key, field) for key, (number, field) in SCHEMA[kind].items()}
    message, at = {}, 0

    def varint():
        nonlocal at
        number = shift = 0
        while True:
            byte = data[at]
            at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return number

    while at < len(data):
        tag = varint()
        key, field = fields[tag >> 3]
        name = field.rstrip("*")
        if tag & 7 == 5:
            value = struct.unpack("<f", data[at : at + 4])[0]
            at += 4
        elif tag & 7 == 2:
            size = varint()
            part, at = data[at : at + size], at + size
            if name == "int":  # packed; small numbers only
                message[key] = list(part)
                continue
            value = decoded(part, name) if name in SCHEMA else part.decode()
        else:
            value = varint()
        if field.endswith("*"):
            message.setdefault(key, []).append(value)
        else:
            message[key] = value
    return message


def bare(message):
    """A message without what protocol buffers leave out."""
    if isinstance(message, dict):
        return {key: bare(value) for key, value in message.items() if value not in (0, "", [], None)}
    return [bare(value) for value in message] if isinstance(message, list) else message


def test_bytes_say_what_json_says(garden):
    garden.printed("save_expl_graph('g.json','f.json',[wet(bob),visits(ann)])")
    printed = garden.printed("save_expl_graph('g.pb','f.pb',pb,pb,[wet(bob),visits(ann)])")
    assert printed.endswith("[SAVE:PB]g.pb\n[SAVE:PB]f.pb\n")
    for name, kind in (("g", "ExplGraph"), ("f", "Option")):
        with open(name + ".pb", "rb") as file:
            assert decoded(file.read(), kind) == bare(saved(name + ".json"))


def test_numbers_of_several_bytes():
    assert encoded({"id": 300, "sorted_id": 1}, "Root") == b"\x08\xac\x02\x10\x01"


def test_text_format(garden):
    garden.printed("save_placeholder_data('p.txt',pbtxt,[[a]],[[[1],['x y']]])")
    with open("p.txt", encoding="utf-8") as file:
        assert file.read() == (
            'goals {\n  placeholders {\n    name: "a"\n  }\n  records {\n    items: "1"\n  }\n'
            "  records {\n    items: \"'x y'\"\n  }\n}\n"
        )


# ---- placeholders and embeddings


def test_arrays_of_placeholders(garden):
    h5py = pytest.importorskip("h5py")
    query = "save_placeholder_goals({},[p(X,1),q(Y)],[p(5,1),p(6,2),q(7),p(8,1)]), (X,Y) = Z"
    assert garden.ask(query.format("'d.h5'"))[0]["X"] == "'$placeholder1$'"
    with h5py.File("d.h5") as file:
        assert file["0/data"][:].tolist() == [[5], [8]]
        assert file["0/data"].dtype == np.dtype("<i4")
        assert list(file["0/data"].attrs["placeholders"]) == ["$placeholder1$"]
        assert file["1/data"][:].tolist() == [[7]]
    garden.ask(query.format("d,npy"))
    assert np.load("d/placeholder_0.npy").tolist() == [[5], [8]]
    assert saved("d/placeholder.npy.json")[1] == {
        "filename": "placeholder_1.npy",
        "placeholders": ["$placeholder2$"],
    }
    assert garden.formal("save_placeholder_goals([p(_)],[p(a)])") == "type_error(integer,a)"


def test_a_variable_of_two_patterns_is_one_placeholder(garden):
    garden.ask("save_placeholder_goals('p.json',json,[p(X,Y),q(Y)],[p(1,2),q(3)])")
    goals = saved("p.json2_0")["goals"]
    assert [[p["name"] for p in goal["placeholders"]] for goal in goals] == [
        ["$placeholder1$", "$placeholder2$"],
        ["$placeholder2$"],
    ]


@pytest.mark.parametrize(
    ("call", "formal"),
    [
        ("save_placeholder_data(x,json,[[a]],foo)", "type_error(list,foo)"),
        ("save_placeholder_data(x,json,[[a]],[[1]])", "type_error(list,1)"),
        ("save_placeholder_data(x,json,[[a]],[[[1,2]]])", "domain_error(placeholder_data,[[1,2]])"),
        ("save_placeholder_data(x,json,[[a],[b]],[[[1]]])", "domain_error(placeholder_data,[[[1]]])"),
        ("save_placeholder_data(x,json,[[1]],[[[1]]])", "type_error(atom,1)"),
        ("save_placeholder_goals(x,json,_,[])", "instantiation_error"),
        ("set_index_range(i,x)", "type_error(integer,x)"),
        ("set_index_range(_,3)", "instantiation_error"),
        ("save_flags(f,json,[[a]])", "domain_error(tensor_shape,[a])"),
        ("save_expl_graph([[]])", "domain_error(observed_data,[[]])"),
        ("save_embedding_from_pattern([X],member(X,[]),t,e,npy)", "prism_runtime_error(no_solution)"),
        ("save_embedding_from_pattern([X],member(X,[_]),t,e,npy)", "instantiation_error"),
        ("save_embedding_from_pattern_with_value([X],X,member(X,[a]),t,e,npy)", "type_error(number,a)"),
    ],
)
def test_what_cannot_be_saved(garden, call, formal):
    assert garden.one(f"catch(({call},fail),error(E,_),true)", "E") == formal


def test_embeddings(garden):
    h5py = pytest.importorskip("h5py")
    printed = garden.printed("save_embedding_from_pattern([_T,_S],planted(_T,_S,_),tensor(fit),e)")
    assert printed.splitlines() == [
        "[[apple,pear],[clay,loam,sand]]",
        "[SAVE] e.h5",
        "[INFO] train",
        "[INFO] tensor(fit) -> tensor_fit_",
        "[SAVE] e.txt",
    ]
    with h5py.File("e.h5") as file:
        assert file["train/tensor_fit_"][:].tolist() == [[1, 0, 1], [0, 1, 0]]
    garden.printed("save_embedding_from_pattern_with_value([_T,_S],_V,planted(_T,_S,_V),tensor(fit),e,npy)")
    assert np.load("e.npy").tolist() == [[3, 0, 0.25], [0, 1.5, 0]]
    assert saved("e.npy.json") == {
        "filename": "e.npy", "group": "train", "name": "tensor_fit_", "shape": [2, 3]
    }  # fmt: skip
    with open("e.txt", encoding="utf-8") as file:
        assert file.read().splitlines()[:2] == ["axis\tindex\tlabel", "0\t0\tapple"]

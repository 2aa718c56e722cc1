"""T-PRISM's programs: tensors and operators as switches, and what a program may call its own."""

import pytest

from tests.support.programs import Program

BEES = """
tensor_atom(bee(_),[4]).
tensor_atom(map,[4,4]).
visits(B) :- tensor(bee(B),[i]), matrix(map,[i,j]).
"""


def outcomes(program, name):
    return program.all(f"get_values(tensor({name}),X)")


def test_symbols_are_those_of_the_text_in_order(tmp_path):
    text = BEES + "other(B) :- vector(bee(B),[a]), visits(B).\n"
    program = Program(tmp_path, text)
    assert outcomes(program, "bee(x)") == ["[[i],[j],[a]]"]
    assert outcomes(program, "map") == ["[[i,i],[i,j],[i,a],[j,i],[j,j],[j,a],[a,i],[a,j],[a,a]]"]


def test_declared_symbols(tmp_path):
    assert outcomes(Program(tmp_path, "index_atoms([k,i]).\n" + BEES), "bee(x)") == ["[[k],[i]]"]
    text = "index_atoms(Is) :- Is = [j,i].\n" + BEES
    assert outcomes(Program(tmp_path, text), "map") == ["[[j,j],[j,i],[i,j],[i,i]]"]


def test_shapes_may_be_computed(tmp_path):
    text = "dim(2).\ntensor_atom(m(N),S) :- dim(N), length(S,N).\ng(N) :- tensor(m(N),[i,j]).\n"
    program = Program(tmp_path, text)
    assert outcomes(program, "m(2)") == ["[[i,i],[i,j],[j,i],[j,j]]"]
    assert outcomes(program, "m(3)") == []
    assert "tensor(m(2),[i,j])" in program.printed("probf(g(2))")


def test_loading_again_changes_nothing(tmp_path):
    program = Program(tmp_path, "index_atoms([i,j]).\n" + BEES)
    program.printed(f"prism('{tmp_path}/program.psm')")
    assert outcomes(program, "bee(x)") == ["[[i],[j]]"]


def test_words_inside_control_constructs(tmp_path):
    text = BEES + "one(B) :- ( visits(B) ; operator(relu), tensor(bee(B),[i]) ).\n"
    program = Program(tmp_path, text)
    assert program.printed("probf(one(x))").splitlines()[:3] == [
        "one(x)",
        "   <=> visits(x)",
        "     v operator(relu) & tensor(bee(x),[i])",
    ]


def test_words_that_a_program_defines_are_its_own(tmp_path):
    text = """
        values(coin,[head,tail]).
        index(a,[[i],[j]]).
        matrix(X,Y) :- msw(coin,X), msw(coin,Y).
        operator(X) :- X = 1.
        g(X,Y) :- matrix(X,Y), operator(1), index(a,_).
    """
    program = Program(tmp_path, text)
    assert program.one("index(a,X)") == "[[i],[j]]"
    assert program.number("prob(g(head,_),P)") == 0.5
    assert "tensor" not in program.printed("probf(g(head,tail))")


def test_index_declares_outcomes_and_can_be_called(tmp_path):
    text = "index(v,[[i],[j]]).\ng :- tensor(v,[j]).\n"
    program = Program(tmp_path, text)
    assert outcomes(program, "v") == ["[[i],[j]]"]
    assert program.one("index(v,X)") == "[[i],[j]]"
    assert program.formal("save_expl_graph([g])") == "existence_error(tensor_atom,v)"


def test_subgoals_of_several_predicates(tmp_path):
    text = (
        BEES
        + """
        a(B) :- subgoal(visits(B),[k]).
        a(B) :- subgoal(plain,[k]), subgoal(visits(B),[j]).
        plain :- tensor(map,[i,j]).
    """
    )
    program = Program(tmp_path, text)
    lines = program.printed("probf(a(x))").splitlines()
    assert lines[1:3] == [
        "   <=> subgoal(visits(x),[k])",
        "     v subgoal(plain,[k]) & subgoal(visits(x),[j])",
    ]
    assert "   <=> operator(reindex([k])) & plain" in lines


def test_no_shape(tmp_path):
    program = Program(tmp_path, "tensor_atom(u,[2]).\ng :- tensor(v,[i]).\n")
    assert program.formal("probf(g)") == "existence_error(outcome,tensor(v))"


@pytest.mark.parametrize("shape", ["3", "[2|_]"])
def test_shapes_that_are_no_lists(tmp_path, shape):
    program = Program(tmp_path, "")
    (tmp_path / "bad.psm").write_text(f"tensor_atom(v,{shape}).\ng :- tensor(v,[i]).\n")
    assert "error" in str(program.ask(f"prism('{tmp_path}/bad.psm')"))
    assert "invalid shape of a tensor" in program.output


def test_a_tensor_of_too_many_index_lists(tmp_path):
    program = Program(tmp_path, "")
    symbols = ",".join(f"i{n}" for n in range(101))
    (tmp_path / "big.psm").write_text(
        f"index_atoms([{symbols}]).\ntensor_atom(v,[2,2,2]).\ng :- tensor(v,[i1]).\n"
    )
    assert "resource_error" in str(program.ask(f"prism('{tmp_path}/big.psm')"))

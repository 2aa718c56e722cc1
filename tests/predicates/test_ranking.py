"""rank/2,3,4."""

import math

from tests.support.programs import Program

COINS = """
values(coin(_),[head,tail]).
toss(C,X) :- msw(coin(C),X).
row(0).
row(N) :- N > 0, M is N-1, toss(a,head), row(M).
"""


def test_ranks_and_ties(tmp_path):
    program = Program(tmp_path, COINS)
    program.ask("set_sw(coin(a),[0.25,0.75]), set_sw(coin(b),[0.5,0.5])")
    goals = "[toss(b,tail),toss(a,head),toss(b,head),toss(a,tail),toss(b,tail)]"
    found = program.ask(f"rank({goals},R,P,O)")
    assert found == [
        {
            "R": "[toss(a,tail),toss(b,tail),toss(b,tail),toss(b,head),toss(a,head)]",
            "P": "[0.75,0.5,0.5,0.5,0.25]",
            "O": "[4,5,1,3,2]",
        }
    ]
    assert program.ask(f"rank({goals},[X|_])") == [{"X": "toss(a,tail)"}]


def test_probabilities_too_small_for_floats_are_told_apart(tmp_path):
    program = Program(tmp_path, COINS)
    assert program.one("rank([row(3000),row(2000),row(2500)],_,_,X)") == "[2,3,1]"


def test_no_flag_is_changed(tmp_path):
    program = Program(tmp_path, COINS)
    assert program.one("rank([toss(a,head)],_), get_prism_flag(clean_table,X)") == "on"
    assert program.formal("rank([toss(a,head),nothing],_)") == "type_error(probabilistic_atom,nothing)"
    assert program.one("get_prism_flag(clean_table,X)") == "on"


def test_logarithms(tmp_path):
    program = Program(tmp_path, COINS)
    program.ask("set_prism_flag(log_scale,on)")
    assert math.isclose(program.number("rank([toss(a,head)],_,[P])"), math.log(0.5))


def test_what_fails(tmp_path):
    program = Program(tmp_path, COINS)
    for goals in ("[]", "toss", "_", "[toss(a,edge)]", "[toss(a,head)|_]"):
        assert program.ask(f"rank({goals},_)") == []

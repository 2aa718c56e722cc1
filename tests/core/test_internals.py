"""What the machine is made of is out of a user's reach; sessions give back what they took, and take turns."""

import os
import subprocess
import sys
import threading

import pytest

from prism_repl import Session
from prism_repl.core import machine

HIDDEN = [
    "'$cut'(100000)", "'$erase'(123456789)", "'$body'(!,77777)", "'$get_b'(_)", "'$clause'(p(_),_,_)",
    "'$findall_end'(_,[])", "'$findall_add'(a)", "'$findall_begin'", "'$and'(true,!,99999)",
    "'$ite'(true,!,true,9999)", "'$retractall'(3)",
    "call('$cut',5)", "G = '$cut'(12), G", "findall(X,'$erase'(X),_)",
]  # fmt: skip


@pytest.fixture(scope="module")
def session():
    return Session(output=lambda text: None)


@pytest.mark.parametrize("goal", HIDDEN)
def test_internal_predicates_cannot_be_called(session, goal):
    answer = next(session.ask(goal))
    assert answer.status == "error"
    assert "Undefined procedure" in answer.message
    assert session.once("findall(X,member(X,[1,2]),L)")["L"] == [1, 2]


@pytest.mark.parametrize(
    "goal",
    [
        "X = '$bigarray'(1000000000,a), bigarray_put(X,999999999,z)",
        "X = '$bigarray'(1000000000,a), bigarray_get(X,999999999,_)",
        "bigarray_get('$bigarray'(a),1,_)",
        "bigarray_to_list('$bigarray'(_,a),_)",
        "hashtable_get('$hashtable'(a),1,_)",
        "hashtable_put('$hashtable'(table(0,buckets)),1,2)",
        "hashtable_put('$hashtable'(table(0,buckets([x]))),1,2)",
        "hashtable_to_list('$hashtable'(table(1,buckets([f(x)]))),_)",
        "close('$stream'(a))",
        "close('$stream'(12345))",
    ],
)
def test_internal_terms_are_checked(session, goal):
    answer = next(session.ask(goal))
    assert answer.status == "error"
    assert "system_error" not in answer.message
    assert session.once("X = 1")["X"] == 1


@pytest.mark.parametrize("goal", ["(fail|true)", "call((fail|true))", "G = (fail|true), G"])
def test_a_bar_is_a_disjunction(session, goal):
    assert next(session.ask(goal)).status == "yes"


CUTS = r"""
p1 :- \+ (!, fail).
p2 :- ( !, fail -> true ; true ).
p3 :- ( !, true -> fail ; true ).
p3.
p4 :- \+ (!, fail), fail.
p4.
p5 :- ( ( true ; true ), !, fail -> true ; true ).
p6(X) :- ( member(X,[1,2,3]), ! ; X = 4 ).
p6(5).
p7(X) :- once((member(X,[1,2,3]),!)).
p7(9).
p8(X) :- ( member(X,[1,2]), ! *-> true ; X = 3 ).
p8(9).
p9(X) :- ( member(X,[1,2]), X > 1, ! -> true ; X = none ).
p10(X) :- ( fail, ! -> X = 1 ; X = 2 ).
p10(3).
p11(X) :- ( true -> member(X,[1,2]), ! ; true ).
p11(3).
"""


def test_cuts_in_conditions_are_local(tmp_path):
    path = tmp_path / "cuts.pl"
    path.write_text(CUTS)
    session = Session(output=lambda text: None)
    session.consult(path)
    for goal in ("p1", "p2", "p3", "p4", "p5"):
        assert next(session.ask(goal)).status == "yes", goal
        assert session.once(f"clause({goal},B), call(B)") or goal in ("p3", "p4"), goal
    for goal, expected in (
        ("p6", [1]), ("p7", [1, 9]), ("p8", [1, 9]), ("p9", [2]), ("p10", [2, 3]), ("p11", [1]),
    ):  # fmt: skip
        assert session.once(f"findall(X,{goal}(X),L)")["L"] == expected, goal
    for goal, expected in (("p6", [1]), ("p8", [1]), ("p9", [2]), ("p10", [2]), ("p11", [1])):
        called = f"once(clause({goal}(X),B)), findall(X,call(B),L)"
        assert session.once(called)["L"] == expected, goal


def test_threads_take_turns(session):
    wrong = []

    def work(k):
        for _ in range(50):
            answer = session.once(f"findall(X,between(1,{500 + k},X),L), length(L,N)")
            if answer["N"] != 500 + k:
                wrong.append(answer)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong
    assert session.once("X = alive")["X"] == "alive"


@pytest.mark.unchecked  # what is freed stays with the sanitizers for a while
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs /proc")
def test_sessions_give_back_their_memory():
    program = (
        "import re\nfrom prism_repl import Session\n"
        "def make(n):\n"
        "    for _ in range(n):\n"
        "        s = Session(output=lambda text: None)\n"
        "        s.once('numlist(1,1000,L), findall(X,member(X,L),_), assertz(p(L)), p(_)')\n"
        # (the figure of getrusage begins with what the parent had)
        "def peak(): return int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
        "make(20); before = peak(); make(60); print((peak() - before) / 60)\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert float(found.stdout) < 100, "kilobytes for each session"


@pytest.mark.skipif(
    machine.__file__.endswith(".py"), reason="objects of uncompiled classes take any attribute"
)
def test_a_machine_takes_only_the_attributes_that_it_declares():
    session = Session()
    assert session.machine.session is session
    with pytest.raises(AttributeError):
        session.machine.sesion = session

"""Sessions on the real machine: answers, errors, values, independence."""

import re
import threading

import pytest

from prism_repl import Answer, Atom, PrismError, PrismTimeout, Session, Struct, Var
from prism_repl.answers import answer_text
from prism_repl.core.errors import resource_error
from prism_repl.prolog.writer import write_term
from prism_repl.repl.console import record


@pytest.fixture
def output():
    return []


@pytest.fixture
def session(output):
    return Session(output.append)


def printed(session, query, alternatives=0):
    return record(session, query, alternatives)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("true.", "\nyes\n"),
        ("fail.", "no\n"),
        ("X = 1.", "X = 1\nyes\n"),
        ("X = 1", "X = 1\nyes\n"),
        ("X = Y.", "X = Y\nyes\n"),
        ("X = f(Y,Z,Y).", "X = f(Y,Z,Y)\nyes\n"),
        ("X = f(X).", "X = f(...)\nyes\n"),
        ("bagof(X,Y,L).", "*** error(instantiation_error,bagof/3)\n"),
        ("retract(X).", "*** error(instantiation_error,retract/1)\n"),
        ("X = _.", "\nyes\n"),
        ("X = _Y.", "X = _Y\nyes\n"),
        ("_X = 1.", "\nyes\n"),
        ("X = (a:-b).", "X = (a:-b)\nyes\n"),
        ("X = 'A b'.", "X = 'A b'\nyes\n"),
        ("X is 1/3.", "X = 0.333333\nyes\n"),
        ("(X = 1 ; X = 2).", "X = 1 ?\nyes\n"),
        ("(true ; true).", "\nyes\n"),
        ("write(a).", "a\nyes\n"),
        ("write(a), fail.", "ano\n"),
        ("X = 1, write(one).", "oneX = 1\nyes\n"),
        ("throw(my).", "*** my\n"),
        ("foo(1).", "***  Undefined procedure: foo/1\n"),
        ("atom_length(X,Y).", "*** error(instantiation_error,atom_length/2)\n"),
        (
            "X = ",
            "** Syntax error (user_input, 1-1)\nX = <<HERE>>.\n"
            "% the end of the clause where a term was expected\n\n\n*** error(syntax_error(read),read/1)\n",
        ),
        ("", ""),
        ("% nothing", ""),
    ],
)
def test_printed(session, query, expected):
    assert printed(session, query) == expected


def test_alternatives(session):
    assert printed(session, "(X = 1 ; X = 2).", 1) == "X = 1 ?;\nX = 2\nyes\n"
    assert printed(session, "(X = 1 ; Y = 2).", 1) == "X = 1 ?;\nY = 2\nyes\n"


def test_values(session):
    (answer,) = session.ask("X = f(a,1,2.5,[b,c],Y,Y), Z = [1|Y]")
    y = answer["Y"]
    assert isinstance(y, Var)
    assert answer["X"] == Struct("f", Atom("a"), 1, 2.5, ["b", "c"], y, y)
    assert answer["Z"] == Struct(".", 1, y)
    with pytest.raises(KeyError):
        answer["None"]


def test_values_outlive_the_query(session):
    first, second = session.ask("(X = f(1) ; X = g(2))")
    session.once("true")
    assert first["X"] == Struct("f", 1)
    assert second["X"] == Struct("g", 2)


def test_terms_as_queries(session):
    x = Var("X")
    (answer,) = session.ask(Struct("=", x, Struct("f", "it's", [1, 2.0], "A b")))
    assert answer["X"] == Struct("f", "it's", [1, 2.0], "A b")
    assert answer.bindings == (("X", "f('it\\'s',[1,2.0],'A b')"),)


def test_deep_values(session):
    (answer,) = session.ask("numlist(1,100000,L)")
    assert answer["L"] == list(range(1, 100001))


def test_errors_are_answers(session):
    (answer,) = session.ask("atom_length(X,_)")
    assert answer.status == "error"
    assert answer.error == Struct("error", "instantiation_error", Struct("/", "atom_length", 2))
    (answer,) = session.ask("X = (a")
    assert answer.place == (1, 7)


def test_once(session):
    assert session.once("X = 1")["X"] == 1
    assert not session.once("fail")
    with pytest.raises(PrismError) as caught:
        session.once("throw(ball(1))")
    assert caught.value.term == Struct("ball", 1)


def test_next_query_ends_the_last_one(session):
    answers = session.ask("(X = 1 ; X = 2)")
    next(answers)
    session.once("true")
    with pytest.raises(RuntimeError, match="ended by another one"):
        next(answers)
    assert session.once("X = 3")["X"] == 3


def test_sessions_are_independent():
    one, two = Session([].append), Session([].append)
    one.once("assertz(fact(1))")
    two.once("assertz(fact(2))")
    answers = one.ask("fact(X)")
    assert next(answers)["X"] == 1
    assert two.once("fact(X)")["X"] == 2


def test_memory_is_given_back(session):
    session.once("true")
    top = session.machine.heap.H
    for _ in range(50):
        for answer in session.ask("numlist(1,1000,L)"):
            assert len(answer["L"]) == 1000
        list(session.ask("atom_length(X,_)"))
        list(session.ask("X = (a"))
    assert top == session.machine.heap.H


def test_program_output_and_input():
    written, errors = [], []
    lines = ["foo(bar).\n"]
    session = Session(written.append, errors.append, lambda: lines.pop() if lines else "")
    assert session.once("read(X)")["X"] == Struct("foo", "bar")
    session.once("write(user_error,oops), write(ok)")
    assert ("".join(written), "".join(errors)) == ("ok", "oops")


def test_interrupt(session):
    session.once("assertz((loop :- loop))")
    session.machine.interrupts.interrupted = True
    with pytest.raises(KeyboardInterrupt, match=r"interrupted in loop/0"):
        session.once("loop")
    session.machine.interrupts.interrupted = True
    (answer,) = session.answers("loop")
    assert answer.error == "interrupted"
    assert session.once("X = 1")["X"] == 1


def test_a_time_limit(session):
    session.once("assertz((loop :- loop))")
    with pytest.raises(PrismTimeout, match=r"time limit of 0\.05 s exceeded"):
        session.once("loop", timeout=0.05)
    with pytest.raises(TimeoutError):
        session.once("loop", timeout=0.0)
    answers = list(session.ask("member(X,[1,2]), (X = 1 ; loop)", timeout=0.05))
    assert [answer.status for answer in answers] == ["yes", "error"]
    assert answers[1].timed_out
    assert session.once("X = 1", timeout=60)


def test_other_threads_run_during_a_query(session):
    """The loop of a thread ends the query, which has no end of its own."""
    session.once("assertz((loop :- loop))")
    steps = []

    def work():
        for i in range(100):
            steps.append(i)
        session.machine.interrupts.interrupted = True

    thread = threading.Thread(target=work)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        session.once("loop", timeout=60)
    thread.join()
    assert len(steps) == 100


def test_consult(session, tmp_path, output):
    file = tmp_path / "p.pl"
    file.write_text("p(1).\np(2).\n:- write(hello), nl.\n")
    assert session.consult(file)
    assert "hello\n" in "".join(output)
    assert [a["X"] for a in session.ask("p(X)") if a] == [1, 2]
    with pytest.raises(PrismError):
        session.consult(tmp_path / "none.pl")


def test_text_of_an_answer(session):
    (answer,) = session.ask("X = [1]")
    assert str(answer) == answer_text(answer) == "X = [1]\nyes\n"
    assert answer == Answer("yes", (("X", "[1]"),))


def test_a_cyclic_value_has_no_python_value(session):
    answer = session.once("X = f(X), Y = g(1)")
    assert answer["Y"] == Struct("g", 1)
    with pytest.raises(ValueError, match="X is cyclic"):
        answer["X"]


def test_a_value_that_does_not_fit_into_memory_twice(session, monkeypatch):
    """Its place in the answer says so; nothing else is asked of the term, as there is no memory."""

    class Full:
        """The machine, without memory for a copy of what is big."""

        def __init__(self, machine):
            self.machine = machine

        def __getattr__(self, name):
            return getattr(self.machine, name)

        def freeze(self, cell):
            if "big" in write_term(self.machine, cell):
                raise resource_error("memory")
            return self.machine.freeze(cell)

        def is_acyclic(self, cell):
            raise MemoryError

    machine = session.machine
    monkeypatch.setattr(session, "machine", Full(machine))
    value_of = session.frozen_values(["X", "Y"], [machine.atom("small"), machine.atom("big")])
    monkeypatch.undo()
    assert value_of("X") == Atom("small")
    with pytest.raises(ValueError, match="Y is too large"):
        value_of("Y")


def test_an_error_with_a_cyclic_culprit(session):
    assert printed(session, "X = f(X), atom_length(X,N).").startswith("*** error(type_error(")


def coin_session(tmp_path, output=None):
    path = tmp_path / "coin.psm"
    path.write_text("values(coin,[head,tail]).\ntoss(X) :- msw(coin,X).\n", encoding="utf-8")
    s = Session(output or [].append)
    s.prism(path)
    return s


def test_learn_tells_its_progress(tmp_path):
    s = coin_session(tmp_path)
    s.once("set_prism_flag(restart,2)")
    told = []
    statistics = s.learn({"toss(head)": 3, "toss(tail)": 1}, progress=told.append)
    assert {p.run for p in told} == {0, 1}
    assert all(p.runs == 2 for p in told)
    ends = [p for p in told if p.converged is not None]
    assert len(ends) == 2
    assert all(p.converged for p in ends)
    assert max(p.objective for p in ends) == pytest.approx(statistics["log_likelihood"])
    told.clear()
    s.learn(["toss(head)"])
    assert told == []


def test_progress_may_end_learning(tmp_path):
    s = coin_session(tmp_path)
    s.set_switch("coin", [0.5, 0.5])

    def stop(progress):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        s.learn(["toss(head)"], progress=stop)
    assert list(s.switch("coin").parameters) == [0.5, 0.5]


def test_interrupt_in_learning_ends_its_line(tmp_path):
    output = []
    s = coin_session(tmp_path, output.append)
    s.set_switch("coin", [0.5, 0.5])

    def stop(progress):
        raise KeyboardInterrupt

    output.clear()
    with pytest.raises(KeyboardInterrupt, match=r"error\(prism_runtime_error\(ctrl_c_pressed\),learn/1\)"):
        s.learn(["toss(head)"], progress=stop)
    assert re.fullmatch(r"#goals: 0\(1\)\n.*\n#em-iters: \(Interrupted\)\n.* dropped\.\n", "".join(output))
    assert list(s.switch("coin").parameters) == [0.5, 0.5]
    assert s.once("true")

"""The Python face: objects, flags, tables, sentences, terms."""

import gc
import pickle
import signal
import threading
from fractions import Fraction

import numpy as np
import pytest

from prism_repl import PrismError, PrismTimeout, Session, Struct, Var
from tests.test_examples import EXAMPLES

GOAL = "days([walk,shop,clean])"


@pytest.fixture
def session():
    s = Session(lambda text: None)
    s.prism(EXAMPLES / "hmm.psm")
    return s


def test_viterbi(session):
    best = session.viterbi(GOAL)
    assert best.probability == pytest.approx(0.01344)
    assert (
        best.switches[:2] == [("first", "sunny"), (Struct("act", "sunny"), "walk")] or len(best.switches) == 6
    )
    assert set(map(str, best.goals)) >= {GOAL}
    assert best.tree.label == GOAL
    assert "first = sunny" in str(best)
    assert session.viterbi("days([swim])") is None
    first, second = session.n_viterbi(GOAL, 2)
    assert first == best
    assert second.probability < first.probability


def test_pictures_in_notebooks(session):
    pytest.importorskip("svgling", reason="SKIPPED: svgling is not installed (extra `pictures`)")
    assert session.viterbi(GOAL)._repr_svg_().startswith("<svg")


def test_hindsight(session):
    found = session.hindsight(GOAL, "day(_,[clean])")
    assert {str(goal): round(p, 6) for goal, p in found.items()} == {
        "day(rainy,[clean])": 0.863977,
        "day(sunny,[clean])": 0.136023,
    }
    joint = session.hindsight(GOAL, "day(_,[clean])", conditional=False)
    assert sum(joint.values()) == pytest.approx(session.prob(GOAL))


def test_graph(session):
    graph = session.graph(GOAL)
    assert graph.nodes[0].goal == GOAL
    assert graph.nodes[0].probability == pytest.approx(session.prob(GOAL))
    assert sum(node.best for node in graph.nodes) == 4
    assert str(graph).startswith("● days(")
    assert session.graph("days([swim])") is None
    with pytest.raises(PrismError, match=r"deys\(1\) is not a goal of the program"):
        session.graph("deys(1)")


def test_flags(session):
    flags = session.flags
    assert flags.log_scale is False
    flags.log_scale = True
    assert session.once("get_prism_flag(log_scale,on)")
    flags.restart, flags.epsilon, flags.learn_mode = 3, 0.5, "vb"
    assert (flags.restart, flags.epsilon, flags.learn_mode) == (3, 0.5, "vb")
    flags.default_sw_a = "uniform(2)"
    assert "learn_mode" in dir(flags)
    with pytest.raises(AttributeError, match="there is no flag lern_mode; perhaps learn_mode"):
        flags.lern_mode = "ml"
    with pytest.raises(AttributeError, match="there is no flag nosuch"):
        _ = flags.nosuch
    with pytest.raises(PrismError):
        flags.restart = 0


def test_statistics(session):
    statistics = session.learn([GOAL, "days([walk])"])
    assert statistics.log_likelihood < 0
    assert statistics["log_likelihood"] == statistics.log_likelihood
    assert statistics.free_energy is None
    assert "free_energy" not in statistics
    assert dict(statistics)["num_switches"] == 5


PERSONS = [{"type": "a"}, {"type": "a"}, {"type": "o"}]


def test_tables():
    s = Session(lambda text: None)
    s.prism(EXAMPLES / "blood.psm")
    assert s.learn(PERSONS, "bloodtype({type})")["log_likelihood"] < 0
    rows = s.once("learn_statistics(goal_counts,L)")["L"]
    assert [(str(row[0]), row[1]) for row in rows] == [("bloodtype(a)", 2), ("bloodtype(o)", 1)]
    s.learn({"type": ["a", None]}, "bloodtype({type})")
    pandas = pytest.importorskip("pandas", reason="SKIPPED: pandas is not installed")
    s.learn(pandas.DataFrame(PERSONS), "bloodtype({type})")
    frame = pandas.DataFrame({"n": [1, 2]})
    assert s.goals_of(frame, "p({n},x)") == [Struct("p", 1, "x"), Struct("p", 2, "x")]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("prob(deys([walk]))", "deys([walk]) is not a goal of the program that has a probability, in prob/1"),
        ("atom_length(X,Y)", "atom_length(X,Y): an argument is not bound, in atom_length/2"),
        ("nosuch(1)", "nosuch(1): there is no predicate nosuch/1"),
        ("X is foo+1", "foo/0 is not an evaluable"),
        ("X is 1/0", "arithmetic: zero divisor"),
        ("throw(my)", "throw(my): my"),
        ("atom_length(f(x),N)", "f(x) is not"),
    ],
)
def test_errors_are_sentences(session, query, text):
    with pytest.raises(PrismError) as caught:
        session.once(query)
    assert text in str(caught.value)


def test_terms_print_and_pickle():
    term = Struct("f", "a b", [1, 2.5], Struct("-", Var("X"), "b"))
    assert str(term) == "f('a b',[1,2.5],X-b)"
    copied = pickle.loads(pickle.dumps(Struct("f", [1, [2]], "x")))
    assert copied == Struct("f", [1, [2]], "x")
    assert hash(copied) == hash(Struct("f", [1, [2]], "x"))


def test_deep_terms_are_compared_and_hashed():
    def deep(end, n=100_000):
        for _ in range(n):
            end = Struct("f", [end])
        return end

    one, other = deep("a"), deep("a")
    assert one == other
    assert hash(one) == hash(other)
    assert one != deep("b")
    assert one != deep("a", 99_999)
    assert hash(Struct("f", (1, [2]))) == hash(Struct("f", (1, [2])))
    assert Struct("f", [1]) != Struct("f", (1,))
    assert Struct("f", 1) == Struct("f", 1.0)
    assert Struct("f", Struct("g")) != Struct("f", "g")
    assert Struct("", "a") == Struct("", "a")
    shared = Struct("g", 1)
    for _ in range(1000):  # a tree of 2**1000 nodes
        shared = Struct("g", shared, shared)
    assert hash(shared) == hash(Struct("g", *shared.args))
    assert shared == Struct("g", *shared.args)


def test_deep_rows_and_counts(session):
    rows = "a"
    for _ in range(100_000):
        rows = [rows]
    for learn in (
        lambda: session.learn({"any(tea)": rows}),
        lambda: session.learn([{"x": rows}], "any({x})"),
        lambda: session.learn([("any(tea)", rows)]),
    ):
        with pytest.raises(PrismError):
            learn()


def test_names_deep_in_a_goal_for_rows(session):
    """The rows of goals come from a text that may be nested as deep as one likes."""
    goal = "p(" + "f(" * 3000 + "[{x}]" + ")" * 3001
    (found,) = session.goals_of([{"x": 1}], goal)
    (right,) = session.goals_of([{}], goal.replace("{x}", "1"))
    assert found == right


def test_a_text_is_no_table(session):
    for use in (lambda: session.goals_of("data.csv", "p(a)"), lambda: session.learn("data.csv", "any({x})")):
        with pytest.raises(ValueError, match="a text is no table"):
            use()


def test_arrays_in_goals(session):
    answer = session.once(Struct("=", Var("X"), Struct("p", np.array([[1, 2], [3, 4]]), np.float64(0.5))))
    assert answer["X"] == Struct("p", [[1, 2], [3, 4]], 0.5)


def test_the_package_is_typed():
    from importlib.resources import files

    assert (files("prism_repl") / "py.typed").is_file()


def test_solutions_are_the_answers_that_hold(session):
    assert [answer["X"] for answer in session.solutions("member(X,[1,2])")] == [1, 2]
    assert list(session.solutions("fail")) == []
    with pytest.raises(PrismError, match="there is no predicate nosuch/1"):
        list(session.solutions("nosuch(1)"))


def test_answers_as_tables(session):
    found = session.all("member(X,[1,b]), Y = X")
    assert str(found) == "X  Y\n─  ─\n1  1\nb  b"
    assert "<td" in found._repr_html_()
    assert found.complete
    assert found[0]["X"] == 1
    first = session.all("between(1,9,X)", limit=2)
    assert len(first) == 2
    assert not first.complete
    assert (str(session.all("true")), str(session.all("fail"))) == ("yes", "no")
    pytest.importorskip("pandas", reason="SKIPPED: pandas is not installed")
    assert found.frame()["X"].tolist() == [1, "b"]
    assert session.all("between(1,3,X)").frame()["X"].sum() == 6
    assert session.all("fail").frame().empty
    session.once("prob(days([walk]))")
    frame = session.switch_frame("act(_)")
    assert frame["probability"].sum() == pytest.approx(2.0)
    assert set(frame["switch"]) == {"act(sunny)", "act(rainy)"}


def test_a_long_value_opens_in_a_table(session):
    assert "<details>" in session.all("findall(X,between(1,500,X),L)").html()


def test_programs_from_texts(session, tmp_path, monkeypatch):
    session.program("values(coin,[head,tail]).\ntoss(X) :- msw(coin,X).", "coins")
    assert session.prob("toss(head)") == 0.5
    session.program("values(coin,[head,tail]).\nflip(X) :- msw(coin,X).", "coins")
    with pytest.raises(PrismError, match="there is no predicate toss/1"):
        session.once("toss(X)")
    monkeypatch.chdir(tmp_path)
    session.once("make")  # there is no file to load again


def test_errors_in_programs_name_line_and_column():
    texts = []
    session = Session(texts.append)
    with pytest.warns(UserWarning, match="named: 1 error"):
        session.program("a(1).\nb(2) c.\n", "named")
    assert "% named:2:6: an operator was expected" in "".join(texts)


def test_syntax_errors_are_one_sentence(session):
    with pytest.raises(PrismError) as caught:
        session.once("f(a b)")
    assert str(caught.value) == "f(a b): syntax error in line 1, column 5: an operator was expected"


def test_rows_that_do_not_fit(session):
    with pytest.raises(ValueError, match="there is no column typ; there are type"):
        session.goals_of([{"type": "a"}], "bloodtype({typ})")
    with pytest.raises(ValueError, match="within quotes"):
        session.goals_of([{"type": "a"}], "bloodtype('{type}')")


def test_output_may_be_redirected(capsys):
    import contextlib
    import io

    session = Session()
    kept = io.StringIO()
    with contextlib.redirect_stdout(kept):
        session.once("write(hello)")
    assert kept.getvalue() == "hello"


def test_how_answers_print(session):
    assert repr(session.once("X = f(Y), Z = 1")) == "<Answer X = f(Y), Z = 1>"
    assert repr(session.once("true")) == "<Answer yes>"
    assert repr(session.once("fail")) == "<Answer no>"


def test_how_results_print(session):
    best = session.viterbi("days([walk])")
    assert repr(best) == "<Viterbi 0.24: first = sunny, act(sunny) = walk>"
    assert repr(best.tree) == "<Tree days([walk]), 4 nodes>"
    assert repr(session.graph("days([walk])")) == "<Graph of days([walk]), 3 goals>"
    assert "None" not in repr(session.learn(["days([walk])"]))
    assert repr(session) == "<Session hmm.psm>"
    assert repr(Session()) == "<Session without a program>"
    assert "viterbi" in dir(session)
    assert "machine" not in dir(session)


def test_ipython_draws_results(session):
    pretty = pytest.importorskip("IPython.lib.pretty", reason="SKIPPED: IPython is not installed").pretty
    best = session.viterbi("days([walk])")
    assert pretty(best.tree) == str(best.tree).rstrip("\n")
    assert pretty(best) == str(best).rstrip("\n")
    assert pretty([best]) == f"[{best!r}]"
    graph = session.graph("days([walk])")
    assert pretty(graph) == str(graph).rstrip("\n")


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda s: s.prob("deys([walk])"), "prob deys([walk]): deys([walk]) is not a goal of the program"),
        (lambda s: s.viterbi("deys(1)"), "n_viterbif(1,deys(1)): deys(1) is not a goal of the program"),
        (lambda s: s.switch("nosuch"), "get_sw(nosuch): there is no switch nosuch"),
        (lambda s: s.consult("nosuch.pl"), "consult('nosuch.pl'): there is no file nosuch.pl"),
        (lambda s: s.learn(["days([swim])"]), "no explanations -- days([swim])"),
        (lambda s: s.learn([1]), "1 is not a goal, in learn/1"),
        (lambda s: s.set_switch("first", [0.5, 0.6]), "[0.5,0.6] is not a valid distribution"),
        (lambda s: setattr(s.flags, "restart", 0), "0 is not a value of the flag restart"),
    ],
)
def test_errors_name_what_was_asked(session, call, text):
    with pytest.raises(PrismError) as caught:
        call(session)
    assert text in str(caught.value)


@pytest.mark.parametrize("seconds", ["1", [1], {}, float("nan")])
def test_a_time_limit_is_a_number(session, seconds):
    with pytest.raises((TypeError, ValueError), match="a time limit is a number of seconds"):
        session.once("true", timeout=seconds)
    assert session.once("X = 1", timeout=10**40)["X"] == 1
    assert session.once("X = 1", timeout=float("inf"))["X"] == 1


def test_a_list_that_contains_itself_is_no_term(session):
    endless: list = ["a"]
    endless.append([endless])
    with pytest.raises(TypeError, match="a list that contains itself"):
        session.prob(Struct("p", endless))
    shared = ["a"]
    assert session.once(Struct("=", Var("X"), [shared, shared]))["X"] == [["a"], ["a"]]


@pytest.mark.parametrize("text", [3, None, b"f(x)", ["a"]])
def test_a_term_is_read_from_a_text(session, text):
    with pytest.raises(TypeError, match=r"term\(text\) reads a str"):
        session.term(text)


@pytest.mark.parametrize(("text", "name"), [(3, "name"), (Struct("p", "x"), "name"), ("p.", Var("X"))])
def test_a_program_is_a_text(session, text, name):
    with pytest.raises(TypeError, match="a program is loaded from a str"):
        session.program(text, name)


@pytest.mark.parametrize("arguments", ["X,Y", "f(a),b", "a,1.5", "99999999,[]", '[x|_],"text"'])
def test_an_internal_predicate_does_not_read_what_is_no_atom(session, arguments):
    answer = next(session.ask(f"'$load_text'({arguments})"))
    assert answer.status == "error"
    assert session.once("X = 1")["X"] == 1


def test_wrong_uses(session):
    with pytest.raises(ValueError, match=r"one query at a time: there are others after X = 1\."):
        session.once("X = 1. Y = 2.")
    with pytest.raises(TypeError, match="no Prolog term for a dict"):
        session.once(Struct("f", {}))
    with pytest.raises(KeyError, match="the query has no answer"):
        session.once("fail")["X"]
    with pytest.raises(KeyError, match="Y is no variable of the query; there are X"):
        session.once("X = 1")["Y"]
    assert session.once("X = 1")["X"] == 1


def test_one_goal_is_learned_as_it_is(session):
    assert session.learn("days([walk])").num_switches == session.learn(["days([walk])"]).num_switches
    assert session.learn(Struct("days", ["walk"])).log_likelihood <= 0
    assert type(session.flags.learn_mode) is str


def test_other_threads_run_during_a_query(session):
    """A query that no one else would end: a thread of Python ends it."""
    stopper = threading.Timer(0.05, lambda: setattr(session.machine.interrupts, "interrupted", True))
    stopper.start()
    with pytest.raises(KeyboardInterrupt):
        session.once("repeat, fail")
    answers = []
    threads = [
        threading.Thread(target=lambda i=i: answers.append(session.once(f"X is {i}*2")["X"]))
        for i in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [2 * i for i in range(8)]


def test_the_logarithm_of_zero(session):
    session.set_switch("act(sunny)", [1.0, 0.0, 0.0])
    session.set_switch("act(rainy)", [1.0, 0.0, 0.0])
    assert session.prob("days([shop])") == 0.0
    assert session.log_prob("days([shop])") == -np.inf
    assert session.log_prob("days([swim])") == -np.inf


def test_a_time_limit(session):
    with pytest.raises(TimeoutError, match=r"it took longer than 0\.05 s"):
        session.once("repeat, fail", timeout=0.05)
    with pytest.raises(TimeoutError):
        list(session.solutions("member(X,[1]), repeat, fail", timeout=0.05))
    assert session.once("true")


def test_sessions_are_not_copied(session):
    with pytest.raises(TypeError, match="cannot be copied or pickled"):
        pickle.dumps(session)
    with pytest.raises(TypeError, match="output must be a function"):
        Session(5)
    with Session(lambda text: None) as inner:
        assert inner.once("true")


def test_programs_with_errors_are_warned_about(session):
    with pytest.warns(UserWarning, match="coins: 1 error"):
        session.program("values(c,[h,t]). f(X :- msw(c,X). g(X) :- msw(c,X).", "coins")
    assert session.prob("g(h)") == 0.5


def test_goals_with_counts(session):
    learned = session.learn([(GOAL, np.int64(3)), ("days([walk])", 2)])
    assert session.statistics == learned
    assert session.once("get_goal_counts(L)")["L"] == [
        [session.term("days([walk])"), 2, 40.0],
        [session.term(GOAL), 3, 60.0],
    ]
    with pytest.raises(TypeError, match="a goal is a text or a term, not 2"):
        session.n_viterbi(2, GOAL)
    with pytest.raises(TypeError, match="a goal is a text or a term, not 2"):
        session.viterbi(2)
    with pytest.raises(TypeError, match="n must be an integer"):
        session.n_viterbi(GOAL, "two")


def test_parameters_by_outcome(session):
    session.set_switch("first", {"rainy": 0.9, "sunny": 0.1})
    assert session.switch("first").parameters.tolist() == [0.1, 0.9]
    with pytest.raises(ValueError, match="the outcomes of first are sunny, rainy"):
        session.set_switch("first", {"rainy": 1.0})


def test_data_frames(session):
    pandas = pytest.importorskip("pandas", reason="SKIPPED: pandas is not installed (extra `jupyter`)")
    session.program("values(die,[1-6]). throw(P,N) :- msw(die,N), P = P.")
    frame = pandas.DataFrame({"who": ["ann", "bob", None], "eyes": [3, None, 4], "times": [2, 1, 5]})
    goals = session.goals_of(frame, "throw({who},{eyes})")
    assert list(map(str, goals)) == ["throw(ann,3)", "throw(bob,_)", "throw(_,4)"]  # 3, not 3.0
    session.learn(frame, "count(throw(x,{eyes}),{times})")
    assert session.once("get_goal_counts(L)")["L"][0][1:] == [1, 12.5]
    with pytest.raises(TypeError, match="say which goal a row is"):
        session.learn(frame)


def test_answers_and_errors_pickle(session):
    answer = pickle.loads(pickle.dumps(session.once("X = f(Y,[1,a]), Z = 2.5")))
    assert (str(answer["X"]), answer["Z"]) == ("f(Y,[1,a])", 2.5)
    with pytest.raises(KeyError):
        answer["W"]
    assert [a["X"] for a in pickle.loads(pickle.dumps(session.all("member(X,[1,2])")))] == [1, 2]
    with pytest.raises(PrismError) as caught:
        session.once("foo(1)")
    error = pickle.loads(pickle.dumps(caught.value))
    assert (str(error), error.term) == (str(caught.value), caught.value.term)
    with pytest.raises(PrismTimeout) as late:
        session.once("repeat, fail", timeout=0.05)
    assert isinstance(pickle.loads(pickle.dumps(late.value)), TimeoutError)


USES = {
    "ask": lambda session: list(session.ask("X = f(Y), atom_length(abc,Z)")),
    "next answer": lambda session: next(session.solutions("member(X,[1,2,3])")),
    "close": lambda session: session.close(),
    "term": lambda session: session.term("f(X,[1,2,3])"),
    "program": lambda session: session.program("a(1)."),
    "prob": lambda session: session.prob(GOAL),
    "tables": lambda session: session.once("initialize_table"),
    "set_switch": lambda session: session.set_switch("first", "uniform"),
    "flags": lambda session: setattr(session.flags, "log_scale", "on"),
}


@pytest.mark.parametrize("use", USES)
def test_what_a_query_calls_cannot_use_the_session_that_runs_it(session, use):
    """The query went on in a machine that had forgotten it: wrong answers, endless loops."""
    complaints = []

    def output(text):
        try:
            USES[use](session)
        except RuntimeError as error:
            complaints.append(str(error))

    session.output = output
    answers = session.all("member(X,[a,b]), write(X), findall(Y,(member(Y,[1,2]),write(Y)),L)")
    assert [str(answer["X"]) + str(answer["L"]) for answer in answers] == ["a[1, 2]", "b[1, 2]"]
    assert len(complaints) == 6
    assert all("the session is running a query" in complaint for complaint in complaints)
    session.output = lambda text: None
    USES[use](session)


def test_a_use_of_the_session_in_its_output_is_an_error_of_the_query(session):
    session.output = lambda text: session.close()
    with pytest.raises(PrismError, match="the session is running a query"):
        session.once("write(a)")
    assert session.prob(GOAL) == pytest.approx(0.033612)


def test_goals_that_are_run_as_a_query_is_left_cannot_use_the_session(session):
    complaints = []

    def output(text):
        try:
            session.once("X = 1")
        except RuntimeError as error:
            complaints.append(str(error))

    answers = session.ask("setup_call_cleanup(true,member(X,[1,2,3]),write(bye))")
    next(answers)
    session.output = output
    answers.close()
    assert ["the session is running a query" in complaint for complaint in complaints] == [True]


def test_progress_of_learning_cannot_use_the_session(session):
    before = session.switch("first").parameters.tolist()
    with pytest.raises(RuntimeError, match="the session is running a query"):
        session.learn([GOAL], progress=lambda report: session.prob(GOAL))
    assert session.switch("first").parameters.tolist() == before


def test_a_handler_of_a_signal_cannot_use_the_session_that_runs(session):
    complaints = []

    def handler(number, frame):
        try:
            session.once("numlist(1,100000,L)")
        except RuntimeError as error:
            complaints.append(str(error))

    old = signal.signal(signal.SIGVTALRM, handler)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.02)
    try:
        answer = session.once("between(1,10000000,X), X >= 10000000")
    finally:
        signal.signal(signal.SIGVTALRM, old)
    assert answer
    assert len(complaints) == 1
    assert "the session is running a query" in complaints[0]


def test_answers_in_a_cycle_of_objects_are_dropped_while_a_term_is_read(session):
    """Python's collector ended the query and gave back the heap on which the term was being built."""
    text = "[" + ",".join(f"f({i},X{i})" for i in range(300)) + "]"
    thresholds = gc.get_threshold()
    for threshold in range(1, 200, 9):
        gc.collect()
        gc.disable()  # what is made now is young, and looked at first
        answers = session.ask("member(X,[1,2,3])")
        next(answers)
        cycle = [answers]
        cycle.append(cycle)
        del answers, cycle
        gc.set_threshold(threshold)
        gc.enable()
        try:
            term = session.term(text)
        finally:
            gc.set_threshold(*thresholds)
        assert [item.args[0] for item in term] == list(range(300)), threshold
    assert session.once("X = 1")


def test_threads_get_all_answers_of_a_query():
    session = Session(output=lambda text: None)
    session.program("values(s(_),[a,b]).\n")
    for i in range(20):
        session.once(f"set_sw(s({i}),[0.5,0.5])")
    found = []

    def work():
        for _ in range(30):
            found.append(len(session.all("between(1,50,X)")))
            found.append(30 + len(session.switches()))
            found.append(30 + len(session.switch_names()))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [50] * 270


def test_a_query_that_another_one_has_ended_does_not_seem_complete():
    session = Session(output=lambda text: None)
    answers = session.solutions("member(X,[1,2,3])")
    assert next(answers)["X"] == 1
    session.once("true")
    with pytest.raises(RuntimeError, match="ended by another one"):
        next(answers)
    answers = session.ask("member(X,[1,2])")
    assert [answer["X"] for answer in answers] == [1, 2]
    assert next(answers, None) is None
    assert session.once("X = 1")["X"] == 1


def test_time_limits_are_numbers_of_any_kind():
    session = Session(output=lambda text: None)
    for seconds in (5, 5.0, np.float32(5), np.int64(5), Fraction(5)):
        assert session.once("X = 1", timeout=seconds)["X"] == 1
    with pytest.raises(TypeError, match="a number of seconds"):
        session.once("true", timeout="5")

"""Learning that is watched and stopped: what was reached so far, checkpoints, the course."""

import pytest

from prism_repl import Session
from prism_repl.learning.course import Course
from prism_repl.learning.events import LearnEvents

PROGRAM = "values(coin,[head,tail]).\ntoss(X) :- msw(coin,X).\ntwo(X) :- toss(X), toss(_).\n"
GOALS = "[count(two(head),3),two(tail)]"


class Interrupt(LearnEvents):
    """Ctrl-C before a certain iteration."""

    def __init__(self, at):
        self.at = at

    def evaluated(self, iteration, objective, likelihood, prior):
        if iteration == self.at:
            raise KeyboardInterrupt


@pytest.fixture
def output():
    return []


@pytest.fixture
def session(tmp_path, output):
    (tmp_path / "m.psm").write_text(PROGRAM)
    s = Session(output.append)
    s.prism(tmp_path / "m.psm")
    s.once("set_prism_flag(epsilon,1.0e-300), set_prism_flag(threads,1), set_sw(coin,[0.5,0.5])")
    s.once("set_prism_flag(init,none)")
    output.clear()
    return s


def learn_and_stop(session, query, at=2):
    session.machine.prob.learn_listener = Interrupt(at)
    try:
        with pytest.raises(KeyboardInterrupt, match="ctrl_c_pressed"):
            session.once(query)
    finally:
        session.machine.prob.learn_listener = None


def test_in_a_pipe_the_old_parameters_are_kept(session, output):
    learn_and_stop(session, f"learn({GOALS})")
    assert session.switch("coin").parameters.tolist() == [0.5, 0.5]
    assert "(Interrupted)\nThe parameters are as they were; those of iteration " in "".join(output)


def test_at_the_prompt_there_is_a_question(session, output):
    asked = []

    def keep(question):
        asked.append(question)
        return True

    session.machine.prob.keep_learned = keep
    learn_and_stop(session, f"learn({GOALS})")
    assert asked[0].startswith("Keep the parameters of iteration ")
    assert session.switch("coin").parameters[0] > 0.55
    assert session.once("learn_statistics(num_iterations,N)")["N"] >= 1
    output.clear()
    session.once("show_learn")
    assert "stopped" in "".join(output)


def test_the_answer_no(session):
    session.machine.prob.keep_learned = lambda question: False
    learn_and_stop(session, f"learn({GOALS})")
    assert session.switch("coin").parameters.tolist() == [0.5, 0.5]


def test_a_checkpoint_on_interrupt(session, tmp_path, output):
    file = tmp_path / "check"
    learn_and_stop(session, f"learn({GOALS},[checkpoint('{file}')])")
    assert session.switch("coin").parameters.tolist() == [0.5, 0.5]
    assert f"are in {file}" in "".join(output)
    session.once(f"restore_sw('{file}')")
    assert session.switch("coin").parameters[0] > 0.55


def test_a_checkpoint_now_and_then(session, tmp_path):
    file = tmp_path / "check"
    session.once(f"set_prism_flag(max_iterate,5), learn({GOALS},[checkpoint('{file}',0)])")
    assert file.read_text().startswith("switch(coin,unfixed,[head,tail],[")


def test_a_checkpoint_of_pseudo_counts(session, tmp_path):
    file = tmp_path / "check"
    session.once("set_prism_flag(learn_mode,vb), set_prism_flag(init,random)")
    session.once(f"set_prism_flag(max_iterate,5), learn({GOALS},[checkpoint('{file}',0)])")
    session.once(f"restore_sw_a('{file}')")


def test_a_checkpoint_of_both(session, tmp_path, output):
    """Parameters and pseudo counts are saved, and what is restored is what was reached."""
    file = tmp_path / "check"
    session.once("set_prism_flag(learn_mode,both), set_prism_flag(init,random)")
    asked = []
    session.machine.prob.keep_learned = lambda question: not asked.append(question)
    learn_and_stop(session, f"learn({GOALS},[checkpoint('{file}')])")
    assert f"restore_sw_pa('{file}','{file}_a') restores them" in "".join(output)
    reached = session.once("get_sw_pa(coin,[_,_,Ps,As])")
    session.once("set_sw(coin,[0.5,0.5]), set_sw_a(coin,[1,1])")
    session.once(f"restore_sw_pa('{file}','{file}_a')")
    restored = session.once("get_sw_pa(coin,[_,_,Ps,As])")
    assert restored["Ps"] == pytest.approx(reached["Ps"])
    assert restored["As"] == pytest.approx(reached["As"])
    assert restored["Ps"] != [0.5, 0.5]
    assert restored["As"] != [1.0, 1.0]


def test_a_checkpoint_that_cannot_be_written(session, output):
    session.once(f"set_prism_flag(max_iterate,5), learn({GOALS},[checkpoint('/nosuch/file',0)])")
    assert "".join(output).count("the checkpoint cannot be written -- /nosuch/file") == 1


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ("_", "instantiation_error"),
        ("[checkpoint(_)]", "instantiation_error"),
        ("check", "type_error(list,check)"),
        ("[nosuch]", "domain_error(learn_option,nosuch)"),
        ("[checkpoint(f,a)]", "type_error(number,a)"),
        ("[checkpoint(f,-1)]", "domain_error(not_less_than_zero,-1)"),
    ],
)
def test_wrong_options(session, options, error):
    (answer,) = session.ask(f"learn({GOALS},{options})")
    assert answer.message == f"*** error({error},learn/2)"


def test_the_bar_moves_within_one_goal(session):
    """The machine calls the watcher while it searches."""
    seen = []
    session.machine.prob.show_progress = seen.append
    session.once("assertz((slow(0) :- !)), assertz((slow(N) :- M is N-1, slow(M)))")
    ticks = []
    session.machine.interrupts.watcher = lambda: ticks.append(1)
    session.once("slow(300000)")
    session.machine.interrupts.watcher = None
    assert ticks


def test_course():
    course = Course()
    course.run_started(0, 2)
    course.evaluated(0, -3.0, -3.0, None)
    course.evaluated(1, -2.0, -2.0, None)
    course.run_ended(1, True, -2.0)
    course.run_started(1, 2)
    first, second = course.curves(0)
    assert (first.objectives, first.converged, first.best) == ((-3.0, -2.0), True, True)
    assert (second.objectives, second.best) == ((), False)

"""learn and its family where the recorded sessions do not reach: bad data, errors, interrupts, zero pseudo
counts, resets."""

import signal

import pytest

from prism_repl.inference.search import Search
from prism_repl.model.switches import Switches
from tests.support.programs import WEATHER, Program

DATA = "[week([sun,sun,rain]),week([rain,wind,wind]),week([sun,sun,sun])]"


@pytest.fixture
def weather(tmp_path):
    program = Program(tmp_path, WEATHER)
    program.ask("params, set_prism_flag(init,none), set_prism_flag(learn_message,none)")
    return program


def parameters(program):
    program.ask("show_sw")
    return program.output


def test_bad_data_changes_nothing(weather):
    before = parameters(weather)
    for goals, formal in [
        ("[]", "domain_error(observed_data,[])"),
        ("_", "instantiation_error"),
        ("[failure]", "domain_error(observed_data,[failure])"),
        ("[_]", None),
        ("[_,week([sun])]", "instantiation_error"),
        ("week([sun])", "domain_error(observed_data,week([sun]))"),
        ("[week([sun])|_]", None),
        ("[count(week([sun]),0)]", "domain_error(greater_than_zero,0)"),
        ("[goal(week([sun]),-2)]", "domain_error(greater_than_zero,-2)"),
        ("[count(week([sun]),_)]", "instantiation_error"),
        ("[plain(1)]", "type_error(probabilistic_atom,plain(1))"),
        ("[week([sun]),week([snow])]", "prism_runtime_error(explanation_not_found)"),
    ]:
        found = weather.formal(f"learn({goals})")
        assert formal is None or found == formal
        assert parameters(weather) == before
    weather.formal("learn([week([sun]),week([snow])])")
    assert "no explanations -- week([snow])" in weather.output


def test_a_goal_that_became_impossible_is_named(weather):
    weather.ask("set_sw(report(calm),[1.0,0.0,0.0]), set_sw(report(storm),[1.0,0.0,0.0])")
    before = parameters(weather)
    assert weather.formal("learn([week([sun]),week([rain])])") == "prism_runtime_error(invalid_numeric_value)"
    assert "non-positive -- week([rain])" in weather.output
    assert parameters(weather) == before


def test_data_files(weather, tmp_path):
    file = tmp_path / "weeks.dat"
    file.write_text("week([sun]).\ncount(week([rain]),3).\nweek([sun]).\n")
    weather.ask(f"set_prism_flag(data_source,file('{file}'))")
    assert weather.ask("learn") == [{}]
    assert weather.one("get_goal_counts(X)") == "[[week([rain]),3,60.0],[week([sun]),2,40.0]]"
    file.write_text("")
    assert weather.formal("learn") == "domain_error(observed_data,[])"
    weather.ask("set_prism_flag(data_source,file('/no/such/file'))")
    assert weather.formal("learn") == "existence_error(source_sink,'/no/such/file')"
    weather.ask("set_prism_flag(data_source,none)")
    assert weather.formal("learn") == "prism_runtime_error(data_source_not_found)"


def test_a_run_that_ends_in_an_error_leaves_no_statistics(weather):
    weather.ask(f"learn({DATA})")
    assert weather.all("learn_statistics(X,_)")
    assert weather.formal("learn([week([hail])])") == "prism_runtime_error(explanation_not_found)"
    assert weather.all("learn_statistics(X,_)") == []


@pytest.mark.parametrize(("mode", "routine"), [("ml", "EM"), ("ml_vt", "VT")])
def test_parameters_are_missing_after_the_search(tmp_path, mode, routine):
    program = Program(tmp_path, WEATHER)
    program.ask(f"set_prism_flag(default_sw,none), set_prism_flag(learn_mode,{mode})")
    error = "prism_runtime_error(default_distribution_unavailable)"
    for search in ("on", "off"):
        program.ask(f"set_prism_flag(vt_search,{search})")
        assert program.formal("learn([week([sun])])") == error
        assert program.output.startswith(
            f"#goals: 0(1)\nExporting switch information to the {routine} routine ... "
        )


def test_variants_are_one_goal(weather):
    assert weather.ask("learn([week([sun,_]),week([sun,_]),count(week([_]),2)])") == [{}]
    assert weather.one("get_goals(_L), length(_L,X)") == "2"


def test_viterbi_training_with_zero_pseudo_counts_learns(weather):
    weather.ask(f"set_prism_flag(learn_mode,ml_vt), learn({DATA})")
    assert weather.one("get_sw(report(calm),[_,_,X])") != "[0.7,0.2,0.1]"
    # the best explanations under the learned parameters are those that were counted
    before = parameters(weather)
    weather.ask(f"learn({DATA})")
    assert parameters(weather) == before
    assert weather.number("learn_statistics(log_likelihood,P)") < 0.0


def test_viterbi_training_needs_no_exclusive_explanations(tmp_path):
    program = Program(
        tmp_path, "values(c,[0,1],[0.9,0.1]).\nvalues(d,[0,1],[0.8,0.2]).\nx :- msw(c,0).\nx :- msw(d,0).\n"
    )
    program.ask("set_prism_flag(learn_mode,ml_vt), set_prism_flag(init,none)")
    program.ask("learn([x])")
    assert "WARNING" not in program.output
    assert "#vt-iters: 0" in program.output
    assert program.one("get_sw(c,[_,_,X])") == "[1.0,0.0]"
    program.ask("set_prism_flag(learn_mode,ml), set_sw(c,[0.9,0.1])")
    assert program.formal("learn([x])") == "prism_runtime_error(invalid_likelihood)"


def test_underflow_changes_to_logarithms_and_says_so(weather):
    weather.ask("set_prism_flag(learn_message,em), long(1000,G), learn([G])")
    lines = weather.output.strip().split("\n")
    assert lines[0].strip() == "#em-iters:"
    assert "learning goes on with logarithms" in lines[1]
    assert lines[2].startswith("#em-iters: 0")
    assert len(lines) == 3


def test_hyperparameters_are_reset_only_by_success(weather):
    weather.ask("set_prism_flag(learn_mode,vb), set_prism_flag(std_ratio,1.0e-12), set_sw_a(first,[5.0,1.0])")
    weather.formal("learn([week([sun]),week([snow])])")
    assert weather.one("get_sw_a(first,[_,_,X])") == "[5.0,1.0]"
    weather.ask("learn([week([])])")
    first = [float(x) for x in weather.one("get_sw_a(first,[_,_,X])")[1:-1].split(",")]
    assert first == pytest.approx([1.5, 1.5])
    weather.ask("set_prism_flag(reset_hparams,off), set_sw_a(first,[5.0,1.0]), learn([week([])])")
    first = [float(x) for x in weather.one("get_sw_a(first,[_,_,X])")[1:-1].split(",")]
    assert sum(first) == pytest.approx(7.0)


def test_fixed_switches_stay(weather):
    weather.ask(f"fix_sw(first), learn({DATA})")
    assert weather.one("get_sw(first,[_,_,X])") == "[0.6,0.4]"
    assert weather.one("get_sw(report(calm),[_,_,X])") != "[0.7,0.2,0.1]"


def test_the_same_seed_gives_the_same_result(weather):
    results = []
    for _ in range(2):
        weather.ask("set_seed(7), set_prism_flag(init,random), set_prism_flag(restart,5)")
        weather.ask(f"learn({DATA})")
        results.append(parameters(weather))
    assert results[0] == results[1]


def test_failure_is_for_em_only(tmp_path):
    program = Program(
        tmp_path,
        "values(h(_),[r,b]).\npair(A,B) :- msw(h(1),A), msw(h(2),B), A \\== B.\n"
        "failure :- msw(h(1),A), msw(h(2),A).\n",
    )
    assert program.ask("learn([failure,pair(r,b)])") == [{}]
    assert program.formal("vlearn_p([failure,pair(r,b)])") == "prism_runtime_error(invalid_argument)"


def test_all_direct_predicates(weather):
    weather.ask("set_prism_flag(default_sw_d,1.0), set_sw_all_d(_,1.0), set_prism_flag(std_ratio,1.0e-12)")
    for name, key in [
        ("learn_p", "num_iterations"),
        ("learn_h", "num_iterations_vb"),
        ("learn_b", "free_energy"),
        ("vlearn_p", "log_post"),
        ("vlearn_h", "free_energy"),
        ("vlearn_b", "free_energy"),
    ]:
        assert weather.ask(f"{name}({DATA})") == [{}], weather.output
        assert weather.all(f"learn_statistics({key},X)"), name


def test_an_interrupt_keeps_the_parameters(weather):
    weather.ask("set_prism_flag(epsilon,1.0e-300), set_prism_flag(max_iterate,inf)")
    weather.ask("set_sw_all_d(_,0.5)")
    before = parameters(weather)

    def interrupt(*_):
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            weather.ask("findall(G,(member(N,[900,901,902]),long(N,G)),_Gs), learn(_Gs)")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert parameters(weather) == before
    assert weather.number("prob(week([sun]),P)") == pytest.approx(0.46)


def test_an_interrupt_while_storing_does_not_leave_half_of_it(weather, monkeypatch):
    store = Switches.store_parameters
    stored = []

    def interrupted(self, switch, numbers):
        stored.append(switch)
        if len(stored) == 2:
            raise KeyboardInterrupt
        store(self, switch, numbers)

    weather.ask("set_prism_flag(max_iterate,3)")
    with monkeypatch.context() as patched:
        patched.setattr(Switches, "store_parameters", interrupted)
        with pytest.raises(KeyboardInterrupt):
            weather.ask(f"learn({DATA})")
    learned = parameters(weather)
    assert weather.ask("params")
    assert parameters(weather) != learned
    weather.ask(f"learn({DATA})")
    assert parameters(weather) == learned


@pytest.mark.parametrize(
    "query", ["n_viterbi(100000000,G)", "n_viterbif(100000000,G,_)", "hindsight(G,_,_)", "probf(G,_)"]
)
def test_other_threads_can_interrupt_inference(weather, query, monkeypatch):
    """The flag that other threads set is seen by loops that no signal stops."""

    def set_flag(found):
        found.m.interrupts.interrupted = True

    with monkeypatch.context() as patched:
        patched.setattr(Search, "refuse_cycle", set_flag)
        with pytest.raises(KeyboardInterrupt):
            weather.ask(f"long(3000,G), {query}")
    assert weather.number("prob(week([sun]),P)") == pytest.approx(0.46)


def test_verbose_graphs_of_several_goals(weather):
    weather.ask("set_prism_flag(verb,graph), learn([week([sun]),week([])])")
    assert weather.output.count("<<Goal[") == 2
    assert weather.output.count("  g[") > 5


def test_log_scale_refuses_parameters_of_zero(weather):
    weather.ask("set_prism_flag(log_scale,on), set_prism_flag(init,none)")
    before = parameters(weather)
    assert weather.formal("learn([week([sun])])") == "prism_runtime_error(underflow)"
    assert "Parameter being zero (-inf in log scale) -- msw(" in weather.output
    assert parameters(weather) == before
    weather.ask("set_sw_all_d(_,1.0e-9)")
    assert len(weather.ask("learn([week([sun])])")) == 1


def test_a_goal_of_probability_zero_is_no_underflow(weather):
    weather.ask("set_prism_flag(init,none), set_sw(report(calm),[1,0,0]), set_sw(report(storm),[1,0,0])")
    assert weather.formal("learn([week([sun]),week([rain])])") == "prism_runtime_error(invalid_numeric_value)"
    assert "WARNING" not in weather.output
    assert "non-positive -- week([rain])" in weather.output


@pytest.mark.parametrize(
    ("fact", "formal"),
    [
        ("data([week([sun])]).", "domain_error(source_sink,[week([sun])])"),
        ("data(f(x)).", "domain_error(source_sink,f(x))"),
        ("data(_).", "instantiation_error"),
        ("data(7).", "existence_error(source_sink,'7')"),
        ("data('no such').", "existence_error(source_sink,'no such')"),
    ],
)
def test_data_that_names_no_file(tmp_path, fact, formal):
    assert formal in str(Program(tmp_path, WEATHER + fact).ask("learn"))

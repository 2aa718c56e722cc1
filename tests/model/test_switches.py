"""Switches: registration, setting, fixing, showing, saving, and what is refused."""

import os

import numpy as np
import pytest

from prism_repl.prolog.reader import read_term
from tests.support.world import World

pytestmark = pytest.mark.quick

VALUES = {
    "fruit": "[apple,pear,plum]",
    "ripe(apple)": "[yes,no]",
    "ripe(pear)": "[yes,no]",
    "ripe(plum)": "[yes,no]",
    "'Big Box'": "['A b',\"cd\",f(x,'Y'),[1,2]]",
    "num": "[1,2,3]",
}


@pytest.fixture
def m():
    return World(VALUES)


def cell(m, text):
    return read_term(m, text + " .").cell


def rows(m, kind, name="_"):
    return m.value(f"'$sw_rows'({kind},{name},X,get_sw/2)")


def test_set_and_show(m):
    m.ask("set_sw(fruit,[0.5,0.3,0.2])")
    m.ask("set_sw(ripe(apple),0.9+0.1)")
    m.ask("set_sw(ripe(pear),3:1)")
    m.ask("set_sw('Big Box')")
    assert m.ask("show_sw")[1] == (
        "Switch Big Box: unfixed_p: A b (p: 0.250000000) [99,100] (p: 0.250000000)"
        " f(x,Y) (p: 0.250000000) [1,2] (p: 0.250000000)\n"
        "Switch fruit: unfixed_p: apple (p: 0.500000000) pear (p: 0.300000000) plum (p: 0.200000000)\n"
        "Switch ripe(apple): unfixed_p: yes (p: 0.900000000) no (p: 0.100000000)\n"
        "Switch ripe(pear): unfixed_p: yes (p: 0.750000000) no (p: 0.250000000)\n"
    )
    assert m.ask("show_sw(ripe(_))")[1].count("\n") == 2
    assert m.ask("show_sw(ripe(plum))")[1] == ""
    assert m.ask("show_sw_pa(fruit)")[1] == (
        "Switch fruit: unfixed_p,unfixed_h: apple (p: 0.500000000, a: 1.000000000)"
        " pear (p: 0.300000000, a: 1.000000000) plum (p: 0.200000000, a: 1.000000000)\n"
    )
    assert (
        m.ask("show_reg_sw")[1]
        == "Registered random switches:\n  Big Box\n  fruit\n  ripe(apple)\n  ripe(pear)\n"
    )
    assert m.ask("show_values")[1].splitlines()[2] == "  fruit: [apple,pear,plum]"


def test_a_name_may_have_a_long_integer():
    name = f"s({'9' * 5000})"
    m = World({name: f"[{'8' * 5000},-1]"})
    assert m.ask(f"set_sw({name},[0.25,0.75])") == ("yes", "")
    assert "[0.25,0.75]" in rows(m, "p", name)


def test_rows_keep_integers_and_the_order_of_setting(m):
    m.ask("set_sw(fruit,[1,0,0])")
    m.ask("set_sw(ripe(apple))")
    assert rows(m, "p") == (
        "[row(fruit,unfixed,[apple,pear,plum],[1,0,0],none),row(ripe(apple),unfixed,[yes,no],[0.5,0.5],none)]"
    )
    m.ask("set_sw(fruit)")
    assert rows(m, "p").startswith("[row(ripe(apple)")
    assert rows(m, "d") == "[]"
    assert rows(m, "d", "fruit") == "[row(fruit,unfixed,[apple,pear,plum],[0,0,0],none)]"
    assert rows(m, "a", "fruit") == "[row(fruit,unfixed,[apple,pear,plum],[1,1,1],none)]"
    assert rows(m, "pd", "ripe(_)") == "[]"
    assert rows(m, "pd", "ripe(plum)") == "[row(ripe(plum),[unfixed,unfixed],[yes,no],[0.5,0.5],[0,0],none)]"


def test_hyperparameters_are_one_pair(m):
    m.ask("set_sw_a(fruit,[3.0,1.5,1.0])")
    assert "[2.0,0.5,0.0]" in rows(m, "d", "fruit")
    m.ask("set_sw_d(fruit,1.0e-9)")
    assert "[1.0e-09,1.0e-09,1.0e-09]" in rows(m, "d", "fruit")
    m.ask("set_sw_all_d(_,uniform(6))")
    assert "[3.0,3.0,3.0]" in rows(m, "a", "fruit")
    m.ask("set_sw_all_h")
    assert "[0,0,0]" in rows(m, "d", "fruit")


def test_alphas_below_one_are_negative_deltas(m):
    assert m.ask("set_sw_a(fruit,0.5)")[0] == "yes"
    assert "[-0.5,-0.5,-0.5]" in rows(m, "d", "fruit")


def test_fixed_switches_stay(m):
    m.ask("set_sw(fruit,[0.5,0.3,0.2])")
    m.ask("fix_sw(fruit)")
    assert m.ask("set_sw(fruit,uniform)") == ("yes", "")
    m.ask("set_prism_flag(warn,on)")
    assert m.ask("set_sw(fruit,uniform)") == ("yes", "***  PRISM WARNING: distribution fixed -- fruit\n")
    assert "fixed,[apple,pear,plum],[0.5,0.3,0.2]" in rows(m, "p", "fruit")
    assert m.ask("fix_sw(fruit,uniform)")[0] == "yes"
    assert "row(fruit,fixed,[apple,pear,plum],[0.333333," in rows(m, "p", "fruit")
    m.ask("fix_sw_d(fruit,2)")
    m.ask("unfix_sw(_)")
    assert m.ask("show_sw_pd")[1].startswith("Switch fruit: unfixed_p,fixed_h: apple (p: 0.333333333, d: 2.0")


def test_a_list_of_patterns_is_fixed(m):
    for name in ("fruit", "ripe(apple)", "ripe(pear)", "num"):
        m.ask(f"set_sw({name})")
    m.ask("fix_sw([fruit,ripe(_)])")
    assert m.ask("show_sw")[1].count(": fixed_p") == 3


def test_a_refused_distribution_leaves_a_fixed_switch_fixed(m):
    m.ask("fix_sw(fruit,[0.5,0.3,0.2])")
    assert m.ask("fix_sw(fruit,[0.5,0.3,0.3])")[0] == "domain_error(distribution,[0.5,0.3,0.3])"
    assert "fixed,[apple,pear,plum],[0.5,0.3,0.2]" in rows(m, "p", "fruit")


@pytest.mark.parametrize(
    ("query", "formal", "message"),
    [
        (
            "set_sw(fruit,[0.5,0.3])",
            "prism_runtime_error(unmatched_distribution)",
            "size unmatched -- ([0.5,0.3],3)",
        ),
        ("set_sw(fruit,[0.5,0.3,0.3])", "domain_error(distribution,[0.5,0.3,0.3])", "invalid distribution"),
        ("set_sw(fruit,[0.5,0.7,-0.2])", "domain_error(distribution,[0.5,0.7,-0.2])", "invalid distribution"),
        ("set_sw(fruit,[a,b,c])", "domain_error(distribution,[a,b,c])", "invalid distribution -- [a,b,c]"),
        ("set_sw(fruit,nonsense)", "domain_error(distribution,nonsense)", "invalid distribution -- nonsense"),
        ("set_sw(fruit,[])", "domain_error(distribution,[])", "invalid distribution -- []"),
        ("set_sw(fruit,_)", "instantiation_error", "invalid distribution -- _"),
        ("set_sw(_,[0.5,0.5])", "instantiation_error", "non-ground switch name -- _"),
        ("set_sw(ripe(_),[0.5,0.5])", "instantiation_error", "non-ground switch name -- ripe(_"),
        ("set_sw(banana,[0.5,0.5])", "existence_error(outcome,banana)", "outcome space not given -- banana"),
        (
            "set_sw_d(fruit,[1.0,2.0])",
            "prism_runtime_error(unmatched_pseudo_counts)",
            "size unmatched -- ([1.0,2.0],3)",
        ),
        ("set_sw_d(fruit,-1.0)", "domain_error(hyperparameters,-1.0)", "invalid delta values -- -1.0"),
        ("set_sw_d(fruit,[-1,2,3])", "domain_error(hyperparameters,[-1,2,3])", "invalid delta values"),
        ("set_sw_a(fruit,-1.0)", "domain_error(hyperparameters,-1.0)", "invalid alpha values -- -1.0"),
        ("set_sw_a(fruit,[1,2,0])", "domain_error(alphas,[1,2,0])", "invalid alpha values"),
        ("set_sw_d(fruit,abc)", "domain_error(hyperparameters,abc)", "invalid delta values -- abc"),
        ("set_sw_h(banana,1)", "existence_error(outcome,banana)", "outcome space not given -- banana"),
        ("fix_sw(ripe(_),uniform)", "instantiation_error", "non-ground switch name"),
        (
            "'$sw_rows'(p,banana,_,get_sw/2)",
            "existence_error(outcome,banana)",
            "outcome space not given -- banana",
        ),
        ("get_values1(banana,_)", "existence_error(outcome,banana)", "outcome space not given -- banana"),
        ("get_values1(ripe(_),_)", "instantiation_error", "non-ground switch name"),
    ],
)
def test_refusals(m, query, formal, message):
    answer, output = m.ask(query)
    assert answer == formal
    assert output.startswith("***  PRISM ERROR: " + message)
    assert len(m.prob.switches) == 0


def test_without_any_declaration():
    m = World()
    assert m.ask("get_values1(c,_)")[0] == "msw_declaration_not_found"
    assert m.ask("'$values_missing'") == (
        "msw_declaration_not_found",
        "***  PRISM ERROR: no multi-valued switch declarations given\n",
    )


def test_without_a_default_distribution(m):
    m.ask("set_prism_flag(default_sw,none)")
    assert m.ask("'$draw'(fruit,_)")[0] == "prism_runtime_error(default_distribution_unavailable)"
    assert len(m.prob.switches) == 0
    m.ask("set_sw_d(fruit,1)")
    assert m.ask("show_sw")[1].startswith("Switch fruit: unfixed_p: apple (p: n/a)")


def test_numbers_and_instances(m):
    switches = m.prob.switches
    assert switches.with_parameters(m, cell(m, "fruit")).number == 0
    assert switches.with_parameters(m, cell(m, "ripe(pear)")).number == 1
    assert switches.with_parameters(m, cell(m, "fruit")).number == 0
    m.ask("set_sw(ripe(pear),[0.2,0.8])")
    assert switches.ranges().tolist() == [0, 3, 5]
    assert np.allclose(switches.parameters(), [1 / 3, 1 / 3, 1 / 3, 0.2, 0.8])
    m.ask("fix_sw(ripe(pear))")
    switches.set_parameters([0, 1], np.array([0.5, 0.25, 0.25, 1.0, 0.0]))
    assert np.allclose(switches.parameters(), [0.5, 0.25, 0.25, 0.2, 0.8])
    switches.set_hyperparameters([0], np.array([2.5, 1.0, 1.0, 0, 0]))
    alphas, deltas = switches.hyperparameters(m, [0, 1])
    assert np.allclose(deltas, [1.5, 0, 0, 0, 0])
    assert np.allclose(alphas, deltas + 1)
    switches.set_expectations("ml", [0], np.array([4.0, 2.0, 1.0, 0, 0]))
    assert rows(m, "p", "fruit").endswith("expected([4.0,2.0,1.0]))]")
    assert rows(m, "a", "fruit").endswith("none)]")


def test_equal_numbers_of_different_type_are_different_names():
    m = World({"f(1)": "[a,b]", "f(1.0)": "[a,b,c]"})
    assert m.prob.switches.with_parameters(m, cell(m, "f(1)")).number == 0
    assert m.prob.switches.with_parameters(m, cell(m, "f(1.0)")).number == 1
    assert m.prob.switches.outcomes(1) == 3


def test_a_changed_outcome_space_resets_the_switch(m):
    m.ask("set_sw(fruit,[0.5,0.3,0.2])")
    m.prob.values = VALUES | {"fruit": "[apple,fig]"}
    assert m.prob.switches.with_parameters(m, cell(m, "fruit")).number == 1
    assert rows(m, "p") == "[row(fruit,unfixed,[apple,fig],[0.5,0.5],none)]"
    assert m.prob.switches.ranges().tolist() == [0, 3, 5]


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("fix_sw(fruit)", "modified outcome space with the distribution being fixed -- fruit"),
        ("fix_sw_d(fruit)", "modified outcome space with the hyperparameters being fixed -- fruit"),
        (
            "set_prism_flag(clean_table,off)",
            "dynamic change of outcome space with clean_table being off -- fruit",
        ),
    ],
)
def test_a_changed_outcome_space_may_be_refused(m, before, message):
    m.ask("set_sw(fruit,[0.5,0.3,0.2])")
    m.ask(before)
    m.prob.values = VALUES | {"fruit": "[apple,fig]"}
    assert m.ask("'$draw'(fruit,_)") == (
        "prism_runtime_error(modified_switch_outcomes)",
        f"***  PRISM ERROR: {message}\n",
    )


# ---- files


def test_save_and_restore(m, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    m.ask("set_sw(fruit,[0.5,0.3,0.2])")
    m.ask("fix_sw('Big Box',uniform)")
    m.ask("set_sw_a(fruit,[3.0,1.5,0.25])")
    assert m.ask("save_sw_pa")[0] == "yes"
    assert (tmp_path / "Saved_SW").read_text() == (
        "switch(fruit,unfixed,[apple,pear,plum],"
        "[5.000000000000000e-01,3.000000000000000e-01,2.000000000000000e-01]).\n"
        "switch('Big Box',fixed,['A b',[99,100],f(x,'Y'),[1,2]],"
        "[2.500000000000000e-01,2.500000000000000e-01,2.500000000000000e-01,2.500000000000000e-01]).\n"
    )
    assert m.ask("save_sw_d('d.sw')")[0] == "yes"
    m.prob.switches.clear()
    assert m.ask("restore_sw_pa")[0] == "yes"
    assert rows(m, "pa", "fruit") == (
        "[row(fruit,[unfixed,unfixed],[apple,pear,plum],[0.5,0.3,0.2],[3.0,1.5,0.25],none)]"
    )
    assert rows(m, "p", "'Big Box'").startswith("[row('Big Box',unfixed")
    m.prob.switches.clear()
    assert m.ask("restore_sw_d('d.sw')")[0] == "yes"
    assert "[2.0,0.5,-0.75]" in rows(m, "d", "fruit")


def test_files_are_written_whole_or_not_at_all(m, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    m.ask("set_sw(fruit)")
    assert m.ask("save_sw('no_dir/x.sw')")[0] == "permission_error(open,source_sink,'no_dir/x.sw')"
    assert m.context == ("open", 3)
    os.mkdir("folder")
    assert m.ask("save_sw(folder)")[0] == "permission_error(open,source_sink,folder)"
    assert os.listdir() == ["folder"]
    assert m.ask("save_sw(_)")[0] == "instantiation_error"
    assert m.ask("restore_sw(nowhere)")[0] == "existence_error(source_sink,nowhere)"


def test_restoring_is_all_or_nothing(m, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    good = "switch(fruit,unfixed,[apple,pear,plum],[0.5,0.3,0.2]).\n"
    for bad, formal in [
        ("switch(banana,unfixed,[a],[1.0]).", "existence_error(outcome,banana)"),
        ("switch(num,unfixed,[1,2,3],[0.5]).", "prism_runtime_error(unmatched_distribution)"),
        ("switch(num,unfixed,[1,2,3],[0.5,0.5,0.5]).", "domain_error(distribution,[0.5,0.5,0.5])"),
        ("other(1).", "domain_error(switch_information,other(1))"),
        ("switch(num,", "syntax_error(read)"),
    ]:
        (tmp_path / "f").write_text(good + bad + "\n")
        assert m.ask("restore_sw(f)")[0] == formal
        assert rows(m, "p") == "[]"
    (tmp_path / "f").write_text(good)
    assert m.ask("restore_sw_pd(f,nowhere)")[0] == "existence_error(source_sink,nowhere)"
    assert rows(m, "p") == "[]"
    assert m.ask("restore_sw_pd(f,f)")[0] == "yes"
    assert rows(m, "p") == "[row(fruit,unfixed,[apple,pear,plum],[0.5,0.3,0.2],none)]"
    assert rows(m, "d") == "[row(fruit,unfixed,[apple,pear,plum],[0.5,0.3,0.2],none)]"
    (tmp_path / "f").write_text("switch(num,unfixed,[1,2,3],[0.5]).\n")
    assert m.ask("restore_sw_d(f)")[0] == "prism_runtime_error(unmatched_pseudo_counts)"


# ---- drawing


def test_draws_follow_the_parameters(m):
    m.ask("set_sw(fruit,[0.5,0.0,0.5])")
    seen = [m.value("'$draw'(fruit,X)") for _ in range(400)]
    assert 140 < seen.count("apple") < 260
    assert seen.count("pear") == 0
    m.ask("set_sw(ripe(apple),[1,0])")
    assert m.ask("'$draw'(ripe(apple),no)")[0] == "no"
    first = {m.value("'$draw_candidate'([apple-0.5,pear-0.0,plum-0.5],X,_)") for _ in range(50)}
    assert first == {"apple", "plum"}
    assert m.value("'$draw_candidate'([pear-0.0,plum-0.5,plum-0.5],plum,X)") == "[pear-0.0]"
    assert m.ask("'$draw_candidate'([pear-0.0],_,_)")[0] == "no"
    assert m.ask("'$draw'(ripe(_),no)")[0] == "instantiation_error"


class NeverWalked(list):
    """The switches, of which nobody goes through all."""

    def __iter__(self):
        raise AssertionError("each use goes through all switches")


def test_many_switches_do_not_make_each_use_slow():
    m = World({f"side({i})": "[left,right]" for i in range(20)})
    switches = m.prob.switches
    switches.all = NeverWalked(switches.all)
    known = [switches.with_parameters(m, cell(m, f"side({i})")) for i in range(20)]
    for i, switch in enumerate(known):
        switches.store_parameters(switch, [0.25, 0.75])
        assert list(switches.parameters()[2 * i : 2 * i + 2]) == [0.25, 0.75]
        assert switches.ranges()[-1] == 40

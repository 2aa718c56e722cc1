"""Flags: the table, values that are refused, exclusive and renamed flags."""

import pytest

from prism_repl.flags import DELETED, TABLE, DeletedFlag, Flags, InvalidValue, UnknownFlag
from tests.support.world import World

pytestmark = pytest.mark.quick

# PRISM 2.4.2a after reset_prism_flags.
SHOWN = """\
clean_table           : on
crf_enable            : on
crf_annealing_weight  : 1.0
crf_learning_rate     : backtrack
crf_golden_b          : 1.0
crf_epsilon           : 1.0
crf_init              : zero
crf_learn_mode        : lbfgs
crf_ls_rho            : 0.5
crf_ls_c1             : 0.5
crf_penalty           : 0.0
daem                  : off
data_source           : data/1
default_sw            : uniform
default_sw_a          : (disabled)
default_sw_d          : 0
em_progress           : 10
epsilon               : 0.0001
error_on_cycle        : on
error_on_invalid_distribution: on
explicit_empty_expls  : on
fix_init_order        : on
force_gc              : on
init                  : random
itemp_init            : 0.1
itemp_rate            : 1.5
learn_message         : all
learn_mode            : ml
log_scale             : off
max_iterate           : default
mcmc_b                : 1000
mcmc_e                : 2000
mcmc_message          : all
mcmc_progress         : 100
mcmc_s                : 5
num_minibatch         : 1
sgd_minibatch_size    : default
rank_loss             : hinge
rank_loss_c           : 1.0
reset_hparams         : on
restart               : 1
rerank                : 10
scc_debug_level       : 0
search_progress       : 10
sgd_adam_beta         : 0.9
sgd_adam_epsilon      : 1.0e-08
sgd_adam_gamma        : 0.999
sgd_adadelta_epsilon  : 1.0e-08
sgd_adadelta_gamma    : 0.95
sgd_goal_valid_ratio  : default
sgd_learning_rate     : 0.0001
sgd_loss              : default
sgd_optimizer         : adam
sgd_patience          : default
sgd_valid_ratio       : default
sgd_weight_decay      : 0.01
show_itemp            : off
sort_hindsight        : by_goal
std_ratio             : 0.2
verb                  : none
viterbi_mode          : ml
warn                  : off
write_call_events     : all
fail_on_outcomes      : on
"""


def test_defaults_are_shown_in_prisms_order():
    m = World()
    assert m.ask("show_flags") == ("yes", SHOWN)


def test_defaults_are_valid_values():
    for flag in TABLE:
        assert flag.default == "$disabled" or flag.kind.accepts(flag.default), flag.name
        assert flag.help


def test_our_own_flags_are_shown_where_they_are_changed():
    m = World()
    assert "threads" not in m.ask("show_flags")[1]
    assert m.ask("set_prism_flag(warn_exclusiveness,off)")[0] == "yes"
    assert m.prob.flags["warn_exclusiveness"] == "off"
    assert m.ask("set_prism_flag(threads,4)")[0] == "yes"
    assert m.ask("set_prism_flag(threads,-1)")[0] == "domain_error(prism_flag_value(threads),-1)"
    ours = "threads               : 4\nwarn_exclusiveness    : off\n"
    assert sorted(m.ask("show_flags")[1].removeprefix(SHOWN).splitlines()) == ours.splitlines()
    assert m.ask("reset_prism_flags")[0] == "yes"
    assert m.ask("show_flags") == ("yes", SHOWN)


@pytest.mark.parametrize(
    "query",
    [
        "log_scale,on",
        "epsilon,1",
        "max_iterate,inf",
        "max_iterate,7",
        "default_sw,f_geometric(3)",
        "default_sw,f_geometric(1.5,asc)",
        "default_sw_a,uniform(2)",
        "default_sw_h,0.5",
        "sgd_penalty,0.5",
        "learn_message,search+em+misc",
        "verb,on",
        "learn_mode,hparams",
        "data_source,file(x)",
        "write_call_events,off",
        "itemp_init,1",
        "sgd_valid_ratio,0.5",
    ],
)
def test_accepted(query):
    assert World().ask(f"set_prism_flag({query})") == ("yes", "")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("clean_table", "yes"),
        ("data_source", "3"),
        ("default_sw", "[0.5,0.5]"),
        ("default_sw", "f_geometric(1)"),
        ("default_sw_d", "-1"),
        ("default_sw_a", "0"),
        ("em_progress", "1.5"),
        ("epsilon", "0"),
        ("itemp_init", "1.5"),
        ("itemp_rate", "1"),
        ("learn_message", "search+noise"),
        ("max_iterate", "-3"),
        ("max_iterate", "2.5"),
        ("restart", "many"),
        ("search_progress", "0"),
        ("write_call_events", "never"),
        ("log_scale", "on(x)"),
    ],
)
def test_refused(name, value):
    answer, output = World().ask(f"set_prism_flag({name},{value})")
    assert answer == f"domain_error(prism_flag_value({name}),{value})"
    assert output == f"***  PRISM ERROR: invalid value for {name} -- {value}\n"


def test_wrong_names():
    m = World()
    assert m.ask("set_prism_flag(no_such,on)") == (
        "domain_error(prism_flag,no_such)",
        "***  PRISM ERROR: invalid prism flag -- no_such\n",
    )
    assert m.ask("set_prism_flag(7,on)")[0] == "type_error(atom,7)"
    assert m.ask("set_prism_flag(X,on)")[0] == "instantiation_error"
    assert m.ask("set_prism_flag(log_scale,X)")[0] == "instantiation_error"
    assert m.ask("set_prism_flag(scaling,on)") == (
        "domain_error(prism_flag,scaling)",
        "***  PRISM ERROR: prism flag deleted in version 2.0 -- scaling\n",
    )


def test_the_two_hyperparameter_defaults_exclude_each_other():
    flags = Flags()
    flags.set("default_sw_a", 2)
    assert (flags["default_sw_a"], flags["default_sw_d"]) == (2, "$disabled")
    flags.set("default_sw_d", 0.5)
    assert (flags["default_sw_a"], flags["default_sw_d"]) == ("$disabled", 0.5)
    flags.reset()
    assert (flags["default_sw_a"], flags["default_sw_d"]) == ("$disabled", 0)


def test_renamed_values():
    flags = Flags()
    assert flags.set("verb", "on") == [("on", "full")]
    assert flags.set("default_sw_h", 0.5) == [("default_sw_h", "default_sw_d")]
    assert flags.set("max_iterate", 0) == [("0", "inf")]
    assert (flags["verb"], flags["default_sw_d"], flags["max_iterate"]) == ("full", 0.5, "inf")


def test_errors_of_the_table():
    flags = Flags()
    with pytest.raises(UnknownFlag):
        flags.set("nothing", 1)
    with pytest.raises(InvalidValue):
        flags.set("restart", "x")
    for name in DELETED:
        with pytest.raises(DeletedFlag):
            flags.set(name, "on")


def test_a_warning_is_only_printed_when_asked_for():
    m = World()
    assert m.ask("set_prism_flag(verb,on)")[1] == ""
    m.ask("set_prism_flag(warn,on)")
    assert (
        m.ask("set_prism_flag(verb,on)")[1] == "***  PRISM WARNING: prism flag value renamed to full -- on\n"
    )

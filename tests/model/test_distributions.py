"""Distribution and pseudo-count forms: what they expand to, and what is refused."""

import math

import pytest

from prism_repl.flags import Flags
from prism_repl.model import distributions
from prism_repl.model.chance import Random
from tests.support.world import World

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("expand_values([low,3-6,top,10-15@3],X)", "[low,3,4,5,6,top,10,13]"),
        ("expand_values([1-2,1-2],X)", "[1,2,1,2]"),
        ("expand_values([-2-2],X)", "[-2,-1,0,1,2]"),
        ("expand_values([1-x,1.0-2.0,1-5@0],X)", "[1-x,1.0-2.0,1-5@0]"),
        ("expand_values([],X)", "[]"),
        ("expand_values1([1-3],X)", "[1,2,3]"),
        ("expand_probs([0.2,0.7,0.1],X)", "[0.2,0.7,0.1]"),
        ("expand_probs(0.25+0.25+0.5,X)", "[0.25,0.25,0.5]"),
        ("expand_probs(3:4:1,X)", "[0.375,0.5,0.125]"),
        ("expand_probs(2:0:3,3,X)", "[0.4,0.0,0.6]"),
        ("expand_probs(uniform,8,X)", "[" + ",".join(["0.125"] * 8) + "]"),
        ("expand_probs(default,3,X)", "[0.333333,0.333333,0.333333]"),
        ("expand_probs(f_geometric,4,X)", "[0.533333,0.266667,0.133333,0.0666667]"),
        ("expand_probs(f_geometric(5,asc),3,X)", "[0.0322581,0.16129,0.806452]"),
        ("expand_probs(f_geometric(1.5),3,X)", "[0.473684,0.315789,0.210526]"),
        ("expand_probs([1,0],2,X)", "[1.0,0.0]"),
        ("expand_fprobs([3,-1],2,X)", "[3,-1]"),
        ("expand_pseudo_counts([0.3,4.0],X)", "[0.3,4.0]"),
        ("expand_pseudo_counts(1.25,2,X)", "[1.25,1.25]"),
        ("expand_pseudo_counts(0,3,X)", "[0,0,0]"),
        ("expand_pseudo_counts(uniform,5,X)", "[0.2,0.2,0.2,0.2,0.2]"),
        ("expand_pseudo_counts(uniform(3),2,X)", "[1.5,1.5]"),
        ("expand_pseudo_counts(f_geometric,3,X)", "[4.0,2.0,1.0]"),
        ("expand_pseudo_counts(f_geometric(3),3,X)", "[9.0,3.0,1.0]"),
        ("expand_pseudo_counts(f_geometric(2,3),3,X)", "[18,6,2]"),
        ("expand_pseudo_counts(f_geometric(3,2,asc),4,X)", "[3,6,12,24]"),
        ("expand_pseudo_counts(default,2,X)", "[0,0]"),
        ("alpha_to_delta([1.5,2],X)", "[0.5,1]"),
        ("delta_to_alpha([0.5,0],X)", "[1.5,1]"),
    ],
)
def test_expansions(query, value):
    assert World().value(query) == value


@pytest.mark.parametrize("high", ["100000000000", "9" * 40])
def test_a_range_that_does_not_fit_is_refused(high):
    assert World().ask(f"expand_values([a,1-{high}],X)")[0] == "resource_error(memory)"


@pytest.mark.parametrize(
    ("query", "formal", "message"),
    [
        (
            "expand_values([5-3],X)",
            "domain_error(integer_range_inclusive,[5,3])",
            "invalid min/max pair -- (5,3)",
        ),
        ("expand_values(x,X)", "type_error(list_or_nil,x)", "invalid argument; list or nil expected -- x"),
        ("expand_probs(f_geometric(1),3,X)", "domain_error(distribution,f_geometric(1))", None),
        ("expand_probs(f_geometric(2,up),3,X)", "domain_error(distribution,f_geometric(2,up))", None),
        (
            "expand_probs([0.1,0.9],3,X)",
            "prism_runtime_error(unmatched_distribution)",
            "size unmatched -- ([0.1,0.9],3)",
        ),
        ("expand_probs([0.1,0.8],X)", "domain_error(fixed_size_distribution,[0.1,0.8])", None),
        ("expand_probs([1.5,-0.5],2,X)", "domain_error(distribution,[1.5,-0.5])", None),
        ("expand_probs(uniform,X)", "domain_error(fixed_size_distribution,uniform)", None),
        ("expand_probs(uniform,0,X)", "domain_error(greater_than_zero,0)", "invalid number of outcomes -- 0"),
        ("expand_probs(uniform,a,X)", "type_error(integer,a)", None),
        ("expand_probs(uniform,_,X)", "instantiation_error", None),
        ("expand_probs(_,3,X)", "instantiation_error", None),
        ("expand_probs([0.5,_],2,X)", "instantiation_error", None),
        ("expand_probs(0:0,2,X)", "domain_error(distribution,0:0)", None),
        ("expand_probs([0.333,0.333,0.333],3,X)", "domain_error(distribution,", None),
        ("expand_probs([0.5|x],2,X)", "domain_error(distribution,[0.5|x])", None),
        (
            "expand_pseudo_counts([1,2],3,X)",
            "prism_runtime_error(unmatched_pseudo_counts)",
            "size unmatched -- ([1,2],3)",
        ),
        ("expand_pseudo_counts(-1,3,X)", "domain_error(hyperparameters,-1)", "invalid hyperparameters -- -1"),
        ("expand_pseudo_counts(peculiar,2,X)", "domain_error(hyperparameters,peculiar)", None),
        ("expand_pseudo_counts(0.5,X)", "domain_error(fixed_size_hyperparameters,0.5)", None),
        ("alpha_to_delta([0],X)", "domain_error(alphas,[0])", "invalid alpha values -- [0]"),
    ],
)
def test_refusals(query, formal, message):
    answer, output = World().ask(query)
    assert answer.startswith(formal)
    assert output.startswith("***  PRISM ERROR: " + (message or ""))


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 10**400])
def test_a_weight_is_a_number_that_a_float_holds(number):
    """The weights of a conditional random field, too, which need not be a distribution."""
    for form in ([number, 1], ("+", number, 1), (":", number, 1)):
        with pytest.raises(distributions.Invalid):
            distributions.weights(form, 2, Flags(), Random(1))
    with pytest.raises(distributions.Invalid):
        distributions.pseudo_counts(number, 2, Flags())


def test_defaults_follow_the_flags():
    m = World()
    m.ask("set_prism_flag(default_sw,f_geometric(3,asc))")
    assert m.value("expand_probs(default,3,X)") == "[0.0769231,0.230769,0.692308]"
    m.ask("set_prism_flag(default_sw_a,2.5)")
    assert m.value("expand_pseudo_counts(default,2,X)") == "[2.5,2.5]"
    m.ask("set_prism_flag(default_sw,none)")
    assert m.ask("expand_probs(default,3,X)")[0] == "prism_runtime_error(default_distribution_unavailable)"
    m.ask("set_prism_flag(default_sw_d,none)")
    answer = m.ask("expand_pseudo_counts(default,3,X)")[0]
    assert answer == "prism_runtime_error(default_hyperparameters_unavailable)"


def test_the_check_can_be_switched_off():
    m = World()
    m.ask("set_prism_flag(error_on_invalid_distribution,off)")
    assert m.value("expand_probs([0.5,0.7],2,X)") == "[0.5,0.7]"


def test_random_forms_are_distributions_around_the_right_values():
    flags, random = Flags(), Random(3)
    for form in ("random", "noisy_u"):
        sums = [0.0] * 4
        for _ in range(2000):
            numbers = distributions.probabilities(form, 4, flags, random)
            assert min(numbers) >= 0
            assert abs(sum(numbers) - 1) < 1e-12
            sums = [s + x for s, x in zip(sums, numbers, strict=True)]
        assert all(abs(s / 2000 - 0.25) < 0.02 for s in sums)


def test_long_geometric_distributions_do_not_overflow():
    numbers = distributions.probabilities(("f_geometric", 10, "asc"), 5000, Flags(), Random(1))
    assert abs(sum(numbers) - 1) < 1e-12
    assert abs(numbers[-1] - 0.9) < 1e-12


def test_long_chains_need_no_recursion():
    m = World()
    chain = "+".join(["0.0005"] * 2000)
    assert m.value(f"expand_probs({chain},X)").startswith("[0.0005,0.0005,")

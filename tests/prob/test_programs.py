"""Programs that are odd: what loading and asking them says."""

from tests.prob.programs import Program


def test_a_switch_without_outcomes_is_refused_where_it_is_used(tmp_path):
    program = Program(tmp_path, "values(c,[]).\nfoo(X) :- msw(c,X).\n")
    for query in ("prob(foo(a),_)", "sample(foo(_))", "set_sw(c,uniform)", "set_sw_d(c,1)", "get_sw(c,_)"):
        assert program.formal(query) == "domain_error(greater_than_zero,0)"
        assert "invalid number of outcomes" in program.output
    assert program.one("get_values1(c,X)") == "[]"


def test_msw_is_not_for_redefinition(tmp_path):
    program = Program(tmp_path, "values(c,[a,b]).\nmsw(1,2).\nfoo(X) :- msw(c,X).\n")
    assert "Trying to redefine built-in" in program.output
    assert program.number("prob(foo(a),P)") == 0.5

"""Programs that are odd: what loading and asking them says."""

import pytest

from prism_repl import PrismError, Session
from tests.support.programs import Program


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


def test_scattered_clauses_are_noticed_in_the_order_of_the_files(tmp_path):
    part = tmp_path / "part.psm"
    part.write_text("\n\n\n\nvalues(d,[a,b]).\nq(X) :- msw(d,X).\n")
    text = (
        "values(c,[h,t]).\n:- include('part.psm').\np(X) :- msw(c,X).\nvalues(e,[a,b]).\n"
        "p(X) :- msw(e,X).\nr(1).\nvalues(f,[a,b],uniform).\nr(2).\n:- discontiguous r/1.\n"
    )
    program = Program(tmp_path, text)
    noticed = [line.split()[-1] for line in program.output.splitlines() if "contiguously" in line]
    assert noticed == ["values/2", "p/1"]


def test_a_setting_that_fails_is_named_with_its_place(tmp_path):
    program = Program(tmp_path, "values(c,[a,b]).\nvalues(d,[a,b],[0.3,0.8]).\np(X) :- msw(c,X).\n")
    place, setting = program.output.splitlines()[-2].rsplit(": ", 1)
    assert place.endswith(":2:1")
    assert setting == "set_sw(d,[0.3,0.8])"


COIN = "values(coin,[h,t]).\np(X) :- msw(coin,X).\n"


@pytest.mark.parametrize(
    ("text", "formal", "message"),
    [
        ("values(s,foo).\n", "type_error(list_or_nil,foo)", "values(s,foo) (bad.psm, 1-1)"),
        ("\nvalues(s,[5-3]).\n", "domain_error(integer_range_inclusive,[5,3])", "(bad.psm, 2-2)"),
        (":- p_table p.\n", "type_error(predicate_indicator,p)", "invalid predicate indicator"),
        (":- p_table p/1.\n:- p_not_table q/1.\n", "prism_translation_error(_)", "co-existing"),
        ("values(s,[a,b]).\np :- \\+ msw(s,a).\n", "prism_translation_error(_)", "negation of a prob"),
        (":- include(nothing).\n", "file_not_found", ""),
    ],
)
def test_a_load_that_fails_leaves_everything_as_it_was(tmp_path, text, formal, message):
    program = Program(tmp_path, ":- dynamic d/1.\n" + COIN)
    bad = tmp_path / "bad.psm"
    bad.write_text(text)
    assert program.ask("set_sw(coin,[0.25,0.75]), set_prism_flag(restart,3)") == [{}]
    assert program.ask(f"catch(prism([restart=7],'{bad}'),error({formal},_),true)") == [{}]
    assert message in program.output
    assert program.number("prob(p(h),P)") == 0.25
    assert program.one("get_prism_flag(restart,X)") == "3"
    assert program.ask("d(_)") == []


def test_a_bad_option_leaves_the_flags_as_they_were(tmp_path):
    program = Program(tmp_path, COIN)
    assert program.ask("set_prism_flag(restart,3)") == [{}]
    path = tmp_path / "program.psm"
    assert (
        program.formal(f"prism([rerank=4,restart=0],'{path}')") == "domain_error(prism_flag_value(restart),0)"
    )
    assert program.ask("get_prism_flag(restart,3), get_prism_flag(rerank,10)") == [{}]


def test_what_a_program_declares_goes_with_it(tmp_path):
    path = tmp_path / "program.psm"
    program = Program(tmp_path, ":- dynamic count/1, note/1.\ncount(0).\n" + COIN)
    for _ in range(2):
        assert program.one("count(X)") == "0"
        assert program.ask("retractall(count(_)), assertz(count(1)), assertz(note(1))") == [{}]
        assert program.ask(f"prism('{path}')") == [{}]
        assert program.ask("note(_)") == []
    path.write_text(COIN)
    assert program.ask(f"prism('{path}')") == [{}]
    for query in ("count(_)", "note(_)"):
        assert program.formal(query).startswith("existence_error(procedure")


@pytest.mark.parametrize(
    "declaration", ["values(s,[a|_]).", "values(s,_).", "values(s,[a,_]).", "values(s,L) :- L = b."]
)
def test_outcomes_that_no_body_makes_a_ground_list_are_not_given(tmp_path, declaration):
    program = Program(tmp_path, declaration + "\np(X) :- msw(s,X).\n")
    for query in ("msw(s,_)", "prob(p(a),_)", "set_sw(s,uniform)", "get_values1(s,_)"):
        assert program.formal(query) == "existence_error(outcome,s)"
        assert "outcome space not given -- s" in program.output
    assert program.ask("get_values(s,_)") == []


def test_outcomes_with_a_body_are_computed_at_each_use(tmp_path):
    program = Program(
        tmp_path,
        ":- dynamic size/1.\nsize(2).\nvalues(s(_),[1-N]) :- size(N).\np(X) :- msw(s(1),X).\n",
    )
    assert program.number("prob(p(2),P)") == 0.5
    assert program.ask("retract(size(2)), assertz(size(1))") == [{}]
    assert program.one("sample(p(X))") == "1"
    assert program.one("soft_msw(s(1),X)") == "1"
    assert program.ask("retract(size(1)), assertz(size(4))") == [{}]
    assert program.number("prob(p(2),P)") == 0.25
    assert program.one("get_sw(s(1),_,X,_)") == "[1,2,3,4]"


def test_another_program_may_declare_other_outcomes_for_switches_that_are_kept(tmp_path):
    program = Program(tmp_path, COIN)
    path = tmp_path / "program.psm"
    assert program.ask("set_sw(coin,[0.25,0.75])") == [{}]
    assert program.ask(f"prism([load],'{path}')") == [{}]
    assert program.number("prob(p(h),P)") == 0.25
    path.write_text(COIN.replace("[h,t]", "[h,t,edge,none]"))
    assert program.ask(f"prism([load],'{path}')") == [{}]
    assert program.number("prob(p(edge),P)") == 0.25


def test_the_load_is_announced_after_the_warnings_and_before_the_directives(tmp_path):
    program = Program(tmp_path, ":- write(running), nl.\np(X,Y) :- msw(s,X).\nvalues(s,[a]).\n")
    lines = program.output.splitlines()
    assert [line.split()[0].split("::")[0] for line in lines] == ["**", "loading", "running"]


OUTSIDE = """
values(coin,[h,t]).
p(X) :- msw(coin,X).
q(X) :- msw(coin,X), msw(coin,edge).
q(X) :- msw(coin,X).
"""


def test_values_outside_the_outcome_space_fail(tmp_path):
    program = Program(tmp_path, OUTSIDE)
    assert program.ask("prob(p(edge),_)") == []
    assert program.ask("prob(msw(coin,edge),_)") == []
    assert program.one("probf(q(h),X)") == "[node(q(h),[path([],[msw(coin,h)])])]"


def test_values_outside_the_outcome_space_may_be_taken(tmp_path):
    program = Program(tmp_path, OUTSIDE)
    assert program.ask("set_prism_flag(fail_on_outcomes,off)") == [{}]
    assert program.number("prob(p(edge),P)") == 0.0
    assert program.number("prob(msw(coin,edge),P)") == 0.0
    assert program.one("probf(p(edge),X)") == "[node(p(edge),[path([],[msw(coin,edge)])])]"
    assert program.one("viterbif(q(h),0.5,X)") == "[node(q(h),[path([],[msw(coin,h)])])]"
    assert program.ask("set_prism_flag(learn_message,none), learn([q(h),count(q(t),3)])") == [{}]
    assert program.one("get_sw(coin,_,_,[X,_])") == "0.25"
    assert program.one("get_reg_sw_list(X)") == "[coin]"
    assert program.formal("learn([p(edge)])") == "prism_runtime_error(invalid_numeric_value)"
    assert program.ask("sample(p(edge))") == []
    assert program.ask("set_prism_flag(fail_on_outcomes,on), prob(p(edge),_)") == []


def test_a_file_cannot_include_itself(tmp_path):
    program = Program(tmp_path, COIN)
    (tmp_path / "one.psm").write_text(":- include('two.psm').\n")
    (tmp_path / "two.psm").write_text("a(1).\n:- include('one.psm').\n")
    formal = "permission_error(include,source_sink,'one.psm')"
    assert program.formal(f"prism('{tmp_path}/one')") == formal
    assert program.formal(f"consult('{tmp_path}/one.psm')") == formal
    (tmp_path / "one.psm").write_text(":- include('part.psm').\n:- include('part.psm').\n")
    (tmp_path / "part.psm").write_text("b(1).\n")
    assert program.ask(f"prism('{tmp_path}/one'), b(1)") == [{}, {}]


def test_a_consulted_program_has_no_tables_to_show(tmp_path):
    program = Program(tmp_path, COIN)
    assert program.ask(f"prism([consult],'{tmp_path}/program')") == [{}]
    assert program.ask("show_tabled_preds") == [{}]
    assert program.output == ""
    assert program.ask("set_prism_flag(warn,on), show_tabled_preds") == [{}]
    assert program.output == "***  PRISM WARNING: tabling disabled in the consultation mode\n"
    assert program.ask(f"prism('{tmp_path}/program'), show_tabled_preds") == [{}]
    assert program.output.endswith("Tabled probabilistic predicates:\n  p/1\n")


def typed(*texts):
    """A session and what it printed; what it reads is typed in, text by text."""
    lines = [line + "\n" for text in texts for line in [*text.split("\n"), "end_of_file."]]
    printed = []
    return Session(printed.append, read_line=lambda: lines.pop(0) if lines else ""), printed


def test_a_second_program_keeps_the_predicates_of_the_first(tmp_path):
    (tmp_path / "one.psm").write_text(
        "values(a,[0,1]).\np(X) :- msw(a,X).\nhelper(1).\n:- dynamic fact/1.\nfact(2).\n"
    )
    (tmp_path / "two.psm").write_text("values(b,[0,1]).\nq(X) :- msw(b,X), helper(_).\np(plain).\n")
    session = Session(lambda text: None)
    session.prism(tmp_path / "one.psm")
    session.once("assertz(fact(3))")
    session.prism(tmp_path / "two.psm")
    assert session.once("prob(q(1),P)")["P"] == 0.5
    assert session.once("findall(X,fact(X),L)")["L"] == [2, 3]
    assert session.once("findall(X,p(X),L)")["L"] == ["plain"]  # defined anew, and no longer probabilistic
    with pytest.raises(PrismError, match="probabilistic_atom"):
        session.once("prob(p(0))")
    assert not session.once("is_prob_pred(p/1)")
    # Loaded again, a program is what its file says now.
    (tmp_path / "two.psm").write_text("values(b,[0,1]).\nr(X) :- msw(b,X).\n")
    session.prism(tmp_path / "two.psm")
    with pytest.raises(PrismError, match="q/1"):
        session.once("q(_)")


def test_a_model_can_be_typed_in():
    session, _ = typed(
        "values(c,[h,t],[0.2,0.8]).\nflip(X) :- msw(c,X).", "two(X,Y) :- flip(X), msw(c,Y).\nplain."
    )
    session.once("[user]")
    assert session.once("prob(flip(h),P)")["P"] == 0.2
    session.once("[user]")  # joins the model
    assert session.once("prob(two(h,t),P)")["P"] == pytest.approx(0.16)
    assert session.once("prob(flip(h),P)")["P"] == 0.2


def test_prism_user():
    session, printed = typed(
        "values(c,[h,t]).\nflip(X) :- msw(c,X).", "values(d,[h,t]).\nflop(X) :- msw(d,X)."
    )
    session.once("prism(user)")
    assert session.once("prob(flip(h),P)")["P"] == 0.5
    session.once("prism(user)")
    assert "".join(printed).count("loading::user.out") == 2
    with pytest.raises(PrismError, match="probabilistic_atom"):
        session.once("prob(flip(h),P)")


META = """
values(c,[a,b],[0.3,0.7]).
in_call(X) :- msw(c,X), call(msw(c,Y)), X = Y.
mapped(L) :- msw(c,_), maplist(one,L).
found(L) :- msw(c,_), findall(X,msw(c,X),L).
one(X) :- msw(c,X).
only_in_a_call(X) :- call(one,X).
"""


def test_goals_in_meta_calls_are_explored(tmp_path):
    """PRISM throws the switches there, so that a probability depends on chance."""
    program = Program(tmp_path, META)
    assert program.number("prob(in_call(b),P)") == pytest.approx(0.49)
    assert program.number("prob(mapped([a,b]),P)") == pytest.approx(0.21)
    assert program.number("prob(found([a,b]),P)") == pytest.approx(1.0)
    assert program.formal("prob(only_in_a_call(a),_)") == "type_error(probabilistic_atom,only_in_a_call(a))"


def test_a_program_that_is_loaded_again_as_byte_code_is_not_complained_about(tmp_path):
    program = Program(tmp_path, "values(c,[a,b]).\np(X) :- msw(c,X), Z = 1.\nq :- .\nvalues(d,[a,b]).\n")
    assert "singleton" in program.output
    path = next(tmp_path.glob("*.psm"))
    assert program.ask(f"prism([load],'{path}')") == [{}]
    assert program.output == f"loading::{path}.out\n% 1 error(s) in {path.name}\n"
    path.write_text(path.read_text() + "r :- Z = 1.\n")
    assert program.ask(f"prism([load],'{path}')") == [{}]
    assert program.output.count("singleton") == 2


@pytest.mark.parametrize("trials", ["fresh", "once"])
def test_samples_that_a_clause_draws_are_no_part_of_its_explanations(tmp_path, trials):
    program = Program(
        tmp_path,
        "values(c,[h,t]).\nvalues(d,[1-6]).\nroll(X) :- msw(d,X).\n"
        "p(X,Seen) :- msw(c,X), get_samples(50,roll(_),Gs), sort(Gs,Seen).\n"
        "q(X,N) :- msw(c,X), get_samples_c([inf,2],roll(Y),Y > 4,Gs,_), length(Gs,N).\n",
    )
    assert program.ask(f"set_prism_flag(trials,{trials})") == [{}]
    assert program.number("prob(p(h,_),P)") == 0.5
    assert program.number("prob(q(h,2),P)") == 0.5
    assert program.number("viterbig(p(h,L)), length(L,P)") > 3  # they are drawn, not searched
    assert program.number("prob(roll(1),P)") == pytest.approx(1 / 6)


def test_a_program_that_loads_itself(tmp_path):
    path = tmp_path / "again.psm"
    path.write_text("values(c,[a,b]).\np(X) :- msw(c,X).\n:- prism('again.psm').\n")
    session = Session(output=lambda text: None)
    answer = next(session.ask(f"cd('{tmp_path}'), prism('again.psm')"))
    shown = str(answer.error) if answer.error is not None else session.complaint
    assert "resource_error" not in shown
    assert session.prob("p(a)") == 0.5


def test_a_clause_with_many_alternatives(tmp_path):
    n = 2000
    path = tmp_path / "many.psm"
    chain = "".join(f"( X == {i} -> Y = {i} ; " for i in range(n)) + "Y = none" + " )" * n
    path.write_text(f"values(c,[a,b]).\np(X,Y) :- {chain}, msw(c,a).\n")
    session = Session(output=lambda text: None)
    session.prism(path)
    assert session.prob("p(150,150)") == 0.5
    assert session.prob("p(x,none)") == 0.5


def test_subscripts_within_subscripts(tmp_path):
    session = Session(output=lambda text: None)
    session.program(
        "nest(0,E,E) :- !.\nnest(N,E,R) :- M is N-1, new_array(F,[1]), arg(1,F,1), nest(M,F^[E],R).\n"
    )
    assert session.once("nest(100,1,E), X is E")["X"] == 1
    for evaluate in ("X is E", "X @= E", "X := E"):
        with pytest.raises(PrismError, match="array_subscripts"):
            session.once(f"nest(30000,1,E), {evaluate}")
    assert session.once("nest(400,1,E), X is E+E")["X"] == 2

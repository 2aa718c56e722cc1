"""PRISM's predicates that are written in Prolog: get_sw, sampling, maps and folds, write_call."""

import pytest

from prism_repl import Session
from prism_repl.prolog.builtins.registry import with_context
from tests.support.prism import Prism

VALUES = [
    "values(fruit,[apple,pear,plum])",
    "values(ripe(_),[yes,no])",
    "values(pair(X,X),[same])",
    "values(pair(_,_),[left,right])",
    "(values(made(N),Vs):-N>0,findall(item(I),between(1,N,I),Vs))",
    "values(always,[yes,no])",
]


@pytest.fixture(scope="module")
def shared():
    return Prism()


@pytest.fixture
def prism():
    return Prism(
        program=["certain(X):-msw(always,X)", "picky(X):-msw(fruit,X),X==fig", "two(X):-soft_msw(ripe(a),X)"],
        values=VALUES,
    )


# ---- outcome spaces and switches


def test_get_values(prism):
    assert prism.all("get_values(pair(1,1),X)") == ["[same]", "[left,right]"]
    assert prism.all("get_values1(pair(1,1),X)") == ["[same]"]
    assert prism.all("get_values(made(2),X)") == ["[item(1),item(2)]"]
    assert prism.all("get_values(made(0),X)") == []
    assert prism.all("get_values0(nothing,X)") == []
    assert prism.formal("get_values1(made(0),_)") == "existence_error(outcome,made(0))"
    assert Prism().formal("get_values(a,_)") == "msw_declaration_not_found"
    assert Prism().all("get_values0(a,X)") == []


def test_get_sw(prism):
    prism.ask("set_sw(fruit,[0.5,0.3,0.2])")
    prism.ask("fix_sw(ripe(pear),[0.9,0.1])")
    assert prism.all("get_sw(X)") == [
        "switch(fruit,unfixed,[apple,pear,plum],[0.5,0.3,0.2])",
        "switch(ripe(pear),fixed,[yes,no],[0.9,0.1])",
    ]
    assert prism.all("get_sw(ripe(N),X)", "N") == ["pear"]
    assert prism.all("get_sw(fruit,X)") == ["[unfixed,[apple,pear,plum],[0.5,0.3,0.2]]"]
    assert prism.all("get_sw(fruit,_,_,X)") == ["[0.5,0.3,0.2]"]
    assert prism.ask("get_sw(fruit,_,_,_,_)") == []
    assert prism.all("get_sw_pa(fruit,X)") == ["[[unfixed,unfixed],[apple,pear,plum],[0.5,0.3,0.2],[1,1,1]]"]
    assert prism.all("get_sw_b(fruit,_,_,_,X)") == ["[0,0,0]"]
    assert prism.all("get_sw_h(X)") == ["switch(fruit,unfixed,[apple,pear,plum],[0,0,0])"]
    assert prism.all("get_reg_sw(X)") == ["fruit", "ripe(pear)"]
    assert prism.ask("get_sw(fruit,foo)") == []
    assert prism.formal("get_sw(banana,_)") == "existence_error(outcome,banana)"


def test_get_prism_flag(prism):
    assert prism.all("get_prism_flag(X,V)")[:3] == ["clean_table", "crf_enable", "crf_annealing_weight"]
    assert prism.all("get_prism_flag(default_sw_a,X)") == ["'$disabled'"]
    assert prism.all("get_prism_flag(data_source,X)") == ["data/1"]
    assert prism.all("get_prism_flag(threads,X)") == ["auto"]
    assert prism.ask("get_prism_flag(no_such,_)") == []
    assert prism.ask("get_prism_flag(3,_)") == []
    assert prism.all("current_prism_flag(restart,X)") == ["1"]


# ---- sampling


def test_sampling(prism):
    prism.m.prob.probabilistic |= {("certain", 1), ("picky", 1), ("two", 1)}
    prism.ask("set_sw(always,[1,0])")
    assert prism.all("sample(certain(X))") == ["yes"]
    assert prism.all("msw(always,X)") == ["yes"]
    assert prism.ask("msw(always,no)") == []
    assert prism.all("get_samples(2,certain(_),X)") == ["[certain(yes),certain(yes)]"]
    assert prism.ask("get_samples(2,picky(_),X)") == []
    assert prism.all("get_samples_c(3,picky(_),X)") == ["[]"]
    assert prism.output == "sampling -- #success = 0\nsampling -- #failure = 3\n"
    assert prism.ask("get_samples_c([10,3],certain(Y),Y=yes,X,[S,F])")[0]["S"] == "3"
    assert prism.all("get_samples_c([inf,2],[certain(Y),seen(Y)],true,X,[_,_])") == ["[seen(yes),seen(yes)]"]
    assert sorted(prism.all("two(X)")) == ["no", "yes"]
    assert prism.all("b_msw(always,X)") == ["yes"]


@pytest.mark.parametrize(
    ("query", "formal"),
    [
        ("sample(nope(1))", "type_error(probabilistic_atom,nope(1))"),
        ("sample(_)", "instantiation_error"),
        ("sample(3)", "type_error(callable,3)"),
        ("get_samples(0,certain(_),_)", "domain_error(greater_than_zero,0)"),
        ("get_samples(a,certain(_),_)", "type_error(integer,a)"),
        ("get_samples(2,nope,_)", "type_error(probabilistic_atom,nope)"),
        ("get_samples_c([0,1],certain(_),true,_)", "domain_error(infinity_or_greater_than_zero,0)"),
        ("get_samples_c([inf,0],certain(_),true,_)", "domain_error(greater_than_zero,0)"),
        ("get_samples_c(1,certain(_),3,_)", "type_error(callable,3)"),
        ("msw(undeclared,_)", "existence_error(outcome,undeclared)"),
        ("msw(_,_)", "instantiation_error"),
        ("soft_msw(f(_),_)", "instantiation_error"),
    ],
)
def test_sampling_errors(prism, query, formal):
    prism.m.prob.probabilistic |= {("certain", 1)}
    assert prism.formal(query) == formal


@pytest.mark.parametrize("rest", ["X", "true,X", "true,X,_"])
def test_errors_of_get_samples_c_name_what_was_called(prism, rest):
    arity = 2 + len(rest.split(","))
    assert prism.one(f"catch(get_samples_c(0,certain(_),{rest}),error(_,X),true)") == f"get_samples_c/{arity}"


# ---- lists


@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("maplist(X,X>0,[1,2]), X=ok", ["ok"]),
        ("maplist(Y,Y>1,[1,2]), X=ok", []),
        ("maplist(A,B,B is A*A,[1,2,3],X)", ["[1,4,9]"]),
        ("maplist(in(A),out(A,A),true,[in(1),in(k)],X)", ["[out(1,1),out(k,k)]"]),
        ("maplist(A,B,C,C is A+B,[1,2],[10,20],X)", ["[11,22]"]),
        ("maplist(A,B,C,C is A+B,[1,2],[10],X)", []),
        ("maplist_func(atom_length,[ab,cde],X)", ["[2,3]"]),
        ("maplist_math(-,[1,-2],X)", ["[-1,2]"]),
        ("maplist_math(max,[1,5],[3,2],X)", ["[3,5]"]),
        ("reducelist(A,E,B,B is A*10+E,[1,2,3],0,X)", ["123"]),
        ("reducelist_func(append,[[tea],[jam]],[egg],X)", ["[egg,tea,jam]"]),
        ("reducelist_math(*,[],1,X)", ["1"]),
        ("sublist(X,[a,b])", ["[]", "[a]", "[a,b]", "[]", "[b]", "[]"]),
        ("sublist(X,[a,b,c,d],1,3)", ["[b,c]"]),
        ("sublist([b,c],[a,b,c,d],I,X)", ["3"]),
        ("sublist(X,b)", []),
        ("splitlist(X,_,[1,2],_)", ["[]", "[1]", "[1,2]"]),
        ("splitlist(_,X,[1,2,3],1)", ["[2,3]"]),
        ("splitlist(X,_,[1],3)", []),
        ("grouplist([a,b],2,_,X)", ["[[],[a,b]]", "[[a],[b]]", "[[a,b],[]]"]),
        ("grouplist([a,b,c,d,e],2,[2,3],X)", ["[[a,b],[c,d,e]]"]),
        ("grouplist([a,b,c],2,[2,2],X)", []),
        ("custom_sort(@>,[b,a,c,a],X)", ["[c,b,a,a]"]),
        ("custom_sort(A,B,(A=_-P,B=_-Q,P<Q),[a-3,b-1,c-2,d-1],X)", ["[b-1,d-1,c-2,a-3]"]),
        ("custom_sort(A,B,(A=_-P,B=_-Q,P=<Q),[a-3,b-1,c-2,d-1],X)", ["[b-1,d-1,c-2,a-3]"]),
        ("custom_sort(@<,[],X)", ["[]"]),
    ],
)
def test_lists(shared, query, values):
    assert shared.all(query) == values


@pytest.mark.parametrize(
    ("query", "formal"),
    [
        ("maplist_math(+,[a],[1],_)", "type_error(evaluable,a/0)"),
        ("maplist_func(_,[a])", "instantiation_error"),
        ("maplist_func(3,[a])", "type_error(atom,3)"),
        ("splitlist(_,_,[a],x)", "type_error(integer,x)"),
        ("grouplist([a],0,_,_)", "domain_error(greater_than_zero,0)"),
        ("custom_sort(@<,b,_)", "type_error(list,b)"),
        ("custom_sort(_,_,_,[a,b],_)", "instantiation_error"),
        ("maplist_math(f(x),[1],_)", "type_error(atom,f(x))"),
        ("reducelist(_,_,_,3,[a],b,_)", "type_error(callable,3)"),
        ("maplist(_,3,[a])", "type_error(callable,3)"),
        ("maplist(_,_,3,[a],_)", "type_error(callable,3)"),
        ("number_sort([1,a],_)", "type_error(number,a)"),
    ],
)
def test_list_errors(shared, query, formal):
    assert shared.formal(query) == formal


def test_list_errors_name_the_predicate(shared):
    assert shared.ask("custom_sort(@<,b,_)").endswith(",custom_sort/3)")
    assert shared.ask("grouplist(b,1,_,_)").endswith(",grouplist/4)")


# ---- write_call


def test_write_call(shared):
    assert shared.all("write_call(member(X,[tea,milk]))") == ["tea", "milk"]
    lines = shared.output.split("\n")
    assert [line.split(" ")[0] for line in lines] == [
        "[Call]",
        "[Exit]",
        "[Redo]",
        "[Exit]",
        "[Redo]",
        "[Fail]",
        "",
    ]
    assert lines[1:5] == [
        "[Exit] member(tea,[tea,milk])",
        "[Redo] member(tea,[tea,milk])",
        "[Exit] member(milk,[tea,milk])",
        "[Redo] member(milk,[tea,milk])",
    ]
    shared.ask("write_call([indent(2),marker(m),exit],atom('A'))")
    assert shared.output == "  [Exit:m] atom('A')\n"
    shared.ask("??- 2 = 1")
    assert shared.output == "[Fail] 2=1\n"
    shared.ask("??< (true,true)", limit=1)
    assert shared.output == "[Exit] true,true\n"


def test_write_call_events(shared):
    for flag, printed in [("exit", "[Exit] 1=1\n"), ("none", ""), ("off", "")]:
        shared.ask(f"set_prism_flag(write_call_events,{flag})")
        shared.ask("write_call(X = 1)", limit=1)
        assert shared.output == printed
    shared.ask("write_call([call],2 = 1)")
    assert shared.output == ""
    shared.ask("reset_prism_flags")


@pytest.mark.parametrize(
    ("query", "formal"),
    [
        ("write_call([bogus],true)", "prism_runtime_error(unknown_option)"),
        ("write_call(foo,true)", "type_error(list_or_nil,foo)"),
        ("write_call(_)", "instantiation_error"),
        ("write_call((a;b))", "domain_error(watchable_goal,(a ;  b))"),
        ("write_call(3)", "type_error(callable,3)"),
    ],
)
def test_write_call_errors(shared, query, formal):
    assert shared.formal(query) == formal


def test_one_of_many_ground_names_is_found_at_once(tmp_path):
    """The last of thousands of declarations with the same functor costs as many calls as the first."""
    path = tmp_path / "many.psm"
    names = "".join(f"values(rule({i},{i % 7}),[a,b]).\n" for i in range(2000))
    path.write_text(names + "values(rule(_,x),[c]).\nvalues(rule(5,_),[d]).\n")
    session = Session([].append)
    session.prism(path)
    query = "statistics(inferences,A), get_values(rule({}),V), statistics(inferences,B), N is B-A"
    calls = [session.once(query.format(name))["N"] for name in ("0,0", "1999,4", "1000,6", "7,x")]
    assert len(set(calls)) <= 2
    assert max(calls) - min(calls) <= 2
    assert [dict(a.bindings)["V"] for a in session.ask("get_values(rule(5,5),V)")] == ["[a,b]", "[d]"]
    assert session.once("findall(N,get_values(rule(N,6),_),L), length(L,K)")["K"] == 286


def test_outcomes_of_an_atomic_name_are_found_by_clauses_alone(tmp_path):
    """A search looks ahead through clauses, not through predicates of the host."""
    path = tmp_path / "names.psm"
    path.write_text("values(coin,[head,tail]).\nvalues(7,[a,b]).\nvalues(2.5,[c]).\nvalues(f(coin),[d]).\n")
    session = Session([].append)
    session.prism(path)
    program = session.machine.program
    asked = []
    host = program.host_names.index(("$values_key", 2))
    program.hosts[host] = lambda m, name, key: asked.append(name)
    for name, outcomes in [("coin", [["head", "tail"]]), ("7", [["a", "b"]]), ("2.5", [["c"]]), ("none", [])]:
        assert session.once(f"findall(V,get_values({name},V),L)")["L"] == outcomes
    assert asked == []
    session.once("get_values(f(coin),V)")
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("query", "source"),
    [
        ("sumlist([1,a],_)", "sumlist/2"),
        ("sum_list([a],_)", "sum_list/2"),
        ("max_list([1,a],_)", "max_list/2"),
        ("min_list([a],_)", "min_list/2"),
        ("aggregate_all(sum(a),true,_)", "aggregate_all/3"),
        ("aggregate_all(max(a),true,_)", "aggregate_all/3"),
        ("aggregate_all(max(X,X),member(X,[1,a]),_)", "aggregate_all/3"),
        ("minof(member(X,[1,a]),X)", "minof/2"),
        ("foreach(X in 1..a, true)", "foreach/2"),
        ("foreach(X in 1..a..3, true)", "foreach/2"),
        ("X := a", ":= /2"),
        ("A = f(1), A[1] := a", ":= /2"),
        ("A = f(1), A[2] := 1", ":= /2"),
        ("A = f(1), A[2] @:= 1", "@:= /2"),
    ],
)
def test_errors_of_expressions_name_what_was_called(shared, query, source):
    assert shared.ask(query).endswith(f",{source})")


def test_exhaustion_names_what_was_called(shared):
    def exhausted(m):
        raise MemoryError

    shared.m.program.define_host("$exhausted", 0, with_context(exhausted, ("loud", 2)))
    assert shared.ask("'$exhausted'") == "error(resource_error(memory),loud/2)"

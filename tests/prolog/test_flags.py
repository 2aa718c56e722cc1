"""Flags, operators, global variables, hash tables, arrays."""

import pytest

import prism_repl.prolog.builtins  # noqa: F401
from prism_repl.core.errors import PrologHalt
from tests.support.term_values import Host, run

CASES = [
    ("set_prolog_flag(unknown,fail)", {}),
    ("set_prolog_flag(X,off)", "instantiation_error"),
    ("set_prolog_flag(5,decimals)", "type_error(atom,5)"),
    ("set_prolog_flag(date,'July 1999')", "domain_error(prolog_flag,date)"),
    ("set_prolog_flag(unknown,1)", "domain_error(flag_value,unknown+1)"),
    ("set_prolog_flag(bounded,true)", "permission_error(modify,flag,bounded)"),
    ("'$flags'(bounded,L)", {"L": "[bounded-false]"}),
    ("'$flags'(1,L)", "type_error(atom,1)"),
    ("'$flags'(nonsense,L)", "domain_error(prolog_flag,nonsense)"),
    ("op(30,xfy,++)", {}),
    ("op(max,xfy,++)", "type_error(integer,max)"),
    ("op(-30,xfy,++)", "domain_error(operator_priority,-30)"),
    ("op(1201,xfy,++)", "domain_error(operator_priority,1201)"),
    ("op(30,XFY,++)", "instantiation_error"),
    ("op(30,yfy,++)", "domain_error(operator_specifier,yfy)"),
    ("op(30,1,++)", "type_error(atom,1)"),
    ("op(30,xfy,0)", "type_error(list,0)"),
    ("op(30,xfy,[a,0])", "type_error(atom,0)"),
    ("op(30,xfy,[a|_])", "instantiation_error"),
    ("op(30,xfy,',')", "permission_error(modify,operator,',')"),
    ("op(30,xfy,[a,','])", "permission_error(modify,operator,',')"),
    ("op(30,xfy,[])", "permission_error(create,operator,[])"),
    ("'$ops'(P,T,mod,L)", {"L": "[op(400,yfx,mod)]"}),
    ("'$ops'(1201,T,N,L)", "domain_error(operator_priority,1201)"),
    ("'$ops'(P,yfy,N,L)", "domain_error(operator_specifier,yfy)"),
    ("'$ops'(P,T,1,L)", "type_error(atom,1)"),
    ("halt(abc)", "type_error(integer,abc)"),
    ("halt(_)", "instantiation_error"),
    ("statistics(nonsense,_)", "domain_error(statistics_key,nonsense)"),
    ("nb_getval(never,X)", "existence_error(variable,never)"),
    ("nb_setval(_,1)", "instantiation_error"),
    ("new_array(A,[3])", {"A": "[](_,_,_)"}),
    ("new_array(A,[])", "domain_error(non_empty_list,[])"),
    ("new_array(A,[0])", "domain_error(greater_than_zero,0)"),
    ("hashtable_get(x,a,V)", "type_error(hashtable,x)"),
    ("list_to_bigarray([a,b],A)", {"A": "'$bigarray'(2,array(a,b))"}),
    ("bigarray_get('$bigarray'(2,array(a,b)),2,X)", {"X": "b"}),
    ("bigarray_get('$bigarray'(2,array(a,b)),3,X)", "domain_error(bigarray_index,3)"),
    ("bigarray_length('$bigarray'(2,array(a,b)),X)", {"X": "2"}),
    ("bigarray_to_list('$bigarray'(2,array(a,b)),X)", {"X": "[a,b]"}),
]


@pytest.mark.parametrize(("goal", "expected"), CASES, ids=[goal for goal, _ in CASES])
def test_builtin(goal, expected):
    result = run(Host(), goal)
    if isinstance(result, dict):
        result = {n: t if "_" not in expected.get(n, "") else expected[n] for n, t in result.items()}
    assert result == expected


def test_statistics():
    m = Host()
    first = run(m, "statistics(runtime,[A,B])")
    assert int(first["A"]) >= int(first["B"]) >= 0
    assert int(run(m, "cputime(T)")["T"]) >= 0


def test_halt():
    with pytest.raises(PrologHalt) as caught:
        run(Host(), "halt(3)")
    assert caught.value.status == 3


def test_global_variables():
    m = Host()
    assert run(m, "nb_setval(k,f(X,Y,X))") == {}
    assert run(m, "nb_getval(k,f(a,b,Z))") == {"Z": "a"}
    assert run(m, "global_set(cnt,5)") == {}
    assert run(m, "global_get(cnt,X)") == {"X": "5"}


def test_operator_list_is_all_or_nothing():
    m = Host()
    run(m, "op(30,xfy,[zig,','])")
    assert m.operators.infix("zig") is None
    assert run(m, "op(30,xfy,[zig,zag])") == {}
    assert m.operators.infix("zag") == (30, "xfy")


def test_hash_tables():
    from prism_repl.prolog.builtins import stores
    from tests.support.term_values import build, value_of

    m = Host()
    table = m.new_var()
    assert stores.new_hashtable1(m, table)
    table = stores.hashtable(m, m.deref(table))
    for i in range(500):
        assert stores.hashtable_put(m, table, build(m, ("k", i, "a")), m.int_cell(i))
    mark = m.heap.TR
    assert stores.hashtable_put(m, table, build(m, ("k", 7, "a")), m.atom("seven"))
    assert stores.hashtable_register(m, table, m.atom("new"), m.int_cell(1))
    assert not stores.hashtable_register(m, table, m.atom("new"), m.int_cell(2))
    x = m.new_var()
    assert stores.hashtable_get(m, table, build(m, ("k", 7, "a")), x)
    assert value_of(m, x) == "seven"
    size = m.new_var()
    assert stores.hashtable_size(m, table, size)
    assert value_of(m, size) == 501
    m.undo_to(mark)
    x = m.new_var()
    assert stores.hashtable_get(m, table, build(m, ("k", 7, "a")), x)
    assert value_of(m, x) == 7
    assert not stores.hashtable_get(m, table, m.atom("new"), x)
    keys = m.new_var()
    assert stores.hashtable_keys_to_list(m, table, keys)
    assert sorted(value_of(m, keys)) == [("k", i, "a") for i in range(500)]
    assert not stores.hashtable_get(m, table, m.float_cell(1.0), x)

"""Statistical measures of lists, counting, filtering, sorting and grouping."""

import pytest

from prism_repl.prolog.writer import write_term
from tests.support.world import World

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("avglist([1,2,3,4],X)", "2.5"),
        ("gmeanlist([1,10,100],X)", "10.0"),
        ("hmeanlist([1,2,4],X)", "1.71429"),
        ("varlistp([1,2,3,4],X)", "1.25"),
        ("varlist([1,2,3,4],X)", "1.66667"),
        ("stdlistp([2,4,4,4,5,5,7,9],X)", "2.0"),
        ("stdlist([2,4,4,4,5,5,7,9],X)", "2.13809"),
        ("semlistp([1,2,3,4],X)", "0.559017"),
        ("semlist([1,2,3,4],X)", "0.645497"),
        ("skewlistp([1,2,2,9],X)", "1.09703"),
        ("skewlist([1,2,2,9],X)", "1.9001"),
        ("kurtlistp([1,2,2,9,4],X)", "-0.322038"),
        ("kurtlist([1,2,2,9,4],X)", "2.71185"),
        ("modelist([b,a,b,a,c],X)", "a"),
        ("amodelist([b,a,b,a,c],X)", "[a,b]"),
        ("rmodelist([b,a,b],X)", "b"),
        ("pmodelist([a,a,a],X)", "a"),
        ("medianlist([5,1,3],X)", "3"),
        ("medianlist([5,1,3,4],X)", "3.5"),
        ("maxlist([3,1,2.5],X)", "3"),
        ("minlist([2,1.0,1],X)", "1.0"),
        ("varlistp([1],X)", "0.0"),
        ("lngamma(5,X)", "3.17805"),
        ("countlist([b,a,b,c,a,b],X)", "[b=3,a=2,c=1]"),
        ("countlist(box(_),[box(_),box(x),box(_),lid(_)],X)", "2"),
        ("countlist([],X)", "[]"),
        ("filter(box(_),[box(1),lid(2),_,box(a)],X)", "[box(1),box(a)]"),
        ("filter_not(box(_),[box(1),lid(2),h],X)", "[lid(2),h]"),
        ("filter(p(A,A),[p(1,1),p(1,2),p(B,C),p(D,D)],_,X)", "2"),
        ("number_sort([3,1.5,2,-1,1.5],X)", "[-1,1.5,1.5,2,3]"),
        ("egrouplist([a,b,c,d,e,f,g],3,X)", "[[a,b,c],[d,e],[f,g]]"),
        ("egrouplist([a,b],3,X)", "[[a],[b],[]]"),
    ],
)
def test_values(query, value):
    assert World().value(query) == value


def test_several_measures_at_once():
    m = World()
    m.ask("agglist([3,1,4,1,5],[sem=A,skew=B,kurt=C,len=D,sum=E,mode=F])")

    values = [write_term(m, m.bindings[v]) for v in "ABCDEF"]
    assert values == ["0.8", "0.0524078", "-2.32422", "5", "14", "1"]


@pytest.mark.parametrize(
    ("query", "formal", "message"),
    [
        (
            "avglist([],X)",
            "type_error(list_not_shorter_than(1),[])",
            "invalid argument; list not shorter than 1 expected -- []",
        ),
        ("avglist([a],X)", "domain_error(numbers,[a])", "invalid argument; list of numbers expected -- [a]"),
        (
            "varlist([1],X)",
            "type_error(list_not_shorter_than(2),[1])",
            "invalid argument; list not shorter than 2",
        ),
        (
            "kurtlist([1,2,3],X)",
            "type_error(list_not_shorter_than(4),[1,2,3])",
            "invalid argument; list not shorter",
        ),
        ("avglist(_,X)", "instantiation_error", "invalid argument; list not shorter than 1 expected -- _"),
        (
            "avglist(abc,X)",
            "type_error(list,abc)",
            "invalid argument; list not shorter than 1 expected -- abc",
        ),
        ("agglist([1],X)", "instantiation_error", "invalid argument; list not shorter than 1 expected -- _"),
        (
            "agglist([1],[bogus=X])",
            "domain_error(agglist_operation,bogus)",
            "invalid agglist operation -- bogus",
        ),
        ("gmeanlist([0,1],X)", "evaluation_error(undefined)", None),
        ("hmeanlist([0,1],X)", "evaluation_error(zero_divisor)", None),
        ("hmeanlist([1,-1],X)", "evaluation_error(zero_divisor)", None),
        ("countlist(a,b,X)", "type_error(list,b)", "invalid argument; list expected -- b"),
        ("countlist(_,X)", "instantiation_error", "invalid argument; list expected -- _"),
        (
            "egrouplist([a,b],0,X)",
            "domain_error(greater_than_zero,0)",
            "invalid argument; positive integer expected -- 0",
        ),
        ("number_sort([b,a],X)", "type_error(number,b)", None),
        (
            "lngamma(0,X)",
            "domain_error(greater_than_zero,0)",
            "invalid argument -- 0",
        ),
    ],
)
def test_refusals(query, formal, message):
    answer, output = World().ask(query)
    assert answer.startswith(formal)
    assert output.startswith("***  PRISM ERROR: " + message if message else "")

"""between/3 counts in the machine: with choice points that are cut, collected, interrupted, gone back to."""

import pytest

from tests.support.sizes import sized
from tests.support.solve import Prolog

pytestmark = pytest.mark.quick

SMALL = (1 << 60) - 1  # the largest integer that is no big one


@pytest.fixture(scope="module")
def prolog():
    return Prolog()


@pytest.mark.parametrize(
    ("query", "answers"),
    [
        ("between(1,3,X)", ["X=1", "X=2", "X=3"]),
        ("between(3,3,X)", ["X=3"]),
        ("between(3,1,X)", []),
        ("between(1,3,3)", ["true"]),
        ("between(1,3,4)", []),
        ("between(-2,-1,X)", ["X=-2", "X=-1"]),
        (f"between({SMALL - 1},{SMALL},X)", [f"X={SMALL - 1}", f"X={SMALL}"]),
        (f"between({SMALL},{SMALL + 2},X)", [f"X={SMALL + i}" for i in range(3)]),
        (f"between({SMALL + 1},{SMALL + 2},X)", [f"X={SMALL + 1}", f"X={SMALL + 2}"]),
        (f"between(1,{SMALL + 2},{SMALL + 1})", ["true"]),
        (f"between(1,3,{SMALL + 1})", []),
        ("between(1,2,X), between(X,2,Y)", ["X=1, Y=1", "X=1, Y=2", "X=2, Y=2"]),
        ("between(1,3,X), !", ["X=1"]),
        ("between(1,3,X), ( X >= 2 -> true ; fail ), !", ["X=2"]),
        ("X = Y, between(1,2,Y)", ["X=1, Y=1", "X=2, Y=2"]),
        ("between(1,3,X), X > 1, between(1,2,X)", ["X=2"]),
        ("catch((between(1,9,X), X > 2, throw(ball(X))), ball(Y), true)", ["Y=3"]),
        ("findall(X-Y,(between(1,2,X), between(1,2,Y)),L)", ["L=[1-1,1-2,2-1,2-2]"]),
        ("between(_,3,X)", ["instantiation_error"]),
        ("between(1,_,X)", ["instantiation_error"]),
        ("between(a,3,X)", ["type_error(integer,a)"]),
        ("between(1,3,a)", ["type_error(integer,a)"]),
        ("between(1,3,1.0)", ["type_error(integer,1.0)"]),
        ("freeze(X, X > 1), between(1,3,X)", ["X=2", "X=3"]),
        ("freeze(X, X > 1), between(1,1,X)", []),
        ("freeze(X, Y is X * X), between(1,3,X), Y > 5", ["X=3, Y=9"]),
        ("call(between,1,2,X)", ["X=1", "X=2"]),
        ("call(between(1),2,X)", ["X=1", "X=2"]),
    ],
)
def test_between(prolog, query, answers):
    assert prolog.answers(query) == answers


def test_errors_name_between(prolog):
    found = prolog.answers("catch(between(a,3,_),error(_,Where),true)")
    assert found == ["Where=between/3"]


def test_the_variable_moves_when_garbage_is_collected():
    prolog = Prolog()
    prolog.m.heap.gc_stride = prolog.m.heap.gc_threshold = 5000
    n = sized(3000)
    query = f"between(1,{n},X), length(L,40), between(1,3,Y), L = [X,Y|_], X >= {n}"
    assert [a.partition(", L")[0] for a in prolog.answers(query)] == [f"X={n}"] * 3


def test_counting_can_be_interrupted():
    prolog = Prolog()
    looks = []

    def watcher():
        looks.append(1)
        if len(looks) == 3:
            prolog.m.interrupts.interrupted = True

    prolog.m.interrupts.watcher = watcher
    with pytest.raises(KeyboardInterrupt):
        prolog.answers("between(1,1000000000000,X), X < 0")
    prolog.m.interrupts.watcher = None
    assert prolog.answers("between(1,2,X)") == ["X=1", "X=2"]

"""Consulting files: declarations, directives, what may be redefined, and the messages about what is wrong."""

import pytest

from prism_repl import Session

pytestmark = pytest.mark.quick


class Folder:
    """A session with program files in a folder; `ask` gives the answers of a query as texts."""

    def __init__(self, path):
        self.path = path
        self.text = ""
        self.session = Session(self.note)

    def note(self, text):
        self.text += text

    def write(self, name, text):
        (self.path / name).write_text(text)
        return self.path / name

    def ask(self, query):
        found = []
        for answer in self.session.ask(query):
            if answer.status == "error":
                found.append(answer.message)
            elif answer:
                found.append(", ".join(f"{name} = {value}" for name, value in answer.bindings))
        return found

    def load(self, text, name="p.pl", how="consult"):
        """Load a file of this text; what was printed, without the first line."""
        path = self.write(name, text)
        self.text = ""
        assert self.ask(f"{how}('{path}')") == [""]
        return self.text.partition("\n")[2]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Folder(tmp_path)


def test_consulted_predicates_are_static(folder):
    folder.load("p(1).\np(2).\n")
    for goal in ("assertz(p(3))", "retract(p(1))", "retractall(p(_))", "abolish(p/1)", "dynamic(p/1)"):
        name = goal.partition("(")[0]
        assert folder.ask(goal) == [f"*** error(permission_error(modify,static_procedure,p/1),{named(name)})"]
    assert folder.ask("clause(p(X),true)") == ["X = 1", "X = 2"]


def named(name):
    return "(dynamic)/1" if name == "dynamic" else f"{name}/1"


def test_dynamic_before_or_after_the_clauses(folder):
    folder.load(":- dynamic p/1.\np(1).\nq(1).\n:- dynamic q/1.\n")
    assert folder.ask("assertz(p(2)), assertz(q(2)), p(2), q(2)") == [""]
    folder.load("p(1).\nq(1).\n")
    assert "permission_error" in folder.ask("assertz(p(2))")[0]


def test_multifile(folder):
    folder.load(":- multifile p/1.\np(a).\n", "a.pl")
    folder.load(":- multifile p/1.\np(b).\n", "b.pl")
    assert folder.ask("p(X)") == ["X = a", "X = b"]
    folder.load(":- multifile p/1.\np(c).\n", "a.pl")
    assert folder.ask("p(X)") == ["X = b", "X = c"]
    folder.load("p(d).\n", "c.pl")
    folder.load(":- multifile none/0.\n", "d.pl")
    assert folder.ask("none") == []


def test_discontiguous(folder):
    assert folder.load(":- discontiguous p/1.\np(1).\nq.\np(2).\n") == ""
    assert "not defined contiguously: p/1" in folder.load("p(1).\nq.\np(2).\n")
    assert folder.load(":- set_prolog_flag(contiguous_warning,off).\np(1).\nq.\np(2).\n") == ""


def test_singleton_flag(folder):
    assert "singleton variables (p.pl, 1-1): X" in folder.load("p(X).\n")
    assert folder.load(":- set_prolog_flag(singleton,off).\np(X).\n") == ""


def test_suffixes_and_home(folder, monkeypatch):
    folder.write("part.pl", "part.\n")
    folder.write("once.pl", ":- write(once).\none.\n")
    assert (
        folder.load(":- include(part).\n:- ensure_loaded(once).\n:- ensure_loaded(once).\n").count("once")
        == 2
    )
    assert folder.ask("part, one") == [""]
    monkeypatch.setenv("HOME", str(folder.path))
    assert folder.ask("consult('~/part'), open('~/x',write,S), close(S), exists_file('~/x')") != []
    assert (folder.path / "x").exists()


def test_a_file_that_loads_itself(folder):
    printed = folder.load(":- ensure_loaded(p).\n:- consult(p).\nq.\n")
    assert "permission_error(load,source_sink,p)" in printed
    assert folder.ask("q") == [""]


def test_directives_run_when_all_clauses_are_there(folder):
    assert folder.load(":- run.\nrun :- write(ran).\n") == "ran"
    assert (
        folder.load(":- initialization(write(b)).\n:- write(a).\n:- op(700,xfx,===>).\np(a ===> b).\n")
        == "ab"
    )


def test_errors_of_directives_have_their_place(folder):
    printed = folder.load("p.\n  :- X is foo+1, write(X).\n")
    assert printed == (
        "error(type_error(evaluable,foo/0),is/2)\n% p.pl:2:3: :- X is foo+1, write(X).\n1 error(s)\n"
    )


def test_undefined_predicates_are_named_with_their_place(folder):
    text = "p :- q,\n   \\+ gone(1), findall(X,lost(X),_).\nq --> far, {away}.\nq :- p, dyn(1).\n"
    text += ":- dynamic dyn/1.\n"
    assert folder.load(text).splitlines() == [
        "% Warning: p.pl:2:7: gone/1 is called and not defined",
        "% Warning: p.pl:2:26: lost/1 is called and not defined",
        "% Warning: p.pl:3:7: far/2 is called and not defined",
        "% Warning: p.pl:3:13: away/0 is called and not defined",
    ]
    folder.write("b.pl", "b :- c.\n")
    assert folder.load(":- ensure_loaded(b).\nc.\na :- b.\n", "a.pl") == "consulting::b.pl\n"
    assert "% Warning: m.psm:2:19: later/1 is called" in folder.load(
        "values(s,[a,b]).\nm(X) :- msw(s,X), later(X).\n", "m.psm", "prism"
    )


def test_both_readings_of_maplist_name_what_is_undefined(folder):
    text = "rows(L,Gs) :- maplist(row(X,Y),seen(X,Y),true,L,Gs).\n"
    text += "ask(L) :- maplist(p(X),(known(X), gone(X)),L).\nknown(_).\n"
    text += "all(L,M) :- maplist(known(a),L,M).\n"
    assert folder.load(text).splitlines() == [
        "% Warning: p.pl:2:35: gone/1 is called and not defined",
        "% Warning: p.pl:4:21: known/3 is called and not defined",
    ]


def test_unknown_functions_are_named_with_their_place(folder):
    text = "a(X,Y) :-\n    Y is X+foo(1)*bar, Y < 3+pi+random.\n"
    text += "b(X) --> {0 =:= X*qux(X,2)}.\nc(X) :- findall(Y,Y is cube(X),[_]).\n"
    expected = [
        "% Warning: p.pl:2:12: foo/1 is no function of arithmetic",
        "% Warning: p.pl:2:19: bar/0 is no function of arithmetic",
        "% Warning: p.pl:3:19: qux/2 is no function of arithmetic",
        "% Warning: p.pl:4:24: cube/1 is no function of arithmetic",
    ]
    assert folder.load(text).splitlines() == expected
    prism = folder.load(text, "p.psm", "prism").splitlines()
    assert prism == [line.replace("p.pl", "p.psm") for line in expected]
    known = 'd(A,X) :- X is A[1]+"a"+[2]-X^0, X > 0.\ne(S) :- foreach(I in 1..3, ac(S,0), S^1 is S^0+I).\n'
    assert folder.load(known) == ""


def test_matching_clauses(folder):
    folder.load("p(X,Y), X > 0 => Y = pos.\np(0,Y) => Y = zero.\np(_,_) => true.\nq(f(X),X) => true.\n")
    assert folder.ask("p(3,Y)") == ["Y = pos"]
    assert folder.ask("p(0,Y)") == ["Y = zero"]
    assert folder.ask("p(0,one)") == []  # the clause was chosen
    assert folder.ask("q(f(1),1)") == [""]
    assert folder.ask("q(X,1)") == []  # the call is not bound by the head
    folder.load(":- op(700,xfx,=>).\na => b.\n")
    assert folder.ask("X => Y") == ["X = a, Y = b"]


def test_notes_begin_a_line(folder):
    """Whatever directives have written: replays pass over whole lines."""
    assert folder.load(":- write(begun).\np :- lost, gone.\n").splitlines() == [
        "begun",
        "% Warning: p.pl:2:6: lost/0 is called and not defined",
        "% Warning: p.pl:2:12: gone/0 is called and not defined",
    ]


def test_a_list_is_no_clause(folder):
    folder.write("b.pl", "b.\n")
    assert "Trying to redefine built-in:'p.pl',1::'.'/2" in folder.load("[b].\n")
    assert folder.ask("[b], b") == [""]


def test_a_clause_is_no_head(folder):
    printed = folder.load("a.\n(a :- b) :- c.\n(:- a) :- d.\n")
    lines = [line for line in printed.splitlines() if line.startswith("**")]
    assert lines == [
        "** Error  : Trying to redefine built-in:'p.pl',2::(:-)/2",
        "** Error  : Trying to redefine built-in:'p.pl',3::(:-)/1",
    ]
    assert folder.ask("a") == [""]


def test_errors_count(folder):
    printed = folder.load("values(s,[a,b]).\nm(X) :- msw(s,X.\n:- foo.\n", "m.psm", "prism")
    assert printed.endswith("% 2 error(s) in m.psm\n")
    assert "% m.psm:3:1: :- foo." in printed


def test_library_predicates_are_kept(folder):
    printed = folder.load("append(a,b,c).\nown :- append([],[],X), X == [].\n")
    assert printed == "** Error  : Trying to redefine built-in:'p.pl',1::append/3\n"
    assert folder.ask("own") == [""]
    assert folder.load(":- set_prolog_flag(redefine_builtin,on).\nappend(a,b,c).\n") == ""
    assert folder.ask("append(X,Y,Z)") == ["X = a, Y = b, Z = c"]


def test_plain_files_may_redefine_what_is_no_control(folder):
    text = "forall(a,b).\nfunctor(X) --> [X].\nmsw(a,b).\nsample(s).\n"
    text += "p :- functor(x,[x],[]), msw(a,b), sample(s).\n"
    assert folder.load(text) == ""
    assert folder.ask("p, forall(X,Y)") == ["X = a, Y = b"]
    assert "Trying to redefine built-in:'p.pl',1::','/2" in folder.load("(a,b).\n")


def test_tables_do_not_outlive_their_predicate(folder):
    folder.load(":- table p/1.\np(1).\n")
    assert folder.ask("p(X)") == ["X = 1"]
    folder.load(":- table p/1.\np(2).\n")
    assert folder.ask("p(X)") == ["X = 2"]
    folder.load("p(3).\n")
    assert folder.ask("p(X)") == ["X = 3"]
    folder.load("p(4).\np(4).\n", "other.pl")
    assert folder.ask("p(X)") == ["X = 4", "X = 4"]


def test_a_second_program_leaves_the_predicates_of_the_first(folder):
    folder.load("values(s,[a,b]).\none(X) :- msw(s,X).\nhelp_one(1).\n", "one.psm", "prism")
    folder.load("values(s,[a,b]).\ntwo(X) :- msw(s,X).\n", "two.psm", "prism")
    assert folder.ask("help_one(X)") == ["X = 1"]
    assert "probabilistic_atom" in folder.ask("prob(one(a))")[0]
    assert folder.ask("prob(two(a),P)") == ["P = 0.5"]


def test_conditional_compilation(folder):
    text = """
:- if(true).
a(1).
:- if(fail).
a(2) :- ((.
:- else.
a(3).
:- endif.
:- elif(true).
a(4).
:- else.
a(5).
:- endif.
:- if(current_predicate(a/1)).
b(1).
:- endif.
:- if(no_such_goal).
b(2).
:- else.
b(3).
:- endif.
"""
    printed = folder.load(text)
    assert "existence_error(procedure,no_such_goal/0)" in printed
    assert folder.ask("a(X)") == ["X = 1", "X = 3"]
    assert folder.ask("b(X)") == ["X = 1", "X = 3"]
    assert "p.pl:1:1: :- else without :- if" in folder.load(":- else.\n")
    assert "p.pl:1:1: :- if without :- endif" in folder.load(":- if(true).\n")


def test_listing_of_a_loaded_program(folder):
    folder.load("values(s,[a,b]).\nday(X) :- msw(s,X).\n", "m.psm", "prism")
    folder.text = ""
    assert folder.ask("listing(day)") == [""]
    assert folder.text == "day(A) :-\n        msw(s, A).\n"
    assert folder.ask("listing") == [""]
    assert folder.text == 2 * "day(A) :-\n        msw(s, A).\n"  # nothing internal


def test_modules_are_one_name_space(folder):
    text = ":- module(m,[p/0]).\n:- use_module(library(lists)).\n:- ensure_loaded(library(sets)).\np.\n"
    assert folder.load(text) == ""
    assert folder.ask("p") == [""]
    assert folder.ask("module(X,[])") == ["*** error(instantiation_error,module/2)"]

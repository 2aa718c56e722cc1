"""load_clauses, save_clauses, load_csv and save_csv."""

import pytest

from tests.support.world import World

pytestmark = pytest.mark.quick

PEOPLE = '#name,age,town\nann,34,oslo\n"Lee, Bo",5,"new ""york"""\ncid,,bergen\ndot,4.5,NA\n'


@pytest.fixture
def m(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.dat").write_text(
        "% four\ncity(paris,2).\ncity(oslo,1).\ncity('New York',8.5).\nr(X,Y):-X\\==Y.\n"
    )
    (tmp_path / "people.csv").write_text(PEOPLE)
    return World()


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        ("[size(2)]", "[city(paris,2),city(oslo,1)]"),
        ("[from(1),size(1)]", "[city(oslo,1)]"),
        ("[skip(2),size(1)]", "[city('New York',8.5)]"),
        ("[from(9)]", "[]"),
        ("[size(0)]", "[]"),
        ("1,1", "[city(oslo,1)]"),
    ],
)
def test_load_clauses(m, arguments, value):
    assert m.value(f"load_clauses('data.dat',X,{arguments})") == value


def test_clauses_come_back_as_they_were_saved(m):
    assert m.ask("save_clauses('out.dat',[a(1),(b(X,Y):-a(X),\\+c(Y)),'Odd atom'('It''s'),0.1])")[0] == "yes"
    assert m.value("load_clauses('out.dat',X,[from(2)])") == "['Odd atom'('It\\'s'),0.1]"
    m.ask("save_clauses('out.dat',[a,b,c,d],[from(1),size(2)])")
    assert m.value("load_clauses('out.dat',X)") == "[b,c]"
    m.ask("save_clauses('out.dat',[a,b,c,d],2,1)")
    assert m.value("load_clauses('out.dat',X)") == "[c]"


ROWS = "[ann,34,oslo],['Lee, Bo',5,'new \"york\"'],[cid,'',bergen],[dot,4.5,'NA']"


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ("[comment,pred([])]", f"[{ROWS}]"),
        ("[row_size(1)]", "[csvrow(['#name',age,town])]"),
        ("[row_skip(1),row_size(1),pred(person)]", "[person([ann,34,oslo])]"),
        ("[row_from(1),row_size(1),pred(person/1)]", "[person([ann,34,oslo])]"),
        ("[row_from(1),row_size(1),pred(person/n)]", "[person(ann,34,oslo)]"),
        ("[comment('#'),col_from(1),col_size(1),pred([])]", "[[34],[5],[''],[4.5]]"),
        ("[row_from(1),row_size(1),parse_number(no)]", "[csvrow([ann,'34',oslo])]"),
        ("[row_from(2),row_size(1),double_quote(no)]", '[csvrow([\'"Lee\',\' Bo"\',5,\'"new ""york"""\'])]'),
    ],
)
def test_load_csv(m, options, value):
    assert m.value(f"load_csv('people.csv',X,{options})") == value


def test_missing_cells_are_variables(m):
    assert m.value("load_csv('people.csv',X,[row_from(3),missing])").startswith("[csvrow([cid,_")
    assert "[dot,4.5,_" in m.value("load_csv('people.csv',X,[row_from(4),missing('NA')])")


def test_quotes_over_lines_and_a_comment_sign_in_them(m, tmp_path):
    (tmp_path / "x.csv").write_text('#c\na,"b\n#c"\n"#d",e')
    assert m.value("load_csv('x.csv',X,[comment,pred([])])") == "[[a,'b\\n#c'],['#d',e]]"


def test_save_csv(m, tmp_path):
    rows = "[[tea,'Big Cup'],csvrow(['milk,cold',jam]),p(1,2.5),alone]"
    for quote, text in [
        ("double", 'tea,Big Cup\n"milk,cold",jam\n1,2.5\nalone\n'),
        ("single", "tea,'Big Cup'\n'milk,cold',jam\n1,2.5\nalone\n"),
        ("none", "tea,Big Cup\nmilk,cold,jam\n1,2.5\nalone\n"),
    ]:
        assert m.ask(f"save_csv('new.csv',{rows},[quote({quote})])")[0] == "yes"
        assert (tmp_path / "new.csv").read_text() == text


@pytest.mark.parametrize(
    ("query", "formal", "message"),
    [
        (
            "load_clauses('data.dat',X,[bogus(1)])",
            "prism_runtime_error(unknown_option)",
            "unknown or illegal option -- bogus(1)",
        ),
        (
            "load_clauses('data.dat',X,[from(-1)])",
            "prism_runtime_error(unknown_option)",
            "unknown or illegal option",
        ),
        (
            "load_clauses('data.dat',X,[size(1),size(2)])",
            "prism_runtime_error(duplicate_option)",
            "duplicate option",
        ),
        (
            "load_clauses('data.dat',X,foo)",
            "type_error(list_or_nil,foo)",
            "invalid argument; list or nil expected",
        ),
        ("load_clauses(_,X)", "instantiation_error", "invalid file specification -- _"),
        ("load_clauses('nowhere.dat',X)", "existence_error(source_sink,'nowhere.dat')", None),
        ("save_clauses('no_dir/x',[a])", "permission_error(open,source_sink,'no_dir/x')", None),
        ("save_clauses(x,a)", "type_error(list_or_nil,a)", "invalid argument; list or nil expected -- a"),
        (
            "load_csv('people.csv',X,[bogus])",
            "prism_runtime_error(unknown_option)",
            "unknown or illegal option -- bogus",
        ),
        (
            "load_csv('people.csv',X,[pred(3)])",
            "prism_runtime_error(unknown_option)",
            "unknown or illegal option -- pred(3)",
        ),
        ("load_csv('nowhere.csv',X)", "existence_error(source_sink,'nowhere.csv')", None),
        ("save_csv(x,[[f(1)]])", "type_error(atomic,f(1))", "invalid csv cell; atomic term expected -- f(1)"),
    ],
)
def test_refusals(m, query, formal, message):
    answer, output = m.ask(query)
    assert answer == formal
    assert output.startswith("***  PRISM ERROR: " + message if message else "")


def test_a_quote_that_is_not_closed(m, tmp_path):
    (tmp_path / "x.csv").write_text('a,"b\n')
    answer, output = m.ask("load_csv('x.csv',X)")
    assert answer == "prism_runtime_error(invalid_csv_format)"
    assert output == "***  PRISM ERROR: invalid csv format; unclosed double quote -- line 1\n"


@pytest.mark.parametrize("query", ["load_csv('old.csv',X,[pred([])])", "load_clauses('old.csv',X)"])
def test_a_file_in_another_encoding_is_read_as_latin_1(m, tmp_path, query):
    (tmp_path / "old.csv").write_bytes(b"a.\n'caf\xe9'.\n")
    answer, output = m.ask(query)
    assert answer == "yes"
    assert output == "** Warning: old.csv is not UTF-8 (line 2); it is read as Latin-1\n"

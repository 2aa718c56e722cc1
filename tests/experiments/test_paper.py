"""The experiments of the paper run, go on after an interruption, and refuse bad input in a sentence."""

import itertools
import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from prism_repl.experiments import read_trees

FOLDER = Path(__file__).parent.parent.parent / "examples" / "viterbi-training"

pytest.importorskip("scipy", reason="the experiments need the extra `examples`")
pytest.importorskip("matplotlib", reason="the experiments need the extra `examples`")
pytest.importorskip("tqdm", reason="the experiments need the extra `examples`")


def started(*arguments: str, folder: Path) -> subprocess.Popen[str]:
    root = FOLDER.parent.parent
    return subprocess.Popen(
        [sys.executable, str(FOLDER / "run.py"), *arguments, "--out", str(folder / "out")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=os.environ | {"PATH": "", "PYTHONPATH": str(root), "MPLCONFIGDIR": str(folder / "matplotlib")},
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # it may be ignored here
    )


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    process = started(*arguments, folder=folder)
    out, err = process.communicate(timeout=600)
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def test_table_1_quick(tmp_path):
    done = run("--table", "1", "--quick", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1]
    found = re.fullmatch(r"EM/VT iterations: PCFG (\d+\.\d) PLCG (\d+\.\d)", last)
    assert found
    assert min(float(found[1]), float(found[2])) >= 4
    report = (tmp_path / "out" / "table1-quick.md").read_text()
    assert last in report
    assert "| PCFG in the paper | 8.10(2.28) | 123.6(3.23) | 0.45(0.11) | 6.29(0.16) |" in report
    assert re.search(r"unpaired t-test .*: PCFG p = \S+ \(differ\), PLCG p = ", report)
    assert re.search(r"The runs took \d+\.\d s in all", report)
    assert re.search(
        r"Command: `python .*run\.py --table 1 --quick --out .*` on a machine with \d+ cores", report
    )
    assert (tmp_path / "out" / "table1-quick.svg").exists()


def test_an_interrupted_run_goes_on(tmp_path):
    """A run whose results are there computes only what is missing; half a line is no result."""
    assert run("--table", "1", "--quick", "--runs", "1", folder=tmp_path).returncode == 0
    results = tmp_path / "out" / "results.jsonl"
    lines = results.read_text().splitlines()
    assert len(lines) == 4
    kept = [json.loads(line) for line in lines[:3]]
    kept[0]["result"]["iterations"] = 12345
    del kept[1]["seconds"]  # written by an earlier version
    foreign = ["[1]", "{}", '{"key": 1}']  # no results: passed over
    results.write_text("\n".join([*map(json.dumps, kept), *foreign]) + "\n" + lines[3][:20])
    assert run("--table", "1", "--quick", "--runs", "1", folder=tmp_path).returncode == 0
    assert "12345" in (tmp_path / "out" / "table1-quick.md").read_text()
    assert len(results.read_text().splitlines()) == 8


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_ended(tmp_path, sent):
    """By Ctrl-C, which all its processes get, or by a signal to it alone: none of them stays (they have the
    pipes that communicate() reads to the end), and the next run computes nothing twice."""
    command = ["--table", "2", "--quick", "--restarts", "40", "--methods", "VT,EM", "--workers", "2"]
    process = started(*command, folder=tmp_path)
    results = tmp_path / "out" / "results.jsonl"
    while not (results.exists() and results.stat().st_size) and process.poll() is None:
        time.sleep(0.01)
    (os.killpg if sent == signal.SIGINT else os.kill)(process.pid, sent)
    out, err = process.communicate(timeout=60)
    assert process.returncode == (130 if sent == signal.SIGINT else -sent)
    assert ("the same command goes on from here" in out) == (sent == signal.SIGINT)
    assert "Traceback" not in err
    before = results.read_text().splitlines()
    assert 1 <= len(before) < 24
    done = run(*command, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    after = results.read_text().splitlines()
    assert after[: len(before) - 1] == before[:-1]  # the last one may have been half written
    keys = [json.loads(line)["key"] for line in after if line.endswith("}")]
    assert len(set(keys)) == len(keys) == 24


def test_a_real_corpus(tmp_path):
    """Trees in bracketed form are parsed by a grammar that is read from them."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    sentences = ["(S (NP (N {0})) (VP (V sees) (NP (N {1}))))", "(S (NP (N {0})) (VP (V sleeps)))"]
    names = ["ann", "bob", "eve"]
    text = "\n".join(s.format(a, b) for s in sentences for a in names for b in names)
    (corpus / "all.mrg").write_text(f"( {text} )")
    done = run("--table", "2", "--corpus", str(corpus), "--restarts", "2", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    report = (tmp_path / "out" / "table2-corpus.md").read_text()
    assert "18 sentences" in report
    assert re.search(r"labelled tree \| \*\*100\.00\*\*", report)
    assert "best by labelled trees: VT, EM, MAP, VB, 5-best VT (100.00 %)" in done.stdout
    # A quick run has reports of its own, and other trees have results of their own.
    results = tmp_path / "out" / "results.jsonl"
    before = len(results.read_text().splitlines())
    command = ["--table", "2", "--corpus", "corpus", "--quick", "--methods", "VT,EM"]
    assert run(*command, folder=tmp_path).returncode == 0
    assert "the best of 5 random" in (tmp_path / "out" / "table2-corpus-quick.md").read_text()
    (corpus / "more.txt").write_text("(S (NP (N kim)) (VP (V sees) (NP (N bob))))")
    assert run(*command, folder=tmp_path).returncode == 0
    assert len(results.read_text().splitlines()) == before + 2 * 3 * 8


def test_table_4_quick(tmp_path):
    done = run("--table", "4", "--quick", "--hidden", "2", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    report = (tmp_path / "out" / "table4.md").read_text()
    row = next(line for line in report.splitlines() if line.startswith("| iris"))
    accuracies = [float(cell.split("(")[0].strip(" *")) for cell in row.split("|")[2:7]]
    assert len(accuracies) == 5
    assert all(85 < accuracy <= 100 for accuracy in accuracies)
    # What is there is reported; a number of hidden classes that not all methods have tried is not.
    results = tmp_path / "out" / "results.jsonl"
    lines = results.read_text().splitlines()
    results.write_text("\n".join(line for line in lines if not ("zoo" in line and "VB" in line)) + "\n")
    done = run("--table", "4", "--found", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not done.stderr  # nothing was run
    found = (tmp_path / "out" / "table4.md").read_text()
    assert row in found
    assert "| iris | 150 | 1 | 2 | 80 |" in found
    assert "| zoo |" not in found


def test_the_graph(tmp_path):
    done = run("--table", "6", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "0.432 before" in done.stdout
    assert "1.000 after" in done.stdout
    text = (tmp_path / "out" / "section6.md").read_text()
    table = [
        line.strip("| ").split(" | ") for line in text.splitlines() if re.match(r"\| (\d-\d|path)", line)
    ]
    assert len(table) == 9
    # In each column path(1,4) is as probable as the edges say: counted over all states of the edges.
    for column in (1, 2, 3):
        edges = {(int(row[0][0]), int(row[0][2])): float(row[column]) for row in table[:-1]}
        assert float(table[-1][column]) == pytest.approx(connected(edges, 1, 4), abs=2e-3)
    assert "0.53864" in table[-1][1]
    assert float(table[-1][3]) > float(table[-1][1])  # connections were observed


def connected(edges: dict[tuple[int, int], float], start: int, end: int) -> float:
    total = 0.0
    for there in itertools.product([True, False], repeat=len(edges)):
        chance = math.prod(p if on else 1 - p for p, on in zip(edges.values(), there, strict=True))
        reached = {start}
        for _ in edges:
            for (a, b), on in zip(edges, there, strict=True):
                if on and reached & {a, b}:
                    reached |= {a, b}
        total += chance * (end in reached)
    return total


ARFF = "@relation x\n@attribute size numeric\n@attribute kind {x,y}\n@attribute class {a,b}\n@data\n"
BAD_FILES = {
    "short.arff": (ARFF + "1,x,a\n2,y\n", "short.arff:7: 2 values for 3 attributes"),
    "value.arff": (ARFF + "1,x,a\n2,z,a\n", "value.arff:7: z is not a value of kind: x, y"),
    "number.arff": (ARFF + "big,x,a\n", "number.arff:6: big is not a number, which size should be"),
    "head.arff": ("@relation x\nsize numeric\n", "head.arff:2: neither @relation nor @attribute nor @data"),
    "kind.arff": ("@attribute size string\n", "kind.arff:1: attributes are nominal or numeric, not string"),
    "few.arff": (ARFF + "1,x,a\n2,y,b\n", "few.arff: 2 rows, too few for 10 folds"),
    "none.arff": (ARFF, "none.arff: no data"),
    "same.arff": (ARFF + "1,x,a\n" * 12, "same.arff: all rows have the class a"),
    "many.arff": (
        "@attribute size numeric\n@attribute class numeric\n@data\n" + "".join(f"1,{i}\n" for i in range(12)),
        "many.arff: 12 classes for 12 rows, too many",
    ),
    "bare.arff": (
        "@attribute class {a,b}\n@data\n" + "a\nb\n" * 6,
        "bare.arff: there is no attribute beside the class",
    ),
    "label.arff": (ARFF + "1,x,?\n", "label.arff: a row has no class"),
    "open.mrg": ("(S (NP a) (VP b))\n(S (NP a)\n", "open.mrg: line 2, column 1: a bracket is not closed"),
    "empty.mrg": ("(S (NP a))\n(S ())\n", "empty.mrg: line 2, column 5: empty brackets"),
    "traces.mrg": ("(S (NP-1 (-NONE- *T*)))\n" * 9, "0 trees, too few for 8 folds"),
    "few.mrg": ("(S (NP a))\n", "1 trees, too few for 8 folds"),
    "other.md": ("", "no file of bracketed trees"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_are_named_with_their_lines(tmp_path, name):
    (tmp_path / "data").mkdir()
    text, message = BAD_FILES[name]
    (tmp_path / "data" / name).write_text(text)
    kind = ["4", "--uci"] if name.endswith("arff") else ["2", "--corpus"]
    done = run("--table", *kind, str(tmp_path / "data"), folder=tmp_path)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


BAD_OPTIONS = {
    "--table 4 --uci nowhere": "nowhere: No such file or directory",
    "--table 2 --corpus nowhere": "nowhere: No such file or directory",
    "--table 4 --uci .": "no .arff files",
    "--table 4 --hidden 1,2": "'1,2' is not a list of integers from 2 to 999",
    "--table 4 --hidden two": "'two' is not a list of integers from 2 to 999",
    "--table 4 --hidden 2,,3": "'2,,3' is not a list of integers from 2 to 999",
    "--table 4 --hidden 2,99999999999": "is not a list of integers from 2 to 999",
    "--table 1 --dependence nan": "'nan' is not a number from 0 on",
    "--table 1 --dependence x": "'x' is not a number from 0 on",
    "--table 4 --found": "no data set has results of all methods",
    "--table 1 --runs 0": "--runs: '0' is not a positive integer",
    "--table 2 --restarts x": "--restarts: 'x' is not a positive integer",
    "--table 1 --workers 0": "--workers: '0' is not a positive integer",
    "--table 1 --uci x": "--uci is not for --table 1",
    "--table 6 --corpus x": "--corpus is not for --table 6",
    "--table 2 --corpus x --dependence 2": "not with --corpus",
    "--table 6 --workers 2": "--workers is not for --table 6",
    "--table 4 --found --repeats 2": "not with --found",
    "--table 3 --methods EM": "VT must be among them",
    "--table 3 --methods VT": "there must be others than VT",
    "--table 5": "--table",
}


@pytest.mark.parametrize("options", BAD_OPTIONS)
def test_bad_options(monkeypatch, capsys, tmp_path, options):
    monkeypatch.syspath_prepend(str(FOLDER))
    import run as command

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["run.py", *options.split(), "--out", str(tmp_path / "out")])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert BAD_OPTIONS[options] in f"{ended.value.code}\n{capsys.readouterr().err}"
    assert ended.value.code != 0


def test_an_interrupt_while_modules_are_imported(tmp_path):
    """numpy would say that its installation is bad."""
    (tmp_path / "numpy.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nimport nothing\n"
    )
    process = subprocess.Popen(
        [sys.executable, str(FOLDER / "run.py"), "--table", "6"],
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{FOLDER.parent.parent}"},
    )
    assert process.communicate(timeout=60) == (None, b"")
    assert process.returncode == -signal.SIGINT


def test_nobody_reads_what_is_printed(tmp_path):
    process = started("--table", "6", folder=tmp_path)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 1
    process.stderr.close()


def test_a_folder_that_is_full(tmp_path):
    """Where the system does not say which file it was, the folder is named."""
    done = subprocess.run(
        [sys.executable, str(FOLDER / "run.py"), "--table", "6", "--out", str(tmp_path / "out")],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(FOLDER.parent.parent), "MPLCONFIGDIR": str(tmp_path)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, resource.RLIM_INFINITY)),
    )
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, f"{tmp_path / 'out'}: File too large")


def test_a_process_that_is_killed(monkeypatch, tmp_path):
    """What the others have found is kept, and what happened is said."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import jobs

    results = jobs.Results(tmp_path / "results.jsonl")
    job = jobs.Job("end", os._exit, (1,))
    with pytest.raises(SystemExit, match="A process was ended from outside"):
        jobs.run_jobs("test", [job], results, 1)


def test_corpora_of_people(monkeypatch):
    """Several start symbols, and signs that are their own tags, as the Penn treebank has them."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import parsing

    trees = read_trees("( (S (NP a) (, ,) (VP b)) )( (FRAG (NP a)) )")
    found = parsing.one_grammar(trees)
    assert list(map(str, found)) == ["(TOP (S (NP a) (, ,_) (VP b)))", "(TOP (FRAG (NP a)))"]
    assert parsing.one_grammar(found) == found
    grammar = parsing.Grammar.of_trees(found)
    assert (grammar.start, grammar.words()) == ("TOP", {"a", "b", ",_"})


def test_odd_files_of_trees(monkeypatch, tmp_path):
    """A mark of UTF-8, capitals in a name, a folder called as a file, trees that are deep."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import parsing

    depth = 20_000
    deep = "(S (, ,) (A a) " * depth + "w" + ")" * depth
    (tmp_path / "folder.mrg").mkdir()
    (tmp_path / "folder.mrg" / "A.MRG").write_text("\ufeff" + "(S (, ,) (A a))\n" * 8, encoding="utf-8")
    (tmp_path / "deep.txt").write_text(deep)
    trees, left_out = parsing.read_corpus(str(tmp_path), None)
    assert left_out == 0
    assert list(map(str, trees)) == [deep.replace(", ,", ", ,_"), *["(S (, ,_) (A a))"] * 8]
    scores = parsing.score_parses(zip(trees, trees, strict=True))
    assert (scores.labelled_tree, scores.f1) == (1, 1)


def test_a_part_of_a_corpus_that_cannot_be_read(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(FOLDER))
    import parsing

    def scandir(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(parsing.CorpusError, match="Permission denied"):
        parsing.read_corpus(str(tmp_path), None)


def test_rules_by_which_a_symbol_derives_itself(monkeypatch):
    """The rarest rule of a cycle is given up, with its trees; a word below a symbol closes no cycle."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import parsing

    good = read_trees("(S (A (B x)))" * 3 + "(S (B (C x)))" * 2)
    bad = read_trees("(S (C (A x)))")
    assert parsing.without_cycles(good + bad) == good
    assert parsing.without_cycles(bad) == bad


def test_other_rows_under_the_same_name(tmp_path):
    """Results belong to what is in a file."""
    for i, name in enumerate(["one", "two"]):
        (tmp_path / name).mkdir()
        rows = "".join(f"1,{'xy'[k % 2]},{'ab'[(k % 2 + i * k // 4) % 2]}\n" for k in range(20))
        (tmp_path / name / "votes.arff").write_text(ARFF + rows)
        command = ["--table", "4", "--uci", name, "--quick", "--hidden", "2"]
        done = run(*command, folder=tmp_path)
        assert done.returncode == 0, done.stderr
    assert len((tmp_path / "out" / "results.jsonl").read_text().splitlines()) == 2 * 8
    report = (tmp_path / "out" / "table4.md").read_text()
    assert "| votes | 90.29 | 96.00 |" in report  # the paper's figures


@pytest.fixture
def data_sets(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import data_sets

    yield data_sets
    sys.modules.pop("data_sets", None)


def test_arff(data_sets, tmp_path):
    file = tmp_path / "toy.arff"
    rows = "\n".join(f"{i}, {'xy'[i % 2]}, {'ab'[i % 2]}" for i in range(20))
    file.write_text(
        "@relation toy\n@attribute size numeric\n@attribute kind {x,y}\n@attribute class {a,b}\n"
        f"@data\n?,x,a\n{rows}\n"
    )
    data = data_sets.read_arff(file)
    assert data.classes == ["a", "b"]
    assert data.values == [["b1", "b2", "b3", "b4", "b5"], ["x", "y"]]
    assert data.rows[0] == ("?", "x")
    file.write_text("@attribute class {a}\n@data\na,b\n")
    with pytest.raises(data_sets.DataError, match=r"toy.arff:3: 2 values for 1 attributes"):
        data_sets.read_arff(file)


def test_what_arff_allows(data_sets, tmp_path):
    """Quotes of both kinds, commas and quotes in them, a comment, no blank before values, a mark of UTF-8."""
    file = tmp_path / "toy.arff"
    text = """@relation toy
@attribute 'the kind'{'x, 1', "it's", 'o\\'clock', é, z} % of four
@attribute unknown {u,v}
@attribute class {a,b}
@data
"""
    rows = ["'x, 1',?,a", '"it\'s" , ?, b', "'o\\'clock',?,a", "é,?,'b'"]
    file.write_text("\ufeff" + text + "\n".join(rows * 3) + "\n", encoding="utf-8")
    data = data_sets.read_arff(file)
    assert data.rows[:4] == [("x, 1",), ("it's",), ("o'clock",), ("é",)]
    assert data.labels[:4] == ["a", "b", "a", "b"]
    assert len(data.values) == 1  # an attribute that no row has a value of is left out
    file.write_bytes(
        "@attribute k {é,x}\n@attribute class {a}\n@data\né,a\nx,a\né,a\nx,a\n".encode("latin-1")
    )
    assert data_sets.read_arff(file).values == [["\\xe9", "x"]]


def test_the_treebank_is_the_same_each_time(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(FOLDER))
    import treebank

    small = treebank.Size(40, 200, 40, 90, 1.8, 0.65)
    trees = treebank.treebank(small, tmp_path)
    assert trees == treebank.made(small)
    assert trees == treebank.treebank(small, tmp_path)  # from the cache
    others = treebank.treebank(small, tmp_path, dependence=2.0)
    assert others == treebank.treebank(small, tmp_path, dependence=2.0) != trees
    assert len(trees) == 40
    assert all(2 <= len(tree.words()) <= 25 for tree in trees)
    assert read_trees("".join(map(str, trees))) == trees
    sys.modules.pop("treebank", None)


def test_methods_are_chosen(tmp_path):
    wrong = run("--table", "2", "--quick", "--methods", "VT,VX", folder=tmp_path)
    assert wrong.returncode != 0
    assert "there is no 'VX'; the methods are VT, EM, MAP, VB, 5-best VT" in wrong.stderr
    done = run("--table", "3", "--quick", "--restarts", "1", "--methods", "EM,VT", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "| measure | VT | EM |\n" in (tmp_path / "out" / "table3-quick.md").read_text()

"""The examples: their sessions replay, their numbers are right; the last figure of the paper replays."""

import doctest
import itertools
import math
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from prism_repl import Session
from prism_repl.repl.compare import diff_text
from prism_repl.repl.replay import replay

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
PROGRAMS = sorted(EXAMPLES.glob("*.psm"))


@pytest.fixture
def folder(tmp_path):
    """A copy of the examples: a session may write files."""
    return shutil.copytree(EXAMPLES, tmp_path / "examples")


def load(name: str) -> Session:
    session = Session([].append)
    session.prism(EXAMPLES / name)
    return session


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_session(program, folder):
    session = folder / f"{program.stem}.session.txt"
    wrong = [
        f"line {r.entry.line}: ?- {r.entry.query}\n{diff_text(r.entry.output, r.actual)}"
        for r in replay(session)
        if not r.agrees
    ]
    assert not wrong, "\n\n" + "\n\n".join(wrong)


def test_every_session_has_its_program_and_is_listed():
    names = {path.stem for path in PROGRAMS}
    assert len(names) >= 12
    assert {path.name.removesuffix(".session.txt") for path in EXAMPLES.glob("*.session.txt")} == names
    assert set(re.findall(r"\]\((\w+)\.psm\)", (EXAMPLES / "README.md").read_text())) == names


def test_replay_command(folder):
    command = [sys.executable, "-m", "prism_repl", "replay", *sorted(map(str, folder.glob("*.session.txt")))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout.count(" agree\n")) == (0, len(PROGRAMS)), done.stdout + done.stderr


# The last figure of the paper, as it is printed there: no final periods, no `yes`, a line for omitted output.
FIGURE = """\
?- viterbif(path(1,4),P,_X),viterbi_switches(_X,VE)
P = 0.432
VE = [msw(d_e(1,2),on),msw(d_e(2,3),on),msw(d_e(3,4),on)]

?- set_prism_flag(learn_mode,ml_vt).

?- learn([path(1,4),path(1,3),path(2,4),path(2,5),path(3,6)]).
...

?- viterbif(path(1,4),P,_X),viterbi_switches(_X,VE)
P = 0.104
VE = [msw(d_e(1,6),on),msw(d_e(6,5),on),msw(d_e(5,4),on)]
"""


@pytest.mark.parametrize("seed", range(5))
def test_figure_of_the_paper(tmp_path, seed):
    """0.104 is what PRISM's ml_vt leaves when it does not learn: the product of random initial parameters.

    After Viterbi training without pseudo counts every switch on a best path is certain.
    """

    def session() -> Session:
        session = load("graph")
        session.once(f"random_set_seed({seed})")
        return session

    path = tmp_path / "figure.txt"
    path.write_text(FIGURE)
    results = list(replay(path, session))
    assert [r.agrees for r in results] == [True, True, True, False]
    assert results[-1].actual.startswith("P = 1.0\nVE = [msw(d_e(1,")


def test_figure_by_the_replay_command(folder):
    (folder / "figure.txt").write_text("?- prism(graph), random_set_seed(9).\n\n" + FIGURE)
    command = [sys.executable, "-m", "prism_repl", "replay", str(folder / "figure.txt")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    # One difference, and of that only the probability.
    assert "4 of 5 agree, 1 differ" in done.stdout
    assert re.findall(r"^[-+] .*$", done.stdout, re.MULTILINE) == ["- P = 0.104", "+ P = 1.0"]


# Numbers by brute force, without the system.


def test_paths_by_enumeration():
    edges = {(1, 2): 0.9, (2, 3): 0.8, (3, 4): 0.6, (1, 6): 0.7}
    edges |= {(2, 6): 0.5, (6, 5): 0.4, (5, 3): 0.7, (5, 4): 0.2}
    both_ways = {**edges, **{(y, x): p for (x, y), p in edges.items()}}
    found = []
    for length in range(2, 7):
        for nodes in itertools.permutations(range(1, 7), length):
            steps = list(itertools.pairwise(nodes))
            if nodes[0] == 1 and nodes[-1] == 4 and all(step in both_ways for step in steps):
                found.append(math.prod(both_ways[step] for step in steps))
    answer = load("graph").once("n_viterbi(100,path(1,4),Ps), prob(path(1,4),P)")
    assert answer["Ps"] == pytest.approx(sorted(found, reverse=True))
    assert answer["P"] == pytest.approx(sum(found))


def test_alarm_by_enumeration():
    def bernoulli(p, value):
        return p if value else 1 - p

    def joint(b, q, a, j, m):
        silent = (0.1 if b else 1) * (0.7 if q else 1) * 0.999
        john, mary = (0.9, 0.7) if a else (0.05, 0.01)
        causes = bernoulli(0.01, b) * bernoulli(0.02, q) * bernoulli(1 - silent, a)
        return causes * bernoulli(john, j) * bernoulli(mary, m)

    def total(*pattern):
        worlds = itertools.product([True, False], repeat=5)
        return sum(joint(*w) for w in worlds if all(p in (None, x) for p, x in zip(pattern, w, strict=True)))

    session = load("alarm")
    words = {None: "_", True: "yes", False: "no"}
    for pattern in itertools.product([None, True, False], repeat=5):
        goal = f"world({','.join(words[x] for x in pattern)})"
        assert session.prob(goal) == pytest.approx(total(*pattern))
    given = session.once("given(world(yes,_,_,yes,yes),world(_,_,_,yes,yes),P)")
    calls = total(None, None, None, True, True)
    assert given["P"] == pytest.approx(total(True, None, None, True, True) / calls)


def test_hmm_by_enumeration():
    first = {"sunny": 0.4, "rainy": 0.6}
    following = {"sunny": {"sunny": 0.6, "rainy": 0.4}, "rainy": {"sunny": 0.3, "rainy": 0.7}}
    act = {
        "sunny": {"walk": 0.6, "shop": 0.3, "clean": 0.1},
        "rainy": {"walk": 0.1, "shop": 0.4, "clean": 0.5},
    }

    def joint(states, acts):
        p = first[states[0]] * math.prod(following[s][t] for s, t in itertools.pairwise(states))
        return p * math.prod(act[s][a] for s, a in zip(states, acts, strict=True))

    session = load("hmm")
    for acts in itertools.product(["walk", "shop", "clean"], repeat=4):
        ways = {s: joint(s, acts) for s in itertools.product(["sunny", "rainy"], repeat=4)}
        text = ",".join(acts)
        assert session.prob(f"days([{text}])") == pytest.approx(sum(ways.values()))
        answer = session.once(f"viterbi(days([{text}]),P), decode([{text}],States)")
        assert answer["P"] == pytest.approx(max(ways.values()))
        assert ways[tuple(answer["States"])] == pytest.approx(max(ways.values()))


def test_blood_types_are_at_a_maximum():
    """The learned gene frequencies solve the likelihood equations: one EM step by hand changes nothing."""
    session = load("blood")
    session.once("set_prism_flag(learn_message,none), set_prism_flag(epsilon,1.0e-12)")
    session.once(
        "learn([count(bloodtype(a),40),count(bloodtype(b),20),count(bloodtype(o),30),count(bloodtype(ab),10)])"
    )
    a, b, o = session.switch("gene").parameters
    genes_a = 40 * (2 * a * a + 2 * a * o) / (a * a + 2 * a * o) + 10
    genes_b = 20 * (2 * b * b + 2 * b * o) / (b * b + 2 * b * o) + 10
    assert (a, b, o) == pytest.approx((genes_a / 200, genes_b / 200, 1 - (genes_a + genes_b) / 200), abs=1e-6)


def test_hidden_class_by_another_em():
    """The log posterior in the session is that of the best of 20 runs of an EM for this model alone."""
    import numpy as np

    data = {0: [(1, 0), (0, 1)] * 2, 1: [(1, 1), (0, 0)] * 2}
    delta = 0.1
    random = np.random.default_rng(1)
    best = -math.inf
    for _ in range(20):
        log_post = 2 * delta * math.log(0.5) + 8 * math.log(0.5)  # the classes: four examples each
        for rows in data.values():
            x = np.array(rows, dtype=float)
            group, attr = random.dirichlet([5, 5]), random.uniform(0.2, 0.8, (2, 2))  # attr[group, attribute]
            for _ in range(2000):
                joint = group * np.prod(np.where(x[:, None, :] == 1, attr, 1 - attr), axis=2)
                share = joint / joint.sum(axis=1, keepdims=True)
                counts = share.sum(axis=0)
                group = (counts + delta) / (counts.sum() + 2 * delta)
                attr = (share.T @ x + delta) / (counts[:, None] + 2 * delta)
            joint = group * np.prod(np.where(x[:, None, :] == 1, attr, 1 - attr), axis=2)
            log_post += np.log(joint.sum(axis=1)).sum() + delta * np.log(group).sum()
            log_post += delta * (np.log(attr) + np.log(1 - attr)).sum()
        best = max(best, log_post)
    (shown,) = re.findall(r"^L = (.*)$", (EXAMPLES / "nbh.session.txt").read_text(), re.MULTILINE)
    assert float(shown) == pytest.approx(best, abs=1e-3)


@pytest.mark.parametrize("length", range(1, 6))
def test_grammars_count_their_trees(length):
    trees = math.comb(2 * length - 2, length - 1) // length  # Catalan number
    words = ",".join("ab"[i % 2] for i in range(length))
    assert load("pcfg").prob(f"pcfg([{words}])") == pytest.approx(trees * 0.4 ** (length - 1) * 0.3**length)
    assert load("plcg").prob(f"plcg([{words}])") == pytest.approx(trees * 0.5 ** (3 * length - 1))


def test_sentences_with_a_tree():
    session = load("telescope")
    sentence = "[i,saw,the,man,with,a,telescope]"
    trees = [answer["T"] for answer in session.ask(f"n_viterbig(9,parse({sentence},T),_)")]
    assert len(trees) == 2
    assert session.prob(f"parse({sentence},_)") == pytest.approx(0.00027216 + 0.00018144)


def test_session_in_python(folder, monkeypatch):
    monkeypatch.chdir(folder / "iris")
    monkeypatch.syspath_prepend(str(folder / "iris"))
    monkeypatch.delitem(sys.modules, "iris", raising=False)
    found = doctest.testfile(str(folder / "iris" / "python-session.txt"), module_relative=False)
    monkeypatch.delitem(sys.modules, "iris")
    assert (found.failed, found.attempted) == (0, 20)


def test_rows_of_a_file_from_python(folder):
    """Naive Bayes by hand, with Laplace's rule, has the same posterior and as many right."""
    command = [sys.executable, str(folder / "iris" / "iris.py")]
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    sys.path.insert(0, str(EXAMPLES / "iris"))
    import iris

    rows = iris.read(EXAMPLES / "iris" / "iris.csv")
    random.Random(1).shuffle(rows)
    training, test = rows[:100], rows[100:]
    species = sorted({row["species"] for row in rows})

    def share(matching, of, outcomes):
        return (sum(map(matching, of)) + 1) / (len(of) + outcomes)

    def log_joint(row, name, measures):
        own = [other for other in training if other["species"] == name]
        log = math.log(share(lambda other: other["species"] == name, training, 3))
        return log + sum(math.log(share(lambda o, m=m: o[m] == row[m], own, 5)) for m in measures)

    def right(measures_of):
        best = [max(species, key=lambda s: log_joint(row, s, measures_of(i))) for i, row in enumerate(test)]
        return sum(row["species"] == found for row, found in zip(test, best, strict=True))

    whole = right(lambda i: iris.MEASURES)
    holes = right(lambda i: iris.MEASURES[: 2 if i % 2 else 4])
    assert done.stdout.splitlines()[1:] == [
        f"right: {whole} of 50",
        f"right without half of the petals: {holes} of 50",
    ]
    assert whole >= 45

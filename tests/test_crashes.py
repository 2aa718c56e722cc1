"""Programs that once crashed or hung the core: each query in a process of its own, through a pipe.

    python -m pytest -m long tests/test_crashes.py

The programs are kept beside the repository (../shared/crashes, or in the directory that PRISM_CRASHES names).
What must come is the answer, or an error that leaves the session usable.
"""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import prism_repl

pytestmark = pytest.mark.long

CRASHES = Path(os.environ.get("PRISM_CRASHES") or Path(__file__).parents[2] / "shared" / "crashes")
CHECKED = "PRISM_CHECKED" in os.environ  # sanitizers need much more time and address space
SECONDS = 900 if CHECKED else 180
ADDRESS_SPACE = 12 << 30

if not CRASHES.is_dir():
    pytest.skip(
        f"no programs in {CRASHES} (../shared/crashes): THE CRASHES ARE NOT TESTED", allow_module_level=True
    )

# what each query must print, as a regular expression; .* where only being alive afterwards counts
RETURNS = [
    *(
        f"numlist(1,400000,L), {name}(L,_)"
        for name in ("flen", "blen", "fun", "univ", "cp", "ar", "ite", "cmp")
    ),
    "numlist(1,400000,L), length(M,400000), (tr(L,M) ; true), fail",
]
CASES = [
    *(
        ("deep-returns.pl", query, "yes")
        for query in ("go1(900000)", "go2(300000)", "go3(30000)", "go4(500000)")
    ),
    ("stored-float.pl", "go(6,10000)", "yes"),
    ("answer-variables.pl", "go(100000)", "yes"),
    ("look-needs-heap.psm", "prob(r([a,b]))", r"Probability of r\(\[a,b\]\) is: 0\.\d+"),
    ("cut-in-cycle.psm", "prob(goal(1))", r"is: 0\.[1-9]|cyclic explanation graph"),
    ("cut-in-cycle.psm", "n_viterbi(5,goal(1))", r"Viterbi_P|cyclic explanation graph"),
    ("long-condition.pl", "go(1000000)", "yes"),
    ("nested-condition.pl", "go(1000000)", ".*"),
    *(("cyclic-terms.pl", query, ".*") for query in ("go1", "go2", "go3")),
    *(("returns-of-every-kind.pl", query, "yes|no") for query in RETURNS),
    *(("tables-dropped-inside.pl", query, ".*") for query in ("t(5000)", "u(5000)")),
    ("inference-in-tabled.psm", "u(5000,P)", ".*"),
    ("inference-in-tabled-2.psm", "b3(P)", r"P = 0\.125"),
    *(("inference-in-tabled-2.psm", query, r"P = \d") for query in ("best(5,P)", "b2(5,P)")),
    ("inference-in-tabled-2.psm", "b4(P)", ".*"),
    ("cut-in-condition.psm", "run", r"(?s)p1-yes.*p2-yes.*p5-yes"),
    *(("nodes-of-general-calls.psm", f"prob({goal})", "is: 1.0") for goal in ("q1", "q2")),
    *(("side-effects-in-search.psm", f"prob(p{i})", r"is: |ERROR|error|no") for i in range(1, 34)),
    (None, "(fail|true)", "yes"),
    (None, "X='$bigarray'(1000000000,a), bigarray_put(X,999999999,z)", "rror"),
    (None, "'$cut'(100000)", "Undefined procedure"),
    (None, "'$erase'(123456789)", "Undefined procedure"),
    (None, "X=f(X), variant(X,X)", "yes|X = "),
]


HMM = """
values(init,[s0,s1]).
values(out(_),[a,b]).
values(tr(_),[s0,s1]).
hmm(L) :- msw(init,S), hmm(S,L).
hmm(_,[]).
hmm(S,[O|R]) :- msw(out(S),O), msw(tr(S),T), hmm(T,R).
"""


def limit() -> None:
    if not CHECKED:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def run(arguments: list[str], text: str, directory: Path) -> tuple[int, str]:
    """The status and the output of a process of the package."""
    package = Path(prism_repl.__file__).parents[1]
    environment = os.environ | {"PYTHONPATH": str(package), "PYTHONFAULTHANDLER": "1"}
    process = subprocess.run(
        [sys.executable, *arguments],
        input=text,
        capture_output=True,
        text=True,
        cwd=directory,
        env=environment,
        timeout=SECONDS,
        preexec_fn=limit,
    )
    return process.returncode, process.stdout + process.stderr


@pytest.mark.parametrize(("file", "query", "expected"), CASES, ids=lambda x: str(x)[:40])
def test_a_query_that_crashed(file, query, expected, tmp_path):
    load = f"prism('{CRASHES / file}').\n" if file else ""
    status, output = run(["-m", "prism_repl"], f"{load}{query}.\nX = is_alive.\n", tmp_path)
    assert status == 0, output[-3000:]
    assert "X = is_alive" in output, output[-3000:]
    assert "Traceback" not in output, output[-3000:]
    answer = output[: output.index("X = is_alive")]
    assert re.search(expected, answer), answer[-3000:]


def test_a_session_shared_by_threads(tmp_path):
    (tmp_path / "hmm.psm").write_text(HMM)
    status, output = run([str(CRASHES / "session-shared-by-threads.py")], "", tmp_path)
    assert status == 0, output[-3000:]
    assert output.startswith("ok"), output[-3000:]
    assert "alive" in output

"""The examples of ISO/IEC 13211-1 (with Cor.1 to Cor.3), and a table of syntax, as data in tests/prolog/iso.

Two kinds of files. An indented line continues an item; lines that begin with % are comments.

*.txt      Goal => Outcome.
    fails, succeeds                   no solution; at least one
    X = 1, Y = f(_)                   exactly this solution; unmentioned variables stay unbound
    X = 1 ; X = 2 [; more]            exactly these solutions in this order (or these first)
    type_error(integer, a)            the formal term of the error (a variable stands for anything)
    throws(Ball)
    prints(Text), prints(Text, Outcome)
    either(Outcome, Outcome)          where the standard leaves a choice
  :- Goal.                            prepares the next examples
  deviation(Goal => Ours, Standard, 'Why.')    a deliberate difference

syntax.tab  the text to be read and run on one line or more, then a line ` => ` with what it prints, or one of
    syntax_error, fails, or a formal error term; ` (standard: ..., because ...)` marks a difference.

All items of a file run in one process of `prism-repl`, through harness.pl, which is plain ISO Prolog:
`python -m tests.prolog.test_iso swipl` shows where another system differs.
"""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

FOLDER = Path(__file__).parent / "iso"
HARNESS = FOLDER / "harness.pl"


@dataclass
class Item:
    """One example: its text, and for the table of syntax what is expected of it."""

    file: str
    line: int
    text: str
    expected: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def paragraphs(path: Path) -> list[Item]:
    items: list[Item] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("%"):
            continue
        if line[0].isspace():
            items[-1].text += "\n" + line
        else:
            items.append(Item(path.name, number, line))
    return items


def syntax_items(path: Path) -> list[Item]:
    """`text` lines and then ` => expected`; a `|` at the head of a continued line is its margin."""
    items = paragraphs(path)
    for item in items:
        text, _, expected = item.text.rpartition("\n => ")
        item.text = re.sub(r"\n \|", "\n", text)
        item.expected = re.sub(r" \(standard: .*\)$", "", expected) or "prints nothing"
    return items


def prism_command(goal: str) -> list[str]:
    return [sys.executable, "-m", "prism_repl", "-g", goal, str(HARNESS)]


def swi_command(goal: str) -> list[str]:
    flags = "set_prolog_flag(double_quotes,codes),set_prolog_flag(iso,true)"
    return ["swipl", "-q", "--traditional", "-g", f"{flags},{goal}", "-t", "halt", str(HARNESS)]


def run_items(items: list[Item], kind: str, folder: Path, command=prism_command) -> dict[int, str]:
    """Run the items in one process; the result that was printed for each, by its number."""
    jobs = []
    for number, item in enumerate(items):
        text = folder / f"item{number}.pl"
        text.write_text(item.text + "\n", encoding="utf-8")
        jobs.append(f"job({number}, {kind}, '{text.as_posix()}', '{(folder / 'scratch').as_posix()}').\n")
    (folder / "jobs.pl").write_text("".join(jobs))
    process = subprocess.run(
        command(f"run_jobs('{(folder / 'jobs.pl').as_posix()}')"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    results = {int(n): result for n, result in re.findall(r"^@(\d+) (.*)$", process.stdout, re.MULTILINE)}
    results[-1] = process.stdout[-2000:]
    return results


def verdict(item: Item, result: str) -> str:
    """What the harness printed, brought to the form of `expected`; "ok" for an example that agrees."""
    if not item.expected:
        return result
    if result == "printed([])":
        return "prints nothing"
    printed = re.fullmatch(r"printed\(\[(.*)\]\)", result)
    if printed:
        codes = printed.group(1)
        return "".join(chr(int(code)) for code in codes.split(",") if code)
    if result.startswith("raised(syntax_error("):
        return "syntax_error"
    raised = re.fullmatch(r"raised\((.*)\)", result)
    return raised.group(1) if raised else result


class Results:
    """The results of a file, made when first asked for."""

    def __init__(self, folder_factory) -> None:
        self.folders = folder_factory
        self.known: dict[str, dict[int, str]] = {}

    def of(self, name: str, items: list[Item], kind: str) -> dict[int, str]:
        if name not in self.known:
            self.known[name] = run_items(items, kind, self.folders.mktemp(Path(name).stem))
        return self.known[name]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return Results(tmp_path_factory)


FILES = {path.name: (paragraphs(path), "example") for path in sorted(FOLDER.glob("*.txt"))}
FILES |= {path.name: (syntax_items(path), "syntax") for path in sorted(FOLDER.glob("*.tab"))}


@pytest.mark.parametrize(
    ("name", "number"),
    [pytest.param(name, n, id=str(item)) for name in FILES for n, item in enumerate(FILES[name][0])],
)
def test_example(name, number, results):
    items, kind = FILES[name]
    found = results.of(name, items, kind)
    if number not in found:
        pytest.fail(f"the run ended before this example; its last output:\n{found[-1]}")
    expected = items[number].expected or "ok"
    assert verdict(items[number], found[number]) == expected, items[number].text


def compare_with(command) -> None:
    """Print the items on which another system does not do what is expected here."""
    import tempfile

    for name, (items, kind) in FILES.items():
        with tempfile.TemporaryDirectory() as folder:
            found = run_items(items, kind, Path(folder), command)
        for number, item in enumerate(items):
            got = verdict(item, found.get(number, "nothing"))
            if got != (item.expected or "ok"):
                print(f"{item}: {item.text}\n    {item.expected}\n    got {got}")
        print(f"{name}: {len(items)} items")


if __name__ == "__main__":
    compare_with(swi_command if sys.argv[1:] == ["swipl"] else prism_command)

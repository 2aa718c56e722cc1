"""Search and learning on a treebank: a grammar with hundreds of rules and thousands of sentences.

    python -m tests.benchmarks.treebank FOLDER [--program grammar_special.psm] [--sentences N]
    python -m tests.benchmarks.treebank --make FOLDER [--sentences 2000]
    python -m tests.benchmarks.treebank --unit-cycles FOLDER

FOLDER holds a program that defines pcfg/1 (grammar.psm, the generic parser, and grammar_special.psm, the
parser partially evaluated with the rules) and sentences.dat, one goal `pcfg([...]).` a line. --make writes
such a folder with a small random grammar; any generator that writes these files will do. --unit-cycles writes
grammar_cycles.psm beside grammar_special.psm: for each rule A -> B of phrases there is B -> A, too.
One EM and one Viterbi-training run are measured, each in a fresh process. Nothing is asserted.
"""

import argparse
import random
import re
import tempfile
from itertools import islice
from pathlib import Path

from tests.benchmarks.explanations import figures
from tests.benchmarks.runs import prism_command, run, swi_lips, table

LEARN = (
    "prism('{program}'), load_clauses('{data}',Gs), "
    "set_prism_flag(learn_mode,{mode}), set_prism_flag(restart,{restart}), "
    "set_prism_flag(max_iterate,{iterations}), learn(Gs), "
    "learn_statistics(learn_search_time,S), learn_statistics(em_time,E), learn_statistics(num_iterations,I), "
    "nl, write(figures(S,E,I)), nl"
)

GENERIC = """
pcfg(Ws) :- pcfg([n0],Ws,[]).

pcfg([],Ws,Ws).
pcfg([X|Xs],Ws0,Ws) :-
    ( get_values(X,_) -> msw(X,Body), pcfg(Body,Ws0,Ws1)
    ; Ws0 = [X|Ws1] ),
    pcfg(Xs,Ws1,Ws).
"""


def random_grammar(generator: random.Random, phrases: int = 20, classes: int = 20, words: int = 150):
    """Rules of each symbol: phrases n0.. over phrases and word classes t0.., which yield words w0.."""
    rules: dict[str, list[list[str]]] = {}
    for i in range(phrases):
        bodies = [
            [f"t{generator.randrange(classes)}"],
            [f"t{generator.randrange(classes)}", f"t{i % classes}"],
        ]
        for _ in range(4):
            size = generator.choice([2, 2, 2, 3])
            body = [
                f"n{generator.randrange(phrases)}"
                if generator.random() < 0.5
                else f"t{generator.randrange(classes)}"
                for _ in range(size)
            ]
            bodies.append(body)
        rules[f"n{i}"] = [body for k, body in enumerate(bodies) if body not in bodies[:k]]
    for j in range(classes):
        rules[f"t{j}"] = [[f"w{k}"] for k in range(words) if k % classes == j or generator.random() < 0.02]
    return rules


def sample(generator: random.Random, rules: dict[str, list[list[str]]], limit: int) -> list[str] | None:
    """The words of a random derivation, or None if it is longer than the limit."""
    words: list[str] = []
    stack = ["n0"]
    while stack:
        if len(stack) + len(words) > limit:
            return None
        symbol = stack.pop()
        if symbol not in rules:
            words.append(symbol)
            continue
        bodies = rules[symbol]
        weights = [1.0 / len(body) ** 2 for body in bodies]
        stack.extend(reversed(generator.choices(bodies, weights)[0]))
    return words


def make(folder: Path, sentences: int, seed: int) -> None:
    """Write grammar.psm, grammar_special.psm and sentences.dat."""
    generator = random.Random(seed)
    rules = random_grammar(generator)
    folder.mkdir(parents=True, exist_ok=True)
    declarations = "".join(
        f"values({symbol},[{','.join('[' + ','.join(body) + ']' for body in bodies)}]).\n"
        for symbol, bodies in rules.items()
    )
    (folder / "grammar.psm").write_text(declarations + GENERIC)
    clauses = ["\npcfg(Ws) :- n0(Ws,[]).\n"]
    for symbol, bodies in rules.items():
        for body in bodies:
            msw = f"msw({symbol},[{','.join(body)}])"
            if body[0] not in rules:
                clauses.append(f"{symbol}([{body[0]}|A],A) :- {msw}.")
                continue
            variables = "ABCDEFG"[: len(body) + 1]
            calls = [f"{part}({variables[i]},{variables[i + 1]})" for i, part in enumerate(body)]
            clauses.append(f"{symbol}({variables[0]},{variables[-1]}) :- {', '.join([msw, *calls])}.")
    (folder / "grammar_special.psm").write_text(declarations + "\n".join(clauses) + "\n")
    lines: list[str] = []
    while len(lines) < sentences:
        words = sample(generator, rules, limit=18)
        if words is not None and len(words) > 2:
            lines.append(f"pcfg([{','.join(words)}]).")
    (folder / "sentences.dat").write_text("\n".join(lines) + "\n")


def add_unit_cycles(folder: Path) -> int:
    """Write grammar_cycles.psm; returns how many rules it has more than grammar_special.psm."""
    text = (folder / "grammar_special.psm").read_text()
    declared = dict(re.findall(r"^values\('?(\w+)'?,\[(.*)\]", text, re.M))
    units = re.findall(r"^(\w+)\(A,B\) :- msw\('?(\w+)'?,\[('?\w+'?)\]\), (\w+)\(A,B\)\.", text, re.M)
    clauses = []
    for caller, above, quoted, called in units:
        below = quoted.strip("'")
        back = f"['{above}']" if quoted.startswith("'") else f"[{above}]"
        if back in declared[below] or above == below:
            continue
        old = declared[below]
        declared[below] = f"{old},{back}"
        text = text.replace(f"[{old}]", f"[{declared[below]}]", 1)
        name = f"'{below}'" if quoted.startswith("'") else below
        clauses.append((called, f"{called}(A,B) :- msw({name},{back}), {caller}(A,B).\n"))
    for called, clause in clauses:  # beside the other clauses of the same symbol
        place = text.index(f"\n{called}(") + 1
        text = text[:place] + clause + text[place:]
    header = ":- set_prism_flag(error_on_cycle,off).\n"
    (folder / "grammar_cycles.psm").write_text(header + text)
    return len(clauses)


def measure(folder: Path, program: str, sentences: int | None, mode: str, restart: int = 1):
    """Search seconds, seconds an iteration, iterations and megabytes of one learn."""
    with tempfile.TemporaryDirectory() as temporary:
        data = folder / "sentences.dat"
        if sentences is not None:
            with data.open() as file:
                lines = list(islice(file, sentences))
            data = Path(temporary) / "sentences.dat"
            data.write_text("".join(lines))
        goal = LEARN.format(
            program=(folder / program).resolve().as_posix(),
            data=data.resolve().as_posix(),
            mode=mode,
            restart=restart,
            iterations=50,
        )
        one = run(prism_command([], goal), timeout=3600)
    search, seconds, iterations = figures(one.output)
    return search, seconds / max(iterations, 1), iterations, one.megabytes


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--make", action="store_true", help="write the folder instead of measuring")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", action="append", help="default: both programs")
    parser.add_argument(
        "--sentences", type=int, help="only the first N sentences, or how many to make (2000)"
    )
    parser.add_argument("--unit-cycles", action="store_true", help="write grammar_cycles.psm")
    options = parser.parse_args()
    if options.unit_cycles:
        print(f"{add_unit_cycles(options.folder)} rules more, in grammar_cycles.psm")
        return
    if options.make:
        make(options.folder, options.sentences or 2000, options.seed)
        return
    rows = []
    for program in options.program or ["grammar_special.psm", "grammar.psm"]:
        for mode in ("ml", "ml_vt"):
            search, iteration, iterations, megabytes = measure(
                options.folder, program, options.sentences, mode
            )
            rows.append(
                [
                    f"{program} {mode}",
                    f"{search:.2f}",
                    f"{iteration * 1e3:.2f}",
                    str(iterations),
                    f"{megabytes:.0f}",
                ]
            )
    lips = swi_lips()
    note = (
        f"SWI-Prolog here: {lips / 1e6:.1f} million inferences a second"
        if lips
        else "SWI-Prolog is not installed"
    )
    print(table(note, ["learn", "search s", "iteration ms", "iterations", "peak MB"], rows))


if __name__ == "__main__":
    main()

"""The experiments of 'Viterbi training in PRISM' (Sato and Kubota), on our system.

    python examples/viterbi-training/run.py --table 1 --quick

Tables 1 to 3 learn grammars of a treebank, Table 4 classifies UCI data sets, `--table 6` is the graph of the
paper's Section 6. Results go to the folder --out, one by one: an interrupted run goes on where it stopped.
The report is a Markdown file with pictures there.
"""

from __future__ import annotations

import argparse
import math
import os
import signal
import sys
from pathlib import Path

# While modules are imported an interrupt ends the process: numpy would take it for a bad installation.
on_interrupt = signal.signal(signal.SIGINT, signal.SIG_DFL)
HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
ROOT = HERE.parent.parent
if any(ROOT.glob("prism_repl/core/*.so")):  # built in place, perhaps not installed
    sys.path.append(str(ROOT))

try:
    import classification
    import parsing
    import report
    from data_sets import DataError
    from graph import graph_report
    from jobs import Job, Results, run_jobs

    from prism_repl import PrismError
    from prism_repl.experiments import significance_table
    from prism_repl.experiments.significance import mean
except ModuleNotFoundError as error:
    sys.exit(f"{error.name} is missing: pip install '.[examples]' in the repository")
signal.signal(signal.SIGINT, on_interrupt)

# Figures of the paper, shown beside ours.
PAPER_CONVERGENCE = {  # iterations of VT and EM, seconds of VT and EM
    "PCFG": ("8.10(2.28)", "123.6(3.23)", "0.45(0.11)", "6.29(0.16)"),
    "PLCG": ("15.80(4.73)", "144.2(43.51)", "1.55(0.36)", "11.686(3.64)"),
}
PAPER_PARSING = {
    "PCFG": "VT 74.69, EM 70.02, MAP 70.31, VB 72.13 (labelled tree); 77.87, 73.10, 73.45, 75.46 (bracketed "
    "tree); 83.78, 84.44, 84.89, 87.08 (zero crossing brackets); from complete data 79.06, 85.28, 95.37.",
    "PLCG": "VT 76.26, EM 71.81, MAP 71.17, VB 71.15 (labelled tree); 78.86, 75.17, 74.28, 74.28 (bracketed "
    "tree); 87.45, 86.49, 86.03, 86.04 (zero crossing brackets).",
}
PAPER_ACCURACY = {  # NB, then NBH by VT, EM, MAP, VB
    "nursery": (90.23, 92.93, 99.40, 99.65, 97.45),
    "mushroom": (99.57, 100.00, 100.00, 100.00, 99.99),
    "kr-vs-kp": (87.86, 88.69, 91.59, 92.34, 88.90),
    "car": (85.86, 90.97, 97.67, 97.82, 94.68),
    "vote": (90.29, 96.00, 95.66, 96.51, 96.05),
    "dermatology": (97.73, 97.98, 97.51, 98.06, 98.17),
    "glass": (72.82, 75.86, 76.84, 76.66, 76.53),
    "iris": (94.40, 95.07, 95.13, 95.07, 95.07),
    "breast.cancer": (72.52, 72.52, 70.07, 72.76, 72.83),
    "zoo": (95.07, 96.55, 97.42, 96.95, 96.62),
}
NAMES = {"votes": "vote", "breast-cancer": "breast.cancer"}  # other names of these files
MEASURES = {
    "labelled tree": "labelled_tree",
    "bracketed tree": "bracketed_tree",
    "zero crossing brackets": "zero_crossing",
    "PARSEVAL F1": "f1",
}


# Which options belong to which tables; the others belong to all.
TABLES_OF = {
    "corpus": (1, 2, 3),
    "dependence": (1, 2, 3),
    "uci": (4,),
    "runs": (1,),
    "restarts": (2, 3),
    "methods": (2, 3),
    "hidden": (4,),
    "repeats": (4,),
    "found": (4,),
    "workers": (1, 2, 3, 4),
}


def main() -> int:
    o = arguments()
    out = Path(o.out)
    try:
        results = Results(out / "results.jsonl")
        if o.table == 1:
            file, last = convergence(o, out, results)
        elif o.table in (2, 3):
            file, last = parse_quality(o, out, results, "PCFG" if o.table == 2 else "PLCG")
        elif o.table == 4:
            file, last = accuracy(o, out, results)
        else:
            file, last = graph_report(out)
        print(f"{file}: the report")
        print(last, flush=True)
    except KeyboardInterrupt:
        print("\nInterrupted. What is finished is kept: the same command goes on from here.")
        return 130
    except BrokenPipeError:  # nobody reads what is printed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (DataError, parsing.CorpusError) as error:
        raise SystemExit(str(error)) from None
    except PrismError as error:
        raise SystemExit(f"a run failed: {error}") from None
    except OSError as error:
        raise SystemExit(f"{error.filename or out}: {error.strerror}") from None
    return 0


def arguments() -> argparse.Namespace:
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--table", type=int, choices=[1, 2, 3, 4, 6], required=True)
    a.add_argument(
        "--quick",
        action="store_true",
        help="a small treebank, the first trees of a corpus, the two smallest data sets; few runs",
    )
    a.add_argument(
        "--corpus", metavar="DIR", help="a real treebank: files of bracketed trees (.mrg, .ptb, .txt)"
    )
    a.add_argument(
        "--dependence",
        type=dependence,
        default=0.0,
        metavar="X",
        help="how far the rules of synthetic trees depend on the symbol above (0: as in a PCFG; try 2)",
    )
    a.add_argument(
        "--uci", metavar="DIR", help="folder of ARFF files (default: the small set beside this file)"
    )
    a.add_argument("--out", metavar="DIR", default="viterbi-training-results")
    a.add_argument("--runs", type=positive, help="runs of each method in Table 1 (10; quick: 3)")
    a.add_argument("--restarts", type=positive, help="random restarts in Tables 2 and 3 (50; quick: 5)")
    a.add_argument(
        "--methods",
        metavar="M,M,...",
        help=f"columns of Tables 2 and 3, VT among them ({','.join(parsing.METHODS)})",
    )
    a.add_argument(
        "--hidden",
        type=hidden_classes,
        metavar="N,N,...",
        help="numbers of hidden classes in Table 4 (2,...,15; quick: 2,3)",
    )
    a.add_argument(
        "--repeats",
        type=positive,
        help="how often Table 4 repeats its ten-fold cross validation (10; large sets and quick: 1)",
    )
    a.add_argument(
        "--found", action="store_true", help="report what Table 4 has in --out so far, and run nothing"
    )
    a.add_argument("--workers", type=positive, help="processes (default: all cores)")
    o = a.parse_args()
    for option, tables in TABLES_OF.items():
        if getattr(o, option) and o.table not in tables:
            a.error(f"--{option} is not for --table {o.table}")
    if o.corpus and o.dependence:
        a.error("--dependence shapes the synthetic treebank: not with --corpus")
    if o.found and (o.quick or o.repeats or o.workers):
        a.error("--quick, --repeats and --workers say what is run: not with --found")
    o.workers = o.workers or os.cpu_count() or 1
    return o


def positive(text: str) -> int:
    """A positive integer of the command line."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive integer")
    return int(text)


def dependence(text: str) -> float:
    """A number from 0 on."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on (and below 100)")
    return number


def hidden_classes(text: str) -> list[int]:
    """Numbers of hidden classes: one would be naive Bayes, which is always there."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and len(part) < 4 and int(part) > 1 for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of integers from 2 to 999, as 2,3,5")
    return sorted(set(map(int, parts)))


def corpus_of(o: argparse.Namespace, out: Path) -> parsing.Corpus:
    corpus = parsing.Corpus(o.corpus, "quick" if o.quick else "full", str(out / "cache"), o.dependence)
    if corpus.must_be_made():
        print("The treebank is made first.", flush=True)
    corpus.trees()  # made once, before processes need it
    return corpus


def convergence(o: argparse.Namespace, out: Path, results: Results) -> tuple[Path, str]:
    """Table 1: iterations and learning time."""
    corpus = corpus_of(o, out)
    runs = o.runs or (3 if o.quick else 10)
    jobs = parsing.convergence_jobs(corpus, runs, 1)
    run_jobs("Table 1", jobs, results, o.workers)
    rows = []
    ratios = {}
    faster = []
    iterations: dict[str, dict[str, list[float]]] = {}
    for kind in parsing.GRAMMARS:
        found = {
            method: [results.found[f"convergence {corpus.name} {kind} {method} {run}"] for run in range(runs)]
            for method in ("VT", "EM")
        }
        steps = {method: [r["iterations"] for r in of] for method, of in found.items()}
        seconds = {method: [r["seconds"] for r in of] for method, of in found.items()}
        iterations[kind] = steps
        ratios[kind] = mean(steps["EM"]) / mean(steps["VT"])
        faster.append(f"{kind} {mean(seconds['EM']) / mean(seconds['VT']):.1f}")
        rows.append(
            [
                kind,
                *(report.spread(steps[m]) for m in ("VT", "EM")),
                *(report.spread(seconds[m], 3) for m in ("VT", "EM")),
            ]
        )
        rows.append([f"{kind} in the paper", *PAPER_CONVERGENCE[kind]])
    head = ["", "VT iterations", "EM iterations", "VT seconds", "EM seconds"]
    last = f"EM/VT iterations: PCFG {ratios['PCFG']:.1f} PLCG {ratios['PLCG']:.1f}"
    parts = [
        described(corpus),
        f"Means and standard deviations of {runs} runs from random starts; seconds without the search.",
        report.table(head, rows),
        f"{last} (the paper: 15.2 and 8.3).",
        f"EM/VT seconds: {' '.join(faster)} (the paper: 13.8 and 7.4).",
        *([few_or_many(iterations)] if runs > 1 else []),
        took(jobs, results),
        report.bars(out, f"table1-{corpus.word}", "iterations", iterations),
    ]
    return report.save(out, f"table1-{corpus.word}", "Table 1: iterations until convergence", parts), last


def few_or_many(iterations: dict[str, dict[str, list[float]]]) -> str:
    """Whether VT and EM differ in their iterations, by the paper's test."""
    from scipy.stats import ttest_ind  # here: each process imports this file, and scipy takes a while

    level = 0.05 / len(iterations)
    found = []
    for kind, of in iterations.items():
        equal = len(set(of["VT"] + of["EM"])) == 1
        p = 1.0 if equal else float(ttest_ind(of["VT"], of["EM"]).pvalue)
        found.append(f"{kind} p = {p:.2g} ({'differ' if p < level else 'no difference'})")
    return (
        "Whether VT and EM differ in their iterations, by the unpaired t-test at the level "
        f"5 % / {len(iterations)}: {', '.join(found)}. In the paper they differ for both."
    )


def took(jobs: list[Job], results: Results) -> str:
    """How long some jobs took."""
    seconds = sum(results.seconds.get(job.key, 0.0) for job in jobs)
    return f"The runs took {report.duration(seconds)} in all, those that worked side by side added up."


def parse_quality(o: argparse.Namespace, out: Path, results: Results, kind: str) -> tuple[Path, str]:
    """Tables 2 and 3: cross-validated parsing scores."""
    methods = chosen_methods(o.methods)
    corpus = corpus_of(o, out)
    restarts = o.restarts or (5 if o.quick else 50)
    complete = [parsing.COMPLETE] if kind == "PCFG" else []
    number = 2 if kind == "PCFG" else 3
    jobs = parsing.parsing_jobs(corpus, kind, methods + complete, restarts, 1)
    run_jobs(f"Table {number}", jobs, results, o.workers)

    def scores(method: str, measure: str) -> list[float]:
        keys = (
            f"parsing {corpus.name} {kind} {method} fold {f} best of {restarts}" for f in range(parsing.FOLDS)
        )
        return [results.found[key][measure] for key in keys]

    measures = {
        text: {method: scores(method, field) for method in methods} for text, field in MEASURES.items()
    }
    parts = [
        described(corpus),
        f"{parsing.FOLDS}-fold cross validation, the best of {restarts} random restarts, in per cent with "
        "standard deviations. Bold: the best of the row. A star: differs from VT by Dunnett's test at "
        "the 5 % level. PARSEVAL F1 counts the brackets of all nodes, also those above one word.",
        significance_table(measures, "VT"),
    ]
    for method in complete:
        figures = ", ".join(f"{t} {100 * mean(scores(method, f)):.2f}" for t, f in MEASURES.items())
        parts.append(f"From complete data (rules counted in the trees): {figures}.")
    parts += [
        f"The paper, on the ATR corpus: {PAPER_PARSING[kind]}",
        took(jobs, results),
        report.bars(out, f"table{number}-{corpus.word}", "share of sentences", measures),
    ]
    means = {method: mean(shares) for method, shares in measures["labelled tree"].items()}
    best = max(means.values())
    first = ", ".join(method for method in methods if means[method] == best)
    last = f"best by labelled trees: {first} ({100 * best:.2f} %)"
    title = f"Table {number}: parsing performance by {kind}"
    return report.save(out, f"table{number}-{corpus.word}", title, parts), last


def chosen_methods(text: str | None) -> list[str]:
    """The methods that `--methods` names, in the order of the table."""
    wanted = [method.strip() for method in text.split(",")] if text else list(parsing.METHODS)
    for method in wanted:
        if method not in parsing.METHODS:
            raise SystemExit(
                f"--methods: there is no {method!r}; the methods are {', '.join(parsing.METHODS)}"
            )
    if "VT" not in wanted:
        raise SystemExit("--methods: VT must be among them, it is what the others are tested against")
    if set(wanted) == {"VT"}:
        raise SystemExit("--methods: there must be others than VT, it is compared with them")
    return [method for method in parsing.METHODS if method in wanted]


def accuracy(o: argparse.Namespace, out: Path, results: Results) -> tuple[Path, str]:
    """Table 4: cross-validated accuracy, the best over hidden classes and pseudo counts."""
    folder = Path(o.uci) if o.uci else HERE / "uci"
    files = [path for path in sorted(folder.iterdir()) if path.suffix.lower() == ".arff" and path.is_file()]
    paths = list(map(str, sorted(files, key=lambda path: path.stat().st_size)))
    if not paths:
        raise SystemExit(f"{folder}: no .arff files")
    if o.quick:
        paths = paths[:2]
    hidden = o.hidden or ([2, 3] if o.quick else list(range(2, 16)))
    plans = []
    for path in paths:
        repeats = o.repeats or (1 if o.quick or is_large(path) else 10)
        plans.append(classification.Plan(path, hidden, repeats))
    if o.found:
        plans = [plan for path in paths if (plan := classification.finished(results.found, path, hidden))]
        if not plans:
            raise SystemExit(f"{out}: no data set has results of all methods")
    else:
        run_jobs("Table 4", [job for plan in plans for job in plan.jobs(1)], results, o.workers)
    jobs = [job for plan in plans for job in plan.jobs(1)]
    measures: dict[str, dict[str, list[float]]] = {}
    pictures = []
    wins: dict[str, int] = dict.fromkeys(classification.METHODS, 0)
    for plan in plans:
        best = {"NB": plan.accuracies(results.found, "EM", 1, "1.0e-9")}
        curves: dict[str, dict[int, float]] = {}
        for method in classification.METHODS:
            tried = {
                setting: plan.accuracies(results.found, method, *setting)
                for setting in classification.settings(method, plan.hidden)
            }
            best[method] = max(tried.values(), key=mean)
            curves[method] = {
                groups: max(mean(found) for (g, _), found in tried.items() if g == groups)
                for groups in plan.hidden
            }
        top = max(mean(best[method]) for method in classification.METHODS)
        for method in classification.METHODS:
            wins[method] += mean(best[method]) == top
        measures[plan.name] = best
        pictures.append(report.lines(out, f"table4-{plan.name}", "accuracy", curves))
    last = "best on: " + ", ".join(f"{method} {n}" for method, n in wins.items())
    printed = [
        [name, *(f"{v:.2f}" for v in figures)]
        for name in measures
        if (figures := PAPER_ACCURACY.get(NAMES.get(name, name)))
    ]
    parts = [
        "Naive Bayes with a hidden class: accuracy in per cent with standard deviations over the folds of "
        "ten-fold cross validations, the best over numbers of hidden classes and pseudo counts "
        f"{' and '.join(classification.PSEUDO_COUNTS)} (EM has none). NB: one hidden class. Numeric "
        "attributes are cut into five parts of equal frequency; the paper does not say how it did that.",
        "As in the paper, the best setting is chosen by the very folds that are reported: the accuracies are "
        "those of the best of many, so too good, and most so where most settings are tried (VT, MAP and VB "
        "twice as many as EM, NB one).",
        "Bold: the best of the row. A star: differs from VT by Dunnett's test at the level 5 % / "
        f"{len(plans)} (there are so many data sets). The folds of repeated cross validations overlap, which "
        "the test does not know.",
        significance_table(measures, "VT", 0.05 / len(plans)),
        last + ".",
        "What was run:",
        report.table(
            ["data set", "rows", "cross validations", "hidden classes", "runs"],
            [plan.described() for plan in plans],
        ),
        took(jobs, results),
        *(
            ["The paper:", report.table(["data set", "NB", *classification.METHODS], printed)]
            if printed
            else []
        ),
        *pictures,
    ]
    return report.save(out, "table4", "Table 4: classification accuracy", parts), last


def is_large(path: str) -> bool:
    """Whether the paper would make only one cross validation of a data set."""
    return len(classification.data_set(path).rows) > 2000


def described(corpus: parsing.Corpus) -> str:
    """What the corpus is, for the head of a report."""
    trees = corpus.trees()
    grammar = parsing.Grammar.of_trees(trees)
    words = sum(len(tree.words()) for tree in trees)
    kind = "Corpus" if corpus.folder else "Synthetic treebank"
    if corpus.dependence:
        kind += f" whose rules depend on the symbol above (dependence {corpus.dependence:g})"
    return (
        f"{kind}: {len(trees):,} sentences of {words / len(trees):.1f} words on average, {grammar.size()} "
        f"rules, {len(grammar.rules)} nonterminals, {len(grammar.words())} words.{left_out(corpus)}"
    )


def left_out(corpus: parsing.Corpus) -> str:
    """How many trees of a folder cannot be used."""
    number = corpus.read()[1] if corpus.folder else 0
    if not number:
        return ""
    return f" Left out: {number:,} with rare rules by which a symbol derives itself alone."


if __name__ == "__main__":
    sys.exit(main())

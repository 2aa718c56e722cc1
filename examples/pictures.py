"""Pictures of the examples: the best explanation of a goal, its explanation graph, the switches, and a course
of learning, as SVG and PNG.

python examples/pictures.py FOLDER [NAME...]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from prism_repl import Session

EXAMPLES = Path(__file__).resolve().parent
# A goal of each program that is worth a picture.
GOALS = {
    "agree": "success",
    "alarm": "world(yes,no,yes,yes,yes)",
    "blood": "bloodtype(a)",
    "diet": "week([light,heavy,light,light,heavy])",
    "graph": "path(1,4)",
    "hmm": "days([walk,shop,clean])",
    "nbh": "nbayes(yes,[t,f])",
    "number": "sentence([she,sleeps])",
    "pcfg": "pcfg([a,b,b])",
    "pile": "wins(3)",
    "plan": "seen([sit,read])",
    "plcg": "plcg([a,b,b])",
    "prefix": "begins([a,b])",
    "profile": "protein([c,h])",
    "reach": "path(1,4)",
    "tagging": "sentence([still/adj,waters/noun,run/verb,deep/adv])",
    "telescope": "parse([i,saw,the,man,with,the,telescope],_)",
    "topics": "document([ship,species,struggle])",
}
FIRST_ORDER = {"agree", "diet", "number", "pile"}  # loaded by prismn/1
VITERBI_TRAINING = {"graph"}  # its explanations are not exclusive: sums mean nothing


def draw(name: str, folder: Path, suffixes: tuple[str, ...] = ("svg", "png")) -> list[Path]:
    """Draw the pictures of one example; their files."""
    session = Session(lambda text: None)
    load = "prismn" if name in FIRST_ORDER else "prism"
    session.once(f"{load}('{EXAMPLES / name}.psm')")
    goal = GOALS[name]
    if name in VITERBI_TRAINING:
        session.flags.learn_mode = "ml_vt"
    session.once(f"learn([{goal}])")
    files = []
    for suffix in suffixes:
        queries = {
            "tree": f"show_tree({goal},'{{}}')",
            "graph": f"show_graph({goal},'{{}}')",
            "bars": "show_bars(_,'{}')",
            "learn": "show_learn('{}')",
        }
        for kind, query in queries.items():
            file = folder / f"{name}-{kind}.{suffix}"
            if not session.once(query.format(file)):
                raise SystemExit(f"{name}: {query} fails")
            files.append(file)
    return files


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)  # prismn/1 leaves a file where it runs
    for name in sys.argv[2:] or GOALS:
        for file in draw(name, Path()):
            print(folder / file)

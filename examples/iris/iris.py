"""Naive Bayes on a CSV file, through the Python face: learn from some rows, classify the others.

    python examples/iris/iris.py

What it teaches: rows become goals. A missing cell becomes a variable, and is summed out; the class of a new
row is the one with which its goal is most probable. The data are those of R. A. Fisher (1936), from the UCI
Machine Learning Repository, CC BY 4.0.
"""

import csv
import random
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent.parent))  # a clone that is not installed

from prism_repl import Session  # noqa: E402

MEASURES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
GOAL = "flower({species},{sepal_length},{sepal_width},{petal_length},{petal_width})"
PARTS = 5


def read(path: Path) -> list[dict[str, object]]:
    """The rows, each measure as the number (1 to 5) of the fifth of all values that it lies in."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    bounds = {}
    for name in MEASURES:
        numbers = sorted(float(row[name]) for row in rows)
        bounds[name] = [numbers[len(numbers) * i // PARTS] for i in range(1, PARTS)]
    return [
        {name: 1 + sum(float(row[name]) >= bound for bound in bounds[name]) for name in MEASURES}
        | {"species": row["species"]}
        for row in rows
    ]


def classified(session: Session, rows: list[dict[str, object]]) -> list[str]:
    """The most probable species of each row."""
    species = [str(name) for name in session.switch("species").outcomes]
    goals = session.goals_of([row | {"species": name} for row in rows for name in species], GOAL)
    logs = session.log_probs(goals).reshape(len(rows), len(species))
    return [species[best] for best in logs.argmax(axis=1)]


def main() -> None:
    rows = read(HERE / "iris.csv")
    random.Random(1).shuffle(rows)
    training, test = rows[:100], rows[100:]

    session = Session(output=lambda text: None)
    session.prism(HERE / "iris.psm")
    session.flags.default_sw_d = 1.0  # no measure is impossible
    learned = session.learn(training, GOAL)
    print(f"learned from {len(training)} rows: log posterior {learned.log_post:.2f}")

    right = sum(row["species"] == found for row, found in zip(test, classified(session, test), strict=True))
    print(f"right: {right} of {len(test)}")

    # Half of the petals were not measured.
    holes = [
        row | ({"petal_length": None, "petal_width": None} if i % 2 else {}) for i, row in enumerate(test)
    ]
    right = sum(row["species"] == found for row, found in zip(test, classified(session, holes), strict=True))
    print(f"right without half of the petals: {right} of {len(test)}")


if __name__ == "__main__":
    main()

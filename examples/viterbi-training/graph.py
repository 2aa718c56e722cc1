"""Section 6: paths in a graph, where explanations are not exclusive, by Viterbi training and exactly."""

from __future__ import annotations

from pathlib import Path

import report

from prism_repl import PrismError, Session

PROGRAM = Path(__file__).parent.parent / "graph.psm"
OBSERVED = ["path(1,4)", "path(1,3)", "path(2,4)", "path(2,5)", "path(3,6)"]


def graph_report(out: Path) -> tuple[Path, str]:
    """The paper's sample session, and what is learned from its five goals."""
    session = Session(output=lambda text: None)
    session.prism(PROGRAM)
    before = best_path(session)
    session.once("set_prism_flag(learn_mode,ml_vt)")
    session.learn(OBSERVED)
    after = best_path(session)
    parts = [
        f"The most probable path from 1 to 4 before learning: {before}. After Viterbi training from "
        f"{', '.join(OBSERVED)}: {after}.",
        "The paper's figure prints 0.104 for the second one and its text says 0.161. Neither follows "
        "from its "
        "equations: the Viterbi explanation of an observed goal throws each of its switches `on`, so "
        "all counts are "
        "of `on`, and the parameters of these switches become 1 (equation 7). Every switch of the best path "
        "from 1 to 4 is among them, so its probability is 1. PRISM 2.x prints other numbers, because "
        "its ml_vt "
        "leaves the random parameters that it starts with.",
        exact(session),
    ]
    last = f"path(1,4): {before} before, {after} after Viterbi training"
    return report.save(out, "section6", "Section 6: a graph", parts), last


def best_path(session: Session) -> str:
    answer = session.once("viterbif(path(1,4),P,E), viterbi_switches(E,S)")
    switches = answer["S"]
    assert isinstance(switches, list)
    edges = ", ".join(f"{s.args[0].args[0]}-{s.args[0].args[1]}" for s in switches)
    return f"{edges} with {answer['P']:.3f}"


def exact(session: Session) -> str:
    """The probability of path(1,4) with one throw for each switch, beside PRISM's sum over explanations."""
    session.prism(PROGRAM)
    summed = session.prob("path(1,4)")
    try:
        session.once("set_prism_flag(trials,once)")
    except PrismError:
        return f"The sum over the explanations of path(1,4) is {summed:.4f}: they are not exclusive."
    right = session.prob("path(1,4)")
    return (
        f"The sum over the explanations of path(1,4) is {summed:.4f}: they are not exclusive. With one "
        "throw for "
        f"each switch (the flag `trials`), its probability is {right:.5f}."
    )

"""Section 6: paths in a graph, where explanations are not exclusive, by Viterbi training and exactly."""

from __future__ import annotations

from pathlib import Path

import report

from prism_repl import PrismError, Session
from prism_repl.experiments import restarted

PROGRAM = Path(__file__).parent.parent / "graph.psm"
ONCE = Path(__file__).parent.parent / "reach.psm"  # the same graph, each edge thrown once
OBSERVED = ["path(1,4)", "path(1,3)", "path(2,4)", "path(2,5)", "path(3,6)"]


def graph_report(out: Path) -> tuple[Path, str]:
    """The paper's sample session, and what is learned from its five goals."""
    session = Session(output=lambda text: None)
    session.prism(PROGRAM)
    before = best_path(session)
    session.once("set_seed(1), set_prism_flag(learn_mode,ml_vt)")
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
        *exact(),
    ]
    last = f"path(1,4): {before} before, {after} after Viterbi training"
    return report.save(out, "section6", "Section 6: a graph", parts), last


def best_path(session: Session) -> str:
    answer = session.once("viterbif(path(1,4),P,E), viterbi_switches(E,S)")
    switches = answer["S"]
    assert isinstance(switches, list)
    edges = ", ".join(f"{s.args[0].args[0]}-{s.args[0].args[1]}" for s in switches)
    return f"{edges} with {answer['P']:.3f}"


def exact() -> list[str]:
    """The same with one throw for each switch: probabilities, and what is learned from them."""
    session = Session(output=lambda text: None)
    session.prism(PROGRAM)
    summed = session.prob("path(1,4)")
    session.prism(ONCE)
    try:
        right = session.prob("path(1,4)")
    except PrismError:  # the package of decision diagrams is not there
        return [f"The sum over the explanations of path(1,4) is {summed:.4f}: they are not exclusive."]
    learned = {"given": edges(session)}
    connected = {"given": right}
    for name, mode in (("Viterbi training", "ml_vt"), ("exact EM", "ml")):
        session.prism(ONCE)
        session.once("set_seed(1), set_prism_flag(default_sw_d,1.0), set_sw_all_d(_,1.0)")
        restarted(session, OBSERVED, mode, restarts=20)
        learned[name], connected[name] = edges(session), session.prob("path(1,4)")
    rows = [[edge, *(f"{found[edge]:.3f}" for found in learned.values())] for edge in learned["given"]]
    rows.append(["path(1,4)", *(f"{p:.5f}" for p in connected.values())])
    return [
        f"The sum over the explanations of path(1,4) is {summed:.4f}: they are not exclusive. With one "
        f"throw for each switch (the flag `trials`), its probability is {right:.5f}.",
        "That can be learned from, too. The probability of each edge, and with it that of path(1,4), after "
        "Viterbi training and after EM with exact probabilities, the best of 20 restarts with a pseudo count "
        "of 1 for each outcome:",
        report.table(["edge", *learned], rows),
    ]


def edges(session: Session) -> dict[str, float]:
    """The probability of each edge."""
    return {
        f"{s.name.args[0]}-{s.name.args[1]}": float(s.parameters[0]) for s in session.switches("d_e(_,_)")
    }

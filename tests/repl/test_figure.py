"""The last figure of the paper on Viterbi training, exactly as printed: no final periods, a line `...`.

Its last answer comes from a defect of PRISM (Viterbi training without pseudo counts does not learn): it is
the one difference that is reported.
"""

import shutil
from pathlib import Path

from prism_repl.repl.replay import replay

FOLDER = Path(__file__).parent / "figure"


def test_the_figure_replays(tmp_path):
    shutil.copy(FOLDER / "graph.psm", tmp_path)
    figure = (FOLDER / "printed.txt").read_text()
    path = tmp_path / "figure.session.txt"
    path.write_text("?- prism(graph).\n\n" + figure)
    results = list(replay(path))
    assert [r.agrees for r in results] == [True, True, True, True, False]

"""rules.txt says for every rule of fidelity where it is tested: these places exist."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def rules():
    """{rule: [place, ...]}"""
    found = {}
    rule = ""
    for line in (HERE / "rules.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            found[rule].append(line.strip())
        elif line and not line.startswith("#"):
            rule = line
            found[rule] = []
    return found


@pytest.mark.parametrize(("rule", "places"), rules().items(), ids=list(rules()))
def test_a_rule_is_tested(rule, places):
    assert places
    for place in places:
        if "::test_" in place:
            file, _, name = place.partition("::")
            assert f"def {name}(" in (HERE.parent / file).read_text(encoding="utf-8"), place
        else:
            file, _, text = place.partition(": ")
            assert text in (HERE.parent / file).read_text(encoding="utf-8"), place

"""Predicates of PRISM and B-Prolog that are not here, by subject: what the report of a call says of them."""

import re

ABSENT = {
    "finite-domain constraints": r"in|notin|::|#=|#\\=|#<|#=<|#>|#>=|#<=>|#=>|domain|fd_\w+|indomain"
    r"|labeling\w*|all_different|all_distinct|alldifferent|alldistinct|scalar_product|cumulative",
}


def absent_subject(name: str) -> str | None:
    """What a predicate of this name would belong to, if it is one that is missing here."""
    return next((subject for subject, names in ABSENT.items() if re.fullmatch(names, name)), None)

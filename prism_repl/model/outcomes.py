"""Outcome spaces: the ranges in them written out."""

from typing import Any

from prism_repl.core.errors import domain_error, resource_error
from prism_repl.model import distributions
from prism_repl.model.messages import pair_text, prism_error
from prism_repl.model.term_values import to_plain

LARGEST = 1 << 26  # outcomes of a range: more would fill the memory before the heap refuses them


def expanded_values(m: Any, cells: list[int], ident: str = "2008", culprit: str | None = None) -> list[int]:
    """Outcomes with the ranges Min-Max and Min-Max@Step written out; the message of a bad range names the
    pair, or this culprit."""
    values: list[int] = []
    for cell in cells:
        item = to_plain(m, cell) if m.is_compound(cell) else None
        try:
            numbers = distributions.range_of(item)
        except distributions.InvalidRange as error:
            low, high = m.int_cell(error.low), m.int_cell(error.high)
            formal = domain_error("integer_range_inclusive", m.list_from([low, high]))
            raise prism_error(m, ident, formal, culprit or pair_text(m, low, high)) from None
        if numbers is None:
            values.append(cell)
        elif (numbers.stop - numbers.start) // numbers.step > LARGEST:
            raise resource_error("memory")
        else:
            values.extend(m.int_cell(i) for i in numbers)
    return values

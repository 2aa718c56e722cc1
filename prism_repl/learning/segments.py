"""Sums over the instances of each switch, with the same bits for any number of lanes."""

from __future__ import annotations

from prism_repl.arrays import Array, np
from prism_repl.graph import lane_sums


def weighted_sums(weights: Array, values: Array) -> Array:
    """The sum of weights[i] * values[i, lane] for each lane; weights of zero do not count."""
    totals = np.empty(values.shape[1])
    lane_sums.weighted_sums(
        np.ascontiguousarray(weights), np.ascontiguousarray(values), totals, values.shape[1]
    )
    return totals


class Segments:
    """Sums over the instances of each switch, in arrays of shape (n_instances, lanes)."""

    def __init__(self, switch_instances: Array) -> None:
        self.edges = switch_instances
        self.starts = self.edges[:-1]
        self.sizes = np.diff(self.edges)
        self.size_of = np.repeat(self.sizes, self.sizes)[:, None].astype(float)

    def sums(self, values: Array) -> Array:
        totals = np.empty((len(self.sizes), values.shape[1]))
        lane_sums.segment_sums(self.edges, np.ascontiguousarray(values), totals, values.shape[1])
        return totals

    def total(self, values: Array) -> Array:
        """The sum over all instances (or all switches), for each lane."""
        return weighted_sums(np.ones(len(values)), values)

    def spread(self, per_switch: Array) -> Array:
        return np.repeat(per_switch, self.sizes, axis=0)

    def in_order(self, order: list[int] | None, fixed: Array) -> Array:
        """The instances that are not fixed, switch by switch in this order."""
        if order is None:
            instances = np.arange(len(fixed))
        else:
            starts, sizes = self.starts[order], self.sizes[order]
            ends = np.cumsum(sizes)
            instances = np.repeat(starts - (ends - sizes), sizes) + np.arange(
                int(ends[-1]) if len(ends) else 0
            )
        result: Array = instances[~fixed[instances]]
        return result

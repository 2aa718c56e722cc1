"""Inference with switches thrown once, straight on the graph of a goal."""

from prism_repl.inference.methods import exact
from prism_repl.inference.search import search
from prism_repl.prolog.reader import read_term
from prism_repl.prolog.writer import write_term


def graph_of(machine, *goals):
    """The search of goals given as text."""
    m = machine.m
    return search(m, [m.deref(read_term(m, goal + " .").cell) for goal in goals])


def inference(machine, *goals):
    """Exact inference on the goals, and the number of each instance (switch, outcome) in the graph."""
    found = graph_of(machine, *goals)
    m = found.m
    theta = m.prob.switches.parameters()[found.graph.instance_ids]
    instances = {}
    for number in range(found.graph.n_instances):
        cell = found.switch_cell(number)
        name, value = (write_term(m, m.arg(cell, i)) for i in (0, 1))
        instances[name, int(value)] = number
    return exact(found.graph, theta, m.prob.flags), instances

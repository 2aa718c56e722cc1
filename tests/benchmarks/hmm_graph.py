"""The explanation graph of an HMM on random sequences, as raw output of a search, without the search."""

import numpy as np

from prism_repl.graph.graph import build_graph


def hmm_tables(n_sequences=1000, length=100, states=2, symbols=2, seed=1):
    """The tables of the search for hmm(Sequence), equal suffixes shared; the arguments of build_graph.

    Switches: 0 = init, 1..states = tr(s), then out(s)."""
    rng = np.random.default_rng(seed)
    data = rng.integers(symbols, size=(n_sequences, length))
    sizes = [states] + [states] * states + [symbols] * states
    first = np.concatenate([[0], np.cumsum(sizes)]).tolist()
    head, nexts, starts, lens, items = [], [], [], [], []
    table = {}

    def node(paths):
        number = len(head)
        head.append(len(nexts) if paths else -1)
        for i, path in enumerate(paths):
            nexts.append(len(nexts) + 1 if i + 1 < len(paths) else -1)
            starts.append(len(items))
            lens.append(len(path))
            items.extend(path)
        return number

    def switch(s, v):
        return (first[s] + v) << 1 | 1

    roots = []
    for row in data.tolist():
        key = ""
        below = [table.setdefault(("", s), None) for s in range(states)]
        if below[0] is None:
            below = [node([[]]) for s in range(states)]
            for s in range(states):
                table["", s] = below[s]
        for symbol in reversed(row):
            key = f"{symbol}{key}"
            nodes = []
            for s in range(states):
                number = table.get((key, s))
                if number is None:
                    number = node(
                        [
                            [switch(1 + states + s, symbol), switch(1 + s, t), below[t] << 1]
                            for t in range(states)
                        ]
                    )
                    table[key, s] = number
                nodes.append(number)
            below = nodes
        number = table.get((key, -1))
        if number is None:
            number = node([[switch(0, s), below[s] << 1] for s in range(states)])
            table[key, -1] = number
        roots.append(number)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return data, {
        "roots": roots,
        "node_head": head,
        "path_next": nexts,
        "path_start": starts,
        "path_len": lens,
        "items": items,
        "switch_of_instance": owner,
        "first_instance_of_switch": first[:-1],
        "size_of_switch": sizes,
    }


def hmm_graph(**sizes):
    return build_graph(**hmm_tables(**sizes)[1])

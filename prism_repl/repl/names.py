"""What completion can offer in a session: predicates, flags, switches."""

from __future__ import annotations

import re

from prism_repl.core.instructions import CONSTANTS
from prism_repl.flags import TABLE as FLAGS
from prism_repl.prolog.definitions import loaded_files
from prism_repl.prolog.evaluables import CONSTANTS as CONSTANTS_EVALUATED
from prism_repl.prolog.evaluables import FUNCTORS
from prism_repl.prolog.tracing import tracing
from prism_repl.repl import help as texts
from prism_repl.repl.completer import Index, Source
from prism_repl.repl.sessions import Session

PLAIN = re.compile(r"[a-z]\w*")
P_KIND, P_FUNCTOR, K_UNDEFINED = (CONSTANTS[name] for name in ("P_KIND", "P_FUNCTOR", "K_UNDEFINED"))


class SessionNames(Source):
    """The names of a session. What was found is kept until `forget`: a query may have defined others."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.index: Index | None = None
        self.known: dict[str, list[int]] | None = None

    def forget(self) -> None:
        self.index = self.known = None

    def predicates(self) -> Index:
        if self.index is None:
            described = texts.by_indicator()
            entries = []
            for name, arities in self.arities().items():
                entry = described.get((name, arities[0]))
                shown = f"{name}/{','.join(map(str, arities))}"
                entries.append((name, shown, entry.summary if entry else ""))
            self.index = Index(entries)
        return self.index

    def arities(self) -> dict[str, list[int]]:
        """The predicates that are defined: names that need no quotes, with their arities."""
        if self.known is None:
            m = self.session.machine
            self.known = {}
            for p in m.database.predicates():
                if m.program.pred_field(p, P_KIND) != K_UNDEFINED:
                    functor = m.program.pred_field(p, P_FUNCTOR)
                    name = m.atom_text(m.functor_name_of(functor))
                    if PLAIN.fullmatch(name):
                        self.known.setdefault(name, []).append(m.functor_arity_of(functor))
            for arities in self.known.values():
                arities.sort()
        return self.known

    def probabilistic(self) -> dict[str, list[int]]:
        """The predicates that have probabilities, with their arities."""
        found: dict[str, list[int]] = {}
        for name, arity in sorted(self.session.machine.prob.probabilistic):
            found.setdefault(name, []).append(arity)
        return found

    def has_program(self) -> bool:
        return bool(loaded_files(self.session.machine))

    def flags(self) -> Index:
        return Index((flag.name, flag.name, flag.help) for flag in FLAGS)

    def flag_values(self, flag: str) -> list[str]:
        for known in FLAGS:
            if known.name == flag:
                # The table describes the values in words: on, off; integer >= 1; file(F); sums of a b.
                words = [word.strip() for word in known.kind.text.replace("sums of ", "").split(",")]
                words += words.pop().split() if "sums of" in known.kind.text else []
                return [word for word in words if known.kind.accepts(plain_value(word))]
        return []

    def switches(self) -> list[str]:
        return self.column("get_reg_sw(X)")

    def outcomes(self, switch: str) -> list[str]:
        return self.column(f"get_values({switch},_Values), member(X,_Values)")

    def column(self, query: str, limit: int = 200) -> list[str]:
        """The values of X in the answers to a query; nothing is printed, and errors are no answers."""
        state, output = tracing(self.session.machine), self.session.output
        mode = state.mode
        state.mode, self.session.output = "off", lambda text: None
        try:
            found = []
            for answer in self.session.answers(query):
                found += [text for name, text in answer.bindings if name == "X"]
                if len(found) >= limit:
                    break
            return found
        finally:
            self.session.close()
            state.mode, self.session.output = mode, output

    def functions(self) -> Index:
        """What can be evaluated: names that need no quotes."""
        names = [(name, 0) for name in CONSTANTS_EVALUATED] + [(name, n) for name, n in FUNCTORS]
        return Index((name, f"{name}/{n}", "") for name, n in names if PLAIN.fullmatch(name))

    def topics(self) -> Index:
        entries = {
            (name, texts.names(entry), entry.summary)
            for entry in [*texts.predicates(), *texts.flags().values()]
            for name in {texts.indicator(signature)[0] for signature in entry.signatures}
        }
        return Index(entries)


def plain_value(word: str) -> object:
    """A word of a flag's description as its value."""
    return ("/", "data", 1) if word == "data/1" else word

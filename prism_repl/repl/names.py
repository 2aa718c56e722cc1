"""What completion can offer in a session: predicates, flags, switches."""

from __future__ import annotations

import re

from prism_repl.core.instructions import CONSTANTS
from prism_repl.flags import TABLE as FLAGS
from prism_repl.prolog.source import loaded_files
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
                if m.pred_field(p, P_KIND) != K_UNDEFINED:
                    functor = m.pred_field(p, P_FUNCTOR)
                    name = m.atom_text(m.functor_name_of(functor))
                    if PLAIN.fullmatch(name):
                        self.known.setdefault(name, []).append(m.functor_arity_of(functor))
            for arities in self.known.values():
                arities.sort()
        return self.known

    def has_program(self) -> bool:
        return bool(loaded_files(self.session.machine))

    def flags(self) -> Index:
        return Index((flag.name, flag.name, flag.help) for flag in FLAGS)

    def flag_values(self, flag: str) -> list[str]:
        for known in FLAGS:
            if known.name == flag:
                # The table describes the values in words: on, off; integer >= 1; file(F).
                words = [word.strip() for word in known.kind.text.split(",")]
                return [word for word in words if re.fullmatch(r"[a-z]\w*(?:/\d)?", word)]
        return []

    def switches(self) -> list[str]:
        return self.session.switch_names()

    def topics(self) -> Index:
        entries = {
            (name, texts.names(entry), entry.summary)
            for entry in [*texts.predicates(), *texts.flags().values()]
            for name in {texts.indicator(signature)[0] for signature in entry.signatures}
        }
        return Index(entries)

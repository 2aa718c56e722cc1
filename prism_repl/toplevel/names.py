"""What completion can offer in a session: predicates, flags, switches."""

from __future__ import annotations

import re

from prism_repl.flags import TABLE as FLAGS
from prism_repl.prolog.instructions import CONSTANTS
from prism_repl.toplevel import help as texts
from prism_repl.toplevel.completer import Index, Source
from prism_repl.toplevel.session import Session

P_KIND, P_FUNCTOR, K_UNDEFINED = (CONSTANTS[name] for name in ("P_KIND", "P_FUNCTOR", "K_UNDEFINED"))


class SessionNames(Source):
    """The names of a session. Indices are built when the number of predicates has changed."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.known = -1
        self.index = Index(())

    def predicates(self) -> Index:
        m = self.session.machine
        # Predicates come into being by being mentioned, and are not forgotten.
        if m.pred_count != self.known:
            self.known = m.pred_count
            self.index = Index(self.entries())
        return self.index

    def entries(self) -> list[tuple[str, str, str]]:
        m = self.session.machine
        described = texts.by_indicator()
        found = []
        for p in m.database.predicates():
            if m.pred_field(p, P_KIND) == K_UNDEFINED:
                continue
            functor = m.pred_field(p, P_FUNCTOR)
            name, arity = m.atom_text(m.functor_name_of(functor)), m.functor_arity_of(functor)
            if re.fullmatch(r"[a-z]\w*", name):
                entry = described.get((name, arity))
                found.append((name, f"{name}/{arity}", entry.summary if entry else ""))
        return found

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
        entries = [(n, f"{n}/{a}", e.summary) for (n, a), e in texts.by_indicator().items()]
        return Index([*entries, *((name, name, e.summary) for name, e in texts.flags().items())])

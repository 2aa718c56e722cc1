"""Programs in files, asked by text."""

from tests.support.prism import Prism


class Program(Prism):
    """A machine with one program loaded from text; numbers are shown with all their digits."""

    float_format = "full"

    def __init__(self, folder, text):
        super().__init__()
        path = folder / "program.psm"
        path.write_text(text)
        assert self.ask(f"prism('{path}')") == [{}], self.output

    def number(self, query, variable="P"):
        """The number that a query gives a variable, None if it fails."""
        solutions = self.ask(query)
        assert isinstance(solutions, list), solutions
        return float(solutions[0][variable]) if solutions else None

    def printed(self, query):
        """What a query that succeeds prints."""
        assert self.ask(query) == [{}], self.output
        return self.output


WEATHER = """
values(first,[calm,storm]).
values(next(_),[calm,storm]).
values(report(_),[sun,rain,wind]).

week(Rs) :- msw(first,S), days(S,Rs).
days(_,[]).
days(S,[R|Rs]) :- msw(report(S),R), msw(next(S),T), days(T,Rs).

plain(X) :- X = 1.

params :-
  set_sw(first,[0.6,0.4]),
  set_sw(next(calm),[0.8,0.2]), set_sw(next(storm),[0.3,0.7]),
  set_sw(report(calm),[0.7,0.2,0.1]), set_sw(report(storm),[0.1,0.4,0.5]).

days(0,L,L) :- !.
days(N,L0,L) :- M is N-1, days(M,[sun,rain|L0],L).
long(N,week(L)) :- days(N,[],L).
"""

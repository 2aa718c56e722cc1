"""A session that knows some queries by heart, for tests of what stands around a session."""

from prism_repl.answers import NO, Answer
from prism_repl.repl.log import Log


class FakeSession:
    """`knows` maps a query (without period) to its answers; a str among them is printed by the program."""

    def __init__(self, knows=None):
        self.knows = knows or {
            "true": [Answer("yes")],
            "fail": [NO],
            "member(X,[a,b])": [Answer("yes", (("X", "a"),), True), Answer("yes", (("X", "b"),), True), NO],
            "write(a)": ["a", Answer("yes")],
            "throw(my)": [Answer("error", message="*** my")],
        }
        self.log = Log()
        self.output = print
        self.asked = []

    def answers(self, query, timeout=None):
        query = " ".join(query.split()).rstrip(".").rstrip()
        self.asked.append(query)
        for item in self.knows.get(query, [Answer("error", message=f"***  Undefined procedure: {query}/0")]):
            if isinstance(item, str):
                self.output(item)
            else:
                yield item

    def mode_line(self):
        return ""

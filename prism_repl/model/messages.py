"""The one catalogue of PRISM's messages, and how an error or a warning is reported.

An error is an ordinary Prolog error with a line, `***  PRISM ERROR: text -- culprit`, that is printed on the
current output when it is thrown. The catalogue holds the texts; which formal term goes with a text depends on
what is wrong with the argument, so the place that raises it says so.
"""

from typing import Any

from prism_repl.core.errors import PrologError
from prism_repl.prolog.writer import write_term

MESSAGES: dict[str, str] = {
    "0000": "invalid probability",
    "0001": "invalid probability list",
    "0002": "invalid ratio list",
    "0003": "invalid probabilistic atomic formula",
    "0004": "invalid user-defined probabilistic atomic formula",
    "0005": "invalid extended probabilistic atomic formula",
    "0006": "invalid tabled probabilistic atomic formula",
    "0007": "invalid callable",
    "0100": "no multi-valued switch declarations given",
    "0101": "non-ground switch name",
    "0102": "outcome space not given",
    "0103": "probability distribution not given",
    "0104": "hyperparameters not given",
    "0106": "modified outcome space with the distribution being fixed",
    "0107": "modified outcome space",
    "0108": "modified outcome space with the hyperparameters being fixed",
    "0109": "distribution fixed",
    "0110": "hyperparameters fixed",
    "0111": "invalid saved switch information",
    "0112": "dynamic change of outcome space with clean_table being off",
    "0200": "invalid distribution",
    "0201": "invalid hyperparameters",
    "0202": "default distribution unavailable",
    "0203": "default distribution unavailable",  # said of hyperparameters, too
    "0204": "invalid number of outcomes",
    "0208": "invalid alpha values",
    "0209": "invalid delta values",
    "0210": "distribution does not match",
    "0211": "size unmatched",
    "1000": "invalid filename",
    "1001": "invalid PRISM option",
    "1002": "tabling disabled in the consultation mode",
    "1003": "batch file not specified",
    "1004": "prism_main/0-1 undefined",
    "1006": "invalid PRISM option(s)",
    "1101": "co-existing p_table and p_not_table declarations",
    "1102": "invalid predicate indicator",
    "1103": "invalid call in write_call",
    "1104": "parameters left unset",
    "1105": "invalid outcome space",
    "1201": "invalid goal; probabilistic goal expected",
    "1202": "invalid constraint; callable expected",
    "1203": "invalid number of samples; positive integer expected",
    "1204": "invalid number of trials; positive integer or `inf' expected",
    "1300": "no observed data; the data_source flag set to `none'",
    "1301": "no observed data; data/1 undefined",
    "1302": "invalid observed data",
    "1303": "invalid observed goal; tabled probabilistic atomic formula expected",
    "1304": "invalied goal count; positive integer expected",  # spelled as PRISM spells it
    "1305": "DAEM not applicable to models with failure",
    "1306": "no explanations",
    "1400": "invalid number of top-ranked expls; positive integer expected",
    "1401": "invalid number of intermediate candidate expls; positive integer expected",
    "1402": "invalid subgoal aggregation pattern",
    "1403": "invalid subgoal pattern",
    "1404": "subgoals unmatched",
    "1405": "invalid subgoal argument; integer expected",
    "1406": "invalid subgoal argument; atom expected",
    "1407": "invalid subgoal argument; compound expected",
    "1408": "invalid subgoal argument; list expected",
    "1409": "invalid subgoal argument; difference list expected",
    "1500": "`failure' is not allowed in MCMC",
    "1501": "MCMC sampling has not been done",
    "1502": "invalid burn-in",
    "1503": "invalid skip",
    "1504": "invalid step for traces",
    "1505": "switch information does not exist",
    "1507": "MCMC takes each msw for a throw of its own; the flag trials must be `fresh'",
    "1506": "invalid number of trials; positive integer expected",
    "1600": "overflow CRF-inside",
    "1601": "CRFs take each msw for a throw of its own; the flag trials must be `fresh'",
    "1602": "non-ground goal name",
    "1603": "invalid goal argument; goal/2 expected",
    "1604": "goal/1 to compute Z(goal) is not defined",
    "2000": "invalid random seed",
    "2001": "invalid random state",
    "2002": "invalid max value; positive integer expected",
    "2003": "invalid min value; integer expected",
    "2004": "invalid max value; integer expected",
    "2005": "invalid min value; number expected",
    "2006": "invalid max value; number expected",
    "2007": "invalid max value; positive number expected",
    "2008": "invalid min/max pair",
    "2009": "invalid mu; number expected",
    "2010": "invalid sigma; positive number expected",
    "2011": "invalid elements; list expected",
    "2012": "invalid number of selections; integer expected",
    "2013": "number of selections out of range",
    "2014": "invalid number of groups; positive integer expected",
    "2100": "invalid argument; callable expected",
    "2101": "invalid argument; atom expected",
    "2102": "invalid argument; operation expected",
    "2103": "invalid argument; list not shorter than {} expected",
    "2104": "invalid argument; list expected",
    "2105": "invalid argument; list or nil expected",
    "2106": "invalid argument; positive integer expected",
    "2107": "invalid agglist operation",
    "2108": "invalid argument; list of numbers expected",
    "2109": "invalid argument; non-variable expected",
    "2110": "invalid agglist argument; Operation=Value expected",
    "2111": "invalid argument; non-negative integer expected",
    "3000": "invalid file specification",
    "3001": "file not found",
    "3002": "unknown or illegal option",
    "3003": "duplicate option",
    "3004": "no information on the last observation",
    "3005": "invalid csv format; unclosed double quote",
    "3006": "invalid csv format; text after a closing double quote",
    "3007": "invalid csv format; number of columns unmatched",
    "3008": "invalid argument; list of rows expected",
    "3009": "invalid csv cell; atomic term expected",
    "3100": "invalid prism flag",
    "3101": "invalid value for {}",
    "3102": "prism flag renamed to {}",
    "3103": "prism flag deleted in version {}",
    "3104": "prism flag value renamed to {}",
    "3200": "control constructs (other than conjunction) disallowed",
    "3300": "predicate replaced by {}",
    "3301": "deprecated predicate",
    "3400": "invalid argument",
    # Ours: PRISM has no text for these.
    "4000": "cyclic explanation graph",
    "4001": "loading a program while tabled calls of another one run",
    "4002": "probability greater than 1; the explanations are not exclusive (exclusiveness condition);"
    " set_prism_flag(trials,once) gives the exact one",
    "4003": "probability too small for a float; log_prob gives its logarithm",
    "4004": "Viterbi probability too small for a float; the flag log_scale gives its logarithm",
    "4010": "clause not compilable; {}",
    "4011": "program not compilable; {} of its clauses cannot be read",
    "4012": "the compiled program would replace its source",
    "4006": "no conditional probabilities: the probability of the goal is 0",
    "4005": "probability too small for a float; learning goes on with logarithms",
    "4020": "{}",
    "4021": "decision diagram too large (out of {}); see the flags diagram_nodes and diagram_time",
    "4022": "evidence of probability zero",
    "4031": "invalid shape of a tensor; list expected",
    "4032": "too many index lists for a tensor of this shape",
    "4033": "no tensor_atom declares the shape of the tensor",
    "4034": "no solution of the goal; nothing to save",
    "4035": "invalid number of cells of an array",
    "4030": "rank_learn needs learn_mode ml or ml_vt",
}


def text_of(m: Any, cell: int) -> str:
    """A term as PRISM's messages show it: unquoted."""
    return write_term(m, cell, quoted=False, bounded=True)


def pair_text(m: Any, first: int, second: int) -> str:
    """Two culprits as (First,Second)."""
    return f"({text_of(m, first)},{text_of(m, second)})"


def say(m: Any, text: str) -> None:
    """Write on the current output."""
    m.streams.current_output.write(text)


def line_of(m: Any, head: str, ident: str, culprit: int | str | None, *parts: str) -> str:
    """One catalogued message."""
    text = MESSAGES[ident].format(*parts) if parts else MESSAGES[ident]
    if culprit is not None:
        text += " -- " + (culprit if isinstance(culprit, str) else text_of(m, culprit))
    return f"***  PRISM {head}: {text}\n"


def message(m: Any, head: str, ident: str, culprit: int | str | None, *parts: str) -> None:
    """Print one catalogued message that is no error."""
    m.streams.complain(line_of(m, head, ident, culprit, *parts))


def remark(m: Any, ident: str, culprit: str) -> None:
    """Print what we have to say where PRISM says nothing: as a comment, which is no part of a transcript."""
    m.streams.complain(f"% Warning: {MESSAGES[ident]} -- {culprit}\n")


def prism_error(
    m: Any,
    ident: str,
    formal: PrologError,
    culprit: int | str | None = None,
    *parts: str,
    source: tuple[str, int] | None = None,
) -> PrologError:
    """The error to raise, with its message.

    `parts` fill the {} of the text; `source` is the predicate that error/2 names, if it is not
    the running one.
    """
    formal.announcement = line_of(m, "ERROR", ident, culprit, *parts)
    if source is not None:
        formal.context = source
    return formal


def prism_warning(m: Any, ident: str, culprit: int | str | None = None, *parts: str) -> None:
    """Print a warning, if the flag `warn` is on."""
    if m.prob.flags["warn"] == "on":
        message(m, "WARNING", ident, culprit, *parts)


def runtime_error(reason: str) -> PrologError:
    return PrologError("prism_runtime_error", reason)

"""Errors as sentences that a person reads."""

from __future__ import annotations

from prism_repl.prolog.terms import Struct, Term, term_text

# Domains that are no nouns.
QUALITIES = {
    "greater_than_zero": "greater than zero",
    "not_less_than_zero": "zero or greater",
    "infinity_or_greater_than_zero": "inf or greater than zero",
    "observed_data": "a list of observed goals",
}
LONGEST = 200  # characters of a goal or culprit


def sentence(ball: Term | None, said: str = "") -> str:
    """What an exception means, '' if its term says all there is. `said` is what PRISM printed of it."""
    match ball:
        case Struct("error", (Struct("prism_runtime_error", _), context)) if said:
            return said + place(context)
        case Struct("error", ("file_not_found", name)):
            return f"there is no file {short(name)}"
        case Struct("error", (formal, context)):
            return reason(formal) + place(context)
        case Struct("time_limit_exceeded", (seconds,)):
            return f"it took longer than {seconds} s"
    return ""


def reason(formal: Term) -> str:
    match formal:
        case "instantiation_error":
            return "an argument is not bound"
        case Struct("type_error", ("probabilistic_atom" | "tabled_probabilistic_atom", culprit)):
            return f"{short(culprit)} is not a goal of the program that has a probability"
        case Struct("type_error", ("callable", culprit)):
            return f"{short(culprit)} is not a goal"
        case Struct("type_error", (kind, culprit)):
            return f"{short(culprit)} is not {article(words(kind))}"
        case Struct("domain_error", (Struct("prism_flag_value", (flag,)), culprit)):
            return f"{short(culprit)} is not a value of the flag {flag}"
        case Struct("domain_error", (domain, culprit)) if domain in QUALITIES:
            return f"{short(culprit)} is not {QUALITIES[str(domain)]}"
        case Struct("domain_error", (domain, culprit)):
            return f"{short(culprit)} is not a valid {words(domain)}"
        case Struct("existence_error", ("procedure", indicator)):
            return f"there is no predicate {short(indicator)}"
        case Struct("existence_error", ("outcome", switch)):
            return f"there is no switch {short(switch)}"
        case Struct("existence_error", (kind, culprit)):
            return f"there is no {words(kind)} {short(culprit)}"
        case Struct("permission_error", (action, kind, culprit)):
            return f"it is not allowed to {words(action)} the {words(kind)} {short(culprit)}"
        case Struct("representation_error", (what,)):
            return f"{words(what)} cannot be represented"
        case Struct("evaluation_error", (what,)):
            return f"arithmetic: {words(what)}"
        case Struct("resource_error", (what,)):
            return f"not enough {words(what)}"
        case Struct("syntax_error", _):
            return "it is not a term"
        case Struct("prism_runtime_error", (what,)):
            return words(what)
    return short(formal)


def place(context: Term) -> str:
    match context:
        case Struct("/", ("call", _)):
            return ""  # the query itself
        case Struct("/", (name, arity)):
            return f", in {name}/{arity}"
    return ""


def words(name: Term) -> str:
    return str(name).replace("_", " ")


def article(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def short(term: Term) -> str:
    text = term_text(term) if isinstance(term, list) else str(term)
    return text if len(text) <= LONGEST else text[: LONGEST - 4] + " ..."

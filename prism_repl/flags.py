"""The execution flags: one table of name, kind of value, default and help line.

Values are plain Python values (see model/term_values.py): "on", 10, 0.1, ("f_geometric", 2).
PRISM's own flags come in the order in which show_flags prints them; ours follow, and are
printed by it where they are not at their defaults.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Value = Any
DISABLED = "$disabled"


class UnknownFlag(KeyError):
    """No such flag."""


class DeletedFlag(KeyError):
    """A flag of an old version; `version` is the one that dropped it."""

    def __init__(self, name: str, version: str) -> None:
        super().__init__(name)
        self.version = version


class InvalidValue(ValueError):
    """The flag does not take this value."""


@dataclass(frozen=True)
class Kind:
    """What values a flag takes: a test, how the help describes it, and the form in which a value is kept."""

    text: str
    accepts: Callable[[Value], bool]
    normal: Callable[[Value], Value] = lambda value: value


def number(value: Value) -> bool:
    return isinstance(value, int | float) and abs(value) <= sys.float_info.max


def choice(*words: str) -> Kind:
    return Kind(", ".join(words), lambda v: isinstance(v, str) and v in words)


def integer(least: int, *words: str) -> Kind:
    text = ", ".join([*words, f"integer >= {least}"])
    return Kind(text, lambda v: v >= least if isinstance(v, int) else isinstance(v, str) and v in words)


def real(text: str, test: Callable[[float], bool], *words: str) -> Kind:
    return Kind(
        ", ".join([*words, "number " + text]),
        lambda v: test(v) if number(v) else isinstance(v, str) and v in words,
    )


def words_in_sum(value: Value) -> list[str] | None:
    """The words of a+b+c, or None if it is not such a sum."""
    words = []
    while isinstance(value, tuple) and len(value) == 3 and value[0] == "+":
        words.append(value[2])
        value = value[1]
    words.append(value)
    return words[::-1] if all(isinstance(w, str) for w in words) else None


def sum_of(alone: tuple[str, ...], *words: str) -> Kind:
    def accepts(value: Value) -> bool:
        if isinstance(value, str) and value in alone:
            return True
        parts = words_in_sum(value)
        return parts is not None and all(w in words for w in parts)

    def ordered(value: Value) -> Value:
        """A sum with its words in their order, each once."""
        parts = words_in_sum(value) or []
        chosen = [w for w in words if w in parts]
        if not chosen:
            return value
        result: Value = chosen[0]
        for word in chosen[1:]:
            result = ("+", result, word)
        return result

    return Kind(", ".join([*alone, "sums of " + " ".join(words)]), accepts, ordered)


def is_size_free(value: Value) -> bool:
    """A distribution form that fits any number of outcomes."""
    if isinstance(value, str):
        return value in ("uniform", "f_geometric", "random", "noisy_u")
    if isinstance(value, tuple) and value[0] == "f_geometric" and len(value) in (2, 3):
        return number(value[1]) and value[1] > 1 and (len(value) == 2 or value[2] in ("asc", "desc"))
    return False


def pseudo_counts(text: str, test: Callable[[float], bool]) -> Kind:
    def accepts(value: Value) -> bool:
        if isinstance(value, tuple):
            return value[0] == "uniform" and len(value) == 2 and number(value[1]) and test(value[1])
        return test(value) if number(value) else value in ("none", "uniform")

    return Kind(f"none, uniform, uniform(U), number {text}", accepts)


ON_OFF = choice("on", "off")
ANY_REAL = real("of any size", lambda v: True)
NOT_NEGATIVE = real(">= 0", lambda v: v >= 0)
POSITIVE = real("> 0", lambda v: v > 0)
RATIO = real(">= 0 and < 1", lambda v: 0 <= v < 1, "default")
INSIDE = real("> 0 and < 1", lambda v: 0 < v < 1)
DISTRIBUTION = Kind(
    "none, uniform, random, noisy_u, f_geometric, f_geometric(B), f_geometric(B,asc|desc)",
    lambda v: v == "none" or is_size_free(v),
)
DATA_SOURCE = Kind(
    "none, data/1, file(F)",
    lambda v: (
        v == "none"
        or v == ("/", "data", 1)
        or (isinstance(v, tuple) and v[0] == "file" and len(v) == 2 and isinstance(v[1], str))
    ),
)
LOSS = Kind("default or a name", lambda v: isinstance(v, str | tuple))


@dataclass(frozen=True)
class Flag:
    name: str
    kind: Kind
    default: Value
    help: str
    renamed: dict[Value, Value] = field(default_factory=dict)  # old spellings of values
    excludes: str | None = None  # the flag that setting this one disables
    ours: bool = False  # not PRISM's: show_flags prints it only if it is not at its default


MODES = {"params": "ml", "hparams": "vb"}

TABLE = [
    Flag("clean_table", ON_OFF, "on", "empty the solution tables before each inference"),
    Flag("crf_enable", ON_OFF, "on", "CRF predicates usable"),
    Flag("crf_annealing_weight", real(">= 1", lambda v: v >= 1), 1.0, "weight of CRF annealing"),
    Flag(
        "crf_learning_rate",
        choice("none", "annealing", "backtrack", "golden"),
        "backtrack",
        "step-size rule of CRF learning by gradients",
    ),
    Flag("crf_golden_b", POSITIVE, 1.0, "upper end of the golden-section search"),
    Flag("crf_epsilon", NOT_NEGATIVE, 1.0, "step constant of CRF learning"),
    Flag("crf_init", choice("none", "noisy_u", "random", "zero"), "zero", "first weights of CRF learning"),
    Flag("crf_learn_mode", choice("fg", "lbfgs"), "lbfgs", "optimiser of CRF learning"),
    Flag("crf_ls_rho", INSIDE, 0.5, "shrinking factor of the backtracking search"),
    Flag("crf_ls_c1", INSIDE, 0.5, "slope constant of the backtracking search"),
    Flag("crf_penalty", ANY_REAL, 0.0, "L2 penalty of CRF learning"),
    Flag("daem", ON_OFF, "off", "deterministic annealing EM"),
    Flag("data_source", DATA_SOURCE, ("/", "data", 1), "where learn/0 finds the observed goals"),
    Flag("default_sw", DISTRIBUTION, "uniform", "parameters of newly registered switches"),
    Flag(
        "default_sw_a",
        pseudo_counts("> 0", lambda v: v > 0),
        DISABLED,
        "alphas of newly registered switches; disables default_sw_d",
        excludes="default_sw_d",
    ),
    Flag(
        "default_sw_d",
        pseudo_counts(">= 0", lambda v: v >= 0),
        0,
        "deltas (pseudo counts) of newly registered switches; disables default_sw_a",
        excludes="default_sw_a",
    ),
    Flag("em_progress", integer(1), 10, "iterations between two dots of the progress line"),
    Flag("epsilon", POSITIVE, 0.0001, "learning stops when the objective gains no more than this"),
    Flag("error_on_cycle", ON_OFF, "on", "refuse explanation graphs with cycles"),
    Flag("error_on_invalid_distribution", ON_OFF, "on", "refuse distributions that do not sum to one"),
    Flag("explicit_empty_expls", ON_OFF, "on", "[path([],[])] rather than [] as the paths of a fact"),
    Flag("fix_init_order", ON_OFF, "on", "initialise switches in the standard order of their names"),
    Flag(
        "force_gc",
        ON_OFF,
        "on",
        "collect garbage after an inference; memory is given back in any case, so it changes nothing",
    ),
    Flag("init", choice("none", "noisy_u", "random"), "random", "parameters that learning starts from"),
    Flag("itemp_init", real("> 0 and =< 1", lambda v: 0 < v <= 1), 0.1, "first inverse temperature"),
    Flag("itemp_rate", real("> 1", lambda v: v > 1), 1.5, "growth of the inverse temperature"),
    Flag(
        "learn_message",
        sum_of(("all", "none"), "search", "em", "stats", "misc"),
        "all",
        "messages that learning prints",
    ),
    Flag(
        "learn_mode",
        choice("ml", "vb", "both", "ml_vt", "vb_vt", "both_vt"),
        "ml",
        "what learn/1 does: EM, variational Bayes, Viterbi training",
        renamed=MODES,
    ),
    Flag("log_scale", ON_OFF, "off", "compute and print logarithms of probabilities"),
    Flag(
        "max_iterate",
        integer(1, "default", "inf"),
        "default",
        "most iterations of a learning run (default is 10000)",
        renamed={0: "inf"},
    ),
    Flag("mcmc_b", integer(0), 1000, "burn-in steps of MCMC"),
    Flag("mcmc_e", integer(0), 2000, "length of the Markov chain"),
    Flag(
        "mcmc_message",
        sum_of(("all", "none"), "search", "em", "mcmc", "stats", "misc"),
        "all",
        "messages that MCMC prints",
    ),
    Flag("mcmc_progress", integer(1), 100, "steps between two dots of MCMC"),
    Flag("mcmc_s", integer(1), 5, "steps between two samples of MCMC"),
    Flag(
        "num_minibatch",
        integer(1),
        1,
        "batches that the goals of sgd_learn, or the lists of rank_learn, are dealt out to",
    ),
    Flag(
        "sgd_minibatch_size",
        integer(1, "default"),
        "default",
        "size of a mini-batch, for the trainer of tensors (save_flags)",
    ),
    Flag("rank_loss", choice("hinge", "square", "exp", "log"), "hinge", "loss of a pair in rank_learn"),
    Flag("rank_loss_c", NOT_NEGATIVE, 1.0, "margin of the losses hinge and square"),
    Flag("reset_hparams", ON_OFF, "on", "reset hyperparameters before a variational run"),
    Flag("restart", integer(1), 1, "number of learning runs, of which the best is kept"),
    Flag("rerank", integer(1), 10, "candidates that Viterbi by hyperparameters ranks again"),
    Flag("scc_debug_level", integer(0), 0, "debugging of cyclic graphs"),
    Flag("search_progress", integer(1), 10, "goals between two dots of the search"),
    Flag("sgd_adam_beta", NOT_NEGATIVE, 0.9, "beta of Adam"),
    Flag("sgd_adam_epsilon", NOT_NEGATIVE, 1.0e-8, "epsilon of Adam"),
    Flag("sgd_adam_gamma", NOT_NEGATIVE, 0.999, "gamma of Adam"),
    Flag("sgd_adadelta_epsilon", NOT_NEGATIVE, 1.0e-8, "epsilon of Adadelta"),
    Flag("sgd_adadelta_gamma", NOT_NEGATIVE, 0.95, "gamma of Adadelta"),
    Flag("sgd_goal_valid_ratio", RATIO, "default", "share of goals held out, for the trainer of tensors"),
    Flag("sgd_learning_rate", ANY_REAL, 0.0001, "size of the steps of sgd_learn and rank_learn"),
    Flag("sgd_loss", LOSS, "default", "loss, for the trainer of tensors (save_flags)"),
    Flag(
        "sgd_optimizer",
        choice("sgd", "adadelta", "adam"),
        "adam",
        "how sgd_learn and rank_learn make steps of gradients",
    ),
    Flag("sgd_patience", integer(0, "default"), "default", "epochs without gain, for the trainer of tensors"),
    Flag("sgd_valid_ratio", RATIO, "default", "share of data held out, for the trainer of tensors"),
    Flag(
        "sgd_weight_decay", ANY_REAL, 0.01, "weight of the squares that sgd_learn and rank_learn keep small"
    ),
    Flag("show_itemp", ON_OFF, "off", "print the inverse temperatures"),
    Flag("sort_hindsight", choice("by_goal", "by_prob"), "by_goal", "order of hindsight results"),
    Flag("std_ratio", POSITIVE, 0.2, "spread of noisy_u and of variational initialisation"),
    Flag(
        "verb",
        choice("none", "em", "graph", "full"),
        "none",
        "print more while learning",
        renamed={"on": "full", "off": "none"},
    ),
    Flag("viterbi_mode", choice("ml", "vb"), "ml", "Viterbi by parameters or hyperparameters", renamed=MODES),
    Flag("warn", ON_OFF, "off", "print warnings"),
    Flag(
        "write_call_events",
        sum_of(("all", "none", "off"), "call", "exit", "redo", "fail"),
        "all",
        "events that write_call/1 prints",
    ),
    Flag(
        "fail_on_outcomes",
        ON_OFF,
        "on",
        "msw fails for values outside the outcome space; if off, they are explanations of probability 0",
    ),
    Flag(
        "warn_exclusiveness",
        ON_OFF,
        "on",
        "warn about probabilities above 1, which come from explanations that are not exclusive",
        ours=True,
    ),
    Flag("vt_best", integer(1), 1, "explanations of each goal that Viterbi training counts", ours=True),
    Flag(
        "vt_search",
        ON_OFF,
        "off",
        "Viterbi training searches anew in each iteration instead of storing graphs: slower, little memory",
        ours=True,
    ),
    Flag(
        "trials",
        choice("fresh", "once"),
        "fresh",
        "every msw of an explanation is a throw of its own, or each ground switch is thrown once for a goal",
        ours=True,
    ),
    Flag(
        "diagram_nodes",
        integer(1),
        1 << 24,
        "most nodes of decision diagrams (trials = once), some 30 bytes each; beyond it is a resource error",
        ours=True,
    ),
    Flag(
        "diagram_time",
        POSITIVE,
        600,
        "most seconds of compiling decision diagrams (trials = once); beyond it is a resource error",
        ours=True,
    ),
    Flag("mcmc_chains", integer(1), 1, "Markov chains of MCMC, each from its own start", ours=True),
    Flag(
        "mcmc_prior",
        choice("set", "start"),
        "set",
        "the prior of MCMC: hyperparameters as they are set, or with the noise of VB's start (PRISM)",
        ours=True,
    ),
    Flag(
        "search_shortcuts",
        ON_OFF,
        "on",
        "explanation search passes over calls that fail for certain; off: only to check that nothing is lost",
        ours=True,
    ),
    Flag("threads", integer(0, "auto"), "auto", "threads of learning (0 or auto: all cores)", ours=True),
    Flag(
        "float_format",
        choice("short", "full"),
        "short",
        "6 significant digits, or all that matter",
        ours=True,
    ),
    Flag(
        "inline_pictures",
        choice("off", "auto", "kitty", "iterm2", "sixel"),
        "off",
        "show_tree and its relatives draw into the terminal, by its protocol or the one that is named",
        ours=True,
    ),
    Flag(
        "progress_style",
        choice("prism", "live"),
        "live",
        "progress of learning as PRISM's dots, or (on a terminal) also as a line that is rewritten",
        ours=True,
    ),
]

BY_NAME = {flag.name: flag for flag in TABLE}
RENAMED = {"default_sw_h": "default_sw_d", "sgd_penalty": "sgd_weight_decay"}
DELETED = {
    "avg_branch": "1.11",
    "layer_check": "1.11",
    "em_message": "2.0.1",
    **dict.fromkeys(
        ("log_viterbi", "dynamic_default_sw", "dynamic_default_sw_h", "params_after_vbem", "reduce_copy"),
        "2.0",
    ),
    **dict.fromkeys(("scaling", "scaling_factor", "smooth"), "2.0"),
}


class Flags:
    """The current values of all flags."""

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}
        self.reset()

    def reset(self) -> None:
        self.values = {flag.name: flag.default for flag in TABLE}

    def __getitem__(self, name: str) -> Value:
        return self.values[name]

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def set(self, name: str, value: Value) -> list[tuple[str, str]]:
        """Set a flag. Gives back the renamings that took place, as (old, new) pairs: the flag's
        own first, then its value's."""
        renamings = []
        if name in RENAMED:
            renamings.append((name, RENAMED[name]))
            name = RENAMED[name]
        if name in DELETED:
            raise DeletedFlag(name, DELETED[name])
        if name not in BY_NAME:
            raise UnknownFlag(name)
        flag = BY_NAME[name]
        plain = isinstance(value, str | int)
        if plain and value in flag.renamed:
            renamings.append((str(value), str(flag.renamed[value])))
            value = flag.renamed[value]
        if not flag.kind.accepts(value):
            raise InvalidValue(name)
        self.values[name] = flag.kind.normal(value)
        if flag.excludes is not None:
            self.values[flag.excludes] = DISABLED
        return renamings

    def shown(self) -> Iterator[tuple[str, Value]]:
        """PRISM's own flags, in its order."""
        for flag in TABLE:
            if not flag.ours:
                yield flag.name, self.values[flag.name]

    def changed(self) -> Iterator[tuple[str, Value]]:
        """Our flags that are not at their defaults."""
        for flag in TABLE:
            if flag.ours and self.values[flag.name] != flag.default:
                yield flag.name, self.values[flag.name]

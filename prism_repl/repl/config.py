"""The configuration file: config.toml in the user's configuration directory.

It is written, with everything commented out, when the prompt is opened for the first time.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path

TEMPLATE = """\
# Configuration of prism-repl. The values given here are the defaults; remove a # to change one.

# Keys for editing: "emacs" or "vi".
#editing = "emacs"

# Colours for a "dark" or a "light" background, "neutral" ones for both, or "auto": as the terminal says.
# Whether there are any: --color and NO_COLOR.
#style = "auto"

# Show completions while typing; otherwise only after Tab.
#complete_while_typing = false

# Suggest the rest of a query from the history, in grey (not without colours); the right arrow key takes it.
#suggest = true

# Answers with more characters than this are shown folded; 0 shows all.
#fold = 800

# Stop after each screenful of output.
#pager = true

# How many queries of the history are looked at.
#history_size = 10000
"""


@dataclass(frozen=True)
class Config:
    """The settings of the prompt; see TEMPLATE for what they mean."""

    editing: str = "emacs"
    style: str = "auto"
    complete_while_typing: bool = False
    suggest: bool = True
    fold: int = 800
    pager: bool = True
    history_size: int = 10000


CHOICES = {"editing": ("emacs", "vi"), "style": ("auto", "dark", "light", "neutral")}


def directory(variable: str, default: str) -> Path:
    """A directory of the XDG conventions, ours within it."""
    base = os.environ.get(variable)
    return Path(base if base else Path.home() / default) / "prism-repl"


def config_path() -> Path:
    return directory("XDG_CONFIG_HOME", ".config") / "config.toml"


def history_path() -> Path:
    return directory("XDG_STATE_HOME", ".local/state") / "history"


def load(path: Path) -> tuple[Config, list[str]]:
    """The configuration, and messages about what could not be used: a bad setting keeps its default."""
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Config(), []
    except OSError as error:
        return Config(), [f"cannot read {path}: {error.strerror}; the defaults are used"]
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return Config(), [f"{path} is not a TOML file ({error}); the defaults are used"]
    config = Config()
    messages = []
    known = {field.name: type(getattr(config, field.name)) for field in fields(config)}
    for name, value in settings.items():
        problem = None
        if name not in known:
            problem = "there is no such setting"
        elif type(value) is not known[name]:
            problem = f"{known[name].__name__} expected, not {value!r}"
        elif name in CHOICES and value not in CHOICES[name]:
            problem = f"one of {', '.join(CHOICES[name])} expected, not {value!r}"
        elif known[name] is int and value < 0:
            problem = f"a number from 0 expected, not {value!r}"
        if problem:
            messages.append(f"{path}: {name}: {problem}")
        else:
            config = replace(config, **{name: value})
    return config, messages


def write_template(path: Path) -> None:
    """Leave a commented file where there is none. Not being able to is no problem."""
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(TEMPLATE, encoding="utf-8")
    except OSError:
        return

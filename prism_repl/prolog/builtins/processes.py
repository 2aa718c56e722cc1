"""The operating system: commands, the environment, waiting; and abort/0."""

import os
import time

from prism_repl.core.cells import REF
from prism_repl.core.errors import Interrupted, domain_error, instantiation_error, type_error
from prism_repl.prolog.builtins.arguments import atom
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.builtins.text import any_text


def run_command(m, command):
    """Run a command of the shell, its output on ours; the exit status."""
    import subprocess  # a start does not wait for it

    m.streams.user_output.flush()
    with subprocess.Popen(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                m.streams.user_output.write(line.decode("utf-8", "replace"))
        except BaseException:
            process.kill()
            raise
    return process.returncode


def command_text(m, c):
    if c & 7 == REF:
        raise instantiation_error()
    return any_text(m, c)


@builtin("system", 1)
@builtin("shell", 1)
def system_1(m, command):
    run_command(m, command_text(m, command))
    return True


@builtin("system", 2)
@builtin("shell", 2)
def system_2(m, command, status):
    return m.unify(status, m.int_cell(run_command(m, command_text(m, command))))


@builtin("getenv", 2)
@builtin("environ", 2)
def getenv(m, name, value):
    found = os.environ.get(atom(m, name))
    return found is not None and m.unify(value, m.atom(found))


@builtin("sleep", 1)
def sleep(m, seconds):
    if seconds & 7 == REF:
        raise instantiation_error()
    if not m.is_number(seconds):
        raise type_error("number", seconds)
    span = m.number_value(seconds)
    if not 0 <= span < 1e9:
        raise domain_error("not_less_than_zero", seconds)
    end = time.monotonic() + span
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, 0.05))
        if m.interrupts.interrupted:
            m.interrupts.interrupted = False
            raise KeyboardInterrupt
    return True


@builtin("abort", 0)
def abort(m):
    """Give up the query: no catch/3 sees it."""
    raise Interrupted("aborted")

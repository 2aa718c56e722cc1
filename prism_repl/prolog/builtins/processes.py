"""The operating system: commands, the environment, waiting; and abort/0."""

import os
import time

from prism_repl.core.errors import Interrupted, domain_error
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.evaluables import number_cell


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


@builtin("system(+Command:text) is semidet")
@builtin("shell(+Command:text) is semidet")
def system_1(m, command):
    run_command(m, command)
    return True


@builtin("system(+Command:text, -Status) is det")
@builtin("shell(+Command:text, -Status) is det")
def system_2(m, command, status):
    return m.unify(status, m.int_cell(run_command(m, command)))


@builtin("getenv(+Name:atom, -Value) is semidet")
@builtin("environ(+Name:atom, -Value) is semidet")
def getenv(m, name, value):
    found = os.environ.get(name)
    return found is not None and m.unify(value, m.atom(found))


@builtin("sleep(+Seconds:number) is det")
def sleep(m, seconds):
    if not 0 <= seconds < 1e9:
        raise domain_error("not_less_than_zero", number_cell(m, seconds))
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, 0.05))
        if m.interrupts.interrupted:
            m.interrupts.interrupted = False
            raise KeyboardInterrupt
    return True


@builtin("abort is det")
def abort(m):
    """Give up the query: no catch/3 sees it."""
    raise Interrupted("aborted")

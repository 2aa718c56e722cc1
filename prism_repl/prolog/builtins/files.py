"""Files and directories by name."""

import os

from prism_repl.core.errors import existence_error, permission_error
from prism_repl.prolog.builtins.arguments import atom
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.builtins.streams import file_name


@builtin("exists_file", 1)
@builtin("file_exists", 1)
@builtin("exists", 1)
def exists_file(m, c):
    return os.path.exists(file_name(m, c))


@builtin("delete_file", 1)
def delete_file(m, c):
    try:
        os.remove(file_name(m, c))
    except FileNotFoundError:
        raise existence_error("source_sink", c) from None
    except (OSError, ValueError):
        raise permission_error("delete", "file", c) from None
    return True


@builtin("getcwd", 1)
@builtin("get_cwd", 1)
def getcwd(m, c):
    return m.unify(c, m.atom(os.getcwd()))


@builtin("chdir", 1)
@builtin("cd", 1)
def chdir(m, c):
    try:
        os.chdir(atom(m, c))
    except FileNotFoundError:
        raise existence_error("directory", c) from None
    except (OSError, ValueError):
        raise permission_error("open", "directory", c) from None
    return True

"""Files and directories by name; ~ at the beginning of a name is a home directory."""

import os
import shutil
import stat
from pathlib import Path

from prism_repl.core.errors import existence_error, permission_error
from prism_repl.prolog.builtins.registry import builtin, helper
from prism_repl.prolog.builtins.streams import file_name, input_stream
from prism_repl.prolog.source import read_text
from prism_repl.prolog.texts import codes_list


class FileErrors:
    """Errors of the operating system about the file of cell c as Prolog errors."""

    def __init__(self, c, action, kind="source_sink", missing="source_sink"):
        self.c = c
        self.action = action
        self.kind = kind
        self.missing = missing

    def __enter__(self):
        return self

    def __exit__(self, _, error, trace):
        if isinstance(error, FileNotFoundError):
            raise existence_error(self.missing, self.c) from None
        if isinstance(error, OSError | ValueError):  # ValueError: a NUL character in the name
            raise permission_error(self.action, self.kind, self.c) from None
        return False


@builtin("exists_file(+File:file) is semidet")
@builtin("file_exists(+File:file) is semidet")
@builtin("exists(+File:file) is semidet")
def exists_file(m, c):
    return os.path.exists(file_name(m, c))


@builtin("exists_directory(+Directory:file) is semidet")
@builtin("directory_exists(+Directory:file) is semidet")
def directory_exists(m, c):
    return os.path.isdir(file_name(m, c))


@builtin("delete_file(+File:file) is det")
def delete_file(m, c):
    with FileErrors(c, "delete", "file"):
        os.remove(file_name(m, c))
    return True


@builtin("copy_file(+File:file, +Target) is det")
def copy_file(m, source, target):
    """Copy contents and mode."""
    name, other = file_name(m, source), file_name(m, target)
    with FileErrors(source, "open"), open(name, "rb"):
        pass
    with FileErrors(target, "open"):
        shutil.copy(name, other)
    return True


@builtin("rename_file(+File:file, +Target) is det")
def rename_file(m, source, target):
    name, other = file_name(m, source), file_name(m, target)
    if not os.path.lexists(name):
        raise existence_error("source_sink", source)
    with FileErrors(target, "rename", "file"):
        os.replace(name, other)
    return True


@builtin("make_directory(+Directory:file) is det")
def make_directory(m, c):
    with FileErrors(c, "create", "directory", "directory"):
        os.mkdir(file_name(m, c))
    return True


@builtin("delete_directory(+Directory:file) is det")
def delete_directory(m, c):
    with FileErrors(c, "delete", "directory", "directory"):
        os.rmdir(file_name(m, c))
    return True


@builtin("directory_files(+Directory:file, -Names) is det")
def directory_files(m, c, names):
    """All names in a directory, with . and .. before the others."""
    with FileErrors(c, "open", "directory", "directory"):
        found = [".", "..", *sorted(os.listdir(file_name(m, c)))]
    return m.unify(names, m.list_from([m.atom(name) for name in found]))


@builtin("getcwd(-Directory) is det")
@builtin("get_cwd(-Directory) is det")
@builtin("working_directory(-Directory) is det")
def getcwd(m, c):
    return m.unify(c, m.atom(os.getcwd()))


@builtin("chdir(+Directory:file) is det")
@builtin("cd(+Directory:file) is det")
def chdir(m, c):
    with FileErrors(c, "open", "directory", "directory"):
        os.chdir(file_name(m, c))
    return True


@builtin("working_directory(-Before, +After) is det")
def working_directory(m, before, after):
    """The directory before; go to another one."""
    return getcwd(m, before) and chdir(m, m.deref(after))


@builtin("file_base_name(+File:file, -Name) is det")
def file_base_name(m, c, name):
    """What stands behind the last slash."""
    return m.unify(name, m.atom(os.path.basename(file_name(m, c).rstrip("/")) or "/"))


@builtin("file_directory_name(+File:file, -Directory) is det")
def file_directory_name(m, c, folder):
    """What stands before the last slash; the current directory if there is none."""
    return m.unify(folder, m.atom(os.path.dirname(file_name(m, c).rstrip("/") or "/") or "."))


FILE_TYPES = (
    (stat.S_ISREG, "regular"),
    (stat.S_ISDIR, "directory"),
    (stat.S_ISFIFO, "fifo"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "character_device"),
    (stat.S_ISBLK, "block_device"),
)


@helper("$file_properties", 2, context=("file_property", 2))
def file_properties(m, c, properties):
    """type(T), size_in_bytes(N), times in seconds since 1970, permissions."""
    name = file_name(m, c)
    with FileErrors(c, "access"):
        found = os.stat(name)
    kind = next((word for test, word in FILE_TYPES if test(found.st_mode)), "unknown")
    cells = [
        m.struct("type", m.atom(kind)),
        m.struct("size_in_bytes", m.int_cell(found.st_size)),
        m.struct("access_time", m.int_cell(int(found.st_atime))),
        m.struct("modification_time", m.int_cell(int(found.st_mtime))),
    ]
    allowed = [word for flag, word in PERMISSIONS if os.access(name, flag)]
    cells += [m.struct("permission", m.atom(word)) for word in allowed]
    return m.unify(properties, m.list_from(cells))


PERMISSIONS = ((os.R_OK, "read"), (os.W_OK, "write"), (os.X_OK, "execute"))


@builtin("expand_environment(+Text, -Name) is det")
def expand_environment(m, c, name):
    """$NAME, ${NAME} and ~ in a name replaced."""
    return m.unify(name, m.atom(os.path.expandvars(file_name(m, c))))


@builtin("readFile(+File:file, -Codes) is det")
def read_file(m, c, codes):
    """All of a text file as a list of codes."""
    name = file_name(m, c)
    with FileErrors(c, "open"), open(name, "rb"):
        pass
    return m.unify(codes, codes_list(m, read_text(m, Path(name))))


def line_codes(m, stream, codes):
    """The next line without its end; [] at the end of the stream."""
    chars = []
    while stream.peek() != "":
        ch = stream.get()
        if ch == "\n":
            break
        chars.append(ch)
    return m.unify(codes, codes_list(m, "".join(chars)))


@builtin("readLine(-Codes) is det")
def read_line(m, codes):
    return line_codes(m, input_stream(m, None, False), codes)


@builtin("readLine(+Stream:stream, -Codes) is det")
def read_line_2(m, stream, codes):
    return line_codes(m, input_stream(m, stream, False), codes)

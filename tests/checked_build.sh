#!/usr/bin/env bash
# Builds the native modules with AddressSanitizer and runs a part of the suite on them.
#
#     tests/checked_build.sh [PYTHON] [PYTEST ARGUMENT...]
#
# The native modules work on raw pointers, so Cython's own bounds checks see nothing: the sanitizer stops at
# the first access outside an array. The build happens in a copy; the tree and its extensions stay as they are.
# PYTHON needs the packages of the extra `dev`.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-python3}
python=$(command -v "$python")
case $python in /*) ;; *) python=$PWD/$python ;; esac
shift || true
[ $# -gt 0 ] || set -- -m quick

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$copy"
cd "$copy"

# The compiler's last -O wins, and the modules say -O2 or -O3: that takes three times as long here for nothing.
export PRISM_NATIVE_CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=address"
LDFLAGS="-fsanitize=address" "$python" -c 'from setuptools import setup; setup()' -q build_ext --inplace

export PYTHONPATH=$copy
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:log_path=$copy/report
export PYTHONMALLOC=malloc # so that Python's own objects are watched, too
LD_PRELOAD=$(gcc -print-file-name=libasan.so)
export LD_PRELOAD
"$python" -c '
import sys
from tests.conftest import extension_of, native_modules
missing = [path.stem for path in native_modules() if extension_of(path) is None]
if missing:
    sys.exit("not compiled: " + ", ".join(missing))
'
"$python" -m pytest -p no:cacheprovider "$@" || { LD_PRELOAD='' cat "$copy"/report.* 2>/dev/null; exit 1; }

#!/usr/bin/env bash
# Builds the native modules in a way that finds errors of memory, and runs tests on them.
#
#     tests/checked_build.sh KIND [PYTHON] [PYTEST ARGUMENT...]
#
# The native modules work on raw pointers, so Cython's own bounds checks see nothing. KIND is
#
#     asan     the address and undefined-behaviour sanitizers: the first access outside an array, the first
#              overflow stops the process
#     grow     with the sanitizers, every area begins at its least size, grows by the least step and moves
#              at each growth: a pointer that is kept over it is found
#     collect  with the sanitizers, garbage is collected at every 50th call (PRISM_COLLECT_CALLS: at another);
#              more rarely while more than some thousand words are in use, so that the time stays bounded
#
# Without arguments for pytest the whole suite runs, except tests of memory size (marker `unchecked`) and those that
# take minutes (marker `long`; `-m long tests/test_crashes.py` runs the programs that once crashed). The build
# happens in a copy; the tree and its extensions stay as they are. PRISM_CHECKED_DIR names a directory to keep
# the copy in, so that the next run there builds only what has changed; kinds may share it, one after the other.
# PYTHON needs the packages of the extra `dev`. A report of a sanitizer is printed at the end, and fails the run,
# also if it comes from a process that a test expects to fail.
set -euo pipefail
cd "$(dirname "$0")/.."
shared=$(dirname "$PWD")/shared
kind=${1:?asan, grow or collect}
python=${2:-python3}
python=$(command -v "$python")
case $python in /*) ;; *) python=$PWD/$python ;; esac
shift $(($# > 1 ? 2 : 1))
[ $# -gt 0 ] || set -- -m "not long and not unchecked"

case $kind in
asan) options="" ;;
grow) options="-DPRISM_LEAST_AREAS -DPRISM_MARGIN=256" ;;
collect) options="-DPRISM_COLLECTS=1 -DPRISM_TICKS=${PRISM_COLLECT_CALLS:-50}" ;;
*) echo "unknown kind of build: $kind" >&2; exit 2 ;;
esac

if [ -n "${PRISM_CHECKED_DIR:-}" ]; then
    copy=$PRISM_CHECKED_DIR
    mkdir -p "$copy"
    # all but what was built: the tree may have lost files since the last run
    find "$copy" -path "$copy/build" -prune -o -type f ! -name '*.c' ! -name '*.so' ! -name built_for -exec rm {} +
else
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
fi
git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$copy"
cd "$copy"
rm -f report.*
# A kept copy of another kind has the C files, which are the same, and other extensions.
if [ "$(cat built_for 2>/dev/null)" != "$kind $options" ]; then
    rm -rf build
    find prism_repl -name '*.so' -delete
    echo "$kind $options" > built_for
fi

# The compiler's last -O wins, and the modules say -O2 or -O3: that takes three times as long here for nothing.
# A shift of a negative number is a multiplication in cells; gcc defines it.
sanitizers="-fsanitize=address,undefined -fno-sanitize=shift,alignment -fno-sanitize-recover=undefined"
export PRISM_NATIVE_CFLAGS="-O1 -g -fno-omit-frame-pointer $sanitizers $options"
LDFLAGS="-fsanitize=address,undefined" "$python" -W ignore -c 'from setuptools import setup; setup()' -q build_ext --inplace

export PYTHONPATH=$copy PRISM_CHECKED=$kind
export PRISM_CRASHES=${PRISM_CRASHES:-$shared/crashes}
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:log_path=$copy/report
export UBSAN_OPTIONS=print_stacktrace=1:abort_on_error=1:log_path=$copy/report
if [ "$kind" = asan ]; then export PYTHONMALLOC=malloc; fi # so that Python's own objects are watched, too
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
export LD_PRELOAD
"$python" -c '
import sys
from tests.conftest import extension_of, native_modules
missing = [path.stem for path in native_modules() if extension_of(path) is None]
if missing:
    sys.exit("not compiled: " + ", ".join(missing))
'
status=0
"$python" -m pytest -p no:cacheprovider "$@" || status=$?
# a test that expects a child to fail must not hide a report
if ls "$copy"/report.* >/dev/null 2>&1; then
    LD_PRELOAD='' cat "$copy"/report.*
    status=1
fi
exit $status

#!/usr/bin/env bash
# The module as others install it: a wheel in a virtual environment, with packages from PyPI.
#
#   tools/interop.sh FOLDER [option of cmake for the wheel]...
#
# The wheel takes the library from build/, so that it is compiled once; with WHOLE=1 it is made of the sources alone, as
# `pip install .` makes it.  Where PyPI is not reachable it says so and does nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
mkdir -p "$1"
work=$(cd "$1" && pwd)
shift
python=${PYTHON:-/usr/bin/python3}

say() { echo "mubody: $*"; }

if [ ! -x "$work/venv/bin/python" ]; then "$python" -m venv "$work/venv"; fi
pip() { "$work/venv/bin/python" -m pip --disable-pip-version-check "$@"; }
# A small package, which comes from nowhere else.
probe() { PIP_FIND_LINKS='' pip download -q --no-deps --no-cache-dir --timeout 20 --retries 1 -d "$work/probe" iniconfig; }
if ! probe > "$work/pip.log" 2>&1; then
  say "PyPI is not reachable: the tests of the Python module with other packages are skipped"
  exit 0
fi
pip install -q --upgrade pip
pip install -q -r tests/interop/requirements.txt
say "the packages are there after $SECONDS s"

options=(-C "build-dir=$work/whole")
if [ "${WHOLE:-}" != 1 ]; then
  make --no-print-directory build
  rm -rf "$work/prefix"
  cmake --install build --prefix "$work/prefix" > "$work/install.log"
  options=(-C "build-dir=$work/build" -C "cmake.define.MUBODY_INSTALLED=$work/prefix")
fi
for option in "$@"; do options+=(-C "cmake.define.$option"); done
rm -rf "$work/wheel"
pip wheel -q . --no-deps -w "$work/wheel" "${options[@]}"
pip install -q --force-reinstall --no-deps "$work"/wheel/mubody-*.whl
say "$(cd "$work/wheel" && ls) is there after $SECONDS s"

# The tests of the module itself, with this numpy; bits are compared where program and module are built together.
cd "$work"
MUBODY_PYTHON="$work/none" SCREENSHOTS="$work/screenshots" venv/bin/python -B -m pytest -q -p no:cacheprovider \
  "$root/tests/interop" "$root/tests/python" --ignore "$root/tests/python/test_examples.py" -k "not of_the_program"
say "the tests with other packages have passed after $SECONDS s"

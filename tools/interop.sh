#!/usr/bin/env bash
# The module as others install it: a wheel in a virtual environment, with packages from PyPI.
#
#   tools/interop.sh BUILD_FOLDER [option of cmake for the wheel]...
#
# Where PyPI is not reachable it says so and does nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p "$1"
work=$(cd "$1" && pwd)
shift
python=${PYTHON:-/usr/bin/python3}

say() { echo "mubody: $*"; }

if [ ! -x "$work/venv/bin/python" ]; then "$python" -m venv "$work/venv"; fi
pip() { "$work/venv/bin/python" -m pip --disable-pip-version-check "$@"; }
if ! pip install -q --timeout 20 --retries 1 --upgrade pip > "$work/pip.log" 2>&1; then
  say "PyPI is not reachable: the tests with other packages are skipped"
  exit 0
fi
pip install -q numpy pytest matplotlib pandas scipy numba mypy gymnasium nbclient nbformat ipykernel

options=()
for option in "$@"; do options+=(-C "cmake.define.$option"); done
rm -rf "$work/wheel"
pip wheel -q . --no-deps -w "$work/wheel" -C "build-dir=$work/build" "${options[@]}"
pip install -q --force-reinstall --no-deps "$work"/wheel/mubody-*.whl
say "$(ls "$work"/wheel)"

# The tests of the module itself, with this numpy; bits are compared where program and module are built together.
cd "$work"
MUBODY_PYTHON="$work/none" venv/bin/python -B -m pytest -q -p no:cacheprovider "$OLDPWD/tests/interop" "$OLDPWD/tests/python" \
  --ignore "$OLDPWD/tests/python/test_examples.py" -k "not of_the_program"

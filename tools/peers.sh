#!/usr/bin/env bash
# The compared mechanisms in programs from PyPI, in a virtual environment of their own.
#
#   tools/peers.sh FOLDER [P1 P2 ...]      all problems, or some of them
#
# build/bin/mubody_peers must be there.  A package that cannot be installed is left out, with a line that says so; so are all
# of them where PyPI is not reachable.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p "$1"
work=$(cd "$1" && pwd)
shift
python=${PYTHON:-/usr/bin/python3}
list=benchmarks/peers/python/requirements.txt

say() { echo "mubody: $*"; }
pip() { "$work/venv/bin/python" -m pip --disable-pip-version-check "$@"; }

# A small package, which comes from nowhere else.
probe() { PIP_FIND_LINKS='' pip download -q --no-deps --no-cache-dir --timeout 20 --retries 1 -d "$work/probe" iniconfig; }
# Nothing is compiled, since that would take hours; what has no wheel for this Python is left out.
install() {
  local package all=yes
  while read -r package; do
    if pip install -q --only-binary :all: --timeout 20 --retries 1 "$package" > "$work/pip.log" 2>&1; then continue; fi
    say "$package cannot be installed here: $(grep -m 1 -i '^error' "$work/pip.log" || tail -n 1 "$work/pip.log")"
    all=no
  done < <(grep -v '^#' "$list")
  if [ $all = yes ]; then cp "$list" "$work/installed"; fi
}

if [ ! -x "$work/venv/bin/python" ]; then "$python" -m venv "$work/venv"; fi
if ! cmp -s "$list" "$work/installed"; then
  if ! probe > "$work/pip.log" 2>&1; then
    say "PyPI is not reachable: the comparison with programs from there is skipped"
    exit 0
  fi
  install
  say "the programs from PyPI are there after $SECONDS s"
fi
build/bin/mubody_peers --json > "$work/contests.json"
"$work/venv/bin/python" -B benchmarks/peers/python/compare.py "$work/contests.json" "$@"

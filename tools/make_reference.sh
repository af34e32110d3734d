#!/usr/bin/env bash
# Writes docs/reference/elements.md, the tables of everything that a model file may contain, with the program.
#
#   tools/make_reference.sh [PROGRAM]          default: build/bin/mubody
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
program=${1:-$root/build/bin/mubody}
page=$root/docs/reference/elements.md
new=$(mktemp)
trap 'rm -f "$new"' EXIT

cat > "$new" <<'HEAD'
# What a model file may contain

This page is what `mubody list --format markdown` prints; do not edit it, run `make docs-tables`. Numbers without a
unit are in the unit given here; any other may be written, as in `"60 deg"` or `"0.5 mm"`. A string that begins with
`=` is a formula in the parameters. The unit column is empty for numbers without a dimension.

HEAD
"$program" list --format markdown >> "$new"
mkdir -p "$(dirname "$page")"
cp "$new" "$page"

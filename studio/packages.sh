#!/usr/bin/env bash
# Fetches the packages of studio/package-lock.json, if those that are there are not the same.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
mark=node_modules/.mubody-lock
if cmp -s package-lock.json "$mark"; then exit 0; fi
echo "mubody: fetching the packages of studio/" >&2
npm ci --no-audit --no-fund --ignore-scripts --loglevel=error >/dev/null
cp package-lock.json "$mark"

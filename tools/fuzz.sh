#!/usr/bin/env bash
# Fuzzes the targets of tests/fuzz, several at a time, and prints a line for each.
#
#   tools/fuzz.sh BUILD_FOLDER SECONDS JOBS [TARGET...]          default: all targets
#
# A target begins with its files in tests/fuzz/corpus and with what it found before; new files stay in the build folder.
# Exits 1 if any target crashes, hangs, leaks or breaks a promise; the line names the file that shows it.
set -euo pipefail

longest=4096 # bytes of an input

fuzz() {
  local target=$1 build=$2 seconds=$3
  local files=$build/corpus/$target log=$build/fuzz_$target.log sources=tests/fuzz options=()
  mkdir -p "$files" "$build/found"
  cp "$sources/corpus/$target"/* "$files"
  if [ -e "$sources/$target.dict" ]; then options+=(-dict="$sources/$target.dict"); fi
  local verdict="nothing found" code=0
  "$build/bin/fuzz_$target" "$files" "${options[@]}" -max_total_time="$seconds" -max_len=$longest -timeout=10 \
    -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$build/found/$target-" >"$log" 2>&1 || code=$?
  if [ $code -ne 0 ]; then
    verdict=$(sed -n 's/.*Test unit written to //p' "$log" | head -n 1)
    verdict="FOUND: ${verdict:-see $log}"
  fi
  stat() { sed -n "s/^stat::$1: *//p" "$log" | tail -n 1; }
  printf '%-11s %10s executions  %7s/s  %6s new files  %s\n' "$target" "$(stat number_of_executed_units)" \
    "$(stat average_exec_per_sec)" "$(stat new_units_added)" "$verdict"
  [ $code -eq 0 ]
}

if [ "$1" = --one ]; then
  fuzz "$4" "$2" "$3"
  exit
fi

build=$1 seconds=$2 jobs=$3
shift 3
cd "$(dirname "$0")/.."
if [ $# -eq 0 ]; then
  for folder in tests/fuzz/corpus/*/; do set -- "$@" "$(basename "$folder")"; done
fi
# Readers that take files are given theirs in memory, where there is such a folder.
memory=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
trap 'rm -rf "$memory"' EXIT
printf '%s\n' "$@" | TMPDIR=$memory xargs -P "$jobs" -I TARGET tools/fuzz.sh --one "$build" "$seconds" TARGET || {
  echo "mubody: a target found something; build/bin/fuzz_TARGET_replay FILE shows it" >&2
  exit 1
}

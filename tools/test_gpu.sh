#!/bin/sh
# Sweeps on a graphics processor: agreement with the cores of this machine, times, kills, memory errors, what is said where
# something is missing.
#
#   tools/test_gpu.sh PROGRAM [EXAMPLES [FOLDER]]        docs/user/gpu.md; QUICK=1 leaves out the long runs
#
# Ends with 77 where there is no graphics processor, and prints one line for each thing that holds or does not.
program=$(realpath "${1:?the program}")
examples=$(realpath "${2:-examples}")
folder=${3:-$(mktemp -d)}
tools=$(dirname "$(realpath "$0")")
mkdir -p "$folder" && cd "$folder" || exit 1
export XDG_CACHE_HOME="$folder/cache"
mkdir -p "$XDG_CACHE_HOME"
bad=0

# Whether a sweep agrees with another one: the same points, and numbers that differ by less than a share of the largest of a column.
agrees() { python3 "$tools/compare_rows.py" "$1" "$2" "$3" || bad=1; }
now() { date +%s.%N; }
calculate() { awk "BEGIN { printf \"%.4g\", $1 }"; }
sweep() { "$program" sweep "$@" --force --no-estimate --quiet; }
timed() {  # NAME ARGUMENTS...
  name=$1; shift
  begun=$(now)
  sweep "$@" || { echo "FAILED $name"; bad=1; }
  seconds=$(calculate "$(now) - $begun")
  echo "$name: $seconds s"
}

sweep "$examples/pendulum" --vary gravity.1=-10,-9 --device cuda -o first.csv 2> said.txt || { cat said.txt; exit 77; }

lengths="--vary a=1.9:2.1 --vary b=3.9:4.1 --vary c=3.9:4.1 --vary d=2.4:2.6"
masses="--vary bodies.crank.mass=0.9:1.1 --vary bodies.coupler.mass=2.1:2.4 --vary bodies.follower.mass=2.1:2.3"
four_bar="$examples/four_bar $lengths $masses --vary crank_angle=0.9:1.2 --keep crank.angle"

echo "== agreement with the cores, and times"
for device in cpu cuda; do
  timed "four-bar, 2000 points, $device" $four_bar,max\(crank.omega\),tip.x@5,A.on_crank.fx,total --sample lhs 2000 --device $device -o $device.csv
done
agrees cpu.csv cuda.csv 1e-9
if [ -z "$QUICK" ]; then
  rm -rf "$XDG_CACHE_HOME"/mubody
  timed "a million four-bars, compilation and files included" $four_bar --sample lhs 1e6 --seed 1 --device cuda -o million.csv
fi

echo "== five kills"
set -- $four_bar --sample lhs 6e5 --device cuda --no-estimate --quiet
"$program" sweep "$@" -o whole.csv --force
rm -f killed.csv
for k in 1 2 3 4 5; do
  "$program" sweep "$@" -o killed.csv --resume & pid=$!
  sleep 4; kill -KILL $pid 2> /dev/null; wait $pid 2> /dev/null
  echo "killed with $(cat killed.csv 2> /dev/null | wc -l) lines"
done
"$program" sweep "$@" -o killed.csv --resume
sort -t, -k1,1 whole.csv > a; sort -t, -k1,1 killed.csv > b
if cmp a b; then echo "the rows are those of the undisturbed run"; else bad=1; fi

echo "== what is said where something is missing"
says() {  # EXIT WORDS COMMAND...
  code=$1 words=$2; shift 2
  "$@" > out.txt 2> said.txt; got=$?
  if [ $got = "$code" ] && grep -q "$words" said.txt && [ "$(wc -l < said.txt)" -le 1 ]; then echo "exit $code: $(cat said.txt)"
  else echo "FAILED: exit $got in place of $code: $(cat said.txt)"; bad=1; fi
}
one="$program sweep $examples/pendulum --vary gravity.1=-10,-9 -o x.csv --force --quiet --no-estimate"
says 2 "no graphics processor" env CUDA_VISIBLE_DEVICES= $one --device cuda
says 0 "no graphics processor" env CUDA_VISIBLE_DEVICES= $one --device auto
says 2 "no graphics processor 7" $one --device cuda:7
says 2 "cannot run this sweep" "$program" sweep "$examples/excavator" --vary gravity.1=-10,-9 -o x.csv --force --quiet --device cuda
says 0 "the cores of this machine" "$program" sweep "$examples/excavator" --vary gravity.1=-10,-9 -o x.csv --force --quiet --no-estimate --device cuda --fallback

if command -v compute-sanitizer > /dev/null; then
  for tool in memcheck racecheck; do
    compute-sanitizer --tool $tool --error-exitcode 9 "$program" sweep $four_bar --sample lhs 600 -j 1 --set analysis.end=0.1 \
      --device cuda -o x.csv --force --quiet --no-estimate > said.txt 2>&1 || { bad=1; cat said.txt; }
    echo "$tool: $(tail -1 said.txt)"
  done
fi
echo "== against one core with compiled code"
several() {  # EXAMPLE POINTS WITHIN ARGUMENTS...: against one core with compiled code
  example=$1 points=$2 within=$3; shift 3
  for device in cpu cuda; do sweep "$examples/$example" "$@" --sample lhs 512 --device $device -o $device.csv || bad=1; done
  agrees cpu.csv cuda.csv "$within"
  sweep "$examples/$example" "$@" --sample lhs 1000 --device cuda -o many.csv  # compiles for this many
  timed "$example, $points points, cuda" "$examples/$example" "$@" --sample lhs "$points" --device cuda -o many.csv
  cuda=$seconds
  sweep "$examples/$example" "$@" --sample lhs 8 --device compiled -j 1 -o one.csv
  timed "$example, 8 points, one core, compiled" "$examples/$example" "$@" --sample lhs 8 --device compiled -j 1 -o one.csv
  few=$seconds
  timed "$example, 72 points, one core, compiled" "$examples/$example" "$@" --sample lhs 72 --device compiled -j 1 -o one.csv
  echo "$example: $(calculate "($seconds - $few) / 64 * $points / $cuda") times one core with compiled code"
}
several andrews "${MANY:-100000}" 1e-8 --vary bodies.K1.mass=0.042:0.044 --vary bodies.K5.mass=0.06:0.08 --keep "K1.angle,max(K1.omega)"
several spatial_slider_crank "${MANY:-100000}" 1e-8 --vary bodies.crank.mass=0.11:0.13 --keep "crank.e0,max(rod.x)"
several car/quarter.toml "${MANY:-100000}" 1e-8 --vary bodies.chassis.mass=300:320 --keep "chassis.z,max(chassis.vz)"
several five_bar_pendulum "${MANY:-100000}" 1e-8 --vary gravity.2=-9.9:-9.7 --keep "bar5.x,max(bar2.z)"

[ $bad = 0 ] && echo "all holds" || echo "not all holds"
exit $bad

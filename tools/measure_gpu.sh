#!/bin/sh
# Times of sweeps and batches on a graphics processor within six minutes, the most important first: docs/performance.md, P14.
#
#   tools/measure_gpu.sh PROGRAM [EXAMPLES [FOLDER]]
#
# FOLDER may hold what takes long to make: tables (four_bar.rt, car.rt), and compiled code in cache/.  PYTHON names a python3 that has the
# module and CuPy or PyTorch.  ONLY names some of the five examples.  Every step has a time after which it is given up; lines appear as they are known.
program=$(realpath "${1:?the program}")
examples=$(realpath "${2:-examples}")
folder=${3:-$(mktemp -d)}
tools=$(dirname "$(realpath "$0")")
mkdir -p "$folder" && cd "$folder" || exit 1
export XDG_CACHE_HOME="$folder/cache"
mkdir -p "$XDG_CACHE_HOME"
now() { date +%s.%N; }
began=$(now)
calculate() { awk "BEGIN { printf \"%.4g\", $1 }"; }
sweep() { "$program" sweep "$@" --force --no-estimate --quiet; }
say() { echo "[$(calculate "$(now) - $began") s] $*"; }
timed() {  # LIMIT NAME ARGUMENTS...: seconds has how long it took, or 0
  limit=$1 name=$2; shift 2
  begun=$(now) seconds=0
  if timeout "$limit" "$program" sweep "$@" --force --no-estimate --quiet 2> said.txt; then
    seconds=$(calculate "$(now) - $begun")
    say "$name: $seconds s"
  else
    say "$name: FAILED or more than $limit s: $(tail -1 said.txt)"
  fi
}
compared() { python3 "$tools/compare_rows.py" "$1" "$2" "$3" | tr '\n' ';'; echo; }

lengths="--vary a=1.9:2.1 --vary b=3.9:4.1 --vary c=3.9:4.1 --vary d=2.4:2.6"
masses="--vary bodies.crank.mass=0.9:1.1 --vary bodies.coupler.mass=2.1:2.4 --vary bodies.follower.mass=2.1:2.3"
full="$examples/four_bar $lengths $masses --vary crank_angle=0.9:1.2 --keep crank.angle"
starts="four_bar.rt --vary crank_angle=0.9:1.2 --keep crank.angle"
controlled="-s analysis.integrator=dormand-prince -s analysis.rtol=1e-10 -s output.step=0.1"
arguments() {  # of an example
  case $1 in
    andrews) echo "$examples/andrews --vary bodies.K1.mass=0.042:0.044 --vary bodies.K5.mass=0.06:0.08 --keep K1.angle,max(K1.omega)" ;;
    slider) echo "$examples/spatial_slider_crank --vary bodies.crank.mass=0.11:0.13 --keep crank.e0,max(rod.x)" ;;
    quarter) echo "$examples/car/quarter.toml --vary bodies.chassis.mass=300:320 --keep chassis.z,max(chassis.vz) -s analysis.rtol=1e-9" ;;
    five_bar) echo "$examples/five_bar_pendulum --vary gravity.2=-9.9:-9.7 --keep bar5.x,max(bar2.z)" ;;
    car) echo "car.rt --vary bodies.chassis.mass=1100:1200 --keep chassis.y,max(fl_tyre.force) -s analysis.end=2 -s analysis.rtol=1e-8" ;;
  esac
}
all="${ONLY:-andrews five_bar quarter slider car}"

[ -f four_bar.rt ] || "$program" precompute "$examples/four_bar" -o four_bar.rt --quiet --force --bound 1e-8 --range A.angle=-7:7
[ -f car.rt ] || "$program" precompute "$examples/car/model.toml" -o car.rt --quiet --force
[ -n "$ONLY_COMPILE" ] || "$program" sweep $starts --sample lhs 16 --device cuda -o first.csv --force -q --no-estimate 2> said.txt || { cat said.txt; exit 77; }

if [ -n "$ONLY_COMPILE" ]; then  # code for a processor that is somewhere else
  for what in "$starts" "$starts $controlled" "$full"; do sweep $what --sample lhs 1000 --device cuda -o x.csv 2>&1 | cut -c1-100; done
  for one in $all; do sweep $(arguments $one) --sample lhs 1000 --device cuda -o x.csv 2>&1 | cut -c1-100; done
  exit 0
fi

# Compilers take their time, that of the car two minutes, and cores are enough; code does not depend on where a motion ends.
for one in $all; do
  (sweep $(arguments $one) -s analysis.end=0.001 -s output.step=0.001 --sample lhs 1000 --device cuda -o "$one.first.csv" > "$one.made" 2>&1
   echo made >> "$one.made") &
done
# One core with compiled code takes its time, too.
for one in $all; do
  (
    sweep $(arguments $one) --sample lhs 8 --device compiled -j 1 -o "$one.8.csv"  # compiles
    begun=$(now); sweep $(arguments $one) --sample lhs 8 --device compiled -j 1 -o "$one.8.csv"; a=$(calculate "$(now) - $begun")
    begun=$(now); sweep $(arguments $one) --sample lhs 40 --device compiled -j 1 -o "$one.40.csv"; b=$(calculate "$(now) - $begun")
    calculate "($b - $a) / 32" > "$one.each"
  ) > "$one.log" 2>&1 &
done
# What is under way on other cores would slow down what comes: that of the car alone goes on.
made() { for k in $(seq 300); do grep -q '^made' "$1.made" 2> /dev/null && [ -s "$1.each" ] && return; sleep 1; done; }
for one in $all; do [ $one = car ] || made $one; done

timed 20 "tables, 1e6 starts, controlled steps" $starts $controlled --sample lhs 1e6 --device cuda -o million.csv
timed 20 "tables, 1e6 starts, rk4 of 1 ms, 1001 results" $starts --sample lhs 1e6 --device cuda -o million.csv
timed 30 "full four-bars, 1e6" $full --sample lhs 1e6 --seed 1 --device cuda -o million.csv
if [ -n "$PYTHON" ]; then
  timeout 45 $PYTHON "$tools/batch_rate.py" 2>&1 | while read -r line; do say "$line"; done
fi
for one in $all; do
  made $one
  timed 150 "$one, 1e5" $(arguments $one) --sample lhs "${MANY:-100000}" --device cuda -o many.csv
  echo "$seconds" > "$one.cuda"
  for device in cuda cpu; do
    sweep $(arguments $one) --sample lhs 40 --device $device -o "$one.$device.csv" 2> said.txt || cat said.txt
  done
done
for one in $all; do
  if [ -s "$one.each" ] && [ "$(cat "$one.cuda")" != 0 ]; then
    say "$one: $(calculate "$(cat "$one.each") * ${MANY:-100000} / $(cat "$one.cuda")") times one core with compiled code, which takes $(cat "$one.each") s for each"
  else
    say "$one: no ratio: $(tail -1 "$one.log")"
  fi
  [ -f "$one.40.csv" ] && say "$one, cuda and one core: $(compared "$one.40.csv" "$one.cuda.csv" 1e-8)"
  [ -f "$one.cpu.csv" ] && say "$one, cuda and cores: $(compared "$one.cpu.csv" "$one.cuda.csv" 1e-8)"
done
for device in cpu cuda; do
  timed 20 "four-bar, 2000 points, $device" $full --sample lhs 2000 --device $device -o four_bar.$device.csv
  timed 20 "tables, 500 starts, $device" $starts --sample lhs 500 --device $device -o tables.$device.csv
done
say "four-bar: $(compared four_bar.cpu.csv four_bar.cuda.csv 1e-9)"
say "tables: $(compared tables.cpu.csv tables.cuda.csv 1e-9)"
if command -v compute-sanitizer > /dev/null; then
  for tool in memcheck racecheck; do
    timeout 25 compute-sanitizer --tool $tool --error-exitcode 9 "$program" sweep $starts --sample lhs 64 -s analysis.end=0.05 \
      --device cuda -o x.csv --force --quiet --no-estimate > said.txt 2>&1
    say "tables, $tool: $(tail -1 said.txt)"
  done
fi

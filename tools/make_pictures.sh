#!/usr/bin/env bash
# Draws the pictures of the documents with the program itself.
#
#   tools/make_pictures.sh PROGRAM [FOLDER]          default: docs/pictures
set -euo pipefail

program=$(realpath "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${2:-$root/docs/pictures}
mkdir -p "$folder"

draw() {  # NAME EXAMPLE OPTION...
  local name=$1 example=$2
  shift 2
  "$program" picture "$root/examples/$example" --out "$folder/$name.svg" "$@"
}

recipe() {  # NAME OPTION...
  local name=$1
  shift
  "$program" picture "$root/docs/cookbook/models/$name.toml" --out "$folder/$name.svg" "$@"
}

draw four_bar four_bar --strobe 7 --trace coupler --set analysis.end=2.2 --size 820x500
draw four_bar_curves four_bar --plot crank.angle,follower.angle,kinetic,potential --size 820x460
draw quick_return quick_return --time 0.3
draw pendulum_phase pendulum --phase bob.angle,bob.omega --set analysis.end=2.1 --size 520x400
draw suspension iltis_suspension --view=-50,20
draw five_bars five_bar_pendulum --strobe 7 --trace tip --set analysis.end=1.5
draw jansen_leg jansen_leg --strobe 5 --trace toe --set analysis.end=0.8 --size 820x560
draw excavator excavator --strobe 3 --trace teeth --size 820x560
draw stewart_platform stewart_platform --time 0.25 --labels off --size 820x520
draw clearance clearance_slider_crank --time "2 ms" --exaggerate 8 --size 820x360
draw geneva geneva --time 0.25 --size 820x420
recipe crane --strobe 8 --trace load --size 820x420
recipe garage_door --strobe 5 --trace bottom,top_edge --size 820x560
recipe washing_machine --time 0 --size 620x520
recipe robot_arm --strobe 6 --trace hand --set analysis.end=1.2 --size 820x520
recipe quarter_car --plot car.ay,tyre.force --size 820x420
recipe valve_train --plot law.on_stem.f,valve.y --size 820x420
recipe generator --view=-60,20 --labels off --size 620x420
recipe compressor --strobe 5 --set analysis.end=0.04 --size 820x420
recipe landing_gear --strobe 6 --trace wheel --set analysis.end=1.75 --size 820x620
recipe swing --plot angle,seen --set analysis.end=20 --size 820x380

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

#include "cli/help.h"

namespace mubody::cli {
const char* const picture_help = R"(NAME
  mubody picture - draw a mechanism, its motion or its channels

SYNOPSIS
  mubody picture MODEL --out FILE.svg [--time TIME | --strobe N] [--trace NAME,...] [--view VIEW]
                 [--exaggerate N] [--labels on|off] [--size WIDTHxHEIGHT] [--transparent] [SOURCE]
  mubody picture MODEL --out FILE.svg (--plot CHANNEL,... | --phase CHANNEL,CHANNEL)
                 [--size WIDTHxHEIGHT] [--transparent] [SOURCE]
  mubody picture MODEL --out FILE.glb [SOURCE]

  SOURCE is [--set KEY=VALUE]... or --results FOLDER

DESCRIPTION
  Runs MODEL, or takes the results of an earlier run, and writes a picture as SVG, for papers and web pages, or an
  animation as binary glTF, for Blender and model viewers. Bodies are drawn from their joints and points; a section
  [look] in the model may say otherwise.

  Without --plot and --phase: the mechanism at one time, or at several on top of each other, with the ways of
  points. With --plot: channels over the time, those with the same unit in one panel. With --phase: the second
  channel against the first.

OPTIONS
  -o, --out FILE           what to write: FILE.svg or FILE.glb; replaced if it is there
  -t, --time TIME          the instant to draw [s], as in 0.5 or "20 ms"; the start if not given
  --strobe N               N instants from the start to the end, evenly, earlier ones paler
  --trace NAME,...         also the way of these points, joints or bodies through the whole motion
  --view VIEW              from where to look: iso, xy, xz, yz, or azimuth,elevation in degrees as in --view=-45,30;
                           iso in space, xy in the plane
  --exaggerate N           draws clearance and deflections of bushings N times as large as they are
  --labels on|off          names of pins and points; on, but off with --strobe
  --plot CHANNEL,...       channels by name, any column of the tables of results
  --phase X,Y              channel Y against channel X
  --size WIDTHxHEIGHT      of the picture in pixels, or WIDTH alone; 800x560 if not given
  --transparent            no white paper behind the drawing
  --results FOLDER         what 'mubody run' has written for this model, in place of a run; between two rows
                           positions are interpolated
  -s, --set KEY=VALUE      changes one value of the model, as in --set analysis.end=2; may be repeated
  -q, --quiet              no progress bar
  -h, --help               this text

EXIT CODES
  Those of 'mubody run'. With 4, 5, 130 and 143 the picture shows the results up to there.

EXAMPLES
  mubody picture four_bar.toml -o frame.svg -t 0.5
  mubody picture four_bar.toml -o motion.svg --strobe 9 --trace coupler
  mubody picture four_bar.toml -o curves.svg --plot crank.angle,crank.omega,kinetic
  mubody picture pendulum.toml -o phase.svg --phase rod.angle,rod.omega --results pendulum.out
  mubody picture suspension.toml -o side.svg --view yz --transparent
  mubody picture suspension.toml -o motion.glb
)";
}  // namespace mubody::cli

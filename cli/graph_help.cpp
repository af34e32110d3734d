#include "cli/help.h"

namespace mubody::cli {
const char* const topology_help = R"(NAME
  mubody topology - tell the graph of a mechanism: tree, chords and loops

SYNOPSIS
  mubody topology MODEL [--chords NAME,...] [--set KEY=VALUE]... [--format text|json|svg]

DESCRIPTION
  Bodies are nodes, joints are links, the ground is the root. A spanning tree has one arc for each body; joints that
  are left over are chords, and each closes one loop. Told are arcs and chords, the joints of each loop with the sign
  with which it runs through them, the matrices of incidence, paths and loops, and which loops share joints. Drivers
  and joints that set conditions on velocities alone are no links. Nothing is assembled and nothing is written.

  The tree is chosen so that loops are small; of trees that are equal in that, one whose chords set few equations, and
  whose paths are short. A body that no joint connects to the ground has a free arc.

OPTIONS
  --chords NAME,...          joints that shall be chords, in place of 'chords' in [analysis]; the others are
                             chosen as above
  -s, --set KEY=VALUE        changes one value of the model; may be repeated
  --format text|json|svg     for people, for programs, or a picture; an invalid model is with json {"error": "..."}
  -h, --help                 this text

EXIT CODES
    0  done
    1  wrong usage, or an internal error
    2  the model is invalid, or the tree falls apart without the chords that were asked for

EXAMPLES
  mubody topology four_bar.toml
  mubody topology four_bar.toml --chords D
  mubody topology four_bar.toml --format svg > four_bar.svg
  mubody topology four_bar.toml --format json | jq '.loops[].members'
)";

const char* const independent_help = R"(NAME
  mubody independent - tell which variables move a mechanism best

SYNOPSIS
  mubody independent MODEL [--along [--table FILE]] [--body] [--length LENGTH] [--chords NAME,...]
                     [--set KEY=VALUE]... [--format text|json] [--quiet]

DESCRIPTION
  A mechanism with f freedoms is determined by f of its variables: angles and slides of its joints, or, with --body,
  coordinates of its bodies. Some sets are better than others. Assembles MODEL and tells at the start:

  rank, freedoms    of the equations that the variables obey, drivers left out
  weight            of each variable: how much of a unit step of the mechanism it takes part in, 1 at best, 0 if it
                    stands still
  lu, qr, svd       the sets that three decompositions choose
  condition         of the equations with each variable, or set, held; the smaller the better
  |B|               how much the others move at most per unit of it, itself included; 1 at best
  best              the set with the smallest |B|

  With --along the same is followed through the motion that the model's analysis gives, kinematic or forward: in which
  range of time which set is best, and where that changes, to round-off in a kinematic analysis.

OPTIONS
  --along               along the motion
  --table FILE          with --along, weights, condition and |B| of every variable at every output time, as CSV
  --body                of the coordinates of bodies, in place of joint variables
  --length LENGTH       the slide that counts as much as a turn of 1 rad; "1 m" if not given
  --chords NAME,...     joints that shall be chords; see 'mubody topology --help'
  -s, --set KEY=VALUE   changes one value of the model; may be repeated
  --format text|json    for people, or for programs; an invalid model is then {"error": "..."}
  -q, --quiet           no progress
  -h, --help            this text

EXIT CODES
    0  done
    1  wrong usage, a file that cannot be written, or an internal error
    2  the model is invalid
    3  the mechanism cannot be assembled
    4  the motion ended before its time; told is what there is

EXAMPLES
  mubody independent four_bar.toml
  mubody independent slider_crank.toml --along --table weights.csv
  mubody independent slider_crank.toml --along --set analysis.type=kinematic --length "20 cm"
  mubody independent four_bar.toml --format json | jq .best
)";
}  // namespace mubody::cli

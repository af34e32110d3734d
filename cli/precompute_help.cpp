#include "cli/help.h"

namespace mubody::cli {
const char* const precompute_help = R"(NAME
  mubody precompute - turn a mechanism into tables for real time, with an error bound, and into C

SYNOPSIS
  mubody precompute MODEL [-o FILE.rt] [--bound B] [--memory SIZE] [--independent NAME,...]
                    [--range NAME=LOW:HIGH]... [--design NAME,...] [--order N]
                    [--emit-c FOLDER [--name NAME] [--step TIME] [--real float|double]]
                    [--set KEY=VALUE]... [--format text|json] [--quiet]

DESCRIPTION
  A closed-loop mechanism with few freedoms becomes J(q) q'' = Q(q, q', t) in as many independent variables:
  angles or slides of its joints. Positions of all bodies, velocity coefficients, generalized inertia and all
  forces that depend on the position only are polynomials in tables; other forces (of time, of velocities by
  formula, tyres, contacts, springs with corners or that are wound up) are applied at run time, and drivers
  followed. 'mubody run FILE.rt' then runs it without iteration: same results, same files.

  Every table is compared with the exact mechanism at points between its own, in every cell, and refined until
  the largest difference, times a margin of 2, is below the bound. What was found is told and kept in the
  file.

  The variable is chosen so that it serves for the whole motion; where none does, the motion is divided into
  regions with variables of their own. Ranges reach to dead points, or all the way round, unless they are
  given. What is wanted may also stand in the model file, in its section [precompute]; options take its place.

  Joints with 'compliance' give way: their deflections are variables beside the independent ones, and
  everything is a series in them; a run tells what the series leaves out. Design variables are parameters of
  the model that may still change a little at run time: mubody run FILE.rt --set parameters.NAME=VALUE.

OPTIONS
  -o, --out FILE             the file; MODEL with the extension .rt if not given and no C is asked for
  --bound B                  largest error of any tabulated quantity, in SI units; 1e-8 if nothing is said
  --memory SIZE              that all tables may take, as in 20MB; 100MB if nothing is said. It is told
                             before it is taken
  --independent NAME,...     the independent variables, as many as there are freedoms: A.angle, guide.slide,
                             slider.x
  --range NAME=LOW:HIGH      range of a variable, as in --range A.angle=-90deg:90deg; may be repeated
  --design NAME,...          parameters whose changes the tables foresee, to first order
  --order N                  degree of the polynomials: 3, 5, 7 or 9; as the bound asks for if not given
  --emit-c FOLDER            also, or only, one .c and one .h in C99 that need nothing but libm
  --name NAME                of the C files and functions; that of the model if not given
  --step TIME                of the self-test in C; that of the analysis if not given
  --real float|double        of the numbers in C; double if not given
  -s, --set KEY=VALUE        changes one value of the model; may be repeated
  --format text|json         for people, or for programs; an invalid model is then {"error": "..."}
  -q, --quiet                no summary and no progress
  -h, --help                 this text

EXIT CODES
    0  done
    1  wrong usage, a file that cannot be written, or an internal error
    2  the model is invalid, or cannot be precomputed as asked; the message says what to change
    3  the mechanism cannot be assembled

EXAMPLES
  mubody precompute four_bar.toml -o four_bar.rt --bound 1e-10
  mubody run four_bar.rt --report
  mubody precompute suspension.toml --range inner.angle=-30deg:30deg --memory 5MB
  mubody precompute four_bar.toml --emit-c generated --real float
  cc -std=c99 -Dfour_bar_SELF_TEST_MAIN generated/four_bar.c -lm && ./a.out
)";
}  // namespace mubody::cli

#include "cli/help.h"

namespace mubody::cli {
const char* const sweep_help = R"manual(NAME
  mubody sweep - run a model many times with other numbers

SYNOPSIS
  mubody sweep MODEL --vary KEY=VALUES... [--sample lhs|random N] [--seed N] [--keep LIST] [--out FILE]
               [--resume] [--threads N] [--lanes N] [--report FILE] [--set KEY=VALUE]...
               [--format text|json] [--quiet]
  mpirun -n N mubody sweep MODEL ...

DESCRIPTION
  Runs MODEL, a TOML or MUBODYNA file or a folder with one, at every point of a grid, or of a sample, and writes
  one row per point: what varied, what is kept, and how the run went. A point that cannot be run, or fails, gets
  a row with the reason, and the others go on.

  Rows are written as points are done. A sweep that was stopped, by Ctrl-C or by force, continues with --resume
  where it was: no row is lost and no point is done twice. The rows do not depend on how many threads or
  processes there are, nor on interruptions, but for their order.

  Under mpirun the same command spreads over processes, on one machine or many that share the folder of the
  model; the first process hands out points and writes the file.

OPTIONS
  --vary KEY=VALUES      what varies; may be repeated. KEY is any number of the model, with dots, as in
                         bodies.crank.mass or analysis.rtol; gravity.1 is an entry of an array, counted from 0;
                         a parameter may be given by its name alone. VALUES is one of

                         lo:hi:n                   n values from lo to hi
                         lo:hi:n:log               the same with equal ratios
                         1,2,5                     these
                         @file.csv[:column]        those of a column; columns of one file go along row by row
                         uniform(lo, hi), lo:hi    and other distributions, with --sample: loguniform(lo, hi),
                                                   normal(mean, sd[, lo, hi]), lognormal(mean, sd) of
                                                   the logarithm, triangular(lo, mode, hi),
                                                   exponential(mean), weibull(scale, shape)

                         Numbers may have a unit: --vary crank_angle="30 deg:90 deg:7"
  --sample lhs N         a Latin hypercube of N points in place of the grid; of lists, any value is as likely
  --sample random N      N points drawn independently: Monte Carlo
  --seed N               of the sample; 1 if not given. The same seed gives the same points everywhere
  --keep LIST            what is kept of each run, separated by commas: crank.angle, the last value;
                         crank.angle@2.5, the value at a time; max(crank.omega) or min(crank.omega), the
                         largest or smallest of all results and its time. Stars stand for any characters:
                         "crank.*". If not given, the channels that [output] lists, or the positions of all
                         bodies, at the end
  -o, --out FILE         the file of rows; MODEL with the ending .sweep.csv if not given
  --resume               continues FILE; starts anew if there is none
  -j, --threads N        how many points are run at once; one per core if not given
  --lanes N              0: every point is run by itself. If not given, or 8, small planar mechanisms are run
                         eight at once on each core where that is possible
  --report FILE          also a page with parallel coordinates, scatter plots and statistics
  -s, --set KEY=VALUE    changes one value of the model for all points
  --format text|json     statistics of the columns on stdout: for people, or for programs
  -q, --quiet            no statistics and no progress bar; only errors
  -h, --help             this text

EXIT CODES
    0  done, whatever became of single points
    1  wrong usage, a file that cannot be written, or an internal error
    2  the model is invalid, or what varies is not in it
    4  every point failed
  130  interrupted by Ctrl-C; --resume continues
  143  ended by SIGTERM; --resume continues

EXAMPLES
  mubody sweep examples/four_bar --vary a=1.8:2.2:9 --vary crank_angle="30 deg:90 deg:13" \
      --keep "max(crank.omega),tip.x@5" -o four_bar.csv --report four_bar.html
  mubody sweep four_bar.toml --vary bodies.crank.mass="normal(1, 0.05)" --vary gravity.1=-9.83:-9.78 \
      --sample lhs 10000 --seed 7
  mubody sweep four_bar.toml --vary b=3.8:4.2 --sample random 1e5 --resume
  mpirun -n 64 mubody sweep four_bar.toml --vary b=3.8:4.2 --sample lhs 1e6 --resume
)manual";
}  // namespace mubody::cli

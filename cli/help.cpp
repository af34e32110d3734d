#include "cli/help.h"

namespace mubody::cli {
const char* const short_help =
    R"(mubody simulates mechanisms: from bodies, joints and forces in a text file to motion and reactions.

  mubody check MODEL    tell what the model is, without running it
  mubody run MODEL      run it, and write the results to a folder
  mubody report MODEL   run it, and write a page that shows it moving
  mubody picture MODEL  draw it, its motion or its channels: a picture or an animation
  mubody sweep MODEL    run it many times with other numbers, on all cores
  mubody compare MODEL  run it under all treatments of the constraints, and compare them
  mubody convert A B    write the model A in the format of the file B
  mubody list           tell what a model file may contain
  mubody agree A B      tell how well two results agree
  mubody topology MODEL tell tree, chords and loops of it, and draw them
  mubody independent MODEL  tell which joint variables move it best
  mubody precompute MODEL   turn it into tables for real time, and into C
  mubody stability      tell which gains of Baumgarte's method suit which step
  mubody bench          measure speed and accuracy with problems whose answers are known
  mubody --help         the manual
)";

const char* const program_help = R"(NAME
  mubody - multibody dynamics from a text file, in the plane and in space

SYNOPSIS
  mubody run MODEL [--out FOLDER] [--set KEY=VALUE]... [--analysis TYPE] [--report [FILE]]
             [--report-text FILE [--every N] [--full]] [--format text|json] [--quiet]
  mubody report MODEL|RESULTS [--out FILE] [--set KEY=VALUE]... [--model FILE] [--quiet]
  mubody check MODEL [--set KEY=VALUE]... [--format text|json]
  mubody compare MODEL [--treatments LIST] [--integrators LIST] [--steps LIST] [--tolerances LIST]
                 [--reference FILE] [--limit TIME] [--repeat N] [--out FOLDER] [--report [FILE]]
                 [--set KEY=VALUE]... [--format text|csv|json] [--quiet]
  mubody sweep MODEL --vary KEY=VALUES... [--sample lhs|random N] [--seed N] [--keep LIST] [--out FILE]
               [--resume] [--threads N] [--lanes N] [--report FILE] [--set KEY=VALUE]...
               [--format text|json] [--quiet]
  mubody picture MODEL --out FILE.svg|FILE.glb [--time TIME | --strobe N | --plot LIST | --phase X,Y]
                 [--trace LIST] [--view VIEW] [--results FOLDER] [--set KEY=VALUE]...
  mubody convert FROM TO [--set KEY=VALUE]... [--format toml|mub]
  mubody list [CATEGORY [NAME]] [--format text|json|markdown]
  mubody agree A B [--channels NAME,...] [--tolerance T] [--format text|csv|json]
  mubody stability [--integrator NAME] --step TIME [--alpha GAIN] [--beta GAIN]
  mubody stability [--integrator NAME] (--table [--step TIME] | --region FILE | --report FILE) [--points N]
  mubody bench [--only P1,P2,...] [--largest N] [--repeat N] [--csv FILE] [--report FILE]
  mubody topology MODEL [--chords NAME,...] [--set KEY=VALUE]... [--format text|json|svg]
  mubody independent MODEL [--along [--table FILE]] [--variables NAME,...] [--coefficients FILE] [--body]
                     [--length LENGTH] [--chords NAME,...] [--set KEY=VALUE]... [--format text|json]
  mubody precompute MODEL [-o FILE.rt] [--bound B] [--memory SIZE] [--independent NAME,...]
                    [--range NAME=LOW:HIGH]... [--order N] [--emit-c FOLDER [--real float|double]]
                    [--set KEY=VALUE]... [--format text|json]
  mubody --version
  mubody [VERB] --help

DESCRIPTION
  A model is a TOML file with bodies, joints, drivers, forces and what to compute, or an input file of MUBODYNA;
  the contents tell which. A folder stands for the model.toml or model.mub in it.

  run        computes the motion and writes tables with units and a summary that says whether it can be trusted
  report     writes one HTML file that shows the mechanism moving, plots, and what there is to say about a run
  check      assembles the mechanism and tells what it is: bodies, joints, degrees of freedom, redundant
             constraints, and what does not look right
  picture    draws the mechanism at an instant or in motion, plots channels, or writes an animation: SVG, glTF
  compare    runs the model under all treatments of the constraints, or some, with one or more integrators and
             steps: violation, energy, error, cost and outcome in one table
  sweep      runs the model at many points, a grid or a sample, on all cores or under mpirun: one row per point
             in a file that can be continued after an interruption, statistics, a page
  convert    writes a MUBODYNA input file as TOML, or a planar model as a MUBODYNA input file
  list       tells which bodies, joints, drivers, forces, laws, functions, treatments, integrators and
             analyses there are, with their keys, units and defaults
  agree      compares two results, channel by channel: largest and root-mean-square difference, mean and limits
             of agreement, intraclass correlation
  stability  tells whether an integrator with a given step damps the violations that Baumgarte's method shall
             damp, and writes the region of gains for which it does
  bench      measures speed and accuracy with eight problems whose answers are known
  topology   tells the graph of the mechanism: spanning tree, chords, loops, their matrices, and a picture
  independent  tells which joint variables determine the others, at the start or along the motion: weights,
             condition numbers, and where another variable becomes better
  precompute  makes tables of a mechanism over its independent variables, with an error bound: a model that runs
             in real time with 'mubody run', or as C

  Results go to files and stdout, progress and errors to stderr.

OPTIONS
  -h, --help       this text; after a verb, that of the verb
  --version        the version

EXIT CODES
    0  done
    1  wrong usage, a folder that cannot be written to, or an internal error
    2  the model is invalid, or two results cannot be compared; nothing is written
    3  the mechanism cannot be assembled; nothing is written
    4  the solver failed, or the motion left its branch; results are kept
    5  the answer cannot be trusted, or misses the accuracy asked for; results are kept
  130  interrupted by Ctrl-C; results up to there are kept
  143  ended by SIGTERM; results up to there are kept

ENVIRONMENT
  NO_COLOR         if set, no colours

EXAMPLE
  A pendulum, in pendulum.toml:

    gravity = [0, -9.81]

    [bodies]
    rod = {mass = 1, inertia = 0.0833, position = [0.5, 0]}

    [joints]
    pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}

    [analysis]
    end = 10

  What it is, and its motion:

    mubody check pendulum.toml
    mubody run pendulum.toml
)";

const char* const run_help = R"(NAME
  mubody run - run a model and write the results

SYNOPSIS
  mubody run MODEL [--out FOLDER] [--set KEY=VALUE]... [--analysis TYPE] [--report [FILE]]
             [--report-text FILE [--every N] [--full]] [--format text|json] [--quiet]

DESCRIPTION
  Reads MODEL, a TOML or MUBODYNA file or a folder with a model.toml or model.mub, assembles the mechanism, does
  the analysis that it asks for, writes the results and prints a summary. Ctrl-C, or SIGTERM, stops the analysis
  and keeps what has been computed; a second one ends the program at once. A file that 'mubody precompute' has
  made is run from its tables, into the same files of results; --set then changes analysis and output only.

OPTIONS
  -o, --out FOLDER       where the results go; MODEL with the extension .out if not given
  -s, --set KEY=VALUE    changes one value of the model, as in --set analysis.end=2; may be repeated.
                         The value is read as in the file; quotes may be left out. Keys may be added,
                         elements and parameters must be there
  --analysis TYPE        forward, kinematic, assembly, inverse, equilibrium, modes or sensitivity,
                         whatever the model says
  --report [FILE]        also a page that shows the mechanism moving; report.html in the folder of the results
  --format text|json     the summary on stdout: for people, or as in summary.json; an invalid model is then
                         {"error": "..."}
  -q, --quiet            no summary and no progress bar; only errors
  --report-text FILE     of planar models also a report in the layout of MUBODYNA: the system, then for every
                         result bodies, points, springs, reactions and violations; replaces only such a report
  --every N              in the report every N-th result and the last one
  --full                 in the report all digits in place of three decimals
  -h, --help             this text

EXIT CODES
    0  done
    1  wrong usage, a folder that cannot be written to, or an internal error
    2  the model is invalid; nothing is written
    3  the mechanism cannot be assembled; nothing is written
    4  the solver failed, or the motion left its branch; results are kept
    5  the answer cannot be trusted, or misses the 'accuracy' asked for; results are kept
  130  interrupted by Ctrl-C; results up to there are kept
  143  ended by SIGTERM; results up to there are kept

FILES
  As far as they apply, in the folder of the results:

  bodies.csv        positions, velocities and accelerations of the bodies
  joints.csv        relative coordinates of the joints, and reactions
  points.csv        motion of the points of interest
  forces.csv        lengths, rates and forces of the force elements
  energy.csv        energies, work done, and the residual of their balance
  violations.csv    how far the constraints are from zero
  channels.csv      the columns that [output] asks for
  events.csv        singular positions, dead points
  summary.json      outcome, verdict, solver statistics, and the columns of the files

  Each CSV file has one row of names with units and then numbers in SI units, the time first. Files of an
  earlier run are replaced; a file that mubody has not written is never touched.

EXAMPLES
  mubody run four_bar.toml
  mubody run examples/four_bar --out results/four_bar
  mubody run four_bar.toml --set analysis.integrator=rk4 --set analysis.step=1e-3
  mubody run four_bar.toml --set bodies.crank.mass="1200 g" --format json
  mubody run leg.mub --report-text leg.txt --every 10
)";

const char* const report_help = R"(NAME
  mubody report - a page that shows a mechanism moving, and what there is to say about a run

SYNOPSIS
  mubody report MODEL [--out FILE] [--set KEY=VALUE]... [--quiet]
  mubody report RESULTS [--out FILE] [--model FILE] [--quiet]

DESCRIPTION
  Writes one HTML file that needs nothing else, neither a network nor other files: the mechanism animated, in the
  plane or in space; plots of all channels with a cursor at the time that is shown; verdict, freedoms, accuracy,
  events, reactions and the model file.

  MODEL, a TOML file or a folder with a model.toml, is run first, and nothing else is written. RESULTS is a folder
  that 'mubody run' wrote; the model is then the file beside it, model.toml beside model.out, or that of --model.
  Without one, bodies are drawn as points.

OPTIONS
  -o, --out FILE         where the page goes, a name that ends with .html; if not given, MODEL with that extension, or
                         report.html in the folder RESULTS; replaces a report, and nothing else
  -s, --set KEY=VALUE    changes one value of the model, as in --set analysis.end=2; may be repeated
  --model FILE           the model that RESULTS belong to
  -q, --quiet            no progress bar and no message; only errors
  -h, --help             this text

EXIT CODES
  as of 'mubody run'; the page is written unless the model is invalid or cannot be assembled

EXAMPLES
  mubody report examples/four_bar -o four_bar.html
  mubody report four_bar.out
)";

const char* const check_help = R"(NAME
  mubody check - tell what a model is, without running it

SYNOPSIS
  mubody check MODEL [--set KEY=VALUE]... [--format text|json]

DESCRIPTION
  Reads and assembles MODEL, a TOML or MUBODYNA file or a folder with a model.toml or model.mub, and tells:
  bodies, joints, drivers, forces and points; degrees of freedom by counting and by the rank of the constraint
  equations; redundant equations, the joints they belong to and the reason; what assembly moves; and what does
  not look right. Nothing is written.

OPTIONS
  -s, --set KEY=VALUE    changes one value of the model, as in --set bodies.crank.mass=2; may be repeated
  --format text|json     for people, or for programs; an invalid model is then {"error": "..."}
  -h, --help             this text

EXIT CODES
    0  the model can be run
    1  wrong usage, or an internal error
    2  the model is invalid, or the analysis it asks for has no meaning for it
    3  the mechanism cannot be assembled

EXAMPLES
  mubody check four_bar.toml
  mubody check four_bar.toml --set bodies.coupler.angle="20 deg"
  mubody check four_bar.toml --format json | jq .freedom.actual
)";

const char* const convert_help = R"(NAME
  mubody convert - write a model in another format

SYNOPSIS
  mubody convert FROM TO [--set KEY=VALUE]... [--format toml|mub]

DESCRIPTION
  Reads the model FROM, a TOML or MUBODYNA file or a folder with one, and writes it to the file TO, which is
  replaced if it exists: as TOML if it ends with .toml, as a MUBODYNA input file if it ends with .mub. Both give
  the same motion, to the last bit. Names of elements stand in comments of the MUBODYNA file, behind "!".

  What MUBODYNA cannot say (spatial models, other joints, forces, functions of time, treatments or integrators) is
  an error that names it; nothing is written then.

OPTIONS
  -s, --set KEY=VALUE    changes one value of the model before, as in --set analysis.treatment=standard
  --format toml|mub      the format of TO, whatever its ending
  -h, --help             this text

EXIT CODES
    0  done
    1  wrong usage, or a file that cannot be written
    2  the model is invalid, or the other format cannot say what it says

EXAMPLES
  mubody convert leg.mub leg.toml
  mubody convert four_bar.toml four_bar.mub --set analysis.integrator=rk4 --set analysis.step=1e-3 \\
      --set analysis.treatment=baumgarte --set output.step=1e-3
)";

const char* const list_help = R"(NAME
  mubody list - tell what a model file may contain

SYNOPSIS
  mubody list [CATEGORY [NAME]] [--format text|json|markdown]

DESCRIPTION
  Without arguments, all categories and the names in them. With a CATEGORY, everything in it: keys, units,
  defaults and meaning. With a NAME, that alone; the category may then be left out.

  The categories are bodies, joints, drivers, forces, laws, contact-laws, friction-laws, functions, treatments,
  integrators and analyses.

OPTIONS
  --format text|json|markdown    for people, for programs, for documents
  -h, --help                     this text

EXIT CODES
    0  done
    1  wrong usage

EXAMPLES
  mubody list
  mubody list joints
  mubody list revolute
  mubody list functions harmonic
  mubody list --format json | jq '.joints[].name'
)";

const char* const compare_help = R"(NAME
  mubody compare - run a model under many methods and compare them

SYNOPSIS
  mubody compare MODEL [--treatments LIST] [--integrators LIST] [--steps LIST] [--tolerances LIST]
                 [--reference FILE] [--limit TIME] [--repeat N] [--out FOLDER] [--report [FILE]]
                 [--set KEY=VALUE]... [--format text|csv|json] [--quiet]

DESCRIPTION
  Runs MODEL, a TOML file or a folder with a model.toml, once for every treatment of the constraints, every
  integrator, and every step or tolerance, and prints one table. A method that fails, or that refuses the model,
  gets a row that says so, and the others go on. Of each run:

  max |Φ|, mean |Φ|    violation of the constraints, the largest over all steps and the mean over the time
  max |Φ̇|, mean |Φ̇|    its rate
  energy               residual of the energy balance, the largest over all output times
  error, at end        largest distance of a body's coordinate [m] or angle [rad] from the reference, over all
                       output times and at the last
  rhs, Newton          evaluations of the accelerations; iterations that correct positions or solve implicit
                       steps
  CPU                  processor time per simulated second, in that of standard multipliers with the same
                       integrator and steps; in seconds if these did not run
  outcome              passed; inaccurate: not to be trusted, or another motion than the reference; lost branch;
                       diverged: no longer finite; stopped; cannot: the method refuses the model

  The reference is the same model by dormand-prince with projection and a relative tolerance of 1e-12. A second
  run at 1e-11 tells how well it is known. Ctrl-C, or SIGTERM, ends the run at hand and skips the rest; what has
  been computed is kept.

OPTIONS
  --treatments LIST         some of 'mubody list treatments', separated by commas; all if not given. Numbers may
                            follow in parentheses, as in "baumgarte(alpha=20,beta=20),projection"; if not, they
                            are those of the model, if it has this treatment, or the defaults
  --integrators LIST        some of 'mubody list integrators'; that of the model if not given
  --steps LIST              steps of the integrators that have a fixed one, as in 1e-3 or "1 ms"
  --tolerances LIST         relative tolerances of the others; atol is then a hundredth of each
  --reference FILE          a CSV file with positions, such as crank.x[m] or crank.angle[deg], and the time in
                            the first column; or a folder of results
  --limit TIME              give a run up after so much CPU time; "60 s" if not given
  --report [FILE]           also a page with the table, the curves over time and the work-precision diagram;
                            report.html in the folder
  --repeat N                run everything N times in turn and take the shortest CPU times; if not given, what
                            takes less than 0.5 s is run 5 times
  -o, --out FOLDER          where the files go; MODEL with the extension .compare if not given
  -s, --set KEY=VALUE       changes one value of the model, as in --set analysis.end=2; may be repeated
  --format text|csv|json    the table for people; as in comparison.csv; with reference and remarks for programs.
                            With json, an invalid model is {"error": "..."}
  -q, --quiet               no progress, and no table for people
  -h, --help                this text

EXIT CODES
    0  compared, whatever became of the methods
    1  wrong usage, a folder that cannot be written to, or an internal error
    2  the model is invalid, or no method can run it; nothing is written
    3  the mechanism cannot be assembled; nothing is written
  130  interrupted by Ctrl-C; the runs up to there are kept
  143  ended by SIGTERM; the runs up to there are kept

FILES
  comparison.csv        the table with all digits, and more
  work_precision.csv    work and error of the runs that reached the end, for a diagram
  curves.csv            violation, its rate and the energy residual of every run over time

  Files of an earlier comparison are replaced; a file that mubody has not written is never touched.

EXAMPLES
  mubody compare four_bar.toml
  mubody compare four_bar.toml --treatments "standard,baumgarte(alpha=20,beta=20),projection" --repeat 5
  mubody compare four_bar.toml --integrators rk4,dormand-prince --steps 2e-3,1e-3,5e-4 --tolerances 1e-6,1e-9
  mubody compare four_bar.toml --reference benchmark.csv --format csv > table.csv
)";

const char* const agree_help = R"(NAME
  mubody agree - tell how well two results agree

SYNOPSIS
  mubody agree A B [--channels NAME,...] [--tolerance T] [--format text|csv|json]

DESCRIPTION
  A and B are CSV files with one row of names, as in crank.x[m], and the time in the first column; or two
  folders of results, of which bodies.csv, joints.csv, points.csv, forces.csv and energy.csv are compared as far
  as both have them. Channels are matched by name and must be in the same unit.

  They are compared at the times of the coarser file in the range that both cover. Where the other has no row
  at such a time, its value comes from a cubic spline through its rows. Of each channel:

  max |A-B|, at             the largest difference, and when
  RMS                       root of the mean squared difference
  bias A-B                  mean difference
  lower limit, upper limit  limits of agreement of Bland and Altman: bias -+ 1.96 standard deviations
  ICC cons., ICC abs.       intraclass correlation of Shrout and Fleiss, two-way, single: consistency,
                            ICC(3,1), and absolute agreement, ICC(2,1); '-' if the channel does not vary

OPTIONS
  --channels NAME,...       only these channels
  --tolerance T             exit code 5 if the largest difference of any channel exceeds T, in its own unit
  --format text|csv|json    for people, or with all digits for programs; with json, files that cannot be
                            compared are {"error": "..."}
  -h, --help                this text

EXIT CODES
    0  compared; no difference exceeds the tolerance, if one is given
    1  wrong usage, or an internal error
    2  the files cannot be read or compared: no common channel, no common times, units that differ
    5  a difference exceeds the tolerance

EXAMPLES
  mubody agree coarse.out fine.out
  mubody agree run.out/points.csv benchmark.csv --channels P.x,P.y
  mubody agree old.out new.out --tolerance 1e-9 --format csv > differences.csv
)";

const char* const stability_help = R"(NAME
  mubody stability - tell which gains of Baumgarte's method suit which step

SYNOPSIS
  mubody stability [--integrator NAME] --step TIME [--alpha GAIN] [--beta GAIN]
  mubody stability [--integrator NAME] --table [--step TIME]
  mubody stability [--integrator NAME] (--region FILE | --report FILE) [--points N]

DESCRIPTION
  Baumgarte's method lets a violation e of the constraints follow e'' + 2 alpha e' + beta^2 e = 0. An integrator
  with the step h multiplies each solution exp(s t) of it by a root z per step: errors decay if all |z| < 1.

  With --step: the roots, their sizes and angles, the time in which errors fall to 1/e, how far the border of
  stability is, and a verdict; of all integrators in one table if no NAME is given.

  With --table: the gains of Table 1 of Flores & Lankarani (2012), by default for Euler with 1 ms as there. Two
  numbers are misprinted in the original and marked.

  With --region: a CSV file with rows alpha h, beta^2 h^2, largest |z|, and 1 where that is below 1. Integrators
  that choose their steps are treated as if they took steps of one size; of those that vary their order, every
  order as if it were kept. With --report: a page with the region of each as a picture.

OPTIONS
  --integrator NAME    one of 'mubody list integrators', or all, the default; with --table the default is euler
  --step TIME          the step h [s], as in 1e-3 or "1 ms"
  --alpha GAIN         damping of violations [1/s]; 5 if not given
  --beta GAIN          stiffness of violations [1/s]; 5 if not given
  --table              the table of the literature
  --region FILE        writes the region of stability; replaces only a file that this command has written
  --points N           points along each axis of the region, 2 to 1000; if not given 200, of several 50
  -h, --help           this text

EXIT CODES
    0  done, whatever the verdict
    1  wrong usage, or a file that cannot be written

EXAMPLES
  mubody stability --step "1 ms"
  mubody stability --integrator rk4 --step 1e-3 --alpha 5 --beta 5
  mubody stability --table
  mubody stability --integrator rk4 --region region.csv --points 100
)";
}  // namespace mubody::cli

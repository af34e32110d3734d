#pragma once
// Named columns with units, and a record of how they were computed.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mubody/math/space.h"
#include "mubody/model/errors.h"
#include "mubody/model/named_list.h"
#include "mubody/results/accuracy.h"
#include "mubody/results/outcome.h"

namespace mubody {
struct Column {
  std::string name, unit;  // header of a CSV file: name[unit]
  bool residual = false;   // zero in an exact solution
  int group = -1;          // of bodies that it belongs to, as in Results::group_scales; negative: to all

  struct Rest {
    int group;
    bool residual;
  };
  Rest rest() const { return {group, residual}; }
  static Column of(std::string name, std::string unit, const Rest& r) {
    return {std::move(name), std::move(unit), r.residual, r.group};
  }
};

/// Rows of numbers under named columns; the first column is the time.
class Table {
 public:
  std::string name;  // name of the file, as in "bodies"
  NamedList<Column> columns;
  std::vector<double> values;  // row by row
  bool energies = false;       // its columns are energies and works

  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  double at(std::size_t row, std::size_t column) const { return values[row * columns.size() + column]; }
  /// Index of a column by name; -1 if there is none.
  int find(std::string_view column) const;
  /// A whole column by name; throws std::out_of_range.
  std::vector<double> column(std::string_view column) const;
};

/// Something that happened during a motion.
struct Event {
  enum Kind { singular_position, dead_point, lost_branch, redundancy, touch, part, stick, slip };
  static constexpr std::string_view words[] = {
      "singular position", "dead point", "lost branch", "redundancy", "touch", "part", "stick", "slip"};
  double t;
  Kind kind;
  std::string what;  // "joint 'B' ..."

  std::string_view word() const { return words[kind]; }
};

/// One change made by assembly.
struct Moved {
  std::string coordinate, unit;
  double from, to;
  bool written = true;  // the model gives the value at `from`; else it had been left out
};

struct Redundancy {
  std::vector<std::string> joints;  // whose equations depend on each other
  std::string equation;             // "joint 'D', equation 2 of 2"
  std::string reason;               // in words, if it is one of the usual ones
  bool only_here = false;           // a singular position, not a redundancy of the mechanism
  Place place;
};

struct Freedom {
  int coordinates = 0, equations = 0;
  int counted = 0;     // coordinates - equations
  int rank = 0;        // rank of the Jacobian at the start
  int actual = 0;      // coordinates - rank
  double weakest = 1;  // the smallest doubtful pivot, neither zero nor clearly nonzero; 1 if none
  int rolling = 0;     // equations on velocities alone: they take no freedom of position
  int particles = 0;   // equations that keep particles from turning
  int usual = 0;       // the same next to the start; differs from actual if the start is a singular position
  std::vector<Redundancy> redundant;

  /// Whether equations depend on each other in every position, not only at the start.
  bool always_redundant() const { return coordinates - usual < equations; }
};

/// One component of a joint's reaction on a body.
struct Reaction {
  std::string channel, unit;
  /// If not, redundant constraints leave it open and the smallest is given.  Unknown in very large mechanisms.
  enum Unique { no, yes, unknown } unique = yes;
  double largest = 0, at = 0;  // with its sign, and its time [s]
};

/// The extremes of a channel over all steps, located within them.
struct Extreme {
  std::string channel, unit;
  double least = 0, least_at = 0;        // and its time [s]
  double greatest = 0, greatest_at = 0;  // likewise

  double largest() const { return -least > greatest ? least : greatest; }  // with its sign
  double largest_at() const { return -least > greatest ? least_at : greatest_at; }
};

/// A column that holds something other than a number, and since when [s].
struct NotFinite {
  std::string channel;
  double at;
};

/// The balance of energy of bodies that are connected with no others, except through the ground.
struct GroupBalance {
  std::vector<std::string> bodies;
  double residual = 0, scale = 0, load = 0;  // as in Statistics [J]
};

/// A contact from touch to separation.
struct ContactRecord {
  std::string contact;
  double onset = 0;                    // [s]
  std::optional<double> end;           // [s]; none if it lasts
  double speed_in = 0;                 // speed of approach [m/s]
  double speed_out = 0;                // speed of separation [m/s]
  double peak_force = 0, peak_at = 0;  // normal force [N], and its time [s]
  double deepest = 0;                  // [m]
  double energy_lost = 0;              // lost by the normal law [J]
};

/// The history of a loop of the mechanism.
struct LoopBranch {
  std::string joints;  // "A-B-C-D"
  double volume = 0;   // determinant of its equations and motions at the start; 1 at best, 0 if singular
  int passed = 0;      // singular positions passed straight
  int lost = 0;        // singular positions where it turned off
  int unknown = 0;     // times that steps were too large to follow it
};

/// The work of assembly.
struct AssemblyRecord {
  int iterations = 0;
  double violation_before = 0, violation_after = 0;  // largest |Φ|
  double rate_before = 0, rate_after = 0;            // largest |Φ̇|
  std::vector<Moved> positions, velocities;
  /// Largest |Φ| of each joint where the values left out have taken up what they can: the written ones contradict
  /// each other there.
  std::vector<double> gaps;
};

/// The equations in the coordinates that a motion was computed in.
struct Formulation {
  std::string word = "body";
  int coordinates = 0, equations = 0;
  /// Rows of the Jacobian that are constant, linear in the coordinates, and others; zero if not determined.
  int constant = 0, linear = 0, other = 0;
  bool of_bodies = true;  // in the coordinates of bodies, which are the usual ones
};

struct Statistics {
  long steps = 0, rejected = 0, evaluations = 0, factorizations = 0, corrections = 0, iterations = 0;
  long solves = 0;                                     // of linear equations, with factors at hand
  double smallest_step = 0, largest_step = 0;          // [s]
  double largest_violation = 0, largest_rate = 0;      // |Φ|, |Φ̇| over all accepted steps
  double mean_violation = 0, mean_rate = 0;            // the same, mean over the time
  double largest_square = 0, largest_rate_square = 0;  // ΦᵀΦ, Φ̇ᵀΦ̇ over all accepted steps
  /// What corrections of states put in, and the sum of its sizes; if AnalysisOptions::weighs_corrections [J].
  double corrected_energy = 0, corrected_energy_size = 0;
  double violation_share = 0;     // largest |Φ|, lengths in characteristic lengths
  double expected_violation = 0;  // share that positions to first order leave open
  std::string worst_joint;        // the joint where that share was largest
  std::string worst_body;         // the body, if that was in its own constraints
  double energy_residual = 0;     // largest over rows and ends of advance() [J]
  double load_scale = 0;          // largest force times size of the mechanism [J]
  double energy_scale = 0;        // largest of kinetic, change of potential, works [J]
};

struct Results {
  std::string model, analysis, integrator, treatment, version;
  std::vector<Table> tables;  // bodies, joints, points, forces, energy, violations, channels
  std::vector<Event> events;
  Freedom freedom;
  Formulation formulation;
  AssemblyRecord assembly;
  std::vector<Reaction> reactions;
  std::vector<Extreme> extremes;       // of every channel, in the order of the tables
  std::vector<NotFinite> not_finite;   // in the order in which they appeared
  std::vector<GroupBalance> balances;  // if there are several groups of bodies
  std::vector<LoopBranch> loops;
  std::vector<ContactRecord> contacts;
  Statistics statistics;
  Scales scales;                     // characteristic sizes of the mechanism and its motion
  std::vector<Scales> group_scales;  // of every group of bodies, if there are several; see mechanism/groups.h
  std::optional<Accuracy> accuracy;  // of motions whose error was estimated
  std::vector<std::string> open_frictions;  // joints whose friction depends on reactions that are not unique
  Outcome outcome;
  bool trusted = false;
  std::string verdict;               // in words: whether the answer can be trusted, and if not, why
  std::string doubts;                // the reasons alone, where the verdict of a motion from forces is bad
  std::vector<std::string> remarks;  // warnings

  const Table* find(std::string_view table) const;
  /// Whether forces made the motion, so that its energies were balanced.
  bool has_balance() const;
  /// A column by its name in whichever table has it; throws std::out_of_range.
  std::vector<double> column(std::string_view name) const;
  std::vector<double> times() const;
};
}  // namespace mubody

#pragma once
// Times of a problem and of its equations written by hand, taken in turns, so that a busy moment affects both.
#include "benchmarks/problems/problems.h"

namespace mubody::bench {
struct Times {
  double least = 1e300, most = 0;  // [s]
  void add(double seconds) {
    least = std::min(least, seconds);
    most = std::max(most, seconds);
  }
};

struct Measured {
  std::string id, name, yardstick_name, part, error_of;
  int parts = 1;
  Times yardstick;        // one evaluation
  Times right_hand_side;  // one evaluation and solution of the equations of motion
  Times run;              // a whole run with 100 rows, divided by its right-hand sides
  Times with_extremes;    // the same where extremes are looked for between the rows, as they usually are
  long evaluations = 0;   // right-hand sides of the run; 0 if there was none
  double error = 0;
  bool trusted = false;
  std::string verdict;
  double memory = 0;  // peak use of the program so far [MB]

  double ratio() const { return right_hand_side.least / yardstick.least; }
  double ratio_of_run() const { return run.least / yardstick.least; }
  /// A whole run in right-hand sides as many as it took.
  double whole() const { return run.least / right_hand_side.least; }
  double whole_with_extremes() const { return with_extremes.least / right_hand_side.least; }
};

/// Each measurement lasts at least `seconds` and is repeated `repetitions` times.
Measured measure(const Problem&, double seconds, int repetitions);

/// The exponent b of cost ~ N^b, by least squares over the problems with that id whose right-hand sides alone
/// were measured; not a number if there are fewer than two.
double growth(const std::vector<Measured>&, const std::string& id);

/// What every CSV file of measurements begins with.
inline constexpr std::string_view csv_start = "problem,name,yardstick,by_hand[ns],";

/// A table for people, rows of CSV with a header, and a page.
std::string as_text(const std::vector<Measured>&);
std::string as_csv(const std::vector<Measured>&);
std::string as_page(const std::vector<Measured>&);
}  // namespace mubody::bench

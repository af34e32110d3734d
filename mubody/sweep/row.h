#pragma once
// What a sweep has to say about one point, and how it stands in the file of rows:
//
//   index,<varied>...,<kept>...,violation[m|rad],energy_residual[J],outcome,message
//
// outcome is good, doubtful (the run does not trust itself) or failed (nothing is kept); message says why.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mubody {
struct SweepRow {
  enum Outcome { good, doubtful, failed };
  std::size_t index = 0;
  std::vector<double> values;  // of the variables, in their units
  std::vector<double> kept;    // not a number: none; none at all if it failed
  double violation = 0;        // largest |Φ| [m, rad]
  double energy = 0;           // largest residual of the energy balance [J]
  Outcome outcome = good;
  std::string message;
};

std::string_view word_of(SweepRow::Outcome);

/// The line with its end; `kept` is how many numbers a good row has.
std::string line_of(const SweepRow&, std::size_t kept);
/// A line without its end as a row; none if it is no row with so many numbers.
std::optional<SweepRow> row_of(std::string_view line, std::size_t values, std::size_t kept);
}  // namespace mubody

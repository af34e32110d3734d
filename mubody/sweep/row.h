#pragma once
// The result of one point of a sweep, and its line in the file of rows:
//
//   index,<varied>...,<kept>...,violation[m|rad],energy_residual[J],outcome,message
//
// The outcome is good, doubtful (the run does not trust itself) or failed (nothing is kept); the message says
// why.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mubody {
struct SweepRow {
  enum Outcome { good, doubtful, failed };
  std::size_t index = 0;
  std::vector<double> values;  // of the variables, in their units
  std::vector<double> kept;    // NaN where there is no value; empty if the point failed
  double violation = 0;        // largest |Φ| [m, rad]
  double energy = 0;           // largest residual of the energy balance [J]
  Outcome outcome = good;
  std::string message;
  bool out_of_memory = false;  // it failed for this reason, and may do better while no other point runs
  std::string line{};          // of it, if that has been written already
};

std::string_view word_of(SweepRow::Outcome);

/// The line of a row, with its end; a good row has `kept` kept numbers.
std::string line_of(const SweepRow&, std::size_t kept);
/// The row in a line without its end; none if the line is not a row with so many numbers.
std::optional<SweepRow> row_of(std::string_view line, std::size_t values, std::size_t kept);
}  // namespace mubody

#include "mubody/solvers/mode_motion.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <string_view>

#include "mubody/solvers/statics.h"

namespace mubody {
namespace {
constexpr double reach = 0.2;
constexpr int instants = 32;                     // positions per period
constexpr std::size_t most_numbers = 1'000'000;  // numbers in the table
constexpr int bodies = 0;                        // group of their channels

// Columns of positions: those of a body without its velocities and accelerations.
bool is_position(const Channel& c) {
  constexpr std::array<std::string_view, 8> parts{"x", "y", "z", "angle", "e0", "e1", "e2", "e3"};
  const std::size_t dot = c.name.rfind('.');
  return c.group == bodies && dot != std::string::npos &&
         std::ranges::find(parts, std::string_view(c.name).substr(dot + 1)) != parts.end();
}
}  // namespace

Table mode_motion(System& s, bool redundant, double t, const VecX& q,
                  const std::vector<Eigen::VectorXcd>& shapes) {
  Table table{"mode_motion", {{"mode", "1"}, {"phase", "rad"}}, {}};
  std::vector<Eigen::Index> columns;
  for (std::size_t k = 0; k < s.channels.size(); ++k)
    if (is_position(s.channels[k])) {
      columns.push_back(Eigen::Index(k));
      table.columns.push_back({s.channels[k].name, s.channels[k].unit});
    }
  const std::size_t most = std::max<std::size_t>(1, most_numbers / ((instants + 1) * table.columns.size()));

  Statics statics(s, redundant, t);
  statics.evaluate_at_rest(q);
  const double length = s.scales.length;
  const VecX still = VecX::Zero(s.nu), no_load = VecX::Zero(s.m);
  VecX values = VecX::Zero(Eigen::Index(s.channels.size()));
  for (std::size_t mode = 0; mode < std::min(most, shapes.size()); ++mode) {
    const Eigen::VectorXcd& shape = shapes[mode];
    const double size = size_of(s, shape.cwiseAbs(), length);
    const double amplitude = size > 0 ? reach / size : 0;
    for (int k = 0; k <= instants; ++k) {
      const double phase = 2 * std::numbers::pi * k / instants;
      const VecX way = amplitude * (shape * std::polar(1.0, phase)).real();
      const VecX to = statics.moved(q, way);
      s.observe(t, to, still, still, no_load, values);
      table.values.push_back(double(mode + 1));
      table.values.push_back(phase);
      for (const Eigen::Index c : columns) table.values.push_back(values[c]);
    }
  }
  return table;
}
}  // namespace mubody

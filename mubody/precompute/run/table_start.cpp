#include "mubody/precompute/run/table_start.h"

#include <cmath>
#include <numbers>

#include "mubody/precompute/plan/closure.h"

namespace mubody {
TableStart table_start(const RealTimeModel& model, const Begun& b) {
  constexpr double turn = 2 * std::numbers::pi;
  std::vector<Variable> variables;
  for (const VariableRange& v : model.regions[std::size_t(model.start_region)].variables)
    variables.push_back(find_variable(b.mechanism, v.name));
  for (Variable& v : stiff_variables(b.mechanism)) variables.push_back(std::move(v));
  Closure at(b.mechanism, variables, model.t, b.q);
  const VecX rates = at.rates(b.u);
  TableStart start;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const double now = at.theta()[Eigen::Index(k)], before = model.start[k];
    start.theta.push_back(variables[k].turn ? now + turn * std::round((before - now) / turn) : now);
    start.rate.push_back(rates[Eigen::Index(k)]);
  }
  return start;
}
}  // namespace mubody

#include "mubody/analyses/round_off.h"

#include <algorithm>

#include <fmt/format.h>

namespace mubody {
namespace {
constexpr std::size_t rows_seen = 64, least_samples = 96;  // of the motion, spread over its rows
constexpr double clearly_weaker = 0.8;                     // a hold at which errors are larger
}  // namespace

RoundOff::RoundOff(System& s, bool redundant, std::size_t rows)
    : k_(s, redundant), differences_(s), every_(std::max<std::size_t>(1, rows / rows_seen)),
      samples_(std::max<std::size_t>(2, least_samples / std::max<std::size_t>(rows, 1))) {}

void RoundOff::see(const State& x, const Bridge* bridge) {
  const bool weaker = x.hold < clearly_weaker * weakest_;
  if (row_++ % every_ != 0 && !weaker && !bridge) return;
  if (!bridge && weaker) weakest_ = x.hold;
  k_.show(x);
  differences_.take(x.t, x.q, x.u, k_.d);
  for (std::size_t k = 0; k < (bridge ? Bridge::twins : samples_); ++k) {
    const State y = bridge ? bridge->twin_at(x.t, k) : k_.disturbed(x, draw_);
    k_.show(y);
    differences_.compare(x.t, y.q, y.u, k_.d);
  }
}

Accuracy RoundOff::accuracy(const Results& r) const {
  return differences_.accuracy(
      r, fmt::format("{} states computed again with their last digits changed", differences_.compared()));
}
}  // namespace mubody

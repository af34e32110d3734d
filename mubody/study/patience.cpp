#include "mubody/study/patience.h"

#include <algorithm>

#include <fmt/format.h>

namespace mubody {
void Patience::begin() {
  if (waits()) until_ = clock() + *limit;
}

// The clock takes as long as a step of a small mechanism, so that it is read less often where it was read a moment ago.
bool Patience::lost() {
  constexpr int most = 8;
  constexpr double moment = 1e-3;  // [s]
  if (!until_ || --questions_ > 0) return false;
  const double now = clock();
  every_ = now - asked_ < moment ? std::min(2 * every_, most) : 1;
  questions_ = every_;
  asked_ = now;
  const bool is_lost = now >= *until_;
  if (is_lost) questions_ = 1;
  return is_lost;
}

Outcome Patience::outcome(double t, std::string_view where) const {
  return {Outcome::out_of_time, t,
          fmt::format("the limit of {:.6g} s of CPU time was reached {}; raise it with --limit or "
                      "analysis.limit, or ask for less: a shorter time, or looser tolerances",
                      limit.value_or(0), where)};
}

std::string at_time(double t) { return fmt::format("at t = {:.6g} s", t); }
}  // namespace mubody

// How the equations of motion are computed by generated code, beside the system itself.        docs/user/compiled.md
#include <fmt/format.h>

#include "mubody/integrators/runge_kutta.h"
#include "mubody/simulation/equation_engine.h"
#include "mubody/watches/switches.h"

namespace mubody {
namespace {
/// Whether formulas change over with the state; the watch is one of a copy.
bool has_switches(Mechanism m) { return SwitchWatch(m).any(); }

}  // namespace

// The way through generated code, if it was asked for; a remark says why there is none.
std::unique_ptr<Shortcut> EquationEngine::make_shortcut(const Study& study) {
  const AnalysisOptions& o = study.analysis;
  if (!o.compiled) return nullptr;
  std::string why;
  const std::optional<Closing> closing = treatment_->closing();
  if (formulated_.other)
    why = "generated code has body coordinates alone";
  else if (!closing)
    why = fmt::format("generated code does not know the treatment '{}'", treatment_->info().name);
  else if (has_switches(study.mechanism))
    why = "formulas that change over with the state are held within steps";
  else if (!o.make_shortcut)
    why = "the program that computes it has no compiler at hand";
  else
    try {
      solve(o.start, start_);
      closes_short_ = closing->iterations > 0;
      return o.make_shortcut({begun_.mechanism, s_, o.start, formulated_.q, formulated_.u, d_.independence(),
                              begun_.results.freedom.always_redundant(), *closing});
    } catch (const std::runtime_error& e) {
      why = e.what();
    }
  begun_.results.remarks.push_back("the motion was computed without generated code: " + why);
  return nullptr;
}

bool EquationEngine::take_stages(const ExplicitStep& s) {
  if (!has_shortcut() || !shortcut_->take_stages(s)) return false;
  short_ways_ += long(s.k.size());
  return true;
}

// Generated code knows inputs by the functions that stand for them until they are set.
void EquationEngine::input_changed() {
  d_.forget();
  solved_at_.reset();
  input_set_ = true;
}

// To count turns the system evaluates all its joints, which would take as long as a good part of a step in generated code.  That
// counts as well, and tells whether the system may wait: as long as all is near to what it expects, it will count the same at the
// last accepted state, which is all that it needs before it computes anything.
void EquationEngine::remember(double t, const VecX& y) {
  const bool in_loops = counts_turns_ && !formulated_.watched;
  const Parts& at = parts(y);
  if (in_loops) view_.convert(q(y), u(y)), rates_before_ = view_.u();
  if (shortcut_ && shortcut_->remember(t, y)) {
    waits_ = !s_.angular.empty();  // angles that are coordinates count turns by themselves
    if (waits_) waiting_ = y.head(s_.nq + s_.nu), waiting_since_ = t;
  } else if (!in_loops || !turns_as_counted(t)) {
    count_turns();
    s_.remember(t, at.q, at.u);
    if (in_loops) counted_u_ = rates_before_, counted_at_ = t;
    if (shortcut_) shortcut_->system_counted();
  }
  if (slopes_) slopes_->remember(t, at.q, at.u, at.z);
  if (counts_turns_ && !in_loops) rates_before_ = u(y);
}

// Joints in loops are looked at for their turns alone, and expect that they go on as they did when they were counted.
bool EquationEngine::turns_as_counted(double t) const {
  constexpr double little = 0.1;  // [rad] by which a body may have turned otherwise
  if (!counted_at_) return false;
  const System& s = formulated_.bodies;
  const double most = little / std::abs(t - *counted_at_);
  for (int k = 0; k < s.nu; ++k)
    if (s.turns[std::size_t(k)] && !(std::abs(rates_before_[k] - counted_u_[k]) <= most)) return false;
  return true;
}

void EquationEngine::count_waiting() {
  waits_ = false;
  s_.remember(waiting_since_, waiting_.head(s_.nq), waiting_.tail(s_.nu));
  shortcut_->system_counted();
}

void EquationEngine::hand_over_samples() {
  if (!shortcut_) return;
  s_.samples(samples_);
  shortcut_->take_samples(samples_);
}
}  // namespace mubody

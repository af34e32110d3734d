#include "mubody/exchange/exchange.h"

#include <algorithm>

#include "mubody/math/finite.h"
#include "mubody/mechanism/breakpoints.h"
#include "mubody/simulation/equation_engine.h"
#include "mubody/watches/grips.h"
#include "mubody/watches/switches.h"

namespace mubody {
namespace {
// How far a state may be from the constraints before the integrator outside has to begin anew, which costs it its history.
constexpr double drift = 1e-7;  // [m, rad, m/s, rad/s], and of the number itself
// Beyond this turn of a body since the last completed step the ends of a step do not tell how far it has turned.
constexpr double most_turned = 0.5;  // [rad]
constexpr double last_bit = 0.01;    // of such a step, which leads to the state of the integrator outside
}  // namespace

/// An integrator that is told where its steps lead.  Where it is not told, as behind an event within such a step, it goes on by
/// itself.
class OutsideSteps : public Integrator {
 public:
  explicit OutsideSteps(const StepControl& control) {
    StepControl c = control;
    c.step.reset();
    own_ = find_integrator("dormand-prince")->make(c);
  }
  /// The state at the end of the next step; what follows in y is integrated here.
  void lead(double t, const In& x) {
    told_t_ = t;
    told_ = x;
    is_told_ = waits_ = t > t_;
    alone_ = false;
  }
  /// Whether it has been told a step and has not begun it.
  bool waits() const { return waits_; }

  void start(Ode& f, double t, const VecX& y, double t_end) override {
    if (!refreshes_ || t != t_) is_told_ = waits_ = false;
    t_ = t, y_ = y, t_end_ = t_end;
    own_starts_ = true;
    before_ = dy0_ = dy1_ = y;
    f.rates(t, y_, dy0_);
  }
  void refresh(Ode& f) override {
    refreshes_ = true;
    Integrator::refresh(f);
    refreshes_ = false;
  }
  /// Whether something within the last step that was told made it go on by itself.
  bool went_alone() const { return alone_; }
  bool advance(Ode& f) override {
    waits_ = false;
    return is_told_ ? follow(f) : go_on(f);
  }
  void interpolate(Ode& f, double t, Out y) override {
    if (followed_)
      hermite(t, y);
    else
      own_->interpolate(f, t, y);
  }

 private:
  bool follow(Ode& f) {
    if (!followed_ || from_told_ != told_t_) {
      // A new step, from here to where the other one leads.
      before_ = y_;
      t0_ = t_, t1_ = from_told_ = told_t_;
      f.rates(t0_, before_, dy0_);
      after_ = y_;
      after_.head(told_.size()) = told_;
      f.rates(t1_, after_, dy1_);
      if (!all_finite(dy1_)) return fail_to_step(t1_ - t0_, false);
      const Eigen::Index rest = y_.size() - told_.size();
      after_.tail(rest) += 0.5 * (t1_ - t0_) * (dy0_.tail(rest) + dy1_.tail(rest));
    }
    const double to = std::min(t1_, t_end_);
    const double length = to - t_;
    if (to < t1_)
      hermite(to, y_);
    else
      y_ = after_, is_told_ = false;
    t_ = to;
    f.after_step(t_, y_);
    followed_ = own_starts_ = true;
    statistics_.count(length);
    return true;
  }
  bool go_on(Ode& f) {
    if (own_starts_) own_->start(f, t_, y_, t_end_);
    own_starts_ = followed_ = false;
    alone_ = true;
    own_->until(t_end_);
    if (!own_->advance(f)) return fail(own_->fault(), own_->why());
    statistics_.count(own_->t() - t_);
    t_ = own_->t(), y_ = own_->y();
    return true;
  }
  // The cubic through both ends, with their rates.
  void hermite(double t, Out y) const {
    const double h = t1_ - t0_, s = (t - t0_) / h;
    y = (1 + 2 * s) * (1 - s) * (1 - s) * before_ + s * (1 - s) * (1 - s) * h * dy0_ +
        s * s * (3 - 2 * s) * after_ - s * s * (1 - s) * h * dy1_;
  }

  std::unique_ptr<Integrator> own_;
  bool is_told_ = false, waits_ = false, followed_ = false, own_starts_ = true, refreshes_ = false,
       alone_ = false;
  double told_t_ = 0, from_told_ = 0, t0_ = 0, t1_ = 0;
  VecX told_, before_, after_, dy0_, dy1_;
};

/// The equations of motion with such steps.
class Exchange::Equations : public EquationEngine {
 public:
  using EquationEngine::EquationEngine;
  std::unique_ptr<Integrator> own_integrator(const StepControl& control) override {
    auto made = std::make_unique<OutsideSteps>(control);
    steps = made.get();
    return made;
  }
  // Inputs that change put the state onto their drivers; the beginning of a step that is told stays what it was.
  bool after_step(double t, Out y) override {
    return (!steps || !steps->waits()) && EquationEngine::after_step(t, y);
  }
  OutsideSteps* steps = nullptr;  // of the loop that steps this engine
};

Exchange::Exchange(const Study& study, const SimulationOptions& options)
    : simulation_(Simulation::begin(
          study, "forward",
          [this](const Study& s, Begun& begun) {
            auto made = std::make_unique<Equations>(s, begun);
            engine_ = made.get();
            return made;
          },
          options)) {
  const AnalysisOptions& a = study.analysis;
  for (const Breakpoint& b :
       breakpoints_of(study.mechanism, a.start, a.end, {a.control.longest_over(a.end - a.start)}))
    if (b.jumps) breaks_.push_back(b);
  span_ = a.end - a.start;
  y_ = dy_ = engine_->steps->y();
  Mechanism copy = study.mechanism;
  blind_ = GripWatch(engine_->system()).any() || SwitchWatch(copy).any();
  counts_turns_ = study.mechanism.dim == 3;
}
Exchange::~Exchange() = default;

int Exchange::states() const { return engine_->controlled(); }
int Exchange::indicators() const { return int(engine_->system().contacts().sites.size()); }
VecX Exchange::state() const { return engine_->steps->y().head(states()); }

const VecX& Exchange::whole(const In& x) {
  y_ = engine_->steps->y();
  y_.head(states()) = x;
  return y_;
}
void Exchange::rates(double t, const In& x, Out dx) {
  engine_->rates(t, whole(x), dy_);
  dx = dy_.head(states());
}
void Exchange::indicators(double t, const In& x, Out z) { z = gaps_of(engine_->system(), t, x); }

bool Exchange::turns_far(double t, const In& x) {
  const double length = t - simulation_.time();
  if (!counts_turns_ || !(length > 0)) return false;
  const double before = engine_->fastest_turn(engine_->steps->y()), now = engine_->fastest_turn(whole(x));
  return length * std::max(before, now) > most_turned;
}

// Nearly to a time, by steps of our own, at each of which turns are counted; returns whether something happened.
bool Exchange::count_turns_to(double t) {
  simulation_.advance_to(t - last_bit * (t - simulation_.time()));
  return !simulation_.events().empty();
}

void Exchange::outputs(double t, const In& x, Out values) {
  // Whoever only looks moves nothing.
  std::optional<Snapshot> before;
  if (turns_far(t, x)) {
    before = simulation_.save();
    count_turns_to(t);
  }
  engine_->observe(t, whole(x), values);
  if (before) simulation_.restore(*before);
}

Exchange::Completed Exchange::complete(double t, const In& x) {
  // No indicator shows where bodies stick or formulas change their form.  A step across such an instant is made again here,
  // since its cubic is not as accurate as an integrator.
  const bool is_far = turns_far(t, x), happened = is_far && count_turns_to(t);
  std::optional<Snapshot> before;
  if (blind_ && !is_far) before = simulation_.save();
  if (!(is_far && (blind_ || happened))) engine_->steps->lead(t, x);
  Completed c{simulation_.advance_to(t), false};
  if (before && engine_->steps->went_alone()) {
    simulation_.restore(*before);
    c.outcome = simulation_.advance_to(t);
  }
  const VecX now = state();
  c.jumped = happened || !simulation_.events().empty();
  for (Eigen::Index k = 0; k < now.size(); ++k)
    c.jumped = c.jumped || !(std::abs(now[k] - x[k]) <= drift * (1 + std::abs(now[k])));
  return c;
}

std::optional<double> Exchange::next_instant(double t) const {
  // One that has just been reached is not the next, whatever round-off says.
  const auto at = std::ranges::upper_bound(breaks_, t + 1e-10 * (1 + std::abs(t)), {}, &Breakpoint::t);
  const double next =
      std::min(engine_->next_instant(), at == breaks_.end() ? std::numeric_limits<double>::infinity() : at->t);
  return std::isfinite(next) ? std::optional(next) : std::nullopt;
}
double Exchange::before(double instant) const {
  const auto at = std::ranges::find(breaks_, instant, &Breakpoint::t);
  return at == breaks_.end() ? instant : mubody::before(*at, span_);
}
}  // namespace mubody

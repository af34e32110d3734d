#include "mubody/integrators/auto.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "mubody/integrators/implicit_equations.h"
#include "mubody/integrators/radau.h"

namespace mubody {
namespace {
// A step times the fastest change of rates, from which on stiffness may hold steps back: by stability from 3.3 on, and before
// that because stages leave the constraints a little, along which stiff forces change most.
constexpr double perhaps_stiff = 0.25;
constexpr int rounds = 4;                         // of the power method, when its direction is not known
constexpr double first_implicit = 8;              // the first step of a trial, in those of the explicit method
constexpr double long_enough = 0.25;              // of a motion so far: what making derivatives may take
constexpr Eigen::Index most_by_differences = 60;  // numbers of a state whose derivatives come from differences
constexpr double share_of_trials = 0.1;  // of all work: what trials of the implicit method may take in vain

// How many steps of a method there are before the first look, in a trial of it, and at the end of a trial by which it is
// judged.
struct Pace {
  long first_look, trial, judged;
};
constexpr Pace explicit_pace{100, 60, 20}, implicit_pace{20, 12, 4};

class Switching final : public Integrator {
 public:
  explicit Switching(const StepControl& control) : control_(control), explicit_(DormandPrince::make(control)) {}

  void start(Ode& f, double t, const VecX& y, double t_end) override {
    statistics_ = before_ = {};
    t_ = from_ = t;
    t_end_ = t_end;
    next_trial_ = pace(was_implicit_).first_look;
    has_way_ = false;
    in_vain_ = 0;
    expected_ = f.implicit() ? 0 : double(implicit_pace.trial * (y.size() - f.quadratures()));
    rate_ = moved_ = way_ = y;  // as much memory as they need
    begin(f, t, y, was_implicit_);
  }

  bool advance(Ode& f) override {
    if (is_implicit_ && f.comes_close()) give_way();
    if (wanted_ != is_implicit_) change(f);
    from_ = t_;
    if (!now().advance(f) && !rescue(f)) return false;
    take_over();
    ++since_;
    if (since_ == looks_after_ - pace(is_implicit_).judged) mark_ = t_, marked_ = spent();
    if (since_ >= looks_after_) look(f);
    return true;
  }

  void interpolate(Ode& f, double t, Out y) override {
    if (t < t_) ++states_within_;
    now().interpolate(f, t, y);
  }

  void refresh(Ode& f) override {
    now().refresh(f);
    take_over();
  }

  bool take(const StepControl& control) override {
    control_ = control;
    implicit_.reset();
    is_implicit_ = wanted_ = was_implicit_ = false;
    return explicit_->take(control);
  }

  void memory(Ode& f, Memory& m) override {
    m(t_, t_end_, y_, statistics_, before_, is_implicit_, wanted_, was_implicit_, looks_after_, since_,
      next_trial_, marked_, states_within_, changes_, in_vain_, expected_);
    m(from_, began_, mark_, pace_, first_, fastest_, has_way_, way_);
    if (is_implicit_ && !implicit_) make_implicit(), implicit_->start(f, t_, y_, t_end_);
    now().memory(f, m);
  }

  const Tableau* table() const override { return explicit_->table(); }

  std::string remark() const override {
    if (changes_ == 0) return {};
    return fmt::format("from t = {:.6g} s on the equations were stiff{}: radau took over from dormand-prince{}",
                       first_,
                       fastest_ > 0 ? fmt::format(", as forces change within {:.1e} s", 1 / fastest_) : "",
                       changes_ == 1 ? "" : fmt::format("; they took turns {} times", changes_));
  }

 private:
  static const Pace& pace(bool implicit) { return implicit ? implicit_pace : explicit_pace; }
  Integrator& now() { return is_implicit_ ? *implicit_ : *explicit_; }
  // A state within a step, by which contacts are located and followed, is put on the constraints, which takes about as long as
  // an evaluation.
  double spent() { return now().work() + double(states_within_); }
  void make_implicit() {
    StepControl c = control_;
    c.step.reset();
    if (t_ > from_) c.step = first_implicit * (t_ - from_);
    if (!implicit_ || !implicit_->take(c)) implicit_ = Radau::make(c);
  }
  void end_moved() override { now().until(t_end_); }

  // The state and the steps are those of the method in use.
  void take_over() {
    t_ = now().t();
    y_ = now().y();
    statistics_ = before_;
    statistics_ += now().statistics();
  }

  void begin(Ode& f, double t, const VecX& y, bool implicit) {
    is_implicit_ = wanted_ = implicit;
    began_ = mark_ = t;
    marked_ = 0;
    states_within_ = since_ = 0;
    looks_after_ = is_implicit_ == was_implicit_ ? next_trial_ : pace(implicit).trial;
    if (implicit) make_implicit();
    now().start(f, t, y, t_end_);
    take_over();
  }
  void change(Ode& f) {
    before_ = statistics_;
    const VecX y = y_;
    begin(f, t_, y, !is_implicit_);
  }

  // The method in use is the one from now on.
  void settle() {
    if (was_implicit_ == is_implicit_) return;
    was_implicit_ = is_implicit_;
    if (++changes_ == 1) first_ = began_;
  }

  // Explicit steps go on.
  void give_way() {
    if (was_implicit_) ++changes_;
    wanted_ = was_implicit_ = false;
  }

  // Where one method finds no step, the other may.
  bool rescue(Ode& f) {
    const Fault fault = now().fault();
    const std::string why = now().why();
    take_over();
    if (fault != Fault::no_step ||
        !(is_implicit_ || may_be_implicit(f, std::numeric_limits<double>::infinity())))
      return fail(fault, why);
    const bool was_trial = is_implicit_ != was_implicit_;
    if (was_trial) next_trial_ *= 2;
    change(f);
    if (!now().advance(f)) return fail(fault, why);
    settle();
    return true;
  }
  // Large matrices by differences, with dense factors, would take longer than all that a trial can show.  Exact derivatives
  // have to be made first: the motion so far must have taken much longer than that.
  bool may_be_implicit(Ode& f, double evaluations) const {
    if (f.comes_close() || !(in_vain_ + expected_ <= share_of_trials * evaluations)) return false;
    ImplicitEquations* const exact = f.implicit();
    return y_.size() <= most_by_differences || (exact && exact->pays(long_enough * evaluations));
  }

  // Both are tried, and who gets on faster goes on; the next trial comes after twice as many steps.
  void look(Ode& f) {
    const double reached = (t_ - mark_) / (spent() - marked_);
    since_ = 0;
    if (is_implicit_ == was_implicit_) {  // a look at the one in use
      looks_after_ = next_trial_;
      pace_ = reached;
      const bool may = is_implicit_ || may_be_implicit(f, double(statistics_.evaluations));
      wanted_ = may && is_worth_a_trial(f) ? !is_implicit_ : is_implicit_;
      return;
    }
    next_trial_ = 2 * next_trial_;
    if (reached > pace_) {
      settle();
      next_trial_ = pace(is_implicit_).first_look;
    } else {
      wanted_ = was_implicit_;
      if (is_implicit_) expected_ = spent(), in_vain_ += expected_;
    }
    looks_after_ = next_trial_;
  }
  // Explicit steps get on no faster than stability lets them.
  bool is_worth_a_trial(Ode& f) {
    constexpr double stable = 3.3, evaluations = 6;
    return is_implicit_ ? stable / (evaluations * fastest_change(f)) > pace_ : is_perhaps_stiff(f);
  }
  bool is_perhaps_stiff(Ode& f) {
    const double change = fastest_change(f);
    if (!(change * (t_ - from_) >= perhaps_stiff)) return false;
    fastest_ = std::max(fastest_, change);
    return true;
  }

  // How fast rates change with the state [1/s], by the power method, which goes on from where it was.  Positions change
  // velocities, and velocities positions: two rounds together show how fast.
  double fastest_change(Ode& f) {
    const int most = has_way_ ? rounds / 2 : rounds;
    f.rates(t_, y_, rate_);
    if (!has_way_) way_ = rate_;
    // No rate depends on works, which are large beside other numbers.
    const Eigen::Index counts = y_.size() - f.quadratures(), works = f.quadratures();
    const double small =
        std::sqrt(std::numeric_limits<double>::epsilon()) * std::max(1.0, y_.head(counts).norm());
    double pace = 0, before = 0;
    int k = 0;
    way_.tail(works).setZero();
    for (; k < most && way_.norm() > 0; ++k) {
      moved_ = y_ + small / way_.norm() * way_;
      f.rates(t_, moved_, way_);
      way_ -= rate_;
      way_.tail(works).setZero();
      before = std::exchange(pace, way_.norm() / small);
    }
    has_way_ = way_.norm() > 0;
    before_.evaluations += k + 1;
    statistics_.evaluations += k + 1;
    return k > 1 ? std::sqrt(before * pace) : pace;
  }

  StepControl control_;
  std::unique_ptr<Integrator> explicit_, implicit_;
  StepStatistics before_;                      // of the methods that were used before
  bool is_implicit_ = false, wanted_ = false;  // the method in use, and the next one
  bool was_implicit_ = false;  // the method that is used unless a trial shows that the other is better
  long next_trial_ = explicit_pace.first_look, looks_after_ = 0, since_ = 0;  // [steps]
  double mark_ = 0, marked_ = 0;       // a time [s] and the work then, from which on a method is judged
  long states_within_ = 0;             // steps of the method in use, that were asked for
  double pace_ = 0;                    // what the method in use gets on per evaluation [s]
  double in_vain_ = 0, expected_ = 0;  // work of implicit steps: of trials that failed, of the next trial
  int changes_ = 0;
  double from_ = 0, began_ = 0;     // the start of the last step, and of the method in use [s]
  double first_ = 0, fastest_ = 0;  // when the first change was [s], and what was seen then [1/s]
  bool has_way_ = false;            // a direction is known, from which the power method goes on
  VecX rate_, moved_, way_;         // of that method
};
}  // namespace

std::unique_ptr<Integrator> Auto::make(const StepControl& c) { return std::make_unique<Switching>(c); }
}  // namespace mubody

// Steps from outside: CVODE of SUNDIALS, called directly, beside the motion of a simulation.
#include "mubody/exchange/exchange.h"

#include <cvode/cvode.h>
#include <gtest/gtest.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "tests/example.h"

namespace mubody::testing {
namespace {
/// An integrator that knows nothing of mubody but rates and roots.
class Outside {
 public:
  Outside(Exchange& motion, double t, double tolerance) : motion_(motion), n_(motion.states()) {
    SUNContext_Create(nullptr, &context_);
    memory_ = CVodeCreate(CV_ADAMS, context_);
    y_ = N_VNew_Serial(n_, context_);
    take(motion.state());
    CVodeInit(memory_, rates, t, y_);
    CVodeSStolerances(memory_, tolerance, tolerance);
    CVodeSetUserData(memory_, this);
    solver_ = SUNNonlinSol_FixedPoint(y_, 0, context_);
    CVodeSetNonlinearSolver(memory_, solver_);
    if (motion.indicators() > 0) CVodeRootInit(memory_, motion.indicators(), roots);
    t_ = t;
  }
  ~Outside() {
    CVodeFree(&memory_);
    SUNNonlinSolFree(solver_);
    N_VDestroy(y_);
    SUNContext_Free(&context_);
  }
  /// Goes to a time by as many steps as it likes, and tells the motion at the end alone.
  void go(double end) {
    CVodeSetStopTime(memory_, end);
    EXPECT_GE(CVode(memory_, end, y_, &t_, CV_NORMAL), 0);
  }
  void complete() {
    const Exchange::Completed c = motion_.complete(t_, x());
    EXPECT_TRUE(c.outcome) << c.outcome.why;
    if (!c.jumped) return;
    take(motion_.state());
    CVodeReInit(memory_, t_, y_);
  }
  /// One step, not beyond the end; returns whether the state was taken back from the motion.
  bool step(double end) {
    CVodeSetStopTime(memory_, end);
    const int flag = CVode(memory_, end, y_, &t_, CV_ONE_STEP);
    EXPECT_GE(flag, 0);
    const Exchange::Completed c = motion_.complete(t_, x());
    EXPECT_TRUE(c.outcome) << c.outcome.why;
    if (flag == CV_ROOT_RETURN) ++found_roots;
    if (!c.jumped) return false;
    take(motion_.state());
    CVodeReInit(memory_, t_, y_);
    // What has changed is away from zero, so that it does not change again at once.
    VecX gaps(motion_.indicators());
    motion_.indicators(t_, x(), gaps);
    for (const double gap : gaps) EXPECT_GT(std::abs(gap), 1e-10);
    return true;
  }
  Eigen::Map<const VecX> x() const { return {N_VGetArrayPointer(y_), n_}; }
  double t() const { return t_; }
  int found_roots = 0;

 private:
  void take(const VecX& x) { Eigen::Map<VecX>(N_VGetArrayPointer(y_), n_) = x; }
  static int rates(double t, N_Vector y, N_Vector dy, void* self) {
    auto& o = *static_cast<Outside*>(self);
    o.motion_.rates(t, Eigen::Map<const VecX>(N_VGetArrayPointer(y), o.n_),
                    Eigen::Map<VecX>(N_VGetArrayPointer(dy), o.n_));
    return 0;
  }
  static int roots(double t, N_Vector y, double* z, void* self) {
    auto& o = *static_cast<Outside*>(self);
    o.motion_.indicators(t, Eigen::Map<const VecX>(N_VGetArrayPointer(y), o.n_),
                         Eigen::Map<VecX>(z, o.motion_.indicators()));
    return 0;
  }
  Exchange& motion_;
  int n_;
  SUNContext context_ = nullptr;
  void* memory_ = nullptr;
  N_Vector y_ = nullptr;
  SUNNonlinearSolver solver_ = nullptr;
  double t_ = 0;
};

/// Largest difference of an output from that of a simulation, relative to its size or 1.
double difference(const std::string& name, double end, double tolerance,
                  const std::vector<std::string>& channels, int* restarts = nullptr, int* roots = nullptr) {
  const Study study = example(name, {"analysis.rtol=1e-11"});
  Exchange motion(study);
  Outside outside(motion, study.analysis.start, tolerance);
  Simulation sim(study, {.integrator = "auto"});
  VecX values(Eigen::Index(sim.outputs().size()));
  double worst = 0;
  for (int k = 1; k <= 20; ++k) {
    const double t = end * k / 20;
    while (outside.t() < t)
      if (outside.step(t) && restarts) ++*restarts;
    EXPECT_TRUE(sim.advance_to(t));
    motion.outputs(t, outside.x(), values);
    for (const std::string& c : channels) {
      const Output o = sim.output(c);
      worst = std::max(worst, std::abs(values[o.index()] - sim[o]) / std::max(1.0, std::abs(sim[o])));
    }
  }
  if (roots) *roots = outside.found_roots;
  return worst;
}

TEST(exchange, four_bar_by_another_integrator) {
  EXPECT_LT(difference("four_bar", 2, 1e-11, {"crank.angle", "crank.omega", "coupler.x", "follower.omega"}),
            1e-7);
}
TEST(exchange, redundant_bricard_by_another_integrator) {
  EXPECT_LT(difference("bricard", 2, 1e-11, {"rod1.x", "rod1.y", "rod2.z", "rod3.vx"}), 1e-7);
}
TEST(exchange, bouncing_ball_with_indicators) {
  int restarts = 0, roots = 0;
  const double worst = difference("bouncing_ball", 2, 1e-11, {"ball.y", "ball.vy"}, &restarts, &roots);
  EXPECT_LT(worst, 1e-6);
  EXPECT_GT(roots, 4);
  EXPECT_GT(restarts, 4);
}
// A top that turns six times a second, and is looked at four times a second.
TEST(exchange, turns_are_counted_however_rarely_steps_are_completed) {
  const Study study = example("heavy_top", {"analysis.rtol=1e-11"});
  for (const bool looks : {false, true}) {
    Exchange motion(study);
    Outside outside(motion, study.analysis.start, 1e-11);
    Simulation sim(study);
    VecX values(Eigen::Index(sim.outputs().size()));
    for (int k = 1; k <= 16; ++k) {
      const double t = 0.125 * k;
      outside.go(t);
      EXPECT_TRUE(sim.advance_to(t));
      if (k % 2 == 0 && !looks) outside.complete();
      motion.outputs(t, outside.x(), values);
      if (k % 2 == 0 && looks) outside.complete();
      for (const char* angle : {"O.angle_x", "O.angle_y", "O.angle_z"})
        EXPECT_NEAR(values[sim.output(angle).index()], sim[sim.output(angle)], 1e-6) << angle << " at " << t;
    }
  }
}
TEST(exchange, sampled_signals_and_formulas_that_switch) {
  EXPECT_LT(difference("crane", 1, 1e-11, {"trolley.x"}), 1e-6);
  EXPECT_LT(difference("stick_slip", 2, 1e-11, {"block.x", "block.vx"}), 1e-6);
  EXPECT_LT(difference("cart_pole", 1, 1e-11, {"cart.x", "pole.angle"}), 1e-7);
}
}  // namespace
}  // namespace mubody::testing

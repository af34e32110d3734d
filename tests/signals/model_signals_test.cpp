// Signals of a model that is built in a program.
#include "mubody/joints/revolute.h"
#include "mubody/joints/translational.h"
#include "mubody/reading/read_model.h"
#include "mubody/signals/lag.h"
#include "mubody/signals/pid.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
// A wheel whose motor follows a PID controller of its angle, as a file has it.
constexpr const char* in_a_file = R"toml(gravity = [0, 0]
[bodies]
w = {mass = 1, inertia = 0.5}
[joints]
pin = {type = "revolute", bodies = ["ground", "w"], at = [0, 0], motor = {torque = "= u"}}
[inputs]
wanted = 1
[signals]
error = "= wanted - pin.angle"
u = {type = "pid", input = "= error", kp = 20, ki = 5, kd = 4, filter = 0.01, sample = 0.01}
late = {type = "lag", input = "= u", time = 0.2}
[analysis]
end = 1)toml";

Model built(double first = 1) {
  Model model = in_plane({0, 0});
  const BodyRef w = model.body("w", {.mass = 1, .inertia = 0.5, .position = {0, 0}, .angle = 0});
  model.joint("pin", Revolute{}, model.ground().at(0, 0), w.at(0, 0));
  const StateVariable wanted = model.input("wanted", first), angle = model.coordinate("pin");
  const StateVariable error =
      model.signal("error", [=](double, const State& s) { return s(wanted) - s(angle); });
  Pid pid;
  pid.input = Signal([=](double, const State& s) { return s(error); });
  pid.kp = 20, pid.ki = 5, pid.kd = 4, pid.filter = 0.01;
  const StateVariable u = model.signal("u", pid, {.unit = "N m", .sample = 0.01});
  Lag lag;
  lag.input = Signal([=](double, const State& s) { return s(u); });
  lag.time = 0.2;
  model.signal("late", lag);
  model.torque("motor", model.ground(), w, [=](double, const State& s) { return s(u); });
  return model;
}

TEST(model_signals, are_those_of_a_file) {
  Motion file{Model(io::read_study_text(in_a_file, "wheel.toml"))}, program{built()};
  for (const double t : {0.005, 0.1, 0.5, 1.0}) {
    file.to(t), program.to(t);
    for (const char* channel : {"w.angle", "error", "u", "late"})
      EXPECT_NEAR(file(channel), program(channel), 1e-7) << channel << " at " << t;
  }
}

TEST(model_signals, inputs_are_set_in_a_simulation) {
  Simulation sim(built(0));
  ASSERT_TRUE(sim.advance_to(0.5));
  EXPECT_NEAR(sim[sim.output("w.angle")], 0, 1e-12);
  sim[sim.input("wanted")] = 0.5;
  ASSERT_TRUE(sim.advance_to(40));
  EXPECT_NEAR(sim[sim.output("w.angle")], 0.5, 1e-3);
}

TEST(model_signals, refusals_name_the_signal) {
  Model model = built();
  const auto refused = [](const auto& work, const std::string& why) {
    try {
      work();
      FAIL() << why;
    } catch (const ModelError& e) {
      EXPECT_EQ(e.what(), why);
    }
  };
  refused([&] { model.input("u"); }, "there are two signals 'u'");
  refused([&] { model.signal("v", Lag{}); }, "signal 'v': time: must be positive");
  refused([&] { model.input("v", 1, "mm"); }, "signal 'v': unit: 'mm' is no SI unit");
  refused([&] { model.coordinate("none"); }, "there is no joint 'none'");
  refused([&] { model.coordinate("pin", "slide"); }, "joint 'pin': of which coordinate? It has angle");
}
}  // namespace
}  // namespace mubody::testing

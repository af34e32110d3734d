// Forces in terms of scalars against the same forces on bodies.
#include "mubody/precompute/plan/scalars.h"
#include "mubody/precompute/run/loads.h"
#include "tests/evaluated.h"
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
constexpr const char* plane = R"toml(
[bodies]
a = {mass = 1, inertia = 1, position = [0.1, 0.2], angle = 0.3}
b = {mass = 1, inertia = 1, position = [1.1, -0.2], angle = -0.4}
[points]
tip = {body = "b", at = [0.3, 0.1]}
[forces]
spring = {type = "spring", bodies = ["a", "b"], i = [0.1, 0], j = [0, 0.2], stiffness = 50, damping = 3, actuator = "= 2*sin(3*t)"}
curve  = {type = "spring", bodies = ["ground", "b"], i = [0, 1], j = [0, 0], law = "= 10*(length - 1)^3 + if(rate > 0, 5*rate, rate)"}
coil   = {type = "torsion_spring", bodies = ["a", "b"], stiffness = 4, damping = 0.5, free_angle = 0.1}
push   = {type = "force", body = "b", at = [0.2, 0], force = ["= -3*tip.x + t", "= tip.vy^2 - a.omega"]}
twist  = {type = "moment", body = "a", moment = "= -2*a.omega + cos(b.angle)"}
point  = {type = "spring", bodies = ["a", "b"], i = [0.1, 0], j = [0, 0.2], stiffness = 50, damping = 3, free_length = 0}
table  = {type = "spring", bodies = ["ground", "b"], i = [0, 1], j = [0, 0], law = {type = "table", data = [[-1, -20], [0, 0], [0.5, 30], [2, 50]]}}
stages = {type = "spring", bodies = ["ground", "b"], i = [0, 1], j = [0, 0], free_length = 1.4, law = {type = "piecewise", breaks = [-0.1, 0.05], stiffness = [100, 10, 200]}}
rising = {type = "torsion_spring", bodies = ["a", "b"], free_angle = 0, law = {type = "polynomial", coefficients = [10, 0, 5]}}
motor  = {type = "joint_motor", bodies = ["a", "b"], i = [0, 0], j = [0, 0], effort = "= 3*cos(t) - b.omega"}
cruise = {type = "speed_motor", bodies = ["a", "b"], i = [0, 0], j = [0, 0], speed = "= 2*t", gain = 4, limit = 9}
servo  = {type = "position_motor", bodies = ["a", "b"], i = [0, 0], j = [0, 0], motion = "slide_x", position = "= 0.3*t^2", stiffness = 40, damping = 4}
tyre   = {type = "tyre", bodies = ["ground", "b"], i = [0, -1], j = [0, 0], stiffness = 1000, damping = 10, radius = 0.9, speed = 2, profile = "= 0.1*sin(x)"}
)toml";

/// The same from its recording.
VecX recorded_force(const ScalarForm& form, const VecX& x, const VecX& v, double t) {
  Computation g;
  const std::size_t n = form.sees.size();
  std::vector<Recorded> place, rate, F(std::size_t(form.acts));
  std::vector<double> inputs{t};
  for (std::size_t k = 0; k < n; ++k) place.push_back(Recorded::input(g, int(1 + k)));
  for (std::size_t k = 0; k < n; ++k) rate.push_back(Recorded::input(g, int(1 + n + k)));
  inputs.insert(inputs.end(), x.begin(), x.end());
  inputs.insert(inputs.end(), v.begin(), v.end());
  form.recorded(place.data(), rate.data(), Recorded::input(g, 0), F.data());
  const std::vector<double> values = evaluated(g, inputs, F);
  return Eigen::Map<const VecX>(values.data(), form.acts);
}

TEST(scalar_form, does_what_the_force_does) {
  const Study study = io::read_study_text(plane, "forces.toml");
  const Mechanism& m = study.mechanism;
  VecX q(6), u(6);
  q << 0.1, 0.2, 0.3, 1.1, -0.2, -0.4;
  u << 0.3, -0.2, 0.7, 1.1, 0.4, -0.9;
  for (int k = 0; k < int(m.forces.size()); ++k) {
    const auto& named = m.forces[std::size_t(k)];
    const auto form = named.what->scalars(2);
    ASSERT_TRUE(form) << named.name;
    ScalarRows rows(m, form->sees);
    VecX x(rows.size()), v, F(form->acts);
    MatX R;
    rows.at(q, x, &R);
    v = R * u;
    form->force(x.data(), v.data(), 0.7, F.data());
    const VecX Q = R.topRows(form->acts).transpose() * F;
    Loads loads(m, {k});
    EXPECT_LT((Q - loads.at(0.7, q, u)).lpNorm<Eigen::Infinity>(), 1e-12 * std::max(1.0, F.norm()))
        << named.name;
    const double lost = form->lost ? form->lost(x.data(), v.data(), 0.7) : 0;
    EXPECT_NEAR(lost, loads.energy(0.7, q, u).lost(), 1e-12 * std::max(1.0, lost)) << named.name;
    const VecX recorded = recorded_force(*form, x, v, 0.7);
    EXPECT_LT((F - recorded).lpNorm<Eigen::Infinity>(), 1e-13 * std::max(1.0, F.norm())) << named.name;
  }
}

TEST(expression, knows_what_it_uses) {
  const std::string variables[] = {"x", "t"};
  EXPECT_TRUE(Expression::parse("x + t", variables).uses(1));
  EXPECT_FALSE(Expression::parse("2*x", variables).uses(1));
}
}  // namespace
}  // namespace mubody::testing

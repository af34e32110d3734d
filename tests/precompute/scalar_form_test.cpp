// Forces in terms of scalars against the same forces on bodies.
#include "mubody/precompute/plan/scalars.h"
#include "mubody/precompute/run/loads.h"
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
tyre   = {type = "tyre", bodies = ["ground", "b"], i = [0, -1], j = [0, 0], stiffness = 1000, damping = 10, radius = 0.9, speed = 2, profile = "= 0.1*sin(x)"}
)toml";

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
    EXPECT_EQ(form->code({std::vector<std::string>(std::size_t(rows.size()), "x"),
                          std::vector<std::string>(std::size_t(rows.size()), "v"), "t"})
                  .empty(),
              named.name == "tyre")  // with damping it needs the slope of the road
        << named.name;
  }
}

TEST(expression, is_written_in_c) {
  const std::string variables[] = {"x", "t"}, names[] = {"s->x", "s->t"};
  const auto code = [&](const char* text) { return Expression::parse(text, variables).code(names); };
  EXPECT_EQ(code("2*x + 1"), "((R(2.0) * s->x) + R(1.0))");
  EXPECT_EQ(code("-x^2"), "(-mb_power(s->x, 2))");
  EXPECT_EQ(code("max(x, t, 3)"), "mb_max(s->x, mb_max(s->t, R(3.0)))");
  EXPECT_EQ(code("if(x < 0.5, t, -x)"), "((s->x < R(0.5) ? R(1.0) : R(0.0)) != R(0.0) ? s->t : (-s->x))");
  EXPECT_EQ(code("not x"), "(s->x == R(0.0) ? R(1.0) : R(0.0))");
  EXPECT_EQ(code("pow(x, 2) - 1e-3"), "(mb_power(s->x, 2) - R(0.001))");
  EXPECT_TRUE(Expression::parse("x + t", variables).uses(1));
  EXPECT_FALSE(Expression::parse("2*x", variables).uses(1));
}
}  // namespace
}  // namespace mubody::testing

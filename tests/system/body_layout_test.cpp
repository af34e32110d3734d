// The numbers of bodies as BodyLayout reads them, against what the equations of two free bodies make of them.
#include "mubody/system/body_layout.h"

#include <gtest/gtest.h>

#include "mubody/system/build.h"
#include "tests/random.h"

namespace mubody::testing {
namespace {
struct FreeBodies {
  std::unique_ptr<System> system;
  VecX q, u;

  explicit FreeBodies(int dim) {
    Mechanism m;
    m.dim = dim;
    for (const char* name : {"one", "two"})
      m.bodies.push_back({.name = name, .mass = 1, .inertia = Eigen::Matrix3d::Identity()});
    m.prepare();
    system = build_system(m);
    q.resize(system->nq), u.resize(system->nu);
    system->start(q, u);
    Random random(static_cast<unsigned>(dim));
    system->move(q, random.vector(system->nu));
    u = random.vector(system->nu);
  }
  const BodyLayout& layout() const { return system->layout; }
  VecX moved(double h) const {
    VecX there = q;
    system->move(there, h * u);
    return there;
  }
};

TEST(body_layout, displacements_lead_from_one_configuration_to_the_other) {
  for (const int dim : {2, 3}) {
    const FreeBodies b(dim);
    const double h = 1e-4;  // the turn is 2 sin(θ/2), so that h³ is missing
    EXPECT_LT((b.layout().apart(b.q, b.moved(h)) - h * b.u).norm(), h * h * h);
  }
}

TEST(body_layout, a_turn_is_that_of_the_angular_velocity) {
  for (const int dim : {2, 3}) {
    const FreeBodies b(dim);
    VecX rate(b.q.size());
    b.system->rates(b.q, b.u, rate);
    for (const int body : {1, 2}) {
      const int first = b.layout().first_coordinate(body);
      const auto spin = b.u.segment(b.layout().first_velocity(body) + b.layout().lengths, b.layout().spins());
      EXPECT_NEAR(b.layout().turn(&b.q[first], &rate[first]), spin.norm(), 1e-14);
    }
  }
}

// A point of a body that is at the global origin moves with the linear part of the twist there.
TEST(body_layout, twists_move_the_point_at_the_origin) {
  for (const int dim : {2, 3}) {
    const FreeBodies b(dim);
    const double h = 1e-5;
    const VecX before = b.moved(-h), after = b.moved(h);
    for (const int body : {1, 2}) {
      const Pose here = b.layout().pose(b.q, body);
      const Vec<3> point = here.turn.conjugate() * -here.at;
      const auto at = [&](const VecX& q) {
        const Pose p = b.layout().pose(q, body);
        return Vec<3>(p.at + p.turn * point);
      };
      const Vec<3> velocity = (at(after) - at(before)) / (2 * h);
      const MatX twist = b.layout().twist(&b.q[b.layout().first_coordinate(body)]);
      const VecX linear =
          (twist * b.u.segment(b.layout().first_velocity(body), b.layout().velocities)).tail(dim);
      EXPECT_LT((velocity.head(dim) - linear).norm(), 1e-9);  // differences of second order: h²
    }
  }
}

TEST(body_layout, places_are_the_same_after_whole_turns) {
  for (const int dim : {2, 3}) {
    const FreeBodies b(dim);
    VecX round = b.q;
    for (int at = b.layout().lengths; at < int(round.size()); at += b.layout().coordinates)
      if (dim == 2)
        round[at] += 4 * EIGEN_PI;
      else
        round.segment<4>(at) *= -1;
    EXPECT_TRUE(b.layout().same_place(b.q, round, 1e-12));
    EXPECT_FALSE(b.layout().same_place(b.q, b.moved(1e-3), 1e-12));
    const BodyLayout::Round gained = b.layout().round(b.q, round);
    for (int k = 0; k < int(round.size()); ++k)
      EXPECT_NEAR(gained.sign[std::size_t(k)] * b.q[k] + gained.turns[std::size_t(k)], round[k], 1e-14);
    VecX back = round;
    b.layout().take_back(b.q, round, back);
    EXPECT_LT((back - b.q).norm(), 1e-14);
  }
}
}  // namespace
}  // namespace mubody::testing

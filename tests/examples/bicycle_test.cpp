// The car of the examples in a steady turn, beside the linear bicycle model of Riekert and Schunck (1940).
//
//   docs/user/vehicle.md#understeer
//
// A bicycle has one slip angle per axle.  What its stiffnesses leave out of a car is of the same size as what they
// give, so each axle gets an effective slip: that of its force, of the lean of its wheels, and of the angles
// by which linkage and steering turn them.  These follow from the closed form of a double wishbone and the potential energy
// of springs, bars, rack, tyres and weight about the straight course; no part of the program computes them.
#include <Eigen/Geometry>
#include <fmt/format.h>

#include "mubody/math/dense.h"
#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
using Vec3 = Vec<3>;
using Turn = Eigen::Matrix3d;

constexpr double g = 9.81, speed = 20, front_x = 1.2, rear_x = -1.4;
constexpr double rack_stiffness = 1e6, wheel_inertia = 1.1, crown_inertia = 4;

// The tyre of tyre.tir: slopes of the Magic Formula at small slip.
constexpr double nominal = 4000, radius = 0.31, tyre_stiffness = 200000, resistance = 0.01, rolling = 0.304;
double cornering(double load) { return 14 * nominal * std::sin(2 * std::atan(load / (1.9 * nominal))); }
double lean_thrust(double load) { return 0.04 * cornering(load) + 0.4 * load; }
double trail(double load) { return 0.09 * radius * load / nominal; }

Turn about(const Vec3& axis, double angle) { return Eigen::AngleAxisd(angle, axis.normalized()).matrix(); }
Turn frame(const Vec3& a, const Vec3& b, const Vec3& c) {
  Turn f;
  f.col(0) = (b - a).normalized();
  f.col(1) = (c - a - f.col(0) * f.col(0).dot(c - a)).normalized();
  f.col(2) = f.col(0).cross(f.col(1));
  return f;
}

/// The left corner of an axle; the points are those of model.toml.
struct Corner {
  Corner(double x, bool is_front)
      : front(is_front), lower(x, 0.35, 0.2), lower_axis(1, 0, front ? 0.04 : -0.03), upper(x, 0.42, 0.45),
        upper_axis(1, 0, front ? -0.05 : 0.03), lb(x + 0.01, 0.69, 0.17), ub(x - 0.03, 0.65, 0.46),
        ri(x + (front ? 0.13 : -0.13), 0.36, 0.24), ro(ri.x(), 0.66, 0.22), centre(x, 0.75, 0.3),
        top(x, 0.45, 0.62), foot(x, 0.58, 0.19), spring(front ? 36000 : 31000),
        free_length(front ? 0.589 : 0.59), bar(front ? 900 : 300) {
    masses = {{7, {x, 0.52, 0.185}},
              {4, {x - 0.01, 0.53, 0.455}},
              {14, {x, 0.69, 0.3}},
              {20, centre},
              {1.2, (ri + ro) / 2}};
  }
  bool front;
  Vec3 lower, lower_axis, upper, upper_axis, lb, ub, ri, ro, centre, top, foot;
  double spring, free_length, bar;
  std::vector<std::pair<double, Vec3>> masses;  ///< of lower and upper arm, knuckle, wheel, rod
};

/// Where it is when the lower arm has turned and the rack has moved.
struct Placed {
  Placed(const Corner& c, double arm, double rack) : corner(c), lower(about(c.lower_axis, arm)) {
    const Vec3 low = on_lower(c.lb);
    // The upper arm: its ball is as far from the lower one as the knuckle is long.
    double turn = 0;
    for (int k = 0; k < 20; ++k) {
      upper = about(c.upper_axis, turn);
      const Vec3 r = on_upper(c.ub) - low;
      turn -= (r.squaredNorm() - (c.ub - c.lb).squaredNorm()) /
              (2 * r.dot(c.upper_axis.normalized().cross(on_upper(c.ub) - c.upper)));
    }
    // The end of the rod: three spheres, about both balls and the inner end.
    const Vec3 high = on_upper(c.ub);
    inner = c.ri + Vec3(0, rack, 0);
    const Turn f = frame(low, high, inner);
    const double n = (high - low).norm(), i = f.col(0).dot(inner - low), j = f.col(1).dot(inner - low);
    const double d = (c.ro - c.lb).squaredNorm(), x = (d - (c.ro - c.ub).squaredNorm() + n * n) / (2 * n);
    const double y = (d - (c.ro - c.ri).squaredNorm() + i * i + j * j - 2 * i * x) / (2 * j);
    const double z = std::sqrt(d - x * x - y * y);
    const Vec3 one = low + f * Vec3(x, y, z), other = low + f * Vec3(x, y, -z);
    outer = (one - c.ro).norm() < (other - c.ro).norm() ? one : other;
    knuckle = frame(low, high, outer) * frame(c.lb, c.ub, c.ro).transpose();
  }
  Vec3 on_lower(const Vec3& p) const { return corner.lower + lower * (p - corner.lower); }
  Vec3 on_upper(const Vec3& p) const { return corner.upper + upper * (p - corner.upper); }
  Vec3 on_knuckle(const Vec3& p) const { return on_lower(corner.lb) + knuckle * (p - corner.lb); }

  const Corner& corner;
  Turn lower, upper, knuckle;
  Vec3 inner, outer;
};

/// Sums over an axle that is out of its straight course: mean angles, mean way of the points of contact to the left, and
/// half the difference of the loads, left less right.
struct Axle {
  double steer = 0, camber = 0, way = 0, shift = 0;
  double toe = 0, lean = 0, load = 0, x = 0;  ///< of the left wheel
};

/// Coordinates of what is antisymmetric: roll to the right, front arms, rear arms, rack.
using Way = Eigen::Vector4d;

struct Car {
  double energy = 0, moment = 0;  ///< moment: sum of mass times way to the left
  Axle axle[2];
};

struct Straight {
  Turn chassis;  ///< how it stands, and how high
  double height, arm[2];
  Corner corner[2]{{front_x, true}, {rear_x, false}};
  Vec3 contact[2];  ///< on the knuckle

  Vec3 direction(const Vec3& d, const Way& q) const { return about(Vec3::UnitX(), q[0]) * (chassis * d); }
  Vec3 place(const Vec3& p, const Way& q) const {
    return about(Vec3::UnitX(), q[0]) * (chassis * (p - Vec3(0, 0, 0.55)) + Vec3(0, 0, height));
  }
  void weigh(Car& car, double mass, const Vec3& p, const Way& q) const {
    car.energy += mass * g * place(p, q).z();
    car.moment += mass * place(p, q).y();
  }
  void add_wheel(Car& car, int k, double side, const Way& q) const {
    const Corner& c = corner[k];
    const auto there = [&](Vec3 p) { return p.y() *= side, p; };
    const Placed at(c, arm[k] + side * q[1 + k], k == 0 ? side * q[3] : 0);
    car.energy += c.spring / 2 * std::pow((c.top - at.on_lower(c.foot)).norm() - c.free_length, 2);
    const Vec3 centres[] = {at.on_lower(c.masses[0].second), at.on_upper(c.masses[1].second),
                            at.on_knuckle(c.masses[2].second), at.on_knuckle(c.masses[3].second),
                            (at.inner + at.outer) / 2};
    for (std::size_t m = 0; m < c.masses.size(); ++m) weigh(car, c.masses[m].first, there(centres[m]), q);
    const Vec3 axle = direction(side * there(at.knuckle.col(1)), q),
               centre = place(there(at.on_knuckle(c.centre)), q);
    const double lean = std::asin(axle.z()), pressed = radius - centre.z() / std::cos(lean);
    car.energy += tyre_stiffness / 2 * pressed * pressed;
    const double load = tyre_stiffness * pressed / std::cos(lean), steer = std::atan2(-axle.x(), axle.y());
    const Vec3 touches = place(there(at.on_knuckle(contact[k])), q);
    Axle& a = car.axle[k];
    a.steer += steer / 2, a.camber += lean / 2, a.way += touches.y() / 2, a.shift += side * load / 2;
    if (side > 0) a.toe = steer, a.lean = lean, a.load = load, a.x = touches.x();
  }
  Car at(const Way& q) const {
    Car car;
    weigh(car, 1150, {0, 0, 0.55}, q);
    weigh(car, 10, {rear_x, 0, 0.3}, q);
    weigh(car, 5, {front_x + 0.13, q[3], 0.24}, q);
    car.energy += rack_stiffness / 2 * q[3] * q[3];
    for (int k = 0; k < 2; ++k) {
      car.energy += corner[k].bar / 2 * std::pow(2 * q[1 + k], 2);
      for (const double side : {1.0, -1.0}) add_wheel(car, k, side, q);
    }
    return car;
  }
  template <class F> Way slope(const F& of) const {
    constexpr double h = 1e-4;
    Way s;
    for (int k = 0; k < 4; ++k) s[k] = (of(at(h * Way::Unit(k))) - of(at(-h * Way::Unit(k)))) / (2 * h);
    return s;
  }
  MatX stiffness() const {
    constexpr double h = 2e-4;
    MatX H = MatX::Zero(4, 4);
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        for (const double s : {h, -h})
          for (const double t : {h, -h})
            H(a, b) += at(s * Way::Unit(a) + t * Way::Unit(b)).energy / (4 * s * t);
    return H;
  }
};

/// Angles of steering that the bicycle needs: its turn at small slip, and what it adds per g.
struct Bicycle {
  double ratio = 0;     ///< of the steering, rad per m of rack
  double gradient = 0;  ///< understeer [rad/g]
};

Bicycle bicycle_of(const Straight& car) {
  const Car rest = car.at(Way::Zero());
  Way steer[2], camber[2], way[2], shift[2];
  for (int k = 0; k < 2; ++k) {
    steer[k] = car.slope([k](const Car& c) { return c.axle[k].steer; });
    camber[k] = car.slope([k](const Car& c) { return c.axle[k].camber; });
    way[k] = car.slope([k](const Car& c) { return c.axle[k].way; });
    shift[k] = car.slope([k](const Car& c) { return c.axle[k].shift; });
  }
  const Way inertia = car.slope([](const Car& c) { return c.moment; });
  double mass = 1165, first = 10 * rear_x + 5 * (front_x + 0.13);
  for (const Corner& c : car.corner)
    for (const auto& [m, p] : c.masses) mass += 2 * m, first += 2 * m * p.x();
  const double base = rest.axle[0].x - rest.axle[1].x;
  const Lu solve(car.stiffness());
  // All is per m/s² of lateral acceleration from here on, and what follows the rack per m of its command.
  const Way follows = solve.solve(rack_stiffness * Way::Unit(3));
  double force[2], command = 0;
  Way q = Way::Zero();
  for (int round = 0; round < 10; ++round) {
    // Trails, and the resistance of the outer wheels, turn the car out of its curve; the front axle holds against it.
    double yaw = 0;
    for (int k = 0; k < 2; ++k)
      yaw += (round ? -trail(rest.axle[k].load) * force[k] : 0) + resistance * 2 * 0.75 * shift[k].dot(q);
    force[0] = (first - mass * rest.axle[1].x - yaw) / base;
    force[1] = mass - force[0];
    // Loads on the linkages: forces of tyres, inertia, gyroscopic moments of what spins.
    Way Q = -inertia + crown_inertia / rolling * Way::Unit(0);
    double without = 0, with = 0;
    for (int k = 0; k < 2; ++k)
      Q += force[k] * (way[k] - trail(rest.axle[k].load) * steer[k]) + 2 * wheel_inertia / rolling * camber[k];
    const Way given = solve.solve(Q);
    // Front less rear: slip angles and angles of the wheels together are the angle of the curve, base / R.
    for (int k = 0; k < 2; ++k) {
      const Axle& a = rest.axle[k];
      const double sign = k == 0 ? 1 : -1, C = cornering(a.load), h = 1;
      const double dC = (cornering(a.load + h) - C) / h,
                   dL = (lean_thrust(a.load + h) - lean_thrust(a.load)) / h;
      // What a shift of the load does to wheels that toe and lean against each other.
      const Way uneven = 2 * (dL * a.lean - dC * a.toe) * shift[k];
      const Way turns = steer[k] - (2 * lean_thrust(a.load) * camber[k] + uneven) / (2 * C);
      without += sign * (turns.dot(given) - force[k] / (2 * C));
      with += sign * turns.dot(follows);
    }
    command = (base / (speed * speed) - without) / with;
    q = given + follows * command;
  }
  return {steer[0][3], g * (steer[0][3] * command - base / (speed * speed))};
}

TEST(car, turns_as_the_bicycle_with_its_axles_does) {
  constexpr double command = 1.2e-3;  // [m] of the rack: 0.1 g
  const Results r =
      run_example("car", {"signals.steer.value=" + fmt::format("= {}*step(t, 2.5, 0, 3, 1)", command),
                          "analysis.end=7", "analysis.estimate=false", "output.step=0.5"});
  ASSERT_TRUE(r.outcome) << r.outcome.why;
  const auto turned = [&](double t) {
    return Eigen::Quaterniond(value_at(r, "chassis.e0", t), value_at(r, "chassis.e1", t),
                              value_at(r, "chassis.e2", t), value_at(r, "chassis.e3", t))
        .matrix();
  };
  Straight car;
  car.chassis = turned(2.5);
  car.height = value_at(r, "chassis.z", 2.5);
  for (int k = 0; k < 2; ++k) {
    car.arm[k] = value_at(r, k == 0 ? "fl_la.angle" : "rl_la.angle", 2.5);
    const Placed at(car.corner[k], car.arm[k], 0);
    const Vec3& centre = car.corner[k].centre;
    const Vec3 down(0, 0, -car.place(at.on_knuckle(centre), Way::Zero()).z());
    car.contact[k] = centre + at.knuckle.transpose() * (car.chassis.transpose() * down);
  }
  const double v = std::hypot(value_at(r, "chassis.vx", 7), value_at(r, "chassis.vy", 7));
  const double yaw = value_at(r, "chassis.wz", 7), base = front_x - rear_x;
  EXPECT_NEAR(yaw, value_at(r, "chassis.wz", 6.5), 1e-5 * yaw);  // it is steady
  EXPECT_NEAR(v * yaw / g, 0.1, 0.002);
  const Bicycle bicycle = bicycle_of(car);
  const double gradient = (bicycle.ratio * command - base * yaw / v) / (v * yaw / g);
  EXPECT_NEAR(gradient, bicycle.gradient, 0.05 * bicycle.gradient);
}
}  // namespace
}  // namespace mubody::testing

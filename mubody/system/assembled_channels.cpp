// What a mechanism reports: motions of bodies and points, coordinates and reactions of joints, forces.
#include <algorithm>

#include <fmt/format.h>

#include "mubody/mechanism/compliance.h"
#include "mubody/model/units.h"
#include "mubody/system/assembled.h"

namespace mubody {
namespace {
constexpr const char* axis_names[] = {"x", "y", "z"};
}  // namespace

// `write` receives the source, a function that makes the name, since names are made once and values often, the unit and the
// value.  Relative coordinates come first, then the reaction on each of the two bodies: force and moment in global axes,
// the moment about the joint's marker on that body.
template <class F>
template <class Write>
void Assembled<F>::walk_joint(int k, double t, const VecX& a, const In& lambda, Write&& write) {
  const JointRows& rows = joints[k];
  const AnyJoint& joint = *mechanism_.joints[k].what;
  const int body = std::max(joint.i().body, joint.j().body);
  joint_at_[k].group->measure(joint_at_[k].index, bodies_.data(), t, a.data(), measured_);
  for (const auto& s : measured_) {
    const auto relative = [&](const char* what, const char* per, double x) {
      const auto name = [&] { return rows.name + "." + std::string(s.name) + what; };
      write(Source{Channel::joints, body, false, per}, name, s.unit, x);
    };
    relative("", "", s.x);
    relative("_rate", "/s", s.v);
    relative("_acceleration", "/s2", s.a);
  }
  for (int g = 0; g < grips.size(); ++g) {
    const Grip& grip = grips.all[std::size_t(g)];
    if (grip.joint != k) continue;
    const Source source{Channel::joints, body};
    const char* const between = grip.name == rows.name ? "." : "_";
    write(
        source, [&] { return grip.name + between + "friction"; }, grip.turn ? "N m" : "N", grips.force[g]);
    write(
        source, [&] { return grip.name + between + "sticks"; }, "1", grip.mode == Grip::sticks ? 1 : 0);
  }
  if (rows.couples) return write_efforts(k, t, lambda, write);
  write_reaction(rows.name, body, joint.i(), reaction(k, Side::i, lambda), write);
  write_reaction(rows.name, body, joint.j(), reaction(k, Side::j, lambda), write);
}

// What a coupler does to the coordinates that it couples: a moment or a force, positive if it drives body j of that joint
// on against body i.
template <class F>
template <class Write>
void Assembled<F>::write_efforts(int k, double t, const In& lambda, Write&& write) {
  const auto couples = std::as_const(*mechanism_.joints[std::size_t(k)].what).couples();
  const auto& at = joint_at_[std::size_t(k)];
  const std::vector<double> slopes = at.group->slopes(at.index, bodies_.data(), t);
  for (std::size_t n = 0; n < couples.size(); ++n) {
    const Coupled& c = couples[n];
    const bool turn = is_turn(c.motion);
    const auto name = [&] { return joints[std::size_t(k)].name + ".on_" + c.name + (turn ? ".m" : ".f"); };
    write(Source{Channel::joints, std::max(c.i.body, c.j.body), true}, name, turn ? "N m" : "N",
          -lambda[joints[std::size_t(k)].first] * slopes[n]);
  }
}

// The whole reaction of a compliant joint: its springs and dampers, and its remaining equations.
template <class F>
template <class Write>
void Assembled<F>::walk_compliance(int force, double t, const In& lambda, Write&& write) {
  const Named<AnyForce>& named = mechanism_.forces[std::size_t(force)];
  Vec<C> on_i = Vec<C>::Zero(), on_j = on_i;
  const auto& at = force_at_[std::size_t(force)];
  at.group->apply(at.index, bodies_, t, on_i.data(), on_j.data());
  if (const auto parts = rigid_parts_.find(force); parts != rigid_parts_.end())
    for (const int joint : parts->second) {
      on_i += reaction(joint, Side::i, lambda);
      on_j += reaction(joint, Side::j, lambda);
    }
  const int body = std::max(named.what->i().body, named.what->j().body);
  write_reaction(named.name, body, named.what->i(), on_i, write);
  write_reaction(named.name, body, named.what->j(), on_j, write);
}

/// The reaction on the generalized velocities of one of its bodies.
template <class F> auto Assembled<F>::reaction(int joint, Side side, const In& lambda) const -> Vec<C> {
  const int at = side == Side::i ? blocks_[joint].Di : blocks_[joint].Dj;
  Vec<C> general = Vec<C>::Zero();
  for (int r = 0; r < joints[joint].count; ++r)
    general -= lambda[joints[joint].first + r] * Eigen::Map<const Vec<C>>(probe_.D.data() + at + r * C);
  return general;
}

template <class F>
template <class Write>
void Assembled<F>::write_reaction(const std::string& joint, int body, const Marker& marker,
                                  const Vec<C>& general, Write&& write) {
  const auto w = F::wrench(bodies_[marker.body], general.data());
  const Vec<spins<D>> moment = w.about(F::turned(bodies_[marker.body], marker.at.head<D>()));
  const auto component = [&](const char* what, const char* axis, const char* unit, double x) {
    const auto name = [&] { return joint + ".on_" + body_names[marker.body] + what + axis; };
    write(Source{Channel::joints, body, true}, name, unit, x);
  };
  for (int x = 0; x < D; ++x) component(".f", axis_names[x], "N", w.force[x]);
  for (int x = 0; x < spins<D>; ++x) component(".m", D == 2 ? "" : axis_names[x], "N m", moment[x]);
}

// Angular velocity and acceleration in global axes, from the motion of the body's axes e:  ω = ½ Σ e × ė, and likewise for
// ω̇, in which the terms in ω cancel each other.
template <class F> template <class Write> void Assembled<F>::walk_spin(int body, const VecX& a, Write&& write) {
  if constexpr (D == 3) {
    Vec<3> omega = Vec<3>::Zero(), alpha = omega;
    for (int k = 0; k < 3; ++k) {
      const auto e = F::template arm<Side::i>(bodies_[std::size_t(body)], Vec<3>(Vec<3>::Unit(k)));
      omega += 0.5 * Vec<3>(e.x).cross(Vec<3>(e.v));
      alpha += 0.5 * Vec<3>(e.x).cross(F::acceleration(bodies_[std::size_t(body)], e, a.data() + C * body));
    }
    const auto all = [&](const char* what, const char* unit, const Vec<3>& x) {
      for (int k = 0; k < 3; ++k)
        write(
            Source{Channel::bodies, body},
            [&] { return body_names[std::size_t(body)] + what + axis_names[k] + "_global"; }, unit, x[k]);
    };
    all(".w", "rad/s", omega);
    all(".alpha", "rad/s2", alpha);
  }
}

// A point, as it is seen from a frame if it has one: its coordinates there are c = e·d, with the axes e of the frame and the
// way d to the point, and c and its derivatives are what somebody measures who moves along.
template <class F>
template <class Write>
void Assembled<F>::walk_point(const Point& p, const VecX& a, Write&& write) {
  struct Motion {
    Vec<D> x, v, a;
  };
  const auto of = [&](int body, const auto& carried) {
    return Motion{carried.x, carried.v,
                  F::acceleration(bodies_[std::size_t(body)], carried, a.data() + C * body)};
  };
  const auto at = [&](const Marker& m) {
    return of(m.body,
              F::template point<Side::i>(bodies_[std::size_t(m.body)], Vec<D>(m.at.template head<D>())));
  };
  Motion seen = at(p.marker);
  if (p.in) {
    const Motion origin = at(*p.in), d{seen.x - origin.x, seen.v - origin.v, seen.a - origin.a};
    for (int k = 0; k < D; ++k) {
      const Vec<3> axis = p.in->turn * Vec<3>::Unit(k);
      const Motion e = of(p.in->body, F::template arm<Side::i>(bodies_[std::size_t(p.in->body)],
                                                               Vec<D>(axis.template head<D>())));
      seen.x[k] = e.x.dot(d.x);
      seen.v[k] = e.v.dot(d.x) + e.x.dot(d.v);
      seen.a[k] = e.a.dot(d.x) + 2 * e.v.dot(d.v) + e.x.dot(d.a);
    }
  }
  const auto all = [&](const char* what, const char* unit, const Vec<D>& x) {
    for (int k = 0; k < D; ++k)
      write(
          Source{Channel::points, p.marker.body}, [&] { return p.name + what + axis_names[k]; }, unit, x[k]);
  };
  all(".", "m", seen.x);
  all(".v", "m/s", seen.v);
  all(".a", "m/s2", seen.a);
}

// What a force does to each of its bodies: the point of its marker, the force, and the moment about that point.
template <class F> template <class Write> void Assembled<F>::walk_vectors(int force, double t, Write&& write) {
  const Named<AnyForce>& named = mechanism_.forces[std::size_t(force)];
  Vec<C> on_i = Vec<C>::Zero(), on_j = on_i;
  const auto& at = force_at_[std::size_t(force)];
  at.group->apply(at.index, bodies_, t, on_i.data(), on_j.data());
  const auto end = [&](const Marker& marker, const Vec<C>& general) {
    const auto& body = bodies_[std::size_t(marker.body)];
    const auto w = F::wrench(body, general.data());
    const Vec<D> s = marker.at.template head<D>(), arm = F::turned(body, s);
    const Vec<D> point = F::template point<Side::i>(body, s).x;
    const Vec<spins<D>> moment = w.about(arm);
    const auto component = [&](const char* what, const char* axis, const char* unit, double x) {
      const Source source{Channel::forces, std::max(named.what->i().body, named.what->j().body)};
      write(
          source, [&] { return named.name + ".on_" + body_names[std::size_t(marker.body)] + what + axis; },
          unit, x);
    };
    for (int k = 0; k < D; ++k) component(".", axis_names[k], "m", point[k]);
    for (int k = 0; k < D; ++k) component(".f", axis_names[k], "N", w.force[k]);
    for (int k = 0; k < spins<D>; ++k) component(".m", D == 2 ? "" : axis_names[k], "N m", moment[k]);
  };
  end(named.what->i(), on_i);
  end(named.what->j(), on_j);
}

// What moves a body, by Newton and Euler: m r̈ and J ω̇ + ω × J ω, in global axes about the centre of mass.
template <class F> auto Assembled<F>::inertia_of(int body, const VecX& a) const -> Wrench<D> {
  const BodyState& state = bodies_[std::size_t(body)];
  const RigidBody& rigid = mechanism_.bodies[std::size_t(body - 1)];
  const double* const rates = a.data() + C * body;
  const auto origin = F::template point<Side::i>(state, Vec<D>(Vec<D>::Zero()));
  Wrench<D> w{rigid.mass * F::acceleration(state, origin, rates), {}};
  if constexpr (D == 2) {
    const auto e = F::template arm<Side::i>(state, Vec<2>(Vec<2>::UnitX()));
    const Vec<2> turns = F::acceleration(state, e, rates);
    w.moment[0] = rigid.inertia(2, 2) * (e.x[0] * turns[1] - e.x[1] * turns[0]);
  } else {
    Eigen::Matrix3d A;
    Vec<3> omega = Vec<3>::Zero(), alpha = omega;
    for (int k = 0; k < 3; ++k) {
      const auto e = F::template arm<Side::i>(state, Vec<3>(Vec<3>::Unit(k)));
      A.col(k) = Vec<3>(e.x);
      omega += 0.5 * Vec<3>(e.x).cross(Vec<3>(e.v));
      alpha += 0.5 * Vec<3>(e.x).cross(F::acceleration(state, e, rates));
    }
    const Eigen::Matrix3d J = A * rigid.inertia * A.transpose();
    w.moment = J * alpha + omega.cross(J * omega);
  }
  return w;
}

// On every body, and on the ground: gravity and force elements together, then all that acts on it, joints included.  On the
// ground, which does not move, the latter has no meaning.
template <class F>
template <class Write>
void Assembled<F>::walk_body_forces(double t, const VecX& a, Write&& write) {
  Q_ = weight_;
  for (const auto& group : force_groups_) group->apply(bodies_, t, Q_.data(), nullptr);
  const auto all = [&](int body, const char* what, const Wrench<D>& w) {
    const auto component = [&](const char* of, const char* axis, const char* unit, double x) {
      const auto name = [&] { return body_names[std::size_t(body)] + what + of + axis; };
      write(Source{Channel::forces, body}, name, unit, x);
    };
    for (int x = 0; x < D; ++x) component("f", axis_names[x], "N", w.force[x]);
    for (int x = 0; x < spins<D>; ++x) component("m", D == 2 ? "" : axis_names[x], "N m", w.moment[x]);
  };
  for (int b = 0; b < int(bodies_.size()); ++b) {
    all(b, ".applied_", F::wrench(bodies_[std::size_t(b)], Q_.data() + C * b));
    if (b != ground) all(b, ".total_", inertia_of(b, a));
  }
}

template <class F>
template <class Write>
void Assembled<F>::walk_channels(double t, const VecX& a, const In& lambda, Write&& write) {
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    F::observe(bodies_[b], a.data() + C * b, [&](const char* what, const char* unit, double x) {
      write(
          Source{Channel::bodies, int(b)}, [&] { return body_names[b] + what; }, unit, x);
    });
    if (mechanism_.omega_global) walk_spin(int(b), a, write);
  }
  for (std::size_t k = 0; k < joints.size(); ++k)
    if (!joints[k].of_particle) walk_joint(int(k), t, a, lambda, write);
  for (std::size_t k = 0; k < force_at_.size(); ++k)
    if (is_compliance(*mechanism_.forces[k].what)) walk_compliance(int(k), t, lambda, write);
  for (const Point& p : mechanism_.points) walk_point(p, a, write);
  for (std::size_t k = 0; k < force_at_.size(); ++k) {
    const Named<AnyForce>& force = mechanism_.forces[k];
    const Source source{Channel::forces, std::max(force.what->i().body, force.what->j().body)};
    force_at_[k].group->report(force_at_[k].index, bodies_, t, reported_);
    for (const auto& r : reported_)
      write(
          source, [&] { return force.name + "." + std::string(r.name); }, r.unit, r.value);
    if (force.vectors) walk_vectors(int(k), t, write);
  }
  if (mechanism_.body_forces) walk_body_forces(t, a, write);
  for (std::size_t k = 0; k < board_.all().size(); ++k)
    if (const Noted& n = board_.all()[k]; n.is_named())
      write(
          Source{Channel::signals, ground}, [&] { return n.name; }, n.unit, board_.values()[k]);
}

template <class F> void Assembled<F>::name_channels() {
  const VecX none = VecX::Zero(m);
  note(0);
  std::size_t count = 0;
  walk_channels(0, accelerations_, none, [&](const Source&, const auto&, const auto&, double) { ++count; });
  channels.reserve(count);
  walk_channels(0, accelerations_, none, [&](const Source& from, const auto& name, const auto& unit, double) {
    Channel c{name(), std::string(unit) + from.per, from.group, from.reaction};
    c.is_length = from.group == Channel::joints && !from.reaction && is_length(c.unit);
    c.body = from.body;
    channels.push_back(c);
  });
  for (const NamedChannel& output : mechanism_.outputs) {
    const auto at = std::ranges::find(channels, output.channel, &Channel::name);
    if (at == channels.end())
      throw ModelError(output.place,
                       fmt::format("output '{}': there is no channel '{}'", output.name, output.channel));
    output_at_.push_back(int(at - channels.begin()));
    Channel c{output.name, (*at).unit, Channel::signals};
    c.body = (*at).body;
    channels.push_back(c);
  }
  channels.shrink_to_fit();
}

template <class F>
void Assembled<F>::observe(double t, const In& q, const In& u, const In& z, const In& a, const In& lambda,
                           Out values) {
  move_bodies(q, u);
  take_states(z);
  observe_here(t, a, lambda, values);
}
template <class F> void Assembled<F>::observe_here(double t, const In& a, const In& lambda, Out values) {
  evaluate_joints(t, probe_, true);
  note(t);
  accelerations_.tail(nu) = a;
  int k = 0;
  walk_channels(t, accelerations_, lambda,
                [&](const Source&, const auto&, const auto&, double x) { values[k++] = x; });
  for (const int at : output_at_) values[k++] = values[at];
}

template void Assembled<Body<2>>::name_channels();
template void Assembled<Body<2>>::observe(double, const In&, const In&, const In&, const In&, const In&, Out);
template void Assembled<Body<2>>::observe_here(double, const In&, const In&, Out);
template void Assembled<Body<3>>::name_channels();
template void Assembled<Body<3>>::observe(double, const In&, const In&, const In&, const In&, const In&, Out);
template void Assembled<Body<3>>::observe_here(double, const In&, const In&, Out);
template void Assembled<Cartesian<2>>::name_channels();
template void Assembled<Cartesian<2>>::observe(double, const In&, const In&, const In&, const In&, const In&,
                                               Out);
template void Assembled<Cartesian<2>>::observe_here(double, const In&, const In&, Out);
template void Assembled<Cartesian<3>>::name_channels();
template void Assembled<Cartesian<3>>::observe(double, const In&, const In&, const In&, const In&, const In&,
                                               Out);
template void Assembled<Cartesian<3>>::observe_here(double, const In&, const In&, Out);
}  // namespace mubody

// What a mechanism reports: motions of bodies and points, coordinates and reactions of joints, forces.
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
  write_reaction(rows.name, body, joint.i(), reaction(k, Side::i, lambda), write);
  write_reaction(rows.name, body, joint.j(), reaction(k, Side::j, lambda), write);
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

template <class F>
template <class Write>
void Assembled<F>::walk_channels(double t, const VecX& a, const In& lambda, Write&& write) {
  for (std::size_t b = 1; b < bodies_.size(); ++b)
    F::observe(bodies_[b], a.data() + C * b, [&](const char* what, const char* unit, double x) {
      write(
          Source{Channel::bodies, int(b)}, [&] { return body_names[b] + what; }, unit, x);
    });
  for (std::size_t k = 0; k < joints.size(); ++k)
    if (!joints[k].of_particle) walk_joint(int(k), t, a, lambda, write);
  for (std::size_t k = 0; k < force_at_.size(); ++k)
    if (is_compliance(*mechanism_.forces[k].what)) walk_compliance(int(k), t, lambda, write);
  for (const Point& p : mechanism_.points) {
    const auto at = F::template point<Side::i>(bodies_[p.marker.body], Vec<D>(p.marker.at.head<D>()));
    const Vec<D> acc = F::acceleration(bodies_[p.marker.body], at, a.data() + C * p.marker.body);
    const auto all = [&](const char* what, const char* unit, const Vec<D>& x) {
      for (int k = 0; k < D; ++k)
        write(
            Source{Channel::points, p.marker.body}, [&] { return p.name + what + axis_names[k]; }, unit, x[k]);
    };
    all(".", "m", at.x);
    all(".v", "m/s", at.v);
    all(".a", "m/s2", acc);
  }
  for (std::size_t k = 0; k < force_at_.size(); ++k) {
    const Named<AnyForce>& force = mechanism_.forces[k];
    const Source source{Channel::forces, std::max(force.what->i().body, force.what->j().body)};
    force_at_[k].group->report(force_at_[k].index, bodies_, t, reported_);
    for (const auto& r : reported_)
      write(
          source, [&] { return force.name + "." + std::string(r.name); }, r.unit, r.value);
  }
}

template <class F> void Assembled<F>::name_channels() {
  const VecX none = VecX::Zero(m);
  std::size_t count = 0;
  walk_channels(0, accelerations_, none, [&](const Source&, const auto&, const auto&, double) { ++count; });
  channels.reserve(count);
  walk_channels(0, accelerations_, none, [&](const Source& from, const auto& name, const auto& unit, double) {
    Channel c{name(), std::string(unit) + from.per, from.group, from.reaction};
    c.is_length = from.group == Channel::joints && !from.reaction && is_length(c.unit);
    c.body = from.body;
    channels.push_back(std::move(c));
  });
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
  accelerations_.tail(nu) = a;
  int k = 0;
  walk_channels(t, accelerations_, lambda,
                [&](const Source&, const auto&, const auto&, double x) { values[k++] = x; });
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

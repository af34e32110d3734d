// What a mechanism reports: motions of bodies and points, coordinates and reactions of joints, forces.
#include "mubody/mechanism/compliance.h"
#include "mubody/model/units.h"
#include "mubody/system/assembled.h"

namespace mubody {
namespace {
constexpr const char* axis_names[] = {"x", "y", "z"};
}  // namespace

// `write` receives the table, functions that make name and unit, since names are made once and values often, the value,
// and whether it is a reaction.  Relative coordinates come first, then the reaction on each of the two bodies: force and
// moment in global axes, the moment about the joint's marker on that body.
template <class F>
template <class Write>
void Assembled<F>::walk_joint(int k, double t, const VecX& a, const In& lambda, Write&& write) {
  const JointRows& rows = joints[k];
  joint_at_[k].group->measure(joint_at_[k].index, bodies_.data(), t, a.data(), measured_);
  for (const auto& s : measured_) {
    const auto relative = [&](const char* what, const char* per, double x) {
      write(
          Channel::joints, [&] { return rows.name + "." + std::string(s.name) + what; },
          [&] { return std::string(s.unit) + per; }, x, false);
    };
    relative("", "", s.x);
    relative("_rate", "/s", s.v);
    relative("_acceleration", "/s2", s.a);
  }
  const AnyJoint& joint = *mechanism_.joints[k].what;
  write_reaction(rows.name, joint.i(), reaction(k, Side::i, lambda), write);
  write_reaction(rows.name, joint.j(), reaction(k, Side::j, lambda), write);
}

// The whole reaction of a compliant joint: its springs and dampers, and its remaining equations.
template <class F>
template <class Write>
void Assembled<F>::walk_compliance(int force, double t, const In& lambda, Write&& write) {
  const std::string& name = mechanism_.forces[std::size_t(force)].name;
  const AnyForce& what = *mechanism_.forces[std::size_t(force)].what;
  Vec<C> on_i = Vec<C>::Zero(), on_j = on_i;
  const auto& at = force_at_[std::size_t(force)];
  at.group->apply(at.index, bodies_, t, on_i.data(), on_j.data());
  for (std::size_t k = 0; k < joints.size(); ++k)
    if (mechanism_.joints[k].rigid_part_of == force) {
      on_i += reaction(int(k), Side::i, lambda);
      on_j += reaction(int(k), Side::j, lambda);
    }
  write_reaction(name, what.i(), on_i, write);
  write_reaction(name, what.j(), on_j, write);
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
void Assembled<F>::write_reaction(const std::string& joint, const Marker& marker, const Vec<C>& general,
                                  Write&& write) {
  const auto w = F::wrench(bodies_[marker.body], general.data());
  const Vec<spins<D>> moment = w.about(F::turned(bodies_[marker.body], marker.at.head<D>()));
  const auto component = [&](const char* what, const char* axis, const char* unit, double x) {
    write(
        Channel::joints, [&] { return joint + ".on_" + body_names[marker.body] + what + axis; },
        [&] { return std::string(unit); }, x, true);
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
          Channel::bodies, [&] { return body_names[b] + what; }, [&] { return std::string(unit); }, x, false);
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
            Channel::points, [&] { return p.name + what + axis_names[k]; }, [&] { return std::string(unit); },
            x[k], false);
    };
    all(".", "m", at.x);
    all(".v", "m/s", at.v);
    all(".a", "m/s2", acc);
  }
  for (std::size_t k = 0; k < force_at_.size(); ++k) {
    force_at_[k].group->report(force_at_[k].index, bodies_, t, reported_);
    for (const auto& r : reported_)
      write(
          Channel::forces, [&] { return mechanism_.forces[k].name + "." + std::string(r.name); },
          [&] { return std::string(r.unit); }, r.value, false);
  }
}

template <class F> void Assembled<F>::name_channels() {
  walk_channels(0, accelerations_, VecX::Zero(m),
                [&](Channel::Group group, const auto& name, const auto& unit, double, bool reaction) {
                  Channel c{name(), unit(), group, reaction};
                  c.is_length = group == Channel::joints && !reaction && is_length(c.unit);
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
                [&](Channel::Group, const auto&, const auto&, double x, bool) { values[k++] = x; });
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

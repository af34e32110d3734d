// The channels of a recorded model, with the names that results have.
#include "mubody/mechanism/compliance.h"
#include "mubody/recorded/recording.h"

namespace mubody {
namespace {
constexpr const char* axes[] = {"x", "y", "z"};
}

template <int D> void Recording<D>::bodies_channels() {
  for (int b = 1; b <= bodies(); ++b)
    F::observe(state(b), accelerations(b), [&](const char* name, const char* unit, const Recorded& x) {
      channel(body(b).name + name, unit, x);
    });
}

template <int D> void Recording<D>::joints_channels() {
  std::size_t first = 0;
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const auto& named = m_.joints[k];
    const RecordedJoint<D>& joint = joints_[k];
    if (!named.of_particle) {
      for (const RecordedCoordinate<D>& s : joint.coordinates) coordinate_channels(named.name, s);
      if (joint.slopes.empty())
        reaction_channels(named, joint, first);
      else
        effort_channels(named, joint, first);
    }
    first += joint.rows.size();
  }
}
template <int D>
void Recording<D>::coordinate_channels(const std::string& joint, const RecordedCoordinate<D>& s) {
  Recorded acceleration = s.a;
  s.columns.each([&](int first, const Columns& columns) {
    for (int k = 0; k < C; ++k) acceleration += columns[k] * a_[std::size_t(first + k)];
  });
  const std::string name = joint + "." + s.name;
  channel(name, s.unit, s.x);
  channel(name + "_rate", s.unit + "/s", s.v);
  channel(name + "_acceleration", s.unit + "/s2", acceleration);
}
template <int D> Recorded Recording<D>::multiplier(std::size_t row) const {
  return row_of_[row] < 0 ? Recorded(0) : lambda_[std::size_t(row_of_[row])];
}
template <int D>
void Recording<D>::effort_channels(const Named<AnyJoint>& named, const RecordedJoint<D>& joint,
                                   std::size_t first) {
  const auto couples = std::as_const(*named.what).couples();
  for (std::size_t n = 0; n < couples.size(); ++n) {
    const bool turn = is_turn(couples[n].motion);
    channel(named.name + ".on_" + couples[n].name + (turn ? ".m" : ".f"), turn ? "N m" : "N",
            -multiplier(first) * joint.slopes[n]);
  }
}
template <int D>
void Recording<D>::reaction_channels(const Named<AnyJoint>& named, const RecordedJoint<D>& joint,
                                     std::size_t first) {
  for (const Marker* marker : {&named.what->i(), &named.what->j()}) {
    const Columns general = reaction_on(marker->body, joint, first);
    wrench_channels(named.name, *marker, F::wrench(state(marker->body), general.data()));
  }
}
template <int D>
auto Recording<D>::reaction_on(int body, const RecordedJoint<D>& joint, std::size_t first) const -> Columns {
  Columns general = Columns::Zero();
  for (std::size_t r = 0; r < joint.rows.size(); ++r)
    if (const Columns* of = joint.rows[r].columns.of(body)) general -= multiplier(first + r) * *of;
  return general;
}
// The whole reaction of a joint that gives way: its springs and dampers, and its remaining equations.
template <int D> void Recording<D>::compliance_channels(std::size_t force) {
  const Named<AnyForce>& named = m_.forces[force];
  for (const Marker* marker : {&named.what->i(), &named.what->j()}) {
    Columns general = Columns::Zero();
    if (const Columns* of = forces_[force]->Q.of(marker->body)) general += *of;
    std::size_t first = 0;
    for (std::size_t k = 0; k < joints_.size(); first += joints_[k++].rows.size())
      if (m_.joints[k].rigid_part_of == int(force)) general += reaction_on(marker->body, joints_[k], first);
    wrench_channels(named.name, *marker, F::wrench(state(marker->body), general.data()));
  }
}
template <int D>
void Recording<D>::wrench_channels(const std::string& joint, const Marker& marker,
                                   const Wrench<D, Recorded>& w) {
  const Vec<spins<D>, Recorded> moment =
      w.about(F::turned(state(marker.body), Vec<D>(marker.at.template head<D>())));
  const std::string name = joint + ".on_" + m_.body_name(marker.body);
  for (int k = 0; k < D; ++k) channel(name + ".f" + axes[k], "N", w.force[k]);
  for (int k = 0; k < spins<D>; ++k) channel(name + ".m" + (D == 2 ? "" : axes[k]), "N m", moment[k]);
}

template <int D> void Recording<D>::points_channels() {
  for (const Point& p : m_.points) {
    if (p.in) continue;
    const int b = p.marker.body;
    const auto at = F::template point<Side::i>(state(b), Vec<D>(p.marker.at.template head<D>()));
    const Vec<D, Recorded> a = b == ground ? Vec<D, Recorded>(Vec<D, Recorded>::Zero())
                                           : F::acceleration(state(b), at, accelerations(b));
    for (int k = 0; k < D; ++k) channel(p.name + "." + axes[k], "m", at.x[k]);
    for (int k = 0; k < D; ++k) channel(p.name + ".v" + axes[k], "m/s", at.v[k]);
    for (int k = 0; k < D; ++k) channel(p.name + ".a" + axes[k], "m/s2", a[k]);
  }
}

template <int D> void Recording<D>::forces_channels() {
  for (std::size_t k = 0; k < forces_.size(); ++k)
    for (const auto& r : forces_[k]->reports) channel(m_.forces[k].name + "." + r.name, r.unit, r.value);
  for (std::size_t k = 0; k < forces_.size(); ++k)
    if (is_compliance(*m_.forces[k].what)) compliance_channels(k);
}

template <int D> void Recording<D>::powers_of_forces() {
  for (const auto& f : forces_) {
    std::array<int, 5>& powers = out_.force_powers.emplace_back();
    powers[0] = power(f->supplied);
    for (std::size_t k = 0; k < f->lost.size(); ++k) powers[k + 1] = power(f->lost[k]);
  }
}

template <int D> void Recording<D>::energy_channels() {
  Recorded kinetic = 0, potential = 0, supplied = 0, lost = 0, dampers = 0;
  struct OfGroup {
    Recorded supplied = 0;
    std::array<Recorded, 4> lost{0, 0, 0, 0};
  };
  std::vector<OfGroup> of_groups{std::size_t(groups_)};
  for (int b = 1; b <= bodies(); ++b) {
    const auto& s = state(b);
    kinetic += 0.5 * body(b).mass * s.v.squaredNorm();
    if constexpr (D == 2)
      kinetic += 0.5 * body(b).inertia(2, 2) * s.w * s.w;
    else
      kinetic += 0.5 * s.w.dot(Rows<3, 3, Recorded>(body(b).inertia.template cast<Recorded>()) * s.w);
    for (int k = 0; k < D; ++k) potential -= body(b).mass * m_.gravity[k] * s.r[k];
  }
  for (std::size_t n = 0; n < forces_.size(); ++n) {
    const RecordedForce<D>& f = *forces_[n];
    OfGroup& own = of_groups[group_of(m_.forces[n])];
    potential += f.stored, supplied += f.supplied, own.supplied += f.supplied;
    dampers += f.lost[std::size_t(Loss::damper)];
    for (std::size_t k = 0; k < f.lost.size(); ++k) lost += f.lost[k], own.lost[k] += f.lost[k];
  }
  for (std::size_t g = 0; g < of_groups.size(); ++g) {
    out_.powers[g].supplied = node(of_groups[g].supplied);
    for (std::size_t k = 0; k < 4; ++k) out_.powers[g].lost[k] = node(of_groups[g].lost[k]);
  }
  channel("energy.kinetic", "J", kinetic);
  channel("energy.potential", "J", potential);
  channel("power.supplied", "W", supplied);
  channel("power.lost", "W", lost);
  out_.damper_power = node(dampers);
}

template <int D> void Recording<D>::signals_channels() {
  for (std::size_t k = 0; k < m_.signals.size(); ++k)
    if (m_.signals[k].is_named()) channel(m_.signals[k].name, m_.signals[k].unit, board_->values()[k]);
}

template void Recording<2>::bodies_channels();
template void Recording<2>::joints_channels();
template void Recording<2>::points_channels();
template void Recording<2>::forces_channels();
template void Recording<2>::powers_of_forces();
template void Recording<2>::energy_channels();
template void Recording<2>::signals_channels();
template void Recording<3>::bodies_channels();
template void Recording<3>::joints_channels();
template void Recording<3>::points_channels();
template void Recording<3>::forces_channels();
template void Recording<3>::powers_of_forces();
template void Recording<3>::energy_channels();
template void Recording<3>::signals_channels();
}  // namespace mubody

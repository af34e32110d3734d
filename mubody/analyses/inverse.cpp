#include "mubody/analyses/inverse.h"

#include <memory>

#include <fmt/format.h>

#include "mubody/analyses/follow_drivers.h"
#include "mubody/math/dense.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/verdict.h"
#include "mubody/solvers/efforts.h"
#include "mubody/solvers/freedom.h"
#include "mubody/solvers/inputs.h"
#include "mubody/solvers/reduced.h"

namespace mubody {
namespace {
constexpr double negligible = 1e-6;  // pivot of rows of length one that counts as zero

struct Actuation {
  int drivers = 0;                 // equations
  int freedoms = 0;                // freedoms without drivers
  std::vector<std::string> free;   // coordinates that the drivers leave free
  int loose = 0;                   // the body of the first of them
  std::vector<std::string> open;   // drivers whose force is not unique
  std::vector<std::string> units;  // unit of each driver's force
};

Actuation look_at_drivers(System& s, double t, const VecX& q, const VecX& u) {
  Actuation found;
  Terms terms = s.make_terms();
  s.constraints(t, q, u, terms);
  const MatX D = scaled_rows(s, terms);
  MatX joints = D;
  const std::vector<std::string> labels = displacement_labels(s);
  for (const JointRows& j : s.joints)
    if (j.driver) joints.middleRows(j.first, j.count).setZero(), found.drivers += j.count;
  const FullLu without(joints, negligible), with(D, negligible);
  const std::vector<int> order = with.column_order();
  found.freedoms = s.nu - int(s.m > 0 ? without.rank() : 0);
  for (Eigen::Index k = s.m > 0 ? with.rank() : 0; k < s.nu; ++k) {
    const auto velocity = std::size_t(s.m > 0 ? order[std::size_t(k)] : k);
    if (found.free.empty()) found.loose = s.body_of_velocity[velocity];
    found.free.push_back(labels[velocity]);
  }
  if (s.m == 0) return found;

  // Multipliers n with Dᵀ n = 0 may be added to any λ.
  const MatX open = null_space(D.transpose(), negligible);
  for (const JointRows& j : s.joints) {
    if (!j.driver) continue;
    if (open.middleRows(j.first, j.count).norm() > negligible) found.open.push_back("'" + j.name + "'");
    for (int row = j.first; row < j.first + j.count; ++row)
      found.units.push_back(s.measures[std::size_t(row)] == System::Measured::length ? "N" : "N m");
  }
  return found;
}

const char* plural(int count) { return count == 1 ? "" : "s"; }

// Efforts of the joints at output times.
class EffortTable {
 public:
  explicit EffortTable(const std::vector<std::string>& actuators) : actuators_(actuators) {}
  void add(double t, const VecX& q, const VecX& u, const Dynamics& d, System& bodies) {
    if (!efforts_) {
      efforts_ = std::make_unique<Efforts>(d.system, bodies, t, q, actuators_);
      for (const auto& e : efforts_->list()) table.columns.push_back({e.name + ".effort", e.unit});
      for (const auto& e : efforts_->list()) table.columns.push_back({e.name + ".power", "W"});
    }
    if (efforts_->list().empty()) return;
    const VecX row = efforts_->at(t, q, u, d);
    table.values.push_back(t);
    table.values.insert(table.values.end(), row.begin(), row.end());
  }
  int freedoms() const { return efforts_ ? efforts_->freedoms() : 0; }

  Table table{"efforts", {{"time", "s"}}, {}};

 private:
  std::vector<std::string> actuators_;
  std::unique_ptr<Efforts> efforts_;
};
}  // namespace

Results Inverse::run(const Study& study, const Progress& progress) const {
  Begun b = begin(study, info.name, Gaps::closed);
  if (!b.results.outcome) return std::move(b.results);
  const Actuation found = look_at_drivers(*b.system, study.analysis.start, b.q, b.u);
  if (b.results.freedom.usual > 0)
    throw ModelError(
        found.loose > 0 ? study.mechanism.bodies[std::size_t(found.loose - 1)].place : Place{},
        fmt::format("under-actuated: {} driver{} for {} freedom{}, so the motion is not given; nothing moves "
                    "{}: add a driver "
                    "there under [drivers], or use analysis type \"forward\"",
                    found.drivers, plural(found.drivers), found.freedoms, plural(found.freedoms),
                    fmt::join(found.free, ", ")));

  Table drives{"drives", {{"time", "s"}}, {}};
  std::size_t row = 0;
  for (const JointRows& j : b.system->joints)
    for (int k = 0; j.driver && k < j.count; ++k) {
      const std::string name = j.count == 1 ? j.name : fmt::format("{}.{}", j.name, k + 1);
      drives.columns.push_back({name + ".drive", found.units[row++]});
      drives.columns.push_back({name + ".power", "W"});
    }
  VecX nu;
  EffortTable efforts(actuators);
  Results r = follow_drivers(study, progress, info.name,
                             [&](double t, const VecX& q, const VecX& u, const Dynamics& d, System& bodies) {
                               nu.resize(d.system.m);
                               d.required_velocities(u, nu);
                               drives.values.push_back(t);
                               for (const JointRows& j : d.system.joints)
                                 for (int k = j.first; j.driver && k < j.first + j.count; ++k) {
                                   drives.values.push_back(-d.lambda[k]);
                                   drives.values.push_back(-d.lambda[k] * nu[k]);
                                 }
                               efforts.add(t, q, u, d, bodies);
                             });
  r.tables.push_back(std::move(drives));
  note_jumps(driver_jumps(study.mechanism, study.analysis.start, study.analysis.end), r);
  const auto wanted = int(efforts.table.columns.size() / 2);
  if (wanted > efforts.freedoms())
    r.remarks.push_back(
        fmt::format("over-actuated: {} actuators for {} freedom{}: many efforts bring about the same motion; "
                    "those of least "
                    "size are given",
                    wanted, efforts.freedoms(), plural(efforts.freedoms())));
  if (wanted > 0) r.tables.push_back(std::move(efforts.table));
  if (found.drivers > found.freedoms)
    r.remarks.push_back(fmt::format(
        "over-actuated: {} drivers for {} freedom{}: their motions agree, but the forces of {} are not unique; "
        "those of least size are given",
        found.drivers, found.freedoms, plural(found.freedoms), fmt::join(found.open, ", ")));
  return r;
}
}  // namespace mubody

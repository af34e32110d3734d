#include "mubody/simulation/particles.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "mubody/joints/angle.h"
#include "mubody/joints/orientation.h"
#include "mubody/solvers/freedom.h"
#include "mubody/solvers/own_directions.h"
#include "mubody/system/build.h"

namespace mubody {
namespace {
constexpr int looks = 3;
constexpr double nearby = 1e-3;  // from the start, in units of displacements; and that per characteristic time
constexpr double nothing = 1e-12;   // share of the largest force, in those units, that is none
constexpr double untouched = 1e-9;  // coefficient of an equation that is none, in the same

// Leaves those turns of bodies that constraints and forces do without later on, too, and in states beside the start: a
// moment may be zero at the first instant alone.
void keep_what_nothing_ever_turns(System& s, const AnalysisOptions& o, std::vector<Loose>& turns) {
  VecX q(s.nq), u(s.nu), by(s.nu);
  Terms terms = s.make_terms();
  for (int look = 0; look < looks && !turns.empty(); ++look) {
    s.start(q, u);
    for (int k = 0; k < s.nu; ++k) {
      by[k] = nearby * s.units[k] * std::sin(1.0 + 2.7 * k + look);  // any direction that is not special
      u[k] += nearby * s.units[k] / s.scales.time * std::cos(1.0 + 1.3 * k + look);
    }
    s.move(q, by);
    s.evaluate(o.start + (o.end - o.start) * (look + 1) / looks, q, u, terms);
    const double largest = terms.Q.cwiseProduct(s.units).lpNorm<Eigen::Infinity>();
    for (Loose& x : turns) x.untouched = !(std::abs(load_along(s, terms.Q, x)) > nothing * largest);
    each_coefficient(s, terms, turns, [&](std::size_t k, int, double x) {
      if (std::abs(x) > untouched) turns[k].untouched = false;
    });
    std::erase_if(turns, [](const Loose& x) { return !x.untouched; });
  }
}

// Keeps the orientation that a body has at the start.
void keep_from_turning(Mechanism& m, int body) {
  const RigidBody& b = m.bodies[std::size_t(body - 1)];
  const Marker on_ground{ground, Vec<3>::Zero(), b.start.turn.normalized()},
      on_body{body, Vec<3>::Zero(), Quaternion::Identity()};
  if (m.dim == 2) {
    Angle angle;
    angle.i = on_ground, angle.j = on_body;
    m.add_joint(b.name, std::move(angle));
  } else {
    Orientation orientation;
    orientation.i = on_ground, orientation.j = on_body;
    orientation.angles.assign(3, Function(0.0));
    m.add_joint(b.name, std::move(orientation));
  }
  m.joints.back().driver = false;
  m.joints.back().of_particle = true;
  m.joints.back().place = b.place;
  m.prepare(m.joints.back());
}

// Gives a body some inertia about an axis [body axes].  Its size leaves the inertia possible: about no axis more than
// about the two others.
void add_inertia(RigidBody& body, const Vec<3>& axis, int dim) {
  const double others = body.inertia.trace(), own = body.mass > 0 ? body.mass : 1;
  body.inertia += (others > 0 && dim == 3 ? others / 2 : own) * axis * axis.transpose();
  body.omega -= body.omega.dot(axis) * axis;
}
}  // namespace

bool may_have_particles(const Mechanism& m) {
  return std::ranges::any_of(m.bodies, [&](const RigidBody& b) {
    constexpr double thin = 1e-9;  // with room for round-off; undetermined() looks closely
    return m.dim == 2 ? b.inertia(2, 2) == 0
                      : !(b.inertia.determinant() > thin * std::pow(b.inertia.trace(), 3));
  });
}

bool take_particles(const AnalysisOptions& o, Mechanism& m, std::vector<std::string>& remarks) {
  if (!may_have_particles(m)) return false;
  const auto system = build_system(m);
  System& s = *system;
  VecX q(s.nq), u(s.nu);
  s.start(q, u);
  std::map<int, std::vector<Vec<3>>> axes;  // by body, in body axes
  std::vector<Loose> turns = undetermined(s, o.start, q, u);
  std::erase_if(turns, [](const Loose& x) { return !x.untouched; });
  keep_what_nothing_ever_turns(s, o, turns);
  for (const Loose& x : turns) {
    Vec<3> axis = Vec<3>::UnitZ();  // the plane has no other
    if (m.dim == 3) axis = x.direction.segment<3>(s.layout.lengths);
    axes[x.body].push_back(axis);
  }
  for (const auto& [body, own] : axes) {
    RigidBody& b = m.bodies[std::size_t(body - 1)];
    const bool particle = int(own.size()) == s.layout.spins();
    remarks.push_back("body '" + b.name + "' has no inertia" +
                      (particle ? " and nothing turns it: it is taken as a particle"
                                : " about an axis and nothing turns it about that: it keeps from spinning"));
    for (const Vec<3>& axis : own) add_inertia(b, axis, m.dim);
    if (particle) keep_from_turning(m, body);
  }
  return !axes.empty();
}

Study with_particles(Study study) {
  std::vector<std::string> remarks;
  take_particles(study.analysis, study.mechanism, remarks);
  if (study.with)
    study.with = [plain = study.with](const std::string& parameter, double value) {
      return with_particles(plain(parameter, value));
    };
  return study;
}
}  // namespace mubody

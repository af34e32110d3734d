#include "benchmarks/peers/write_contests.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "benchmarks/peers/contests.h"
#include "benchmarks/peers/peer.h"
#include "benchmarks/problems/clock.h"
#include "benchmarks/problems/measure.h"
#include "mubody/analyses/run.h"
#include "mubody/forces/spring.h"
#include "mubody/simulation/begin.h"
#include "mubody/system/body_layout.h"
#include "mubody/system/dynamics.h"
#include "mubody/text/json.h"

namespace mubody::bench {
namespace {
using io::Json;

Json list(const In& x) { return std::vector<double>(x.data(), x.data() + x.size()); }
Json list(const Quaternion& p) { return Json::array({p.w(), p.x(), p.y(), p.z()}); }

Json as_json(const Mechanism& m, const Marker& k) {
  return {{"body", m.body_name(k.body)}, {"at", list(k.at)}, {"turn", list(k.turn)}};
}

/// Numbers of velocity or acceleration of a body in three components each.
void add_rates(Json& to, const char* line, const char* turn, const In& u, int dim) {
  Vec<3> linear = Vec<3>::Zero(), angular = linear;
  if (dim == 2)
    linear.head<2>() = u.head<2>(), angular.z() = u[2];
  else
    linear = u.head<3>(), angular = u.tail<3>();
  to.add(line, list(linear)), to.add(turn, list(angular));
}

Json bodies_of(const Study& study, Begun& begun) {
  const Mechanism& m = *begun.mechanism;
  const BodyLayout layout(m.dim);
  Dynamics dynamics(*begun.system, begun.results.freedom.always_redundant());
  dynamics.evaluate(study.analysis.start, begun.q, begun.u);
  dynamics.solve(dynamics.terms.Q, dynamics.terms.gamma);
  Json all = Json::array();
  for (int k = 1; k <= int(m.bodies.size()); ++k) {
    const RigidBody& body = m.bodies[std::size_t(k - 1)];
    const Pose pose = layout.pose(begun.q, k);
    // A motion in the plane asks for one moment of inertia; programs for space refuse bodies that have no other.
    const Eigen::Matrix3d inertia =
        m.dim == 3 ? body.inertia : Eigen::Matrix3d(body.inertia(2, 2) * Eigen::Matrix3d::Identity());
    Json one{{"name", body.name}, {"mass", body.mass}};
    one.add("inertia",
            Json::array({list(VecX(inertia.col(0))), list(VecX(inertia.col(1))), list(VecX(inertia.col(2)))}));
    one.add("at", list(pose.at)), one.add("turn", list(pose.turn));
    const int first = layout.first_velocity(k);
    add_rates(one, "velocity", "omega", begun.u.segment(first, layout.velocities), m.dim);
    add_rates(one, "acceleration", "alpha", dynamics.a.segment(first, layout.velocities), m.dim);
    all.push_back(std::move(one));
  }
  return all;
}

/// A pin about z, a slide along x, or none; other joints stand in none of the problems.
Json freedom_of(const AnyJoint& joint) {
  const auto allowed = joint.allow();
  if (allowed.empty()) return "fixed";
  if (allowed.size() == 1 && allowed[0] == turn_z) return "turn";
  if (allowed.size() == 1 && allowed[0] == slide_x) return "slide";
  throw std::runtime_error("the comparison knows pins, slides and fixed joints only");
}

void add_elements(Json& to, const Mechanism& m) {
  Json joints = Json::array(), springs = Json::array();
  for (const Named<AnyJoint>& joint : m.joints)
    joints.push_back({{"name", joint.name},
                      {"allows", freedom_of(*joint.what)},
                      {"i", as_json(m, joint.what->i())},
                      {"j", as_json(m, joint.what->j())}});
  for (const Named<AnyForce>& force : m.forces) {
    const auto* const spring = dynamic_cast<const ForceOf<Spring>*>(&*force.what);
    if (!spring) throw std::runtime_error("the comparison knows springs only");
    const Spring& s = spring->force;
    springs.push_back({{"name", force.name},
                       {"i", as_json(m, s.i)},
                       {"j", as_json(m, s.j)},
                       {"stiffness", s.stiffness},
                       {"damping", s.damping},
                       {"free_length", *s.free_length}});
  }
  to.add("joints", std::move(joints)), to.add("springs", std::move(springs));
}

/// What is compared at the end of a run.
VecX answer(const Results& r, const Contest& c, int dim) {
  if (dim == 2) return VecX::Constant(1, r.column(c.watched + ".angle").back());
  VecX at(3);
  for (int k = 0; k < 3; ++k) at[k] = r.column(fmt::format("{}.{}", c.watched, "xyz"[k])).back();
  return at;
}

constexpr int body_coordinates = 0, joint_coordinates = 2;  // as AnalysisOptions::formulation has them

/// The answer at the end, and how far apart it is in body coordinates and in those of the joints.
std::pair<VecX, double> reference(const Contest& c, Study study) {
  const int dim = study.mechanism.dim;
  if (std::isfinite(c.angle)) return {VecX::Constant(1, c.angle), 0};
  study.analysis.control.rtol = 1e-12;
  study.analysis.integrator = dim == 2 ? "verner" : "radau";  // that in space is stiff
  study.analysis.formulation.index = body_coordinates;
  const VecX other = answer(run(study), c, dim);
  study.analysis.formulation.index = joint_coordinates;
  const VecX one = answer(run(study), c, dim);
  return {one, (other - one).norm()};
}

/// A run with 100 rows: the fastest of some.
Json own_run(const Contest& c, const Study& study, const std::string& method, const VecX& expected,
             double right_hand_side) {
  constexpr int repetitions = 3;
  Results r;
  double seconds = 1e300;
  for (int k = 0; k < repetitions; ++k) seconds = std::min(seconds, seconds_of([&] { r = run(study); }));
  return {{"method", method},
          {"right_hand_side", right_hand_side},
          {"seconds", seconds},
          {"gap", r.statistics.largest_violation},
          {"error", (answer(r, c, study.mechanism.dim) - expected).norm()},
          {"note", r.trusted ? "" : "NOT TRUSTED: " + r.verdict}};
}

/// As the problem asks for it; with a tolerance that is nearer to what others do; and with the method and the step, or the
/// coordinates, that others have.
Json own_runs(const Contest& c, Study study, const VecX& expected) {
  Problem ours = c.problem;
  ours.study = [&] { return study; };
  ours.runs = false;
  const auto right_hand_side = [&] { return measure(ours, 0.05, 9).right_hand_side.least; };
  double side = right_hand_side();
  Json runs = Json::array();
  const auto add = [&](const std::string& method) {
    runs.push_back(own_run(c, study, method, expected, side));
  };
  AnalysisOptions& a = study.analysis;
  const auto tolerance = [&] { return fmt::format("{}, rtol {:g}", a.integrator, a.control.rtol); };
  add(tolerance());
  const double asked = std::exchange(a.control.rtol, 1e-6);
  add(tolerance());
  if (study.mechanism.dim == 2) {
    a.integrator = "rk4", a.control.step = peer_step;
    add(fmt::format("rk4, {:g} ms", 1e3 * peer_step));
  } else {
    a.formulation.index = joint_coordinates, a.control.rtol = asked;
    side = right_hand_side();
    add(tolerance() + ", joints");
  }
  return runs;
}

Json as_json(const Contest& c) {
  Study study = c.problem.study();
  study.analysis.end = c.end;
  study.output.times.clear(), study.output.step = c.end / 100;
  const auto [expected, apart] = reference(c, study);
  Begun begun = begin(study, "peers");
  const Mechanism& m = *begun.mechanism;
  Json all{{"id", c.problem.id}, {"name", c.problem.name},     {"dim", m.dim},
           {"end", c.end},       {"gravity", list(m.gravity)}, {"watched", c.watched}};
  all.add("expected", list(expected)), all.add("expected_within", apart);
  all.add("bodies", bodies_of(study, begun));
  add_elements(all, m);
  all.add("own", own_runs(c, std::move(study), expected));
  return all;
}
}  // namespace

std::string contests_as_json() {
  Json all = Json::array();
  for (const Contest& c : contests()) all.push_back(as_json(c));
  return Json{{"step", peer_step}, {"between_looks", between_looks}, {"problems", std::move(all)}}.dump(1);
}
}  // namespace mubody::bench

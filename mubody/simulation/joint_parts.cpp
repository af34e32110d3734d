#include "mubody/simulation/joint_parts.h"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "mubody/contact/laws/kelvin_voigt.h"
#include "mubody/forces/bases/tooth_flank.h"
#include "mubody/forces/joint_stop.h"
#include "mubody/system/registry.h"

namespace mubody {
namespace {
constexpr double usual_restitution = 0.5;
constexpr double frequency = 100;  // [Hz] of the bodies on a stop whose stiffness is not given

constexpr std::string_view ends[] = {"low", "high"};

std::string with_unit(double value, bool turn) {
  return turn ? fmt::format("{:.6g} deg", value * 180 / std::numbers::pi) : fmt::format("{:.6g} m", value);
}

bool is_left_out(const Mechanism& m, const Marker& marker) {
  if (marker.body == ground) return false;
  const RigidBody::LeftOut& open = m.bodies[std::size_t(marker.body - 1)].left_out;
  return open.position || open.orientation;
}

// Bodies whose start nobody has written are moved by assembly, and nothing is known of them here; see begin.cpp.
void refuse_start_outside(const Mechanism& m, const JointSite& site, const JointStop& stop) {
  if (is_left_out(m, site.i) || is_left_out(m, site.j)) return;
  const std::string why = stop.refuse_depth(stop.depth(m.start_of(site.i), m.start_of(site.j)));
  if (!why.empty()) throw FieldError(std::string(ends[stop.side.index]), why);
}
}  // namespace

JointSite::JointSite(const Named<AnyJoint>& joint, int dim)
    : name(joint.name), type(joint.what->info().name), place(joint.place), i(joint.what->i()),
      j(joint.what->j()), motions(joint.what->moves(dim)) {}

std::string JointSite::name_of(Elementary m) const {
  const bool turn = is_turn(m);
  const auto alike = std::ranges::count_if(motions, [&](Elementary x) { return is_turn(x) == turn; });
  return alike == 1 ? (turn ? "angle" : "slide") : std::string(mubody::name_of(m));
}

std::vector<std::string> JointSite::coordinate_names() const {
  std::vector<std::string> names;
  for (const Elementary m : motions) names.push_back(name_of(m));
  return names;
}

Elementary JointSite::coordinate(std::string_view coordinate_name) const {
  require(!motions.empty(), "",
          fmt::format("is for joints that leave a turn or a slide free, which '{}' does not", type));
  if (coordinate_name.empty() && motions.size() == 1) return motions[0];
  const std::vector<std::string> names = coordinate_names();
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == coordinate_name) return motions[k];
  throw FieldError("", fmt::format("of which coordinate? '{}' has {}", name, fmt::join(names, ", ")));
}

std::string JointSite::part_name(Elementary m, std::string_view part) const {
  return motions.size() == 1 ? fmt::format("{}.{}", name, part)
                             : fmt::format("{}.{}.{}", name, name_of(m), part);
}

void Bumper::fields(Fields& f, bool turn) {
  f.optional("stiffness", stiffness, turn ? "N m/rad" : "N/m", "of the spring that is met");
  f.optional("restitution", restitution, "", "speed after a collision over speed before", "0.5");
  f.optional("damping", damping, turn ? "N m s/rad" : "N s/m", "of a damper, in place of restitution", "none");
  f.optional("slowest", slowest, turn ? "rad/s" : "m/s",
             "speed of approach below which damping grows no further");
}

void Bumper::check() const {
  require(!stiffness || (std::isfinite(*stiffness) && *stiffness > 0), "stiffness", "must be positive");
  require(!restitution || (*restitution > 0 && *restitution <= 1), "restitution",
          "must lie above 0 and not above 1");
  require(!damping || (std::isfinite(*damping) && *damping >= 0), "damping", "must not be negative");
  require(!(restitution && damping), "damping", "takes the place of 'restitution': give one of the two");
  require(std::isfinite(slowest) && slowest > 0, "slowest", "must be positive");
}

ContactLaw Bumper::law() const {
  if (damping) {
    KelvinVoigt law;
    law.stiffness = stiffness;
    law.damping = *damping;
    return ContactLaw(law);
  }
  Exact law;
  law.stiffness = stiffness;
  law.exponent = 1;
  law.restitution = restitution.value_or(usual_restitution);
  law.slowest = slowest;
  return ContactLaw(law);
}

void JointLimits::fields(Fields& f) {
  f.optional("low", low, turn ? "rad" : "m", "the smallest value", "open");
  f.optional("high", high, turn ? "rad" : "m", "the largest value", "open");
  bumper.fields(f, turn);
}

void JointLimits::check() const {
  bumper.check();
  require(low || high, "", "has neither 'low' nor 'high'");
  require(!low || std::isfinite(*low), "low", "must be finite");
  require(!high || std::isfinite(*high), "high", "must be finite");
  require(!low || !high || *low < *high, "high",
          fmt::format("must be more than the low limit, {}", with_unit(low.value_or(0), turn)));
}

void Backlash::fields(Fields& f) {
  f.required("gap", gap, turn ? "rad" : "m", turn ? "play of the coupler" : "play along the pitch circles");
  teeth.fields(f, turn);
}

void Backlash::check() const {
  teeth.check();
  require(std::isfinite(gap) && gap >= 0, "gap", "must not be negative");
  require(teeth.stiffness.has_value(), "stiffness",
          turn ? "is missing: that of the teeth, in N m/rad" : "is missing: that of the teeth, in N/m");
}

double reduced_inertia(const Mechanism& m, const JointSite& site, Elementary c) {
  const Pose i = m.start_of(site.i), j = m.start_of(site.j);
  // The axes of the chain: z of i, x of j, and what is perpendicular to both.
  const Vec<3> z = i.turn * Vec<3>::UnitZ(), x = j.turn * Vec<3>::UnitX();
  const Vec<3> axis = c == turn_z ? z : c == turn_x ? x : Vec<3>(z.cross(x).normalized());
  double mobility = 0;
  for (const Marker* marker : {&site.i, &site.j}) {
    if (marker->body == ground) continue;
    const RigidBody& body = m.bodies[std::size_t(marker->body - 1)];
    const Vec<3> along = body.start.turn.conjugate() * axis, arm = axis.cross(body.start.at - j.at);
    const double I = is_turn(c) ? along.dot(body.inertia * along) + body.mass * arm.squaredNorm() : body.mass;
    mobility += 1 / I;
  }
  return 1 / mobility;
}

void add_part(Mechanism& m, std::string name, const Place& place, std::unique_ptr<AnyForce> force) {
  force->check(m.dim);
  force->start(m.start_of(force->i()), m.start_of(force->j()));
  m.forces.push_back({std::move(name), place, std::move(force)});
}

void add_limits(Mechanism& m, const JointSite& site, Elementary c, JointLimits limits) {
  limits.turn = is_turn(c);
  limits.check();
  if (!limits.bumper.stiffness) {
    const double omega = 2 * std::numbers::pi * frequency, inertia = reduced_inertia(m, site, c);
    require(std::isfinite(inertia) && inertia > 0, "",
            "needs a 'stiffness': one of the bodies has no inertia to take it from");
    limits.bumper.stiffness = inertia * omega * omega;
  }
  JointStop stop;
  stop.law = limits.bumper.law();
  stop.follow(c);
  for (const int end : {0, 1})
    if (const auto& value = end == 0 ? limits.low : limits.high) {
      stop.side.index = end;
      stop.limit = *value;
      refuse_start_outside(m, site, stop);
    }
  for (const int end : {0, 1})
    if (const auto& value = end == 0 ? limits.low : limits.high) {
      stop.side.index = end;
      stop.limit = *value;
      add_part(m, site, c, fmt::format("limits.{}", ends[end]), stop);
    }
}

void add_backlash(Mechanism& m, const Named<AnyJoint>& joint, const Backlash& backlash) {
  require(!joint.what->backlash().empty(), "",
          fmt::format("is for joints with teeth, which '{}' has not", joint.what->info().name));
  Backlash own = backlash;
  own.turn = joint.what->plays_by_angle();
  own.check();
  const ForceEntry* kind = find_force(joint.what->backlash());
  for (const int end : {0, 1}) {
    auto flank = kind->make();
    flank->stand_for(*joint.what,
                     {.width = backlash.gap, .high = end == 1, .law = backlash.teeth.law(), .dim = m.dim});
    add_part(m, fmt::format("{}.backlash.{}", joint.name, ends[end]), joint.place, std::move(flank));
  }
}
}  // namespace mubody

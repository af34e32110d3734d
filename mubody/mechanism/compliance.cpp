#include "mubody/mechanism/compliance.h"

#include <algorithm>

#include "mubody/joints/rows.h"

namespace mubody {
namespace {
std::vector<Elementary> all_motions(int D) {
  if (D == 2) return {slide_x, slide_y, turn_z};
  return {slide_x, slide_y, slide_z, turn_x, turn_y, turn_z};
}
bool has(std::span<const Elementary> list, Elementary m) { return std::ranges::find(list, m) != list.end(); }

// Whether it turns freely about z and about nothing else.
bool is_pin(const AnyJoint& joint, int D) {
  const auto allow = joint.allow();
  return D == 3 ? has(allow, turn_z) && !has(allow, turn_x) && !has(allow, turn_y) : has(allow, turn_z);
}

// With z, x, y of the marker as its x, y, z: the chain z, y, x then begins with the tilts of a pin.
Marker tilting(Marker m) {
  Eigen::Matrix3d axes;
  axes << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  m.turn = m.turn * Quaternion(axes);
  return m;
}

Box<AnyJoint> row_of(const JointCompliance& c, Elementary m) {
  // y and z of the turned axes are x and y of the pin.
  if (c.pin && (m == turn_x || m == turn_y))
    return mubody::row_of(tilting(c.i), tilting(c.j), m == turn_x ? turn_y : turn_z);
  return mubody::row_of(c.i, c.j, m);
}

const JointCompliance* compliance_of(const AnyForce& f) {
  const auto* force = dynamic_cast<const ForceOf<JointCompliance>*>(&f);
  return force && force->force.joint ? &force->force : nullptr;
}
std::string row_name(const std::string& joint, Elementary m) { return joint + "." + std::string(name_of(m)); }
}  // namespace

void add_compliant_joint(Mechanism& mechanism, const Named<AnyJoint>& joint, JointCompliance c) {
  const auto motions = all_motions(mechanism.dim);
  const auto allow = joint.what->allow();
  require(std::size_t(joint.what->forbids(mechanism.dim)) + allow.size() == motions.size(), "",
          "is for joints whose free motions are turns and slides about its axes, not for '" +
              std::string(joint.what->info().name) + "'");
  c.i = joint.what->i(), c.j = joint.what->j();
  c.pin = is_pin(*joint.what, mechanism.dim);
  c.joint = joint.what->clone();
  bool any = false;
  for (const Elementary m : motions) {
    const bool stiff = c.stiffness_of(m, m, mechanism.dim) > 0;
    const std::string name(is_turn(m) ? name_of(m) : name_of(m).substr(name_of(m).size() - 1));
    require(!stiff || !has(allow, m), name.c_str(), "is free already: give directions that the joint holds");
    any |= stiff;
    if (!stiff && !has(allow, m))
      mechanism.joints.push_back(
          {row_name(joint.name, m), joint.place, row_of(c, m), false, int(mechanism.forces.size())});
  }
  require(any, "", "names no direction: x, y or angle_z, in space also z, angle_x or angle_y");
  mechanism.forces.push_back(
      {joint.name, joint.place, std::make_unique<ForceOf<JointCompliance>>(std::move(c))});
}

bool is_compliance(const AnyForce& f) { return compliance_of(f) != nullptr; }

Box<AnyForce> compliance_between(const AnyForce& f, int body_i, int body_j) {
  JointCompliance c = *compliance_of(f);
  std::unique_ptr<AnyJoint> joint = c.joint->clone();
  for (Marker* marker : {&c.i, &joint->i()}) marker->body = body_i;
  for (Marker* marker : {&c.j, &joint->j()}) marker->body = body_j;
  c.joint = std::move(joint);
  return std::make_unique<ForceOf<JointCompliance>>(std::move(c));
}

std::vector<StiffCoordinate> stiff_coordinates(const Mechanism& mechanism) {
  std::vector<StiffCoordinate> all;
  for (const auto& f : mechanism.forces)
    if (const JointCompliance* c = compliance_of(*f.what))
      for (const Elementary m : all_motions(mechanism.dim))
        if (c->stiffness_of(m, m, mechanism.dim) > 0)
          all.push_back({row_name(f.name, m), is_turn(m), row_of(*c, m)});
  return all;
}

StiffMatrices stiff_matrices(const Mechanism& mechanism) {
  const auto n = Eigen::Index(stiff_coordinates(mechanism).size());
  StiffMatrices s{MatX::Zero(n, n), MatX::Zero(n, n)};
  Eigen::Index first = 0;
  for (const auto& f : mechanism.forces) {
    const JointCompliance* c = compliance_of(*f.what);
    if (!c) continue;
    std::vector<Elementary> own;
    for (const Elementary m : all_motions(mechanism.dim))
      if (c->stiffness_of(m, m, mechanism.dim) > 0) own.push_back(m);
    const auto count = Eigen::Index(own.size());
    for (Eigen::Index a = 0; a < count; ++a)
      for (Eigen::Index b = 0; b < count; ++b) {
        s.K(first + a, first + b) = c->stiffness_of(own[std::size_t(a)], own[std::size_t(b)], mechanism.dim);
        s.C(first + a, first + b) = c->damping_of(own[std::size_t(a)], own[std::size_t(b)], mechanism.dim);
      }
    first += count;
  }
  return s;
}

namespace {
Mechanism made_rigid(const Mechanism& mechanism, bool only_links) {
  Mechanism r = mechanism;
  r.forces.clear();
  for (std::size_t k = 0; k < mechanism.forces.size(); ++k) {
    const auto& f = mechanism.forces[k];
    const JointCompliance* c = compliance_of(*f.what);
    const auto is_row = [&](const Named<AnyJoint>& j) { return j.rigid_part_of == int(k); };
    const auto first = std::ranges::find_if(r.joints, is_row);
    if (!c || (only_links && first == r.joints.end())) {
      r.forces.push_back(f);
      continue;
    }
    r.joints.insert(first, {f.name, f.place, Box<AnyJoint>(c->joint->clone())});
    std::erase_if(r.joints, is_row);
  }
  return r;
}
}  // namespace

Mechanism rigid(const Mechanism& mechanism) { return made_rigid(mechanism, false); }
Mechanism with_rigid_links(const Mechanism& mechanism) { return made_rigid(mechanism, true); }
}  // namespace mubody

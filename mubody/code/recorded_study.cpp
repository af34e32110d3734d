#include "mubody/code/recorded_study.h"

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/input_slots.h"
#include "mubody/solvers/freedom.h"
#include "mubody/system/jointed.h"

namespace mubody {
namespace {
constexpr double dependent = 1e-9;  // what is left of a row of length one
}  // namespace

std::vector<bool> dependent_rows(System& s, double t, const VecX& q, const VecX& u) {
  Terms terms = s.make_terms();
  s.constraints(t, q, u, terms);
  MatX D = scaled_rows(s, terms);
  std::vector<bool> left_out(std::size_t(s.m), false);
  for (Eigen::Index r = 0; r < D.rows(); ++r) {
    for (int twice = 0; twice < 2; ++twice)  // the second time removes what round-off has left
      for (Eigen::Index k = 0; k < r; ++k) D.row(r) -= D.row(r).dot(D.row(k)) * D.row(k);
    const double rest = D.row(r).norm();
    left_out[std::size_t(r)] = rest < dependent;
    if (rest < dependent)
      D.row(r).setZero();
    else
      D.row(r) /= rest;
  }
  return left_out;
}

std::vector<std::string> take_inputs(Mechanism& mechanism, double t, const std::vector<std::string>& asked,
                                     std::vector<std::string>& names, std::vector<double>& values) {
  InputSlots slots(mechanism);
  std::vector<std::string> units;
  const auto take = [&](int k) {
    const InputSlot& slot = slots[k];
    if (!slot.was)
      throw ModelError(
          fmt::format("'{}' is a formula of the state, which no input can take the place of", slot.name));
    slot.held->input = int(names.size());
    names.push_back(slot.name), units.push_back(slot.unit);
    values.push_back(slot.was->at(t).x);
  };
  for (std::size_t k = 0; k < slots.all().size(); ++k) {
    const auto is_declared = [&](const Noted& n) {
      return n.kind == Noted::input && n.name == slots[int(k)].name;
    };
    if (std::ranges::any_of(mechanism.signals, is_declared) || slots[int(k)].held->input >= 0) take(int(k));
  }
  for (const std::string& name : asked) {
    const InputSlots::Found found = slots.find(name);
    if (found.number == InputSlots::Found::several)
      throw ModelError(fmt::format("input '{}' is not unique: name one of its signals, as in '{}'", name,
                                   slots[found.index].name));
    if (found.number == InputSlots::Found::none) {
      std::vector<std::string> names_of_all;
      for (const InputSlot& s : slots.all()) names_of_all.push_back(s.name);
      throw ModelError(fmt::format("there is no input '{}'{}", name, suggestion(name, names_of_all)));
    }
    if (slots[found.index].held->input < 0) take(found.index);
  }
  return units;
}

std::vector<double> RecordedStudy::arguments() const {
  std::vector<double> x(std::size_t(model.arguments()));
  x[0] = start;
  std::ranges::copy(model.start_q, x.begin() + RecordedModel::first_q());
  std::ranges::copy(model.start_u, x.begin() + model.first_u());
  std::ranges::copy(model.followed, x.begin() + model.first_followed());
  std::copy(z.begin(), z.end(), x.begin() + model.first_z());
  for (std::size_t k = 0; k < inputs.size(); ++k) x[std::size_t(model.first_input()) + 3 * k] = inputs[k];
  for (const RecordedModel::Kept& k : model.kept) x[std::size_t(k.input)] = k.start;
  return x;
}

namespace {
// The equations that the tree leaves open may follow from each other, whichever do in body coordinates.
void take_joint_coordinates(const std::vector<FollowingPart>& parts, bool redundant, RecordedStudy& out,
                            RecordingStart& start) {
  const std::unique_ptr<System> jointed = build_following(out.mechanism, parts);
  VecX q = VecX::Zero(jointed->nq), u = VecX::Zero(jointed->nu);
  jointed->from_bodies(out.q, out.u, q, u);
  if (redundant && jointed->m > 0) start.open_left_out = dependent_rows(*jointed, out.start, q, u);
  start.parts = parts;
  for (const auto& c : jointed->coordinates)
    out.names.coordinates.push_back(fmt::format("{} [{}]", c.text, c.unit));
  for (const auto& c : jointed->velocities)
    out.names.velocities.push_back(fmt::format("{} [{}]", c.text, c.unit));
}
}  // namespace

RecordedStudy record(const Study& study, const RecordOptions& options) {
  Begun begun = begin(study, "forward");
  if (!begun.results.outcome) throw ModelError(begun.results.outcome.why);
  RecordedStudy out;
  out.mechanism = std::move(begun.mechanism), out.start = study.analysis.start;
  out.q = begun.q, out.u = begun.u;
  out.z = VecX::Zero(begun.system->nz);
  begun.system->start_states(out.start, out.q, out.u, out.z);
  RecordingStart start{out.start, out.q, out.u, {}, {}, options.parameter_of};
  const std::vector<std::string> units =
      take_inputs(out.mechanism, out.start, options.inputs, start.inputs, out.inputs);
  if (begun.results.freedom.always_redundant())
    start.left_out = dependent_rows(*begun.system, out.start, out.q, out.u);
  out.left_out = int(std::count(start.left_out.begin(), start.left_out.end(), true));
  out.rows_left_out = start.left_out;
  if (options.parts)
    take_joint_coordinates(*options.parts, begun.results.freedom.always_redundant(), out, start);
  out.model = record(out.mechanism, start);
  for (std::size_t k = 0; k < units.size(); ++k) out.model.inputs[k].unit = units[k];
  return out;
}
}  // namespace mubody

#include "mubody/precompute/run/loop_map.h"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "mubody/precompute/plan/scalars.h"
#include "mubody/precompute/run/check_tables.h"

namespace mubody {
namespace {
constexpr double full_turn = 2 * std::numbers::pi;

/// Where the model file puts all bodies; only frames on bodies matter here.
VecX written_start(const Mechanism& m, const BodyLayout& layout) {
  VecX q(Eigen::Index(m.bodies.size()) * layout.coordinates);
  for (std::size_t k = 0; k < m.bodies.size(); ++k) {
    const Pose& p = m.bodies[k].start;
    double* const to = q.data() + Eigen::Index(k) * layout.coordinates;
    for (int i = 0; i < layout.lengths; ++i) to[i] = p.at[i];
    if (layout.spins() == 1)
      to[2] = p.angle;
    else
      to[3] = p.turn.w(), to[4] = p.turn.x(), to[5] = p.turn.y(), to[6] = p.turn.z();
  }
  return q;
}

const BodyTable& table_of(const LoopTable& loop, int body) {
  return *std::ranges::find_if(loop.region.bodies, [&](const BodyTable& t) {
    return std::ranges::find(t.bodies, body) != t.bodies.end();
  });
}
}  // namespace

LoopMap::LoopMap(std::shared_ptr<const LoopTable> loop, const Mechanism& m, LoopPart part)
    : held_(std::move(loop)), loop_(*held_), part_(std::move(part)), layout_(m.dim),
      alone_(alone(m, part_, layout_, written_start(m, layout_))) {
  std::vector<std::size_t> to(part_.bodies.size());
  std::size_t next = 0;
  for (std::size_t b = 0; b < to.size(); ++b) {
    to[b] = next;
    const auto arguments = table_of(loop_, int(b) + 1).table.arguments().size();
    next += std::size_t(layout_.coordinates) + std::size_t(layout_.velocities) * (arguments + 1);
  }
  for (const BodyTable& t : loop_.region.bodies) {
    std::vector<Member> members;
    const std::size_t arguments = t.table.arguments().size();
    const std::size_t each = std::size_t(layout_.coordinates) + std::size_t(layout_.velocities) * arguments;
    for (std::size_t k = 0; k < t.bodies.size(); ++k)
      members.push_back({t.bodies[k] - 1, k * each, to[std::size_t(t.bodies[k]) - 1]});
    members_.push_back(std::move(members));
    const auto quantities = std::size_t(t.table.quantities());
    values_ = std::max(values_, quantities);
    slopes_ = std::max(slopes_, quantities * arguments);
    work_ = std::max(work_, t.table.scratch());
  }
  periodic_ = std::ranges::any_of(loop_.region.variables, &VariableRange::periodic);
}

std::size_t LoopMap::scratch() const { return values_ + slopes_ + work_; }

void LoopMap::at(const double* s, const double* rate, double* out, double* scratch) const {
  double *const values = scratch, *const slopes = values + values_, *const work = slopes + slopes_;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const LookupTable& table = loop_.region.bodies[k].table;
    table.evaluate(s, values, slopes, work);
    for (const Member& member : members_[k])
      write_member(table, member, s, rate, values, slopes, out + member.to);
  }
}

void LoopMap::write_member(const LookupTable& table, const Member& member, const double* s, const double* rate,
                           const double* values, const double* slopes, double* out) const {
  const auto& arguments = table.arguments();
  const int P = layout_.coordinates, C = layout_.velocities, n = int(arguments.size());
  const double* const q = values + member.from;
  std::copy_n(q, P, out);
  const double* const B = q + P;
  double* const bend = out + P + C * n;
  std::fill_n(bend, C, 0.0);
  for (int c = 0; c < n; ++c) {
    const double* const dB = slopes + std::size_t(c) * std::size_t(table.quantities()) + member.from + P;
    for (int k = 0; k < C; ++k) {
      out[P + C * c + k] = B[k * n + c];
      double sum = 0;
      for (int a = 0; a < n; ++a) sum += dB[k * n + a] * rate[arguments[std::size_t(a)]];
      bend[k] += sum * rate[arguments[std::size_t(c)]];
    }
  }
  if (periodic_) count_laps(table, s, member.body, out);
}

void LoopMap::count_laps(const LookupTable& table, const double* s, int body, double* coordinates) const {
  const std::size_t all = part_.bodies.size() * std::size_t(layout_.coordinates);
  for (std::size_t a = 0; a < table.axes().size(); ++a) {
    const int k = table.arguments()[a];
    const double laps = table.axes()[a].laps(s[k]);
    if (laps == 0) continue;
    const bool odd = std::fmod(std::abs(laps), 2) == 1;
    const std::size_t first = std::size_t(k) * all + std::size_t(body) * std::size_t(layout_.coordinates);
    for (std::size_t i = 0; i < std::size_t(layout_.coordinates); ++i) {
      if (odd) coordinates[i] *= loop_.sign[first + i];
      coordinates[i] += laps * loop_.gain[first + i];
    }
  }
}

void LoopMap::read(const In& q, const In& u, double* s, double* rate) const {
  std::vector<Variable> variables;
  for (const VariableRange& v : loop_.region.variables) variables.push_back(find_variable(alone_, v.name));
  VecX own_q, own_u, values(Eigen::Index(variables.size()));
  seen_from_carrier(part_, layout_, q, u, own_q, own_u);
  MatX rates;
  ScalarRows(alone_, variables).at(own_q, values, &rates);
  const VecX now = rates * own_u;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const VariableRange& v = loop_.region.variables[k];
    if (variables[k].turn != v.turn || variables[k].unit != v.unit)
      throw ModelError("the precomputed model is damaged: a variable of its loops is another one");
    double& x = values[Eigen::Index(k)];
    if (v.turn && x < v.low) x += full_turn * std::ceil((v.low - x) / full_turn);
    if (v.turn && x > v.high) x -= full_turn * std::ceil((x - v.high) / full_turn);
    s[k] = x, rate[k] = now[Eigen::Index(k)];
  }
}

std::string LoopMap::out_of_range(const double* s) const {
  for (std::size_t k = 0; k < loop_.region.variables.size(); ++k)
    if (const VariableRange& v = loop_.region.variables[k]; !v.holds(s[k])) return v.beyond(s[k]);
  for (const BodyTable& t : loop_.region.bodies)
    if (!t.table.holds(s)) return away_from_motion(t.table, s);
  return {};
}

std::string LoopMap::away_from_motion(const LookupTable& t, const double* s) const {
  // The variable that has to change most to come back.
  const std::vector<Axis::Cell> back = t.closest(s);
  std::size_t most = 0;
  double way = -1;
  std::string others;
  for (std::size_t a = 0; a < back.size(); ++a) {
    const double beyond = (std::abs(s[t.arguments()[a]] - back[a].middle) - back[a].half) /
                          (t.axes()[a].high() - t.axes()[a].low());
    if (beyond > way) way = beyond, most = a;
  }
  const auto variable = [&](std::size_t a) -> const VariableRange& {
    return loop_.region.variables[std::size_t(t.arguments()[a])];
  };
  for (std::size_t a = 0; a < back.size(); ++a)
    if (a != most)
      others += fmt::format("{}{} = {:.6g} {}", others.empty() ? " where " : ", ", variable(a).name,
                            s[t.arguments()[a]], variable(a).unit);
  const VariableRange& v = variable(most);
  return fmt::format(
      "{} = {:.6g} {} is beyond the range of the tables{}, which cover the neighbourhood of the "
      "motion that they were made for",
      v.name, s[t.arguments()[most]], v.unit, others);
}

std::vector<FollowingPart> following_parts(const std::shared_ptr<const RealTimeModel>& model,
                                           const Mechanism& m) {
  check_tables(*model);
  check_tables_fit(*model, m);
  std::vector<FollowingPart> all;
  const std::vector<LoopPart> parts = loop_parts(m);
  for (const LoopTable& loop : model->loops) {
    const auto part = std::ranges::find(parts, loop.bodies, &LoopPart::bodies);
    if (part == parts.end() || part->carrier != loop.carrier)
      throw ModelError("the precomputed model is damaged: its loops are those of another mechanism");
    FollowingPart following;
    following.carrier = part->carrier;
    following.joints = part->joints;
    for (const VariableRange& v : loop.region.variables)
      following.variables.push_back({v.name, v.unit, v.turn});
    for (std::size_t b = 0; b < part->bodies.size(); ++b)
      following.bodies.push_back({part->bodies[b], table_of(loop, int(b) + 1).table.arguments()});
    following.map = std::make_shared<LoopMap>(std::shared_ptr<const LoopTable>(model, &loop), m, *part);
    all.push_back(std::move(following));
  }
  return all;
}
}  // namespace mubody

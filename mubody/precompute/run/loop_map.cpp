#include "mubody/precompute/run/loop_map.h"

#include <algorithm>
#include <array>
#include <numbers>

#include <fmt/format.h>

#include "mubody/mechanism/compliance.h"
#include "mubody/precompute/plan/closure.h"
#include "mubody/precompute/plan/scalars.h"
#include "mubody/precompute/run/check_tables.h"
#include "mubody/precompute/tables/taylor.h"

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

std::size_t table_of(const LoopTable& loop, int body) {
  const auto& all = loop.region.bodies;
  const auto has = [&](const BodyTable& t) { return std::ranges::find(t.bodies, body) != t.bodies.end(); };
  return std::size_t(std::ranges::find_if(all, has) - all.begin());
}

/// The variables by which a table of a loop has slopes: its arguments, and directions in which joints give way.
std::vector<int> variables_of(const LoopTable& loop, const BodyTable& t) {
  std::vector<int> all = t.table.arguments();
  for (const int k : t.stiff) all.push_back(int(loop.region.variables.size()) + k);
  return all;
}
}  // namespace

LoopMap::LoopMap(std::shared_ptr<const LoopTable> loop, const Mechanism& m, LoopPart part)
    : held_(std::move(loop)), loop_(*held_), part_(std::move(part)), layout_(m.dim),
      alone_(alone(m, part_, layout_, written_start(m, layout_))) {
  for (const BodyTable& t : loop_.region.bodies) variables_.push_back(variables_of(loop_, t));
  std::vector<std::size_t> to(part_.bodies.size());
  std::size_t next = 0;
  for (std::size_t b = 0; b < to.size(); ++b) {
    to[b] = next;
    const std::size_t columns = variables_[table_of(loop_, int(b) + 1)].size();
    next += std::size_t(layout_.coordinates) + std::size_t(layout_.velocities) * (columns + 1);
  }
  for (std::size_t n = 0; n < variables_.size(); ++n) {
    const BodyTable& t = loop_.region.bodies[n];
    std::vector<Member> members;
    const std::size_t columns = variables_[n].size();
    const std::size_t each = std::size_t(layout_.coordinates) + std::size_t(layout_.velocities) * columns;
    for (std::size_t k = 0; k < t.bodies.size(); ++k)
      members.push_back({t.bodies[k] - 1, k * each, to[std::size_t(t.bodies[k]) - 1]});
    members_.push_back(std::move(members));
    const auto quantities = std::size_t(t.table.quantities());
    values_ = std::max(values_, quantities);
    slopes_ = std::max(slopes_, quantities * t.table.arguments().size());
    sums_ = std::max(sums_, t.order.size());
    sum_slopes_ = std::max(sum_slopes_, t.order.size() * columns);
    work_ = std::max(work_, t.table.scratch());
  }
  periodic_ = std::ranges::any_of(loop_.region.variables, &VariableRange::periodic);
  const std::vector<Variable> stiff = stiff_variables(alone_);
  const auto same = [](const StiffVariable& a, const Variable& b) {
    return a.name == b.name && a.turn == b.turn;
  };
  if (!std::ranges::equal(loop_.stiff, stiff, same))
    throw ModelError("the precomputed model is damaged: joints of its loops give way in other directions");
}

std::size_t LoopMap::scratch() const { return values_ + slopes_ + sums_ + sum_slopes_ + work_; }

LoopMap::Seen LoopMap::look_up(std::size_t table, const double* s, double* scratch) const {
  const BodyTable& t = loop_.region.bodies[table];
  double *const values = scratch, *const slopes = values + values_, *const sums = slopes + slopes_,
                *const sum_slopes = sums + sums_, *const work = sum_slopes + sum_slopes_;
  t.table.evaluate(s, values, slopes, work);
  if (t.order.empty()) return {values, slopes, std::size_t(t.table.quantities()), variables_[table]};
  std::array<double, most_stiff_variables> give{};
  for (std::size_t k = 0; k < t.stiff.size(); ++k)
    give[k] = s[loop_.region.variables.size() + std::size_t(t.stiff[k])];
  sum_series(t.order, int(t.table.arguments().size()), {give.data(), t.stiff.size()}, 2, values, slopes, sums,
             sum_slopes);
  return {sums, sum_slopes, t.order.size(), variables_[table]};
}

void LoopMap::at(const double* s, const double* rate, double* out, double* scratch) const {
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const Seen seen = look_up(k, s, scratch);
    const BodyTable& t = loop_.region.bodies[k];
    for (const Member& member : members_[k]) {
      write_member(seen, member, rate, out + member.to);
      if (!t.order.empty()) layout_.tidy(out + member.to);
      if (periodic_) count_laps(t.table, s, member.body, out + member.to);
    }
  }
}

void LoopMap::write_member(const Seen& seen, const Member& member, const double* rate, double* out) const {
  const int P = layout_.coordinates, C = layout_.velocities, n = int(seen.variables.size());
  const double* const q = seen.values + member.from;
  std::copy_n(q, P, out);
  const double* const B = q + P;
  double* const bend = out + P + C * n;
  std::fill_n(bend, C, 0.0);
  for (int c = 0; c < n; ++c) {
    const double* const dB = seen.slopes + std::size_t(c) * seen.quantities + member.from + P;
    for (int k = 0; k < C; ++k) {
      out[P + C * c + k] = B[k * n + c];
      double sum = 0;
      for (int a = 0; a < n; ++a) sum += dB[k * n + a] * rate[seen.variables[std::size_t(a)]];
      bend[k] += sum * rate[seen.variables[std::size_t(c)]];
    }
  }
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

std::vector<Variable> LoopMap::all_variables() const {
  std::vector<Variable> all;
  for (const VariableRange& v : loop_.region.variables) all.push_back(find_variable(alone_, v.name));
  for (Variable& v : stiff_variables(alone_)) all.push_back(std::move(v));
  return all;
}

void LoopMap::read(const In& q, const In& u, double* s, double* rate) const {
  const std::vector<Variable> variables = all_variables();
  VecX own_q, own_u, values(Eigen::Index(variables.size()));
  seen_from_carrier(part_, layout_, q, u, own_q, own_u);
  MatX rates;
  ScalarRows(alone_, variables).at(own_q, values, &rates);
  const VecX now = rates * own_u;
  for (std::size_t k = 0; k < variables.size(); ++k)
    s[k] = values[Eigen::Index(k)], rate[k] = now[Eigen::Index(k)];
  for (std::size_t k = 0; k < loop_.region.variables.size(); ++k) {
    const VariableRange& v = loop_.region.variables[k];
    if (variables[k].turn != v.turn || variables[k].unit != v.unit)
      throw ModelError("the precomputed model is damaged: a variable of its loops is another one");
    double& x = s[k];
    if (v.turn && x < v.low) x += full_turn * std::ceil((v.low - x) / full_turn);
    if (v.turn && x > v.high) x -= full_turn * std::ceil((x - v.high) / full_turn);
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

std::optional<LoopMap::LeftOut> LoopMap::left_out(const double* s) const {
  const auto P = Eigen::Index(layout_.coordinates), bodies = Eigen::Index(part_.bodies.size());
  const std::vector<Variable> variables = all_variables();
  const std::vector<double> rest(variables.size(), 0);
  const std::size_t each = std::size_t(P) + std::size_t(layout_.velocities) * (variables.size() + 1);
  std::vector<double> out(std::size_t(bodies) * each), work(scratch());
  at(s, rest.data(), out.data(), work.data());
  VecX q(bodies * P);
  for (const auto& members : members_)
    for (const Member& m : members) std::copy_n(out.data() + m.to, P, q.data() + m.body * P);
  Closure exact(alone_, variables, 0, q);
  VecX to = exact.theta();
  for (Eigen::Index k = 0; k < to.size(); ++k)
    to[k] += variables[std::size_t(k)].turn ? std::remainder(s[k] - to[k], full_turn) : s[k] - to[k];
  if (!exact.go(to)) return {};
  LeftOut most;
  for (Eigen::Index b = 0; b < bodies; ++b) {
    const VecX change = exact.q().segment(P * b, P) - q.segment(P * b, P);
    most.length = std::max(most.length, change.head(layout_.lengths).norm());
    most.angle = std::max(most.angle, layout_.turn(q.data() + P * b, change.data()));
  }
  return most;
}

namespace {
std::vector<LoopPart>::const_iterator part_with(const std::vector<LoopPart>& parts, const LoopTable& loop) {
  return std::ranges::find_if(
      parts, [&](const LoopPart& p) { return p.bodies == loop.bodies && p.carrier == loop.carrier; });
}

/// The parts of the mechanism that the tables are of, where springs in place of a joint open loops, or close them.
std::vector<LoopPart> parts_of_tables(const RealTimeModel& model, const Mechanism& m) {
  for (const bool springs_close : {false, true}) {
    std::vector<LoopPart> parts = loop_parts(m, springs_close);
    const auto is_of = [&](const LoopTable& loop) {
      const auto part = part_with(parts, loop);
      if (part == parts.end()) return false;
      const BodyLayout layout(m.dim);
      return stiff_coordinates(alone(m, *part, layout, written_start(m, layout))).size() == loop.stiff.size();
    };
    if (std::ranges::all_of(model.loops, is_of)) return parts;
  }
  throw ModelError("the precomputed model is damaged: its loops are those of another mechanism");
}
}  // namespace

std::vector<FollowingPart> following_parts(const std::shared_ptr<const RealTimeModel>& model,
                                           const Mechanism& m) {
  check_tables(*model);
  check_tables_fit(*model, m);
  std::vector<FollowingPart> all;
  const std::vector<LoopPart> parts = parts_of_tables(*model, m);
  for (const LoopTable& loop : model->loops) {
    const auto part = part_with(parts, loop);
    FollowingPart following;
    following.carrier = part->carrier;
    following.joints = part->joints;
    for (const VariableRange& v : loop.region.variables)
      following.variables.push_back({v.name, v.unit, v.turn});
    for (const StiffVariable& v : loop.stiff) following.variables.push_back({v.name, v.unit, v.turn});
    for (std::size_t b = 0; b < part->bodies.size(); ++b)
      following.bodies.push_back(
          {part->bodies[b], variables_of(loop, loop.region.bodies[table_of(loop, int(b) + 1)])});
    following.map = std::make_shared<LoopMap>(std::shared_ptr<const LoopTable>(model, &loop), m, *part);
    all.push_back(std::move(following));
  }
  return all;
}
}  // namespace mubody

#include "mubody/precompute/run/loop_engine.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/system/jointed.h"

namespace mubody {
namespace {
constexpr std::size_t most_rows = 64;  // of a part, at which the mechanism itself is looked at

template <int D, class F> void each_part(const System& s, const F& f) {
  for (const auto& part : static_cast<const Jointed<D>&>(s).tree().parts())
    f(static_cast<const LoopMap&>(*part.of.map), part.q, int(part.of.variables.size()));
}

/// Whether a joint is one of the loop, or of those that hold it.
bool is_of(const JointRows& j, const LoopTable& loop) {
  return !j.driver && !j.couples && std::ranges::all_of(j.bodies, [&](int body) {
    return body == loop.carrier || std::ranges::find(loop.bodies, body) != loop.bodies.end();
  });
}
}  // namespace

LoopEngine::LoopEngine(const Study& study, Begun& b, std::unique_ptr<System> system, double share)
    : EquationEngine(study, b, formulate_as("loops as joints", std::move(system), b)),
      most_open_(std::max(1e-6, 100 * share)), in_bodies_(bodies().make_terms()), q_(b.q), u_(b.u) {
  const auto add = [this](const LoopMap& map, int first, int count) {
    for (std::size_t k = 0; k < bodies().joints.size(); ++k)
      if (is_of(bodies().joints[k], map.loop())) in_loops_.push_back(int(k));
    if (const auto stiff = map.loop().stiff.size(); stiff > 0)
      yielding_.push_back(
          {&map, first, count, std::vector<double>(stiff, 0), std::vector<VecX>(stiff, VecX::Zero(count)), {}});
  };
  if (study.mechanism.dim == 2)
    each_part<2>(this->system(), add);
  else
    each_part<3>(this->system(), add);
}

// Deflections are largest between rows as often as not: every step counts.
void LoopEngine::Yielding::note(const VecX& y) {
  const auto free = first + count - int(most.size());
  for (std::size_t k = 0; k < most.size(); ++k) {
    const double size = std::abs(y[free + int(k)]);
    if (size <= most[k]) continue;
    most[k] = size;
    peaks[k] = y.segment(first, count);
  }
}

void LoopEngine::Yielding::keep(const VecX& y) {
  note(y);
  if (seen++ % every != 0) return;
  rows.emplace_back(y.segment(first, count));
  if (rows.size() < most_rows) return;
  for (std::size_t k = 0; 2 * k < rows.size(); ++k) rows[k] = rows[2 * k];
  rows.resize(rows.size() / 2);
  every *= 2;
}

Outcome LoopEngine::accept(double t, const VecX& y, Recorder& recorder, Results& r) {
  for (Yielding& part : yielding_) part.note(y);
  return EquationEngine::accept(t, y, recorder, r);
}

Outcome LoopEngine::record(double t, const VecX& y, Recorder& recorder) {
  for (Yielding& part : yielding_) part.keep(y);
  if (yielding_.empty()) look_at_joints(t, y);
  return EquationEngine::record(t, y, recorder);
}

// A file that the model includes may have changed since the tables were made, in ways that the start does not show.
void LoopEngine::look_at_joints(double t, const VecX& y) {
  System& of = bodies();
  system().to_bodies(y.head(system().nq), y.segment(system().nq, system().nu), q_, u_);
  of.constraints(t, q_, u_, in_bodies_);
  of.remember(t, q_, u_);  // turns are counted from row to row
  for (const int k : in_loops_) {
    const JointRows& j = of.joints[std::size_t(k)];
    for (int row = j.first; row < j.first + j.count - j.rolls; ++row)
      if (const double open = std::abs(in_bodies_.phi[row]) / of.row_units[row]; open > open_)
        open_ = open, where_ = k;
  }
}

void LoopEngine::finish(const AnalysisOptions& o, Results& r) {
  if (!yielding_.empty()) tell_what_is_left_out(r);
  if (open_ > most_open_) {
    r.statistics.violation_share = r.statistics.largest_violation = open_;
    r.statistics.worst_joint = bodies().joints[std::size_t(where_)].name;
    r.remarks.push_back(
        "the tables do not close the loops of this model: a file that it includes or reads has changed since "
        "they were made; make them again with 'mubody precompute'");
  }
  EquationEngine::finish(o, r);
}

void LoopEngine::tell_what_is_left_out(Results& r) {
  std::string most;
  LoopMap::LeftOut left;
  const Yielding* worst = &yielding_.front();
  bool closes = true;
  for (const Yielding& part : yielding_) {
    for (std::size_t k = 0; k < part.most.size(); ++k) {
      const StiffVariable& v = part.map->loop().stiff[k];
      most += fmt::format("{}{} {:.2e} {}", most.empty() ? "" : ", ", v.name, part.most[k], v.unit);
    }
    const auto look = [&](const VecX& at) {
      const auto here = part.map->left_out(at.data());
      if (!here || here->length > left.length) worst = &part;
      closes = closes && here;
      if (here) left = {std::max(left.length, here->length), std::max(left.angle, here->angle)};
    };
    for (std::size_t k = 0; k < part.peaks.size(); ++k)
      if (part.most[k] > 0) look(part.peaks[k]);
    std::ranges::for_each(part.rows, look);
  }
  r.remarks.push_back(fmt::format(
      "joints give way by at most {}; positions are right to second order in this, and what that leaves "
      "out is {:.2e} m and {:.2e} rad, by the mechanism itself at the largest of them and at some of the "
      "rows{}",
      most, left.length, left.angle,
      closes ? "" : "; at some of these it cannot be closed at all: joints are too soft for tables"));
  // That is reported, and no reason for distrust as long as it is small.
  constexpr double small = 1e-4;  // of the characteristic length, or rad
  const double open = closes ? std::max(left.length / system().scales.length, left.angle) : 1;
  Statistics& s = r.statistics;
  if (open <= s.violation_share) return;
  s.violation_share = open;
  s.largest_violation = std::max({s.largest_violation, left.length, left.angle});
  s.worst_joint = worst->map->loop().stiff.front().name;
  if (open < small) s.expected_violation = 4 * open;
}

void LoopEngine::memory(Memory& m) {
  EquationEngine::memory(m);
  m(open_, where_);
  for (Yielding& part : yielding_) m(part.most, part.peaks, part.rows, part.every, part.seen);
}
}  // namespace mubody

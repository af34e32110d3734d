#include "mubody/code/tangent_motion.h"

#include <algorithm>
#include <limits>

namespace mubody {
namespace {
constexpr int corrections_of_step = 3;
constexpr double near = 1e-10;  // of the length: a gap that one correction closes to round-off

std::vector<int> joined(std::initializer_list<const std::vector<int>*> parts) {
  std::vector<int> all;
  for (const std::vector<int>* part : parts) all.insert(all.end(), part->begin(), part->end());
  return all;
}
std::vector<int> next_of(const RecordedModel& m) {
  std::vector<int> nodes;
  for (const RecordedModel::Kept& k : m.kept) nodes.push_back(k.next);
  return nodes;
}
// One by one: they are so few that the call of a function that copies would take longer.
void copy_few(const double* from, int count, double* to) {
  for (int k = 0; k < count; ++k) to[k] = static_cast<const volatile double*>(from)[k];
}
bool tidies(const RecordedModel& m) {
  for (int k = 0; k < m.nq; ++k)
    if (const Node& n = (*m.graph)[m.tidy_q[std::size_t(k)]]; n.step != Step::input) return true;
  return false;
}
}  // namespace

TangentMotion::TangentMotion(VariedStudy& study, const Sizes& sizes, double length,
                             const std::vector<int>& channels)
    : m_(study.recorded.model), n_(m_.nq + m_.nu + m_.nz), directions_(int(study.variables.size())),
      lanes_(directions_ > Tape::few_lanes ? Tape::lanes : Tape::few_lanes),
      blocks_((directions_ + lanes_ - 1) / lanes_), length_(length), tangents_(m_),
      rates_(tangents_, lanes_, joined({&m_.dq, &m_.du, &m_.dz})), tidy_(tangents_, lanes_, m_.tidy_q),
      closed_q_(tangents_, lanes_, m_.closed_q, tangents_.closed_q, m_.phi),
      closed_u_(tangents_, lanes_, m_.closed_u, tangents_.closed_u), channels_(tangents_, lanes_, channels),
      kept_(*m_.graph, {"kept", next_of(m_)}), kept_work_(kept_), tidies_(tidies(m_)),
      plain_(study.recorded.arguments()), next_(m_.kept.size()) {
  kept_work_.set_parameters(kept_, m_.graph->parameters().data());
  arguments_.assign(std::size_t(blocks_), std::vector<double>(std::size_t(tangents_.arguments * lanes_)));
  for (int b = 0; b < blocks_; ++b)
    for (Eigen::Index p = 0; p < study.numbers.rows(); ++p)
      for (int l = 0; l < lanes_of(b); ++l)
        arguments_[std::size_t(b)][std::size_t((tangents_.first_number + int(p)) * lanes_ + l)] =
            study.numbers(p, b * lanes_ + l);
  spread();
  start_.setZero(n_ * (1 + directions_));
  start_.head(n_) << study.recorded.q, study.recorded.u, study.recorded.z;
  MatX S(n_, directions_);
  S << study.q, study.u, study.z;
  sizes_ = {Eigen::ArrayXd::Ones(start_.size()),
            Eigen::ArrayXd::Constant(start_.size(), std::numeric_limits<double>::infinity())};
  sizes_.size.head(n_) = sizes.size.head(n_), sizes_.most.head(n_) = sizes.most.head(n_);
  for (int k = 0; k < n_; ++k)
    for (int l = 0; l < directions_; ++l) {
      start_[n_ + k * directions_ + l] = S(k, l);
      sizes_.size[n_ + k * directions_ + l] = sizes.size[k] / study.variables[std::size_t(l)].size;
    }
  after_step(study.recorded.start, start_);
}

void TangentMotion::fill(double t, const In& y, int block) {
  const int w = lanes_;
  std::vector<double>& x = arguments_[std::size_t(block)];
  const int lanes = lanes_of(block), first = block * w;
  std::fill_n(x.data(), w, t);
  for (int k = 0; k < n_; ++k) std::fill_n(x.data() + (m_.first_q() + k) * w, w, y[k]);
  for (int k = 0; k < n_; ++k)
    copy_few(y.data() + n_ + k * directions_ + first, lanes, x.data() + (tangents_.first_state + k) * w);
}

// All blocks of lanes see the state as it was, which may be where results are written.
void TangentMotion::run(double t, const In& y, TangentRoutine& routine, Out values, int first, int rates_from) {
  move_inputs(t);
  for (int b = 0; b < blocks_; ++b) fill(t, y, b);
  for (int b = 0; b < blocks_; ++b) {
    routine(arguments_[std::size_t(b)]);
    double* to = values.data() + rates_from + first * directions_ + b * lanes_;
    for (int k = 0; k < routine.size(); ++k, to += directions_) {
      values[first + k] = routine.value(k);
      copy_few(routine.rates(k), lanes_of(b), to);
    }
  }
}

void TangentMotion::rates(double t, const In& y, Out dy) { run(t, y, rates_, dy, 0, n_); }

// Positions first; velocities are corrected where these are then.
void TangentMotion::close(double t, Out y) {
  if (tidies_) run(t, y, tidy_, y, 0, n_);
  if (m_.phi.empty()) return;
  for (int round = 0; round < corrections_of_step; ++round) {
    run(t, y, closed_q_, y, 0, n_);
    double gap = 0;
    for (std::size_t k = 0; k < m_.phi.size(); ++k) gap = std::max(gap, std::abs(closed_q_.more(int(k))));
    if (gap < near * length_) break;
  }
  run(t, y, closed_u_, y, m_.nq, n_);
}

void TangentMotion::set_input(int which, const Jet& value, double t) {
  std::erase_if(moving_, [&](const Moving& m) { return m.which == which; });
  if (value.v != 0 || value.a != 0) moving_.push_back({which, value, t});
  put_input(which, value);
  spread();
}
void TangentMotion::put_input(int which, const Jet& value) {
  const auto at = std::size_t(m_.first_input() + 3 * which);
  plain_[at] = value.x, plain_[at + 1] = value.v, plain_[at + 2] = value.a;
}
// Inputs that were set with a rate go on with it.
void TangentMotion::move_inputs(double t) {
  if (moving_.empty()) return;
  for (const Moving& m : moving_) put_input(m.which, m.at(t));
  spread();
}
Jet TangentMotion::Moving::at(double t) const {
  const double s = t - since;
  return {from.x + s * (from.v + 0.5 * s * from.a), from.v + s * from.a, from.a};
}
double TangentMotion::input(int which, double t) const {
  const auto moving = std::ranges::find(moving_, which, &Moving::which);
  return moving != moving_.end() ? moving->at(t).x : plain_[std::size_t(m_.first_input() + 3 * which)];
}

void TangentMotion::note_kept(double t, const In& y) {
  if (m_.kept.empty()) return;
  plain_[0] = t;
  move_inputs(t);
  std::copy_n(y.data(), n_, plain_.begin() + m_.first_q());
  kept_(plain_.data(), next_.data(), kept_work_);
  for (std::size_t k = 0; k < m_.kept.size(); ++k) plain_[std::size_t(m_.kept[k].input)] = next_[k];
  spread();
}
// What does not change within a step is put into the lanes once.
void TangentMotion::spread() {
  for (std::vector<double>& x : arguments_)
    for (int k = m_.first_q() + n_; k < m_.arguments(); ++k)
      std::fill_n(x.data() + k * lanes_, lanes_, plain_[std::size_t(k)]);
}

bool TangentMotion::after_step(double t, Out y) {
  close(t, y);
  note_kept(t, y);
  return tidies_ || !m_.phi.empty();
}

void TangentMotion::observe(double t, const In& y, Out values) {
  run(t, y, channels_, values, 0, channels_.size());
}
}  // namespace mubody

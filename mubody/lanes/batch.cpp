#include <cassert>

#include "mubody/lanes/lanes.h"

namespace mubody {
using namespace lanes;

LaneBatch::Lanes::Lanes(std::shared_ptr<const LaneModel> model, const Tableau& table,
                        std::vector<LaneKept> kept)
    : model_(std::move(model)), m_(*model_), T_(table), kept_(std::move(kept)), observe_(m_.observe(kept_)),
      rates_(m_.rates()), gaps_(m_.gaps()), tidy_(m_.tidy()), close_(m_.close()), settle_(m_.settle()),
      keep_(m_.keep()), sample_(m_.sample()), seen_by_(observe_), nq_(m_.positions()), nu_(m_.velocities()),
      nc_(m_.controlled()), ny_(m_.states()), stages_(int(table.b.size())), terms_(table.b.size()) {
  const auto lay_out = [&](auto&& place) {
    for (double** vector : {&y_, &y0_, &y1_, &error_, &residue_, &lost_, &row_}) place(*vector, ny_);
    place(k_, (stages_ + 1) * (ny_ + 1));  // one more for what is no stage
    place(x_, m_.recorded().arguments()), place(best_, nq_), place(phi_, m_.gaps().outputs());
    place(answer_,
          std::max({nq_, nu_ + 1, int(m_.recorded().kept.size()), int(m_.recorded().at_instants.size())}));
    place(observed_, observe_.outputs()), place(absolute_, nc_), place(most_, nc_), place(none_, ny_);
    place(parameters_, m_.parameters());
  };
  std::size_t size = 0;
  lay_out([&](double*&, int n) { size += std::size_t(n) * W; });
  memory_.assign(size + W, 0);
  double* next = memory_.data();
  while (reinterpret_cast<std::uintptr_t>(next) % 64 != 0) ++next;
  lay_out([&](double*& vector, int n) {
    vector = next;
    next += std::size_t(n) * W;
  });
  state_ = x_ + W;
}

void LaneBatch::Lanes::start(int lane, const LaneTask& task) {
  // Lanes that have never been used compute along, so they get the numbers of a sound mechanism.
  const bool first = std::ranges::none_of(lanes_, &One::used);
  for (int l = 0; l < W; ++l)
    if (l == lane || first) fill(l, task);
  One& one = lanes_[std::size_t(lane)];
  one = One{};
  one.used = one.fresh = true;
  one.state = running;
  one.task = task;
  one.task.control.max_step = task.control.longest_over(task.end - task.start);
  one.restart(task.start);
  one.instants.assign(m_.recorded().sampled.size(), 0);
  one.sum = Summary(kept_.size());
  fresh_ = true;
  pauses_ = pauses_ || !task.breaks.empty() || !one.instants.empty();
}

void LaneBatch::Lanes::step() {
  if (fresh_) begin();
  attempt();
  output(accepted_, !m_.recorded().sampled.empty());
  keep(accepted_);
  if (pauses_) pause(accepted_);
  for (One& one : lanes_)
    if (one.state == running && !(one.t < one.task.end)) one.state = ended;
}

double LaneBatch::Lanes::stop(int lane) {
  lanes_[std::size_t(lane)].state = idle;
  return lanes_[std::size_t(lane)].t;
}

std::optional<LaneOutcome> LaneBatch::Lanes::take(int lane) {
  One& one = lanes_[std::size_t(lane)];
  if (one.state != ended && one.state != left) return {};
  LaneOutcome out;
  out.given_up = one.state == left;
  one.state = idle;
  out.kept = one.sum.kept(kept_);
  Statistics& st = out.statistics;
  st.steps = one.counts.steps, st.rejected = one.counts.rejected;
  st.smallest_step = one.counts.smallest, st.largest_step = one.counts.largest;
  st.largest_violation = one.violation, st.violation_share = one.violation_share;
  st.energy_residual = one.sum.residual;
  st.energy_scale = one.sum.energy_scale;
  st.load_scale = one.sum.load_scale;
  return out;
}

void LaneBatch::Lanes::fill(int lane, const LaneTask& task) {
  const auto put = [&](double* to, const auto& from) {
    for (int k = 0; k < int(from.size()); ++k) to[k * W + lane] = from[decltype(from.size())(k)];
  };
  for (double* y : {y_, y0_}) {
    put(y, task.q), put(y + nq_ * W, task.u), put(y + (nq_ + nu_) * W, task.z);
    for (int k = nc_; k < ny_; ++k) y[k * W + lane] = 0;
  }
  for (int k = 0; k < ny_; ++k) residue_[k * W + lane] = 0;
  put(parameters_, task.parameters);
  for (const RecordedModel::Kept& k : m_.recorded().kept) x_[k.input * W + lane] = k.start;
  for (const RecordedModel::Kept& k : m_.recorded().at_instants) x_[k.input * W + lane] = k.start;
  relative_[std::size_t(lane)] = task.control.rtol;
  for (int k = 0; k < nc_; ++k) {
    absolute_[k * W + lane] = task.control.absolute() * (task.control.atol ? 1 : task.sizes.size[k]);
    most_[k * W + lane] = task.sizes.most[k];
  }
  limit_rates(lane, task.scales);
}

/// Lets rates count as far as they differ between bodies; see EquationEngine::limit_rates().
void LaneBatch::Lanes::limit_rates(int lane, const Scales& scales) {
  const int each = nu_ / std::max(m_.bodies(), 1), slides = m_.in_space() ? 3 : 2, turns = each - slides;
  const bool one = m_.bodies() == 1;
  Spread<double> slide(one || m_.held()), turn(one);
  for (int b = 0; b < m_.bodies(); ++b) {
    double u[6];
    for (int k = 0; k < each; ++k) u[k] = y_[(nq_ + b * each + k) * W + lane];
    slide.add(u, slides), turn.add(u + slides, turns);
  }
  const double sliding = std::max(slide.size(slides), scales.speed()),
               turning = std::max(turn.size(turns), 1 / scales.time);
  for (int k = 0; k < nu_; ++k) most_[(nq_ + k) * W + lane] = k % each < slides ? sliding : turning;
}

/// Gives up lanes that are too close to a singular position, or not finite.
void LaneBatch::Lanes::doubt(const double* independence, const Mask* which) {
  for (int l = 0; l < W; ++l)
    if (!(independence[l] >= 0) && (!which || (*which)[std::size_t(l)])) give_up(l);
}
void LaneBatch::Lanes::give_up(int lane) {
  if (at(lane).state == running) at(lane).state = left;
}

void LaneBatch::Lanes::load(const double* y, const Row& t) {
  std::copy(t.begin(), t.end(), x_);
  std::copy_n(y, nc_ * W, state_);
}
void LaneBatch::Lanes::derive(double* dy, const Mask* which) {
  rates_(x_, dy);
  doubt(dy + ny_ * W, which);
}

/// What lanes need that have just got a mechanism: parameters, turns, results at the start.
void LaneBatch::Lanes::begin() {
  for (Evaluator* e : {&rates_, &gaps_, &tidy_, &close_, &settle_, &keep_, &sample_, &seen_by_})
    e->set(parameters_);
  Mask fresh;
  for (std::size_t l = 0; l < W; ++l) fresh[l] = lanes_[l].fresh, lanes_[l].fresh = false;
  keep(fresh);
  if (!m_.recorded().sampled.empty()) sample(fresh);
  output(fresh);
  pause(fresh);
  fresh_ = false;
}

LaneBatch::LaneBatch(std::shared_ptr<const LaneModel> model, const Tableau& table, std::vector<LaneKept> kept)
    : lanes_(std::make_unique<Lanes>(std::move(model), table, std::move(kept))) {}
LaneBatch::~LaneBatch() = default;

bool LaneBatch::is_free(int lane) const { return lanes_->is_free(lane); }
void LaneBatch::start(int lane, const LaneTask& task) { lanes_->start(lane, task); }
void LaneBatch::step() { lanes_->step(); }
double LaneBatch::stop(int lane) { return lanes_->stop(lane); }
std::optional<LaneOutcome> LaneBatch::take(int lane) { return lanes_->take(lane); }
}  // namespace mubody

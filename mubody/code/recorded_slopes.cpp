#include "mubody/code/recorded_slopes.h"

#include <map>

#include <fmt/format.h>

#include "mubody/code/recorded_study.h"
#include "mubody/code/tangents.h"
#include "mubody/simulation/input_slots.h"

namespace mubody {
namespace {
constexpr int most_velocities = 600;  // beyond these the graph of an elimination takes longer than differences

class RecordedSlopes final : public ExactSlopes {
 public:
  RecordedSlopes(const Begun& b, double t, RecordedModel model, const std::vector<Jet>& inputs, bool redundant)
      : s_(*b.system), m_(std::move(model)), tangents_(m_),
        lanes_(m_.nu > Tape::few_lanes ? Tape::lanes : Tape::few_lanes), redundant_(redundant),
        closed_(tangents_, lanes_, m_.closed_u, tangents_.closed_u), plain_(std::size_t(m_.arguments())),
        arguments_(std::size_t(tangents_.arguments * lanes_)), kept_(*m_.graph, {"kept", next_of_kept(m_)}),
        kept_work_(kept_) {
    std::map<std::string, int> nodes;
    for (const RecordedModel::Channel& c : m_.channels) nodes.emplace(c.name, c.node);
    for (const Channel& c : s_.channels) {
      const auto at = nodes.find(c.name);
      // Where equations are redundant, reactions are those of a distribution that others do not choose.
      node_of_.push_back(at == nodes.end() || (redundant && c.reaction) ? -1 : at->second);
    }
    for (const RecordedModel::Kept& k : m_.kept) plain_[std::size_t(k.input)] = k.start;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const auto at = plain_.begin() + m_.first_input() + 3 * Eigen::Index(k);
      at[0] = inputs[k].x, at[1] = inputs[k].v, at[2] = inputs[k].a;
    }
    plain_[0] = t;
  }

  bool has(const std::vector<int>& channels) const override {
    return std::ranges::all_of(channels, [&](int c) { return node_of_[std::size_t(c)] >= 0; });
  }

  std::optional<Changes> along(double t, const VecX& q, const VecX& u, const MatX& displacements,
                               const MatX& faster, Velocities velocities,
                               const std::vector<int>& channels) override {
    take(channels);
    stand_at(t, q, u);
    const Eigen::Index n = displacements.cols();
    Changes all{MatX(m_.nu, n), MatX(m_.nu, n), MatX(Eigen::Index(channels.size()), n)};
    VecX dq(m_.nq);
    for (Eigen::Index first = 0; first < n; first += lanes_) {
      const Eigen::Index many = std::min<Eigen::Index>(lanes_, n - first);
      for (Eigen::Index l = 0; l < many; ++l) {
        s_.rates(q, displacements.col(first + l), dq);
        for (int k = 0; k < m_.nq; ++k) rate(k, l) = dq[k];
        for (int k = 0; k < m_.nu; ++k) rate(m_.nq + k, l) = faster(k, first + l);
      }
      if (velocities == Velocities::closed) {
        closed_(arguments_);
        for (int k = 0; k < m_.nu; ++k)
          for (Eigen::Index l = 0; l < many; ++l) rate(m_.nq + k, l) = closed_.rates(k)[l];
      }
      (*changes_)(arguments_);
      for (Eigen::Index l = 0; l < many; ++l) {
        for (int k = 0; k < m_.nu; ++k)
          all.u(k, first + l) = rate(m_.nq + k, l), all.a(k, first + l) = changes_->rates(k)[l];
        for (Eigen::Index k = 0; k < all.y.rows(); ++k)
          all.y(k, first + l) = changes_->rates(m_.nu + int(k))[l];
      }
    }
    if (!all.u.allFinite() || !all.a.allFinite() || !all.y.allFinite()) return {};
    return all;
  }

  std::optional<Changes> with_input(double t, const VecX& q, const VecX& u, const std::string& input,
                                    const std::vector<int>& channels) override {
    const auto at = std::ranges::find(m_.inputs, input, &RecordedModel::Channel::name);
    if (at == m_.inputs.end()) return {};
    take(channels);
    stand_at(t, q, u);
    arguments_[std::size_t((tangents_.first_input + int(at - m_.inputs.begin())) * lanes_)] = 1;
    (*changes_)(arguments_);
    Changes all{MatX::Zero(m_.nu, 1), MatX(m_.nu, 1), MatX(Eigen::Index(channels.size()), 1)};
    for (int k = 0; k < m_.nu; ++k) all.a(k, 0) = changes_->rates(k)[0];
    for (Eigen::Index k = 0; k < all.y.rows(); ++k) all.y(k, 0) = changes_->rates(m_.nu + int(k))[0];
    if (!all.a.allFinite() || !all.y.allFinite()) return {};
    return all;
  }

 private:
  double& rate(int state, Eigen::Index lane) {
    return arguments_[std::size_t((tangents_.first_state + state) * lanes_ + int(lane))];
  }
  static std::vector<int> next_of_kept(const RecordedModel& m) {
    std::vector<int> nodes;
    for (const RecordedModel::Kept& k : m.kept) nodes.push_back(k.next);
    return nodes;
  }
  // Accelerations, and these channels.
  void take(const std::vector<int>& channels) {
    if (changes_ && channels == taken_) return;
    taken_ = channels;
    std::vector<int> nodes = m_.du;
    for (const int c : channels) nodes.push_back(node_of_[std::size_t(c)]);
    changes_.emplace(tangents_, lanes_, nodes);
  }
  // Turns are counted from one state to the next.
  void stand_at(double t, const VecX& q, const VecX& u) {
    plain_[0] = t;
    std::copy(q.begin(), q.end(), plain_.begin() + m_.first_q());
    std::copy(u.begin(), u.end(), plain_.begin() + m_.first_u());
    if (!m_.kept.empty()) {
      std::vector<double> next(m_.kept.size());
      kept_(plain_.data(), next.data(), kept_work_);
      for (std::size_t k = 0; k < next.size(); ++k) plain_[std::size_t(m_.kept[k].input)] = next[k];
    }
    for (std::size_t k = 0; k < plain_.size(); ++k)
      std::fill_n(arguments_.data() + int(k) * lanes_, lanes_, plain_[k]);
    std::fill(arguments_.begin() + tangents_.first_state * lanes_, arguments_.end(), 0.0);
  }

  System& s_;
  RecordedModel m_;
  Tangents tangents_;
  int lanes_;
  bool redundant_;
  TangentRoutine closed_;
  std::optional<TangentRoutine> changes_;
  std::vector<int> taken_, node_of_;
  std::vector<double> plain_, arguments_;
  Tape kept_;
  TapeWork kept_work_;
};

// Inputs of the model, and what a program has declared as such, become inputs of the graph.  Returns what they are at a
// time.
std::vector<Jet> number_inputs(Mechanism& mechanism, double t, std::vector<std::string>& names) {
  std::vector<Jet> values;
  const InputSlots slots(mechanism);
  const auto take = [&](const InputSlot& slot) {
    slot.held->input = int(names.size());
    names.push_back(slot.name);
    values.push_back(slot.was->at(t));
  };
  for (const InputSlot& slot : slots.all()) {
    const bool declared = slot.held->input >= 0;
    slot.held->input = -1;
    const bool of_model = std::ranges::any_of(
        mechanism.signals, [&](const Noted& n) { return n.kind == Noted::input && n.name == slot.name; });
    if ((declared || of_model) && slot.was) take(slot);
  }
  return values;
}
}  // namespace

std::unique_ptr<ExactSlopes> exact_slopes(const Begun& b, double t, std::string& why_not) {
  if (b.system->nu > most_velocities) {
    why_not = fmt::format("there are more than {} velocities", most_velocities);
    return nullptr;
  }
  RecordingStart start{t, b.q, b.u};
  const bool redundant = b.results.freedom.always_redundant();
  if (redundant) start.left_out = dependent_rows(*b.system, t, b.q, b.u);
  try {
    Mechanism mechanism = b.mechanism;
    const std::vector<Jet> inputs = number_inputs(mechanism, t, start.inputs);
    RecordedModel model = record(mechanism, start);
    if (model.nz > 0 || !model.sampled.empty() || b.system->nz > 0) {
      why_not = "signals or forces have states";
      return nullptr;
    }
    return std::make_unique<RecordedSlopes>(b, t, std::move(model), inputs, redundant);
  } catch (const ModelError& e) {
    why_not = e.what();
    return nullptr;
  }
}
}  // namespace mubody

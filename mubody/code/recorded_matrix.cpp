#include "mubody/code/recorded_matrix.h"

#include <optional>

#include "mubody/code/columns_together.h"
#include "mubody/code/recorded_study.h"
#include "mubody/math/finite.h"
#include "mubody/recorded/model.h"
#include "mubody/recording/derivative.h"
#include "mubody/recording/tape.h"
#include "mubody/system/build.h"

namespace mubody {
namespace {
constexpr int most_velocities_of_matrix =
    600;  // beyond these the graph of an elimination takes longer than differences
constexpr double worth_recording = 2000;  // evaluations, which take as long as a recording
constexpr double same_equations =
    1e-7;  // of the largest: how far recorded forces may be from those of the motion

// Accepted states since the start, evenly spread and never many, with the last of them.  What is kept from one to the next can
// be followed along them later.
class Way {
 public:
  void add(double t, const In& q, const In& u, const In& z) {
    if (states_.size() == 0) states_.setZero(1 + q.size() + u.size() + z.size(), most);
    if (count_ == most) thin();
    double* next = states_.col(count_).data();
    *next++ = t;
    for (const In* part : {&q, &u, &z}) next = std::copy_n(part->data(), part->size(), next);
    if (++passed_ == each_) ++count_, passed_ = 0;
  }
  template <class Take> void follow(const Take& take) const {
    for (Eigen::Index k = 0; k < count_ + (passed_ > 0 ? 1 : 0); ++k) take(states_.col(k));
  }

 private:
  static constexpr Eigen::Index most = 64;
  void thin() {
    for (Eigen::Index k = 0; 2 * k + 1 < most; ++k) states_.col(k) = states_.col(2 * k + 1);
    count_ = most / 2;
    each_ *= 2;
  }
  MatX states_;  // in columns
  Eigen::Index count_ = 0;
  long each_ = 1, passed_ = 0;  // of so many states one stays; how many came after that
};

class RecordedMatrix final : public ConstrainedSlopes {
 public:
  RecordedMatrix(const Begun& b, double t, SlopesOf what) : b_(b), start_(t), what_(what) {}

  bool pays(double evaluations) override {
    if (!off_ && !tape_ && evaluations >= worth_recording) make();
    return tape_ && !off_;
  }
  const std::vector<Entry>& entries() const override { return entries_; }
  const std::vector<bool>& left_out() const override { return left_out_; }

  const double* at(const SolvedState& s, const Terms& terms) override {
    if (!all_finite(terms.Q) || !all_finite(terms.gamma)) return nullptr;
    fill(s.t, s.q, s.u, s.z);
    std::copy(s.lambda.begin(), s.lambda.end(), x_.begin() + first_lambda_);
    std::copy(s.a.begin(), s.a.end(), x_.begin() + first_lambda_ + s.lambda.size());
    for (std::vector<double>& block : in_lanes_) {
      for (std::size_t k = 0; k < x_.size(); ++k) std::fill_n(block.data() + k * lanes_, lanes_, x_[k]);
      tape_->in_lanes(block.data(), out_.data(), *work_);
      const int number = int(&block - in_lanes_.data());
      for (const Source& e : sources_)
        if (e.block == number) values_[std::size_t(e.entry)] = out_[std::size_t(e.at)];
    }
    const std::size_t first = out_.size() - std::size_t(terms.Q.size() + terms.gamma.size()) * lanes_;
    const double* const Q = out_.data() + first;
    if (same(Q, terms.Q) && same(Q + terms.Q.size() * Eigen::Index(lanes_), terms.gamma)) return values_.data();
    off_ = true;  // as where turns are counted from others
    return nullptr;
  }
  void remember(double t, const In& q, const In& u, const In& z) override {
    if (!kept_ && !off_ && u.size() <= most_velocities_of_matrix) return way_.add(t, q, u, z);
    if (!kept_ || m_.kept.empty()) return;
    fill(t, q, u, z);
    keep();
  }

 private:
  using Numbers = std::vector<Recorded>;

  void keep() {
    (*kept_)(x_.data(), next_.data(), *kept_work_);
    for (std::size_t k = 0; k < next_.size(); ++k) x_[std::size_t(m_.kept[k].input)] = next_[k];
  }

  void make() {
    off_ = true;
    const System& s = *b_.system;
    if (s.nu > most_velocities_of_matrix) return;
    try {
      m_ = record(b_.mechanism, {.t = start_, .q = b_.q, .u = b_.u, .solves = false});
    } catch (const ModelError&) {
      return;
    }
    if (!m_.sampled.empty() || m_.nz != s.nz || int(m_.phi.size()) != s.m) return;
    // A system of its own, since the motion may have more to ask of this one at the state where it stands.
    if (b_.results.freedom.always_redundant())
      left_out_ = dependent_rows(*build_system(b_.mechanism.held()), start_, b_.q, b_.u);
    differentiate(s);
    if (!m_.kept.empty())
      way_.follow([&](const auto& state) {
        std::copy(state.begin(), state.end(), x_.begin());
        keep();
      });
    way_ = {};
    off_ = false;
  }

  Numbers numbers(const std::vector<int>& nodes) const {
    Numbers all;
    for (const int k : nodes) all.emplace_back(*m_.graph, k);
    return all;
  }
  Numbers inputs(int first, int count) const {
    Numbers all;
    for (int k = 0; k < count; ++k) all.emplace_back(*m_.graph, m_.graph->input(first + k));
    return all;
  }
  void add(std::vector<int>& to, const Numbers& all) const {
    for (const Recorded& x : all) to.push_back(x.node_in(*m_.graph));
  }

  void differentiate(const System& s) {
    first_lambda_ = m_.arguments();
    const Numbers lambda = inputs(first_lambda_, s.m), a = inputs(first_lambda_ + s.m, s.nu);
    Numbers F = numbers(m_.Q), G = numbers(m_.gamma);
    const Numbers reactions = m_.elimination->reactions(lambda), turned = m_.elimination->constrained(a);
    for (std::size_t k = 0; k < F.size(); ++k) F[k] -= reactions[k];
    for (std::size_t k = 0; k < G.size(); ++k) G[k] -= turned[k];
    if (what_ == SlopesOf::positions) G.assign(G.size(), Recorded(*m_.graph, m_.graph->constant(0)));
    std::vector<int> of, by;
    add(of, F), add(of, G), add(of, numbers(m_.dq)), add(of, numbers(m_.dz));
    if (s.has_power && what_ == SlopesOf::rates) add(of, powers(s, lambda));
    add(by, inputs(m_.first_q(), m_.nq + m_.nu + m_.nz));
    const int first_rate = first_lambda_ + s.m + s.nu;
    std::vector<std::pair<int, int>> seeds;
    for (std::size_t k = 0; k < by.size(); ++k) seeds.push_back({by[k], m_.graph->input(first_rate + int(k))});
    const ColumnsTogether columns(*m_.graph, of, by);
    std::vector<int> outputs = directional(*m_.graph, of, seeds);
    for (const auto* more : {&m_.Q, &m_.gamma}) outputs.insert(outputs.end(), more->begin(), more->end());
    tape_.emplace(*m_.graph, Routine{"matrix", outputs});
    lanes_ = columns.sets > Tape::few_lanes ? Tape::lanes : Tape::few_lanes;
    work_.emplace(*tape_, int(lanes_));
    std::vector<double> parameters;
    for (const double p : m_.graph->parameters()) parameters.insert(parameters.end(), lanes_, p);
    work_->set_parameters(*tape_, parameters.data());
    out_.resize(outputs.size() * lanes_);
    x_.assign(std::size_t(first_rate), 0);
    seed(columns, first_rate);
    std::vector<int> next;
    for (const RecordedModel::Kept& k : m_.kept) next.push_back(k.next);
    kept_.emplace(*m_.graph, Routine{"kept", next});
    kept_work_.emplace(*kept_);
    kept_work_->set_parameters(*kept_, m_.graph->parameters().data());
    next_.resize(next.size());
    for (const RecordedModel::Kept& k : m_.kept) x_[std::size_t(k.input)] = k.start;
  }

  // A lane for each set of columns.
  void seed(const ColumnsTogether& columns, int first_rate) {
    const int n = int(columns.set.size()), lanes = int(lanes_);
    in_lanes_.assign((std::size_t(columns.sets) + lanes_ - 1) / lanes_,
                     std::vector<double>(std::size_t(first_rate + n) * lanes_, 0));
    for (int k = 0; k < n; ++k) {
      const int set = columns.set[std::size_t(k)];
      in_lanes_[std::size_t(set) / lanes_][std::size_t(first_rate + k) * lanes_ + std::size_t(set) % lanes_] =
          1;
    }
    for (const auto& [row, column] : columns.entries) {
      const int set = columns.set[std::size_t(column)];
      sources_.push_back({int(entries_.size()), set / lanes, row * lanes + set % lanes});
      entries_.push_back({row, column});
    }
    values_.resize(entries_.size());
  }

  // As the motion has them: of every group of bodies what drivers bring in, what forces supply and what is lost.
  Numbers powers(const System& s, const Numbers& lambda) const {
    constexpr std::size_t each = 6;
    Computation& g = *m_.graph;
    Numbers all(each * std::size_t(s.groups), Recorded(g, g.constant(0)));
    for (std::size_t k = 0; k < m_.force_powers.size(); ++k) {
      int last = ground;
      for (const Marker* marker : std::as_const(*b_.mechanism->forces[k].what).markers())
        last = std::max(last, marker->body);
      const int group = s.group_of_body[std::size_t(last)];
      for (std::size_t n = 0; n < 5; ++n)
        all[each * std::size_t(group) + 1 + n] += Recorded(g, m_.force_powers[k][n]);
    }
    const Numbers rate = numbers(m_.rate), way = m_.elimination->constrained(inputs(m_.first_u(), m_.nu));
    for (const JointRows& j : s.joints)
      for (int r = j.first; j.moves && r < j.first + j.count; ++r) {
        const auto row = std::size_t(r);
        all[each * std::size_t(s.group_of(j))] -= lambda[row] * (way[row] - rate[row]);
      }
    return all;
  }

  void fill(double t, const In& q, const In& u, const In& z) {
    x_[0] = t;
    std::copy(q.begin(), q.end(), x_.begin() + m_.first_q());
    std::copy(u.begin(), u.end(), x_.begin() + m_.first_u());
    std::copy(z.begin(), z.end(), x_.begin() + m_.first_z());
  }
  bool same(const double* recorded, const VecX& x) const {
    double size = 0;
    for (const double each : x) keep_largest(size, std::abs(each));
    for (Eigen::Index k = 0; k < x.size(); ++k)
      if (!(std::abs(recorded[std::size_t(k) * lanes_] - x[k]) <= same_equations * (1 + size))) return false;
    return true;
  }

  const Begun& b_;
  double start_;
  SlopesOf what_;
  bool off_ = false;
  Way way_;  // until the recording is made
  RecordedModel m_;
  int first_lambda_ = 0;
  std::size_t lanes_ = Tape::lanes;
  std::vector<Entry> entries_;
  std::vector<bool> left_out_;
  std::optional<Tape> tape_, kept_;
  std::optional<TapeWork> work_, kept_work_;
  std::vector<double> x_, out_, next_, values_;
  std::vector<std::vector<double>> in_lanes_;  // arguments, with seeds behind them
  struct Source {
    int entry, block, at;  // where a value is found, and after which block of lanes
  };
  std::vector<Source> sources_;
};
}  // namespace

std::unique_ptr<ConstrainedSlopes> constrained_slopes(const Begun& b, double t, SlopesOf what) {
  return std::make_unique<RecordedMatrix>(b, t, what);
}
}  // namespace mubody

#include "mubody/compiled/compiled_equations.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "mubody/code/recorded_study.h"
#include "mubody/compiled/c/step.h"
#include "mubody/compiled/shared_code.h"
#include "mubody/integrators/runge_kutta.h"
#include "mubody/recording/c_text.h"
#include "mubody/recording/embedded_c.h"
#include "mubody/recording/prepared.h"
#include "mubody/recording/routine.h"
#include "mubody/recording/substitution.h"

namespace mubody::io {
namespace c_step {
extern const std::string_view text_h, text_c;  // the files of folder c, by cmake/embed.cmake
}

namespace {
// Independence below which the system itself takes over; watches look closer from 1e-3 on.
constexpr double independent = 5e-3;

/// What is known of a state on the constraints: gaps, hold, rates of the gaps and of the state, and what is kept of it.
struct Known {
  bool known = false;
  double t = 0;
  std::vector<double> y, numbers;

  bool is(double time, const double* state) const {
    return known && time == t && std::memcmp(y.data(), state, y.size() * sizeof(double)) == 0;
  }
  void hand_over(Known& to) {
    to.known = true, known = false;
    to.t = t;
    to.y.swap(y), to.numbers.swap(numbers);
  }
  const double* phi() const { return numbers.data(); }
  const double* rate(int rows) const { return numbers.data() + rows + 1; }
  const double* rates(int rows) const { return rate(rows) + rows; }
  void memory(Memory& m) { m(known, t, y, numbers); }
};

class CompiledEquations final : public Shortcut {
 public:
  explicit CompiledEquations(const ShortcutRequest& r)
      : model_(record(r)), closing_(r.closing), nq_(model_.nq), nu_(model_.nu), states_(nq_ + nu_ + model_.nz),
        rows_(r.system.m), system_(r.system), x_(std::size_t(model_.arguments()), 0), q_next_(std::size_t(nq_)),
        best_(q_next_), u_next_(std::size_t(nu_)), kept_(model_.kept.size()),
        counted_(kept_.size(), std::numeric_limits<double>::quiet_NaN()), is_whole_(!r.redundant) {
    if (r.system.m != int(model_.all_phi.size()) || r.system.nz != model_.nz)
      throw NotCompiled("the system has equations or states that are not recorded");
    place_channels(r.system);
    std::vector<double> samples;
    r.system.samples(samples);
    if (samples.size() != model_.at_instants.size()) throw NotCompiled("sampled signals keep other numbers");
    for (const RecordedModel::Kept& k : model_.kept) x_[std::size_t(k.input)] = k.start;
    follow();
    compile();
    choose_least(r);
    model_.graph.reset();
    model_.elimination.reset();
  }

  bool rates(double t, const In& y, Out dy) override {
    assert(dy.size() == rates_count_);
    if (accepted_.is(t, y.data())) {
      std::copy_n(accepted_.rates(rows_), rates_count_, dy.data());
      return true;
    }
    take(t, y);
    double hold = 0;
    rates_(x_.data(), parameters_.data(), dy.data(), &hold);
    return hold >= least_;
  }

  bool take_stages(const ExplicitStep& s) override {
    if (method_ != &s.table) use(s.table);
    const bool known = !s.first && accepted_.is(s.t, s.y.data());
    if (known) std::copy_n(accepted_.rates(rows_), rates_count_, s.k[0].data());
    for (std::size_t i = 0; i < stages_.size(); ++i) stages_[i] = s.k[i].data();
    const mb_explicit_step step{int(stages_.size()),
                                known || s.first,
                                s.table.c.data(),
                                a_.data(),
                                s.table.b.data(),
                                s.t,
                                s.h,
                                least_,
                                s.y.data(),
                                s.residue.data(),
                                stages_.data(),
                                s.sum.data(),
                                s.lost.data()};
    return step_(x_.data(), parameters_.data(), &step) != 0;
  }

  // By the rule of Dynamics::project_positions(); the velocities that suit a position come with its gaps.
  int close(double t, Out y) override {
    if (closing_.iterations == 0 || model_.all_phi.empty()) return 0;
    take(t, y);
    double before = std::numeric_limits<double>::infinity();
    // Most steps need one correction or none, as the one before did: its gaps come with it.
    bool settled = !corrects_;
    for (int round = 0;; ++round) {
      if (settled)
        settle();
      else
        correct();
      const Eigen::Map<const VecX> phi(found_.phi(), rows_);
      double size = system_.gap(phi);
      if (size > closing_.tolerance)
        size = system_.gap(phi, system_.room(y.head(nq_)));  // round-off grows with the numbers
      if (round > 0 && !(size < before)) {                   // worse than before: take it back
        std::copy(best_.begin(), best_.end(), x_.begin() + RecordedModel::first_q());
        settle();
        return leave(round, y);
      }
      if (!(size > closing_.tolerance) || round == closing_.iterations || !(size < 0.5 * before)) {
        if (!settled) settle();
        return leave(round, y);
      }
      if (settled) correct();
      if (!(hold() >= least_)) return -1;
      before = size;
      const auto q = x_.begin() + RecordedModel::first_q();
      std::copy(q, q + nq_, best_.begin());
      std::copy(q_next_.begin(), q_next_.end(), q);
      settled = true;
    }
  }

  // What follows from a state that was closed is known, also for the next step, if the state is accepted.
  void gaps(double t, const In& y, Out phi, Out rate) override {
    if (found_.is(t, y.data())) {
      found_.hand_over(accepted_);
      std::copy_n(accepted_.phi(), rows_, phi.data());
      std::copy_n(accepted_.rate(rows_), rows_, rate.data());
      return;
    }
    take(t, y);
    gap_(x_.data(), parameters_.data(), phi.data(), rate.data());
  }

  bool observe(double t, const In& y, Out values) override {
    if (!is_whole_) return false;
    take(t, y);
    double hold = 0;
    observe_(x_.data(), parameters_.data(), values.data(), &hold);
    return hold >= least_;
  }

  bool remember(double t, const In& y) override {
    if (model_.kept.empty()) return true;
    const std::size_t count = model_.kept.size();
    double* const kept = x_.data() + model_.first_kept();
    kept_at_ = t;
    if (accepted_.is(t, y.data())) {
      const double* const next = accepted_.numbers.data() + accepted_.numbers.size() - count;
      if (kept_counts_ && !std::equal(next, next + count, kept)) accepted_.known = false;
      std::copy_n(next, count, kept);
    } else {
      accepted_.known = false;
      take(t, y);
      keep_(x_.data(), parameters_.data(), kept_.data(), nullptr);
      std::copy_n(kept_.data(), count, kept);
    }
    // Nearer than a quarter of a turn nobody takes one turn for another.
    constexpr double near = 0.5;  // [rad]
    for (const std::size_t k : followed_)
      if (!(std::abs(kept[k] - counted_[k] - counted_[k + 1] * (t - counted_at_)) < near)) return false;
    return true;
  }
  void system_counted() override {
    std::copy_n(x_.data() + model_.first_kept(), counted_.size(), counted_.data());
    counted_at_ = kept_at_;
  }

  void take_samples(std::span<const double> all) override {
    accepted_.known = false;
    for (std::size_t k = 0; k < model_.at_instants.size(); ++k)
      x_[std::size_t(model_.at_instants[k].input)] = all[k];
  }

  void memory(Memory& m) override {
    found_.known = false;
    m(x_, accepted_, corrects_, kept_at_, counted_, counted_at_);
  }

 private:
  using Code = void(const double* x, const double* p, double* y, double* more);
  using StepCode = int(double* x, const double* p, const mb_explicit_step*);
  using FiniteCode = int(const double* x, int count);

  static RecordedModel record(const ShortcutRequest& r) {
    RecordingStart start{r.t, r.q, r.u};
    if (r.redundant) start.left_out = dependent_rows(r.system, r.t, r.q, r.u);
    const std::vector<double> numbers = collect(r.mechanism, start).numbers;
    start.parameter_of = all_parameters(numbers);
    RecordedModel m = mubody::record(r.mechanism, start);
    if (m.graph->numbers() != numbers)
      throw NotCompiled("numbers of its elements depend on the order in which they are asked for");
    return m;
  }
  void place_channels(const System& s) {
    std::map<std::string, int> known;
    for (const auto& c : model_.channels) known.emplace(c.name, c.node);
    for (const Channel& c : s.channels) {
      const auto at = known.find(c.name);
      if (at == known.end()) {
        is_whole_ = false;
        observed_.clear();
        return;
      }
      observed_.push_back(at->second);
    }
  }

  /// A routine whose outputs come in two arrays: as many as are counted in the first, the others in the second.
  struct Function {
    Routine routine;
    std::size_t first;
    Code** code;
  };
  static void append(std::vector<int>& all, const std::vector<int>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }
  std::vector<Function> functions() {
    std::vector<int> rates = model_.dq, keep;
    append(rates, model_.du), append(rates, model_.dz);
    if (system_.has_power)
      for (const RecordedModel::Powers& p : model_.powers) {
        append(rates, {p.drivers, p.supplied});
        append(rates, {p.lost.begin(), p.lost.end()});
      }
    rates_count_ = Eigen::Index(rates.size());
    for (const RecordedModel::Kept& k : model_.kept) keep.push_back(k.next);
    const std::vector<int> hold{model_.independence};
    std::vector<int> gaps_and_hold = model_.all_phi;
    append(gaps_and_hold, hold);
    std::vector<int> settled = gaps_and_hold, there = model_.all_rate;
    append(there, rates);
    append(settled, with_settled_velocities(there));
    kept_counts_ = needs_kept(settled);
    append(settled, with_settled_velocities(keep));
    found_.y.resize(std::size_t(states_));
    found_.numbers.resize(settled.size());
    accepted_ = found_;
    std::vector<Function> all;
    const auto add = [&](const char* name, std::vector<int> first, const std::vector<int>& second,
                         Code*& code) {
      const std::size_t count = first.size();
      append(first, second);
      all.push_back({{name, std::move(first)}, count, &code});
    };
    add("rates", rates, hold, rates_);
    add("gaps", model_.all_phi, model_.all_rate, gap_);
    add("close", model_.closed_q, gaps_and_hold, close_);
    add("settle", model_.closed_u, settled, settle_), add("keep", keep, {}, keep_);
    add("observe", observed_, hold, observe_);
    return all;
  }
  /// Whether some of these nodes depend on what is kept.
  bool needs_kept(const std::vector<int>& nodes) const {
    const Computation& g = *model_.graph;
    const int first = model_.first_kept(), beyond = first + int(model_.kept.size());
    return std::ranges::any_of(needed(g, nodes), [&](int n) {
      return g[n].step == Step::input && g[n].a >= first && g[n].a < beyond;
    });
  }
  /// Finds what is kept with its rate, in pairs: all but the time.
  void follow() {
    const Computation& g = *model_.graph;
    const auto is_time = [&](const Node& n) { return n.step == Step::input && n.a == 0; };
    for (std::size_t k = 0; k < model_.kept.size(); ++k) {
      assert(model_.kept[k].input == model_.first_kept() + int(k));
      if (!is_time(g[model_.kept[k].next])) followed_.push_back(k++);
    }
  }
  /// The same after the correction of velocities, with which it shares what depends on positions.
  std::vector<int> with_settled_velocities(const std::vector<int>& of) {
    Computation& g = *model_.graph;
    std::vector<std::pair<int, int>> replaced;
    for (int k = 0; k < nu_; ++k)
      replaced.push_back({g.input(model_.first_u() + k), model_.closed_u[std::size_t(k)]});
    return substituted(g, of, replaced);
  }

  void compile() {
    const std::vector<Function> all = functions();
    std::vector<int> outputs;
    for (const Function& f : all) append(outputs, f.routine.outputs);
    parameters_ = prepare(*model_.graph, outputs);
    if (parameters_.empty()) parameters_.push_back(0);
    code_.emplace(in_c(all));
    for (const Function& f : all) *f.code = code_->function<Code>(f.routine.name);
    step_ = code_->function<StepCode>("step");
    all_finite_ = code_->function<FiniteCode>("all_finite");
  }
  std::string in_c(const std::vector<Function>& all) const {
    CFrame frame;
    frame.before = "";
    frame.arguments = "const mb_real* x, const mb_real* p, mb_real* y, mb_real* more";
    frame.passed = "x, p, y, more";
    std::vector<Routine> routines;
    for (const Function& f : all) routines.push_back(f.routine);
    std::string code = tables_in_c(*model_.graph, routines, frame);
    for (const Function& f : all) {
      frame.output = [&](int k) {
        const int beyond = k - int(f.first);
        return beyond < 0 ? "y[" + std::to_string(k) + "]" : "more[" + std::to_string(beyond) + "]";
      };
      code += routine_in_c(*model_.graph, f.routine, frame) + "\n";
    }
    const std::string counts =
        fmt::format("#define MB_STATES {}\n#define MB_RATES {}\n", states_, rates_count_);
    return runtime_for(code) + "\n" + code + counts + embedded_c(c_step::text_h) + embedded_c(c_step::text_c);
  }
  /// Takes the table of a method, as the code wants it.
  void use(const Tableau& table) {
    const std::size_t n = table.b.size();
    a_.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i)
      std::copy_n(table.a[i].begin(), std::min(i, table.a[i].size()), a_.begin() + std::ptrdiff_t(i * n));
    stages_.resize(n);
    method_ = &table;
  }

  // Pivots of the code depend on its order and on masses; near a singular position they are as small beside those at the start as
  // those of the system.
  void choose_least(const ShortcutRequest& r) {
    VecX y = VecX::Zero(states_);
    y.head(nq_) = r.q;
    y.segment(nq_, nu_) = r.u;
    take(r.t, y);
    settle();
    constexpr double all = 1 / RecordedModel::usual_independence;  // what a hold begins with
    least_ = all - (all - hold()) * r.independence / independent;
    if (!std::isfinite(least_)) throw NotCompiled("equations are not independent at the start");
  }

  void take(double t, const In& y) {
    x_[0] = t;
    std::copy(y.data(), y.data() + states_, x_.begin() + 1);
  }
  /// Finds velocities that the constraints allow, and what follows from them.
  void settle() { settle_(x_.data(), parameters_.data(), u_next_.data(), found_.numbers.data()); }
  /// Finds positions that are closer to the constraints.
  void correct() { close_(x_.data(), parameters_.data(), q_next_.data(), found_.numbers.data()); }
  double hold() const { return found_.numbers[std::size_t(rows_)]; }
  /// Hands over what was found, if it can be relied on.
  int leave(int corrections, Out y) {
    std::copy(u_next_.begin(), u_next_.end(), x_.begin() + model_.first_u());
    const double* const state = x_.data() + RecordedModel::first_q();
    const int moved = nq_ + nu_;
    found_.known = hold() >= least_ &&
                   all_finite_(found_.numbers.data(), int(found_.numbers.size() - kept_.size())) != 0 &&
                   all_finite_(state, nq_) != 0;  // velocities are among the numbers, as rates of positions
    if (!found_.known) return -1;
    corrects_ = corrections > 0;
    found_.t = x_[0];
    std::copy_n(state, states_, found_.y.begin());
    std::copy_n(state, moved, y.data());
    return corrections;
  }

  RecordedModel model_;
  Closing closing_;
  int nq_, nu_, states_, rows_;
  System& system_;
  std::vector<double> x_;                       // arguments
  std::vector<double> q_next_, best_, u_next_;  // parts of the state in corrections
  Known found_, accepted_;                      // of the last state that was closed, and that was accepted
  bool corrects_ = true;                        // the last one that was closed needed corrections
  std::vector<double> kept_, parameters_;
  bool kept_counts_ = false;           // for gaps or rates
  std::vector<std::size_t> followed_;  // which of the numbers that are kept have their rates behind them
  std::vector<double> counted_;        // what was kept where the system last counted turns, ...
  double counted_at_ = 0;              // ... when [s] ...
  double kept_at_ = 0;                 // ... and the time of what is kept [s]
  std::vector<int> observed_;          // nodes of the system's channels
  double least_ = 0;                   // hold, above which equations are independent enough
  Eigen::Index rates_count_ = 0;
  const Tableau* method_ = nullptr;  // of the last step: ...
  std::vector<double> a_;            // ... its stages, row by row ...
  std::vector<double*> stages_;      // ... and places of their rates
  bool is_whole_;                    // all channels are known
  std::optional<SharedCode> code_;
  Code *rates_ = nullptr, *gap_ = nullptr, *close_ = nullptr, *settle_ = nullptr, *keep_ = nullptr,
       *observe_ = nullptr;
  StepCode* step_ = nullptr;
  FiniteCode* all_finite_ = nullptr;
};
}  // namespace

std::unique_ptr<Shortcut> compiled_equations(const ShortcutRequest& r) {
  return std::make_unique<CompiledEquations>(r);
}
std::unique_ptr<Shortcut> compiled_for_no_stranger(const ShortcutRequest&) {
  throw NotCompiled("models of strangers (--untrusted) are not compiled");
}
}  // namespace mubody::io

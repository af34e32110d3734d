#pragma once
// What LaneBatch is made of: the states of all lanes side by side, and what each lane is about.
//
//   batch.cpp         lanes are filled and emptied
//   constraints.cpp   states are put back onto the constraints, and accepted
//   steps.cpp         steps are tried, and accepted or not
//   pauses.cpp        instants at which something changes: steps end there
//   rows.cpp          results
#include "mubody/lanes/batch.h"
#include "mubody/lanes/summary.h"

namespace mubody {
class LaneBatch::Lanes {
 public:
  Lanes(std::shared_ptr<const LaneModel>, const Tableau&, std::vector<LaneKept>);

  bool is_free(int lane) const { return lanes_[std::size_t(lane)].state == idle; }
  void start(int lane, const LaneTask&);
  void step();
  double stop(int lane);
  std::optional<LaneOutcome> take(int lane);

 private:
  static constexpr int W = lanes::W;
  using Row = lanes::Row;
  using Mask = lanes::Mask;

  enum State { idle, running, ended, left };
  struct One {
    bool used = false, fresh = false, retried = false;
    State state = idle;
    LaneTask task;
    double t = 0, before = 0;    // now, and at the start of the last step [s]
    double from = 0, until = 0;  // where steps began anew, and where the next one has to end at the latest [s]
    double trial = 0;            // the end of the step that is tried [s]
    std::size_t next_break = 0;  // index of the next breakpoint
    std::vector<long> instants;  // how many of them each sampled signal has had
    StepSizes sizes;
    Grid grid;  // for fixed steps
    Grid::Step on_grid{};
    StepStatistics counts;
    std::size_t next = 0;  // index of the next result
    double violation = 0, violation_share = 0;
    lanes::Summary sum;

    /// See Simulation::Loop, whose rules these are.
    double span() const { return task.end - task.start; }
    double little(double time) const { return beside(time, span()); }
    bool at_break() const;
    double next_instant(const std::vector<RecordedModel::Sampled>&) const;
    bool at_instant(const std::vector<RecordedModel::Sampled>&) const;
    /// The time up to which rows are taken before a pause: those at an instant wait for its samples.
    double rows_until(const std::vector<RecordedModel::Sampled>&) const;
    /// The end in place of a time from which no step leads there.
    double begin_at(double time) const;
    void aim(const std::vector<RecordedModel::Sampled>&);
    /// Lets steps begin anew at a time.
    void restart(double time);
  };
  One& at(int lane) { return lanes_[std::size_t(lane)]; }
  template <class Of> Row each(const Of& of) const {
    Row r;
    for (int l = 0; l < W; ++l) r[std::size_t(l)] = of(lanes_[std::size_t(l)]);
    return r;
  }
  Row times() const {
    return each([](const One& one) { return one.t; });
  }

  void fill(int lane, const LaneTask&);
  void limit_rates(int lane, const Scales&);
  void begin();
  void doubt(const double* independence, const Mask* which = nullptr);
  void give_up(int lane);

  // The equations at the state in x_.
  void load(const double* y, const Row& t);
  void derive(double* dy, const Mask* which = nullptr);
  void project(const Mask& which);
  void measure_gap(const std::vector<bool>& are_lengths, const Row& length, const Row& angle, Row& size) const;
  Mask take_back(Mask& going, const Row& size, const Row& before);
  void note_violation(int lane);
  void keep(const Mask& which);

  // Steps.
  double* k(int stage) const { return k_ + stage * (ny_ + 1) * W; }
  template <class Weights> int weigh(const Row& h, const Weights& w, int stages);
  void stages(const double* y, const Row& t, const Row& h, bool first);
  void first_steps(const Row& t);
  lanes::Allowed allowed() const { return {absolute_, most_, relative_.data()}; }
  void choose_ends();
  bool judge_step(One&, double size) const;
  void attempt();
  void accept();

  // Instants.
  void pause(const Mask& which);
  void cross(const Mask& which);
  void go_on(const Mask& which, const Row& t, const Row& h);
  void sample(const Mask& which);

  // Results.
  void interpolate(const Row& when);
  void output(const Mask& which, bool before_pause = false);
  void record(const Mask& due, const Row& when);

  std::shared_ptr<const LaneModel> model_;
  const LaneModel& m_;
  const Tableau& T_;
  std::vector<LaneKept> kept_;
  Tape observe_;
  lanes::Evaluator rates_, gaps_, tidy_, close_, settle_, keep_, sample_, seen_by_;
  int nq_, nu_, nc_, ny_, stages_;
  std::vector<double> memory_;
  double *y_, *y0_, *y1_, *error_, *residue_, *lost_, *row_, *k_;
  double *x_, *state_;  // what tapes read, and the state in it
  double *best_, *phi_, *answer_, *observed_, *absolute_, *most_, *none_, *parameters_;
  Row relative_{};
  std::vector<lanes::Term> terms_;
  Mask accepted_{};
  std::array<One, W> lanes_;
  bool fresh_ = false, pauses_ = false;
};
}  // namespace mubody

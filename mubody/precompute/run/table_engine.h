#pragma once
// The tables of a precomputed model as the engine of a simulation: forward dynamics in the independent variables.
//
// The state is y = (θ, θ̇, w, w_d, losses), with w the work of forces that are not in the potential V, w_d that of
// drivers, and the part of −w that is lost to dampers, contacts, friction and films.
// Between steps the region, the number of laps and the counts of turns are fixed.  Rows and contacts are those of the
// mechanism itself, at the positions that the tables give.
//                                                                              docs/theory/precompute.md
#include <memory>

#include "mubody/precompute/run/real_time.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/engine.h"

namespace mubody {
class TableEngine final : public Engine {
 public:
  /// The study and what has begun must live as long as this.
  TableEngine(std::shared_ptr<const RealTimeModel>, const Study&, Begun&);

  void rates(double t, const In& y, Out dy) override;
  bool after_step(double, Out) override { return false; }
  const Sizes* sizes() const override { return &sizes_; }

  System& system() override { return s_; }
  System& bodies() override { return s_; }
  Dynamics& dynamics() override { return d_; }
  const VecX& start() override { return start_; }
  int controlled() const override { return 2 * n_; }
  std::string refuses_input(const std::string& element) const override;
  bool keeps_first_step() const override { return true; }
  StepControl control(const StepControl& asked, bool adaptive) const override;
  const VecX& seen(double t, const VecX& y) override;
  void begin(double t, const VecX& y) override;
  Outcome accept(double t, const VecX& y, Recorder&, Results&) override;
  bool overshot(double t, const VecX& y) override { return run_.leapt(at(t, y)); }
  void remember(double t, const VecX& y) override;
  Completed complete_step(double t, VecX& y) override;
  void balance(double t, const VecX& y, Recorder&) override;
  Outcome record(double t, const VecX& y, Recorder&) override;
  Outcome observe(double t, const VecX& y, Out values) override;
  std::string likely_cause() override { return {}; }
  void finish(const AnalysisOptions&, Results&) override;
  void memory(Memory&) override;

 private:
  const RealTime::State& at(double t, const In& y);
  void pack(const RealTime::State&, VecX& y) const;
  void take_sizes();
  void place(const RealTime::State&);
  bool has_turned(const RealTime::State&) const;
  void count_turns(const RealTime::State&);
  void follow_contacts(double t);
  void solve(double t, const RealTime::State&);
  Work work(const VecX& y, double potential, const RealTime::State&);

  std::shared_ptr<const RealTimeModel> model_;
  const Mechanism& mechanism_;
  RealTime run_;
  System& s_;
  Dynamics d_;
  int n_;
  RealTime::State state_;
  Sizes sizes_;  // of all numbers of the state, in the present region
  VecX start_, q_, u_, a_, still_, seen_, force_, zero_, no_states_;
  RealTime::Vector acceleration_{}, turning_, counted_;
  std::vector<int>
      own_contact_;  // of each contact of the mechanism: which one it is among the loads of the tables
  std::vector<ContactNow> contacts_;
  bool counts_;                     // turns are counted by the mechanism or by loads
  std::vector<double> deflection_;  // the largest of each stiff variable
  RealTime::SeriesError series_;
  double stored_ = 0;  // in forces at run time, at the start [J]
  bool first_ = true;
};
}  // namespace mubody

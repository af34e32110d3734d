#pragma once
// Turns states into the rows of the result tables.
#include "mubody/results/results.h"
#include "mubody/simulation/begin.h"
#include "mubody/study/options.h"
#include "mubody/system/dynamics.h"

namespace mubody {
/// Work done since the start [J].
struct Work {
  double drivers = 0, supplied = 0;
  double dampers = 0, contact = 0, friction = 0, film = 0;  // lost

  double lost() const { return dampers + contact + friction + film; }
};

class Recorder {
 public:
  /// With `balance` the energy table has work and residual; without, the power of the drivers.
  Recorder(System& s, const OutputOptions& o, Results& r, bool balance) : Recorder(s, s, o, r, balance) {}
  /// `bodies`: the same system in body coordinates.
  Recorder(System&, System& bodies, const OutputOptions&, Results&, bool balance);

  /// A row in every table; the dynamics' terms must be those of (t, q, u, z).
  void record(double t, const In& q, const In& u, const In& z, const Dynamics&, const Work&);
  /// With the states of elements at zero.
  void record(double t, const In& q, const In& u, const Dynamics& d, const Work& work) {
    record(t, q, u, VecX::Zero(system_.nz), d, work);
  }
  /// Counts energies and works: the largest residual of the balance, and how much energy is in play.  Returns the
  /// residual [J].
  double balance(const Energy&, const Work&);
  /// Keeps the largest violations seen and their means; for every accepted step.  Returns Φ.
  const VecX& watch(double t, const In& q, const In& u);
  /// The constraints at the state last watched.
  const Terms& watched() const { return terms_; }
  void memory(Memory&);

 private:
  Table& table(std::string_view name) { return results_.tables[index_.at(std::string(name))]; }
  void add_table(const std::string& name, std::vector<Column> columns);
  void note_reactions(double t);
  void note_means(double t, double violation, double rate);

  System &system_, &bodies_;
  BodyView view_;
  Results& results_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::size_t> table_of_channel_;
  std::vector<int> wanted_;  // channels of channels.csv
  VecX values_, nu_;
  Terms terms_;  // for watch()
  bool balance_;
  double watched_from_ = 0, watched_to_ = 0;   // [s]
  double last_violation_ = 0, last_rate_ = 0;  // at the end of that
  double violation_sum_ = 0, rate_sum_ = 0;    // integrals over that time
  bool watched_ = false;
  double start_energy_ = 0, start_potential_ = 0;
  bool first_ = true;
  long rows_ = 0;
};
}  // namespace mubody

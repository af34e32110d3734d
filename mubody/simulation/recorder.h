#pragma once
// Turns states into the rows of the result tables.
#include <span>

#include "mubody/results/results.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/extremes.h"
#include "mubody/study/options.h"
#include "mubody/system/dynamics.h"

namespace mubody {
/// Work done since the start [J].
struct Work {
  double drivers = 0, supplied = 0;
  double dampers = 0, contact = 0, friction = 0, film = 0;  // lost

  double lost() const { return dampers + contact + friction + film; }
  Work& operator+=(const Work& o) {
    drivers += o.drivers, supplied += o.supplied;
    dampers += o.dampers, contact += o.contact, friction += o.friction, film += o.film;
    return *this;
  }
};

class Recorder {
 public:
  /// With `balance` the energy table has work and residual; without, the power of the drivers.
  Recorder(System& s, const OutputOptions& o, Results& r, bool balance) : Recorder(s, s, o, r, balance) {}
  /// `bodies`: the same system in body coordinates.
  Recorder(System&, System& bodies, const OutputOptions&, Results&, bool balance);

  /// A row in every table; the dynamics' terms must be those of (t, q, u, z).  The work is that on every group of bodies,
  /// or on all together.  The channels follow from the dynamics, unless they are given.
  void record(double t, const In& q, const In& u, const In& z, const Dynamics&, std::span<const Work>,
              const VecX* channels = nullptr);
  /// With the states of elements at zero.
  void record(double t, const In& q, const In& u, const Dynamics& d, const Work& work) {
    record(t, q, u, system_.rest(), d, {&work, 1});
  }
  /// Counts energies and works: the largest residual of the balance, and how much energy is in play.  Returns the
  /// residual of all together [J].
  double balance(double t, const In& q, const In& u, const In& z, std::span<const Work>);
  Extremes& extremes() { return extremes_; }
  /// Writes what was gathered besides the rows.
  void conclude(Results&) const;
  /// Keeps the largest violations seen and their means; for the constraints at every accepted step.  Returns the largest of
  /// this one, as System::gap() measures it.
  double watch(double t, const VecX& phi, const VecX& rate);
  /// Counts the energy that the correction of an accepted step put in [J].
  void correct(double energy);
  void memory(Memory&);

 private:
  Table& table(std::string_view name) { return results_.tables[index_.at(std::string(name))]; }
  void add_table(const std::string& name, const NamedList<Column>& columns);
  void mark_reactions(double t);
  void note_not_finite(const Table&);
  void note_loads(const Dynamics&);
  void note_means(double t, double violation, double rate);

  System &system_, &bodies_;
  BodyView view_;
  Results& results_;
  std::map<std::string, std::size_t> index_;                // of tables
  std::size_t energy_ = 0, violations_ = 0, channels_ = 0;  // tables that every row looks for
  /// Channels that follow each other in one table.
  struct Run {
    std::size_t table;
    Eigen::Index first, count;
  };
  std::vector<Run> runs_;    // of all channels, in order
  std::vector<int> wanted_;  // channels of channels.csv
  VecX values_, nu_;
  Extremes extremes_;
  bool balance_;
  double watched_from_ = 0, watched_to_ = 0;   // [s]
  double last_violation_ = 0, last_rate_ = 0;  // at the end of that
  double violation_sum_ = 0, rate_sum_ = 0;    // integrals over that time
  bool watched_ = false;
  /// The balance of a group of bodies, or of all together.
  struct Balance {
    double start = 0, start_potential = 0;  // [J]
    double residual(const Energy&, const Work&) const;
    double most(const Energy&, const Work&) const;
    void memory(Memory& m) { m(start, start_potential); }
  };
  Balance all_;
  std::vector<Balance> of_groups_;
  std::vector<Energy> energies_;  // of the groups, and in sum
  Energy total_;
  bool first_ = true;
  long rows_ = 0;
};
}  // namespace mubody

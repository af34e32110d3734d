#pragma once
// What all mechanisms in lanes have in common: their equations as tapes, and which of their numbers differ.
//
//   docs/theory/lanes.md#what-can-run-in-lanes
//
// The equations are those of the recording of one of them.  Numbers that are the same in all samples are constants of the
// tapes; of the others, those that change together are one parameter.
#include <optional>
#include <string>
#include <vector>

#include "mubody/recorded/model.h"
#include "mubody/recording/tape.h"
#include "mubody/system/system.h"

namespace mubody {
/// A number that each result has.
struct LaneChannel {
  enum Kind { recorded, kinetic, potential, total, driver_work, applied_work, dissipated, residual };
  Kind kind = recorded;
  int index = 0;  // among the channels of the recording
};

/// A channel, and which of its values in a run is kept.
struct LaneKept {
  enum What { last, at, max, min };
  What what = last;
  LaneChannel channel;
  double time = 0;  // for `at` [s]
};

/// The channel of results with that name; none if neither the recording nor its energies have it.
std::optional<LaneChannel> lane_channel(const RecordedModel&, const std::string& name);

class LaneModel {
 public:
  /// For a mechanism in this state, the first of the samples, and others with the same structure; the system is in the coordinates
  /// of the recording.  Throws ModelError, with the reason, if its equations cannot be recorded, or if a motion by them needs more
  /// than steps.
  LaneModel(const System&, const Mechanism&, const RecordingStart&,
            const std::vector<CollectedNumbers>& samples);

  /// The values of the parameters for a mechanism; none if it differs in more than these.
  std::optional<std::vector<double>> parameters(const CollectedNumbers&) const;
  int parameters() const { return parameters_; }
  /// The channel with that name; none if lanes do not have it, as reactions that redundant equations leave open.
  std::optional<LaneChannel> channel(const std::string& name) const;

  const RecordedModel& recorded() const { return recorded_; }
  bool in_space() const { return recorded_.dim == 3; }
  /// In joint coordinates bodies are not the state, and multipliers are not among the results.
  bool is_jointed() const { return jointed_; }
  int bodies() const { return bodies_; }
  int positions() const { return recorded_.nq; }
  int velocities() const { return recorded_.nu; }
  int rows() const { return int(recorded_.phi.size()); }
  /// Numbers that the error of a step counts: positions, velocities, states of signals.
  int controlled() const { return recorded_.nq + recorded_.nu + recorded_.nz; }
  /// Works of drivers and of forces, what dampers take, and what everything takes that takes energy away; none if there is
  /// nothing of all this.
  int works() const { return works_; }
  int states() const { return controlled() + works_; }
  /// Which positions and which equations measure lengths; the others measure angles.
  const std::vector<bool>& lengths() const { return lengths_; }
  const std::vector<bool>& row_lengths() const { return row_lengths_; }
  /// The same of what gaps() gives.
  const std::vector<bool>& gap_lengths() const { return gap_lengths_; }
  /// Equations that follow from others and are left out; empty: none.
  const std::vector<bool>& left_out() const { return left_out_; }
  /// Whether a channel is a reaction that redundant equations leave open.
  bool is_open(const std::string& channel) const;
  /// Whether a joint holds a body to the ground.
  bool held() const { return held_; }

  /// The rates of all states, then the independence of the equations.
  const Tape& rates() const { return rates_; }
  const Tape& gaps() const { return gaps_; }  // Φ of equations that are kept, then of those that are left out
  const Tape& tidy() const { return tidy_; }  // q without round-off of its own
  const Tape& close() const { return close_; }  // q after a correction
  const Tape& settle() const {
    return settle_;
  }                                           // u after the correction, then the independence of the equations
  const Tape& keep() const { return keep_; }  // what is kept from one accepted state to the next
  const Tape& sample() const { return sample_; }  // what sampled signals keep after an instant
  /// These channels, then the energies, multipliers, forces, and the independence of the equations.
  Tape observe(const std::vector<LaneKept>&) const;
  /// How gaps change with positions, row by row; in the plane these are the rows of D.  Not for equations that are left out.
  Tape gap_slopes() const;
  /// All of them, as they are called in generated code: mb_rates, mb_gaps, mb_tidy, mb_close, mb_settle, mb_keep, mb_sample,
  /// mb_observe.
  std::vector<Routine> routines(const std::vector<LaneKept>&) const;

 private:
  void measure(const System&);
  std::vector<int> powers() const;
  std::vector<int> rate_nodes() const;
  std::vector<int> gap_nodes() const;
  std::vector<int> with_independence(std::vector<int>) const;
  std::vector<int> observed(const std::vector<LaneKept>&) const;
  Tape tape(const char* name, std::vector<int> nodes) const;
  int node_of(const char* channel) const;

  int parameters_ = 0, bodies_ = 0;
  bool jointed_ = false;
  std::uint64_t structure_ = 0;
  std::vector<double> numbers_;    // of the first
  std::vector<int> parameter_of_;  // by number; −1: the same for all
  RecordedModel recorded_;
  int works_;
  std::vector<bool> left_out_, lengths_, row_lengths_, gap_lengths_;
  std::vector<std::string> open_;  // reactions that redundant equations leave open
  bool held_ = false;
  Tape rates_, gaps_, tidy_, close_, settle_, keep_, sample_;
};
}  // namespace mubody

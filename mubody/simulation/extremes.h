#pragma once
// The least and greatest values of all channels of a motion, with their times.       docs/theory/extremes.md
//
// Rows of results are too far apart to show a peak.  So channels are looked at step by step; between such samples an
// extremum is that of the cubic through the last four of them.  Where the cubic is not good enough, the simulation is asked
// for one more sample there.  Where all channels are far smoother than that, some steps pass without a look.  Of more channels
// than anybody reads there is no list: it would be longer than the rows.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "mubody/math/memory.h"
#include "mubody/results/results.h"
#include "mubody/system/system.h"
#include "mubody/watches/limits.h"

namespace mubody {
class Extremes {
 public:
  /// The channels of a system with so many velocities.
  Extremes(const NamedList<Channel>&, int velocities);

  /// Whether extremes are looked for at all.
  bool listed() const { return channels_.size() <= watch::most_listed; }

  /// Begins a step: from this time on samples can be added.
  void begin_step(double from) { from_ = from; }
  /// Whether the channels should be looked at when a step has ended in velocities u.
  bool is_due(double t, const In& u);
  /// Takes the values of all channels at a time, none before the last one.
  void take(double t, const In& values);
  /// Takes those of a row, which may be closer to the last one than samples need to be.
  void take_row(double t, const In& values);
  /// Looks at the values of rows alone, and at nothing between them.
  void keep_to_rows() { only_rows_ = true; }
  /// What follows does not continue what was before: a force or velocity has jumped.
  void jump() {
    known_ = 0;
    spacing_ = 0;
    doubt_.reset();
  }
  /// A time at which a channel may be beyond its extremes by more than the last samples show; none if all is clear.
  const std::optional<double>& doubt() const { return doubt_; }
  /// Takes the values at that time.
  void insert(double t, const In& values);
  /// Leaves the doubts of the last samples as they are, since looks cost too much; the channels are remarked.
  void give_up();
  /// How far apart samples may lie here [s]; zero while there are too few to know.
  double spacing() const { return spacing_; }
  /// The time of the last sample since the last jump; minus infinity if there is none.
  double last() const;
  /// Takes the velocities at which the next step begins.
  void leave(const In& u) { std::copy_n(u.data(), u_.size(), u_.data()); }
  /// Writes the extremes, those of reactions once more, and the channels that were not finite.
  void report(Results&) const;
  void memory(Memory&);

 private:
  bool is_unusual(double h, const In& u);

  static constexpr int depth = 4;
  struct Sample {
    double t = 0;
    VecX values;
    void memory(Memory& m) { m(t, values); }
  };
  /// An extremum of one sign between samples.
  struct Top {
    double t, value, error;
  };
  /// A channel that may be beyond its extremes, and by how far it may reach.
  struct Open {
    Eigen::Index channel;
    double sign, value;
  };
  void count(double t, const In& values);
  void note_bad(Eigen::Index channel, double t);
  void note(Eigen::Index channel, double t, double value);
  void place(double t, const In& values);
  void search();
  void search(Eigen::Index channel, double sign);
  void space();
  void remark_open(Results&) const;
  std::optional<Top> top_of(Eigen::Index channel, double sign) const;
  const Sample& sample(int back) const { return samples_[std::size_t(known_ - 1 - back)]; }

  const NamedList<Channel>& channels_;
  VecX least_, least_at_, greatest_, greatest_at_;
  VecX bad_at_;                         // since when a channel is not finite; empty as long as all are
  bool any_ = false, several_ = false;  // samples
  double size_ = 0;                     // the largest number seen in any channel
  std::array<Sample, depth> samples_;   // in order of time
  int known_ = 0;                       // how many of them are there
  bool only_rows_ = false;
  double from_ = std::numeric_limits<double>::infinity();
  double spacing_ = 0;           // [s] in which the channels need not be looked at
  VecX u_, slowest_, fastest_;   // velocities at the last step, extremes of their changes per time
  std::optional<double> doubt_;  // the time at which a sample would help most
  std::vector<Open> open_;       // channels that the last samples leave in doubt
  VecX perhaps_least_,
      perhaps_greatest_;  // how far channels may reach where doubts were left; empty if none were
  double doubted_ = 0;    // by how much a channel may be larger there, relative to its range
};
}  // namespace mubody

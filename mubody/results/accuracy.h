#pragma once
// The digits of a motion that can be trusted: its error, channel by channel, estimated from a second, coarser motion.
//                                                                              docs/theory/estimate.md
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/mechanism/scales.h"

namespace mubody {
struct Results;

/// The estimated error of one channel.
struct ChannelAccuracy {
  enum Kind { position, velocity, acceleration, force, frequency, energy, other };
  static constexpr std::string_view words[] = {"positions",   "velocities", "accelerations", "forces",
                                               "frequencies", "energies",   "other channels"};
  std::string channel, unit;
  Kind kind = other;
  double error = 0;  // the largest, in that unit
  double at = 0;     // its time [s]
  double range = 0;  // from the smallest value of the channel to its largest, in that unit
  /// The largest error until each of Accuracy::times, if it can be seen in a plot; empty if it cannot.
  std::vector<double> band;

  double share() const { return range > 0 ? error / range : 0; }
  /// Decimal digits of the range that stay, from 0 to 15.
  double digits() const;
};

struct Accuracy {
  std::vector<ChannelAccuracy> channels;
  std::vector<double> times;      // [s] at which bands are given; empty if there are none
  std::string method;             // in words, what the estimate comes from
  std::string missing;            // why there is no estimate; empty if there is one
  std::optional<double> until;    // [s] the motion is predictable to 1 % until then; none if to the end
  std::optional<double> tenfold;  // [s] in which errors grow tenfold, if they grow exponentially
  double end = 0;                 // [s] of the motion
  int wanted = 0;                 // digits that were asked for
  int runs = 1;                   // how often the motion was computed to reach them

  /// The channel of that kind with the fewest digits; null if there is none.
  const ChannelAccuracy* worst(ChannelAccuracy::Kind) const;
  /// The fewest digits of all channels.
  double digits() const;
  /// "8 digits in positions, worst crank.angle at 9.8 s; 6 in forces".
  std::string in_words() const;
};

/// How the error of a motion follows from its difference to a coarser or finer one.
struct Coarseness {
  double growth =
      1;  // how many times as large the error of the other motion is expected to be; below 1 if it is finer
  double safety = 1;  // by what the expected error is multiplied
  double least = 0;   // share of the range that is reported in any case

  /// The factor from the error of the motion to its difference from the other.
  double difference() const { return growth > 1 ? growth - 1 : 1 - growth; }
  /// The factor from a difference to the error that is reported.
  double reported() const { return safety / difference(); }
  /// Whether the difference shows the instant at which the error passes 1 %.  A motion that is much coarser has nothing
  /// in common with this one before.
  bool shows_horizon() const;
};

/// Compares a motion with another at the times that both have.
Accuracy compare_motions(const Results& motion, const Results& other, const Coarseness&, const Scales&);
}  // namespace mubody

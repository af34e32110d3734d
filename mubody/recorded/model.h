#pragma once
// The equations of motion of a mechanism as a graph: they are run once with numbers that note what is done to them.
//
//   docs/theory/generated-code.md
//
// The mechanism is in body or in joint coordinates, the states of its forces and then of its signals follow.  The graph's inputs are, in this order,
//
//   t, q, u, z, three numbers for each input of the model (value, rate, acceleration), what the functions of parts with
//   loops say, numbers that are kept: from one accepted state to the next, or from one instant of sampled signals to the next
//
// and its results are the rates of the states, the state moved onto the constraints, and all channels of the results.
#include <array>
#include <memory>
#include <optional>

#include "mubody/formulations/following.h"
#include "mubody/mechanism/mechanism.h"
#include "mubody/recorded/elimination.h"
#include "mubody/recording/recollection.h"

namespace mubody {
/// Where the mechanism is when it is recorded, and which of its numbers may vary.
struct RecordingStart {
  double t = 0;
  VecX q, u;                          // body coordinates and velocities that satisfy the constraints
  std::vector<std::string> inputs{};  // names of the model's inputs, by the number that functions know them by
  std::vector<bool> left_out{};       // equations that follow from the others; empty: none
  std::vector<int> parameter_of{};    // see Computation; −2 − p: the negative of parameter p
  /// What a pivot keeps of its diagonal, in the metric of the mass, where equations are independent enough.
  double independence = 1e-2;
  /// In joint coordinates: the parts with loops that follow variables of their own; else in body coordinates.
  std::optional<std::vector<FollowingPart>> parts{};
  std::vector<bool> open_left_out{};  // as left_out, among the equations of joints that the tree leaves open
  /// Whether the equations are solved.  If not, nothing is recorded that follows from accelerations or corrections, and no
  /// channels: what is left is recorded several times as fast.
  bool solves = true;
};

struct RecordedModel {
  struct Channel {
    std::string name, unit;
    int node;
  };
  struct Kept {
    int input;  // of the graph
    double start;
    int next;  // the node of what it becomes at an accepted state
  };

  std::unique_ptr<Computation> graph;
  int dim = 2, nq = 0, nu = 0, nz = 0;
  VecX start_q, start_u;         // where it starts
  std::vector<double> followed;  // what the functions of parts with loops say there
  std::vector<Channel> inputs;   // names and units; the node is that of the value
  std::vector<int> dq, du, dz;   // rates of the states
  /// In joint coordinates the accelerations of bodies, as the tree gives them, and from the equations of bodies.
  std::vector<int> a_of_tree, a_of_bodies;
  std::vector<int> tree_multiples;  // the diagonal of its mass as multiples of its pivots
  std::vector<int> phi, rate;       // gaps and their rates, of the equations that are kept
  std::vector<int> closed_q;        // q after one correction of positions
  std::vector<int> closed_u;        // u after the correction of velocities
  std::vector<int> tidy_q;          // q without the round-off that coordinates themselves reveal
  std::vector<int> Q;               // forces
  std::vector<int> gamma,
      lambda;  // what the equations that are kept ask of accelerations, and their multipliers
  std::shared_ptr<const RecordedElimination> elimination;  // its numbers belong to the graph
  /// By groups of bodies that nothing connects [W]: of constraints that move and of forces, and what is taken away.
  struct Powers {
    int drivers = -1, supplied = -1;
    std::array<int, 4> lost{};  // by Loss
  };
  std::vector<Powers> powers;
  int driver_power = -1;               // of all constraints that move [W]
  int damper_power = -1;               // what all dampers take [W]
  std::vector<int> all_phi, all_rate;  // as phi and rate, of the equations that are left out too
  /// Negative where the equations are less independent than `usual_independence`, as near a singular position.
  int independence = -1;
  int tree_independence = -1;  // the same of the equations that a tree leaves open
  static constexpr double usual_independence =
      1e-2;  // what a pivot keeps of its diagonal, in the metric of the mass
  std::vector<Channel> channels;
  std::vector<Kept> kept;
  /// A signal that is sampled: inputs of the graph say whether its instant has come, and how long ago the last one was [s];
  /// 0 at the first.
  struct Sampled {
    int due, since;
    double period;  // [s]
  };
  std::vector<Sampled> sampled;
  /// Of every force: what it supplies, then what is lost by Loss [W].
  std::vector<std::array<int, 5>> force_powers;
  std::vector<Kept> at_instants;  // what changes at instants alone

  static int first_q() { return 1; }
  int first_u() const { return first_q() + nq; }
  int first_z() const { return first_u() + nu; }
  int first_input() const { return first_z() + nz; }
  int first_followed() const { return first_input() + 3 * int(inputs.size()); }
  int first_kept() const { return first_followed() + int(followed.size()); }
  int arguments() const { return first_kept() + int(kept.size() + at_instants.size() + 2 * sampled.size()); }
};

/// Throws ModelError, with the element and the reason, if something cannot be recorded.
RecordedModel record(const Mechanism&, const RecordingStart&);

/// The numbers of a mechanism in the order in which they enter its recording.  Mechanisms of the same structure have
/// equations that differ in these numbers alone.
struct CollectedNumbers {
  std::vector<double> numbers;
  std::uint64_t structure = 0;
};
/// The same numbers as record() would have, far sooner.  Throws as it does.
CollectedNumbers collect(const Mechanism&, const RecordingStart&);
}  // namespace mubody

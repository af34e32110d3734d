#pragma once
// A mechanism of pins in another program: cost and accuracy.
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/peers/pins.h"

namespace mubody::bench {
struct PeerRun {
  double seconds = 0;          // CPU time for the whole motion
  double right_hand_side = 0;  // seconds for accelerations at a new position
  double gap = 0;              // largest distance between the points of a pin that closes a loop [m]
  double angle = 0;            // angle of the watched body at the end [rad]
  double energy = 0;           // largest change of the total energy [J]
};

struct Peer {
  std::string program, method;
  std::function<PeerRun(const Pins&, double end)> run;
};

// Each is empty if its library was missing at build time.
#ifdef MUBODY_HAS_SIMBODY
std::vector<Peer> simbody_peers();
#else
inline std::vector<Peer> simbody_peers() { return {}; }
#endif
#ifdef MUBODY_HAS_MUJOCO
std::vector<Peer> mujoco_peers();
#else
inline std::vector<Peer> mujoco_peers() { return {}; }
#endif

constexpr double peer_step = 1e-3;       // step of methods with fixed steps [s]
constexpr double between_looks = 1e-2;   // interval at which gaps and energies are taken [s]
constexpr double peer_measuring = 0.05;  // [s]
constexpr int peer_repetitions = 9;
}  // namespace mubody::bench

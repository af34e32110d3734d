#pragma once
// What is kept of the results of motions in lanes, as the recorder of a run and sweep/keep.cpp do it for one mechanism.
#include "mubody/lanes/model.h"
#include "mubody/lanes/numbers.h"

namespace mubody::lanes {
/// What a lane has at a result.
struct Seen {
  double t;
  const double* observed;  // of the tape LaneModel::observe(), at this lane
  const double* works;     // at this lane; null if there are none
  const double* q;         // positions, at this lane
};

/// Of one lane.
class Summary {
 public:
  Summary() = default;
  explicit Summary(std::size_t kept) : value_(kept, 0.0), time_(kept, 0.0) {}

  /// Takes a result into account; `length` is the characteristic length of the mechanism.
  void take(const LaneModel&, const std::vector<LaneKept>&, double length, const Seen&);
  std::vector<double> kept(const std::vector<LaneKept>&) const;

  double residual = 0, energy_scale = 0, load_scale = 0;

 private:
  struct Energies {
    double kinetic, potential, drivers, supplied, dampers, lost, residual;
  };
  Energies balance(const LaneModel&, std::size_t kept, const Seen&);
  void note_loads(const LaneModel&, std::size_t kept, double length, const Seen&);

  bool first_ = true;
  double start_energy_ = 0, start_potential_ = 0;
  std::vector<double> value_, time_;
};
}  // namespace mubody::lanes

#pragma once
// A simulation as Python holds it.
#include "python/bind.h"

namespace mubody::python {
struct HeldSimulation {
  Simulation simulation;
  std::shared_ptr<Raised> raised;
  ResultsRef about;          // what is known before there are results
  py::dict outputs, inputs;  // from names to their numbers
  bool in_use = false;       // read and set with the interpreter's lock

  HeldSimulation(Simulation, std::shared_ptr<Raised>, ResultsRef);
};

/// Keeps other threads from a simulation that is advancing without the interpreter's lock.
class InUse {
 public:
  explicit InUse(HeldSimulation&);
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;
  ~InUse() { simulation_.in_use = false; }

 private:
  HeldSimulation& simulation_;
};
}  // namespace mubody::python

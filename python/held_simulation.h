#pragma once
// A simulation as Python holds it.
#include "python/bind.h"

namespace mubody::python {
struct HeldSimulation {
  Simulation simulation;
  RaisedRef raised;
  ResultsRef about;          // what is known before there are results
  py::dict outputs, inputs;  // from names to their numbers
  bool in_use = false;       // read and set with the interpreter's lock

  HeldSimulation(Simulation, RaisedRef, ResultsRef);
};

/// Keeps other threads from what goes on without the interpreter's lock.
class InUse {
 public:
  explicit InUse(HeldSimulation& s) : InUse(s.in_use, "simulation") {}
  InUse(bool& flag, const char* what);
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;
  ~InUse() { flag_ = false; }

 private:
  bool& flag_;
};
}  // namespace mubody::python

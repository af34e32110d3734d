#pragma once
// A simulation as Python holds it.
#include "python/bind.h"

namespace mubody::python {
struct HeldSimulation {
  Simulation simulation;
  RaisedRef raised;
  ResultsRef about;          // what is known before there are results
  py::dict outputs, inputs;  // from names to their numbers
  py::object functions;      // of the program, that the motion calls
  bool in_use = false;       // read and set with the interpreter's lock

  HeldSimulation(Simulation, RaisedRef, ResultsRef, py::object functions);
};

/// Keeps other threads from what goes on without the interpreter's lock.
class InUse {
 public:
  explicit InUse(HeldSimulation& s);
  InUse(bool& flag, const char* what);
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;
  ~InUse() { flag_ = false; }

 private:
  bool& flag_;
};
}  // namespace mubody::python

#pragma once
// The interpreter's lock, for threads that may still be at work when the program ends: an interpreter that ends stops every
// thread that asks for its lock, in the middle of whatever that thread does.
#include <pybind11/pybind11.h>

namespace mubody::python {
namespace py = pybind11;

/// Whether the program ends while this thread is at work; nothing of Python may be touched any more.
bool leaving();

/// Lets other threads run, as py::gil_scoped_release does.  A thread that comes back when the program ends waits for that.
class Unlocked {
 public:
  Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  ~Unlocked();

 private:
  PyThreadState* thread_;
};

/// Takes the lock for a function of the program.  Throws std::runtime_error when the program ends.
class Locked {
 public:
  Locked();

 private:
  bool refused_;  // before the lock is asked for
  py::gil_scoped_acquire lock_;
};

/// Gives up something of Python, with the lock; when the program ends, nothing is given up.
template <class T> void give_up(T* what) {
  if (leaving() && !PyGILState_Check()) return;
  const py::gil_scoped_acquire lock;
  delete what;
}

void bind_leaving(py::module_&);
}  // namespace mubody::python

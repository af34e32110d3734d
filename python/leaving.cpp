#include "python/leaving.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace mubody::python {
namespace {
std::atomic<int> at_work = 0;  // threads that have given the lock away
std::atomic<bool> ends = false;
std::atomic<std::thread::id> ended_by{};

// Called by the interpreter before it ends.  Who is at work hears of it at the end of a step.
void leave() {
  using namespace std::chrono_literals;
  ended_by = std::this_thread::get_id();
  ends = true;
  const py::gil_scoped_release release;
  const auto latest = std::chrono::steady_clock::now() + 5s;
  while (at_work > 0 && std::chrono::steady_clock::now() < latest) std::this_thread::sleep_for(1ms);
}

bool refused() {
  if (leaving() && !PyGILState_Check()) throw std::runtime_error("the program ends");
  return false;
}
}  // namespace

bool leaving() { return ends && ended_by.load() != std::this_thread::get_id(); }

Unlocked::Unlocked() : thread_((++at_work, PyEval_SaveThread())) {}

Unlocked::~Unlocked() {
  if (leaving()) {
    --at_work;
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  PyEval_RestoreThread(thread_);
  --at_work;
}

Locked::Locked() : refused_(refused()) {}

void bind_leaving(py::module_& m) {
  m.def("leave", &leave);
  py::module_::import("atexit").attr("register")(m.attr("leave"));
  // A process that was forked has none of the other threads.
  if (const py::object os = py::module_::import("os"); py::hasattr(os, "register_at_fork"))
    os.attr("register_at_fork")(py::arg("after_in_child") = py::cpp_function([] { at_work = 0; }));
}
}  // namespace mubody::python

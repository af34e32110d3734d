// Simulations of one model that are advanced together: arrays in, arrays out.
#include <atomic>
#include <cmath>
#include <limits>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "python/attendance.h"
#include "python/held_simulation.h"

namespace mubody::python {
namespace {
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

class Batch {
 public:
  py::object functions;  // of the program, that the motions call

  Batch(HeldSimulation& first, std::size_t count, const std::vector<std::string>& inputs,
        const std::vector<std::string>& outputs, int threads)
      : input_names_(inputs), output_names_(outputs), threads_(std::max(1, threads)), raised_(first.raised),
        pressed_(Raised::make()), why_(count), failed_(count, false) {
    const InUse use(first);
    functions = first.functions;
    load_numpy();
    if (count == 0) throw py::value_error("a batch has at least one simulation");
    for (const std::string& name : inputs) inputs_.push_back(first.simulation.input(name));
    for (const std::string& name : outputs) outputs_.push_back(first.simulation.output(name));
    Unlocked release;
    start_ = first.simulation.save();
    all_.reserve(count);
    for (std::size_t k = 0; k < count; ++k) all_.push_back(first.simulation.copy());
  }

  std::size_t size() const { return all_.size(); }

  /// Sets the inputs, goes on by dt, and gives the outputs; what has failed has no numbers.
  Array advance(double dt, const py::object& u) {
    const InUse use(in_use_, "batch");
    if (!(dt >= 0 && std::isfinite(dt)))
      throw py::value_error(fmt::format("time goes forward only: dt = {}", dt));
    const Array given = u.is_none() ? Array() : inputs_in(u);
    const double* const values = u.is_none() ? nullptr : given.data();
    Array y({py::ssize_t(size()), py::ssize_t(outputs_.size())});
    double* const out = y.mutable_data();
    {
      Unlocked release;
      in_parts([&](std::size_t k, const Progress& going) {
        if (values) set(k, values + k * inputs_.size());
        go(k, dt, going);
        read(k, out + k * outputs_.size());
      });
    }
    pressed_->rethrow();
    return y;
  }

  Array outputs() {
    const InUse use(in_use_, "batch");
    Array y({py::ssize_t(size()), py::ssize_t(outputs_.size())});
    for (std::size_t k = 0; k < size(); ++k) read(k, y.mutable_data() + k * outputs_.size());
    return y;
  }

  /// Takes the simulations of these numbers back to the start.
  void reset(const std::vector<std::size_t>& which) {
    const InUse use(in_use_, "batch");
    for (const std::size_t k : which) {
      if (k >= size()) throw py::index_error(fmt::format("there are {} simulations", size()));
      all_[k].restore(start_);
      failed_[k] = false;
      why_[k].clear();
    }
  }

  std::vector<double> times() {
    const InUse use(in_use_, "batch");
    std::vector<double> t;
    for (const Simulation& s : all_) t.push_back(s.time());
    return t;
  }
  std::vector<bool> failed() {
    const InUse use(in_use_, "batch");
    return {failed_.begin(), failed_.end()};
  }
  std::vector<std::string> messages() {
    const InUse use(in_use_, "batch");
    return why_;
  }
  const std::vector<std::string>& input_names() const { return input_names_; }
  const std::vector<std::string>& output_names() const { return output_names_; }

 private:
  Array inputs_in(const py::object& u) const {
    const Array given = Array::ensure(u);
    if (!given) throw py::type_error("inputs are an array of numbers");
    const bool matrix = given.ndim() == 2 && std::size_t(given.shape(0)) == size() &&
                        std::size_t(given.shape(1)) == inputs_.size();
    const bool column = given.ndim() == 1 && inputs_.size() == 1 && std::size_t(given.shape(0)) == size();
    if (!matrix && !column)
      throw py::value_error(
          fmt::format("inputs are an array of {} simulations by {} inputs", size(), inputs_.size()));
    return given;
  }
  void set(std::size_t k, const double* values) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) all_[k].set(inputs_[i], values[i]);
  }
  void go(std::size_t k, double dt, const Progress& going) {
    if (failed_[k]) return;
    const Outcome outcome = all_[k].advance(dt, going);
    if (outcome || all_[k].outcome()) return;  // who was stopped has not failed
    failed_[k] = true;
    why_[k] = outcome.why;
    if (outcome.kind == Outcome::call_failed) forget_exception();
  }
  // Functions in Python fail as others do; only the user's wish to stop is no matter of one simulation.
  void forget_exception() {
    Locked lock;
    const py::object raised = raised_->taken();
    if (!PyErr_GivenExceptionMatches(raised.ptr(), PyExc_KeyboardInterrupt)) return;
    pressed_->keep(raised);
    stopped_ = true;
  }
  void read(std::size_t k, double* to) {
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      to[i] = failed_[k] ? std::numeric_limits<double>::quiet_NaN() : all_[k].value(outputs_[i]);
  }
  // In threads, one of which is the caller's; it does what no thread could be started for.
  template <class Work> void in_parts(const Work& work) {
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t parts = std::min({std::size_t(threads_), size(), cores});
    stopped_ = false;
    Watching watching(pressed_);
    const Progress hears = [&](double) { return !stopped_; }, looks = [&](double part) {
      if (!watching(part)) stopped_ = true;
      return !stopped_;
    };
    const auto part = [&](std::size_t p, const Progress& going) {
      for (std::size_t k = p * size() / parts; k < (p + 1) * size() / parts && !stopped_; ++k) work(k, going);
    };
    if (parts == 1) return part(0, looks);
    Attendance attendance(parts);
    std::vector<std::jthread> others;
    try {
      for (std::size_t p = 1; p < parts; ++p)
        others.emplace_back([&, p] { attendance.work([&] { part(p, hears); }); });
    } catch (const std::system_error&) {
    }
    attendance.work([&] { part(0, looks); });
    for (std::size_t p = others.size() + 1; p < parts; ++p) attendance.work([&] { part(p, looks); });
    attendance.wait(watching, stopped_);
  }

  std::vector<std::string> input_names_, output_names_;
  int threads_;
  RaisedRef raised_, pressed_;  // by functions of the model; by the user's wish to stop
  Snapshot start_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<Simulation> all_;
  bool in_use_ = false;
  std::atomic<bool> stopped_ = false;
  std::vector<std::string> why_;  // simulations failed
  std::vector<char> failed_;      // one for each, which threads may write beside each other
};
}  // namespace

void bind_batch(py::module_& m) {
  const auto kept = seen_by_collector<Batch>([](Batch& b, const auto& take) { take(b.functions); });
  py::class_<Batch>(m, "Batch", kept, "Simulations of one model that are advanced together.")
      .def(py::init<HeldSimulation&, std::size_t, const std::vector<std::string>&,
                    const std::vector<std::string>&, int>())
      .def("__len__", &Batch::size)
      .def("advance", &Batch::advance)
      .def("outputs", &Batch::outputs)
      .def("reset", &Batch::reset)
      .def_property_readonly("times", &Batch::times)
      .def_property_readonly("failed", &Batch::failed)
      .def_property_readonly("messages", &Batch::messages)
      .def_property_readonly("input_names", &Batch::input_names)
      .def_property_readonly("output_names", &Batch::output_names);
}
}  // namespace mubody::python

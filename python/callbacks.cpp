// Functions of Python, and compiled ones, as signals of forces and as signals by name.
#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/mechanism/each_field.h"
#include "mubody/simulation/model.h"
#include "mubody/system/element_results.h"
#include "python/bind.h"

namespace mubody::python {
namespace {
using Names = std::map<std::string, StateVariable, std::less<>>;

void add_quantities(Names& all, const std::string& owner, const Marker& at, bool body, int dim) {
  using Q = StateVariable;
  const std::pair<const char*, Q::Quantity> both[] = {{"x", Q::x}, {"y", Q::y}, {"vx", Q::vx}, {"vy", Q::vy}},
                                            plane[] = {{"angle", Q::angle}, {"omega", Q::omega}},
                                            space[] = {{"z", Q::z}, {"vz", Q::vz}},
                                            turns[] = {{"wx", Q::wx}, {"wy", Q::wy}, {"wz", Q::wz},
                                                       {"e0", Q::e0}, {"e1", Q::e1}, {"e2", Q::e2},
                                                       {"e3", Q::e3}};
  const auto add = [&](const auto& names) {
    for (const auto& [name, quantity] : names) all[owner + "." + name] = {at, quantity};
  };
  add(both);
  if (dim == 3) add(space);
  if (body && dim == 2) add(plane);
  if (body && dim == 3) add(turns);
}

/// All names that functions may read.  Coordinates of joints are noted for them.
Names names_of(Mechanism& m) {
  Names all;
  for (std::size_t k = 0; k < m.bodies.size(); ++k)
    add_quantities(all, m.bodies[k].name, Marker{int(k) + 1}, true, m.dim);
  for (const Point& p : m.points)
    if (!p.in) add_quantities(all, p.name, p.marker, false, m.dim);
  const auto number = [](int noted) { return StateVariable{Marker{}, StateVariable::noted, noted}; };
  for (std::size_t k = 0; k < m.signals.size(); ++k)
    if (m.signals[k].is_named()) all[m.signals[k].name] = number(int(k));
  for (std::size_t k = 0; k < m.joints.size(); ++k) {
    const auto coordinates = coordinates_of_joint(m, k);
    for (std::size_t part = 0; part < coordinates.size(); ++part)
      for (const bool rate : {false, true}) {
        const std::string name = m.joints[k].name + "." + coordinates[part].name + (rate ? "_rate" : "");
        all[name] = number(m.note(Noted::joint, name, k, part, rate));
      }
  }
  return all;
}

/// What a function reads while signals are computed in their order.
struct Turn {
  static constexpr int last = std::numeric_limits<int>::max();
  int number = last;        // of what it stands for; it is called after all signals if it is the last
  std::string name;         // the same in words
  std::vector<bool> waits;  // for each number, whether it is a signal of the model, which has its turn

  void check(const StateVariable& v, const std::string& read) const {
    if (v.quantity != StateVariable::noted || v.number < number) return;
    if (std::size_t(v.number) >= waits.size() || !waits[std::size_t(v.number)]) return;
    if (v.number == number)
      throw ModelError(fmt::format("signal '{}' reads itself: signals depend on each other", name));
    throw ModelError(fmt::format(
        "'{0}' reads the signal '{1}', which is computed after it: declare '{1}' before '{0}'; if '{1}' needs "
        "'{0}' too, signals depend on each other, and a block whose output is a state, such as lag or "
        "integrator, can stand between them",
        name, read));
  }
};
using TurnRef = std::shared_ptr<const Turn>;

TurnRef turn_of(const Mechanism& m, const Callback& c) {
  Turn turn;
  turn.name = c.path[1];
  for (const Noted& n : m.signals) turn.waits.push_back(n.is_named());
  for (std::size_t k = 0; k < m.signals.size(); ++k) {
    const Noted& n = m.signals[k];
    const bool own = c.path[0] == "signals" && n.is_named() && n.name == c.path[1];
    // A block that shows its state reads its input after everything else.
    if (own && (!n.what || n.sample || (*n.what)->direct(false))) turn.number = int(k);
    const bool reported =
        c.path[0] == "forces" && n.kind == Noted::force && m.forces[std::size_t(n.element)].name == c.path[1];
    if (reported) turn.number = std::min(turn.number, int(k));
  }
  return std::make_shared<const Turn>(std::move(turn));
}

/// What a function in Python sees; it lasts as long as the call.
struct SeenState {
  const State* state = nullptr;
  std::shared_ptr<const Names> names;
  TurnRef turn;

  double at(const std::string& name) const {
    if (!state) throw py::value_error("a state can be read only during the call that it was given to");
    const auto found = names->find(name);
    if (found == names->end()) {
      std::vector<std::string> known;
      for (const auto& [text, variable] : *names) known.push_back(text);
      throw py::key_error(fmt::format("there is no '{}' in the state{}", name, suggestion(name, known)));
    }
    turn->check(found->second, name);
    return (*state)(found->second);
  }
};

/// Takes the state away at the end of the call, however that ends.
struct ShownState {
  std::shared_ptr<SeenState> seen;
  ~ShownState() { seen->state = nullptr; }
};

/// What a function in Python gives; what it raises is kept, and told to the motion as a failure.  `wanted` says what it must
/// return.
template <class Result, class Call>
Result called(const Call& call, const RaisedRef& raised, const char* wanted) {
  try {
    return call().template cast<Result>();
  } catch (py::error_already_set& e) {
    const std::string what = e.what();
    if (raised) raised->keep(e.value());
    throw std::runtime_error(what);
  } catch (const py::cast_error&) {
    if (raised) raised->keep(py::reinterpret_borrow<py::object>(PyExc_TypeError)(wanted));
    throw std::runtime_error(wanted);
  }
}

StateFunction python_function(const Callback& c, std::shared_ptr<const Names> names, TurnRef turn,
                              RaisedRef raised) {
  return [function = c.function, names, turn, raised](double t, const State& state) {
    Locked lock;
    const ShownState shown{std::make_shared<SeenState>(SeenState{&state, names, turn})};
    return called<double>([&] { return function(t, shown.seen); }, raised,
                          "a function of (t, state) must return a number");
  };
}

StateFunction compiled_function(const Callback& c, const Names& names, const Turn& turn) {
  std::vector<StateVariable> reads;
  for (const std::string& name : c.reads) {
    const auto found = names.find(name);
    if (found == names.end()) throw ModelError(fmt::format("there is no '{}' in the state", name));
    turn.check(found->second, name);
    reads.push_back(found->second);
  }
  constexpr std::size_t most = 64;
  if (reads.size() > most) throw ModelError(fmt::format("a compiled function reads at most {} numbers", most));
  using Compiled = double (*)(double, const double*);
  const auto function = reinterpret_cast<Compiled>(c.address);
  return [function, reads](double t, const State& state) {
    std::array<double, most> values{};
    for (std::size_t k = 0; k < reads.size(); ++k) values[k] = state(reads[k]);
    return function(t, values.data());
  };
}

/// A function of time in Python that gives its value, rate and acceleration, as drivers need them.
struct PythonMotion {
  static constexpr Info info{"python", "a function of the program"};
  std::function<Jet(double t)> function;

  void fields(Fields&) {}
  void check() {}
  Jet operator()(double t) const { return function(t); }
};

Function motion_of(const Callback& c, RaisedRef raised) {
  return Function(PythonMotion{[function = c.function, raised](double t) {
    Locked lock;
    const auto all = called<std::array<double, 3>>(
        [&] { return function(t); }, raised,
        "a function that a driver follows must return (value, rate, acceleration)");
    return Jet{all[0], all[1], all[2]};
  }});
}

/// What a function in Python may stand for.
struct Given {
  StateFunction of_state;
  std::function<Function()> of_time;  // empty for compiled ones
};

/// Puts a function in the place of a signal, or of a function of time, among the fields of an element.
class Putter : public EachField<Putter> {
 public:
  Putter(std::string field, std::optional<std::size_t> entry, const Given& f)
      : field_(std::move(field)), entry_(entry), given_(f) {}
  bool done = false;

  template <class T> void each(const Field& f, T& value) {
    if (f.name != field_) return;
    if constexpr (std::is_same_v<T, Signal>) {
      if (!entry_) value = Signal(given_.of_state), done = true;
    } else if constexpr (std::is_same_v<T, std::vector<Signal>>) {
      if (entry_ && *entry_ < value.size()) value[*entry_] = Signal(given_.of_state), done = true;
    } else if constexpr (std::is_same_v<T, Function> || std::is_same_v<T, std::optional<Function>>) {
      if (!entry_ && given_.of_time && f.of_time) value = given_.of_time(), done = true;
    }
  }

 private:
  std::string field_;
  std::optional<std::size_t> entry_;
  const Given& given_;
};

template <class T> bool put_into(std::vector<Named<T>>& all, const Callback& c, const Given& f) {
  const auto element = std::ranges::find(all, c.path[1], &Named<T>::name);
  if (element == all.end() || c.path.size() < 3) return false;
  std::optional<std::size_t> entry;
  if (c.path.size() > 3) {
    const char *const first = c.path[3].data(), *const last = first + c.path[3].size();
    std::size_t k = 0;
    if (const auto [end, error] = std::from_chars(first, last, k); error != std::errc() || end != last)
      return false;
    entry = k;
  }
  Putter putter(c.path[2], entry, f);
  element->what->fields(putter);
  return putter.done;
}

bool put_into_signal(Mechanism& m, const Callback& c, const Given& f) {
  const auto signal = std::ranges::find(m.signals, c.path[1], &Noted::name);
  if (signal == m.signals.end()) return false;
  if (signal->kind == Noted::block && c.path.size() == 3) {
    Putter putter(c.path[2], {}, f);
    (*signal->what)->fields(putter);
    return putter.done;
  }
  if (signal->kind != Noted::formula) return false;
  signal->signal = Signal(f.of_state);
  return true;
}
}  // namespace

void add_callbacks(Study& study, const std::vector<Callback>& all, const RaisedRef& raised) {
  Locked lock;
  Mechanism& m = study.mechanism;
  const auto names = std::make_shared<const Names>(names_of(m));
  for (const Callback& c : all) {
    Given f;
    const TurnRef turn = c.path.size() > 1 ? turn_of(m, c) : std::make_shared<const Turn>();
    f.of_state = c.address != 0 ? compiled_function(c, *names, *turn) : python_function(c, names, turn, raised);
    if (c.address == 0) f.of_time = [&] { return motion_of(c, raised); };
    const std::string section = c.path.empty() ? "" : c.path[0];
    const bool taken = c.path.size() > 1 && (section == "forces"    ? put_into(m.forces, c, f)
                                             : section == "drivers" ? put_into(m.joints, c, f)
                                             : section == "signals" ? put_into_signal(m, c, f)
                                                                    : false);
    if (!taken)
      throw ModelError(fmt::format(
          "'{}' cannot be a function in Python: signals of forces, [signals] and the motions of drivers can",
          fmt::join(c.path, ".")));
  }
}

void bind_callbacks(py::module_& m) {
  py::class_<SeenState, std::shared_ptr<SeenState>>(m, "State",
                                                    "What a function reads of the mechanism, by name.")
      .def("__getitem__", &SeenState::at)
      .def("names", [](const SeenState& s) {
        std::vector<std::string> all;
        for (const auto& [name, variable] : *s.names) all.push_back(name);
        return all;
      });
}
}  // namespace mubody::python

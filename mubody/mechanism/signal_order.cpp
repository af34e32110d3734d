#include "mubody/mechanism/signal_order.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/mechanism/each_field.h"

namespace mubody {
namespace {
// Finds what formulas read of the board among the fields of a force.
class NotedReader : public EachConstField<NotedReader> {
 public:
  NotedReader(const Mechanism& m, int own) : m_(m), own_(own) {}
  std::vector<int> found;

  template <class T> void each(const Field&, const T&) {}
  void each(const Field&, const Signal& s) { take(s); }
  void each(const Field&, const std::vector<Signal>& all) {
    for (const Signal& s : all) take(s);
  }
  void take(const Signal& s) {
    for (const StateVariable& v : s.variables())
      if (v.quantity == StateVariable::noted) found.push_back(v.number);
    if (s.is_call()) take_all();
  }

 private:
  // A function of the program does not say what it reads: it may read all that was there before it, and all coordinates of
  // joints, which read nothing themselves.
  void take_all() {
    for (std::size_t k = 0; k < m_.signals.size(); ++k)
      if (int(k) < own_ || m_.signals[k].kind == Noted::joint) found.push_back(int(k));
  }

  const Mechanism& m_;
  int own_;
};

/// What is read for something that is noted, at the same instant.
std::vector<int> read_by(const Mechanism& m, int k) {
  const Noted& n = m.signals[std::size_t(k)];
  NotedReader reader(m, k);
  if (n.kind == Noted::input || n.kind == Noted::formula) reader.take(n.signal);
  if (n.kind == Noted::force) show_fields(*m.forces[std::size_t(n.element)].what, reader);
  if (n.what && (*n.what)->direct(n.sample.has_value())) {
    reader.take((*n.what)->input());
    if ((*n.what)->other()) reader.take(*(*n.what)->other());
  }
  return std::move(reader.found);
}

class SignalSorter {
 public:
  explicit SignalSorter(const Mechanism& m) : m_(m), marks_(m.signals.size(), none) {}

  std::vector<int> sorted() {
    for (std::size_t k = 0; k < m_.signals.size(); ++k) visit(int(k));
    return std::move(order_);
  }

 private:
  enum Mark { none, open, done };

  struct Visit {
    int number;
    std::vector<int> reads;
    std::size_t next = 0;
  };
  void enter(int k) {
    if (marks_[std::size_t(k)] == open) refuse_cycle(k);
    if (marks_[std::size_t(k)] == none) way_.push_back({k, read_by(m_, k)});
    if (marks_[std::size_t(k)] == none) marks_[std::size_t(k)] = open;
  }
  // Without recursion: files may have chains of any length.
  void visit(int k) {
    enter(k);
    while (!way_.empty()) {
      Visit& now = way_.back();
      if (now.next < now.reads.size()) {
        enter(now.reads[now.next++]);
        continue;
      }
      marks_[std::size_t(now.number)] = done;
      order_.push_back(now.number);
      way_.pop_back();
    }
  }
  // The message names the cycle from the signal on that stands first in the file.
  [[noreturn]] void refuse_cycle(int from) const {
    std::vector<int> cycle;
    for (auto v = std::ranges::find(way_, from, &Visit::number); v != way_.end(); ++v)
      cycle.push_back(v->number);
    const auto first = std::ranges::min_element(
        cycle, {}, [&](int k) { return std::pair(!m_.signals[std::size_t(k)].is_named(), k); });
    std::rotate(cycle.begin(), first, cycle.end());
    const Noted& begin = m_.signals[std::size_t(cycle.front())];
    std::string names;
    for (const int k : cycle) names += fmt::format("'{}' needs ", m_.signals[std::size_t(k)].name);
    throw ModelError(
        begin.place,
        fmt::format("signal '{0}': depends on itself: {1}'{0}'; a block whose output is a state, such as "
                    "lag or integrator, can stand between them",
                    begin.name, names));
  }

  const Mechanism& m_;
  std::vector<Mark> marks_;
  std::vector<Visit> way_;
  std::vector<int> order_;
};
}  // namespace

std::vector<bool> read_between_instants(const Mechanism& m) {
  std::vector<bool> all(m.signals.size(), false);
  std::vector<int> open;
  const auto take = [&](const std::vector<int>& found) {
    for (const int k : found)
      if (!all[std::size_t(k)]) all[std::size_t(k)] = true, open.push_back(k);
  };
  NotedReader of_forces(m, int(m.signals.size()));
  for (const auto& force : m.forces) show_fields(*force.what, of_forces);
  take(of_forces.found);
  for (std::size_t k = 0; k < m.signals.size(); ++k)
    if (m.signals[k].what && !m.signals[k].sample) take({int(k)});  // a block may have states
  while (!open.empty()) {
    const int k = open.back();
    open.pop_back();
    if (!m.signals[std::size_t(k)].sample) take(read_by(m, k));
  }
  return all;
}

std::vector<int> signal_order(const Mechanism& m) { return SignalSorter(m).sorted(); }

void refuse_signals_that_remember(const Mechanism& m) {
  for (const Noted& n : m.signals)
    if (n.remembers())
      throw ModelError(
          n.place,
          fmt::format("signal '{}': {}: only a motion that is integrated over time can follow it, and "
                      "this analysis integrates none",
                      n.name,
                      n.sample ? "is sampled"
                               : fmt::format("is of type '{}', which remembers", (*n.what)->info().name)));
}
}  // namespace mubody

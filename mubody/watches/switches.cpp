#include "mubody/watches/switches.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "mubody/mechanism/each_field.h"

namespace mubody {
namespace {
constexpr int too_many = 12;          // changes at one instant
constexpr double one_instant = 1e-6;  // of the largest step

// Finds the formulas of the state among the fields of a force.
class FormulaFinder : public EachField<FormulaFinder> {
 public:
  std::vector<std::pair<const Expression*, std::function<void(std::shared_ptr<Switches>)>>> found;

  template <class T> void each(const Field&, T&) {}
  void each(const Field&, Signal& s) { take(s); }
  void each(const Field&, std::vector<Signal>& all) {
    for (Signal& s : all) take(s);
  }
  void each(const Field&, Law& law) { take(law.kind().formula(), law); }
  void each(const Field&, std::optional<Law>& law) {
    if (law) take(law->kind().formula(), *law);
  }

 private:
  void take(Signal& s) { take(s.formula(), s); }
  template <class Watched> void take(const Expression* formula, Watched& watched) {
    if (formula && !formula->switches().value.empty())
      found.emplace_back(formula, [&watched](std::shared_ptr<Switches> s) { watched.watch(std::move(s)); });
  }
};
}  // namespace

SwitchWatch::SwitchWatch(Mechanism& m) {
  for (auto& force : m.forces) {
    FormulaFinder finder;
    force.what->fields(finder);
    const std::string owner = fmt::format("force '{}'", force.name);
    add(owner, finder.found);
    add(owner, force.what->corner(), force.what->corners(), *force.what);
  }
  for (Noted& n : m.signals) {
    if (n.sample) continue;
    FormulaFinder finder;
    finder.each({}, n.signal);
    if (n.what) (*n.what)->fields(finder);
    const std::string owner = fmt::format("signal '{}'", n.name);
    add(owner, finder.found);
    if (n.what) add(owner, (*n.what)->info().name, (*n.what)->corners(), **n.what);
  }
}

void SwitchWatch::add(const std::string& owner, const std::vector<Found>& found) {
  for (const auto& [formula, watch] : found) {
    all_.push_back({owner, formula->text(), std::make_shared<Switches>(formula->switches())});
    watch(all_.back().switches);
  }
}

template <class Element>
void SwitchWatch::add(const std::string& owner, std::string_view what, int corners, Element& element) {
  if (corners == 0) return;
  const auto n = std::size_t(corners);
  all_.push_back({owner, std::string(what),
                  std::make_shared<Switches>(Switches{std::vector<double>(n), std::vector<signed char>(n),
                                                      std::vector<double>(n), false})});
  element.watch(all_.back().switches);
}

bool SwitchWatch::crossed() const {
  for (const Watched& w : all_)
    for (std::size_t k = 0; k < w.switches->value.size(); ++k)
      if (Switches::sign_of(w.switches->value[k]) != w.switches->side[k]) return true;
  return false;
}

void SwitchWatch::hold(double t, const Evaluate& evaluate) {
  for (const Watched& w : all_) w.switches->held = false;
  evaluate(t);
  for (const Watched& w : all_) w.switches->hold();
}

std::optional<double> SwitchWatch::first_change(double from, double to, const Evaluate& evaluate) {
  usual_ = std::max(usual_, to - from);
  // A formula that an input has replaced is not evaluated, and stays where it is.
  for (const Watched& w : all_) std::ranges::copy(w.switches->side, w.switches->value.begin());
  evaluate(to);
  if (!crossed()) return {};
  double before = from, after = to;
  const double precise = 4e-16 * std::max(std::abs(from), std::abs(to)) + 1e-14 * (to - from);
  while (after - before > precise) {
    const double middle = before + 0.5 * (after - before);
    if (!(middle > before && middle < after)) break;
    evaluate(middle);
    (crossed() ? after : before) = middle;
  }
  return after;
}

void SwitchWatch::change(double t, const Evaluate& evaluate) {
  chatter_.clear();
  evaluate(t);
  const auto changed = std::ranges::find_if(all_, [](const Watched& w) {
    for (std::size_t k = 0; k < w.switches->value.size(); ++k)
      if (Switches::sign_of(w.switches->value[k]) != w.switches->side[k]) return true;
    return false;
  });
  if (t - since_ > one_instant * usual_) since_ = t, at_once_ = 0;
  if (++at_once_ > too_many && changed != all_.end())
    chatter_ = fmt::format(
        "{} switches back and forth at t = {:.6g} s: \"{}\" asks for both sides at once there, as dry "
        "friction at rest does; use a contact or joint with friction, or a smooth formula such as "
        "tanh(v/0.001) in "
        "place of sign(v)",
        changed->owner, t, changed->text);
  hold(t, evaluate);
}

void SwitchWatch::memory(Memory& m) {
  for (Watched& w : all_) {
    for (signed char& side : w.switches->side) m(side);
    m(w.switches->whole);
  }
  m(since_, usual_, at_once_);
}
}  // namespace mubody

#include "mubody/mechanism/functions_of_time.h"

#include <fmt/format.h>

#include "mubody/mechanism/each_field.h"

namespace mubody {
namespace {
class FunctionGatherer final : public EachConstField<FunctionGatherer> {
 public:
  std::string element;
  std::vector<FunctionOfTime> all;

  template <class T> void each(const Field&, const T&) {}
  void each(const Field& field, const Function& f) {
    if (field.of_time) take(f);
  }
  void each(const Field& field, const std::optional<Function>& f) {
    if (f) each(field, *f);
  }
  void each(const Field&, const std::vector<Function>& functions) {
    for (const Function& f : functions) take(f);
  }
  void each(const Field&, const Signal& s) {
    if (!s.depends_on_state()) take(s.function_of_time());
    if (s.formula()) take_parts(*s.formula(), 0);
  }
  void each(const Field& f, const std::vector<Signal>& signals) {
    for (const Signal& s : signals) each(f, s);
  }
  void each(const Field&, const Law& law) {
    if (const Expression* formula = law.kind().formula()) take_parts(*formula, LawKind::time);
  }
  void each(const Field& f, const std::optional<Law>& law) {
    if (law) each(f, *law);
  }

  void take(const Function& f) {
    if (!f.varies()) return;
    const Expression* formula = f.kind().formula();
    all.push_back({element, &f.kind(), formula ? std::make_shared<Expression>(*formula) : nullptr});
  }

 private:
  void take_parts(const Expression& formula, int time) {
    for (Expression& part : formula.parts_of(time))
      all.push_back({element, nullptr, std::make_shared<Expression>(std::move(part))});
  }
};
}  // namespace

Breakpoints FunctionOfTime::breakpoints(double from, double to) const {
  return kind ? kind->breakpoints(from, to) : Breakpoints::of(formula->breakpoints(from, to));
}

std::vector<FunctionOfTime> functions_of_time(const Mechanism& m) {
  FunctionGatherer gatherer;
  for (const auto& force : m.forces) {
    gatherer.element = fmt::format("force '{}'", force.name);
    show_fields(*force.what, gatherer);
    for (const Function& f : force.what->curves()) gatherer.take(f);
  }
  for (const auto& joint : m.joints) {
    gatherer.element = fmt::format("{} '{}'", joint.driver ? "driver" : "joint", joint.name);
    show_fields(*joint.what, gatherer);
  }
  for (const Noted& n : m.signals) {
    if (n.sample) continue;
    gatherer.element = fmt::format("signal '{}'", n.name);
    gatherer.each({}, n.signal);
    if (n.what) show_fields(**n.what, gatherer);
  }
  return std::move(gatherer.all);
}
}  // namespace mubody

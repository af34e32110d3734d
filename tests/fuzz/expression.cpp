// Formulas of users: parsed, evaluated with and without derivatives, taken apart, and written in C.
#include <array>

#include "tests/fuzz/formula.h"

using namespace mubody;
using namespace mubody::testing;

namespace {
const std::array<std::string, 3> variables{"t", "x", "crank.omega"};
const std::map<std::string, double> constants{{"k", 2.5}};

void evaluate(const Expression& f) {
  Switches switches = f.switches();
  for (const double x : {0.0, 0.5, -3.0, 1e308}) {
    const std::array values{x, 1 - x, 2 * x};
    const std::array jets{Jet{x, 1, 0}, Jet{1 - x, 0, 1}, Jet{2 * x, 1, 1}};
    f(values), f(jets);
    f(values, switches);
    switches.hold();
    f(values, switches);
  }
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = text_in(data, size);
  Expression::names(text);
  const std::optional<Expression> f = formula(text, variables, constants);
  if (!f) return 0;
  hold(f->text() == text, "a formula remembers what was written");
  hold(!f->operations().empty(), "a formula does something");
  evaluate(*f);
  for (const Expression& part : f->parts_of(0)) evaluate(part);
  return 0;
}

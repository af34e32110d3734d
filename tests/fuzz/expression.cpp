// Formulas of users: parsed, evaluated with and without derivatives, taken apart, and written in C.
#include "mubody/math/expression.h"

#include <array>
#include <map>
#include <vector>

#include "tests/fuzz/fuzz.h"

using namespace mubody;
using namespace mubody::testing;

namespace {
const std::array<std::string, 3> variables{"t", "x", "crank.omega"};
const std::map<std::string, double> constants{{"k", 2.5}};

std::optional<Expression> parsed(std::string_view text, std::span<const std::string> names) {
  try {
    return Expression::parse(text, names, constants);
  } catch (const ExpressionError& e) {
    hold(e.position <= text.size(), "a mistake is at a place of the formula");
    check_message(e.located());
    return {};
  }
}

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
  const std::optional<Expression> f = parsed(text, variables);
  if (!f) return 0;
  hold(f->text() == text, "a formula remembers what was written");
  hold(!f->operations().empty() && !f->code(variables).empty(), "a formula does something");
  evaluate(*f);
  for (const Expression& part : f->parts_of(0)) evaluate(part);
  // Where it changes its form is asked of formulas of the time alone.
  if (f->uses(1) || f->uses(2)) return 0;
  const std::optional<Expression> of_time = parsed(text, std::span(variables).first(1));
  if (!of_time) return 0;
  for (const SignChange& at : of_time->breakpoints(0, 1))
    hold(at.at >= 0 && at.at <= 1, "a breakpoint is in its span");
  for (const Expression& part : of_time->sharp_parts()) part.sharp_places(0, 1);
  return 0;
}

// Formulas of time: where they change their form, and where they are sharp.  The search looks at many instants, so that
// it has a target of its own, of short formulas.
#include "tests/fuzz/formula.h"

using namespace mubody;
using namespace mubody::testing;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t longest = 60;
  static const std::string time[] = {"t"};
  const std::string_view text = text_in(data, size).substr(0, longest);
  const std::optional<Expression> f = formula(text, time);
  if (!f || !f->uses(0)) return 0;
  for (const SignChange& c : f->breakpoints(0, 1)) hold(c.at >= 0 && c.at <= 1, "a breakpoint is in its span");
  for (const Expression& part : f->sharp_parts()) part.sharp_places(0, 1);
  return 0;
}

#include "cli/c_files.h"

#include <cmath>

#include <fmt/format.h>

#include "cli/exit.h"
#include "mubody/model/units.h"
#include "mubody/precompute/c/emit_c.h"

namespace mubody::cli {
constexpr io::OwnKind c_file{"mubody", [](std::string_view beginning) {
                               return beginning.find("Made by mubody") != beginning.npos ||
                                      beginning.find("_SELF_TEST_MAIN a program that tests itself") !=
                                          beginning.npos;
                             }};

std::string checked_c_name(const std::string& asked, const std::string& model) {
  if (asked.empty()) return c_name(model);
  if (asked != c_name(asked))
    throw UsageError(
        fmt::format("--name must be a name in C, of letters, digits and _, and not mb: got '{}', perhaps {}",
                    asked, c_name(asked)));
  return asked;
}

double option_number(const std::string& option, const std::string& text, const char* unit) {
  double x = 0;
  try {
    x = to_si(text, unit);
  } catch (const UnitError& e) {
    throw UsageError(fmt::format("{}: {}", option, e.what()));
  }
  if (!std::isfinite(x)) throw UsageError(fmt::format("{} must be finite, got '{}'", option, text));
  return x;
}

double positive_option(const std::string& option, const std::string& text, const char* unit) {
  const double x = option_number(option, text, unit);
  if (!(x > 0)) throw UsageError(fmt::format("{} must be positive, got '{}'", option, text));
  return x;
}
}  // namespace mubody::cli

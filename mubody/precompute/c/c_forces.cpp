#include "mubody/precompute/c/c_forces.h"

#include <fmt/format.h>

#include "mubody/math/c_number.h"
#include "mubody/model/escape.h"

namespace mubody {
namespace {
/// What a force does along its scalars, as expressions; its scalars are those from `first` on.
std::vector<std::string> expressions(const ScalarForm& form, int first) {
  ScalarForm::Names names;
  names.t = "s->t";
  for (std::size_t i = 0; i < form.sees.size(); ++i) {
    names.x.push_back(fmt::format("x[{}]", first + int(i)));
    names.v.push_back(fmt::format("v[{}]", first + int(i)));
  }
  return form.code(names);
}
}  // namespace

std::string forces_in_c(const RealTimeModel& model, const Mechanism& m) {
  int scalars = 0;
  std::string forces;
  for (const int k : model.run_time) {
    const auto& named = m.forces[std::size_t(k)];
    const auto form = named.what->scalars(m.dim);
    const std::vector<std::string> along = form ? expressions(*form, scalars) : std::vector<std::string>{};
    if (along.empty())
      throw ModelError(
          named.place,
          fmt::format("force '{}' ({}) is applied at run time and cannot be written in C: replace it by a "
                      "spring, force or moment with formulas, or leave it out and add it by hand",
                      named.name, named.what->info().name));
    for (int a = 0; a < form->acts; ++a)
      forces += fmt::format("  f = {}; /* {} */\n  for (i = 0; i < N; ++i) b[i] += f * slope[{}][i];\n",
                            along[std::size_t(a)], for_c_comment(named.name), scalars + a);
    scalars += int(form->sees.size());
  }
  if (scalars == 0) return {};

  std::string code = fmt::format(R"(
static void mb_apply(const mb_region* r, const mb_state* s, real* b) {{
  real x[{0}], v[{0}], slope[{0}][N], f;
  int i;
  mb_look_up(r, s, {0}, x, v, slope);
)",
                                 scalars);
  // Angles whose turns are counted grow with each way round of a variable, and all the way with a cyclic one.
  for (int i = 0; i < model.n(); ++i)
    for (int k = 0; k < scalars; ++k) {
      const double gain = model.scalar_gain[std::size_t(i) * std::size_t(scalars) + std::size_t(k)];
      if (gain == 0) continue;
      code += fmt::format("  x[{}] += {} * mb_laps(r, s, {});\n", k, number_in_c(gain), i);
      const VariableRange& v = model.regions.front().variables[std::size_t(i)];
      if (v.cyclic)
        code += fmt::format("  slope[{0}][{1}] += {2};\n  v[{0}] += {2} * s->rate[{1}];\n", k, i,
                            number_in_c(gain / (v.high - v.low)));
    }
  return code + forces + "}\n";
}
}  // namespace mubody

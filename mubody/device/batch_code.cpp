#include "mubody/device/batch_code.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mubody/code/emit_model.h"
#include "mubody/recording/embedded_c.h"

namespace mubody {
namespace c_text {
extern const std::string_view motion_host_h, batch_cu, batch_host_c;
}

namespace {
constexpr std::string_view not_a_number =
    "#ifndef NAN\n#define NAN __longlong_as_double(0x7ff8000000000000LL)\n#endif\n";
}  // namespace

BatchCode batch_code(const Study& study, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs) {
  constexpr const char* name = "batch";
  EmitModelOptions o;
  o.name = name, o.inputs = inputs, o.outputs = outputs, o.steps = 0, o.kernels = false;
  const EmittedModel plain = emit_model(study, o);
  std::vector<std::ptrdiff_t> places;
  for (const std::string& wanted : inputs)
    places.push_back(std::ranges::find(plain.inputs, wanted) - plain.inputs.begin());
  const std::string which = fmt::format(
      "enum {{ MB_BATCH_INPUTS = {} }};\nMB_TABLE int mb_batch_input[{}] = {{{}}};\n", places.size(),
      places.size() + 1, places.empty() ? "0" : fmt::format("{}", fmt::join(places, ", ")));
  const auto kernels = [&] {
    return embedded_c(c_text::motion_host_h) + which + embedded_c(c_text::batch_cu, name);
  };
  o.cuda = true;
  BatchCode code;
  code.for_cuda = std::string(not_a_number) + emit_model(study, o).in_one() + kernels();
  code.for_processors = plain.in_one() + kernels() + embedded_c(c_text::batch_host_c, name);
  code.asked = inputs.size(), code.outputs = plain.outputs, code.notes = plain.notes;
  return code;
}
}  // namespace mubody

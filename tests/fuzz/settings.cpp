// Lines as people write them after --set, key=value, applied to a model; other lines are quantities with units.
#include <cmath>
#include <vector>

#include "mubody/model/units.h"
#include "mubody/reading/read_model.h"
#include "mubody/text/node.h"
#include "tests/fuzz/fuzz.h"

using namespace mubody;
using namespace mubody::testing;

namespace {
constexpr std::string_view model = R"toml(gravity = [0, -9.81]
[parameters]
L = 2
k = "20 N/mm"
[bodies]
rod = {mass = 3, inertia = "= L", position = ["= L/2", 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
[forces]
push = {type = "spring", bodies = ["ground", "rod"], i = [0, 1], j = [1, 0], stiffness = "= k"}
[analysis]
end = 1
)toml";

void read_quantity(const std::string& line) {
  const auto quantity = accepted<UnitError>([&] { return parse_quantity(line); });
  if (quantity) hold(!describe(quantity->dim).empty(), "a dimension has a name");
  for (const char* unit : {"", "m", "rad/s", "N m/rad"}) accepted<UnitError>([&] { return to_si(line, unit); });
  const auto length = accepted<UnitError>([&] { return parse_unit(line); });
  hold(length || (!is_length(line) && !is_angle(line)), "a length or an angle is a unit");
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = text_in(data, size);
  std::vector<std::string> settings;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (io::is_setting(line))
      settings.push_back(line);
    else
      read_quantity(line);
  }
  if (settings.empty()) return 0;
  accepted<ModelError>([&] { return io::read_study_text(model, nowhere, {settings, true}); });
  return 0;
}

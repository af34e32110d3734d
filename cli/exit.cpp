#include "cli/exit.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mubody/model/errors.h"

namespace mubody::cli {
void complain(const std::string& message) { fmt::print(stderr, "mubody: {}\n", message); }

int with_json_error(bool json, const std::function<int()>& work) {
  try {
    return work();
  } catch (const ModelError& e) {
    using Json = nlohmann::ordered_json;
    // A message may quote a file that is not UTF-8.
    if (json) fmt::print("{}\n", Json{{"error", e.what()}}.dump(2, ' ', false, Json::error_handler_t::replace));
    throw;
  }
}
}  // namespace mubody::cli

#include "cli/exit.h"

#include <cstdio>

#include <fmt/format.h>

#include "mubody/model/errors.h"
#include "mubody/model/escape.h"
#include "mubody/text/json.h"

namespace mubody::cli {
void note(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void complain(const std::string& message) { note(fmt::format("mubody: {}\n", for_terminal(message))); }

int with_json_error(bool json, const std::function<int()>& work) {
  // A message may quote a file that is not UTF-8.
  const auto tell = [&](const std::exception& e, const std::vector<ModelError>& others) {
    if (!json) return;
    io::Json told{{"error", e.what()}};
    for (const ModelError& other : others) told["others"].push_back(other.what());
    fmt::print("{}\n", told.dump(2));
  };
  try {
    return work();
  } catch (const ModelError& e) {
    tell(e, e.others);
    throw;
  } catch (const UsageError& e) {
    tell(e, {});
    throw;
  }
}
}  // namespace mubody::cli

// Folders of results.  An input is several files, each after a line "=== name".
#include <algorithm>
#include <array>
#include <vector>

#include "mubody/model/errors.h"
#include "mubody/writing/read_results.h"
#include "tests/fuzz/folder.h"
#include "tests/fuzz/fuzz.h"

using namespace mubody;
using namespace mubody::testing;

namespace {
constexpr std::array<std::string_view, 9> names{"summary.json", "bodies.csv",    "joints.csv",
                                                "energy.csv",   "events.csv",    "extremes.csv",
                                                "contacts.csv", "reactions.csv", "bodies.npy"};

/// Writes the files of an input and returns their names.
std::vector<std::string_view> unpack(std::string_view all, const Folder& folder) {
  constexpr std::string_view mark = "=== ";
  std::vector<std::string_view> written;
  for (std::size_t at = all.starts_with(mark) ? 0 : all.find("\n=== "); at < all.size();) {
    at = all.find(mark, at) + mark.size();
    const std::size_t line = std::min(all.find('\n', at), all.size() - 1), end = all.find("\n=== ", line);
    const auto* name = std::ranges::find(names, all.substr(at, line - at));
    if (name != names.end()) {
      folder.put(*name, all.substr(line + 1, std::min(end, all.size()) - line - 1));
      written.push_back(*name);
    }
    at = end;
  }
  return written;
}

void check(const io::StoredResults& stored) {
  for (const Table& t : stored.results.tables)
    hold(!t.columns.empty() && t.values.size() % t.columns.size() == 0, "tables have whole rows");
  const std::string summary = stored.summary.dump();
  const auto again = io::Json::parse(summary);
  hold(again && again->dump() == summary, "a summary that is written is read again as it was");
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const std::vector<std::string_view> written = unpack(text_in(data, size), folder);
  const auto stored = accepted<ModelError>([] { return io::read_results(folder.path()); });
  if (stored) check(*stored);
  accepted<ModelError>([] { return io::changes_in(folder.path()); });
  for (const std::string_view name : written) folder.remove(name);
  return 0;
}

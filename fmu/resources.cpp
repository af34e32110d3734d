#include "fmu/resources.h"

#include <fmt/format.h>

#include "mubody/model/errors.h"

namespace mubody::fmu {
namespace {
int sixteenth(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}
}  // namespace

// RFC 3986: file:/path, file:///path and file://localhost/path are the same; %20 is a byte.
std::filesystem::path folder_of_uri(std::string_view uri) {
  constexpr std::string_view scheme = "file:";
  if (!uri.starts_with(scheme)) {
    if (uri.find("://") != std::string_view::npos)
      throw ModelError(fmt::format("the location of the resources is '{}'; expected file:///...", uri));
    return uri;
  }
  std::string_view rest = uri.substr(scheme.size());
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    rest.remove_prefix(std::min(rest.find('/'), rest.size()));
  }
  std::string path;
  for (std::size_t k = 0; k < rest.size(); ++k) {
    const bool coded =
        rest[k] == '%' && k + 2 < rest.size() && sixteenth(rest[k + 1]) >= 0 && sixteenth(rest[k + 2]) >= 0;
    path += coded ? char(16 * sixteenth(rest[k + 1]) + sixteenth(rest[k + 2])) : rest[k];
    if (coded) k += 2;
  }
  return path;
}
}  // namespace mubody::fmu

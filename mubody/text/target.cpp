#include "mubody/text/target.h"

#include <cerrno>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "mubody/text/write_file.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;

bool leads_nowhere(const fs::path& path) {
  std::error_code none;
  return fs::is_symlink(fs::symlink_status(path, none)) && !fs::exists(path, none);
}
}  // namespace

std::string_view first_line(std::string_view beginning) {
  return beginning.substr(0, beginning.find_first_of("\r\n"));
}

std::string page_kind_mark(std::string_view kind) {
  return fmt::format(R"(<meta name="mubody-kind" content="{}">)", kind);
}

bool is_page(std::string_view beginning) { return beginning.find(page_mark) != beginning.npos; }

bool is_page_of(std::string_view kind, std::string_view beginning) {
  return beginning.find(std::string(page_mark) + page_kind_mark(kind)) != beginning.npos;
}

void check_writable(const fs::path& folder) {
  std::error_code error;
  fs::path there = fs::absolute(folder, error);
  while (!error && !fs::exists(there, error) && !error && there.has_relative_path()) {
    if (leads_nowhere(there))
      throw WriteError(folder, fmt::format("'{}' is a link to a folder that is not there", there.string()));
    there = there.parent_path();
  }
  if (error) throw WriteError(folder, error.message());
  if (!fs::is_directory(there, error))
    throw WriteError(folder, fmt::format("'{}' is not a folder", there.string()));
  if (::access(there.c_str(), W_OK | X_OK) != 0) throw WriteError(folder, errno);
}

void check_target(const fs::path& file, const OwnKind& kind, const Replacing& how) {
  if (is_stream(file)) return;
  try {
    check_writable(file.has_parent_path() ? file.parent_path() : fs::path("."));
  } catch (const WriteError& e) {
    throw WriteError(file, e.why);
  }
  (void)without_links(file);
  std::error_code none;
  const fs::file_status status = fs::status(file, none);
  if (status.type() == fs::file_type::none) throw WriteError(file, none.message());
  if (!fs::exists(status)) return;
  if (fs::is_directory(status)) throw WriteError(file, "it is a folder");
  if (!fs::is_regular_file(status))
    throw WriteError(file, "it is a pipe, a device or a socket; expected a file");
  if (!how.input.empty() && fs::equivalent(file, how.input, none))
    throw WriteError(file, "it is the model itself, which would be lost; choose another name");
  if (how.force || fs::file_size(file, none) == 0) return;
  const std::optional<std::string> beginning = beginning_of(file);
  if (!beginning || !kind.is || !kind.is(*beginning))
    throw WriteError(file, fmt::format("it is there already{}; choose another name, or replace it with --force",
                                       kind.is ? fmt::format(" and was not written by {}", kind.writer) : ""));
}
}  // namespace mubody::io

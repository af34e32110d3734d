#include "mubody/text/target.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "mubody/text/paths.h"
#include "mubody/text/write_file.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;

bool leads_nowhere(const fs::path& path) {
  std::error_code none;
  return fs::is_symlink(fs::symlink_status(path, none)) && !fs::exists(path, none);
}
/// An output without links, to be compared with others.
struct Resolved {
  std::string what;
  fs::path named, path;  // as the user names it, and without links
  bool folder;
  std::size_t group;  // those that are written together have the same
};

fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error), found = fs::weakly_canonical(whole, error);
  return plain_name(error ? whole.lexically_normal() : found);
}

// One file may have two names, by links or where capital letters do not count.
bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code none;
  return a == b || fs::equivalent(a, b, none);
}

bool clash(const Resolved& a, const Resolved& b) {
  if (a.folder && b.folder) return false;
  return same_file(a.path, b.path) || (!a.folder && contains(a.path, b.path)) ||
         (!b.folder && contains(b.path, a.path));
}

std::vector<Resolved> outputs_of(const CommandFiles& all) {
  std::vector<Resolved> outputs;
  std::size_t group = 0;
  const auto add = [&](const std::string& what, const fs::path& path, bool folder) {
    if (!is_stream(path)) outputs.push_back({what, path, resolved(path), folder, group});
  };
  for (const NamedFiles& set : all.together) {
    for (const fs::path& file : set.files) add(set.what, file, false);
    ++group;
  }
  for (const NamedPath& o : all.outputs) add(o.what, o.path, false), ++group;
  for (const NamedPath& o : all.folders) add(o.what, o.path, true), ++group;
  return outputs;
}

void refuse_links(const fs::path& output, const fs::path& stranger) {
  std::error_code none;
  const fs::path plain = plain_name(output);
  const auto whole = [&](const fs::path& p) {
    return plain_name(fs::absolute(plain_name(p), none).lexically_normal());
  };
  if (fs::is_symlink(fs::symlink_status(plain, none)))
    throw WriteError(output, "it is a link, which --untrusted does not follow; choose another place");
  if (contains(whole(stranger), whole(plain)) && !lies_below(plain, stranger))
    throw WriteError(output,
                     "a link leads out of the folder of the model, which --untrusted does not follow; "
                     "choose another place");
}
}  // namespace

void check_apart(const CommandFiles& all) {
  const std::vector<Resolved> outputs = outputs_of(all);
  for (const NamedPath& input : all.inputs) {
    const fs::path read = resolved(input.path);
    for (const Resolved& o : outputs)
      if (same_file(o.path, read))
        throw WriteError(o.named,
                         fmt::format("it is {}, which would be lost; choose another name", input.what));
  }
  for (std::size_t a = 0; a < outputs.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (outputs[a].group != outputs[b].group && clash(outputs[a], outputs[b]))
        throw WriteError(outputs[a].named,
                         fmt::format("{} and {} would take the same place; give them different names",
                                     outputs[b].what, outputs[a].what));
  if (all.stranger)
    for (const Resolved& o : outputs) refuse_links(o.named, *all.stranger);
}

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
  if (how.force || fs::file_size(file, none) == 0) return;
  const std::optional<std::string> beginning = beginning_of(file);
  if (!beginning || !kind.is || !kind.is(*beginning))
    throw WriteError(file, fmt::format("it is there already{}; choose another name, or replace it with --force",
                                       kind.is ? fmt::format(" and was not written by {}", kind.writer) : ""));
}
}  // namespace mubody::io

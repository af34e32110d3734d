#include "mubody/text/text_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace mubody::io {
std::string read_text_file(const std::string& path, std::size_t most_megabytes, std::string_view what) {
  namespace fs = std::filesystem;
  constexpr std::size_t megabyte = 1'000'000;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw FileError("no such file");
  if (fs::is_directory(status)) {
    const fs::path inside = fs::path(path) / "model.toml";
    const bool has_model = fs::exists(inside, error);
    throw FileError(fmt::format("is a folder, expected {}{}", what,
                                has_model ? "; did you mean '" + inside.string() + "'?" : ""));
  }
  const auto refuse_size = [&](std::size_t size) {
    throw FileError(
        fmt::format("is {} MB large; {} is text of at most {} MB", size / megabyte, what, most_megabytes));
  };
  if (fs::is_regular_file(status)) {
    const std::uintmax_t size = fs::file_size(path, error);
    if (!error && size > most_megabytes * megabyte) refuse_size(size);
  }

  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw FileError(fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::string text;
  std::string block(1 << 16, '\0');
  do {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block, 0, static_cast<std::size_t>(in.gcount()));
    if (text.size() > most_megabytes * megabyte) refuse_size(text.size());  // a pipe has no size beforehand
  } while (in);
  if (in.bad()) throw FileError("cannot be read");

  if (text.empty()) throw FileError("is empty");
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos)
    throw FileError(fmt::format("is not text: byte {} is zero", zero + 1));
  return text;
}
}  // namespace mubody::io

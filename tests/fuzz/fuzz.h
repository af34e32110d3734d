#pragma once
// What fuzz targets have in common.
//
// A target hands bytes to a reader as somebody's file would.  A reader may refuse them with the error that it documents;
// any other exception, a crash or a broken promise ends the process, which is what a fuzzer looks for.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>

#include "mubody/model/escape.h"
#include "mubody/model/utf8.h"

// The names that libFuzzer looks for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace mubody::testing {
/// A model file of this name lies in no folder, so that it can have no data files.
inline constexpr const char* nowhere = "no_such_folder/model.toml";

inline std::string_view text_in(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process unless a promise is kept.
inline void hold(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "broken: %s\n", promise);
  std::abort();
}

/// A message says something on one line, is not longer than a page, and steers no terminal once it is made for one.
inline void check_message(std::string_view message) {
  hold(!message.empty(), "a message says something");
  hold(message.size() < 4000, "a message is not longer than a page");
  hold(!find_odd_character(for_terminal(message), false), "a message steers no terminal");
  hold(message.find('\n') == message.npos, "a message is one line");
}

/// What `read` returns; nothing if it refuses with an error of just that type.
template <class Error, class Read> auto accepted(const Read& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error& e) {
    hold(typeid(e) == typeid(Error), "a reader refuses with the error that it documents");
    check_message(e.what());
    return {};
  }
}
}  // namespace mubody::testing

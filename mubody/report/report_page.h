#pragma once
// A page with its data: one HTML file that needs nothing else.
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/text/json.h"

namespace mubody::io {
/// Numbers as base64 of their little-endian bytes.
std::string base64(std::span<const double> numbers);
std::string base64(std::span<const float> numbers);
/// The bytes of a file.
std::string base64(std::span<const char> bytes);

/// JSON as it may stand in a script of a page, which no text in it can end.
std::string json_in_page(const Json&);

/// The model file that a page shows.
struct ModelFile {
  std::string name, text;            // name without folders; an empty text is not shown
  std::vector<std::string> changes;  // changes made to it before the run, as "key=value"
};
Json json_of(const ModelFile&);

/// Throws std::runtime_error if the program was built without pages.
void check_reports();

/// The page called `page` with these data in it.
std::string page_with(std::string_view page, const Json& data);
}  // namespace mubody::io

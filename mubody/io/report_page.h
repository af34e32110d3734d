#pragma once
// A page with its data: one HTML file that needs nothing else.
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace mubody::io {
/// Numbers as base64 of their little-endian bytes.
std::string base64(std::span<const double> numbers);
std::string base64(std::span<const float> numbers);

/// Throws std::runtime_error if the program was built without pages.
void check_reports();

/// The page called `page` with these data in it.
std::string page_with(std::string_view page, const nlohmann::ordered_json& data);
}  // namespace mubody::io

#pragma once
// Opens a page in the browser of the desktop.
#include <filesystem>

namespace mubody::cli {
/// Whether the desktop was asked to show the file; it says nothing about what comes of that.
bool open_in_browser(const std::filesystem::path&);
}  // namespace mubody::cli

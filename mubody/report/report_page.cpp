#include "mubody/report/report_page.h"

#include <bit>
#include <cstdint>
#include <stdexcept>

#include "mubody/report/report_template.h"
#include "mubody/text/json.h"
#include "mubody/text/target.h"

namespace mubody::io {
namespace {
static_assert(std::endian::native == std::endian::little, "the pages read little-endian numbers");

std::string base64_of_bytes(std::span<const std::byte> bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t there = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t group = 0;
    for (std::size_t b = 0; b < 3; ++b)
      group = group << 8 | (b < there ? std::to_integer<std::uint32_t>(bytes[k + b]) : 0);
    for (std::size_t letter = 0; letter < 4; ++letter)
      text += letter <= there ? letters[group >> (18 - 6 * letter) & 63] : '=';
  }
  return text;
}

constexpr std::string_view placeholder = "@DATA@";
}  // namespace

std::string base64(std::span<const double> numbers) { return base64_of_bytes(std::as_bytes(numbers)); }
std::string base64(std::span<const float> numbers) { return base64_of_bytes(std::as_bytes(numbers)); }
std::string base64(std::span<const char> bytes) { return base64_of_bytes(std::as_bytes(bytes)); }

Json json_of(const ModelFile& m) {
  if (m.text.empty()) return {};
  return {{"file", m.name}, {"text", m.text}, {"changes", m.changes}};
}

void check_reports() {
  if (report_template("planar").empty())
    throw std::runtime_error(
        "this program cannot write reports: node and npm were missing when it was built; install them and "
        "build again");
}

// A name may be "</script>".  In JSON '<' occurs in strings only, where it may be escaped by its number.  A name that is not
// UTF-8 must not prevent the report.
std::string json_in_page(const Json& json) {
  const std::string text = json.dump();
  std::string safe;
  safe.reserve(text.size() + text.size() / 64);
  for (const char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

std::string page_with(std::string_view page, const Json& data) {
  check_reports();
  const std::string_view html = report_template(page);
  const std::size_t place = html.find(placeholder);
  const std::string text = json_in_page(data);
  std::string whole(html.substr(0, place));
  whole.insert(whole.find(page_mark) + page_mark.size(), page_kind_mark(data["kind"].text()));
  whole.reserve(html.size() + text.size());
  whole += text;
  return whole += html.substr(place + placeholder.size());
}
}  // namespace mubody::io

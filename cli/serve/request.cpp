#include "cli/serve/request.h"

#include <algorithm>
#include <array>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/exit.h"

namespace mubody::cli {
namespace {
std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string all(text);
  for (char& c : all)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return all;
}

// Takes as long for a wrong token as for the right one, so that it cannot be guessed digit by digit.
bool is_same(std::string_view a, std::string_view b) {
  unsigned different = unsigned(a.size() != b.size());
  for (std::size_t k = 0; k < b.size(); ++k)
    different |=
        unsigned(static_cast<unsigned char>(k < a.size() ? a[k] : 0) ^ static_cast<unsigned char>(b[k]));
  return different == 0;
}

bool read_line(std::string_view& text, std::string_view& line) {
  const std::size_t end = text.find("\r\n");
  if (end == std::string_view::npos) return false;
  line = text.substr(0, end);
  text.remove_prefix(end + 2);
  return true;
}
}  // namespace

std::optional<Request> parse_request(std::string_view text) {
  if (text.size() > longest_request || !text.ends_with("\r\n\r\n")) return {};
  std::string_view line;
  if (!read_line(text, line)) return {};
  const std::size_t first = line.find(' '), second = line.rfind(' ');
  if (first == std::string_view::npos || second <= first) return {};
  const std::string_view version = line.substr(second + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return {};
  Request request{
      std::string(line.substr(0, first)), std::string(line.substr(first + 1, second - first - 1)), {}, {}};
  while (read_line(text, line) && !line.empty()) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) return {};
    const std::string name = lower(line.substr(0, colon));
    std::optional<std::string>* const kept = name == "host"     ? &request.host
                                             : name == "origin" ? &request.origin
                                                                : nullptr;
    if (!kept) continue;
    if (*kept) return {};
    *kept = std::string(trimmed(line.substr(colon + 1)));
  }
  return request;
}

Wanted judge(const Request& request, std::uint16_t port, std::string_view token) {
  const auto is_here = [&](std::string_view host) {
    return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
  };
  if (!request.host || !is_here(lower(*request.host))) return Wanted::refused;
  constexpr std::string_view scheme = "http://";
  if (request.origin &&
      !(request.origin->starts_with(scheme) && is_here(request.origin->substr(scheme.size()))))
    return Wanted::refused;
  const std::string_view target = request.target;
  if (!target.starts_with('/')) return Wanted::refused;
  const std::size_t end = std::min(target.find('/', 1), target.size());
  if (!is_same(target.substr(1, end - 1), token)) return Wanted::refused;
  if (request.method != "GET" && request.method != "HEAD") return Wanted::not_allowed;
  const std::string_view rest = target.substr(end, target.find('?') - end);
  if (rest == "/") return Wanted::page;
  if (rest == "/events" && request.method == "GET") return Wanted::events;
  return Wanted::unknown;
}

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getentropy(bytes.data(), bytes.size()) != 0)
    throw Hindrance("the system gives no random numbers, without which the page would be open to others");
  std::string token;
  for (const unsigned char b : bytes) token += fmt::format("{:02x}", b);
  return token;
}
}  // namespace mubody::cli

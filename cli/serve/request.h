#pragma once
// Requests to a page that this program serves to the browser of the same user, and whether they are answered.
//
//   docs/user/editors.md#who-may-look
//
// Any page that the user visits, and any program on this computer, may send requests to 127.0.0.1.  So the address has a
// token that nobody can guess; the host that is asked for must be this computer by name, for a foreign name may lead here as
// well (DNS rebinding); and a request that another page sends, which browsers mark with its origin, is refused.  Nothing can
// be changed: there are only GET and HEAD.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mubody::cli {
/// A request line with the headers that matter.
struct Request {
  std::string method, target;
  std::optional<std::string> host, origin;
};

constexpr std::size_t longest_request = 16384;  // [bytes], with all headers

/// The request of a text that ends with an empty line; none if it is no request, or states a header twice that matters.
std::optional<Request> parse_request(std::string_view text);

/// What may be asked for.
enum class Wanted { page, events, refused, unknown, not_allowed };
/// What a request asks of the server at 127.0.0.1 and this port, whose addresses begin with "/TOKEN/".
Wanted judge(const Request&, std::uint16_t port, std::string_view token);

/// 32 random hexadecimal digits.  Throws Hindrance.
std::string random_token();
}  // namespace mubody::cli

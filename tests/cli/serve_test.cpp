// Which requests the server of pages answers.
#include <gtest/gtest.h>

#include "cli/serve/request.h"

namespace mubody::cli {
namespace {
constexpr std::uint16_t port = 4711;
constexpr std::string_view token = "0123456789abcdef0123456789abcdef";

std::string page_request(const std::string& headers, const std::string& line = "") {
  return (line.empty() ? "GET /" + std::string(token) + "/ HTTP/1.1" : line) + "\r\n" + headers + "\r\n";
}
Wanted asked(const std::string& text) {
  const std::optional<Request> request = parse_request(text);
  return request ? judge(*request, port, token) : Wanted::unknown;
}
const std::string ours = "Host: 127.0.0.1:4711\r\n";

TEST(request, of_the_user_is_answered) {
  EXPECT_EQ(asked(page_request(ours)), Wanted::page);
  EXPECT_EQ(asked(page_request("host:   localhost:4711 \r\nAccept: text/html\r\n")), Wanted::page);
  EXPECT_EQ(asked(page_request(ours + "Origin: http://127.0.0.1:4711\r\n")), Wanted::page);
  EXPECT_EQ(asked(page_request(ours, "HEAD /" + std::string(token) + "/?x=1 HTTP/1.1")), Wanted::page);
  EXPECT_EQ(asked(page_request(ours, "GET /" + std::string(token) + "/events HTTP/1.1")), Wanted::events);
}

TEST(request, from_elsewhere_is_refused) {
  for (const char* host : {"evil.example", "evil.example:4711", "127.0.0.1", "127.0.0.1:80", "localhost",
                           "127.0.0.1:4711.evil.example", "[::1]:4711", "0.0.0.0:4711", "127.0.0.2:4711", ""})
    EXPECT_EQ(asked(page_request("Host: " + std::string(host) + "\r\n")), Wanted::refused) << host;
  EXPECT_EQ(asked(page_request("")), Wanted::refused) << "no host at all";
  for (const char* origin : {"http://evil.example", "https://127.0.0.1:4711", "http://127.0.0.1:4712", "null",
                             "http://127.0.0.1:4711.evil.example", ""})
    EXPECT_EQ(asked(page_request(ours + "Origin: " + origin + "\r\n")), Wanted::refused) << origin;
}

TEST(request, without_the_token_is_refused) {
  for (const std::string& target :
       {std::string("/"), std::string("/events"), std::string("//"), "/" + std::string(token.substr(1)) + "/",
        "/" + std::string(token) + "0/", "/" + std::string(31, '0') + "/events", std::string("*"),
        "http://127.0.0.1:4711/" + std::string(token) + "/", std::string("/favicon.ico")})
    EXPECT_EQ(asked(page_request(ours, "GET " + target + " HTTP/1.1")), Wanted::refused) << target;
}

TEST(request, is_for_reading) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "get", "PROPFIND"})
    EXPECT_EQ(asked(page_request(ours, std::string(method) + " /" + std::string(token) + "/ HTTP/1.1")),
              Wanted::not_allowed)
        << method;
  for (const char* below : {"/..", "/../", "/page", "/events/", "/%65vents", "/./"})
    EXPECT_EQ(asked(page_request(ours, "GET /" + std::string(token) + below + " HTTP/1.1")), Wanted::unknown)
        << below;
  EXPECT_EQ(asked(page_request(ours, "GET /" + std::string(token) + " HTTP/1.1")), Wanted::unknown);
}

TEST(request, that_is_none_is_not_understood) {
  EXPECT_FALSE(parse_request(""));
  EXPECT_FALSE(parse_request("\r\n\r\n"));
  EXPECT_FALSE(parse_request("GET /\r\n\r\n"));
  EXPECT_FALSE(parse_request("GET / HTTP/3\r\n\r\n"));
  EXPECT_FALSE(parse_request("GET / HTTP/1.1\r\nHost: a")) << "has no end";
  EXPECT_FALSE(parse_request("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")) << "which of the two?";
  EXPECT_FALSE(parse_request("GET / HTTP/1.1\r\nno header\r\n\r\n"));
  EXPECT_FALSE(parse_request("GET / HTTP/1.1\r\nX: " + std::string(longest_request, 'x') + "\r\n\r\n"));
}

TEST(token, differs_each_time) {
  const std::string a = random_token(), b = random_token();
  EXPECT_EQ(a.size(), 32u);
  EXPECT_EQ(a.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(a, b);
}
}  // namespace
}  // namespace mubody::cli

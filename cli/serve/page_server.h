#pragma once
// Serves one page on 127.0.0.1, and tells those who look at it when there is another one (server-sent events).
//
//   docs/user/editors.md#watch
//
// A thread of its own answers requests, so that a page can be read while the next one is computed.  It never waits for a
// slow reader.
#include <cstdint>
#include <memory>
#include <string>

namespace mubody::cli {
class PageServer {
 public:
  /// Begins to listen; port 0 stands for any that is free.  Throws Hindrance.
  explicit PageServer(std::uint16_t port);
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;
  /// Closes all connections.
  ~PageServer();

  /// "http://127.0.0.1:PORT/TOKEN/"
  std::string address() const;
  std::uint16_t port() const;

  /// From now on this is the page.
  void show(std::string page);
  /// Sends an event, one line, to all who look, and to everybody who begins to look before the next one.
  void tell(const std::string& event);

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};
}  // namespace mubody::cli

#include "cli/serve/page_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "cli/exit.h"
#include "cli/serve/request.h"

namespace mubody::cli {
namespace {
using Clock = std::chrono::steady_clock;
constexpr std::size_t most_connections = 32;
constexpr std::chrono::seconds patience(5);   // for a request, and for an answer that nobody takes
constexpr std::size_t most_unread = 1 << 16;  // [bytes] of events

/// Reads and writes do not wait, and other programs that this one starts do not get it.
void set_apart(int number) {
  ::fcntl(number, F_SETFL, ::fcntl(number, F_GETFL) | O_NONBLOCK);
  ::fcntl(number, F_SETFD, FD_CLOEXEC);
}

std::string header(std::string_view status, std::string_view type, std::optional<std::size_t> length) {
  std::string text = fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
      "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nCross-Origin-Resource-Policy: "
      "same-origin\r\n",
      status, type);
  if (length) text += fmt::format("Content-Length: {}\r\nConnection: close\r\n", *length);
  return text + "\r\n";
}

std::string refusal(std::string_view status, std::string_view why) {
  const std::string body = fmt::format("{}\n", why);
  return header(status, "text/plain; charset=utf-8", body.size()) + body;
}

std::string as_event(const std::string& line) { return "data: " + line + "\n\n"; }
}  // namespace

struct PageServer::Own {
  /// A number that the system gave for something open.
  class Handle {
   public:
    explicit Handle(int number = -1) : number_(number) {}
    Handle(Handle&& o) noexcept : number_(std::exchange(o.number_, -1)) {}
    Handle& operator=(Handle&& o) noexcept {
      std::swap(number_, o.number_);
      return *this;
    }
    ~Handle() {
      if (number_ >= 0) ::close(number_);
    }
    int operator*() const { return number_; }

   private:
    int number_;
  };

  /// One who has connected.
  struct Connection {
    Handle socket;
    std::string in, out;
    std::shared_ptr<const std::string> page;  // follows what is in `out`
    std::size_t sent = 0;                     // of both
    bool answered = false, follows = false, ended = false;
    Clock::time_point until = Clock::now() + patience;  // when it is given up

    std::size_t to_send() const { return out.size() + (page ? page->size() : 0) - sent; }
    std::string_view next() const {
      if (sent < out.size()) return std::string_view(out).substr(sent);
      return page ? std::string_view(*page).substr(sent - out.size()) : std::string_view();
    }
  };

  explicit Own(std::uint16_t wanted) : token(random_token()) {
    listen(wanted);
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw Hindrance(fmt::format("cannot serve a page: {}", std::strerror(errno)));
    wakes = Handle(ends[0]), wake_end = Handle(ends[1]);
    for (const int end : ends) set_apart(end);
    thread = std::thread([this] { serve(); });
  }
  ~Own() {
    {
      const std::lock_guard hold(lock);
      is_over = true;
    }
    wake();
    thread.join();
  }

  void wake() const {
    // A full pipe wakes as well.
    if (::write(*wake_end, "", 1) < 0) return;
  }

  void listen(std::uint16_t wanted) {
    listener = Handle(::socket(AF_INET, SOCK_STREAM, 0));
    const auto fail = [&](const char* what) {
      throw Hindrance(fmt::format("cannot {} at port {} of 127.0.0.1: {}{}", what, wanted, std::strerror(errno),
                                  wanted > 0 ? "; choose another with --port, or leave that out" : ""));
    };
    if (*listener < 0) fail("listen");
    set_apart(*listener);
    const int yes = 1;
    ::setsockopt(*listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_port = htons(wanted);
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof here;
    if (::bind(*listener, reinterpret_cast<const sockaddr*>(&here), size) != 0 ||
        ::listen(*listener, 16) != 0 ||
        ::getsockname(*listener, reinterpret_cast<sockaddr*>(&here), &size) != 0)
      fail("listen");
    port = ntohs(here.sin_port);
  }

  // What follows runs in the thread -----------------------------------------------------------------------------

  void serve() {
    while (!over()) {
      std::vector<pollfd> watched{{*wakes, POLLIN, 0}, {*listener, short(room() ? POLLIN : 0), 0}};
      for (const Connection& c : all)
        watched.push_back({*c.socket, short(POLLIN | (c.to_send() > 0 ? POLLOUT : 0)), 0});
      constexpr int often = 1000;  // [ms]
      if (::poll(watched.data(), nfds_t(watched.size()), often) < 0 && errno != EINTR) return;
      drain(watched[0].revents);
      pass_on();
      for (std::size_t k = 0; k < all.size(); ++k) attend(all[k], watched[k + 2].revents);
      if (watched[1].revents & POLLIN) accept();
      std::erase_if(all, [](const Connection& c) { return c.ended; });
    }
  }
  bool over() const {
    const std::lock_guard hold(lock);
    return is_over;
  }
  bool room() const { return all.size() < most_connections; }
  void drain(short events) const {
    std::array<char, 64> bytes{};
    if (events & POLLIN)
      while (::read(*wakes, bytes.data(), bytes.size()) > 0) continue;
  }
  void accept() {
    Handle socket(::accept(*listener, nullptr, nullptr));
    if (*socket < 0) return;
    set_apart(*socket);
    all.push_back({std::move(socket)});
  }

  /// The latest event goes to all who have not had it.
  void pass_on() {
    std::string event;
    {
      const std::lock_guard hold(lock);
      if (told == passed) return;
      passed = told, event = latest;
    }
    for (Connection& c : all)
      if (c.follows) send(c, as_event(event));
  }
  static void send(Connection& c, const std::string& text) {
    c.out.erase(0, c.sent), c.sent = 0;
    if (c.to_send() == 0) c.until = Clock::now() + patience;
    c.out += text;
    if (c.out.size() > most_unread) c.ended = true;
  }

  void attend(Connection& c, short events) {
    if (events & (POLLERR | POLLNVAL)) c.ended = true;
    if (!c.ended && (events & (POLLIN | POLLHUP))) receive(c);
    if (!c.ended && c.to_send() > 0) transmit(c);
    const bool waits_for_event = c.follows && c.to_send() == 0;
    if (c.answered && !c.follows && c.to_send() == 0) c.ended = true;
    if (!waits_for_event && Clock::now() > c.until) c.ended = true;
  }
  void receive(Connection& c) {
    std::array<char, 4096> bytes{};
    const ssize_t got = ::recv(*c.socket, bytes.data(), bytes.size(), 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
      c.ended = true;
      return;
    }
    if (got < 0 || c.answered) return;  // what comes after the request is not read
    c.in.append(bytes.data(), std::size_t(got));
    if (const std::size_t end = c.in.find("\r\n\r\n"); end != std::string::npos)
      answer(c, parse_request(std::string_view(c.in).substr(0, end + 4)));
    else if (c.in.size() > longest_request)
      answer(c, {});
  }
  static void transmit(Connection& c) {
    for (std::string_view next = c.next(); !next.empty(); next = c.next()) {
      const ssize_t sent = ::send(*c.socket, next.data(), next.size(), MSG_NOSIGNAL);
      if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
      if (sent <= 0) {
        c.ended = true;
        return;
      }
      c.sent += std::size_t(sent);
      c.until = Clock::now() + patience;
    }
  }

  void answer(Connection& c, const std::optional<Request>& request) {
    c.answered = true, c.until = Clock::now() + patience;
    const Wanted wanted = request ? judge(*request, port, token) : Wanted::unknown;
    if (!request)
      c.out = refusal("400 Bad Request", "this is no request that is understood here");
    else if (wanted == Wanted::refused)
      c.out = refusal("403 Forbidden", "this address is for the one who started 'mubody watch'");
    else if (wanted == Wanted::not_allowed)
      c.out = refusal("405 Method Not Allowed", "this page can only be read");
    else if (wanted == Wanted::unknown)
      c.out = refusal("404 Not Found", "there is nothing here");
    else if (wanted == Wanted::events)
      begin_events(c);
    else
      begin_page(c, request->method == "HEAD");
  }
  void begin_events(Connection& c) const {
    c.follows = true;
    const std::lock_guard hold(lock);
    c.out = header("200 OK", "text/event-stream", {}) + "retry: 500\n\n";
    if (told > 0) c.out += as_event(latest);
  }
  void begin_page(Connection& c, bool only_header) const {
    const std::lock_guard hold(lock);
    c.out = header("200 OK", "text/html; charset=utf-8", page->size());
    if (!only_header) c.page = page;
  }

  std::string token;
  std::uint16_t port = 0;
  Handle listener, wakes, wake_end;
  std::vector<Connection> all;  // of the thread alone
  unsigned passed = 0;          // likewise: the last event that was passed on

  mutable std::mutex lock;  // of what follows
  std::shared_ptr<const std::string> page = std::make_shared<const std::string>();
  std::string latest;
  unsigned told = 0;
  bool is_over = false;

  std::thread thread;  // the last member: it begins when all others are there
};

PageServer::PageServer(std::uint16_t port) : own_(std::make_unique<Own>(port)) {}
PageServer::~PageServer() = default;

std::string PageServer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", own_->port, own_->token);
}
std::uint16_t PageServer::port() const { return own_->port; }

void PageServer::show(std::string page) {
  const std::lock_guard hold(own_->lock);
  own_->page = std::make_shared<const std::string>(std::move(page));
}

void PageServer::tell(const std::string& event) {
  {
    const std::lock_guard hold(own_->lock);
    own_->latest = event;
    ++own_->told;
  }
  own_->wake();
}
}  // namespace mubody::cli

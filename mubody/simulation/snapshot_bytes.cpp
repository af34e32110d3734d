// Snapshots as bytes: a checksum of the rest, then numbers of eight bytes, and texts after their lengths.
#include <cstdint>
#include <cstring>

#include "mubody/simulation/loop.h"

namespace mubody {
namespace {
constexpr std::uint64_t kind_of_bytes =
    0x31'74'6f'68'73'62'75'6d;  // "mubshot1" where the least byte comes first

class BytesOut {
 public:
  void number(double x) { append(&x, sizeof(x)); }
  void count(std::uint64_t n) { append(&n, sizeof(n)); }
  void text(std::string_view t) {
    count(t.size());
    append(t.data(), t.size());
  }
  std::string taken() { return std::move(all_); }

 private:
  void append(const void* from, std::size_t size) { all_.append(static_cast<const char*>(from), size); }
  std::string all_;
};

class BytesIn {
 public:
  explicit BytesIn(std::string_view all) : rest_(all) {}
  double number() { return read<double>(); }
  std::uint64_t count() { return read<std::uint64_t>(); }
  /// The number of things that follow, of which each takes eight bytes or more.
  std::uint64_t size() {
    const std::uint64_t n = count();
    if (n > rest_.size() / 8) refuse();
    return n;
  }
  /// One of a list of kinds.
  template <class Kind> Kind one_up_to(Kind last) {
    const std::uint64_t n = count();
    if (n > std::uint64_t(last)) refuse();
    return Kind(n);
  }
  std::string text() {
    const std::uint64_t n = count();
    if (n > rest_.size()) refuse();
    const std::string t(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return t;
  }
  bool at_end() const { return rest_.empty(); }
  [[noreturn]] static void refuse() { throw ModelError("these bytes are no whole state of a simulation"); }

 private:
  template <class T> T read() {
    T x{};
    if (rest_.size() < sizeof(x)) refuse();
    std::memcpy(&x, rest_.data(), sizeof(x));
    rest_.remove_prefix(sizeof(x));
    return x;
  }
  std::string_view rest_;
};

// Fowler, Noll & Vo (1991), FNV-1a with 64 bits: it finds accidents.
std::uint64_t sum_of(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return sum;
}
}  // namespace

std::string Snapshot::bytes() const {
  BytesOut out;
  out.number(time_);
  out.text(signature_);
  std::vector<double> numbers;
  for (Memory m = memory_.restoring(); !m.at_end(); m(numbers.back())) numbers.push_back(0);
  out.count(numbers.size());
  for (const double x : numbers) out.number(x);
  const Outcome& o = results_.outcome;
  out.count(std::uint64_t(o.kind));
  out.number(o.at);
  out.text(o.why);
  out.count(results_.events.size());
  for (const Event& e : results_.events) {
    out.number(e.t);
    out.count(std::uint64_t(e.kind));
    out.text(e.what);
  }
  const std::string body = out.taken();
  out.count(kind_of_bytes);
  out.count(sum_of(body));
  return out.taken() + body;
}

Snapshot Simulation::snapshot(std::string_view bytes) const {
  BytesIn head(bytes);
  if (head.count() != kind_of_bytes) BytesIn::refuse();
  const std::string_view body = bytes.substr(8 + std::min<std::size_t>(8, bytes.size() - 8));
  if (head.count() != sum_of(body)) BytesIn::refuse();
  BytesIn in(body);
  Snapshot s;
  s.time_ = in.number();
  s.signature_ = in.text();
  for (std::uint64_t n = in.size(); n > 0; --n) {
    double x = in.number();
    s.memory_(x);
  }
  s.results_ = loop_->so_far();
  s.results_.outcome = Outcome{in.one_up_to(Outcome::out_of_time), in.number(), in.text(), {}};
  s.results_.events.clear();
  for (std::uint64_t n = in.size(); n > 0; --n) {
    const double t = in.number();
    const auto kind = in.one_up_to(Event::slip);
    s.results_.events.push_back({t, kind, in.text()});
  }
  if (!in.at_end()) BytesIn::refuse();
  return s;
}
}  // namespace mubody

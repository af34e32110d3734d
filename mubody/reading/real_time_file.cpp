#include "mubody/reading/real_time_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "mubody/model/errors.h"
#include "mubody/model/escape.h"
#include "mubody/model/utf8.h"
#include "mubody/precompute/run/check_tables.h"
#include "mubody/precompute/run/real_time.h"
#include "mubody/text/checksum.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"

namespace mubody::io {
namespace {
constexpr std::string_view title = "mubody real-time model ";
constexpr int format_version = 9;
constexpr int highest_degree = 9;

struct Damaged {
  std::string what;
};

/// Writes one value after the other.  The functions visit() below serve both writing and reading.
class Writer {
 public:
  std::string bytes;
  void value(std::uint64_t x) {
    for (int k = 0; k < 8; ++k) bytes += char(x >> (8 * k) & 0xff);
  }
  void value(double x) { value(std::bit_cast<std::uint64_t>(x)); }
  void value(int x) { value(std::uint64_t(std::int64_t(x))); }
  void value(bool x) { value(std::uint64_t(x)); }
  void value(const std::string& x) {
    value(std::uint64_t(x.size()));
    bytes += x;
  }
  template <class T> void value(const std::vector<T>& all) {
    value(std::uint64_t(all.size()));
    for (const T& x : all) value(x);
  }
  void value(const Axis& a) { value(a.low()), value(a.high()), value(a.periodic()), value(a.parts()); }
  void value(const LookupTable& t) {
    const auto of = std::ranges::find(kept_, t.kept());
    const bool again = t.mirrored() && of != kept_.end();
    value(t.arguments()), value(t.axes()), value(t.degree()), value(t.quantities()), value(again);
    if (again) return value(int(of - kept_.begin())), value(t.signs()), value(t.flips());
    if (t.mirrored()) {
      kept_.emplace_back();  // nobody mirrors one that is mirrored
      return value(t.unfolded().coefficients()), value(t.tree());
    }
    kept_.push_back(t.kept());
    value(t.coefficients());
    value(t.tree());
  }
  template <class T> void value(const T& x) { visit(*this, x); }

 private:
  std::vector<std::shared_ptr<const std::vector<double>>> kept_;  // of the tables so far
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  bool at_end() const { return left_.empty(); }

  void value(std::uint64_t& x) {
    const std::string_view b = take(8);
    x = 0;
    for (std::size_t k = 0; k < 8; ++k) x |= std::uint64_t(static_cast<unsigned char>(b[k])) << (8 * k);
  }
  void value(double& x) {
    std::uint64_t bits = 0;
    value(bits);
    x = std::bit_cast<double>(bits);
    if (!std::isfinite(x)) throw Damaged{"it has a number that is not finite"};
  }
  void value(int& x) {
    std::uint64_t bits = 0;
    value(bits);
    const auto whole = std::int64_t(bits);
    if (whole < std::numeric_limits<int>::min() || whole > std::numeric_limits<int>::max())
      throw Damaged{"it has a whole number that is too large"};
    x = int(whole);
  }
  void value(bool& x) {
    std::uint64_t bits = 0;
    value(bits);
    if (bits > 1) throw Damaged{"it has an answer that is neither yes nor no"};
    x = bits == 1;
  }
  void value(std::string& x) {
    // The longest text is that of the model, which has the limit of any model.
    const std::size_t size = count(1);
    if (size > files::model.most_megabytes * 1'000'000) throw Damaged{"it has a text that is too long"};
    x = std::string(take(size));
  }
  template <class T> void value(std::vector<T>& all) {
    // An element may take much more memory than bytes in the file, so that none is made before it is read.
    all.clear();
    for (std::size_t left = count(8); left > 0; --left) value(all.emplace_back());
  }
  void value(Axis& a) {
    double low = 0, high = 0;
    bool periodic = false;
    std::vector<int> parts;
    value(low), value(high), value(periodic), value(parts);
    if (parts.empty() || !(high > low)) throw Damaged{"it has an empty range"};
    std::int64_t cells = 0;
    for (const int p : parts) {
      if (p < 1) throw Damaged{"it has an interval without cells"};
      cells += p;
    }
    if (cells > std::numeric_limits<int>::max()) throw Damaged{"it has more cells than there can be"};
    a = Axis(low, high, periodic, std::move(parts));
  }
  void value(LookupTable& t) {
    std::vector<int> arguments;
    std::vector<Axis> axes;
    int degree = 0, quantities = 0;
    bool mirrored = false;
    value(arguments), value(axes), value(degree), value(quantities), value(mirrored);
    if (degree < 1 || degree > highest_degree || quantities < 0 || axes.size() > std::size_t(RealTime::most))
      throw Damaged{"it has a table of the wrong size"};
    if (mirrored) {
      int of = 0;
      std::vector<double> signs, flips;
      value(of), value(signs), value(flips);
      if (of < 0 || std::size_t(of) >= kept_.size()) throw Damaged{"it has a table that mirrors none"};
      const LookupTable& other = kept_[std::size_t(of)];
      const auto is_sign = [](double x) { return x == 1 || x == -1; };
      if (other.degree() != degree || other.quantities() != quantities ||
          signs.size() != std::size_t(quantities) || signs.empty() || flips.size() != axes.size() ||
          other.axes().size() != axes.size() || !std::ranges::all_of(signs, is_sign) ||
          !std::ranges::all_of(flips, is_sign))
        throw Damaged{"it has a table that mirrors another kind of table"};
      t = LookupTable(other, std::move(arguments), std::move(axes), std::move(signs), std::move(flips));
      return;
    }
    std::vector<double> numbers;
    std::vector<int> tree;
    value(numbers), value(tree);
    t = LookupTable(std::move(arguments), std::move(axes), degree, quantities, std::move(numbers),
                    std::move(tree));
    kept_.push_back(t);
  }
  template <class T> void value(T& x) { visit(*this, x); }

 private:
  std::string_view take(std::size_t n) {
    if (n > left_.size()) throw Damaged{"it ends too early"};
    const std::string_view b = left_.substr(0, n);
    left_.remove_prefix(n);
    return b;
  }
  // The length of a list whose elements have at least `each` bytes; refuses one that the file is too short for.
  std::size_t count(std::size_t each) {
    std::uint64_t n = 0;
    value(n);
    if (n > left_.size() / each) throw Damaged{"it has a list that is longer than the file"};
    return std::size_t(n);
  }
  std::string_view left_;
  std::vector<LookupTable> kept_;  // those so far that have numbers of their own
};

/// The type `Of` as it is read, or const as it is written.
template <class T, class Of>
concept Either = std::same_as<std::remove_const_t<T>, Of>;

template <class F, Either<VariableRange> T> void visit(F& f, T& v) {
  f.value(v.name), f.value(v.unit), f.value(v.turn), f.value(v.periodic), f.value(v.low), f.value(v.high);
}
template <class F, Either<DynamicsTable> T> void visit(F& f, T& t) {
  f.value(t.table), f.value(t.positional), f.value(t.damped), f.value(t.order);
}
template <class F, Either<BodyTable> T> void visit(F& f, T& t) {
  f.value(t.table), f.value(t.bodies), f.value(t.order), f.value(t.stiff);
}
template <class F, Either<ScalarTable> T> void visit(F& f, T& t) {
  f.value(t.table), f.value(t.scalars), f.value(t.order);
}
template <class F, Either<Border> T> void visit(F& f, T& b) {
  f.value(b.region), f.value(b.at), f.value(b.shift), f.value(b.laps);
}
template <class F, Either<Region> T> void visit(F& f, T& r) {
  f.value(r.variables), f.value(r.dynamics), f.value(r.bodies), f.value(r.scalars), f.value(r.next);
  f.value(r.next_order), f.value(r.below), f.value(r.above);
}
template <class F, Either<LoopTable> T> void visit(F& f, T& l) {
  f.value(l.carrier), f.value(l.bodies), f.value(l.degree), f.value(l.region), f.value(l.gain), f.value(l.sign);
  f.value(l.stiff);
}
template <class F, Either<StiffVariable> T> void visit(F& f, T& v) {
  f.value(v.name), f.value(v.unit), f.value(v.turn);
}
template <class F, Either<DesignVariable> T> void visit(F& f, T& v) {
  f.value(v.name), f.value(v.nominal), f.value(v.value);
}
template <class F, Either<RealTimeModel> T> void visit(F& f, T& m) {
  f.value(m.name), f.value(m.file), f.value(m.text), f.value(m.settings), f.value(m.version),
      f.value(m.summary);
  f.value(m.bound), f.value(m.certified), f.value(m.in_si), f.value(m.degree), f.value(m.regions),
      f.value(m.loops_as_joints), f.value(m.loops), f.value(m.run_time);
  f.value(m.stiff), f.value(m.stiffness), f.value(m.damping), f.value(m.design);
  f.value(m.gain), f.value(m.sign), f.value(m.scalar_gain), f.value(m.start_region), f.value(m.start),
      f.value(m.start_rate), f.value(m.t);
}

// Names stand within lines of messages and of tables.
void check_names(const RealTimeModel& m) {
  const auto name = [](const std::string& text) {
    if (find_odd_character(text, false)) throw Damaged{"it has a name with control characters"};
  };
  for (const std::string* text : {&m.name, &m.file, &m.version}) name(*text);
  for (const std::string& s : m.settings) name(s);
  if (find_odd_character(m.summary, true)) throw Damaged{"it has a text with control characters"};
  for (const StiffVariable& v : m.stiff) name(v.name), name(v.unit);
  for (const DesignVariable& v : m.design) name(v.name);
  for (const Region& r : m.regions)
    for (const VariableRange& v : r.variables) name(v.name), name(v.unit);
  for (const LoopTable& l : m.loops) {
    for (const VariableRange& v : l.region.variables) name(v.name), name(v.unit);
    for (const StiffVariable& v : l.stiff) name(v.name), name(v.unit);
  }
  if (std::filesystem::path(m.file).is_absolute()) throw Damaged{"it names a file by an absolute path"};
}
}  // namespace

std::string with_checksum(std::string_view numbers) {
  return fmt::format("{}{}\n{:016x} {:016x}\n{}", title, format_version, numbers.size(), checksum(numbers),
                     numbers);
}

std::string real_time_bytes(const RealTimeModel& m) {
  Writer w;
  w.value(m);
  return with_checksum(w.bytes);
}

namespace {
ModelError of_file(const std::string& file, const std::string& what) {
  return ModelError(Place{file}, what + "; make it again with 'mubody precompute'");
}

// Where the numbers begin, and the checksum that they should have.
struct Head {
  std::size_t size = 0;
  std::string_view sum;
};

// Looks at the first two lines and at the size of the file, which show whether it is worth reading.
Head head_of(std::string_view beginning, std::size_t size) {
  const std::size_t first = beginning.find('\n');
  if (!beginning.starts_with(title) || first == std::string::npos)
    throw Damaged{"this is not a precomputed model: its first line is another one"};
  const std::string_view version = beginning.substr(title.size(), first - title.size());
  if (version != std::to_string(format_version))
    throw Damaged{fmt::format("the precomputed model has format {}, and this program reads format {}",
                              version.size() == 1 ? for_terminal(version) : "unknown", format_version)};
  constexpr std::size_t digits = 16;
  const std::size_t head = first + 1 + digits + 1 + digits + 1;
  // The file may have been cut off since its size was asked for.
  if (size < head || beginning.size() < head)
    throw Damaged{"the precomputed model is damaged: it ends too early"};
  const std::string_view line = beginning.substr(first + 1, head - first - 1);
  if (line.substr(0, digits) != fmt::format("{:016x}", size - head) || line[digits] != ' ' ||
      line.back() != '\n')
    throw Damaged{"the precomputed model is damaged: it does not have the size that it says it has"};
  return {head, line.substr(digits + 1, digits)};
}
}  // namespace

RealTimeModel real_time_from(const std::string& bytes, const std::string& file) {
  const auto fail = [&](const std::string& what) { return of_file(file, what); };
  std::string_view rest = bytes;
  try {
    const Head head = head_of(rest, rest.size());
    rest.remove_prefix(head.size);
    if (head.sum != fmt::format("{:016x}", checksum(rest)))
      throw Damaged{"the precomputed model is damaged: its checksum is wrong"};
  } catch (const Damaged& d) {
    throw fail(d.what);
  }
  try {
    Reader r(rest);
    RealTimeModel m;
    r.value(m);
    if (!r.at_end()) throw Damaged{"it goes on after its end"};
    check_names(m);
    mark_cyclic(m);
    check_tables(m);
    if (!m.file.empty())
      m.file = (std::filesystem::path(file).parent_path() / m.file).lexically_normal().string();
    return m;
  } catch (const Damaged& d) {
    throw fail("the precomputed model is damaged: " + d.what);
  } catch (const ModelError& e) {
    throw fail(e.what());
  }
}

bool is_real_time_file(const std::filesystem::path& path) { return beginning_of(path, title.size()) == title; }

RealTimeModel read_real_time_file(const std::filesystem::path& path, bool untrusted) {
  std::string bytes;
  try {
    bytes = read_file(path, files::tables,
                      [](std::string_view beginning, std::size_t size) { head_of(beginning, size); });
  } catch (const FileError& e) {
    throw ModelError(Place{path.string()}, e.what());
  } catch (const Damaged& d) {
    throw of_file(path.string(), d.what);
  }
  RealTimeModel model = real_time_from(bytes, path.string());
  const std::filesystem::path folder = path.parent_path();
  if (model.file.empty()) model.file = (folder / "model.toml").string();
  if (untrusted && !(lies_below(path, folder) && lies_below(model.file, folder)))
    throw ModelError(Place{path.string()},
                     "it leads out of its folder, by a link or by the name of its model, which is not followed "
                     "in what comes from a stranger");
  return model;
}

// Whoever gets the file need not know where the model lies on this machine.
std::string real_time_bytes(const RealTimeModel& m, const std::filesystem::path& path) {
  if (m.file.empty()) return real_time_bytes(m);
  RealTimeModel beside = m;
  beside.file = std::filesystem::proximate(m.file, std::filesystem::absolute(path).parent_path()).string();
  return real_time_bytes(beside);
}

void write_real_time_file(const RealTimeModel& m, const std::filesystem::path& path) {
  write_file(path, real_time_bytes(m, path));
}
}  // namespace mubody::io

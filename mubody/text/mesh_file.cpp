#include "mubody/text/mesh_file.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "mubody/text/text_file.h"

namespace mubody::io {
namespace {
constexpr std::string_view blanks = " \t\r\v\f";

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }
bool is_word(std::string_view word, std::string_view expected) {
  return std::ranges::equal(word, expected, {}, lower);
}

/// Collects triangles; points with the same coordinates become one.
class Welder {
 public:
  std::uint32_t point(const Vec<3>& p) {
    // Adding zero makes one of −0 and 0.
    const std::array<double, 3> key{p.x() + 0.0, p.y() + 0.0, p.z() + 0.0};
    const auto [there, is_new] = known_.emplace(key, std::uint32_t(file.surface.points.size()));
    if (is_new) file.surface.points.push_back(p);
    return there->second;
  }
  void triangle(const Surface::Triangle& t, std::size_t line) {
    if (file.surface.triangles.size() == most_triangles)
      throw FileError(fmt::format("has more than {} triangles; make it coarser", most_triangles));
    file.surface.triangles.push_back(t);
    if (line > 0) file.lines.push_back(line);
  }
  MeshFile take() {
    if (file.surface.triangles.empty()) throw FileError("has no triangles");
    return std::move(file);
  }

  MeshFile file;

 private:
  std::map<std::array<double, 3>, std::uint32_t> known_;
};

[[noreturn]] void fail_in(std::size_t line, const std::string& message) {
  throw FileError(fmt::format("line {}: {}", line, message));
}

/// Takes the next word off a line; empty at its end.
std::string_view next_word(std::string_view& line) {
  const std::size_t first = line.find_first_not_of(blanks);
  if (first == line.npos) {
    line = {};
    return {};
  }
  const std::size_t last = std::min(line.find_first_of(blanks, first), line.size());
  const std::string_view word = line.substr(first, last - first);
  line.remove_prefix(last);
  return word;
}

double coordinate(std::string_view word, std::size_t line) {
  double value = 0;
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::result_out_of_range) fail_in(line, "a number is too large or too small");
  if (error != std::errc{} || end != word.data() + word.size()) fail_in(line, "expected three numbers");
  if (!std::isfinite(value)) fail_in(line, "numbers must be finite");
  return value;
}

Vec<3> corner(std::string_view& rest, std::size_t line) {
  Vec<3> p;
  for (int k = 0; k < 3; ++k) p[k] = coordinate(next_word(rest), line);
  return p;
}

/// Calls  use(line, number)  for each line of a text.
template <class Use> void for_each_line(std::string_view text, const Use& use) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Words of a text STL file, which may be spread over lines in any way.
class StlReader {
 public:
  explicit StlReader(Welder& welder) : welder_(welder) {}

  void line(std::string_view rest, std::size_t number) {
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
      if (is_word(word, "solid") || is_word(word, "endsolid")) {
        if (in_facet_) fail_in(number, "the facet before it is not complete");
        return;  // a name follows
      }
      take(word, rest, number);
    }
  }
  void end(std::size_t lines) const {
    if (in_facet_) fail_in(lines, "the file ends within a facet");
  }

 private:
  void take(std::string_view word, std::string_view& rest, std::size_t number) {
    if (is_word(word, "facet")) {
      if (in_facet_) fail_in(number, "expected 'endfacet' before the next 'facet'");
      in_facet_ = true;
      count_ = 0;
      first_line_ = number;
    } else if (is_word(word, "normal")) {
      for (int k = 0; k < 3; ++k) next_word(rest);  // what is drawn and weighed follows from the corners
    } else if (is_word(word, "vertex")) {
      if (!in_facet_ || count_ == 3) fail_in(number, "expected three corners in each facet");
      corners_[count_++] = welder_.point(corner(rest, number));
    } else if (is_word(word, "endfacet")) {
      if (!in_facet_ || count_ != 3) fail_in(number, "expected three corners in each facet");
      in_facet_ = false;
      welder_.triangle(corners_, first_line_);
    } else if (!is_word(word, "outer") && !is_word(word, "loop") && !is_word(word, "endloop")) {
      fail_in(number, "expected 'facet', 'outer loop', 'vertex', 'endloop', 'endfacet' or 'endsolid'");
    }
  }

  Welder& welder_;
  bool in_facet_ = false;
  std::size_t count_ = 0, first_line_ = 0;
  Surface::Triangle corners_{};
};

std::uint32_t whole_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 4; k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

constexpr std::size_t stl_header = 84, stl_record = 50;

MeshFile parse_binary_stl(std::string_view bytes) {
  const std::size_t count = (bytes.size() - stl_header) / stl_record;
  if (count > most_triangles)
    throw FileError(fmt::format("has {} triangles, more than {}; make it coarser", count, most_triangles));
  Welder welder;
  for (std::size_t k = 0; k < count; ++k) {
    Surface::Triangle triangle{};
    for (std::size_t c = 0; c < 3; ++c) {
      Vec<3> p;
      for (std::size_t n = 0; n < 3; ++n) {
        const std::size_t at = stl_header + k * stl_record + 12 + 12 * c + 4 * n;
        p[Eigen::Index(n)] = double(std::bit_cast<float>(whole_at(bytes, at)));
      }
      if (!p.allFinite()) throw FileError(fmt::format("triangle {}: numbers must be finite", k + 1));
      triangle[c] = welder.point(p);
    }
    welder.triangle(triangle, 0);
  }
  return welder.take();
}

MeshFile parse_stl(std::string_view bytes) {
  const std::size_t size = bytes.size();
  const std::size_t promised = size < stl_header ? 0 : whole_at(bytes, stl_header - 4);
  if (size >= stl_header && size == stl_header + stl_record * promised) return parse_binary_stl(bytes);
  std::string_view begin = bytes;
  if (!is_word(next_word(begin).substr(0, 5), "solid"))
    throw FileError(
        fmt::format("is no STL file: a text begins with 'solid', and a binary file of {} triangles would "
                    "have {} bytes, not {}",
                    promised, stl_header + stl_record * promised, size));
  Welder welder;
  StlReader reader(welder);
  std::size_t lines = 0;
  for_each_line(bytes, [&](std::string_view line, std::size_t number) { reader.line(line, lines = number); });
  reader.end(lines);
  return welder.take();
}

/// The point that a corner of a face names: "7", "7/1/2" or, counted back from here, "-1".
std::size_t point_of(std::string_view word, std::size_t points, std::size_t line) {
  word = word.substr(0, word.find('/'));
  long long number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size())
    fail_in(line, "expected numbers of corners in a face, as in 'f 1 2 3'");
  const auto count = static_cast<long long>(points);
  if (number == 0 || number > count || number < -count)
    fail_in(line, fmt::format("there is no such corner: {} are defined so far", points));
  return std::size_t(number > 0 ? number - 1 : count + number);
}

MeshFile parse_obj(std::string_view text) {
  Welder welder;
  std::vector<std::uint32_t> points;
  for_each_line(text, [&](std::string_view rest, std::size_t number) {
    const std::string_view word = next_word(rest);
    if (word == "v") {
      if (points.size() == 3 * most_triangles)
        throw FileError(fmt::format("has more than {} corners; make it coarser", 3 * most_triangles));
      points.push_back(welder.point(corner(rest, number)));
    } else if (word == "f") {
      std::vector<std::uint32_t> face;
      for (std::string_view c = next_word(rest); !c.empty(); c = next_word(rest))
        face.push_back(points[point_of(c, points.size(), number)]);
      if (face.size() < 3) fail_in(number, "a face has three corners or more");
      for (std::size_t k = 2; k < face.size(); ++k) welder.triangle({face[0], face[k - 1], face[k]}, number);
    }
  });
  return welder.take();
}
}  // namespace

MeshFile parse_mesh(std::string_view name, std::string_view bytes) {
  const auto ends_with = [&](std::string_view end) {
    return name.size() > end.size() && is_word(name.substr(name.size() - end.size()), end);
  };
  if (ends_with(".stl")) return parse_stl(bytes);
  if (ends_with(".obj")) return parse_obj(bytes);
  throw FileError("is no mesh: the name ends neither with .stl nor with .obj");
}
}  // namespace mubody::io

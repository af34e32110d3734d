#include "cli/elements.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/reading/field_list.h"
#include "mubody/text/write_aligned.h"

namespace mubody::cli {
namespace {
/// The functions of time among the fields of an element.
class Motions : public EachConstField<Motions> {
 public:
  std::string words;
  template <class T> void each(const Field&, const T& value) {
    if constexpr (std::is_same_v<T, Function>) note(value);
    if constexpr (std::is_same_v<T, std::optional<Function>>)
      if (value) note(*value);
  }

 private:
  void note(const Function& f) {
    if (f.kind().is_constant()) return;
    const Written* formula = f.kind().written();
    const std::size_t first = formula ? formula->text.find_first_not_of(' ') : std::string::npos;
    words = first == std::string::npos ? std::string(f.kind().info().name) : "= " + formula->text.substr(first);
  }
};

void add_moved(const std::vector<Moved>& moved, std::vector<io::TextRow>& rows) {
  for (const Moved& m : moved)
    rows.push_back({m.coordinate, fmt::format("{:.6g}", m.from), "->", fmt::format("{:.6g}", m.to), m.unit,
                    fmt::format("({:+.2g})", m.to - m.from), m.written ? "" : "left out"});
}

template <class Element> std::string named_bodies(const Mechanism& m, const Element& e) {
  if constexpr (requires { e.couples(); })
    if (!e.couples().empty()) return names_of(e.couples());
  const bool pair = io::fields_of(e).has_i;
  return (pair ? m.body_name(e.i().body) + " - " : "") + m.body_name(e.j().body);
}
}  // namespace

std::string motion_of(const AnyJoint& joint) {
  Motions motions;
  show_fields(joint, motions);
  return motions.words;
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string freedom_sum(const Freedom& f) {
  const int redundant = f.equations - f.rank;
  return fmt::format("{} - {}{} = {}", counted(std::size_t(f.coordinates), "coordinate", "coordinates"),
                     counted(std::size_t(f.equations), "equation", "equations"),
                     redundant > 0 ? fmt::format(" + {} redundant", redundant) : "",
                     counted(std::size_t(f.actual), "freedom", "freedoms"));
}

std::string equations_line(const Formulation& f) {
  std::string line =
      fmt::format("{}: {}, {}", f.word, counted(std::size_t(f.coordinates), "coordinate", "coordinates"),
                  counted(std::size_t(f.equations), "equation", "equations"));
  if (f.constant + f.linear + f.other > 0)
    line += fmt::format("; of the Jacobian {} constant, {} linear{}",
                        counted(std::size_t(f.constant), "row is", "rows are"), f.linear,
                        f.other > 0 ? fmt::format(", {} neither", f.other) : "");
  return line;
}

std::string moved_lines(const AssemblyRecord& a, std::size_t most, std::string_view indent) {
  std::vector<io::TextRow> rows;
  add_moved(a.positions, rows);
  add_moved(a.velocities, rows);
  const std::size_t all = rows.size();
  if (all > most) rows.resize(most);
  std::string text = io::aligned(rows, false, indent);
  if (all > most) text += fmt::format("{}... and {} more\n", indent, all - most);
  return text;
}

std::string assembly_line(const AssemblyRecord& a) {
  if (a.positions.empty() && a.velocities.empty())
    return fmt::format("as given; largest gap {:.2g} [m or rad]", a.violation_after);
  const auto keeps = [](const std::vector<Moved>& moved) {
    return std::ranges::none_of(moved, &Moved::written);
  };
  const std::string_view kept =
      keeps(a.positions) && keeps(a.velocities) ? "what is written is kept, the rest follows" : "this moved";
  if (a.positions.empty())
    return fmt::format("positions as given; velocities must fit the constraints: {}:", kept);
  return fmt::format("largest gap {:.2g} [m or rad], closed to {:.2g} in {}; {}:", a.violation_before,
                     a.violation_after, counted(std::size_t(a.iterations), "iteration", "iterations"), kept);
}

std::string bodies_of(const Mechanism& m, const AnyJoint& joint) { return named_bodies(m, joint); }
std::string bodies_of(const Mechanism& m, const AnyForce& force) { return named_bodies(m, force); }
}  // namespace mubody::cli

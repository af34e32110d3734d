#include "cli/elements.h"

#include <fmt/format.h>

#include "mubody/io/field_list.h"
#include "mubody/io/write_aligned.h"

namespace mubody::cli {
namespace {
/// The formula of a function that is written as one.
class FormulaText : public io::EachField<FormulaText> {
 public:
  std::string text;
  template <class T> void each(const Field& f, T& value) {
    if constexpr (std::is_same_v<T, std::string>)
      if (f.name == "text") text = value;
  }
};

/// The functions of time among the fields of an element.
class Motions : public io::EachField<Motions> {
 public:
  std::string words;
  template <class T> void each(const Field&, T& value) {
    if constexpr (std::is_same_v<T, Function>) note(value);
    if constexpr (std::is_same_v<T, std::optional<Function>>)
      if (value) note(*value);
  }

 private:
  void note(const Function& f) {
    const std::string_view kind = f.kind().info().name;
    if (kind == "constant") return;
    FormulaText formula;
    f.kind().clone()->fields(formula);
    words = fmt::format("{}{}{}", kind, formula.text.empty() ? "" : " ", formula.text);
  }
};

void add_moved(const std::vector<Moved>& moved, std::vector<TextRow>& rows) {
  for (const Moved& m : moved)
    rows.push_back({m.coordinate, fmt::format("{:.6g}", m.from), "->", fmt::format("{:.6g}", m.to),
                    fmt::format("{}  ({:+.2g})", m.unit, m.to - m.from)});
}
}  // namespace

std::string motion_of(const AnyJoint& joint) {
  Motions motions;
  joint.clone()->fields(motions);
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

std::string moved_lines(const Assembly& a, std::size_t most, std::string_view indent) {
  std::vector<TextRow> rows;
  add_moved(a.positions, rows);
  add_moved(a.velocities, rows);
  const std::size_t all = rows.size();
  if (all > most) rows.resize(most);
  std::string text = aligned(rows, false, indent);
  if (all > most) text += fmt::format("{}... and {} more\n", indent, all - most);
  return text;
}

std::string assembly_line(const Assembly& a) {
  const std::string after = fmt::format("{:.1e}", a.violation_after);
  const bool moved = !a.positions.empty() || !a.velocities.empty();
  if (!moved) return fmt::format("as given; largest gap {}", after);
  return fmt::format("largest gap {:.1e}, closed to {} in {}; this moved", a.violation_before, after,
                     counted(std::size_t(a.iterations), "iteration", "iterations"));
}
}  // namespace mubody::cli

#include "mubody/mubodyna/file.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "mubody/math/characters.h"

namespace mubody::io::mubodyna {
namespace {
/// The row of the body that is the ground itself; the number of bodies if there is none.
std::size_t ground_body(const File& file) {
  const auto acted_on = [&](std::size_t k) {
    return std::ranges::any_of(file['o'],
                               [&](const Row& r) { return r.whole(at::i) == static_cast<int>(k) + 1; });
  };
  for (const Row& r : file['i']) {
    const auto k = static_cast<std::size_t>(r.whole(at::i) - 1);
    const Row& b = file['b'][k];
    const bool at_rest = std::ranges::all_of(b.values, [](double v) { return v == 0; });
    if (at_rest && !acted_on(k)) return k;
  }
  return file['b'].size();
}

// Numbers in columns that begin together.
void add_rows(std::string& text, const Rows& rows) {
  std::vector<std::size_t> width;
  std::vector<std::vector<std::string>> cells;
  for (const Row& r : rows) {
    cells.emplace_back();
    width.resize(std::max(width.size(), r.values.size()), 0);
    for (std::size_t c = 0; c < r.values.size(); ++c) {
      cells.back().push_back(fmt::format("{}", r.values[c]));  // the shortest exact text
      width[c] = std::max(width[c], cells.back().back().size());
    }
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::string line;
    for (std::size_t c = 0; c < cells[k].size(); ++c) line += fmt::format("  {:>{}}", cells[k][c], width[c]);
    if (!rows[k].name.empty()) line += "  ! " + rows[k].name;
    if (!rows[k].name.empty() && rows[k].place > 0) line += fmt::format(" ({})", rows[k].place);
    text += line + "\n";
  }
}
}  // namespace

std::size_t File::count(Count c) const {
  if (c == NGD) return guiding_data.size();
  if (c == NFD) return force_data.size();
  for (const Section& s : mubodyna::sections())
    if (s.count == c && c != counts) return (*this)[s.letter].size();
  return 0;
}

Names names_of(const File& file) {
  constexpr std::string_view kinds[] = {"",       "body",    "moment",   "load",  "revolute", "clearance",
                                        "",       "slider",  "weld",     "hold",  "driver",   "guide",
                                        "spring", "torsion", "external", "point", ""};
  Names names;
  names.model = file.title;
  std::set<std::string> used{"ground"};
  const std::size_t ground = ground_body(file);
  // Names that the user gave come first, so that no generated name takes one of them.
  for (const bool given : {true, false})
    for (const Section& s : sections()) {
      const std::string_view kind = kinds[s.letter - 'a'];
      if (kind.empty()) continue;
      const Rows& rows = file[s.letter];
      const bool of_body = s.letter == 'c' || s.letter == 'd';
      std::vector<std::string>& all = names.sections[static_cast<std::size_t>(s.letter - 'a')];
      all.resize(rows.size());
      for (std::size_t k = 0; k < rows.size(); ++k) {
        if (s.letter == 'b' && k == ground) {
          all[k] = "ground";
        } else if (given) {
          if (!of_body && rows[k].name != "ground" && is_name(rows[k].name, true) &&
              used.insert(rows[k].name).second)
            all[k] = rows[k].name;
        } else if (all[k].empty()) {
          all[k] = of_body ? fmt::format("{}_{}", kind, names('b', k)) : fmt::format("{}_{}", kind, k + 1);
          while (!used.insert(all[k]).second) all[k] += "_";
        }
      }
    }
  return names;
}

std::string text_of(const File& file) {
  std::string text;
  for (const Section& s : sections()) {
    const Rows& rows = file[s.letter];
    if (s.letter != 'a' && rows.empty()) continue;
    if (!text.empty()) text += "\n";
    text += fmt::format("{} - {}", s.title, s.explanation);
    if (s.letter == 'a' && !file.title.empty()) text += "  ! " + file.title;
    text += "\n";
    if (s.letter == 'a')
      for (std::size_t c = 0; c < counts; ++c)
        text += fmt::format("{:>4} {}\n", file.count(static_cast<Count>(c)), count_notes()[c].text);
    add_rows(text, rows);
    if (s.letter == 'l') add_rows(text, file.guiding_data);
    if (s.letter == 'o') add_rows(text, file.force_data);
  }
  return text;
}
}  // namespace mubody::io::mubodyna

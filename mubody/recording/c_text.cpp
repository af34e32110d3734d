#include "mubody/recording/c_text.h"

#include <algorithm>
#include <cctype>

#include "mubody/recording/c_statements.h"
#include "mubody/recording/embedded_c.h"

namespace mubody {
namespace {
/// Whether a name stands in a text, as a word.
bool has_word(std::string_view text, std::string_view word) {
  const auto part = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1))
    if (!(at > 0 && part(at - 1)) && !part(at + word.size())) return true;
  return false;
}

/// A routine as one function, or as several of some hundred statements that hand values over in memory.
class RoutineWriter {
 public:
  RoutineWriter(const Computation& g, const Routine& r, const CFrame& f)
      : r_(r), f_(f), turned_(turned_inputs(g, r, f)), statements_(c_statements(g, r, f, turned_, name_)),
        defined_(name_.size(), -1), used_(name_.size(), -1), slot_(name_.size(), -1), whole_(name_.size(), 0),
        slots_(2 * int(turned_.size())) {}

  std::string write() {
    cut();
    place();
    if (begins_.size() <= 2 && turned_.empty()) return function(f_.before, r_.name, f_.arguments, body(0));
    std::string parts, calls = "  mb_real w[" + std::to_string(std::max(slots_, 1)) + "];\n" + turns();
    for (int k = 0; k + 1 < int(begins_.size()); ++k) {
      const std::string name = r_.name + "_" + std::to_string(k + 1);
      parts += function("MB_PART", name, f_.arguments + ", mb_real* w", body(k)) + "\n";
      calls += "  " + name + "(" + f_.passed + ", w);\n";
    }
    return parts + function(f_.before, r_.name, f_.arguments, calls);
  }

 private:
  /// Makes sines and cosines.
  std::string turns() const {
    if (turned_.empty()) return "";
    std::string list = "  static const int turned[" + std::to_string(turned_.size()) + "] = {";
    for (std::size_t k = 0; k < turned_.size(); ++k)
      list += (k == 0 ? "" : k % 16 == 0 ? ",\n    " : ", ") + std::to_string(turned_[k]);
    return list + "};\n  mb_turn_all(x, turned, " + std::to_string(turned_.size()) + ", w);\n";
  }
  /// Where parts begin, and the end: near the even division, where the fewest values are handed over.
  void cut() {
    const int n = int(statements_.size()), parts = std::max(1, (n + f_.longest / 2) / f_.longest);
    const std::vector<int> waiting = handed_over();
    begins_ = {0};
    for (int k = 1; k < parts; ++k) {
      const int middle = int(long(n) * k / parts), reach = f_.longest / 4;
      const auto from = waiting.begin() + std::max(begins_.back() + 1, middle - reach);
      const auto to = waiting.begin() + std::min(n, middle + reach + 1);
      if (from < to) begins_.push_back(int(std::min_element(from, to) - waiting.begin()));
    }
    begins_.push_back(n);
  }
  /// How many values are known before each statement and used by it or later.
  std::vector<int> handed_over() const {
    const int n = int(statements_.size());
    std::vector<int> from(name_.size(), -1), to(name_.size(), -1), change(std::size_t(n) + 2, 0);
    for (int k = 0; k < n; ++k) {
      const CStatement& s = statements_[std::size_t(k)];
      for (const int u : s.uses) to[std::size_t(u)] = k;
      if (s.defines >= 0) from[std::size_t(s.defines)] = k;
    }
    for (std::size_t v = 0; v < from.size(); ++v)
      if (to[v] > from[v] && from[v] >= 0) ++change[std::size_t(from[v]) + 1], --change[std::size_t(to[v]) + 1];
    std::vector<int> count(std::size_t(n), 0);
    int now = 0;
    for (int k = 0; k < n; ++k) count[std::size_t(k)] = now += change[std::size_t(k)];
    return count;
  }
  int part_of(int statement) const {
    return int(std::upper_bound(begins_.begin(), begins_.end() - 1, statement) - begins_.begin()) - 1;
  }

  /// Gives a place in memory to each value that a later part needs.  A place is free again in the part after its last use.
  void place() {
    for (int k = 0; k < int(statements_.size()); ++k) {
      const CStatement& s = statements_[std::size_t(k)];
      if (s.defines >= 0) {
        defined_[std::size_t(s.defines)] = part_of(k);
        whole_[std::size_t(s.defines)] = s.is_whole;
      }
      for (const int u : s.uses) used_[std::size_t(u)] = part_of(k);
    }
    const int parts = int(begins_.size()) - 1;
    std::vector<std::vector<int>> ending(std::size_t(parts) + 1);
    std::vector<int> free;
    for (int k = 0; k < parts; ++k) {
      free.insert(free.end(), ending[std::size_t(k)].begin(), ending[std::size_t(k)].end());
      for (int s = begins_[std::size_t(k)]; s < begins_[std::size_t(k) + 1]; ++s) {
        const int v = statements_[std::size_t(s)].defines;
        if (v < 0 || used_[std::size_t(v)] <= k) continue;
        if (free.empty()) free.push_back(slots_++);
        slot_[std::size_t(v)] = free.back();
        free.pop_back();
        ending[std::size_t(used_[std::size_t(v)]) + 1].push_back(slot_[std::size_t(v)]);
      }
    }
  }

  std::string body(int part) const {
    std::string text;
    std::vector<char> known(name_.size(), 0);
    for (int k = begins_[std::size_t(part)]; k < begins_[std::size_t(part) + 1]; ++k) {
      const CStatement& s = statements_[std::size_t(k)];
      for (const int u : s.uses)
        if (defined_[std::size_t(u)] < part && !known[std::size_t(u)]) {
          known[std::size_t(u)] = 1;
          text += "  " + taken(u) + "\n";
        }
      text += "  " + s.text + "\n";
      if (s.defines >= 0 && slot_[std::size_t(s.defines)] >= 0) {
        text += "  w[" + std::to_string(slot_[std::size_t(s.defines)]) +
                "] = " + (s.is_whole ? "(mb_real)" : "") + c_name(name_[std::size_t(s.defines)]) + ";\n";
      }
    }
    return text;
  }
  std::string taken(int v) const {
    const std::string from = "w[" + std::to_string(slot_[std::size_t(v)]) + "];",
                      name = c_name(name_[std::size_t(v)]);
    return whole_[std::size_t(v)] ? "const int " + name + " = (int)" + from
                                  : "const mb_real " + name + " = " + from;
  }

  std::string function(const std::string& before, const std::string& name, const std::string& arguments,
                       const std::string& statements) const {
    std::string unused;
    const std::string all = f_.passed + (has_word(arguments, "w") ? ", w" : "");
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find(", ", at), all.size());
      const std::string argument = all.substr(at, end - at);
      if (!has_word(statements, argument)) unused += "  (void)" + argument + ";\n";
      at = end + 2;
    }
    return before + (before.empty() ? "" : " ") + "void " + name + "(" + arguments + ") {\n" + unused +
           statements + "}\n";
  }

  const Routine& r_;
  const CFrame& f_;
  std::vector<int> turned_;
  std::vector<int> name_;  // of nodes, as all lists below
  std::vector<CStatement> statements_;
  std::vector<int> defined_, used_, slot_;
  std::vector<char> whole_;
  std::vector<int> begins_;
  int slots_;
};
}  // namespace

std::string routine_in_c(const Computation& g, const Routine& r, const CFrame& f) {
  return RoutineWriter(g, r, f).write();
}

std::string tables_in_c(const Computation& g, const std::vector<Routine>& routines, const CFrame& f) {
  std::vector<char> used(g.tables().size(), 0);
  for (const Routine& r : routines)
    for (const int n : needed(g, r.outputs))
      if (g[n].step == Step::index || g[n].step == Step::fetch) used[std::size_t(g[n].b)] = 1;
  std::string text;
  for (std::size_t t = 0; t < used.size(); ++t) {
    if (!used[t]) continue;
    const auto& numbers = g.tables()[t].numbers;
    text += "MB_TABLE mb_real " + f.tables + std::to_string(t) + "[" + std::to_string(numbers.size()) + "] = {";
    for (std::size_t k = 0; k < numbers.size(); ++k)
      text += (k == 0 ? "\n  " : k % 4 == 0 ? ",\n  " : ", ") + c_constant(numbers[k]);
    text += "};\n";
  }
  return text;
}

std::string runtime_for(std::string_view code) {
  const std::string functions = embedded_c(c_text::c_runtime_c);
  std::string called, all(code);  // functions stand after those that they call: from the last to the first
  for (std::size_t end = functions.size(); end != functions.npos && end > 0;) {
    const std::size_t before = functions.rfind("\n\n", end - 1), at = before == functions.npos ? 0 : before + 2;
    const std::string one = functions.substr(at, end - at);
    const std::size_t begin = one.find("MB_"), open = one.find('(', begin), name = one.rfind(' ', open) + 1;
    if (begin != one.npos && has_word(all, one.substr(name, open - name)))
      called = "\n" + one + "\n" + called, all += one;
    end = before;
  }
  return embedded_c(c_text::c_runtime_h) + called;
}
}  // namespace mubody

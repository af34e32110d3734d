#include "mubody/math/suggest.h"

#include <algorithm>
#include <cctype>

namespace mubody {
namespace {
bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// Letters to insert, drop, replace or swap with their neighbour; upper and lower case count as equal.
// Three rows of the table of Damerau, "A technique for computer detection and correction of spelling
// errors", 1964, in the restricted form that edits no letter twice.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}
}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  // Short words all resemble each other, so a longer word may contain more mistakes.
  const std::size_t most = std::max<std::size_t>(1, word.size() / 3);
  std::size_t least = most + 1, odd_letters = 0;
  std::string_view best;
  for (const std::string_view candidate : known) {
    const std::size_t edits = distance(word, candidate);
    if (edits > most || edits >= std::max(word.size(), candidate.size())) continue;
    const std::size_t odd = std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
    if (edits > least || (edits == least && odd >= odd_letters)) continue;
    best = candidate, least = edits, odd_letters = odd;
  }
  return best.empty() ? "" : "; did you mean '" + std::string(best) + "'?";
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  return suggestion(word, std::span<const std::string_view>(views));
}
}  // namespace mubody

#include "mubody/model/errors.h"

#include <algorithm>
#include <tuple>

namespace mubody {
namespace {
constexpr std::size_t most_told = 20;  // nobody reads more, and most of them would be consequences
}

void throw_together(std::vector<ModelError> all) {
  if (all.empty()) return;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::vector<ModelError> others = std::move(all[k].others);
    all[k].others.clear();
    all.insert(all.end(), others.begin(), others.end());
  }
  std::ranges::stable_sort(all, {}, [](const ModelError& e) {
    return std::tuple(e.place.line == 0, e.place.line, e.place.column);  // what has no line comes last
  });
  ModelError first = all.front();
  first.left_out = all.size() > most_told ? all.size() - most_told : 0;
  first.others.assign(all.begin() + 1, all.begin() + std::ptrdiff_t(std::min(all.size(), most_told)));
  throw first;
}
}  // namespace mubody

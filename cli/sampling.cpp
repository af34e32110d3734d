#include "cli/sampling.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "cli/exit.h"
#include "mubody/math/suggest.h"
#include "mubody/text/node.h"

namespace mubody::cli {
Sampling sampling_of(const std::vector<std::string>& words, std::uint64_t seed) {
  Sampling s;
  s.seed = seed;
  if (words.empty()) return s;
  constexpr std::string_view kinds[] = {"lhs", "random"};
  const auto* kind = std::ranges::find(kinds, words[0]);
  if (kind == std::end(kinds)) {
    const std::string near = suggestion(words[0], kinds);
    throw UsageError(fmt::format("--sample: unknown kind '{}'{}", words[0],
                                 near.empty() ? "; there are lhs and random" : near));
  }
  s.kind = kind == std::begin(kinds) ? Sampling::lhs : Sampling::random;
  const std::string& number = words[1];
  double points = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), points);
  constexpr double most_points = 1e15;
  if (error != std::errc{} || stop != number.data() + number.size() ||
      !(points >= 1 && points <= most_points) || points != std::floor(points))
    throw UsageError(fmt::format("--sample takes a number of points, as in --sample lhs 1000; got {}",
                                 io::in_quotes(number)));
  s.points = std::size_t(points);
  return s;
}
}  // namespace mubody::cli

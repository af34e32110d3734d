#include "mubody/sweep/distribution.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mubody/math/suggest.h"

namespace mubody {
namespace {
using Numbers = std::span<const double>;

struct Kind {
  std::string_view name;
  std::size_t least, most;              // how many numbers it takes
  const char* (*fault)(Numbers);        // nullptr if there is none
  double (*quantile)(Numbers, double);  // at p
};

double triangular(Numbers n, double p) {
  const double low = n[0], mode = n[1], high = n[2], share = (mode - low) / (high - low);
  return p < share ? low + std::sqrt(p * (high - low) * (mode - low))
                   : high - std::sqrt((1 - p) * (high - low) * (high - mode));
}

// The distribution is cut off at limits, if there are any, as if draws beyond them were repeated.
double normal(Numbers n, double p) {
  if (n.size() < 4) return n[0] + n[1] * normal_quantile(p);
  const double low = (n[2] - n[0]) / n[1], high = (n[3] - n[0]) / n[1];
  // In the upper tail, shares are close to 1 and lose digits; those of the other tail do not.
  const double x = low > 0
                       ? -normal_quantile(normal_share(-low) + p * (normal_share(-high) - normal_share(-low)))
                       : normal_quantile(normal_share(low) + p * (normal_share(high) - normal_share(low)));
  return std::clamp(n[0] + n[1] * x, n[2], n[3]);
}

const char* increasing(Numbers n) {
  return n[0] < n[1] ? nullptr : "the first number must be below the second";
}

constexpr const char* no_spread = "the standard deviation must be positive";

constexpr Kind kinds[] = {
    {"uniform", 2, 2, increasing, [](Numbers n, double p) { return n[0] * (1 - p) + n[1] * p; }},
    {"loguniform", 2, 2, [](Numbers n) { return n[0] > 0 ? increasing(n) : "both numbers must be positive"; },
     [](Numbers n, double p) { return n[0] * std::pow(n[1] / n[0], p); }},
    {"normal", 2, 4,
     [](Numbers n) -> const char* {
       if (!(n[1] > 0)) return no_spread;
       if (n.size() == 3) return "limits come in pairs: normal(mean, sd, low, high)";
       return n.size() == 4 && !(n[2] < n[3]) ? "the lower limit must be below the upper one" : nullptr;
     },
     normal},
    {"lognormal", 2, 2, [](Numbers n) { return n[1] > 0 ? nullptr : no_spread; },
     [](Numbers n, double p) { return std::exp(n[0] + n[1] * normal_quantile(p)); }},
    {"triangular", 3, 3,
     [](Numbers n) -> const char* {
       return n[0] <= n[1] && n[1] <= n[2] && n[0] < n[2] ? nullptr
                                                          : "expected low <= mode <= high, not all equal";
     },
     triangular},
    {"exponential", 1, 1,
     [](Numbers n) -> const char* { return n[0] > 0 ? nullptr : "the mean must be positive"; },
     [](Numbers n, double p) { return -n[0] * std::log1p(-p); }},
    {"weibull", 2, 2,
     [](Numbers n) -> const char* {
       return n[0] > 0 && n[1] > 0 ? nullptr : "scale and shape must be positive";
     },
     [](Numbers n, double p) { return n[0] * std::pow(-std::log1p(-p), 1 / n[1]); }}};

constexpr DistributionNote notes[] = {
    {"uniform(low, high)", "every value between the two; low:high is the same"},
    {"loguniform(low, high)", "its logarithm is uniform"},
    {"normal(mean, sd)", "Gauss"},
    {"normal(mean, sd, low, high)", "Gauss, cut off at two limits"},
    {"lognormal(mean, sd)", "its logarithm is normal with that mean and standard deviation"},
    {"triangular(low, mode, high)", "most likely at the mode, not at all beyond low and high"},
    {"exponential(mean)", "above zero, falling off"},
    {"weibull(scale, shape)", "life times, strengths"}};
}  // namespace

std::span<const DistributionNote> distribution_notes() { return notes; }

double normal_share(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

// A rational approximation with an error of 5e-4 (Hastings 1955), followed by two steps of Halley's method,
// which reduce the error to 1e-10 and to round-off.
double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1 - p);
  const double t = std::sqrt(-2 * std::log(p));
  double x =
      (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (int round = 0; round < 2; ++round) {
    const double miss = (normal_share(x) - p) * std::sqrt(2 * std::numbers::pi) * std::exp(x * x / 2);
    x -= miss / (1 + x * miss / 2);
  }
  return x;
}

Distribution::Distribution(std::string_view name, std::vector<double> numbers) : numbers_(std::move(numbers)) {
  const auto* found = std::ranges::find(kinds, name, &Kind::name);
  if (found == std::end(kinds)) {
    std::vector<std::string_view> known;
    for (const Kind& k : kinds) known.push_back(k.name);
    const std::string near = suggestion(name, known);
    throw std::invalid_argument(
        fmt::format("unknown distribution '{}'{}", name,
                    near.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : near));
  }
  kind_ = std::size_t(found - kinds);
  if (numbers_.size() < found->least || numbers_.size() > found->most) {
    std::vector<std::string_view> forms;
    for (const DistributionNote& note : notes)
      if (note.form.starts_with(fmt::format("{}(", name))) forms.push_back(note.form);
    throw std::invalid_argument(fmt::format("expected {}", fmt::join(forms, " or ")));
  }
  if (const char* fault = found->fault(numbers_))
    throw std::invalid_argument(fmt::format("{}: {}", name, fault));
}

double Distribution::quantile(double p) const { return kinds[kind_].quantile(numbers_, p); }

std::string Distribution::text() const {
  return fmt::format("{}({})", kinds[kind_].name, fmt::join(numbers_, ", "));
}
}  // namespace mubody

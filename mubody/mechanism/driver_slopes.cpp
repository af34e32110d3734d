#include "mubody/mechanism/driver_slopes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <typeinfo>

#include <fmt/format.h>

#include "mubody/functions/registry.h"
#include "mubody/mechanism/each_function.h"

namespace mubody {
namespace {
constexpr int looks = 37;         // times at which a function is looked at
constexpr double apart = 1e-5;    // of the span: between values of which a difference is taken
constexpr double off = 1e-2;      // of the largest slope: what differs by more is wrong
constexpr double at_rest = 1e-3;  // of the largest slope: what moves less does not count
constexpr double safety = 4;      // for the error of a difference
constexpr double last_bits = 8 * std::numeric_limits<double>::epsilon();

// The functions of mubody have tests for that.
bool is_ours(const FunctionKind& f) {
  return std::ranges::any_of(function_kinds(), [&](const FunctionEntry& e) {
    const std::unique_ptr<FunctionKind> ours = e.make();
    return typeid(*ours) == typeid(f);
  });
}

// A slope that a function gives, that of its values, and how well this one is known.
struct Slope {
  double t, given, found, unsure;

  double size() const { return std::max(std::abs(given), std::abs(found)); }
  double error() const { return std::abs(given - found); }
};

// The worst slope, if those of several times are wrong: beside a single time there may be a kink.
std::optional<Slope> worst(const std::array<Slope, looks>& all) {
  double largest = 0;
  for (const Slope& s : all) largest = std::max(largest, s.size());
  int moving = 0, wrong = 0;
  const Slope* found = nullptr;
  for (const Slope& s : all) {
    if (!(s.size() > at_rest * largest)) continue;
    ++moving;
    if (!(s.error() > off * largest + safety * s.unsure)) continue;
    ++wrong;
    if (!found || s.error() > found->error()) found = &s;
  }
  return wrong >= 2 && 4 * wrong > moving ? std::optional(*found) : std::nullopt;
}

class GatherSlopes final : public EachFunction<GatherSlopes> {
 public:
  GatherSlopes(double from, double to) : from_(from), to_(to) {}
  std::vector<WrongSlope> all;

  void take(const Field& field, const Function& f) {
    if ((f.held() && f.held()->set) || is_ours(f.kind())) return;
    std::array<Slope, looks> rates{}, accelerations{};
    const double h = apart * (to_ - from_);
    for (std::size_t k = 0; k < looks; ++k) {
      const double t = from_ + 2 * h + (double(k) + 0.5) / looks * (to_ - from_ - 4 * h);
      const Jet here = f(t), left = f(t - h), right = f(t + h), far_left = f(t - 2 * h),
                far_right = f(t + 2 * h);
      const auto slope = [&](double Jet::*of, double given) {
        const double found = (right.*of - left.*of) / (2 * h), wide = (far_right.*of - far_left.*of) / (4 * h);
        const double digits = last_bits * (std::abs(here.*of) + std::abs(found * t)) / h;
        return Slope{t, given, found, std::abs(found - wide) + digits};
      };
      rates[k] = slope(&Jet::x, here.v);
      accelerations[k] = slope(&Jet::v, here.a);
    }
    if (const std::optional<Slope> s = worst(rates))
      all.push_back({{}, true, s->t, s->given, s->found, std::string(field.unit)});
    else if (const std::optional<Slope> a = worst(accelerations))
      all.push_back({{}, false, a->t, a->given, a->found, std::string(field.unit)});
  }

 private:
  double from_, to_;  // [s]
};
}  // namespace

std::string WrongSlope::in_words() const {
  return fmt::format(
      "driver '{}' asks for {} of {:.4g} {}{} at t = {:.6g} s, where its {} change{} by {:.4g} {}{}", driver,
      of_rate ? "a rate" : "an acceleration", given, unit, of_rate ? "/s" : "/s^2", t,
      of_rate ? "values" : "rate", of_rate ? "" : "s", found, unit, of_rate ? "/s" : "/s^2");
}

std::vector<WrongSlope> wrong_slopes(const Mechanism& m, double from, double to) {
  std::vector<WrongSlope> all;
  if (!(to > from)) return all;
  for (const auto& joint : m.joints) {
    GatherSlopes gather(from, to);
    show_fields(*joint.what, gather);
    for (WrongSlope& slope : gather.all) {
      slope.driver = joint.name;
      all.push_back(std::move(slope));
    }
  }
  return all;
}
}  // namespace mubody

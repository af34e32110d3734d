#include "mubody/mechanism/unusual_values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/mechanism/each_field.h"

namespace mubody {
namespace {
class Unusual final : public EachConstField<Unusual> {
 public:
  explicit Unusual(std::string owner) : owner_(std::move(owner)) {}
  std::vector<std::string> lines;

  template <class T> void each(const Field&, const T&) {}
  void each(const Field& f, const double& value) {
    if (f.usual != Usual::any) expect_not_negative(f, value);
  }
  void each(const Field& f, const std::optional<double>& value) {
    if (value) each(f, *value);
  }
  void each(const Field& f, const std::vector<double>& values) {
    if (f.usual == Usual::any || values.empty()) return;
    const auto n = std::size_t(std::lround(std::sqrt(double(values.size()))));
    const bool matrix = f.usual == Usual::not_negative_diagonal && n * n == values.size();
    double least = values[0];
    for (std::size_t k = 0; k < values.size(); k += matrix ? n + 1 : 1) least = std::min(least, values[k]);
    expect_not_negative(f, least);
  }
  void each(const Field&, const Law& law) { show_fields(law.kind(), *this); }
  void each(const Field& f, const std::optional<Law>& law) {
    if (law) each(f, *law);
  }

 private:
  void expect_not_negative(const Field& f, double value) {
    if (value < 0)
      lines.push_back(
          fmt::format("{}: {} is negative ({:.6g}); check that the sign is meant", owner_, f.name, value));
  }

  std::string owner_;
};
}  // namespace

std::vector<std::string> unusual_values(const Mechanism& m) {
  std::vector<std::string> lines;
  const auto look_at = [&](const char* kind, const auto& named) {
    Unusual unusual(fmt::format("{} '{}'", kind, named.name));
    show_fields(*named.what, unusual);
    std::move(unusual.lines.begin(), unusual.lines.end(), std::back_inserter(lines));
  };
  for (const auto& j : m.joints) look_at(j.driver ? "driver" : "joint", j);
  for (const auto& f : m.forces) look_at("force", f);
  return lines;
}
}  // namespace mubody

#include "mubody/model/shown_units.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "mubody/model/units.h"

namespace mubody {
namespace {
// The units that results have.
constexpr std::string_view result_units[] = {"s",   "m",     "rad",     "m/s",       "rad/s", "m/s2", "rad/s2",
                                             "N",   "N m",   "J",       "W",         "Hz",    "kg",   "kg m2",
                                             "N/m", "N s/m", "N m/rad", "N m s/rad", "Pa"};

std::optional<Quantity> quantity_of(std::string_view unit) {
  try {
    return parse_unit(unit);
  } catch (const UnitError&) {
    return {};
  }
}

bool is_energy(std::string_view unit) { return unit.find('J') != std::string_view::npos; }

/// Whether numbers of one unit can be shown in the other.
bool are_alike(std::string_view a, std::string_view b) {
  const auto one = quantity_of(a), other = quantity_of(b);
  return one && other && one->dim == other->dim && is_energy(a) == is_energy(b);
}
}  // namespace

ShownUnits::ShownUnits(const std::vector<std::string>& units) {
  std::ranges::copy_if(units, std::back_inserter(units_),
                       [](const std::string& u) { return quantity_of(u).has_value(); });
}

ShownUnit ShownUnits::of(std::string_view unit) const {
  const auto found = std::ranges::find_if(units_, [&](const std::string& u) { return are_alike(u, unit); });
  if (found == units_.end()) return {std::string(unit), 1};
  return {*found, quantity_of(unit)->si / quantity_of(*found)->si};
}

std::string why_not_shown(const std::vector<std::string>& units) {
  const std::string& last = units.back();
  try {
    if (parse_unit(last).dim == Dimension{}) return fmt::format("'{}' is not a unit", last);
  } catch (const UnitError& e) {
    return e.what();
  }
  const auto twin =
      std::find_if(units.begin(), units.end() - 1, [&](const std::string& u) { return are_alike(u, last); });
  if (twin == units.end() - 1) return "";
  return fmt::format("'{}' and '{}' are units of the same quantity: give one of them", *twin, last);
}

ShownUnit in_si(std::string_view unit) {
  const auto given = quantity_of(unit);
  if (!given || given->si == 1) return {std::string(unit), 1};
  const auto found = std::ranges::find_if(result_units, [&](std::string_view u) { return are_alike(u, unit); });
  if (found == std::end(result_units)) return {std::string(unit), 1};
  return {std::string(*found), given->si};
}
}  // namespace mubody

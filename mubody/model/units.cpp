#include "mubody/model/units.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "mubody/math/characters.h"
#include "mubody/math/suggest.h"

namespace mubody {
namespace {
constexpr double pi = std::numbers::pi;
constexpr Dimension number{}, mass{1, 0, 0, 0}, length{0, 1, 0, 0}, time_span{0, 0, 1, 0}, angle{0, 0, 0, 1},
    frequency{0, 0, -1, 0}, angular_velocity{0, 0, -1, 1}, force{1, 1, -2, 0}, energy{1, 2, -2, 0},
    power{1, 2, -3, 0}, pressure{1, -1, -2, 0};

struct Unit {
  std::string_view name;
  double si;
  Dimension dim;
  std::string_view prefixes = "";  // prefixes in use with it
};

// Pound, foot, inch and pound-force are exact by the international agreement of 1959.
constexpr Unit units[] = {
    {"m", 1, length, "mcdkun"},
    {"in", 0.0254, length},
    {"ft", 0.3048, length},
    {"g", 1e-3, mass, "umkM"},
    {"t", 1e3, mass},
    {"lb", 0.45359237, mass},
    {"s", 1, time_span, "num"},
    {"min", 60, time_span},
    {"h", 3600, time_span},
    {"rad", 1, angle, "um"},
    {"deg", pi / 180, angle},
    {"rev", 2 * pi, angle},
    {"rpm", pi / 30, angular_velocity},
    {"Hz", 1, frequency, "mkMG"},
    {"N", 1, force, "umkMG"},
    {"lbf", 4.4482216152605, force},
    {"kgf", 9.80665, force},
    {"Nm", 1, energy, "mkM"},
    {"Nmm", 1e-3, energy},
    {"Pa", 1, pressure, "mhkMG"},
    {"bar", 1e5, pressure, "m"},
    {"psi", 6894.757293168361, pressure},
    {"J", 1, energy, "umkMG"},
    {"W", 1, power, "umkMG"},
};

constexpr std::pair<char, double> prefixes[] = {{'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3}, {'c', 1e-2}, {'d', 1e-1},
                                                {'h', 1e2},  {'k', 1e3},  {'M', 1e6},  {'G', 1e9}};

constexpr std::pair<Dimension, std::string_view> names[] = {
    {number, "a pure number"},
    {length, "a length"},
    {angle, "an angle"},
    {time_span, "a time"},
    {mass, "a mass"},
    {frequency, "a frequency"},
    {force, "a force"},
    {energy, "a torque or energy"},
    {power, "a power"},
    {pressure, "a pressure"},
    {angular_velocity, "an angular velocity"},
    {{0, 0, -2, 1}, "an angular acceleration"},
    {{0, 1, -1, 0}, "a velocity"},
    {{0, 1, -2, 0}, "an acceleration"},
    {{0, 2, 0, 0}, "an area"},
    {{0, 3, 0, 0}, "a volume"},
    {{1, -3, 0, 0}, "a density"},
    {{1, 2, 0, 0}, "a moment of inertia"},
    {{1, 0, -2, 0}, "a stiffness"},
    {{1, 2, -2, -1}, "a rotational stiffness"},
    {{1, 0, -1, 0}, "a damping constant"},
    {{1, 2, -1, -1}, "a rotational damping constant"},
};

// All names, with and without prefixes; only those of the wanted dimension if one is given.
std::vector<std::string> known_units(const std::optional<Dimension>& wanted) {
  std::vector<std::string> all;
  for (const Unit& u : units) {
    if (wanted && u.dim != *wanted) continue;
    all.emplace_back(u.name);
    for (const char c : u.prefixes) all.push_back(c + std::string(u.name));
  }
  return all;
}

std::optional<Quantity> find_unit(std::string_view name) {
  for (const Unit& u : units)
    if (u.name == name) return Quantity{u.si, u.dim};
  for (const Unit& u : units)
    for (const auto& [letter, factor] : prefixes)
      if (name.size() == u.name.size() + 1 && name.front() == letter && name.substr(1) == u.name &&
          u.prefixes.find(letter) != std::string_view::npos)
        return Quantity{factor * u.si, u.dim};
  return {};
}

// Signs beyond ASCII that people paste, written plainly.
std::string plain(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> spellings[] = {{"²", "2"}, {"³", "3"}, {"°", "deg"},
                                                                         {"µ", "u"}, {"μ", "u"}, {"·", "*"}};
  std::string s(text);
  for (const auto& [from, to] : spellings)
    for (std::size_t at = s.find(from); at != std::string::npos; at = s.find(from, at + to.size()))
      s.replace(at, from.size(), to);
  return s;
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

class UnitParser {
 public:
  UnitParser(std::string_view unit, const std::optional<Dimension>& wanted)
      : written_(unit), text_(plain(unit)), wanted_(wanted) {}

  Quantity parse() {
    const Quantity q = product();
    if (at_ != text_.size()) fail();
    return q;
  }
  bool has_cycles() const { return has_cycles_; }

 private:
  [[noreturn]] void fail() const {
    throw UnitError(UnitError::no_unit, fmt::format("'{}' is not a unit", written_));
  }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_spaces() {
    while (next() == ' ') ++at_;
  }

  Quantity product() {
    Quantity q{1, {}};
    bool divided = false;
    skip_spaces();
    if (next() != '/') multiply(q, factor(), 1);  // "51 /s" starts with a division
    for (skip_spaces(); next() != '\0' && next() != ')'; skip_spaces()) {
      const bool divides = next() == '/';
      if (!divides && divided)
        throw UnitError(
            UnitError::no_unit,
            fmt::format("unit '{}' is ambiguous; put what is divided by into parentheses", written_));
      if (divides || next() == '*') ++at_;
      multiply(q, factor(), divides ? -1 : 1);
      divided = divided || divides;
    }
    return q;
  }

  Quantity factor() {
    skip_spaces();
    Quantity base{1, {}};
    if (next() == '(') {
      ++at_;
      base = product();
      if (next() != ')') fail();
      ++at_;
    } else if (next() == '1') {  // as in 1/s
      ++at_;
      if (is_letter(next()) || is_digit(next())) fail();
      return base;
    } else {
      base = atom();
    }
    Quantity q{1, {}};
    multiply(q, base, exponent());
    return q;
  }

  Quantity atom() {
    const std::size_t start = at_;
    while (is_letter(next())) ++at_;
    const std::string name = text_.substr(start, at_ - start);
    if (name.empty()) fail();
    if (const auto found = find_unit(name)) {
      has_cycles_ = has_cycles_ || found->dim == frequency;
      return *found;
    }
    std::string hint;
    if (wanted_ && name == text_) hint = suggestion(name, known_units(wanted_));
    if (hint.empty()) hint = suggestion(name, known_units({}));
    throw UnitError(UnitError::unknown_unit, fmt::format("unknown unit '{}'", name), hint);
  }

  int exponent() {
    if (next() == '^')
      ++at_;
    else if (next() != '-' && !is_digit(next()))
      return 1;
    int n = 0;
    const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), n);
    if (error != std::errc{} || n < -9 || n > 9) fail();
    at_ = static_cast<std::size_t>(stop - text_.data());
    return n;
  }

  static void multiply(Quantity& q, const Quantity& by, int times) {
    q.si *= std::pow(by.si, times);
    q.dim.kg += times * by.dim.kg;
    q.dim.m += times * by.dim.m;
    q.dim.s += times * by.dim.s;
    q.dim.rad += times * by.dim.rad;
  }

  std::string_view written_;
  std::string text_;
  std::optional<Dimension> wanted_;
  std::size_t at_ = 0;
  bool has_cycles_ = false;
};

// The number at the start of a text, and the unit after it.
std::pair<double, std::string_view> split(std::string_view text) {
  std::string_view rest = trimmed(text);
  if (rest.starts_with('+')) rest.remove_prefix(1);
  const std::string_view digits = rest.starts_with('-') ? rest.substr(1) : rest;
  double value = 0;
  const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  // from_chars would also take "inf" and "nan".
  if (error != std::errc{} || digits.empty() || is_letter(digits.front()))
    throw UnitError(UnitError::no_number, fmt::format("'{}' is not a number with a unit", text));
  return {value, trimmed(rest.substr(static_cast<std::size_t>(stop - rest.data())))};
}

Quantity unit_of(std::string_view unit, const std::optional<Dimension>& wanted, bool& has_cycles) {
  has_cycles = false;
  if (trimmed(unit).empty()) return {1, {}};
  UnitParser parser(trimmed(unit), wanted);
  const Quantity q = parser.parse();
  has_cycles = parser.has_cycles();
  return q;
}
}  // namespace

std::string describe(const Dimension& dimension) {
  for (const auto& [dim, name] : names)
    if (dim == dimension) return std::string(name);
  std::string units_text;
  const std::pair<double, const char*> parts[] = {
      {dimension.kg, "kg"}, {dimension.m, "m"}, {dimension.s, "s"}, {dimension.rad, "rad"}};
  for (const auto& [exponent, base] : parts) {
    if (exponent == 0) continue;
    units_text += exponent == 1 ? fmt::format(" {}", base) : fmt::format(" {}^{}", base, exponent);
  }
  return "a quantity in" + units_text;
}

bool is_length(std::string_view unit) {
  const auto found = find_unit(unit);
  return found && found->dim == length;
}
bool is_angle(std::string_view unit) {
  const auto found = find_unit(unit);
  return found && found->dim == angle;
}

Quantity parse_unit(std::string_view unit) {
  bool has_cycles;
  return unit_of(unit, {}, has_cycles);
}

Quantity parse_quantity(std::string_view text) {
  const auto [value, unit] = split(text);
  const Quantity one = parse_unit(unit);
  return {value * one.si, one.dim};
}

double to_si(std::string_view text, std::string_view expected_unit) {
  bool expects_cycles, has_cycles;
  const Quantity expected = unit_of(expected_unit, {}, expects_cycles);
  const auto [value, unit] = split(text);
  if (unit.empty()) return value * expected.si;
  const Quantity given = unit_of(unit, expected.dim, has_cycles);
  if (given.dim == expected.dim) return value * given.si;
  if (unit == "rpm" && expected.dim == frequency) return value / 60;

  const Dimension &g = given.dim, &e = expected.dim;
  const bool only_radians_differ = g.kg == e.kg && g.m == e.m && g.s == e.s;
  // A length per radian would be something else.
  if (only_radians_differ && (g.kg != 0 || g.m != 0) && e != length && !has_cycles && !expects_cycles)
    return value * given.si;

  const std::string wanted = e == number ? describe(e) : fmt::format("{} ({})", describe(e), expected_unit);
  const char* hint = "";
  if (g == frequency && e == angular_velocity) hint = ": write rad/s, deg/s or rpm";
  if (g == angular_velocity && e == frequency) hint = ": write Hz or rpm";
  throw UnitError(UnitError::other_quantity, fmt::format("unit '{}'", unit),
                  fmt::format(" is {}, expected {}{}", describe(g), wanted, hint));
}
}  // namespace mubody

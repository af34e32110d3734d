#pragma once
// What the fields of an element tell about its looks and its arrows, so that no list of kinds is needed.
#include <cmath>
#include <map>
#include <set>

#include "mubody/mechanism/each_field.h"
#include "mubody/picture/scene.h"

namespace mubody::io {
class Traits : public EachField<Traits> {
 public:
  std::map<std::string_view, double> numbers;
  std::set<std::string_view> names;
  bool has_i = false, has_j = false;
  bool on_road = false;  // it has a curve over a length

  template <class T> void each(const Field& f, T& value) {
    names.insert(f.name);
    if constexpr (std::is_same_v<T, double>) numbers[f.name] = value;
    if constexpr (std::is_same_v<T, std::optional<double>>)
      if (value) numbers[f.name] = *value;
    if constexpr (std::is_same_v<T, Function>) on_road = on_road || f.over == "m";
    if constexpr (std::is_same_v<T, std::optional<Law>> || std::is_same_v<T, std::optional<Function>>)
      if (value) numbers[f.name] = 1;
  }
  void each(const Field& f, Marker&) { (f.name == "i" ? has_i : has_j) = true; }

  double number(std::string_view name) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0 : found->second;
  }
  /// The radius at marker i, the radius at marker j; 0 where there is none.
  double radius_i() const { return number(names.contains("bearing_radius") ? "bearing_radius" : "radius_i"); }
  double radius_j() const {
    for (const std::string_view name : {"journal_radius", "radius_j", "radius"})
      if (names.contains(name)) return number(name);
    return 0;
  }
};

template <class Any> Traits traits_of(const Any& element) {
  Traits traits;
  element.clone()->fields(traits);
  return traits;
}

inline SceneEnd end_of(const Marker& m) { return {m.body, m.at}; }
}  // namespace mubody::io

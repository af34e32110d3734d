#pragma once
// A JSON value: built in code and written as text, or read from text.
//
//   Json all{{"name", "crank"}, {"mass", 1.5}, {"joints", {"A", "B"}}};    a list of pairs is an object
//   all["at"] = Json::array({0.5, 0.0});                                   always an array
//
// Members keep their order.  Numbers are written with the digits that they need to be read back exactly;
// numbers that are not finite become null.  It is no template, unlike the library behind `parse`, which would
// take seconds in every source.
#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mubody::io {
class Json {
 public:
  class Item;
  struct Member;

  /// null
  Json();
  Json(std::nullptr_t);
  template <std::integral T> Json(T x) : Json() {
    if constexpr (std::same_as<T, bool>)
      take_bool(x);
    else if constexpr (std::signed_integral<T>)
      take_signed(x);
    else
      take_unsigned(x);
  }
  Json(double x);
  Json(const char* text);
  Json(std::string text);
  Json(std::string_view text);
  template <class T> Json(const std::vector<T>& all) : Json(array({})) { take(all); }
  template <class T, std::size_t n> Json(const std::array<T, n>& all) : Json(array({})) { take(all); }
  /// An object if all are pairs of a name and a value, otherwise an array.
  Json(std::initializer_list<Item> all);
  static Json array(std::initializer_list<Item> all = {});
  static Json object();

  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(Json) noexcept;
  ~Json();

  /// The value that the text states; none if it is not JSON, or goes deeper than 64 levels.
  static std::optional<Json> parse(std::string_view text);
  /// The text in one line, or with this much indentation per level.  Bytes that are not UTF-8 become U+FFFD.
  std::string dump(int indent = -1) const;

  bool is_object() const;
  bool is_string() const;
  /// The number of elements of an array or object; 0 for other values.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  /// The member of that name, added if it is missing; null becomes an object.
  Json& operator[](std::string_view key);
  /// The member; null if there is none.
  const Json& operator[](std::string_view key) const;
  Json& operator[](const char* key) { return (*this)[std::string_view(key)]; }
  const Json& operator[](const char* key) const { return (*this)[std::string_view(key)]; }
  Json& operator[](std::size_t k);
  Json& back() { return (*this)[size() - 1]; }
  void push_back(Json x);
  /// Adds a member whose name is not there yet.
  void add(std::string name, Json value);
  /// Takes over the members of another object.
  void update(const Json& other);
  void erase(std::string_view key);
  std::span<const Member> members() const;
  std::span<const Json> elements() const;
  /// The characters of a string; empty for other values.
  const std::string& text() const;

 private:
  struct Data;
  template <class List> void take(const List& all) {
    for (const auto& x : all) push_back(x);
  }
  void write(int indent, int depth, std::string& out) const;
  void take_bool(bool);
  void take_signed(std::int64_t);
  void take_unsigned(std::uint64_t);
  std::unique_ptr<Data> own_;  // an empty pointer means null
};

struct Json::Member {
  std::string name;
  Json value;
};

/// An element of a list in braces, so that it can be moved out of the list.
class Json::Item {
 public:
  Item(Json x) : own_(std::move(x)) {}
  Item(std::initializer_list<Item> all) : own_(all) {}
  template <class T>
  requires(std::constructible_from<Json, T> && !std::same_as<std::remove_cvref_t<T>, Json> &&
           !std::same_as<std::remove_cvref_t<T>, Item>) Item(T&& x)
      : own_(std::forward<T>(x)) {}

 private:
  friend class Json;
  mutable Json own_;
};
}  // namespace mubody::io

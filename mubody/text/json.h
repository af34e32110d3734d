#pragma once
// A JSON value: built in code and written as text, or read from text.
//
//   Json all{{"name", "crank"}, {"mass", 1.5}, {"joints", {"A", "B"}}};    an object; a list of pairs is one
//   all["at"] = Json::array({0.5, 0.0});                                   an array, whatever is in it
//
// Members keep their order.  Numbers are written with the digits that they need to be read back exactly, those that are
// not finite as null.  Not a template, unlike the library behind `parse`, which would take seconds in every source.
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

  /// What the text says; none if it is not JSON.
  static std::optional<Json> parse(std::string_view text);
  /// In one line, or with this much indentation per level.  What is not UTF-8 in a name is replaced by U+FFFD.
  std::string dump(int indent = -1) const;

  bool is_object() const;
  bool is_string() const;
  /// Of an array or object; 0 of others.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  /// The member, which is added if it is not there; null becomes an object.
  Json& operator[](std::string_view key);
  /// The member; null if there is none.
  const Json& operator[](std::string_view key) const;
  Json& operator[](const char* key) { return (*this)[std::string_view(key)]; }
  const Json& operator[](const char* key) const { return (*this)[std::string_view(key)]; }
  Json& operator[](std::size_t k);
  Json& back() { return (*this)[size() - 1]; }
  void push_back(Json x);
  /// Takes over the members of another object.
  void update(const Json& other);
  void erase(std::string_view key);
  std::span<const Member> members() const;
  std::span<const Json> elements() const;
  /// Of a string; empty of others.
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
  std::unique_ptr<Data> own_;  // none is null
};

struct Json::Member {
  std::string name;
  Json value;
};

/// An element of a list in braces, which is moved out of it.
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

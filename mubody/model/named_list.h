#pragma once
// Lists of things with names and units that take little memory, however many there are.
//
// A million bodies have twenty million columns of results.  A string of its own for each name, and another for each unit, takes
// more memory than all equations do.  Here all names lie one after the other in a single text, every unit is kept once, and an
// item is put together when somebody asks for it.  So items come as values, and none can be changed in its place.
//
//   struct Column {
//     std::string name, unit;
//     bool residual = false;
//     using Rest = bool;                                     // what else is kept
//     Rest rest() const { return residual; }
//     static Column of(std::string name, std::string unit, Rest r) { return {std::move(name), std::move(unit), r}; }
//   };
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mubody {
template <class Item> class NamedList {
 public:
  using value_type = Item;

  NamedList() = default;
  NamedList(std::initializer_list<Item> items) : NamedList(items.begin(), items.end()) {}
  NamedList(const std::vector<Item>& items) : NamedList(items.begin(), items.end()) {}

  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  /// The name of an item where it lies; it is there as long as the list does not change.
  std::string_view name(std::size_t k) const {
    const std::size_t begin = k == 0 ? 0 : ends_[k - 1];
    return std::string_view(names_).substr(begin, ends_[k] - begin);
  }
  const std::string& unit(std::size_t k) const { return units_[unit_of_[k]]; }
  const auto& rest(std::size_t k) const { return rests_[k].value; }
  Item operator[](std::size_t k) const { return Item::of(std::string(name(k)), unit(k), rest(k)); }
  Item front() const { return (*this)[0]; }
  Item back() const { return (*this)[size() - 1]; }

  void reserve(std::size_t count) { ends_.reserve(count), unit_of_.reserve(count), rests_.reserve(count); }
  void push_back(const Item& item) {
    names_ += item.name;
    ends_.push_back(names_.size());
    unit_of_.push_back(number_of(item.unit));
    rests_.push_back({item.rest()});
  }
  /// Gives back what was reserved for more.
  void shrink_to_fit() {
    names_.shrink_to_fit(), ends_.shrink_to_fit(), unit_of_.shrink_to_fit(), rests_.shrink_to_fit();
  }

  class Iterator {
   public:
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using reference = Item;
    using iterator_category = std::input_iterator_tag;  // items are values
    using iterator_concept = std::random_access_iterator_tag;

    Iterator() = default;
    Iterator(const NamedList& list, std::size_t k) : list_(&list), k_(std::ptrdiff_t(k)) {}
    Item operator*() const { return (*list_)[std::size_t(k_)]; }
    Item operator[](difference_type n) const { return (*list_)[std::size_t(k_ + n)]; }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator++(int) { return std::exchange(*this, *this + 1); }
    Iterator operator--(int) { return std::exchange(*this, *this - 1); }
    Iterator& operator+=(difference_type n) { return k_ += n, *this; }
    Iterator& operator-=(difference_type n) { return k_ -= n, *this; }
    friend Iterator operator+(Iterator i, difference_type n) { return i += n; }
    friend Iterator operator+(difference_type n, Iterator i) { return i += n; }
    friend Iterator operator-(Iterator i, difference_type n) { return i -= n; }
    friend difference_type operator-(const Iterator& i, const Iterator& j) { return i.k_ - j.k_; }
    bool operator==(const Iterator& other) const { return k_ == other.k_; }
    auto operator<=>(const Iterator& other) const { return k_ <=> other.k_; }

   private:
    const NamedList* list_ = nullptr;
    std::ptrdiff_t k_ = 0;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  template <class It> NamedList(It from, It to) {
    for (; from != to; ++from) push_back(*from);
  }
  std::uint32_t number_of(const std::string& unit) {
    if (!unit_of_.empty() && units_[unit_of_.back()] == unit) return unit_of_.back();
    const auto [at, is_new] = numbers_.try_emplace(unit, std::uint32_t(units_.size()));
    if (is_new) units_.push_back(unit);
    return at->second;
  }

  std::string names_;
  std::vector<std::size_t> ends_;  // of the names
  std::vector<std::string> units_;
  std::map<std::string, std::uint32_t> numbers_;  // of the units
  std::vector<std::uint32_t> unit_of_;
  struct Kept {
    typename Item::Rest value;  // within a struct, since a vector of truth values has none to refer to
  };
  std::vector<Kept> rests_;
};
}  // namespace mubody

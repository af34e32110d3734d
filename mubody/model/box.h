#pragma once
// A value of a type that is known at run time alone.
#include <concepts>
#include <memory>
#include <utility>

namespace mubody {
/// A polymorphic value: copying clones.
template <class T> class Box {
 public:
  template <class U>
  requires std::derived_from<U, T> Box(std::unique_ptr<U> p) : p_(std::move(p)) {}
  Box(const Box& o) : p_(o.p_->clone()) {}
  Box(Box&&) noexcept = default;
  Box& operator=(Box o) noexcept {
    p_ = std::move(o.p_);
    return *this;
  }
  ~Box() = default;
  T& operator*() { return *p_; }
  T* operator->() { return p_.get(); }
  const T& operator*() const { return *p_; }
  const T* operator->() const { return p_.get(); }

 private:
  std::unique_ptr<T> p_;
};
}  // namespace mubody

#pragma once
// The mistakes of a file, which are told together.
#include <set>
#include <string>

#include "mubody/text/node.h"

namespace mubody::io {
class Faults {
 public:
  /// Reads the part of the file that is called `name`, "" if nothing refers to it.  A mistake is kept for later.  Returns
  /// whether there was none.
  template <class Read> bool attempt(std::string_view name, const Read& read) {
    try {
      read();
      return true;
    } catch (ModelError& e) {
      found_.push_back(std::move(e));
      if (!name.empty()) unread_.emplace(name);
      return false;
    }
  }
  /// Whether this names anything that could not be read: what is wrong with it may then be a consequence.
  bool touch(const Node&) const;
  bool any() const { return !found_.empty(); }
  /// Throws ModelError if there were mistakes.
  void raise() { throw_together(std::move(found_)); }

 private:
  std::vector<ModelError> found_;
  std::set<std::string, std::less<>> unread_;
};
}  // namespace mubody::io

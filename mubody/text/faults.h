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
  /// The same for a part that stands in `node`.  It is left out if it names anything that could not be read, for what is wrong
  /// with it may be a consequence.
  template <class Read> bool attempt(std::string_view name, const Node& node, const Read& read) {
    if (!touch(node)) return attempt(name, read);
    if (!name.empty()) unread_.emplace(name);
    return false;
  }
  bool any() const { return !found_.empty(); }
  /// Throws ModelError if there were mistakes.
  void raise() { throw_together(std::move(found_)); }

 private:
  /// Whether this names anything that could not be read.
  bool touch(const Node&) const;

  std::vector<ModelError> found_;
  std::set<std::string, std::less<>> unread_;
};
}  // namespace mubody::io

#pragma once
// How an analysis ended.  A numerical failure is an answer, not an exception.
#include <string>
#include <string_view>

#include "mubody/model/errors.h"

namespace mubody {
struct Outcome {
  enum Kind {
    reached_end,
    interrupted,
    not_assembled,
    singular,
    step_too_small,
    too_many_steps,
    not_finite,
    lost_branch,
    no_equilibrium,
    call_failed,  // a function of the user's program threw an exception
    out_of_time   // the limit of CPU time was reached
  };
  Kind kind = reached_end;
  double at = 0;    // time of the last good state [s]
  std::string why;  // what failed, in which joint or body, and the likely cause
  Place place;      // place of that joint in the model file, if there is one

  explicit operator bool() const { return kind == reached_end; }
  std::string_view word() const {
    constexpr std::string_view words[] = {"reached end",    "interrupted",    "not assembled", "singular",
                                          "step too small", "too many steps", "not finite",    "lost branch",
                                          "no equilibrium", "call failed",    "out of time"};
    return words[kind];
  }
};
}  // namespace mubody

#pragma once
// From a model to the MUBODYNA file that gives the same motion, and what of it such a file cannot say.
#include "mubody/mubodyna/file.h"
#include "mubody/study/options.h"

namespace mubody::io::mubodyna {
struct Translation {
  File file;
  struct LeftOut {
    Place place;
    std::string what;  // "joint 'mesh' (gear): MUBODYNA has no such joint"
  };
  std::vector<LeftOut> left_out;
};

/// What can be said, and what cannot.  Bodies start where assembly puts them.  The ground, if anything is attached to
/// it, becomes body 1 with a ground constraint.  Throws ModelError if the model is spatial or cannot be assembled.
Translation translate(const Study&);

/// The file.  Throws ModelError that names everything that cannot be said.
File file_of(const Study&);
}  // namespace mubody::io::mubodyna

#pragma once
// Translates a model to the MUBODYNA file with the same motion, and lists what such a file cannot express.
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

/// What MUBODYNA can express of a model, and what it cannot.  Bodies start where assembly puts them.  The
/// ground, if anything is attached to it, becomes body 1 with a ground constraint.  Throws ModelError if the
/// model is spatial or cannot be assembled.
Translation translate(const Study&);

/// The file of a model.  Throws a ModelError that names everything that it cannot express.
File file_of(const Study&);
}  // namespace mubody::io::mubodyna

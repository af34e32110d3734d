#pragma once
// The report of 'mubody precompute': variables and ranges, tables, errors, cost; for people and for programs.
#include <string>

#include "mubody/precompute/precompute.h"

namespace mubody::io {
std::string precomputed_text(const Precomputed&);
std::string precomputed_json(const Precomputed&);
}  // namespace mubody::io

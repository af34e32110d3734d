#pragma once
// Vectors and matrices of recorded numbers.
#include <Eigen/Core>

#include "mubody/recording/recorded.h"

namespace Eigen {
template <> struct NumTraits<mubody::Recorded> : GenericNumTraits<mubody::Recorded> {
  using Real = mubody::Recorded;
  using NonInteger = mubody::Recorded;
  using Nested = mubody::Recorded;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};
}  // namespace Eigen

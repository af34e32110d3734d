#pragma once
// Which blocks the mass matrix M and the constraint Jacobian D have: one of M per body, one of D per joint and body.
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
/// Which blocks of M and D there are, and where their numbers lie.
struct SaddleStructure {
  struct Mass {
    int column, size, offset;  // size x size, column by column
  };
  struct Block {
    int row, rows, column, columns, offset;  // rows x columns, row by row
  };
  int n = 0, m = 0;
  std::vector<Mass> M;
  std::vector<Block> D;  // blocks of one row group have the same row and rows

  /// D as a full matrix.
  MatX full(const std::vector<double>& values) const;
  /// As above, written into memory that is reused.
  void full(const std::vector<double>& values, MatX& A) const;
  /// M as a full matrix.
  MatX full_mass(const std::vector<double>& values) const;
  void full_mass(const std::vector<double>& values, MatX& A) const;
  /// The diagonal of M.
  VecX mass_diagonal(const std::vector<double>& values) const;
  /// y += D x
  void multiply(const double* D, const double* x, double* y) const;
  /// y += s Dᵀ x
  void multiply_transposed(double s, const double* D, const double* x, double* y) const;
  /// y += s M x
  void multiply_mass(double s, const double* M, const double* x, double* y) const;
};
}  // namespace mubody

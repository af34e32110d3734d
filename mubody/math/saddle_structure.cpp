#include "mubody/math/saddle_structure.h"

#include "mubody/math/inlining.h"

namespace mubody {
MatX SaddleStructure::full(const std::vector<double>& values) const {
  MatX A;
  full(values, A);
  return A;
}
void SaddleStructure::full(const std::vector<double>& values, MatX& A) const {
  A.setZero(m, n);
  for (const Block& b : D)
    for (int r = 0; r < b.rows; ++r)
      for (int k = 0; k < b.columns; ++k) A(b.row + r, b.column + k) += values[b.offset + r * b.columns + k];
}

VecX SaddleStructure::mass_diagonal(const std::vector<double>& values) const {
  VecX w = VecX::Zero(n);
  for (const Mass& b : M)
    for (int k = 0; k < b.size; ++k) w[b.column + k] = values[std::size_t(b.offset + k * (b.size + 1))];
  return w;
}

MatX SaddleStructure::full_mass(const std::vector<double>& values) const {
  MatX A;
  full_mass(values, A);
  return A;
}
void SaddleStructure::full_mass(const std::vector<double>& values, MatX& A) const {
  A.setZero(n, n);
  for (const Mass& b : M)
    A.block(b.column, b.column, b.size, b.size) =
        Eigen::Map<const MatX>(values.data() + b.offset, b.size, b.size);
}

namespace {
// A block times the numbers of a body, of which there are C, or any number if C is zero.
template <int C>
MUBODY_INLINE void multiply_block(const SaddleStructure::Block& b, const double* D, const double* x,
                                  double* y) {
  const int columns = C > 0 ? C : b.columns;
  const double *row = D + b.offset, *const own = x + b.column;
  double* const out = y + b.row;
#pragma GCC unroll 1
  for (int r = 0; r < b.rows; ++r, row += columns) {
    double sum = 0;
#pragma GCC unroll 6
    for (int k = 0; k < columns; ++k) sum += row[k] * own[k];
    out[r] += sum;
  }
}
// The block of a pin or slide of the plane.
MUBODY_INLINE void multiply_pair(const double* row, const double* own, double* out) {
  const double x0 = own[0], x1 = own[1], x2 = own[2];
  const double upper = row[0] * x0 + row[1] * x1 + row[2] * x2, lower = row[3] * x0 + row[4] * x1 + row[5] * x2;
  out[0] += upper;
  out[1] += lower;
}
}  // namespace

void SaddleStructure::multiply(const double* D_, const double* x, double* y) const {
  for (const Block& b : D)
    if (b.columns == 3 && b.rows == 2)
      multiply_pair(D_ + b.offset, x + b.column, y + b.row);
    else if (b.columns == 3)
      multiply_block<3>(b, D_, x, y);
    else if (b.columns == 6)
      multiply_block<6>(b, D_, x, y);
    else
      multiply_block<0>(b, D_, x, y);
}

void SaddleStructure::multiply_transposed(double s, const double* D_, const double* x, double* y) const {
  for (const Block& b : D)
    for (int r = 0; r < b.rows; ++r) {
      const double f = s * x[b.row + r];
      for (int k = 0; k < b.columns; ++k) y[b.column + k] += D_[b.offset + r * b.columns + k] * f;
    }
}

void SaddleStructure::multiply_mass(double s, const double* M_, const double* x, double* y) const {
  for (const Mass& b : M)
    for (int k = 0; k < b.size; ++k)
      for (int r = 0; r < b.size; ++r) y[b.column + r] += s * M_[b.offset + k * b.size + r] * x[b.column + k];
}
}  // namespace mubody

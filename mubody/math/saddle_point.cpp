#include "mubody/math/saddle_point.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <type_traits>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace mubody {
namespace {
constexpr double light = 1e-8;  // stands in for a zero mass, relative to the others
constexpr double soft = 1e-7;   // ε of redundant rows, relative to the diagonal of S
constexpr double lost = 1e-13;  // a pivot below this share of its diagonal is dependent
constexpr double weak = 1e-7;   // below this one refinement pays
constexpr int most_refinements = 6;
}  // namespace

// The structure --------------------------------------------------------------------------------------------

MatX SaddleStructure::full(const std::vector<double>& values) const {
  MatX A;
  fill(values, A);
  return A;
}

void SaddleStructure::fill(const std::vector<double>& values, MatX& A) const {
  A.setZero(m, n);
  for (const Block& b : D)
    for (int r = 0; r < b.rows; ++r)
      for (int k = 0; k < b.columns; ++k) A(b.row + r, b.column + k) += values[b.offset + r * b.columns + k];
}

MatX SaddleStructure::full_mass(const std::vector<double>& values) const {
  MatX A = MatX::Zero(n, n);
  for (const Mass& b : M)
    A.block(b.column, b.column, b.size, b.size) =
        Eigen::Map<const MatX>(values.data() + b.offset, b.size, b.size);
  return A;
}

void SaddleStructure::multiply(const double* D_, const double* x, double* y) const {
  for (const Block& b : D)
    for (int r = 0; r < b.rows; ++r) {
      double sum = 0;
      for (int k = 0; k < b.columns; ++k) sum += D_[b.offset + r * b.columns + k] * x[b.column + k];
      y[b.row + r] += sum;
    }
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

// Analysis, once -------------------------------------------------------------------------------------------

SaddlePoint::SaddlePoint(const SaddleStructure& s, bool redundant) : s_(s), redundant_(redundant) {
  std::size_t mass_numbers = 0, numbers = 0;
  for (const auto& b : s_.M) mass_numbers = std::max<std::size_t>(mass_numbers, b.offset + b.size * b.size);
  for (const auto& b : s_.D) numbers = std::max<std::size_t>(numbers, b.offset + b.rows * b.columns);
  W_.assign(mass_numbers, 0);
  E_.assign(numbers, 0);
  for (const auto& b : s_.D) {
    const auto of = std::find_if(s_.M.begin(), s_.M.end(), [&](const auto& q) { return q.column == b.column; });
    assert(of != s_.M.end() && of->size == b.columns);
    mass_of_block_.push_back(int(of - s_.M.begin()));
  }
  width_ = s_.D.empty() ? 0 : s_.D.front().columns;
  for (const auto& b : s_.D)
    if (b.columns != width_) width_ = 0;
  b_.resize(s_.m), w_.resize(s_.n);
  rg_.resize(s_.n), rc_.resize(s_.m), da_.resize(s_.n), dl_.resize(s_.m);

  // Nodes of S are the row groups; two are neighbours if they share a column group.
  std::map<int, int> node_of_row;  // first row -> node
  std::vector<int> sizes;
  const auto add_node = [&](int row, int rows) {
    if (!node_of_row.emplace(row, int(sizes.size())).second) return;
    sizes.push_back(rows);
    first_row_.push_back(row);
  };
  std::vector<bool> covered(s_.m, false);
  for (const auto& b : s_.D) {
    add_node(b.row, b.rows);
    for (int r = 0; r < b.rows; ++r) covered[b.row + r] = true;
  }
  for (int r = 0; r < s_.m; ++r)
    if (!covered[r]) add_node(r, 1);  // rows without any block: dependent
  std::map<int, std::vector<int>> on_column;
  for (int k = 0; k < int(s_.D.size()); ++k) on_column[s_.D[k].column].push_back(k);
  std::vector<std::set<int>> near(sizes.size());
  for (const auto& [column, blocks] : on_column)
    for (int k : blocks)
      for (int l : blocks) {
        const int i = node_of_row[s_.D[k].row], j = node_of_row[s_.D[l].row];
        if (i != j) near[i].insert(j);
      }
  S_ = BlockLdl(sizes, near);

  place_.resize(s_.m);
  for (std::size_t node = 0; node < sizes.size(); ++node)
    for (int r = 0; r < sizes[node]; ++r) place_[first_row_[node] + r] = S_.start(int(node)) + r;
  for (const auto& [column, blocks] : on_column)
    for (int k : blocks)
      for (int l : blocks) {
        const int i = node_of_row[s_.D[k].row], j = node_of_row[s_.D[l].row];
        if (S_.before(i, j)) continue;  // the lower half is enough
        products_.push_back(
            {s_.D[k].offset, s_.D[l].offset, s_.D[k].rows, s_.D[l].rows, S_.offset(i, j), s_.D[k].columns});
      }
}

// Numbers, often -------------------------------------------------------------------------------------------

void SaddlePoint::set_mass(const std::vector<double>& M, const std::vector<double>& least) {
  M_ = M;
  light_ = false;
  diagonal_mass_ = true;
  double heaviest = 0;
  for (const auto& b : s_.M)
    for (int k = 0; k < b.size; ++k) heaviest = std::max(heaviest, M[b.offset + k * (b.size + 1)]);
  for (const auto& b : s_.M) {
    MatX block = Eigen::Map<const MatX>(M.data() + b.offset, b.size, b.size);
    for (int k = 0; k < b.size; ++k) {
      const double enough = least.empty() ? 0 : least[b.column + k];
      if (block(k, k) > enough || (block(k, k) > 0 && enough == 0)) continue;
      block(k, k) = enough > 0 ? enough : light * (heaviest > 0 ? heaviest : 1);
      light_ = true;
    }
    if (!block.isDiagonal(0)) {  // an axis without inertia may lie askew
      const Eigen::SelfAdjointEigenSolver<MatX> own(block);
      VecX masses = own.eigenvalues();
      const double most = masses[b.size - 1], least_of = light * most;
      for (int k = 0; k < b.size; ++k)
        if (masses[k] < 1e-4 * least_of) masses[k] = least_of, light_ = true;
      block = own.eigenvectors() * masses.asDiagonal() * own.eigenvectors().transpose();
    }
    const MatX inverse = block.inverse();
    Eigen::Map<MatX>(W_.data() + b.offset, b.size, b.size) = inverse;
    for (int k = 0; k < b.size; ++k) w_[b.column + k] = inverse(k, k);
    diagonal_mass_ = diagonal_mass_ && block.isDiagonal(0);
  }
}

// E = D W, block by block.
template <int C> MUBODY_INLINE void SaddlePoint::weigh() {
  for (std::size_t k = 0; k < s_.D.size(); ++k) {
    const auto& b = s_.D[k];
    const double* D = D_->data() + b.offset;
    double* E = E_.data() + b.offset;
    const int columns = C > 0 ? C : b.columns;
    if (diagonal_mass_) {
      const double* w = w_.data() + b.column;
      for (int r = 0; r < b.rows; ++r, D += columns, E += columns)
#pragma GCC unroll 6
        for (int p = 0; p < columns; ++p) E[p] = D[p] * w[p];
      continue;
    }
    const double* W = W_.data() + s_.M[mass_of_block_[k]].offset;
    for (int r = 0; r < b.rows; ++r, D += columns, E += columns)
      for (int q = 0; q < columns; ++q) {
        double sum = 0;
        for (int p = 0; p < columns; ++p) sum += D[p] * W[q * columns + p];
        E[q] = sum;
      }
  }
}

// T += E Dᵀ for blocks of H and W rows; of a block with itself the lower half is enough.
template <int C, int H, int W, bool whole>
MUBODY_INLINE void add_product(const double* E, const double* D, double* T) {
#pragma GCC unroll 6
  for (int a = 0; a < H; ++a)
#pragma GCC unroll 6
    for (int b = 0; b < (whole ? W : a + 1); ++b) {
      double sum = T[a * W + b];
#pragma GCC unroll 6
      for (int p = 0; p < C; ++p) sum += E[a * C + p] * D[b * C + p];
      T[a * W + b] = sum;
    }
}

// Calls f with the number of rows as a compile-time number; false if there are more than six.
template <class F> MUBODY_INLINE bool with_rows(int rows, F&& f) {
  switch (rows) {
    case 1: return f(std::integral_constant<int, 1>()), true;
    case 2: return f(std::integral_constant<int, 2>()), true;
    case 3: return f(std::integral_constant<int, 3>()), true;
    case 4: return f(std::integral_constant<int, 4>()), true;
    case 5: return f(std::integral_constant<int, 5>()), true;
    case 6: return f(std::integral_constant<int, 6>()), true;
    default: return false;
  }
}

template <int C> MUBODY_INLINE void SaddlePoint::products() {
  for (const Product& x : products_) {
    const double *E = E_.data() + x.E, *D = D_->data() + x.D;
    double* T = S_.values() + x.target;
    if constexpr (C > 0) {
      const bool done = with_rows(x.columns, [&](auto width) MUBODY_INLINE_LAMBDA {
        constexpr int W = width;
        if (x.E == x.D)
          add_product<C, W, W, false>(E, D, T);
        else
          for (int a = 0; a < x.rows; ++a) add_product<C, 1, W, true>(E + a * C, D, T + a * W);
      });
      if (done) continue;
    }
    for (int a = 0; a < x.rows; ++a)
      for (int b = 0; b < x.columns; ++b)
        for (int p = 0; p < x.width; ++p) T[a * x.columns + b] += E[a * x.width + p] * D[b * x.width + p];
  }
}

// b = D M⁻¹ g − c, in the order of elimination.
template <int C> MUBODY_INLINE void SaddlePoint::reduce(const double* g, const double* c) {
  for (int r = 0; r < s_.m; ++r) b_[place_[r]] = -c[r];
  for (const auto& b : s_.D) {
    const double* E = E_.data() + b.offset;
    const int columns = C > 0 ? C : b.columns;
    double* const out = b_.data() + place_[b.row];  // the rows of a block stay together
    const double* const in = g + b.column;
    for (int r = 0; r < b.rows; ++r, E += columns) {
      double sum = out[r];
      for (int p = 0; p < columns; ++p) sum += E[p] * in[p];
      out[r] = sum;
    }
  }
}

// a −= M⁻¹ Dᵀ λ
template <int C> MUBODY_INLINE void SaddlePoint::expand(const double* lambda, double* a) const {
  for (const auto& b : s_.D) {
    const double* E = E_.data() + b.offset;
    double* const out = a + b.column;
    if constexpr (C > 0) {
      double sum[C];
      for (int p = 0; p < C; ++p) sum[p] = out[p];
      for (int r = 0; r < b.rows; ++r, E += C)
        for (int p = 0; p < C; ++p) sum[p] -= E[p] * lambda[b.row + r];
      for (int p = 0; p < C; ++p) out[p] = sum[p];
    } else {
      for (int r = 0; r < b.rows; ++r, E += b.columns)
        for (int p = 0; p < b.columns; ++p) out[p] -= E[p] * lambda[b.row + r];
    }
  }
}

MUBODY_CLONES void SaddlePoint::form_schur() {
  switch (width_) {
    case 3: weigh<3>(), products<3>(); break;
    case 6: weigh<6>(), products<6>(); break;
    default: weigh<0>(), products<0>();
  }
}

void SaddlePoint::factor(const std::vector<double>& D, double damping) {
  D_ = &D;
  S_.clear();
  form_schur();
  damped_ = damping > 0;
  S_.factorize(redundant_ ? std::max(soft, damping) : damping);
  independence_ = S_.independence();
  weakest_ = s_.m > 0 ? first_row_[S_.weakest()] : 0;
  dense_ = !redundant_ && !damped_ && !(independence_ > lost);
}

MUBODY_CLONES void SaddlePoint::schur_solve(const double* g, const double* c, double* a, double* lambda) {
  if (diagonal_mass_) {
    for (int k = 0; k < s_.n; ++k) a[k] = w_[k] * g[k];
  } else {
    std::fill(a, a + s_.n, 0.0);
    s_.multiply_mass(1, W_.data(), g, a);
  }
  switch (width_) {
    case 3: reduce<3>(g, c); break;
    case 6: reduce<6>(g, c); break;
    default: reduce<0>(g, c);
  }
  S_.solve(b_.data());
  for (int r = 0; r < s_.m; ++r) lambda[r] = b_[place_[r]];
  switch (width_) {
    case 3: expand<3>(lambda, a); break;
    case 6: expand<6>(lambda, a); break;
    default: expand<0>(lambda, a);
  }
}

void SaddlePoint::solve(const In& g, const In& c, Out a, Out lambda) {
  if (dense_) return dense_solve(g, c, a, lambda);
  schur_solve(g.data(), c.data(), a.data(), lambda.data());
  if (damped_ || (!light_ && !redundant_ && independence_ > weak)) return;

  // Refine on the true equations until the correction is at round-off or no longer shrinks.
  double before = 0;
  for (int round = 0; round < most_refinements; ++round) {
    std::copy(g.data(), g.data() + s_.n, rg_.begin());
    std::copy(c.data(), c.data() + s_.m, rc_.begin());
    s_.multiply_mass(-1, M_.data(), a.data(), rg_.data());
    s_.multiply_transposed(-1, D_->data(), lambda.data(), rg_.data());
    for (double& r : rc_) r = -r;
    s_.multiply(D_->data(), a.data(), rc_.data());
    for (double& r : rc_) r = -r;
    schur_solve(rg_.data(), rc_.data(), da_.data(), dl_.data());
    double size = 0, all = 0;
    for (int k = 0; k < s_.n; ++k) size += da_[k] * da_[k], all += a[k] * a[k];
    if (round > 0 && size > 0.25 * before) break;
    for (int k = 0; k < s_.n; ++k) a[k] += da_[k];
    for (int r = 0; r < s_.m; ++r) lambda[r] += dl_[r];
    if (size <= 1e-31 * all) break;
    before = size;
  }
}

// At an instant where rows depend on each other: least squares on the balanced equations.
void SaddlePoint::dense_solve(const In& g, const In& c, Out a, Out lambda) {
  const MatX M = s_.full_mass(M_), D = s_.full(*D_);
  MatX K = MatX::Zero(s_.n + s_.m, s_.n + s_.m);
  K.topLeftCorner(s_.n, s_.n) = M;
  K.topRightCorner(s_.n, s_.m) = D.transpose();
  K.bottomLeftCorner(s_.m, s_.n) = D;
  VecX scale(s_.n + s_.m), rhs(s_.n + s_.m);
  double heaviest = 0;
  for (int k = 0; k < s_.n; ++k) heaviest = std::max(heaviest, M(k, k));
  for (int k = 0; k < s_.n; ++k) scale[k] = 1 / std::sqrt(M(k, k) > 0 ? M(k, k) : light * heaviest);
  for (int r = 0; r < s_.m; ++r) {
    const double size = (D.row(r).array() * scale.head(s_.n).transpose().array()).matrix().norm();
    scale[s_.n + r] = size > 0 ? 1 / size : 1;
  }
  rhs << g, c;
  const MatX balanced = scale.asDiagonal() * K * scale.asDiagonal();
  Eigen::CompleteOrthogonalDecomposition<MatX> cod;
  cod.setThreshold(1e-7);
  cod.compute(balanced);
  const VecX x = scale.asDiagonal() * VecX(cod.solve(scale.asDiagonal() * rhs));
  a = x.head(s_.n);
  lambda = x.tail(s_.m);
}
}  // namespace mubody

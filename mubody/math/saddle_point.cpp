#include "mubody/math/saddle_point.h"

#include <Eigen/QR>
#include <algorithm>
#include <cassert>
#include <map>
#include <set>

namespace mubody {
namespace {
constexpr double light = 1e-8;       // stands in for a zero mass, relative to the others
constexpr double soft = 1e-10;       // ε of redundant rows, relative to the diagonal of S
constexpr double lost = 1e-13;       // a pivot below this share of its diagonal is dependent
constexpr double weak = 1e-7;        // below this one refinement pays
constexpr int most_refinements = 6;
}  // namespace

// The structure --------------------------------------------------------------------------------------------

MatX SaddleStructure::full(const std::vector<double>& values) const {
  MatX A = MatX::Zero(m, n);
  for (const Block& b : D)
    for (int r = 0; r < b.rows; ++r)
      for (int k = 0; k < b.columns; ++k) A(b.row + r, b.column + k) += values[b.offset + r * b.columns + k];
  return A;
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
  D_.assign(numbers, 0);
  E_.assign(numbers, 0);
  for (const auto& b : s_.D) {
    const auto of = std::find_if(s_.M.begin(), s_.M.end(), [&](const auto& q) { return q.column == b.column; });
    assert(of != s_.M.end() && of->size == b.columns);
    mass_of_block_.push_back(int(of - s_.M.begin()));
  }
  order_rows();
  analyse_factor();
  analyse_products();
  b_.resize(s_.m), inverse_.resize(s_.m), diagonal_.resize(s_.m);
  ga_.resize(s_.n), rg_.resize(s_.n), rc_.resize(s_.m), da_.resize(s_.n), dl_.resize(s_.m);
}

// Minimum degree on the graph of row groups: two are neighbours if they share a column group.
void SaddlePoint::order_rows() {
  std::map<int, int> group_of_row;                                // first row -> group
  std::vector<std::pair<int, int>> groups;                        // first row, rows
  for (const auto& b : s_.D)
    if (group_of_row.emplace(b.row, int(groups.size())).second) groups.emplace_back(b.row, b.rows);

  std::map<int, std::set<int>> on_column;
  for (const auto& b : s_.D) on_column[b.column].insert(group_of_row[b.row]);
  std::vector<std::set<int>> near(groups.size());
  for (const auto& [column, members] : on_column)
    for (int k : members)
      for (int l : members)
        if (k != l) near[k].insert(l);

  std::set<std::pair<std::size_t, int>> queue;                    // degree, group
  for (int g = 0; g < int(groups.size()); ++g) queue.emplace(near[g].size(), g);
  place_.assign(s_.m, -1);
  int next = 0;
  while (!queue.empty()) {
    const int g = queue.begin()->second;
    queue.erase(queue.begin());
    for (int r = 0; r < groups[g].second; ++r) place_[groups[g].first + r] = next++;
    for (int k : near[g]) {
      queue.erase({near[k].size(), k});
      near[k].erase(g);
      for (int l : near[g])
        if (l != k) near[k].insert(l);
      queue.emplace(near[k].size(), k);
    }
  }
  for (int& p : place_)                                           // rows without any block: dependent
    if (p < 0) p = next++;
}

// The pattern of L by symbolic elimination, then the targets of every elimination step.
void SaddlePoint::analyse_factor() {
  std::vector<std::set<int>> below(s_.m);
  std::map<int, std::vector<int>> rows_on;
  for (const auto& b : s_.D)
    for (int r = 0; r < b.rows; ++r) rows_on[b.column].push_back(place_[b.row + r]);
  for (const auto& [column, rows] : rows_on)
    for (int i : rows)
      for (int j : rows)
        if (i > j) below[j].insert(i);
  column_.assign(1, 0);
  for (int j = 0; j < s_.m; ++j) {
    for (int i : below[j]) row_.push_back(i);
    column_.push_back(int(row_.size()));
    if (below[j].empty()) continue;
    const int parent = *below[j].begin();
    for (int i : below[j])
      if (i > parent) below[parent].insert(i);
  }
  values_.assign(s_.m + row_.size(), 0);
  for (int j = 0; j < s_.m; ++j)
    for (int p = column_[j]; p < column_[j + 1]; ++p)
      for (int q = p; q < column_[j + 1]; ++q) update_.push_back(position(row_[q], row_[p]));
}

int SaddlePoint::position(int i, int j) const {
  if (i == j) return i;
  const auto first = row_.begin() + column_[j], last = row_.begin() + column_[j + 1];
  return s_.m + int(std::lower_bound(first, last, i) - row_.begin());
}

void SaddlePoint::analyse_products() {
  std::map<int, std::vector<int>> on_column;
  for (int k = 0; k < int(s_.D.size()); ++k) on_column[s_.D[k].column].push_back(k);
  for (const auto& [column, members] : on_column)
    for (std::size_t p = 0; p < members.size(); ++p)
      for (std::size_t q = 0; q <= p; ++q) {
        const int k = members[p], l = members[q];
        products_.push_back({k, l, int(product_.size())});
        for (int a = 0; a < s_.D[k].rows; ++a)
          for (int b = 0; b < (k == l ? a + 1 : s_.D[l].rows); ++b) {
            const int i = place_[s_.D[k].row + a], j = place_[s_.D[l].row + b];
            product_.push_back(position(std::max(i, j), std::min(i, j)));
          }
      }
}

// Numbers, often -------------------------------------------------------------------------------------------

void SaddlePoint::set_mass(const std::vector<double>& M) {
  M_ = M;
  light_ = false;
  double heaviest = 0;
  for (const auto& b : s_.M)
    for (int k = 0; k < b.size; ++k) heaviest = std::max(heaviest, M[b.offset + k * (b.size + 1)]);
  for (const auto& b : s_.M) {
    MatX block = Eigen::Map<const MatX>(M.data() + b.offset, b.size, b.size);
    for (int k = 0; k < b.size; ++k)
      if (block(k, k) <= 0) {
        block(k, k) = light * (heaviest > 0 ? heaviest : 1);
        light_ = true;
      }
    Eigen::Map<MatX>(W_.data() + b.offset, b.size, b.size) = block.inverse();
  }
}

// E = D W, block by block.
template <int C> void SaddlePoint::weigh() {
  for (std::size_t k = 0; k < s_.D.size(); ++k) {
    const auto& b = s_.D[k];
    const double* W = W_.data() + s_.M[mass_of_block_[k]].offset;
    const double* D = D_.data() + b.offset;
    double* E = E_.data() + b.offset;
    const int columns = C > 0 ? C : b.columns;
    for (int r = 0; r < b.rows; ++r)
      for (int q = 0; q < columns; ++q) {
        double sum = 0;
        for (int p = 0; p < columns; ++p) sum += D[r * columns + p] * W[q * columns + p];
        E[r * columns + q] = sum;
      }
  }
}

template <int C> void SaddlePoint::products() {
  for (const Product& x : products_) {
    const auto &k = s_.D[x.k], &l = s_.D[x.l];
    const double *E = E_.data() + k.offset, *D = D_.data() + l.offset;
    const int* target = product_.data() + x.first;
    const int columns = C > 0 ? C : k.columns;
    for (int a = 0; a < k.rows; ++a)
      for (int b = 0; b < (x.k == x.l ? a + 1 : l.rows); ++b) {
        double sum = 0;
        for (int p = 0; p < columns; ++p) sum += E[a * columns + p] * D[b * columns + p];
        values_[*target++] += sum;
      }
  }
}

void SaddlePoint::factor(const std::vector<double>& D, double damping) {
  std::copy(D.begin(), D.begin() + std::ptrdiff_t(D_.size()), D_.begin());
  std::fill(values_.begin(), values_.end(), 0.0);
  const int width = s_.D.empty() ? 0 : s_.D.front().columns;
  const bool uniform = std::all_of(s_.D.begin(), s_.D.end(), [&](const auto& b) { return b.columns == width; });
  if (uniform && width == 3)
    weigh<3>(), products<3>();
  else if (uniform && width == 6)
    weigh<6>(), products<6>();
  else
    weigh<0>(), products<0>();

  std::copy(values_.begin(), values_.begin() + s_.m, diagonal_.begin());
  damped_ = damping > 0;
  const double softness = redundant_ ? std::max(soft, damping) : damping;
  if (softness > 0)
    for (int j = 0; j < s_.m; ++j) values_[j] *= 1 + softness;
  independence_ = 1;
  int weakest = 0;
  const int* target = update_.data();
  double* L = values_.data() + s_.m;
  for (int j = 0; j < s_.m; ++j) {
    const double pivot = values_[j];
    const double share = diagonal_[j] > 0 ? pivot / diagonal_[j] : 0;
    if (!(share >= independence_)) independence_ = share, weakest = j;
    const double inverse = share > 0 ? 1 / pivot : 0;
    inverse_[j] = inverse;
    const int last = column_[j + 1];
    for (int p = column_[j]; p < last; ++p) {
      const double l = L[p] * inverse;
      for (int q = p; q < last; ++q) values_[*target++] -= L[q] * l;
      L[p] = l;
    }
  }
  weakest_ = 0;
  if (independence_ < weak) weakest_ = int(std::find(place_.begin(), place_.end(), weakest) - place_.begin());
  dense_ = !redundant_ && !damped_ && !(independence_ > lost);
}

void SaddlePoint::schur_solve(const double* g, const double* c, double* a, double* lambda) {
  const auto weigh_into = [&](const double* x, double* y) {
    std::fill(y, y + s_.n, 0.0);
    s_.multiply_mass(1, W_.data(), x, y);
  };
  weigh_into(g, a);
  std::fill(lambda, lambda + s_.m, 0.0);
  s_.multiply(D_.data(), a, lambda);
  for (int r = 0; r < s_.m; ++r) b_[place_[r]] = lambda[r] - c[r];

  const double* L = values_.data() + s_.m;
  for (int j = 0; j < s_.m; ++j)
    for (int p = column_[j]; p < column_[j + 1]; ++p) b_[row_[p]] -= L[p] * b_[j];
  for (int j = 0; j < s_.m; ++j) b_[j] *= inverse_[j];
  for (int j = s_.m - 1; j >= 0; --j)
    for (int p = column_[j]; p < column_[j + 1]; ++p) b_[j] -= L[p] * b_[row_[p]];
  for (int r = 0; r < s_.m; ++r) lambda[r] = b_[place_[r]];

  std::copy(g, g + s_.n, ga_.begin());
  s_.multiply_transposed(-1, D_.data(), lambda, ga_.data());
  weigh_into(ga_.data(), a);
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
    s_.multiply_transposed(-1, D_.data(), lambda.data(), rg_.data());
    for (double& r : rc_) r = -r;
    s_.multiply(D_.data(), a.data(), rc_.data());
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
  const MatX M = s_.full_mass(M_), D = s_.full(D_);
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

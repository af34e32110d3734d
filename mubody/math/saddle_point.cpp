#include "mubody/math/saddle_point.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>

#include "mubody/math/dense.h"
#include "mubody/math/lanes.h"
#include "mubody/math/lists.h"
#include "mubody/math/mass_block.h"

namespace mubody {
namespace {
constexpr double light = 1e-8;                 // stands in for a zero mass, relative to the others
constexpr double soft = 1e-7, softest = 1e-4;  // ε of redundant rows, relative to the diagonal of S
constexpr double stiffest = 1e-10;             // ε where their demands agree to round-off
constexpr double soft_share = 1e-4;  // share of the smallest eigenvalue that counts, which is above this:
constexpr double no_eigenvalue = 1e-9;
constexpr int most_measured = 150;  // rows whose eigenvalues are looked for
constexpr double lost = 1e-15;      // a pivot below this share of its diagonal is dependent
constexpr double weak = 1e-7;       // below this one refinement pays
constexpr int most_refinements = 12;

// Residuals that decay into the range of denormal numbers would cost a hundred times as much, for nothing.
void flush(std::vector<double>& residual) {
  constexpr double least = 1e-200;
  for (double& r : residual)
    if (std::abs(r) < least) r = 0;
}
}  // namespace

// Analysis, once -------------------------------------------------------------------------------------------

SaddlePoint::SaddlePoint(const SaddleStructure& s, bool redundant)
    : s_(s), redundant_(redundant), softness_(soft) {
  std::size_t mass_numbers = 0;
  for (const auto& b : s_.M) mass_numbers = std::max<std::size_t>(mass_numbers, b.offset + b.size * b.size);
  W_.assign(mass_numbers, 0);
  width_ = s_.D.empty() ? 0 : s_.D.front().columns;
  for (const auto& b : s_.D)
    if (b.columns != width_) width_ = 0;
  // Those that no equation holds are solved for as well.
  for (const auto& b : s_.M)
    if (b.size != width_) width_ = 0;
  w_.resize(s_.n);
  rg_.resize(s_.n), rc_.resize(s_.m), da_.resize(s_.n), dl_.resize(s_.m);

  std::vector<int> sizes;
  const std::vector<int> node_of_row = number_nodes(sizes);
  const Lists on_column(s_.n, int(s_.D.size()), [&](int k) { return s_.D[std::size_t(k)].column; });
  S_ = BlockLdl(sizes, neighbours(node_of_row, on_column, sizes.size()));
  b_.resize(S_.length());
  list_groups(node_of_row, on_column, sizes);
  fits_pairs_ = PairSchur::fits(s_);
  if (fits_pairs_) pairs_ = PairSchur(s_, S_, node_of_row);
}

SaddlePoint::SaddlePoint(const SaddlePoint& analysed, bool redundant) : SaddlePoint(analysed) {
  redundant_ = redundant;
}

// Nodes of S are the row groups.  The node of each row that is the first of its group.
std::vector<int> SaddlePoint::number_nodes(std::vector<int>& sizes) {
  constexpr int none = -1;
  std::vector<int> node_of_row(std::size_t(s_.m), none);
  const auto add_node = [&](int row, int rows) {
    if (node_of_row[std::size_t(row)] != none) return;
    node_of_row[std::size_t(row)] = int(sizes.size());
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
  return node_of_row;
}

// Two nodes are neighbours if they share a column group.
std::vector<std::vector<int>> SaddlePoint::neighbours(const std::vector<int>& node_of_row,
                                                      const Lists& on_column, std::size_t nodes) const {
  double updates = 0;  // at least: all joints of a body are neighbours, and those of two bodies may be the same
  for (int column = 0; column < on_column.size(); ++column)
    updates = std::max(updates, std::pow(double(on_column[column].size()), 3) / 6);
  if (updates > double(BlockLdl::most_updates)) throw TooDense();
  std::vector<std::vector<int>> near(nodes);
  for (int column = 0; column < on_column.size(); ++column)
    for (const int k : on_column[column])
      for (const int l : on_column[column]) {
        const int i = node_of_row[s_.D[k].row], j = node_of_row[s_.D[l].row];
        if (i != j) near[i].push_back(j);
      }
  for (auto& list : near) {
    std::ranges::sort(list);
    const auto twice = std::ranges::unique(list);
    list.erase(twice.begin(), twice.end());
  }
  return near;
}

// The blocks of D by joint and by body, and the products that S is the sum of.
void SaddlePoint::list_groups(const std::vector<int>& node_of_row, const Lists& on_column,
                              const std::vector<int>& sizes) {
  std::vector<int> E;  // where W Dᵀ of each block of D lies
  int numbers = 0;
  for (const auto& b : s_.D) {
    E.push_back(numbers);
    numbers += b.columns * padded(b.rows);
  }
  E_.assign(numbers, 0);
  const auto node = [&](int k) { return node_of_row[s_.D[std::size_t(k)].row]; };
  const Lists on_row(int(sizes.size()), int(s_.D.size()), node);
  for (int n = 0; n < on_row.size(); ++n) {
    const int begin = int(of_rows_.size());
    for (const int k : on_row[n]) of_rows_.push_back({s_.D[k].offset, E[k], s_.D[k].column, s_.D[k].columns});
    rows_.push_back({first_row_[n], sizes[n], S_.start(n), begin, int(of_rows_.size())});
  }
  for (const auto& mass : s_.M) {
    const int begin = int(of_columns_.size());
    for (const int k : on_column[mass.column]) {
      assert(s_.D[k].columns == mass.size);
      of_columns_.push_back({s_.D[k].offset, E[k], s_.D[k].row, s_.D[k].rows});
    }
    columns_.push_back({mass.column, mass.size, mass.offset, begin, int(of_columns_.size())});
  }
  assert(of_columns_.size() == s_.D.size());  // every column group has its mass

  std::vector<bool> known(S_.numbers(), false);
  int targets = 0;
  for (const auto& mass : s_.M)
    for (const int l : on_column[mass.column])
      for (const int k : on_column[mass.column]) {
        if (S_.before(node(l), node(k))) continue;  // one half is enough
        const int target = S_.offset(node(l), node(k));
        const bool first = !known[std::size_t(target)];
        known[std::size_t(target)] = true;
        targets += first;
        products_.push_back({s_.D[k].offset, E[l], s_.D[k].rows, target, first, k == l});
      }
  holes_ = targets < S_.blocks();
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
    double* const W = W_.data() + b.offset;
    if (least.empty()) {  // the mass may change often, so that rare cases are not searched for
      std::copy_n(M.data() + b.offset, b.size * b.size, W);
      if (factor_mass(W, b.size)) {
        diagonal_mass_ = diagonal_mass_ && b.size <= most_columns && is_diagonal(W, b.size);
        if (b.size <= most_columns) invert_mass(W, b.size);
        for (int k = 0; k < b.size; ++k) w_[b.column + k] = W[k * (b.size + 1)];
        continue;
      }
    }
    MatX block = Eigen::Map<const MatX>(M.data() + b.offset, b.size, b.size);
    const double smallest = light * (heaviest > 0 ? heaviest : 1);
    light_ |= stand_in(block, least.empty() ? nullptr : least.data() + b.column, smallest);
    const MatX inverted = inverse_of_mass(block, light, light_);
    diagonal_mass_ = diagonal_mass_ && b.size <= most_columns && block.isDiagonal(0);
    const bool wide = b.size > most_columns;
    Eigen::Map<MatX>(W, b.size, b.size) = wide ? inverse(inverted) : inverted;
    if (wide) factor_mass(W, b.size);
    for (int k = 0; !wide && k < b.size; ++k) w_[b.column + k] = inverted(k, k);
  }
}

void SaddlePoint::set_inverse_mass(const In& w) {
  light_ = false;
  diagonal_mass_ = true;
  M_.assign(W_.size(), 0);
  std::fill(W_.begin(), W_.end(), 0.0);
  for (const auto& b : s_.M) {
    const bool inverted = b.size <= most_columns;
    diagonal_mass_ = diagonal_mass_ && inverted;
    for (int k = 0; k < b.size; ++k) {
      const double own = w_[b.column + k] = w[b.column + k];
      const std::size_t at = std::size_t(b.offset + k * (b.size + 1));
      W_[at] = inverted ? own : std::sqrt(own);  // larger blocks are kept as factors
      if (own > 0) M_[at] = 1 / own;
    }
  }
}

void SaddlePoint::set_compliance(const In& C) { C_.assign(C.data(), C.data() + C.size()); }

// E = W Dᵀ of one block: the columns of the body, each as long as the joint has rows.
template <int C, int H>
MUBODY_INLINE void SaddlePoint::weigh_block(const Group& body, const GroupBlock& block, Lanes<H>* e) {
  const int columns = C > 0 ? C : body.size;
  const double* const D = D_->data() + block.D;
  double* const E = E_.data() + block.E;
  Lanes<H> x[C > 0 ? C : most_columns];
#pragma GCC unroll 6
  for (int p = 0; p < columns; ++p) x[p].gather(D + p, columns);
  if (diagonal_mass_) {
    const double* const w = w_.data() + body.at;
#pragma GCC unroll 6
    for (int p = 0; p < columns; ++p) {
      e[p] = x[p];
      e[p].scale(w[p]);
      e[p].store(E + p * padded(H));
    }
    return;
  }
  const double* const W = W_.data() + body.place;
#pragma GCC unroll 6
  for (int p = 0; p < columns; ++p) {
    e[p].zero();
#pragma GCC unroll 6
    for (int q = 0; q < columns; ++q) e[p].add(W[p * columns + q], x[q]);
    e[p].store(E + p * padded(H));
  }
}

// The same for a tree of joints, whose mass is kept as factors.
template <int H> MUBODY_INLINE void SaddlePoint::weigh_wide_block(const Group& tree, const GroupBlock& block) {
  const double* const D = D_->data() + block.D;
  double* const E = E_.data() + block.E;
  Lanes<H> e;
  for (int p = 0; p < tree.size; ++p) {
    e.gather(D + p, tree.size);
    e.store(E + p * padded(H));
  }
  solve_mass(W_.data() + tree.place, tree.size, LaneRows<H>{E});
}

// S body by body: what a block is multiplied by stays in registers.
template <int C> MUBODY_INLINE void SaddlePoint::form_by_bodies() {
  const Product* x = products_.data();
  const Product* const end = x + products_.size();
  for (const Group& body : columns_)
    for (int k = body.begin; k < body.end; ++k) {
      const GroupBlock& block = of_columns_[k];
      with_size(block.size, [&](auto rows) MUBODY_INLINE_LAMBDA {
        constexpr int H = rows;
        const auto multiply = [&](const auto& column) MUBODY_INLINE_LAMBDA {
          for (; x != end && x->E == block.E; ++x) {
            const double* const D = D_->data() + x->D;
            double* const T = S_.values() + x->target;
            if (x->own)
              add_product<C, H, false>(D, column, T, H, body.size, x->first);
            else
              add_product<C, H, true>(D, column, T, x->rows, body.size, x->first);
          }
        };
        if (C == 0 && body.size > most_columns) {
          weigh_wide_block<H>(body, block);
          const double* const E = E_.data() + block.E;
          multiply([&](int p, Lanes<H>& e) MUBODY_INLINE_LAMBDA { e.load(E + p * padded(H)); });
        } else {
          Lanes<H> all[C > 0 ? C : most_columns];
          weigh_block<C, H>(body, block, all);
          multiply([&](int p, Lanes<H>& e) MUBODY_INLINE_LAMBDA { e = all[p]; });
        }
      });
    }
}

// b = D M⁻¹ g − c, in the order of elimination.
template <int C> MUBODY_INLINE void SaddlePoint::reduce(const double* g, const double* c) {
  for (const Group& joint : rows_)
    with_size(joint.size, [&](auto rows) MUBODY_INLINE_LAMBDA {
      constexpr int H = rows;
      Lanes<H> b, e;
      b.gather(c + joint.at, 1);
      b.scale(-1);
      for (int k = joint.begin; g && k < joint.end; ++k) {
        const GroupBlock& x = of_rows_[k];
        const int columns = C > 0 ? C : x.size;
#pragma GCC unroll 6
        for (int p = 0; p < columns; ++p) {
          e.load(E_.data() + x.E + p * padded(H));
          b.add(g[x.at + p], e);
        }
      }
      b.store(b_.data() + joint.place);
    });
}

// a = M⁻¹ (g − Dᵀ λ)
template <int C>
MUBODY_INLINE void SaddlePoint::expand(const double* g, const double* lambda, double* a) const {
  for (const Group& body : columns_) {
    const int columns = C > 0 ? C : body.size;
    if (C == 0 && columns > most_columns) {
      double* const x = a + body.at;
      for (int p = 0; p < columns; ++p) x[p] = g ? g[body.at + p] : 0;
      for (int k = body.begin; k < body.end; ++k) {
        const double* D = D_->data() + of_columns_[k].D;
        for (int r = 0; r < of_columns_[k].size; ++r, D += columns)
          for (int p = 0; p < columns; ++p) x[p] -= D[p] * lambda[of_columns_[k].at + r];
      }
      solve_mass(W_.data() + body.place, columns, NumberRows{x});
      continue;
    }
    double f[C > 0 ? C : most_columns];
    if constexpr (C == 6) {
      Lanes<6> sum, d;
      g ? sum.load(g + body.at) : sum.zero();
      for (int k = body.begin; k < body.end; ++k) {
        const double* D = D_->data() + of_columns_[k].D;
        const double* const x = lambda + of_columns_[k].at;
        for (int r = 0; r < of_columns_[k].size; ++r, D += C) {
          d.load(D);
          sum.subtract(x[r], d);
        }
      }
      sum.store(f);
    } else {
      for (int p = 0; p < columns; ++p) f[p] = g ? g[body.at + p] : 0;
      for (int k = body.begin; k < body.end; ++k) {
        const double* D = D_->data() + of_columns_[k].D;
        for (int r = 0; r < of_columns_[k].size; ++r, D += columns)
#pragma GCC unroll 6
          for (int p = 0; p < columns; ++p) f[p] -= D[p] * lambda[of_columns_[k].at + r];
      }
    }
    if (diagonal_mass_) {
      for (int p = 0; p < columns; ++p) a[body.at + p] = w_[body.at + p] * f[p];
      continue;
    }
    const double* const W = W_.data() + body.place;
    for (int p = 0; p < columns; ++p) {
      double sum = 0;
      for (int q = 0; q < columns; ++q) sum += W[p * columns + q] * f[q];
      a[body.at + p] = sum;
    }
  }
}

MUBODY_CLONES void SaddlePoint::form_schur() {
  if (in_pairs()) return pairs_.form(D_->data(), w_.data(), S_.values(), S_.sizes());
  switch (width_) {
    case 3: form_by_bodies<3>(); break;
    case 4: form_by_bodies<4>(); break;
    case 6: form_by_bodies<6>(); break;
    default: form_by_bodies<0>();
  }
}

void SaddlePoint::add_compliance() {
  yield_ = 0;
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    double* const A = S_.values() + S_.offset(int(n), int(n));
    const int size = rows_[n].size;
    for (int r = 0; r < size; ++r) {
      double& own = A[r * (padded(size) + 1)];
      const double C = C_[std::size_t(rows_[n].at + r)];
      yield_ = std::max(yield_, C / own);
      own += C;
    }
  }
}

void SaddlePoint::factor(const std::vector<double>& D, double damping, const std::vector<double>& sizes) {
  D_ = &D;
  if (holes_) S_.clear();
  form_schur();
  const bool gives_way = !C_.empty();
  if (gives_way) add_compliance();
  damped_ = damping > 0;
  if (!sizes.empty())
    for (const Group& joint : rows_)
      for (int r = 0; r < joint.size; ++r) S_.sizes()[joint.place + r] = sizes[std::size_t(joint.at + r)];
  const double softness = redundant_ && !gives_way ? std::max(stiff_ ? stiffest : softness_, damping) : damping;
  S_.factorize(softness, !sizes.empty() || in_pairs());
  independence_ = S_.independence();
  weakest_ = s_.m > 0 ? first_row_[S_.weakest()] : 0;
  dense_ = !redundant_ && !damped_ && !gives_way && !(independence_ > lost);
}

// Off the constraints, where the stages of an integrator are, redundant rows are only nearly redundant: their D
// has a singular value σ as small as the violation, and their demands contradict the others by as much.  The
// solution follows them by σ/(σ² + ε) of that, a second-order error of the violation over ε.  So ε is chosen as
// large as quick refinement allows, which gains ε/(ε + s) per round in a direction with the eigenvalue s.
void SaddlePoint::choose_softness(const std::vector<double>& D, const std::vector<double>& sizes) {
  softness_ = soft;
  if (!redundant_ || s_.m > most_measured) return;
  MatX M = s_.full_mass(M_);
  const double heaviest = M.diagonal().maxCoeff();
  for (int k = 0; k < s_.n; ++k)
    if (!(M(k, k) > light * heaviest)) M(k, k) = light * heaviest;
  const MatX rows = s_.full(D);
  MatX S = product(rows, Ldlt(M).solve_columns(rows.transpose()));
  if (!S.allFinite()) return;
  VecX scale(s_.m);
  for (int r = 0; r < s_.m; ++r) {
    const double size = sizes.empty() ? S(r, r) : sizes[std::size_t(r)];
    scale[r] = size > 0 ? 1 / std::sqrt(size) : 1;
  }
  S = scale.asDiagonal() * S * scale.asDiagonal();
  const VecX values = symmetric_eigenvalues(S);
  const auto first = std::ranges::find_if(values, [](double x) { return x > no_eigenvalue; });
  if (first != values.end()) softness_ = std::clamp(soft_share * *first, soft, softest);
}

MUBODY_CLONES void SaddlePoint::schur_solve(const double* g, const double* c, double* a, double* lambda) {
  if (in_pairs()) {
    pairs_.reduce(D_->data(), w_.data(), g, c, b_.data());
    S_.solve(b_.data());
    return pairs_.expand(D_->data(), w_.data(), g, b_.data(), lambda, a);
  }
  switch (width_) {
    case 3: reduce<3>(g, c); break;
    case 4: reduce<4>(g, c); break;
    case 6: reduce<6>(g, c); break;
    default: reduce<0>(g, c);
  }
  S_.solve(b_.data());
  for (const Group& joint : rows_)
    for (int r = 0; r < joint.size; ++r) lambda[joint.at + r] = b_[joint.place + r];
  switch (width_) {
    case 3: expand<3>(g, lambda, a); break;
    case 4: expand<4>(g, lambda, a); break;
    case 6: expand<6>(g, lambda, a); break;
    default: expand<0>(g, lambda, a);
  }
}

void SaddlePoint::solve(const In& g, const In& c, Out a, Out lambda) {
  if (dense_) return dense_solve(g, c, a, lambda);
  schur_solve(g.size() > 0 ? g.data() : nullptr, c.data(), a.data(), lambda.data());
  // Rows that give way leave S well enough conditioned for accelerations; what is lost is in loads that redundant rows share.
  const bool sound = !C_.empty() || (!redundant_ && independence_ > weak);
  if (damped_ || (!light_ && sound)) return;
  refine(g, c, a, lambda);
}

// On the true equations, until the correction is at round-off or no longer shrinks.
void SaddlePoint::refine(const In& g, const In& c, Out a, Out lambda) {
  double before = 0;
  for (int round = 0; round < most_refinements; ++round) {
    std::fill(std::copy(g.begin(), g.end(), rg_.begin()), rg_.end(), 0.0);
    std::transform(c.data(), c.data() + s_.m, rc_.begin(), std::negate<>());
    s_.multiply_mass(-1, M_.data(), a.data(), rg_.data());
    s_.multiply_transposed(-1, D_->data(), lambda.data(), rg_.data());
    s_.multiply(D_->data(), a.data(), rc_.data());
    for (double& r : rc_) r = -r;
    for (std::size_t r = 0; r < C_.size(); ++r) rc_[r] += C_[r] * lambda[Eigen::Index(r)];
    flush(rg_);
    flush(rc_);
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
  auto& [M, D, K, scale, rhs, x, factors] = least_;
  s_.full_mass(M_, M);
  s_.full(*D_, D);
  K.setZero(s_.n + s_.m, s_.n + s_.m);
  K.topLeftCorner(s_.n, s_.n) = M;
  K.topRightCorner(s_.n, s_.m) = D.transpose();
  K.bottomLeftCorner(s_.m, s_.n) = D;
  scale.resize(s_.n + s_.m);
  double heaviest = 0;
  for (int k = 0; k < s_.n; ++k) heaviest = std::max(heaviest, M(k, k));
  for (int k = 0; k < s_.n; ++k) scale[k] = 1 / std::sqrt(M(k, k) > 0 ? M(k, k) : light * heaviest);
  for (int r = 0; r < s_.m; ++r) {
    const double size = (D.row(r).array() * scale.head(s_.n).transpose().array()).matrix().norm();
    scale[s_.n + r] = size > 0 ? 1 / size : 1;
  }
  K = scale.asDiagonal() * K * scale.asDiagonal();
  if (!K.allFinite()) {  // factors would be nonsense, and so would their permutations
    a.setConstant(std::numeric_limits<double>::quiet_NaN());
    lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  rhs.setZero(s_.n + s_.m);
  rhs.head(g.size()) = g;
  rhs.tail(s_.m) = c;
  rhs.array() *= scale.array();
  factors.set_threshold(1e-7);
  factors.compute(K);
  factors.solve(rhs, x);
  x.array() *= scale.array();
  a = x.head(s_.n);
  lambda = x.tail(s_.m);
}
}  // namespace mubody

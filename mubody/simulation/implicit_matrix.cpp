#include "mubody/simulation/implicit_matrix.h"

namespace mubody {
ImplicitMatrix::ImplicitMatrix(const System& s, const std::vector<ConstrainedSlopes::Entry>& entries)
    : nq_(s.nq), nu_(s.nu), nz_(s.nz), m_(s.m), structure_(s.structure),
      places_(std::size_t(s.nq + s.nu + s.nz + s.m)) {
  const int P = s.layout.coordinates, C = s.layout.velocities;
  for (int b = 1; s.layout.first_velocity(b) < nu_; ++b) {
    const int positions = add_group(P), velocities = add_group(C);
    for (int k = 0; k < P; ++k) places_[std::size_t(s.layout.first_coordinate(b) + k)] = {positions, k, 0};
    for (int k = 0; k < C; ++k) places_[std::size_t(nq_ + s.layout.first_velocity(b) + k)] = {velocities, k, 0};
  }
  for (int k = 0; k < nz_; ++k) places_[std::size_t(nq_ + nu_ + k)] = {add_group(1), 0, 0};
  empty_.assign(sizes_.size(), false);
  for (const JointRows& j : s.joints) {
    if (j.count == 0) continue;
    const int group = add_group(j.count);
    for (int k = 0; k < j.count; ++k) places_[std::size_t(nq_ + nu_ + nz_ + j.first + k)] = {group, k, 0};
  }
  empty_.resize(sizes_.size(), true);
  std::vector<int> first(sizes_.size() + 1, 0);
  for (std::size_t g = 0; g < sizes_.size(); ++g) first[g + 1] = first[g] + sizes_[g];
  for (Place& p : places_) p.at = first[std::size_t(p.group)] + p.within;
  real_.x = VecX::Zero(first.back());
  asked_ = VecX::Zero(m_);
  list(s, entries);
  list_others(s);
}

int ImplicitMatrix::add_group(int size) {
  sizes_.push_back(size);
  return int(sizes_.size()) - 1;
}

int ImplicitMatrix::place(int row, int column) const {
  const Place &r = places_[std::size_t(row)], &c = places_[std::size_t(column)];
  return blocks_->place(r.group, r.within, c.group, c.within);
}

// Rows are F, G, q̇, ż and works; an equation stands where its unknown does.
int ImplicitMatrix::equation(int row) const {
  const int n = nq_ + nu_ + nz_;
  if (row < nu_) return nq_ + row;
  if (row < nu_ + m_) return n + row - nu_;
  if (row < nu_ + m_ + nq_) return row - nu_ - m_;
  return row < n + m_ ? row - m_ : -1;
}

void ImplicitMatrix::list(const System& s, const std::vector<ConstrainedSlopes::Entry>& entries) {
  const int n = nq_ + nu_ + nz_;
  std::vector<std::pair<int, int>> blocks;
  const auto group = [&](int k) { return places_[std::size_t(k)].group; };
  for (const ConstrainedSlopes::Entry& e : entries)
    if (const int row = equation(e.row); row >= 0) blocks.push_back({group(row), group(e.column)});
  for (const SaddleStructure::Block& b : s.structure.D) {
    blocks.push_back({group(n + b.row), group(nq_ + b.column)});
    blocks.push_back({group(nq_ + b.column), group(n + b.row)});
  }
  blocks_ = std::make_shared<const BlockStructure>(sizes_, blocks, empty_);
  real_.lu = BlockLu<double>(blocks_);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const ConstrainedSlopes::Entry& e = entries[k];
    if (const int row = equation(e.row); row >= 0)
      terms_.push_back({int(k), place(row, e.column)});
    else
      of_works_.push_back({int(k), e.row - m_, places_[std::size_t(e.column)].at});
  }
  for (const SaddleStructure::Block& b : s.structure.D)
    for (int i = 0; i < b.rows; ++i)
      for (int k = 0; k < b.columns; ++k)
        constraints_.push_back({b.offset + i * b.columns + k, place(n + b.row + i, nq_ + b.column + k),
                                place(nq_ + b.column + k, n + b.row + i)});
  values_.assign(entries.size(), 0);
}

// M, and 1 where rates are those of states; powers of constraints that move.
void ImplicitMatrix::list_others(const System& s) {
  constexpr int works = 6;
  for (const SaddleStructure::Mass& b : s.structure.M)
    for (int c = 0; c < b.size; ++c)
      for (int r = 0; r < b.size; ++r)
        masses_.push_back({b.offset + c * b.size + r, place(nq_ + b.column + r, nq_ + b.column + c)});
  for (int k = 0; k < nq_; ++k) ones_.push_back(place(k, k));
  for (int k = nq_ + nu_; k < nq_ + nu_ + nz_; ++k) ones_.push_back(place(k, k));
  const int n = nq_ + nu_ + nz_;
  for (const JointRows& j : s.joints)
    for (int r = j.first; s.has_power && j.moves && r < j.first + j.count; ++r)
      drivers_.push_back({r, n + works * s.group_of(j), places_[std::size_t(n + r)].at});
}

void ImplicitMatrix::take(const double* values, const Terms& terms, const In& u) {
  std::copy_n(values, values_.size(), values_.begin());
  M_ = terms.M;
  D_ = terms.D;
  if (drivers_.empty()) return;
  asked_ = -terms.rate;
  structure_.multiply(D_.data(), u.data(), asked_.data());
}

template <class T> bool ImplicitMatrix::factor(Factors<T>& f, T c) {
  f.c = c;
  const std::span<T> A = f.lu.numbers();
  std::ranges::fill(A, T(0));
  for (const Term& t : terms_) A[std::size_t(t.place)] -= c * values_[std::size_t(t.value)];
  for (const int k : ones_) A[std::size_t(k)] += 1;
  for (const Term& t : masses_) A[std::size_t(t.place)] += M_[std::size_t(t.value)];
  for (const Both& t : constraints_) {
    A[std::size_t(t.place)] += D_[std::size_t(t.value)];
    A[std::size_t(t.transposed)] += D_[std::size_t(t.value)];
  }
  return f.lu.factor();
}

bool ImplicitMatrix::factor(std::size_t which, Complex c) {
  while (complex_.size() <= which) complex_.push_back({BlockLu<Complex>(blocks_), CVecX::Zero(real_.x.size())});
  return factor(complex_[which], c);
}

template <class T, class R, class X> void ImplicitMatrix::solve(Factors<T>& f, const R& r, X& x) {
  const int n = nq_ + nu_ + nz_;
  const auto unknown = [&](int k) -> T& { return f.x[places_[std::size_t(k)].at]; };
  x = r;
  f.x.setZero();
  for (int k = 0; k < nq_; ++k) unknown(k) = r[k];
  for (int k = nq_ + nu_; k < n; ++k) unknown(k) = r[k];
  for (const SaddleStructure::Mass& b : structure_.M)
    for (int c = 0; c < b.size; ++c)
      for (int i = 0; i < b.size; ++i)
        unknown(nq_ + b.column + i) += M_[std::size_t(b.offset + c * b.size + i)] * r[nq_ + b.column + c];
  for (const SaddleStructure::Block& b : structure_.D)
    for (int i = 0; i < b.rows; ++i)
      for (int c = 0; c < b.columns; ++c)
        unknown(n + b.row + i) += D_[std::size_t(b.offset + i * b.columns + c)] * r[nq_ + b.column + c];
  f.lu.solve(f.x.data());
  for (int k = 0; k < n; ++k) x[k] = unknown(k);
  for (const Product& p : of_works_) x[p.work] += f.c * values_[std::size_t(p.value)] * f.x[p.unknown];
  for (const Product& p : drivers_) x[p.work] -= asked_[p.value] * f.x[p.unknown];
}

bool ImplicitMatrix::factor(double c) { return factor(real_, c); }
void ImplicitMatrix::solve(const In& r, Out x) { solve(real_, r, x); }
void ImplicitMatrix::solve(std::size_t which, const CVecX& r, CVecX& x) { solve(complex_[which], r, x); }
}  // namespace mubody

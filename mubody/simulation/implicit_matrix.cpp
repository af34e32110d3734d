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
  x_ = VecX::Zero(first.back());
  asked_ = rows_ = VecX::Zero(m_);
  list(s, entries);
  list_others(s);
}

int ImplicitMatrix::add_group(int size) {
  sizes_.push_back(size);
  return int(sizes_.size()) - 1;
}

int ImplicitMatrix::place(int row, int column) const {
  const Place &r = places_[std::size_t(row)], &c = places_[std::size_t(column)];
  return lu_.place(r.group, r.within, c.group, c.within);
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
  lu_ = BlockLu(sizes_, blocks, empty_);
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

bool ImplicitMatrix::factor(double c) {
  c_ = c;
  const std::span<double> A = lu_.numbers();
  std::ranges::fill(A, 0);
  for (const Term& t : terms_) A[std::size_t(t.place)] -= c * values_[std::size_t(t.value)];
  for (const int k : ones_) A[std::size_t(k)] += 1;
  for (const Term& t : masses_) A[std::size_t(t.place)] += M_[std::size_t(t.value)];
  for (const Both& t : constraints_) {
    A[std::size_t(t.place)] += D_[std::size_t(t.value)];
    A[std::size_t(t.transposed)] += D_[std::size_t(t.value)];
  }
  return lu_.factor();
}

void ImplicitMatrix::solve(const In& r, Out x) {
  const int n = nq_ + nu_ + nz_;
  x = r;
  x.segment(nq_, nu_).setZero();
  rows_.setZero();
  structure_.multiply_mass(1, M_.data(), r.data() + nq_, x.data() + nq_);
  structure_.multiply(D_.data(), r.data() + nq_, rows_.data());
  for (int k = 0; k < n; ++k) x_[places_[std::size_t(k)].at] = x[k];
  for (int k = 0; k < m_; ++k) x_[places_[std::size_t(n + k)].at] = rows_[k];
  lu_.solve(x_);
  for (int k = 0; k < n; ++k) x[k] = x_[places_[std::size_t(k)].at];
  for (const Product& p : of_works_) x[p.work] += c_ * values_[std::size_t(p.value)] * x_[p.unknown];
  for (const Product& p : drivers_) x[p.work] -= asked_[p.value] * x_[p.unknown];
}
}  // namespace mubody

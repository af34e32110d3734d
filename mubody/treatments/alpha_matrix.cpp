#include "mubody/treatments/alpha_matrix.h"

namespace mubody {
AlphaMatrix::AlphaMatrix(const System& s, const ConstrainedSlopes& slopes)
    : nq_(s.nq), nu_(s.nu), m_(s.m), P_(s.layout.coordinates), C_(s.layout.velocities),
      joint_(std::size_t(s.m), -1), within_(std::size_t(s.m)), T_(s.nu, C_), B_(s.nq, C_), moved_(s.nq),
      way_(s.nu), x_(s.nu + s.m) {
  const int bodies = nu_ / C_;
  std::vector<int> sizes(std::size_t(bodies), C_);
  std::vector<bool> empty(sizes.size(), false);
  for (int k = 0; k < nu_; ++k) unknown_.push_back(k);
  int next = nu_;
  unknown_.resize(std::size_t(nu_ + m_), -1);
  for (const JointRows& j : s.joints) {
    int count = 0;
    for (int r = j.first; r < j.first + j.count; ++r) {
      if (!slopes.left_out().empty() && slopes.left_out()[std::size_t(r)]) continue;
      joint_[std::size_t(r)] = int(sizes.size()), within_[std::size_t(r)] = count++;
      unknown_[std::size_t(nu_ + r)] = next++;
    }
    if (count == 0) continue;
    sizes.push_back(count);
    empty.push_back(true);
  }
  x_.resize(next);
  std::vector<std::pair<int, int>> blocks;
  for (std::size_t k = 0; k < slopes.entries().size(); ++k) {
    const auto [row, column] = slopes.entries()[k];
    if (row < nu_ && column < nq_) {
      by_position_.push_back({int(k), row, column});
      blocks.push_back({velocity(row), column / P_});
    } else if (row < nu_ && column < nq_ + nu_) {
      by_velocity_.push_back({int(k), row, column - nq_});
      blocks.push_back({velocity(row), velocity(column - nq_)});
    } else if (row >= nu_ + m_ && row < nu_ + m_ + nq_ && column >= nq_ && column < nq_ + nu_) {
      rates_.push_back({int(k), row - nu_ - m_, (column - nq_) % C_});
    }
  }
  for (const SaddleStructure::Block& b : s.structure.D)
    for (int r = b.row; r < b.row + b.rows; ++r)
      if (const int joint = joint_[std::size_t(r)]; joint >= 0)
        blocks.push_back({joint, velocity(b.column)}), blocks.push_back({velocity(b.column), joint});
  blocks_ = std::make_shared<const BlockStructure>(sizes, blocks, empty);
  lu_ = BlockLu<double>(blocks_);
}

// Lengths and angles in the plane add up.  Turns in space do not: each number of all bodies at once, since none moves another.
void AlphaMatrix::displace(const System& s, const In& from, const In& x, const In& to) {
  constexpr double little = 1e-6;  // [rad]
  const int sums = P_ == C_ ? C_ : s.layout.lengths;
  T_.setZero();
  for (int k = 0; k < nu_; ++k)
    if (k % C_ < sums) T_(k, k % C_) = 1;
  for (int c = sums; c < C_; ++c) {
    way_ = x;
    for (int k = c; k < nu_; k += C_) way_[k] += little;
    moved_ = from;
    s.move(moved_, way_);
    way_ = s.layout.apart(to, moved_);
    for (int k = 0; k < nu_; ++k)
      if (k % C_ >= sums) T_(k, c) = way_[k] / little;
  }
}

int AlphaMatrix::at(int row, int column) const {
  const auto group = [&](int k) { return k < nu_ ? velocity(k) : joint_[std::size_t(k - nu_)]; };
  const auto within = [&](int k) { return k < nu_ ? k % C_ : within_[std::size_t(k - nu_)]; };
  return blocks_->place(group(row), within(row), group(column), within(column));
}

bool AlphaMatrix::factor(const System& s, const double* values, const Terms& terms, const Weights& w) {
  const std::span<double> A = lu_.numbers();
  std::ranges::fill(A, 0);
  B_.setZero();
  for (const Slope& n : rates_)  // B = N T
    B_.row(n.row) += values[n.value] * T_.row(n.row / P_ * C_ + n.column);
  const VecX& units = s.units;
  for (const Slope& f : by_position_) {
    const int first = f.column / P_ * C_, place = at(f.row, first);
    for (int c = 0; c < C_; ++c)
      A[std::size_t(place + c * C_)] -=
          w.position * values[f.value] * B_(f.column, c) * units[f.row] * units[first + c];
  }
  for (const Slope& f : by_velocity_)
    A[std::size_t(at(f.row, f.column))] -= w.velocity * values[f.value] * units[f.row] * units[f.column];
  for (const SaddleStructure::Mass& b : s.structure.M)
    for (int c = 0; c < b.size; ++c)
      for (int r = 0; r < b.size; ++r)
        A[std::size_t(at(b.column + r, b.column + c))] += w.mass *
                                                          terms.M[std::size_t(b.offset + c * b.size + r)] *
                                                          units[b.column + r] * units[b.column + c];
  for (const SaddleStructure::Block& b : s.structure.D)
    for (int i = 0; i < b.rows; ++i) {
      const int row = nu_ + b.row + i;
      if (unknown_[std::size_t(row)] < 0) continue;
      const double scale = w.constraints / s.row_units[b.row + i];
      for (int k = 0; k < b.columns; ++k) {
        const int column = b.column + k;
        const double D = scale * terms.D[std::size_t(b.offset + i * b.columns + k)];
        A[std::size_t(at(column, row))] += D * units[column];
        for (int c = 0; c < C_; ++c)
          if (const double T = T_(column, c); T != 0)
            A[std::size_t(at(row, b.column + c))] += D * T * units[b.column + c];
      }
    }
  return lu_.factor();
}

void AlphaMatrix::solve(const In& r, VecX& x) {
  for (int k = 0; k < nu_ + m_; ++k)
    if (const int at = unknown_[std::size_t(k)]; at >= 0) x_[at] = r[k];
  lu_.solve(x_.data());
  for (int k = 0; k < nu_ + m_; ++k) x[k] = unknown_[std::size_t(k)] < 0 ? 0 : x_[unknown_[std::size_t(k)]];
}
}  // namespace mubody

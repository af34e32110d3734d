#include "mubody/math/pair_schur.h"

#include <algorithm>

#include "mubody/math/block_ldl.h"
#include "mubody/math/lanes.h"
#include "mubody/math/lists.h"
#include "mubody/math/saddle_structure.h"

namespace mubody {
namespace {
constexpr int C = 3;  // velocities of a body

// Each number is loaded by itself, because joints stored them one by one a moment ago.
MUBODY_INLINE Pair two(const double* a, const double* b) {
  return Pair{*static_cast<const volatile double*>(a), *static_cast<const volatile double*>(b)};
}
}  // namespace

bool PairSchur::fits(const SaddleStructure& s) {
  std::vector<bool> first(std::size_t(s.m), false);  // of a joint's rows
  for (const auto& b : s.D) {
    if (b.rows != 2 || b.columns != C) return false;
    first[std::size_t(b.row)] = true;
  }
  return 2 * std::ranges::count(first, true) == s.m &&
         std::all_of(s.M.begin(), s.M.end(), [](const auto& mass) { return mass.size == C; });
}

PairSchur::PairSchur(const SaddleStructure& s, const BlockLdl& S, const std::vector<int>& node_of_row) {
  Lists on_column(s.n, int(s.D.size()), [&](int k) { return s.D[std::size_t(k)].column; });
  for (int row = 0; row < s.m; row += 2) joints_.push_back({row, S.start(node_of_row[std::size_t(row)])});
  std::sort(joints_.begin(), joints_.end(), [](const Joint& i, const Joint& j) { return i.place < j.place; });

  const auto node = [&](int k) { return node_of_row[std::size_t(s.D[std::size_t(k)].row)]; };
  // Bodies in the order in which their first joints are eliminated, so that S is walked from its beginning to its end.
  std::vector<std::pair<int, int>> bodies;  // place, column
  for (const auto& mass : s.M) {
    const auto on_body = on_column[mass.column];
    std::ranges::sort(on_body, [&](int k, int l) { return S.before(node(k), node(l)); });
    bodies.emplace_back(on_body.empty() ? 0 : S.start(node(on_body.front())), mass.column);
  }
  std::sort(bodies.begin(), bodies.end());
  std::vector<bool> known(S.numbers(), false);
  for (const auto& [place, column] : bodies) {
    const auto on_body = on_column[column];
    for (std::size_t l = 0; l < on_body.size(); ++l) {
      blocks_.push_back({s.D[std::size_t(on_body[l])].offset, S.start(node(on_body[l]))});
      for (std::size_t k = 0; k <= l; ++k) {
        const int target = S.offset(node(on_body[l]), node(on_body[k]));
        targets_.push_back(2 * target + int(!known[std::size_t(target)]));
        known[std::size_t(target)] = true;
      }
    }
    bodies_.push_back({column, int(blocks_.size())});
  }
}

MUBODY_CLONES void PairSchur::form(const double* D, const double* w, double* S, double* diagonal) const {
  const Block* block = blocks_.data();
  const int* target = targets_.data();
  for (const Body& body : bodies_) {
    const Block* const first = block;
    const Block* const end = blocks_.data() + body.end;
    const double w0 = w[body.column], w1 = w[body.column + 1], w2 = w[body.column + 2];
    for (; block < end; ++block) {
      const double* const d = D + block->D;
      const Pair e0 = two(d, d + 3) * w0, e1 = two(d + 1, d + 4) * w1, e2 = two(d + 2, d + 5) * w2;
      Pair upper, lower;
      for (const Block* k = first; k <= block; ++k) {
        const double* const x = D + k->D;
        double* const T = S + (*target >> 1);
        upper = x[0] * e0 + x[1] * e1 + x[2] * e2, lower = x[3] * e0 + x[4] * e1 + x[5] * e2;
        if ((*target++ & 1) == 0) {
          upper += *reinterpret_cast<const Pair*>(T);
          lower += *reinterpret_cast<const Pair*>(T + 2);
        }
        *reinterpret_cast<Pair*>(T) = upper;
        *reinterpret_cast<Pair*>(T + 2) = lower;
      }
      diagonal[block->place] = upper[0], diagonal[block->place + 1] = lower[1];  // the last is its own block
    }
  }
}

MUBODY_CLONES void PairSchur::reduce(const double* D, const double* w, const double* g, const double* c,
                                     double* b) const {
  for (const Joint& joint : joints_)
    *reinterpret_cast<Pair*>(b + joint.place) = -two(c + joint.row, c + joint.row + 1);
  if (!g) return;
  const Block* block = blocks_.data();
  for (const Body& body : bodies_) {
    const int at = body.column;
    const double x = w[at] * g[at], y = w[at + 1] * g[at + 1], z = w[at + 2] * g[at + 2];
    for (const Block* const end = blocks_.data() + body.end; block < end; ++block) {
      const double* const d = D + block->D;
      *reinterpret_cast<Pair*>(b + block->place) +=
          two(d, d + 3) * x + two(d + 1, d + 4) * y + two(d + 2, d + 5) * z;
    }
  }
}

MUBODY_CLONES void PairSchur::expand(const double* D, const double* w, const double* g, const double* b,
                                     double* lambda, double* a) const {
  for (const Joint& joint : joints_) {
    lambda[joint.row] = b[joint.place];
    lambda[joint.row + 1] = b[joint.place + 1];
  }
  const Block* block = blocks_.data();
  for (const Body& body : bodies_) {
    double x = 0, y = 0, z = 0;
    if (g) x = g[body.column], y = g[body.column + 1], z = g[body.column + 2];
    for (const Block* const end = blocks_.data() + body.end; block < end; ++block) {
      const double* const d = D + block->D;
      const double l0 = b[block->place], l1 = b[block->place + 1];
      x -= d[0] * l0 + d[3] * l1;
      y -= d[1] * l0 + d[4] * l1;
      z -= d[2] * l0 + d[5] * l1;
    }
    const double* const by = w + body.column;
    double* const out = a + body.column;
    out[0] = by[0] * x, out[1] = by[1] * y, out[2] = by[2] * z;
  }
}
}  // namespace mubody

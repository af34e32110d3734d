#include "mubody/integrators/weighted_sum.h"

#include "mubody/math/lanes.h"

// As MUBODY_CLONES, but without fused multiply-add: sums are to the last digit those of any processor, since next to
// singular positions their round-off decides which steps a motion takes.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define MUBODY_WIDE [[gnu::target_clones("avx2", "default"), gnu::flatten]]
#else
#define MUBODY_WIDE
#endif

namespace mubody {
namespace {
// W numbers of the sum, of N terms; of as many as there are if N is zero.
template <int W, int N>
MUBODY_INLINE void sum_at(const double* y, const WeightedVector* t, int terms, long e, double* sum) {
  Lanes<W> s, x;
  s.load(y + e);
#pragma GCC unroll 8
  for (int j = 0; j < (N > 0 ? N : terms); ++j) {
    x.load(t[j].x + e);
    s.add(t[j].weight, x);
  }
  s.store(sum + e);
}

template <int N>
MUBODY_INLINE void sum_of(const double* y, std::span<const WeightedVector> terms, long n, double* sum) {
  const int count = int(terms.size());
  // Copies, which nothing that is written may change, so that they stay in registers.
  WeightedVector own[N > 0 ? N : 1];
  for (int j = 0; j < N; ++j) own[j] = terms[std::size_t(j)];
  const WeightedVector* const t = N > 0 ? own : terms.data();
  long e = 0;
  for (; e + 4 <= n; e += 4) sum_at<4, N>(y, t, count, e, sum);
  if (e + 2 <= n) {
    sum_at<2, N>(y, t, count, e, sum);
    e += 2;
  }
  if (e == n) return;
  double last = y[e];
  for (const WeightedVector& term : terms) last += term.weight * term.x[e];
  sum[e] = last;
}
}  // namespace

MUBODY_WIDE void add_weighted(const double* y, std::span<const WeightedVector> terms, long n, double* sum) {
  switch (terms.size()) {
    case 1: return sum_of<1>(y, terms, n, sum);
    case 2: return sum_of<2>(y, terms, n, sum);
    case 3: return sum_of<3>(y, terms, n, sum);
    case 4: return sum_of<4>(y, terms, n, sum);
    case 5: return sum_of<5>(y, terms, n, sum);
    case 6: return sum_of<6>(y, terms, n, sum);
    default: return sum_of<0>(y, terms, n, sum);
  }
}
}  // namespace mubody
#undef MUBODY_WIDE

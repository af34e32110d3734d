#pragma once
// The loop that runs a tape, for one number or for vectors of them.
//
//   docs/theory/recording.md#tape
#include "mubody/math/inlining.h"
#include "mubody/recording/lane_numbers.h"
#include "mubody/recording/tape.h"

namespace mubody {
/// `Lane::V` is what the processor works on at once, and a place has `Lane::parts` of them.  The running value stays in
/// registers, so that functions that take a place must not see it.
template <class Lane>
MUBODY_INLINE void run(const Tape& tape, const std::vector<Tape::Code>& codes, double* work) {
  using V = typename Lane::V;
  using Op = Tape::Op;
  constexpr int N = Lane::parts;
  V r[N];
  for (int k = 0; k < N; ++k) r[k] = V{};
  const auto at = [&](int place)
                      MUBODY_INLINE_LAMBDA { return reinterpret_cast<V*>(work) + std::ptrdiff_t(place) * N; };
  const Tape::Code* const end = codes.data() + codes.size();
  for (const Tape::Code* c = codes.data(); c != end; ++c) {
    const V *a = at(c->a), *b = at(c->b);
    V* d = at(c->d);
    const auto each = [&](auto&& f) MUBODY_INLINE_LAMBDA {
#pragma GCC unroll 16
      for (int k = 0; k < N; ++k) f(k), d[k] = r[k];
    };
    switch (c->op) {
      case Op::load: each([&](int k) { r[k] = a[k]; }); break;
      case Op::sum: each([&](int k) { r[k] = a[k] + b[k]; }); break;
      case Op::difference: each([&](int k) { r[k] = a[k] - b[k]; }); break;
      case Op::product: each([&](int k) { r[k] = a[k] * b[k]; }); break;
      case Op::quotient: each([&](int k) { r[k] = a[k] / b[k]; }); break;
      case Op::plus: each([&](int k) { r[k] = r[k] + a[k]; }); break;
      case Op::minus: each([&](int k) { r[k] = r[k] - a[k]; }); break;
      case Op::from: each([&](int k) { r[k] = a[k] - r[k]; }); break;
      case Op::plus_product: each([&](int k) { r[k] = r[k] + a[k] * b[k]; }); break;
      case Op::minus_product: each([&](int k) { r[k] = r[k] - a[k] * b[k]; }); break;
      case Op::from_product: each([&](int k) { r[k] = a[k] * b[k] - r[k]; }); break;
      case Op::times: each([&](int k) { r[k] = r[k] * a[k]; }); break;
      case Op::over: each([&](int k) { r[k] = r[k] / a[k]; }); break;
      case Op::under: each([&](int k) { r[k] = a[k] / r[k]; }); break;
      case Op::negative: each([&](int k) { r[k] = -r[k]; }); break;
      case Op::square: each([&](int k) { r[k] = r[k] * r[k]; }); break;
      case Op::choose: each([&](int k) { r[k] = Lane::choose(a[k], b[k], r[k]); }); break;
      case Op::sine_cosine: Lane::sine_cosine(a, d, at(c->b)); break;
      case Op::index: Lane::index(tape.tables_[std::size_t(c->c)], a, d); break;
      case Op::fetch: Lane::fetch(tape.tables_[std::size_t(c->b)], c->c, a, d); break;
      case Op::function: Lane::apply(Step(c->c), a, b, d); break;
    }
  }
}
}  // namespace mubody

#include "mubody/recording/tape.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "mubody/recording/tape_run.h"

namespace mubody {
namespace {
/// Numbers side by side begin at multiples of this, where vectors may begin [numbers].
constexpr int boundary = 8;

using Codes = std::vector<Tape::Code>;

// One loop for each width of vectors that processors have; which one runs is decided when the program starts.
template <int lanes> void run_narrow(const Tape& t, const Codes& c, double* work) {
  run<ManyLanes<16, lanes>>(t, c, work);
}
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
template <int lanes>
[[gnu::target("arch=x86-64-v4")]] void run_wide(const Tape& t, const Codes& c, double* work) {
  run<ManyLanes<64, lanes>>(t, c, work);
}
template <int lanes>
[[gnu::target("arch=x86-64-v3")]] void run_middle(const Tape& t, const Codes& c, double* work) {
  run<ManyLanes<32, lanes>>(t, c, work);
}
/// The vectors that this processor has [bytes].
int own_width() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) return 64;
  return __builtin_cpu_supports("x86-64-v3") ? 32 : 16;
}
template <int lanes> void run_lanes(const Tape& t, const Codes& c, double* work, int widest) {
  static const int own = own_width();
  const int width = std::min(own, widest);
  (width == 64 ? run_wide<lanes> : width == 32 ? run_middle<lanes> : run_narrow<lanes>)(t, c, work);
}
#else
template <int lanes> void run_lanes(const Tape& t, const Codes& c, double* work, int) {
  run_narrow<lanes>(t, c, work);
}
#endif
void run_one(const Tape& t, const Codes& c, double* work) { run<OneLane>(t, c, work); }
}  // namespace

TapeWork::TapeWork(const Tape& t, int lanes)
    : lanes_(lanes), held_(std::size_t(t.places() * lanes + boundary), 0.0), memory_(held_.data()) {
  assert(lanes == 1 || lanes == Tape::few_lanes || lanes == Tape::lanes);
  while (reinterpret_cast<std::uintptr_t>(memory_) % (boundary * sizeof(double)) != 0) ++memory_;
  for (std::size_t k = 0; k < t.constants_.size(); ++k)
    std::fill_n(memory_ + int(k) * lanes, lanes, t.constants_[k]);
}
void TapeWork::set_parameters(const Tape& t, const double* parameters) {
  double* to = memory_ + int(t.constants_.size()) * lanes_;
  for (const int p : t.used_parameters_) to = std::copy_n(parameters + p * lanes_, lanes_, to);
  if (lanes_ == 1)
    run_one(t, t.once_, memory_);
  else
    (lanes_ == Tape::lanes ? run_lanes<Tape::lanes> : run_lanes<Tape::few_lanes>)(t, t.once_, memory_, 64);
}

void Tape::operator()(const double* inputs, double* outputs, TapeWork& w) const {
  assert(w.lanes() == 1);
  double* to = w.data() + constants_.size() + used_parameters_.size();
  for (const int x : used_inputs_) *to++ = inputs[x];
  run_one(*this, codes_, w.data());
  for (const int place : outputs_) *outputs++ = w.data()[place];
}
// Copies of a known length are a few instructions.
template <int n> void Tape::side_by_side(const double* inputs, double* outputs, TapeWork& w, int widest) const {
  double* to = w.data() + std::ptrdiff_t(constants_.size() + used_parameters_.size()) * n;
  for (const int x : used_inputs_) to = std::copy_n(inputs + std::ptrdiff_t(x) * n, n, to);
  run_lanes<n>(*this, codes_, w.data(), widest);
  for (const int place : outputs_) outputs = std::copy_n(w.data() + std::ptrdiff_t(place) * n, n, outputs);
}
void Tape::in_lanes(const double* inputs, double* outputs, TapeWork& w, int widest) const {
  assert(w.lanes() > 1);
  w.lanes() == lanes ? side_by_side<lanes>(inputs, outputs, w, widest)
                     : side_by_side<few_lanes>(inputs, outputs, w, widest);
}
}  // namespace mubody

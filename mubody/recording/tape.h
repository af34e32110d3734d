#pragma once
// A routine as a list of small steps on a few places of memory: evaluated for one mechanism, or for many side by side.
//
//   docs/theory/recording.md#tape
//
// Each step works on a running value and one or two places.  A value that is used once, and right away, never goes to
// memory: sums of products, products of many factors and quotients run through the running value.  All other values
// have places, which are taken again after their last use.
#include <vector>

#include "mubody/recording/routine.h"

namespace mubody {
class TapeWork;

class Tape {
 public:
  /// How many mechanisms are evaluated side by side.  Measured: steps on fewer spend their time on finding the next step,
  /// steps on more need more memory than is near.
  static constexpr int lanes = 32;
  /// As many, where there are not more: a step takes less than with all of them, though not half.
  static constexpr int few_lanes = 16;

  Tape(const Computation&, const Routine&);

  int outputs() const { return int(outputs_.size()); }
  /// How many places it works on, those of constants, parameters and inputs included.
  int places() const { return places_; }
  int steps() const { return int(codes_.size()); }
  /// The steps that depend on parameters alone, and are taken when these are set.
  int steps_once() const { return int(once_.size()); }

  /// Outputs at the inputs, for the parameters of the work.  The work belongs to one tape and one thread.
  void operator()(const double* inputs, double* outputs, TapeWork&) const;
  /// The same for all lanes of the work: number k of lane l stands at [k * lanes + l].  The processor's vectors are used,
  /// `widest` bytes at most.
  void in_lanes(const double* inputs, double* outputs, TapeWork&, int widest = 64) const;

  /// What a step does with the running value r, and with what is at places a, b and d.
  enum class Op : int {
    load,           // r = a
    sum,            // r = a + b
    difference,     // r = a − b
    product,        // r = a b
    quotient,       // r = a / b
    plus,           // r = r + a
    minus,          // r = r − a
    from,           // r = a − r
    plus_product,   // r = r + a b
    minus_product,  // r = r − a b
    from_product,   // r = a b − r
    times,          // r = r a
    over,           // r = r / a
    under,          // r = a / r
    negative,       // r = −r
    square,         // r = r r
    choose,         // r = b where a holds, else r
    sine_cosine,    // d = sin a, b = cos a
    index,          // d = the row of table c to which a belongs
    fetch,          // d = number c of row a of table b
    function,       // d = the step c of a and b
  };
  /// Steps up to `choose` end with d = r.  To ask whether anybody needs that would take longer; if nobody does, d is a
  /// place of no value.
  struct Code {
    Op op;
    int d, a, b, c;
  };

 private:
  friend class TapeMaker;
  friend class TapeWork;
  template <class Lane> friend void run(const Tape&, const std::vector<Code>&, double* work);

  template <int n> void side_by_side(const double* inputs, double* outputs, TapeWork&, int widest) const;

  std::vector<Code> once_;  // what depends on parameters alone
  std::vector<Code> codes_;
  std::vector<NumberTable> tables_;
  std::vector<double> constants_;     // at the first places
  std::vector<int> used_parameters_;  // at the next
  std::vector<int> used_inputs_;      // then these
  std::vector<int> outputs_;          // their places
  int places_ = 0;
};

/// The memory of a tape: constants and parameters are put there once.
class TapeWork {
 public:
  /// For one mechanism, for Tape::lanes of them, or for Tape::few_lanes.
  explicit TapeWork(const Tape&, int lanes = 1);
  TapeWork(TapeWork&&) = default;
  TapeWork& operator=(TapeWork&&) = default;

  /// Number k of lane l stands at [k * lanes + l].
  void set_parameters(const Tape&, const double* parameters);
  int lanes() const { return lanes_; }
  double* data() { return memory_; }

 private:
  int lanes_;
  std::vector<double> held_;
  double* memory_;  // within it, where vectors begin
};
}  // namespace mubody

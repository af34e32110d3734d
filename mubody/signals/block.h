#pragma once
// The members of every block, and a block whose type is not known.  A block turns an input into an output and may have
// states: those of a continuous one are part of z, so that the integrator moves them; a sampled one keeps numbers of its
// own, which change at its instants.                                                   docs/theory/signals.md
//
//   struct Lag {
//     static constexpr Info info{...};
//     Signal input;
//     Signal other;                                            a second input                       (optional)
//     void fields(Fields&);
//     void check() const;                                      throws FieldError                    (optional)
//     void check_sampling(std::optional<double> T) const;      likewise, with the time between instants   (optional)
//     int states() const;                                      how many numbers it remembers        (optional: none)
//     bool direct(bool sampled) const;                         the output needs the input of the same instant
//     void start(const BlockInputOf<R>&, R* x) const;          the states at the start              (optional: zero)
//     R output(const BlockInputOf<R>&, const R* x, CornersOf<R>) const;
//     void rates(const BlockInputOf<R>&, const R* x, CornersOf<R>, R* dx) const;   of the states    (with states)
//     int corners() const;                                     places where it changes its form     (optional: none)
//     double delay() const;                                    it shows its input as it was so long ago   (optional)
//
//   For a sampled block that remembers:
//
//     void prepare(double T);                                  once, with the time between instants (optional)
//     int memory(double T) const;                              how many numbers it keeps            (optional: states())
//     R sampled(const BlockInputOf<R>&, const R* m) const;            the output at an instant
//     void update(const BlockInputOf<R>&, R* m) const;                what it keeps until the next one
//   };
//
// What has R is a template of that scalar.  A block may know doubles alone, with BlockInput, Corners and double; then it
// serves where equations are not recorded, and may say why in `static constexpr std::string_view unrecorded`.
//
// A block whose output needs no input of the same instant may stand in a cycle of signals.
#include <memory>
#include <optional>

#include "mubody/functions/signal.h"
#include "mubody/math/corners.h"
#include "mubody/model/fields.h"
#include "mubody/model/not_recorded.h"

namespace mubody {
/// What a block sees at one instant.
template <class R> struct BlockInputOf {
  R t = 0;         // [s]
  R u = 0, v = 0;  // input, second input
  R since = 0;     // [s] since the last instant of a sampled block; 0 at its first
  double T = 0;    // [s] between its instants
};
using BlockInput = BlockInputOf<double>;

class AnyBlock {
 public:
  virtual ~AnyBlock() = default;
  virtual Info info() const = 0;
  virtual void fields(Fields&) = 0;
  virtual void check() = 0;
  virtual void check_sampling(std::optional<double> T) const = 0;
  virtual const Signal& input() const = 0;
  /// The second input; null if there is none.
  virtual const Signal* other() const = 0;
  virtual int states() const = 0;
  virtual bool direct(bool sampled) const = 0;
  virtual void start(const BlockInput&, double* x) const = 0;
  virtual double output(const BlockInput&, const double* x) const = 0;
  virtual void rates(const BlockInput&, const double* x, double* dx) const = 0;
  virtual int corners() const = 0;
  virtual double delay() const = 0;
  virtual void prepare(double T) = 0;
  virtual int memory(double T) const = 0;
  virtual double sampled(const BlockInput&, const double* m) const = 0;
  virtual void update(const BlockInput&, double* m) const = 0;
  /// The same where equations are recorded; they throw ModelError if they cannot be.
  virtual void start(const BlockInputOf<Recorded>&, Recorded* x) const = 0;
  virtual Recorded output(const BlockInputOf<Recorded>&, const Recorded* x) const = 0;
  virtual void rates(const BlockInputOf<Recorded>&, const Recorded* x, Recorded* dx) const = 0;
  virtual Recorded sampled(const BlockInputOf<Recorded>&, const Recorded* m) const = 0;
  virtual void update(const BlockInputOf<Recorded>&, Recorded* m) const = 0;
  virtual std::unique_ptr<AnyBlock> clone() const = 0;

  /// Lets a motion see and hold the corners; copies share them.
  void watch(std::shared_ptr<Switches> switches) { switches_ = std::move(switches); }

 protected:
  Corners here() const { return Corners(switches_.get()); }

 private:
  std::shared_ptr<Switches> switches_;
};

template <class T> class BlockOf final : public AnyBlock {
 public:
  T block;

  explicit BlockOf(T value = {}) : block(std::move(value)) {}
  Info info() const override { return T::info; }
  void fields(Fields& f) override { block.fields(f); }
  void check() override {
    if constexpr (requires { block.check(); }) block.check();
  }
  void check_sampling([[maybe_unused]] std::optional<double> between) const override {
    if constexpr (requires { block.check_sampling(between); }) block.check_sampling(between);
  }
  const Signal& input() const override { return block.input; }
  const Signal* other() const override {
    if constexpr (requires { block.other; })
      return &block.other;
    else
      return nullptr;
  }
  int states() const override {
    if constexpr (requires { block.states(); })
      return block.states();
    else
      return 0;
  }
  bool direct(bool is_sampled) const override { return block.direct(is_sampled); }
  void start([[maybe_unused]] const BlockInput& in, [[maybe_unused]] double* x) const override {
    if constexpr (requires { block.start(in, x); }) block.start(in, x);
  }
  double output(const BlockInput& in, const double* x) const override { return block.output(in, x, here()); }
  void rates([[maybe_unused]] const BlockInput& in, [[maybe_unused]] const double* x,
             [[maybe_unused]] double* dx) const override {
    if constexpr (requires { block.rates(in, x, here(), dx); }) block.rates(in, x, here(), dx);
  }
  int corners() const override {
    if constexpr (requires { block.corners(); })
      return block.corners();
    else
      return 0;
  }
  double delay() const override {
    if constexpr (requires { block.delay(); })
      return block.delay();
    else
      return 0;
  }
  void prepare([[maybe_unused]] double between) override {
    if constexpr (requires { block.prepare(between); }) block.prepare(between);
  }
  int memory([[maybe_unused]] double between) const override {
    if constexpr (requires { block.memory(between); })
      return block.memory(between);
    else
      return states();
  }
  double sampled(const BlockInput& in, const double* m) const override {
    if constexpr (requires { block.sampled(in, m); })
      return block.sampled(in, m);
    else
      return block.output(in, m, Corners());
  }
  void update([[maybe_unused]] const BlockInput& in, [[maybe_unused]] double* m) const override {
    if constexpr (requires { block.update(in, m); }) block.update(in, m);
  }
  void start(const BlockInputOf<Recorded>& in, Recorded* x) const override {
    if constexpr (requires { block.start(in, x); })
      block.start(in, x);
    else if constexpr (requires { block.start(BlockInput(), static_cast<double*>(nullptr)); })
      throw refusal();
  }
  Recorded output(const BlockInputOf<Recorded>& in, const Recorded* x) const override {
    if constexpr (requires { block.output(in, x, FreeCorners()); })
      return block.output(in, x, FreeCorners());
    else
      throw refusal();
  }
  void rates(const BlockInputOf<Recorded>& in, const Recorded* x, Recorded* dx) const override {
    if constexpr (requires { block.rates(in, x, FreeCorners(), dx); })
      block.rates(in, x, FreeCorners(), dx);
    else if (states() > 0)
      throw refusal();
  }
  Recorded sampled(const BlockInputOf<Recorded>& in, const Recorded* m) const override {
    if constexpr (requires { block.sampled(in, m); })
      return block.sampled(in, m);
    else if constexpr (requires { block.sampled(BlockInput(), static_cast<const double*>(nullptr)); })
      throw refusal();
    else
      return output(in, m);
  }
  void update(const BlockInputOf<Recorded>& in, Recorded* m) const override {
    if constexpr (requires { block.update(in, m); })
      block.update(in, m);
    else if constexpr (requires { block.update(BlockInput(), static_cast<double*>(nullptr)); })
      throw refusal();
  }
  std::unique_ptr<AnyBlock> clone() const override { return std::make_unique<BlockOf>(*this); }

 private:
  static ModelError refusal() {
    if constexpr (requires { T::unrecorded; })
      return not_recorded("block", T::info, T::unrecorded);
    else
      return not_recorded("block", T::info);
  }
};
}  // namespace mubody

#include "mubody/compiled/compiled_batch.h"

#include "mubody/compiled/shared_code.h"

namespace mubody::io {
namespace {
class CompiledBatch final : public BatchDevice {
 public:
  CompiledBatch(const BatchCode& code, int count)
      : code_(code.for_processors), go_(code_.function<Go>("mb_batch_through")),
        reset_(code_.function<Reset>("mb_reset_through")), count_(count),
        x_(sized(*code_.function<int>("mb_batch_numbers"))), outputs_(sized(int(code.outputs.size()))),
        instants_(sized(*code_.function<int>("mb_batch_samples"))), codes_(std::size_t(count), 0) {
    reset(nullptr);
  }

  int count() const override { return count_; }
  void advance(const BatchInputs& in, double h, int steps) override {
    go_(0, count_, count_, h, steps, in.at, in.single ? 1 : 0, x_.data(), instants_.data(), codes_.data(),
        outputs_.data());
  }
  void reset(const unsigned char* which) override {
    reset_(0, count_, count_, which, x_.data(), instants_.data(), codes_.data(), outputs_.data());
  }
  void reset_marked(const std::vector<unsigned char>& which) override { reset(which.data()); }
  double* outputs() override { return outputs_.data(); }
  const void* here(const double* numbers, std::size_t) override { return numbers; }
  std::vector<double> times() override { return {x_.begin(), x_.begin() + count_}; }
  std::vector<int> codes() override { return codes_; }
  void wait() override {}
  int processor() const override { return -1; }
  std::string name() const override { return "compiled code"; }

 private:
  using Go = void(int first, int last, int count, double h, int steps, const void* inputs, int single,
                  double* x, int* instants, int* codes, double* outputs);
  using Reset = void(int first, int last, int count, const unsigned char* which, double* x, int* instants,
                     int* codes, double* outputs);
  std::size_t sized(int each) const { return std::size_t(each) * std::size_t(count_); }

  SharedCode code_;
  Go* go_;
  Reset* reset_;
  int count_;
  std::vector<double> x_, outputs_;
  std::vector<int> instants_, codes_;
};
}  // namespace

std::unique_ptr<BatchDevice> compiled_batch(const BatchCode& code, int count) {
  try {
    return std::make_unique<CompiledBatch>(code, count);
  } catch (const NotCompiled& e) {
    throw NoDevice(e.what());
  }
}
}  // namespace mubody::io

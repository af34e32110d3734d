#include "mubody/cuda/batch.h"

#include "mubody/cuda/compiler.h"
#include "mubody/cuda/processor.h"

namespace mubody::io {
namespace {
// Arrays of programs live in the usual stream, so that work with them is in order without waiting.
class CudaBatch final : public BatchDevice {
 public:
  CudaBatch(const BatchCode& code, int count, int which)
      : driver_(CudaDriver::loaded()), which_(which), processor_(which), count_(count) {
    processor_.load(cuda_code(code.for_cuda, processor_.architecture()));
    go_ = processor_.function("mb_batch_go"), reset_ = processor_.function("mb_batch_reset");
    const auto room = [&](std::size_t each, std::size_t size) {
      return std::make_unique<CudaMemory>(each * std::size_t(count) * size);
    };
    x_ = room(std::size_t(processor_.number("mb_batch_numbers")), sizeof(double));
    instants_ = room(std::size_t(processor_.number("mb_batch_samples")), sizeof(int));
    codes_ = room(1, sizeof(int)), marks_ = room(1, 1);
    outputs_ = room(code.outputs.size(), sizeof(double));
    reset(nullptr);
  }
  ~CudaBatch() override {
    driver_.stream_wait(nullptr);
    processor_.use();
  }

  int count() const override { return count_; }
  void advance(const BatchInputs& in, double h, int steps) override {
    processor_.use();
    if (in.stream) driver_.check(driver_.stream_wait(static_cast<CudaTypes::Stream>(in.stream)), "inputs");
    int single = in.single ? 1 : 0;
    const void* inputs = in.at;
    CudaTypes::Memory x = x_->at(), instants = instants_->at(), codes = codes_->at(), outputs = outputs_->at();
    void* arguments[] = {&count_, &h, &steps, &inputs, &single, &x, &instants, &codes, &outputs};
    launch(go_, arguments);
  }
  void reset(const unsigned char* which) override {
    processor_.use();
    CudaTypes::Memory x = x_->at(), instants = instants_->at(), codes = codes_->at(), outputs = outputs_->at();
    void* arguments[] = {&count_, &which, &x, &instants, &codes, &outputs};
    launch(reset_, arguments);
  }
  void reset_marked(const std::vector<unsigned char>& which) override {
    processor_.use();
    driver_.check(driver_.to_device(marks_->at(), which.data(), which.size(), nullptr), "marks");
    reset(reinterpret_cast<const unsigned char*>(marks_->at()));
    wait();  // the marks are the caller's
  }
  double* outputs() override { return reinterpret_cast<double*>(outputs_->at()); }
  const void* here(const double* numbers, std::size_t count) override {
    processor_.use();
    if (!given_ || given_->bytes() < count * sizeof(double)) {
      wait();
      given_ = std::make_unique<CudaMemory>(count * sizeof(double));
    }
    driver_.check(driver_.to_device(given_->at(), numbers, count * sizeof(double), nullptr), "inputs");
    wait();  // the numbers are the caller's
    return reinterpret_cast<const void*>(given_->at());
  }
  std::vector<double> times() override { return numbers<double>(x_->at()); }
  std::vector<int> codes() override { return numbers<int>(codes_->at()); }
  void wait() override {
    processor_.use();
    driver_.check(driver_.stream_wait(nullptr), "computing on the graphics processor");
  }
  int processor() const override { return which_; }
  std::string name() const override { return processor_.name(); }

 private:
  template <class T> std::vector<T> numbers(CudaTypes::Memory at) {
    std::vector<T> all(std::size_t(count_), T(0));
    processor_.use();
    driver_.check(driver_.from_device(all.data(), at, all.size() * sizeof(T), nullptr), "numbers of a batch");
    wait();
    return all;
  }
  void launch(CudaTypes::Function f, void** arguments) const {
    constexpr int block = 32;  // a batch is small, and all multiprocessors are to have some of it
    const unsigned blocks = unsigned((count_ + block - 1) / block);
    driver_.check(driver_.launch(f, blocks, 1, 1, block, 1, 1, 0, nullptr, arguments, nullptr),
                  "the graphics processor cannot run compiled code");
  }

  const CudaDriver& driver_;
  int which_;
  CudaProcessor processor_;
  int count_;
  CudaTypes::Function go_ = nullptr, reset_ = nullptr;
  std::unique_ptr<CudaMemory> x_, instants_, codes_, marks_, outputs_, given_;
};
}  // namespace

std::unique_ptr<BatchDevice> cuda_batch(const BatchCode& code, int count, int which) {
  return std::make_unique<CudaBatch>(code, count, which);
}
}  // namespace mubody::io

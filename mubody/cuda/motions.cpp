#include "mubody/cuda/motions.h"

#include <algorithm>
#include <chrono>
#include <mutex>

#include <fmt/format.h>

#include "mubody/cuda/compiler.h"
#include "mubody/cuda/processor.h"

namespace mubody::io {
namespace {
// Between two launches the program hears whether it is to stop; launches that last so long cost nothing beside their work.
constexpr double launch_at_least = 0.05;  // [s]
constexpr int first_steps = 32, most_steps = 1 << 20;
// Motions of threads that need many registers take long, and are best handed over so that the processor is just full: what is
// left over waits for a whole motion.  Where more threads find a place motions are short, and others are got ready meanwhile.
constexpr int few_threads = 512;  // of a multiprocessor, at once
constexpr int times_full = 3;

/// A stream of a processor and memory for one call after the other: taking memory, and giving it back, waits for all streams.
struct Stand {
  std::size_t which = 0;  // processor
  CudaStream stream;
  std::unique_ptr<CudaMemory> numbers, times, states, running;

  static CudaTypes::Memory at_least(std::unique_ptr<CudaMemory>& memory, std::size_t bytes) {
    if (!memory || memory->bytes() < bytes) {
      memory.reset();
      memory = std::make_unique<CudaMemory>(bytes);
    }
    return memory->at();
  }
};

class CudaMotions final : public MotionDevice {
 public:
  CudaMotions(const MotionCode& code, std::optional<int> which) : results_(std::size_t(code.results())) {
    const int count = CudaDriver::loaded().devices;
    for (int k = which.value_or(0); k < (which ? *which + 1 : count); ++k)
      processors_.push_back(std::make_unique<CudaProcessor>(k));
    const std::string source = code.for_cuda();
    for (const auto& p : processors_) {
      p->load(cuda_code(source, p->architecture()));
      functions_.push_back(p->function("mb_go"));
      if (!code.tables().empty()) p->put("mb_numbers", code.tables());
    }
    while_under_way_ = processors_.front()->number("mb_motion_numbers");
  }
  ~CudaMotions() override {
    for (auto& stand : free_) {
      processors_[stand->which]->use();
      stand.reset();
    }
  }

  std::vector<double> run(const MotionPoints& points, const std::function<bool()>& going) override {
    std::unique_ptr<Stand> stand = take_stand();
    const auto count = std::size_t(points.count);
    const CudaStream& stream = stand->stream;
    CudaTypes::Memory numbers = Stand::at_least(stand->numbers, points.numbers.size() * sizeof(double)),
                      times = Stand::at_least(stand->times, points.times.size() * sizeof(double)),
                      states = Stand::at_least(stand->states,
                                               std::size_t(while_under_way_) * count * sizeof(double)),
                      running = Stand::at_least(stand->running, sizeof(int));
    stream.put(numbers, points.numbers);
    stream.put(times, points.times);
    int of = points.count, rows = int(points.times.size()), begin = 1, steps = first_steps;
    void* arguments[] = {&of, &rows, &begin, &steps, &numbers, &times, &states, &running};
    std::vector<int> left(1, 0);
    double taken = 0;  // [s]
    for (;;) {
      const auto begun = std::chrono::steady_clock::now();
      stream.clear(running, 1);
      stream.launch(functions_[stand->which], of, arguments);
      stream.wait();  // a copy that has to wait may keep other callers from the driver
      stream.get(left, running);
      stream.wait();
      if (left[0] == 0) break;
      if (!going()) return {};
      begin = 0;
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
      taken += seconds;
      if (points.limit > 0 && taken > points.limit * points.count) break;
      if (seconds < launch_at_least) steps = std::min(2 * steps, most_steps);
    }
    std::vector<double> results(results_ * count);
    stream.get(results, states);
    stream.wait();
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(stand));
    return results;
  }

  int most(int numbers, int callers) const override {
    std::size_t free = processors_.front()->free_memory();
    for (const auto& p : processors_) free = std::min(free, p->free_memory());
    const std::size_t of_caller = free / 2 * processors_.size() / std::size_t(std::max(callers, 1));
    const std::size_t most = of_caller / (std::size_t(numbers + while_under_way_) * sizeof(double));
    if (most == 0) throw NoDevice("the graphics processor has too little free memory for a single mechanism");
    return int(std::min<std::size_t>(most, 1 << 22));
  }
  int suitable(int callers) const override {
    const int threads = processors_.front()->threads_at_once(functions_.front());
    const auto all = processors_.size() * std::size_t(processors_.front()->multiprocessors() * threads);
    const std::size_t share = all / std::size_t(std::max(callers, 1));
    return int(std::max<std::size_t>(1024, threads <= few_threads ? share : times_full * share));
  }
  std::string name() const override {
    const std::string& one = processors_.front()->name();
    return processors_.size() == 1 ? one : fmt::format("{} x {}", processors_.size(), one);
  }

 private:
  /// One that is free, else a new one on the next processor; the calling thread works with its processor.
  std::unique_ptr<Stand> take_stand() {
    std::unique_ptr<Stand> stand;
    std::size_t which = 0;
    {
      const std::scoped_lock lock(mutex_);
      if (free_.empty()) {
        which = next_++ % processors_.size();
      } else {
        stand = std::move(free_.back());
        free_.pop_back();
        which = stand->which;
      }
    }
    processors_[which]->use();
    if (!stand) stand = std::make_unique<Stand>();
    stand->which = which;
    return stand;
  }

  std::size_t results_;
  int while_under_way_ = 0;
  std::vector<std::unique_ptr<CudaProcessor>> processors_;
  std::vector<CudaTypes::Function> functions_;
  std::mutex mutex_;  // of what follows
  std::vector<std::unique_ptr<Stand>> free_;
  std::size_t next_ = 0;
};
}  // namespace

int cuda_processors() {
  try {
    return CudaDriver::loaded().devices;
  } catch (const NoDevice&) {
    return 0;
  }
}

std::unique_ptr<MotionDevice> cuda_motions(const MotionCode& code, std::optional<int> which) {
  return std::make_unique<CudaMotions>(code, which);
}
}  // namespace mubody::io

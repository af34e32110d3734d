#include "mubody/compiled/compiled_motions.h"

#include <algorithm>
#include <optional>

#include "mubody/compiled/shared_code.h"
#include "mubody/text/cpu_clock.h"

namespace mubody::io {
namespace {
constexpr int steps_at_once = 1000;  // between two of them the program hears whether it is to stop
constexpr int few = 64;  // mechanisms: numbers of so many are near while one after the other is computed

class CompiledMotions final : public MotionDevice {
 public:
  explicit CompiledMotions(const MotionCode& code)
      : code_(code.for_processors()), go_(code_.function<Go>("mb_go_through")),
        while_under_way_(*code_.function<int>("mb_motion_numbers")), results_(std::size_t(code.results())) {
    if (!code.tables().empty()) std::ranges::copy(code.tables(), code_.function<double>("mb_numbers"));
  }

  std::vector<double> run(const MotionPoints& p, const std::function<bool()>& going) override {
    std::vector<double> states(std::size_t(while_under_way_) * std::size_t(p.count));
    for (int k = 0; k < p.count; ++k) {
      const double begun = thread_cpu_seconds();
      int begin = 1, running = 1;
      while (running > 0) {
        running = 0;
        go_(k, k + 1, p.count, int(p.times.size()), begin, steps_at_once, p.numbers.data(), p.times.data(),
            states.data(), &running);
        if (!going()) return {};
        if (p.limit > 0 && thread_cpu_seconds() - begun > p.limit) break;
        begin = 0;
      }
    }
    states.resize(results_ * std::size_t(p.count));
    return states;
  }
  int most(int, int) const override { return few; }
  int suitable(int) const override { return few; }
  std::string name() const override { return "compiled code"; }

 private:
  using Go = void(int first, int last, int count, int rows, int begin, int steps, const double* points,
                  const double* times, double* states, int* running);
  SharedCode code_;
  Go* go_;
  int while_under_way_;
  std::size_t results_;
};
}  // namespace

std::unique_ptr<MotionDevice> compiled_motions(const MotionCode& code) {
  try {
    return std::make_unique<CompiledMotions>(code);
  } catch (const NotCompiled& e) {
    throw NoDevice(e.what());
  }
}
}  // namespace mubody::io

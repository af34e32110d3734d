#include "mubody/sweep/on_device.h"

#include <algorithm>
#include <new>

#include "mubody/sweep/neighbours.h"

namespace mubody {
namespace {
// One of 64 points is read and assembled besides, some thousands at most, to see whether it has the numbers that it was given; fewer where
// that takes long.  Whether its loops are closed is seen of each point, by the device.
std::size_t seldom(std::size_t points, bool quickly_read) {
  constexpr std::size_t least = 64, checks = 8192, few = 512;
  return std::max(least, points / (quickly_read ? checks : few));
}
// Points and rows go over in groups: whoever hands them out, and takes them, serves all workers.
constexpr std::size_t group = 512;

class Handing {
 public:
  Handing(const Sweep& sweep, const DevicePlan& plan, const Progress& going, const NextPoint& next,
          const TakeRow& take)
      : sweep_(sweep), plan_(plan), going_(going), next_(next), take_(take) {
    if (plan.quick) quick_.emplace(*plan.quick);
    kept_ = sweep.headers().size(), seldom_ = seldom(sweep.plan.size(), plan.motions.lanes != nullptr);
  }

  void work() {
    while (going_(0)) {
      if (!fill()) return;
      run();
    }
  }

 private:
  /// A point that is under way.
  struct Handed {
    std::size_t index;
    std::vector<double> point;
  };
  /// One that is ready, and what those have in common that go together.
  struct Ready {
    Handed handed;
    std::vector<double> numbers, times;
    AnalysisOptions options;
  };

  /// Gets points ready; none if there are no more, or all is to stop.
  bool fill() {
    handed_.clear(), numbers_.clear();
    // All callers get some of a small sweep.
    const std::size_t share = sweep_.plan.size() / (2 * std::size_t(plan_.callers)) + 1;
    auto most = std::min(share, std::size_t(plan_.device->suitable(plan_.callers)));
    if (waiting_) add(std::move(*waiting_)), waiting_.reset();
    while (handed_.size() < most && !waiting_ && going_(0)) {
      if (given_.empty()) {
        given_ = next_.some(std::min(group, most - handed_.size()));
        std::ranges::reverse(given_);
      }
      if (given_.empty()) break;
      const std::size_t index = given_.back();
      given_.pop_back();
      prepare(index);
      if (handed_.size() == 1)
        most = std::min(most, std::size_t(plan_.device->most(int(numbers_.size()), plan_.callers)));
    }
    return !handed_.empty();
  }

  void prepare(std::size_t index) {
    std::vector<double> point = sweep_.plan.point(index);
    try {
      if (quick_ && index % seldom_ != 0 &&
          goes_with(plan_.quick->times(), plan_.code->numbers(plan_.quick->breaks())))
        if (const std::vector<double>* const numbers = (*quick_)(point)) {
          if (handed_.empty()) times_ = plan_.quick->times(), options_ = plan_.quick->options();
          numbers_.insert(numbers_.end(), numbers->begin(), numbers->end());
          handed_.push_back({index, std::move(point)});
          return;
        }
      read(index, std::move(point));
    } catch (const ModelError& e) {
      take_(failed_row(index, std::move(point), e.what()));
    } catch (const std::bad_alloc&) {
      take_(too_large_row(index, std::move(point)));
    }
  }
  void read(std::size_t index, std::vector<double>&& point) {
    const Study study = with_time_begun(sweep_.study(point));
    auto task = plan_.motions.task(study);
    if (!task) return alone(index, std::move(point), "its equations are others than those of the device");
    doubt(point, *task);
    Ready ready{{index, std::move(point)}, plan_.code->numbers(*task), std::move(task->times), study.analysis};
    if (goes_with(ready.times, int(ready.numbers.size())))
      add(std::move(ready));
    else
      waiting_ = std::move(ready);
  }
  /// A point that has other numbers than it would have been given shows that none can be given.
  void doubt(const std::vector<double>& point, const LaneTask& task) {
    if (!quick_) return;
    const std::vector<double>* const given = (*quick_)(point);
    if (given && !plan_.quick->agrees(*given, task)) quick_.reset();
  }
  /// Mechanisms that go together have results at the same times, and as many breakpoints.
  bool goes_with(const std::vector<double>& times, int numbers) const {
    return handed_.empty() || (std::size_t(numbers) * handed_.size() == numbers_.size() && times == times_);
  }
  void add(Ready ready) {
    if (handed_.empty()) times_ = std::move(ready.times), options_ = std::move(ready.options);
    numbers_.insert(numbers_.end(), ready.numbers.begin(), ready.numbers.end());
    handed_.push_back(std::move(ready.handed));
  }
  void alone(std::size_t index, std::vector<double> point, const char* why) {
    if (!plan_.alone) return take_(failed_row(index, std::move(point), why));
    if (const auto row = run_point(sweep_, index, going_)) take_(*row);
  }

  void run() {
    const int count = int(handed_.size());
    std::vector<const std::vector<double>*> values;
    for (const Handed& h : handed_) values.push_back(&h.point);
    const std::vector<int> order = order_of_neighbours(values);
    MotionPoints points = side_by_side(numbers_, count, times_, order);
    points.limit = options_.patience.limit.value_or(0);
    const std::vector<double> results = plan_.device->run(points, [&] { return going_(0); });
    if (results.empty()) return;
    for (int k = 0; k < count; ++k) {
      if (rows_.size() >= group) deliver();
      Handed& h = handed_[std::size_t(order[std::size_t(k)])];
      if (const auto t = plan_.code->stopped_at(results, count, k)) {
        take_(failed_row(h.index, std::move(h.point), options_.patience.outcome(*t, at_time(*t)).why));
        continue;
      }
      LaneOutcome out = plan_.code->outcome(results, count, k);
      if (out.given_up)
        alone(h.index, std::move(h.point), "it comes near a singular position, or its steps fail");
      else
        rows_.push_back(row_of_lane(sweep_, h.index, std::move(h.point), options_, std::move(out)));
    }
    deliver();
  }
  void deliver() {
    for (SweepRow& row : rows_) row.line = line_of(row, kept_);
    take_.all(rows_);
    rows_.clear();
  }

  const Sweep& sweep_;
  const DevicePlan& plan_;
  const Progress& going_;
  const NextPoint& next_;
  const TakeRow& take_;
  std::optional<QuickPoints::Work> quick_;
  std::vector<std::size_t> given_;  // points that are next, the first one last
  std::vector<SweepRow> rows_;      // that are done
  std::size_t kept_ = 0;            // numbers of a row
  std::size_t seldom_ = 0;          // of so many points one is looked at
  std::vector<Handed> handed_;
  std::vector<double> numbers_, times_;  // of those that are handed over
  AnalysisOptions options_;              // by which all are judged
  std::optional<Ready> waiting_;
};
}  // namespace

void work_on_device(const Sweep& sweep, const DevicePlan& plan, const Progress& going, const NextPoint& next,
                    const TakeRow& take) {
  Handing(sweep, plan, going, next, take).work();
}
}  // namespace mubody

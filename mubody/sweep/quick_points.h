#pragma once
// The numbers of points of a sweep as a device takes them, without reading the model and assembling it for each.
//
//   docs/theory/gpu.md#starts
#include "mubody/device/motion_code.h"
#include "mubody/device/point_map.h"
#include "mubody/sweep/lane_plan.h"

namespace mubody {
class QuickPoints {
 public:
  /// None if numbers are no functions that can be found from some points; `why` then says it.
  static std::shared_ptr<const QuickPoints> find(const Sweep&, const MotionPlan&, const MotionCode&,
                                                 std::string& why);

  /// How many breakpoints each has, when results are due, and by what all are judged.
  int breaks() const { return breaks_; }
  const std::vector<double>& times() const { return times_; }
  const AnalysisOptions& options() const { return options_; }

  /// Works at one point after the other; one for each thread.
  class Work {
   public:
    explicit Work(const QuickPoints&);
    /// The numbers of a point; none if it has to be read and assembled.
    const std::vector<double>* operator()(const std::vector<double>& point);

   private:
    bool assemble();

    const QuickPoints& of_;
    std::optional<TapeWork> gaps_, slopes_;
    std::vector<double> numbers_, inputs_, phi_, trial_;
    MatX D_;
  };
  /// Whether the numbers of a point are those that reading and assembling gives.
  bool agrees(const std::vector<double>& numbers, const LaneTask&) const;

 private:
  QuickPoints(const MotionPlan&, const MotionCode&, const Study&);
  std::optional<std::vector<double>> read(const Sweep&, const std::vector<double>& point) const;

  const MotionPlan plan_;
  const MotionCode code_;
  int breaks_ = 0;
  std::vector<double> times_;
  AnalysisOptions options_;
  std::optional<PointMap> map_;
  bool assembles_ = false;  // positions follow from a rough start
  std::vector<bool> held_;  // positions that assembly leaves as they are
  std::optional<Tape> gaps_, slopes_;
};
}  // namespace mubody

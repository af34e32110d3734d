#pragma once
// The tables of a part with loops as functions that its bodies follow.          docs/theory/loops-as-joints.md
#include <optional>
#include <span>

#include "mubody/formulations/following.h"
#include "mubody/precompute/plan/loop_parts.h"
#include "mubody/precompute/plan/variable.h"
#include "mubody/precompute/tables/model.h"

namespace mubody {
class LoopMap final : public FollowingMap {
 public:
  /// `part` is that of the mechanism, and `loop` has the tables of it.
  LoopMap(std::shared_ptr<const LoopTable> loop, const Mechanism&, LoopPart part);

  std::size_t scratch() const override;
  void at(const double* s, const double* rate, double* out, double* scratch) const override;
  void read(const In& q, const In& u, double* s, double* rate) const override;
  std::string out_of_range(const double* s) const override;

  const LoopTable& loop() const { return loop_; }
  /// How far bodies are from where joints that give way that much have them, exactly; nothing if that cannot be found.
  struct LeftOut {
    double length = 0, angle = 0;  // the largest of any body [m, rad]
  };
  std::optional<LeftOut> left_out(const double* s) const;

 private:
  /// Why a table that covers the neighbourhood of a motion has nothing there.
  std::string away_from_motion(const LookupTable&, const double* s) const;
  /// A body in its table, and where its numbers go.
  struct Member {
    int body;          // of the part
    std::size_t from;  // its first quantity
    std::size_t to;
  };
  /// What a table says, with its series summed: the slope of quantity q by its a-th variable is slopes[a * quantities + q].
  struct Seen {
    const double *values, *slopes;
    std::size_t quantities;
    std::span<const int> variables;  // its arguments, and then the stiff ones
  };
  Seen look_up(std::size_t table, const double* s, double* scratch) const;
  /// Those of the tables, and then the directions in which joints give way.
  std::vector<Variable> all_variables() const;
  /// Adds whole turns, and the signs that they give Euler parameters.
  void count_laps(const LookupTable&, const double* s, int body, double* coordinates) const;
  void write_member(const Seen&, const Member&, const double* rate, double* out) const;

  std::shared_ptr<const LoopTable> held_;
  const LoopTable& loop_;
  LoopPart part_;
  BodyLayout layout_;
  Mechanism alone_;
  std::vector<std::vector<Member>> members_;  // by table
  std::vector<std::vector<int>> variables_;   // by table
  bool periodic_ = false;                     // a variable goes all the way round
  std::size_t values_ = 0, slopes_ = 0, sums_ = 0, sum_slopes_ = 0, work_ = 0;
};

/// All parts of a precomputed model as followers.  Throws ModelError if the tables are not those of the mechanism.
std::vector<FollowingPart> following_parts(const std::shared_ptr<const RealTimeModel>&, const Mechanism&);
}  // namespace mubody

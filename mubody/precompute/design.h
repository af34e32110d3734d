#pragma once
// Design variables: parameters of the model that may change after the tables are made.
//
//   f(θ, p) ≈ f(θ, p₀) + Σ ∂f/∂p_k (p_k − p_k⁰)
//
// The mechanism is assembled with one parameter changed, and moved to the same θ; derivatives are differences
// between such exact mechanisms, correct up to fifth powers of the change.
//
// Precomputation (dissertation), sec. 6.2.                                    docs/theory/design-variables.md
#include <functional>
#include <map>
#include <memory>

#include "mubody/precompute/plan/closure.h"
#include "mubody/precompute/plan/plan.h"
#include "mubody/precompute/tables/make_table.h"
#include "mubody/study/options.h"

namespace mubody {
/// Throws ModelError if there is no such parameter.
void check_design(const Study&, const std::vector<std::string>& names);
/// The same study with rigid joints in place of those that give way.
Study with_rigid_joints(const Study&);
/// The corners of a small box around the nominal design, which is its middle; with more than three variables those where
/// all, or one of them, are changed.
std::vector<Study> corners_of_design(const Study&, const std::vector<std::string>& names);
/// Whole turns are added to the values of turning variables, until they are closest to those of the plan.
void count_as_planned(const RegionPlan&, VecX& theta);

/// The quantities of mechanisms that differ in their design variables.  The arguments are those that the table has, then
/// the changes of these.
class DesignFamily final : public Sampled {
 public:
  /// Makes the same quantities for a changed model, from its closure and its start.
  using Make = std::function<std::unique_ptr<Sampled>(const Study&, Closure&, const VecX& q)>;
  /// `nominal` are the quantities of the unchanged model, of so many `arguments`.
  DesignFamily(const Study&, const std::vector<std::string>& names, const RegionPlan&, int arguments,
               Sampled& nominal, Make);
  bool at(const VecX& x, Out values, MatX& slopes) override;
  /// The change of the k-th variable that difference quotients use.
  double step(std::size_t k) const;

 private:
  struct Member {
    Study study;
    std::unique_ptr<Closure> closure;
    std::unique_ptr<Sampled> quantities;
  };
  Member& member(std::size_t k, double change);

  const Study& study_;
  const std::vector<std::string>& names_;
  const RegionPlan& plan_;
  Sampled& nominal_;
  Make make_;
  int arguments_;
  std::map<std::pair<std::size_t, double>, Member> members_;
};
}  // namespace mubody

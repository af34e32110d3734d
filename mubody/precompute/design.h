#pragma once
// Design variables: parameters of the model in the place of stiff variables.
//
//   f(θ, p) ≈ f(θ, p₀) + Σ ∂f/∂p_k (p_k − p_k⁰)
//
// The mechanism with one parameter changed is assembled and moved to the same θ; derivatives are differences of such exact
// mechanisms, right up to fifth powers of the change.
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
/// Throws ModelError if there is no such parameter, or if there are stiff variables too.
void check_design(const Study&, const std::vector<std::string>& names, bool stiff);

/// A quantity of the mechanisms that differ in design variables; arguments are θ, then changes of the variables.
class DesignFamily final : public Sampled {
 public:
  /// The same quantities of a changed model, from its closure and its start.
  using Make = std::function<std::unique_ptr<Sampled>(const Study&, Closure&, const VecX& q)>;
  /// `nominal` are those of the model as it is.
  DesignFamily(const Study&, const std::vector<std::string>& names, const RegionPlan&, Sampled& nominal, Make);
  bool at(const VecX& x, Out values, MatX& slopes) override;
  /// A small change of the k-th variable.
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
  int free_;
  std::map<std::pair<std::size_t, double>, Member> members_;
};
}  // namespace mubody

#pragma once
// The tables of one region: what depends on which variables, and is sampled together.        docs/theory/precompute.md
#include "mubody/precompute/design.h"
#include "mubody/precompute/folding.h"
#include "mubody/precompute/plan/plan.h"
#include "mubody/precompute/precompute.h"

namespace mubody {
inline std::vector<Variable> both(std::vector<Variable> a, const std::vector<Variable>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Polynomials of this degree do not get below the bound, in the memory there is or in double precision.
struct TooTight : ModelError {
  bool memory;  // is what it lacks
  TooTight(const std::string& message, bool lacks_memory) : ModelError(message), memory(lacks_memory) {}
};

/// Makes the tables of one region.
class RegionMaker {
 public:
  static constexpr int most_arguments = 3;  // of a table

  /// `q` is the start of the analysis, where potential energy is counted from.
  RegionMaker(const Study& study, const PrecomputeOptions& o, const RegionPlan& plan,
              const std::vector<Variable>& stiff, const VecX& q, Precomputed& made, const Progress& progress,
              const MemoryTold& told)
      : study_(study), m_(study.mechanism), o_(o), plan_(plan), stiff_(stiff), start_(q), made_(made),
        progress_(progress), told_(told), free_(int(plan.variables.size())),
        theta_(VecX::Zero(free_ + int(stiff.size()))),
        closure_(m_, both(plan.variables, stiff), study.analysis.start, plan.q) {
    theta_.head(free_) = plan.theta;
    home();
  }

  /// Lines through the region along which forces are looked at.
  std::vector<std::vector<Station>> lines();

  Region make(const Folding& folding, const std::vector<Measure>& scalars);
  void home() { closure_.put(plan_.q, theta_); }

 private:
  static constexpr int stations = 400;       // along each variable, to sort forces by
  static constexpr double no_motion = 1e-9;  // of a velocity coefficient
  // [rad], or slide in lengths: for derivatives by stiff variables, and as far as tables hold their bound
  static constexpr double difference = 3e-4, expected_deflection = 0.02;
  static int intervals_for(std::size_t arguments) { return arguments == 1 ? 16 : arguments == 2 ? 4 : 2; }

  [[noreturn]] void unreachable(const VecX& at) const;

  std::vector<std::string> small_names() const;
  bool series() const { return !stiff_.empty() || !o_.design.empty(); }
  // Stiff variables come behind the arguments.
  std::vector<int> with_stiff(std::vector<int> arguments) const;

  // Which variables each body depends on: where B is not zero, also where joints have given way.  With design variables,
  // which change the mechanism, on all.
  void find_arguments();
  std::vector<int> arguments_of(const std::vector<int>& bodies) const;

  struct Group {
    std::vector<int> arguments, bodies;
  };
  // Bodies with the same arguments; `merged`: with those that have some of these.
  std::vector<Group> groups(bool merged) const;
  // The forces that belong to the first table that has their arguments.
  Folding folding_of(const Folding& all, const std::vector<int>& arguments) const;

  // Of all tables: those of this region are as many as of any other.
  double share_done() const;
  // Of the memory [bytes].
  double left() const;

  LookupTable table(Sampled& f, const std::vector<int>& arguments, const std::string& what,
                    std::vector<int>& order, const DesignFamily::Make& make);

  LookupTable table(Sampled& f, const std::vector<int>& arguments, const std::string& what);

  [[noreturn]] void fail(const MadeTable& t, const std::string& what, const std::vector<int>& arguments) const;

  const Study& study_;
  const Mechanism& m_;
  const PrecomputeOptions& o_;
  const RegionPlan& plan_;
  const std::vector<Variable>& stiff_;
  const VecX& start_;
  Precomputed& made_;
  const Progress& progress_;
  const MemoryTold& told_;
  int free_;
  VecX theta_;
  Closure closure_;
  Folding folding_;
  std::vector<std::vector<bool>> moves_;
};
}  // namespace mubody

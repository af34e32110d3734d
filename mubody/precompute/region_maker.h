#pragma once
// The tables of one region: quantities that depend on the same variables share a table.
//                                                                              docs/theory/precompute.md
#include <limits>

#include "mubody/precompute/design.h"
#include "mubody/precompute/folding.h"
#include "mubody/precompute/plan/plan.h"
#include "mubody/precompute/precompute.h"
#include "mubody/precompute/samples.h"
#include "mubody/precompute/tables/taylor.h"
#include "mubody/precompute/twins.h"

namespace mubody {
inline std::vector<Variable> both(std::vector<Variable> a, const std::vector<Variable>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Thrown if polynomials of this degree do not reach the bound, within the memory that is allowed, with the work that may be
/// done, or in double precision.
struct TooTight : ModelError {
  double excess;  // how many times more memory or work would do, at least; 1 if double precision is what lacks
  TooTight(const std::string& message, double times) : ModelError(message), excess(times) {}
  bool size() const { return excess > 1; }
  // What was tried, and where it starts.
  std::vector<VariableRange> ranges{};
  VecX start{};
};

/// What all tables together may cost.  Work is counted in evaluations of a mechanism with a few bodies, some ten
/// microseconds each.
struct Effort {
  explicit Effort(CellPolynomials& all) : cells(all) {}
  CellPolynomials& cells;
  static constexpr double some_seconds = 1e6, a_look = 6e4;
  double most = std::numeric_limits<double>::infinity();
  KnownTables* known = nullptr;         // tables of other loops, which may serve again
  const Neighbourhood* near = nullptr;  // of a motion, if tables are to cover nothing else
  bool only_look = false;               // tables are not made; what they would need is foreseen
  double bytes = 0, work = 0;           // as foreseen
};

/// Makes the tables of one region.
class RegionMaker {
 public:
  static constexpr int most_arguments = 3;  // of a table

  /// `q` is the start of the analysis, where potential energy is zero; `sizes` is what errors are measured in.
  RegionMaker(const Study& study, const PrecomputeOptions& o, const RegionPlan& plan,
              const std::vector<Variable>& stiff, const VecX& q, const Scales& sizes, Precomputed& made,
              const Progress& progress, const MemoryNotice& notice, Effort& effort, bool geometry_alone)
      : study_(study), m_(study.mechanism), o_(o), plan_(plan), stiff_(stiff), start_(q), sizes_(sizes),
        made_(made), progress_(progress), patience_(study.analysis.patience), notice_(notice), effort_(effort),
        geometry_alone_(geometry_alone), free_(int(plan.variables.size())),
        theta_(VecX::Zero(free_ + int(stiff.size()))),
        closure_(m_, both(plan.variables, stiff), study.analysis.start, plan.q) {
    theta_.head(free_) = plan.theta;
    home();
  }

  /// Lines through the region, along which forces are sorted.
  std::vector<std::vector<Station>> lines();

  /// The cyclic variables on which inertia or forces depend after all, which then need an axis.  `rates` are those of the
  /// scalars by each variable: empty for the first design, and the same for all.
  std::vector<std::string> not_cyclic(const Folding&, const std::vector<Measure>& scalars,
                                      std::vector<VecX>& rates);
  /// Finds what depends on which variables.  Throws ModelError if a table would have more arguments than there can be.
  void prepare(const Folding& folding, const std::vector<Measure>& scalars);
  Region make(const std::vector<Measure>& scalars);
  /// Puts the mechanism back where the region was planned from.
  void home() { closure_.put(plan_.q, theta_); }

 private:
  static constexpr int stations = 400;       // along each line
  static constexpr double no_motion = 1e-9;  // a velocity coefficient below this counts as zero
  // Steps of derivatives by stiff variables, and deflections up to which tables hold their bound [rad, or
  // lengths].
  static constexpr double difference = 3e-4, expected_deflection = 0.02;
  static int intervals_for(std::size_t arguments) { return arguments == 1 ? 16 : arguments == 2 ? 4 : 2; }

  [[noreturn]] void unreachable(const VecX& at) const;

  bool series() const { return !stiff_.empty() || !o_.design.empty(); }
  // Stiff variables, as series take them.
  std::vector<TaylorSamples::Small> small(const std::vector<int>& which) const;
  std::vector<int> all_stiff() const;
  // Those that move bodies.
  std::vector<int> stiff_of(int body) const;
  // The arguments, followed by the stiff variables of the table.
  std::vector<int> with_stiff(std::vector<int> arguments) const;
  // Those of the arguments that have axes: the first ones, since cyclic variables come last.
  std::vector<int> axes_of(std::vector<int> arguments) const;
  // Where quantities with these arguments are sampled.
  SamplePlace place(Closure& c, const std::vector<int>& arguments) const {
    return {c, with_stiff(arguments), with_stiff(axes_of(arguments)), sizes_, own_units(), effort_.near};
  }
  // What a variable is measured in.  Of geometry alone that is half its range: an error of B, or of its slopes, then counts
  // by what it does to a place on the way through the range, which is a length or an angle.  A stiff variable goes as far as
  // it is expected to.
  double unit_of(int k) const {
    const VariableRange& v = plan_.ranges[std::size_t(k)];
    return geometry_alone_ ? 0.5 * (v.high - v.low) : v.turn ? 1 : sizes_.length;
  }
  std::vector<double> own_units() const {
    std::vector<double> all;
    for (int k = 0; geometry_alone_ && k < free_; ++k) all.push_back(unit_of(k));
    if (geometry_alone_)
      for (const TaylorSamples::Small& s : small(all_stiff())) all.push_back(s.most);
    return all;
  }
  bool depends_on(int k, const Folding&, const std::vector<Measure>& scalars, VecX& rate);
  // A place in the ranges that has nothing to do with the others; joints give way a little.
  VecX somewhere(int sample) const;

  // Finds which variables each body depends on: those for which B is not zero, also after joints have given
  // way.  With design variables, which change the mechanism, each body depends on all.
  void find_arguments();
  std::vector<int> arguments_of(const std::vector<int>& bodies) const;
  std::vector<int> all_arguments() const;
  std::string names_of(const std::vector<int>& bodies) const;

  struct Group {
    std::vector<int> arguments, bodies;
    std::vector<int> stiff{};  // where bodies are all that is tabulated: those variables that move them
  };
  // Bodies with the same arguments; if `merged`, together with bodies that have only some of these arguments.
  std::vector<Group> groups(bool merged) const;
  // The forces that go into the table with these arguments: each goes into the first table that has all of its
  // own.
  Folding folding_of(const Folding& all, const std::vector<int>& arguments) const;

  // The share of all tables that is done, if all regions have as many as this one.
  double share_done() const;
  // The memory that is left [bytes].
  double left() const;
  // The work that a sample is, and what is left of all.
  double work_of_sample() const;
  double work_left() const;

  LookupTable table(Sampled& f, const std::vector<int>& arguments, const std::string& what,
                    std::vector<int>& order, const DesignFamily::Make& make);

  LookupTable table(Sampled& f, const std::vector<int>& arguments, const std::string& what,
                    const KnownSeries& = {});

  [[noreturn]] void fail(const MadeTable& t, const std::string& what, const std::vector<int>& arguments) const;

  const Study& study_;
  const Mechanism& m_;
  const PrecomputeOptions& o_;
  const RegionPlan& plan_;
  const std::vector<Variable>& stiff_;
  const VecX& start_;
  const Scales sizes_;
  Precomputed& made_;
  const Progress& progress_;
  Patience patience_;
  const MemoryNotice& notice_;
  Effort& effort_;
  const bool geometry_alone_;  // there are tables of bodies, and of nothing else
  int free_;
  VecX theta_;
  Closure closure_;
  Folding folding_;
  std::vector<std::vector<bool>> moves_;
  std::vector<int> giving_ = all_stiff();  // the stiff variables of the table that is being made
};
}  // namespace mubody

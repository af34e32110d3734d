#include "mubody/analyses/sensitivity.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "mubody/analyses/equilibrium.h"
#include "mubody/analyses/follow_drivers.h"
#include "mubody/math/dense.h"
#include "mubody/math/suggest.h"
#include "mubody/simulation/begin.h"
#include "mubody/solvers/statics.h"

namespace mubody {
namespace {
constexpr double first_share = 0.02;  // first difference, as a share of a parameter
constexpr double check_share = 1e-3;  // the same for the check
constexpr double agreed = 1e-4;       // relative difference to the check that is accepted

// The model with other values of one parameter.
class Varied {
 public:
  Varied(const Study& study, std::string name) : name(std::move(name)), study_(study) {
    value_ = study.parameters.at(this->name);
  }
  double share(double of) const { return of * (value_ != 0 ? std::abs(value_) : 1); }
  /// It shares the time that the whole analysis may take.
  Study study(double change) const {
    Study changed = study_.with(name, value_ + change);
    changed.analysis.patience = study_.analysis.patience;
    return changed;
  }
  /// Systems are kept, because a motion needs the same ones at every instant.
  System& system(double change) {
    auto& kept = systems_[change];
    if (!kept) kept = begin(study(change), Sensitivity::info.name, Gaps::closed).system;
    return *kept;
  }

  std::string name;

 private:
  const Study& study_;
  double value_ = 0;
  std::map<double, std::unique_ptr<System>> systems_;
};

/// Indices of the channels whose derivatives are wanted: those of [output], or all.
std::vector<int> wanted_channels(const System& s, const OutputOptions& output) {
  std::vector<int> found;
  for (std::size_t k = 0; k < s.channels.size(); ++k)
    if (output.channels.empty() ||
        std::ranges::find(output.channels, s.channels[k].name) != output.channels.end())
      found.push_back(int(k));
  return found;
}

VecX observed(System& s, double t, const VecX& q, const VecX& u, const VecX& a, const VecX& lambda,
              const std::vector<int>& wanted) {
  VecX all(Eigen::Index(s.channels.size())), y(Eigen::Index(wanted.size()));
  s.observe(t, q, u, a, lambda, all);
  for (std::size_t k = 0; k < wanted.size(); ++k) y[Eigen::Index(k)] = all[wanted[k]];
  return y;
}

/// dy/dp at one instant of a driven motion.
VecX motion_derivative(Varied& p, double t, const VecX& q, const VecX& u, const Dynamics& d,
                       const std::vector<int>& wanted) {
  const System& base = d.system;
  const LeastSquares D(base.structure.full(d.terms.D), 1e-9);
  VecX xi = VecX::Zero(base.nu), eta = xi, alpha = xi, mu = VecX::Zero(base.m);
  Terms terms = base.make_terms();
  const auto moved = [&](double h) {
    VecX to = q;
    base.move(to, h * xi);
    return to;
  };
  const auto slope = [&](const auto& f) { return derivative(f, p.share(first_share)); };
  xi = -D.solve(slope([&](double h) -> VecX {
    p.system(h).constraints(t, q, u, terms);
    return terms.phi;
  }));
  eta = -D.solve(slope([&](double h) -> VecX {
    p.system(h).constraints(t, moved(h), u, terms);
    return terms.rate;
  }));
  alpha = -D.solve(slope([&](double h) -> VecX {
    p.system(h).constraints(t, moved(h), u + h * eta, terms);
    VecX rest = -terms.gamma;
    base.structure.multiply(terms.D.data(), d.a.data(), rest.data());
    return rest;
  }));
  const VecX unbalanced = slope([&](double h) -> VecX {
    System& s = p.system(h);
    Terms own = s.make_terms();  // with the masses of that model
    s.evaluate(t, moved(h), u + h * eta, own);
    const VecX a = d.a + h * alpha;
    VecX rest = -own.Q;
    s.structure.multiply_mass(1, own.M.data(), a.data(), rest.data());
    s.structure.multiply_transposed(1, own.D.data(), d.lambda.data(), rest.data());
    return rest;
  });
  mu = D.solve_transposed(unbalanced);
  mu = -mu;
  return slope([&](double h) {
    p.system(h).remember(t, moved(h), u + h * eta);  // turns are counted along the motion
    return observed(p.system(h), t, moved(h), u + h * eta, d.a + h * alpha, d.lambda + h * mu, wanted);
  });
}

/// The check, from four values next to f(0).
template <class F> VecX by_differences(const F& f, double h) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

struct Answer {
  Results results;
  double length = 1;  // length of the mechanism [m]
  Table table{"sensitivity", {{"time", "s"}}, {}};
  double disagreement = 0;  // disagreement with differences, relative to the largest derivative of a channel
  std::string where;
};

std::vector<Column> names_of(const System& s, const std::vector<int>& wanted) {
  std::vector<Column> all;
  for (const int k : wanted) all.push_back({s.channels[std::size_t(k)].name, s.channels[std::size_t(k)].unit});
  return all;
}

void add_columns(const std::vector<Column>& channels, const std::vector<Varied>& all, Table& table) {
  for (const Varied& p : all)
    for (const Column& c : channels) table.columns.push_back({c.name + "/" + p.name, c.unit + "/SI"});
}

// Derivatives below the scale are judged beside it.  Reactions that are not unique cannot be compared.
void compare(const std::string& channel, const std::string& column, const std::vector<double>& direct,
             const std::vector<double>& differences, double scale, Answer& answer) {
  for (const Reaction& x : answer.results.reactions)
    if (x.channel == channel && x.unique != Reaction::yes) return;
  double largest = scale, apart = 0;
  for (std::size_t k = 0; k < direct.size(); ++k) {
    largest = std::max(largest, std::abs(direct[k]));
    apart = std::max(apart, std::abs(direct[k] - differences[k]));
  }
  if (largest > 0 && !(apart / largest <= answer.disagreement)) {
    answer.disagreement = apart / largest;
    answer.where = column;
  }
}

// A derivative by the relative change of a parameter counts above 1/1000 of the largest channel of its unit.
void note_size(const std::string& unit, double value, std::map<std::string, double>& sizes) {
  double& size = sizes[unit];
  size = std::max(size, 1e-3 * std::abs(value));
}

// Angles, places and moments may be small by chance, and their derivatives round-off.
void add_floors(double length, std::map<std::string, double>& sizes) {
  note_size("rad", 1, sizes);
  note_size("m", length, sizes);
  note_size("N m", 1e3 * sizes["N"] * length, sizes);
}

Answer of_motion(const Study& study, const Progress& progress, std::vector<Varied>& all) {
  Answer answer;
  std::vector<int> wanted;
  std::vector<Column> channels;  // the wanted channels
  answer.results =
      follow_drivers(study, progress, Sensitivity::info.name,
                     [&](double t, const VecX& q, const VecX& u, const Dynamics& d, System&) {
                       if (answer.table.values.empty()) {
                         answer.length = d.system.scales.length;
                         wanted = wanted_channels(d.system, study.output);
                         channels = names_of(d.system, wanted);
                         add_columns(channels, all, answer.table);
                       }
                       answer.table.values.push_back(t);
                       for (Varied& p : all) {
                         const VecX slopes = motion_derivative(p, t, q, u, d, wanted);
                         answer.table.values.insert(answer.table.values.end(), slopes.begin(), slopes.end());
                       }
                     });
  if (!answer.results.outcome) return answer;
  std::map<std::string, double> sizes;
  for (const Table& table : answer.results.tables)
    for (std::size_t k = 1; k < table.columns.size(); ++k)
      for (std::size_t row = 0; row < table.rows(); ++row)
        note_size(table.columns[k].unit, table.at(row, k), sizes);
  add_floors(answer.length, sizes);
  std::size_t column = 1;
  for (Varied& p : all) {
    const double h = p.share(check_share);
    std::map<double, Results> runs;
    for (const double change : {-2 * h, -h, h, 2 * h}) {
      Study changed = p.study(change);
      changed.analysis.extremes = changed.analysis.estimate = false;  // only rows are compared
      runs[change] = follow_drivers(changed, {}, Sensitivity::info.name);
      if (const Outcome& o = runs[change].outcome; !o) {
        answer.results.outcome = o;
        answer.results.verdict = "do not trust this: " + o.why;
        return answer;
      }
    }
    for (const Column& channel : channels) {
      const std::string& name = answer.table.columns[column++].name;
      const std::vector<double> direct = answer.table.column(name);
      std::map<double, std::vector<double>> at;
      for (const auto& [change, run] : runs) at[change] = run.column(channel.name);
      std::vector<double> differences;
      for (std::size_t row = 0; row < direct.size(); ++row)
        differences.push_back(by_differences(
            [&](double change) -> VecX { return VecX::Constant(1, at.at(change).at(row)); }, h)[0]);
      compare(channel.name, name, direct, differences, sizes[channel.unit] / p.share(1), answer);
    }
  }
  return answer;
}

Answer of_equilibrium(const Study& study, std::vector<Varied>& all) {
  Answer answer;
  answer.results = Equilibrium{}.run(study);
  answer.results.analysis = Sensitivity::info.name;
  if (!answer.results.outcome) return answer;
  const double t = study.analysis.start;
  Begun b = begin(study, Sensitivity::info.name, Gaps::closed);
  System& s = *b.system;
  const bool redundant = b.results.freedom.always_redundant();
  const VecX still = VecX::Zero(s.nu);
  Statics statics(s, redundant, t);
  statics.solve(b.q);
  const MatX R = statics.directions(), K = statics.stiffness(b.q, R);
  const FullLu lu(K, 1e-9);
  if (R.cols() > 0 && !lu.invertible()) {
    Eigen::Index most = 0;
    (R * lu.kernel().col(0)).cwiseAbs().maxCoeff(&most);
    throw ModelError(fmt::format(
        "the equilibrium is neutral: {} is free to move, so that the position is not determined, nor how it "
        "changes with parameters; hold it with a joint or a spring",
        displacement_labels(s)[std::size_t(most)]));
  }
  const std::vector<int> wanted = wanted_channels(s, study.output);
  const std::vector<Column> channels = names_of(s, wanted);
  add_columns(channels, all, answer.table);
  answer.table.values.push_back(t);
  const VecX values = observed(s, t, b.q, still, still, statics.dynamics.lambda, wanted);
  std::map<std::string, double> sizes;
  for (Eigen::Index k = 0; k < values.size(); ++k) note_size(channels[std::size_t(k)].unit, values[k], sizes);
  add_floors(s.scales.length, sizes);
  for (Varied& p : all) {
    const VecX forces = derivative(
        [&](double h) {
          Statics other(p.system(h), redundant, t);
          other.evaluate_at_rest(other.moved(b.q, still));
          return other.unbalanced(R);
        },
        p.share(first_share));
    const VecX along = R.cols() > 0 ? VecX(R * lu.solve(forces)) : still;
    const auto channels_at = [&](Statics& other, const VecX& q) {
      other.evaluate_at_rest(q);
      other.system.remember(t, q, still);
      return observed(other.system, t, q, still, still, other.dynamics.lambda, wanted);
    };
    const VecX direct = derivative(
        [&](double h) {
          Statics other(p.system(h), redundant, t);
          return channels_at(other, other.moved(b.q, h * along));
        },
        p.share(first_share));
    const VecX differences = by_differences(
        [&](double h) {
          Statics other(p.system(h), redundant, t);
          VecX q = b.q;
          other.follow(q);
          return channels_at(other, q);
        },
        p.share(check_share));
    answer.table.values.insert(answer.table.values.end(), direct.begin(), direct.end());
    for (Eigen::Index k = 0; k < direct.size(); ++k) {
      const Column& c = channels[std::size_t(k)];
      compare(c.name, c.name + "/" + p.name, {direct[k]}, {differences[k]}, sizes[c.unit] / p.share(1), answer);
    }
  }
  return answer;
}
}  // namespace

void Sensitivity::check(const Study& study) const {
  std::vector<std::string> known;
  for (const auto& [name, unused] : study.parameters) known.push_back(name);
  for (std::size_t k = 0; k < parameters.size(); ++k)
    if (!study.parameters.contains(parameters[k]))
      throw FieldError("parameters", k,
                       fmt::format("no parameter '{}'{}", parameters[k], suggestion(parameters[k], known)));
}

Results Sensitivity::run(const Study& asked, const Progress& progress) const {
  Study study = asked;
  study.analysis.formulation.index = 0;  // derivatives are those of equations in body coordinates
  if (!study.with || study.parameters.empty())
    throw ModelError("sensitivity needs [parameters] in the model file, numbers with names that formulas use");
  std::vector<Varied> all;
  for (const std::string& name : parameters) all.emplace_back(study, name);
  if (all.empty())
    for (const auto& [name, unused] : study.parameters) all.emplace_back(study, name);

  const Begun b = begin(study, info.name, Gaps::closed);
  const bool driven = std::ranges::any_of(b.system->joints, [](const JointRows& j) { return j.driver; });
  Answer answer =
      driven && b.results.freedom.usual == 0 ? of_motion(study, progress, all) : of_equilibrium(study, all);
  Results& r = answer.results;
  if (!r.outcome) return std::move(r);
  r.tables.push_back(std::move(answer.table));
  const bool same = answer.disagreement <= agreed;
  r.trusted = r.trusted && same;
  r.verdict =
      fmt::format("{}derivatives agree with differences of solutions to {:.1e}{}; {}",
                  same ? "" : "do not trust this: ", answer.disagreement,
                  answer.where.empty() || same ? "" : fmt::format(" only, in {}", answer.where), r.verdict);
  return std::move(r);
}
}  // namespace mubody

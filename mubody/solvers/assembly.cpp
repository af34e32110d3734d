#include "mubody/solvers/assembly.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "mubody/math/dense.h"
#include "mubody/system/dynamics.h"
#include "mubody/system/rows.h"

namespace mubody {
namespace {
constexpr int most_for_dense = 1200;  // velocities; larger mechanisms are corrected with the sparse solver
constexpr double at_rest = 1e-6;      // [1/s] lengths of the mechanism or rad per time: slower is round-off
constexpr double beyond = 0.1;        // share of the tolerance at which Newton stops, so that it is met clearly
constexpr double far = 0.1;  // lengths of the mechanism or rad: written values that move by more could stay
constexpr double half_turn = 3.141592653589793;  // [rad]
constexpr int most_tries = 24;                   // with values left out turned
constexpr double largest_turn = 0.5;  // [rad] per correction: beyond this the equations are too far from linear

// Metric of a correction: the mass, and for massless coordinates the mean of their kind.
VecX metric(const System& s, const Terms& terms) {
  VecX w = s.structure.mass_diagonal(terms.M);
  for (const bool turns : {false, true}) {
    double sum = 0;
    int count = 0;
    for (int k = 0; k < s.nu; ++k)
      if (s.turns[std::size_t(k)] == turns && w[k] > 0) sum += w[k], ++count;
    for (int k = 0; k < s.nu; ++k)
      if (s.turns[std::size_t(k)] == turns && w[k] <= 0) w[k] = count > 0 ? sum / count : 1;
  }
  return w;
}

// What a number of the start stands for, the first to give way first.
enum class Rank { left_out, written, held };

class Assembler {
 public:
  Assembler(System& s, const AssemblyOptions& o, const Patience& patience, double t)
      : s_(s), options_(o), patience_(patience), t_(t), terms_(s.make_terms()), weight_(metric(s, terms_)) {
    for (int k = 0; k < s.nu; ++k) {
      const auto at = std::size_t(k);
      const auto rank = [&](const std::string& name, const std::vector<bool>& open) {
        return is_held(name) ? Rank::held : !open.empty() && open[at] ? Rank::left_out : Rank::written;
      };
      of_position_.push_back(rank(s.displacement_names[at], s.open_positions));
      of_velocity_.push_back(rank(s.velocities[at].text, s.open_velocities));
    }
  }

  // As System::gap() measures it.
  double violation(const VecX& q, const VecX& u) {
    s_.constraints(t_, q, u, terms_);
    return largest_gap();
  }

  /// Where a start leads to.
  struct Attempt {
    VecX filled_in, q;  // after values left out have moved alone, and at the end
    double moved =
        0;  // the farthest of written values, in lengths of the mechanism or rad; infinite if a gap is left
    int rounds = 0;
  };

  // Values left out may have to turn however far.  A body that points the wrong way feels nothing that turns it: where
  // written values have to move far, orientations left out are tried turned round, one after the other.
  Attempt assembled(const VecX& start, const VecX& u) {
    Attempt best = attempt(start, start, u);
    VecX from = start;
    const BodyLayout& l = s_.layout;
    int tries = 0;
    for (int k = 0; k < s_.nu && best.moved > far && tries < most_tries && !patience_.lost(); ++k) {
      if (k % l.velocities < l.lengths || of_position_[std::size_t(k)] != Rank::left_out) continue;
      VecX turned = from;
      s_.move(turned, half_turn * VecX::Unit(s_.nu, k));
      Attempt other = attempt(turned, start, u);
      other.rounds += best.rounds;
      ++tries;
      if (other.moved < best.moved / 2)
        best = std::move(other), from = turned;
      else
        best.rounds = other.rounds;
    }
    violation(best.q, u);
    return best;
  }

  void velocities(const VecX& q, VecX& u) {
    s_.constraints(t_, q, u, terms_);
    constexpr double round_off = 8 * std::numeric_limits<double>::epsilon();
    if (s_.gap(terms_.rate) <= round_off * u.cwiseQuotient(s_.units).lpNorm<Eigen::Infinity>()) return;
    u += smallest(s_.structure.full(terms_.D), -terms_.rate, of_velocity_);
    s_.constraints(t_, q, u, terms_);
  }

  const Terms& terms() const { return terms_; }
  bool out_of_time() { return patience_.lost(); }

 private:
  Attempt attempt(const VecX& from, const VecX& start, const VecX& u) {
    Attempt a{from, from};
    a.rounds = fill_in(a.filled_in, u);
    a.q = a.filled_in;
    a.rounds += positions(a.q, u, from);
    const VecX way = s_.layout.apart(start, a.q).cwiseQuotient(s_.units);
    for (int k = 0; k < s_.nu; ++k)
      if (of_position_[std::size_t(k)] == Rank::written) a.moved = std::max(a.moved, std::abs(way[k]));
    if (!(largest_gap() <= options_.tolerance)) a.moved = std::numeric_limits<double>::infinity();
    return a;
  }

  // Moves values left out alone, as far as that helps; returns the number of corrections.
  int fill_in(VecX& q, const VecX& u) {
    std::vector<Rank> ranks = of_position_;
    if (std::find(ranks.begin(), ranks.end(), Rank::left_out) == ranks.end()) return 0;
    std::replace(ranks.begin(), ranks.end(), Rank::written, Rank::held);
    return correct(q, u, ranks);
  }
  // Moves written values as well, the least.  From a start in which values left out have gone astray, it tries
  // once more with all of them alike.
  int positions(VecX& q, const VecX& u, const VecX& start) {
    int rounds = correct(q, u, of_position_);
    if (largest_gap() <= options_.tolerance) return rounds;
    std::vector<Rank> alike = of_position_;
    std::replace(alike.begin(), alike.end(), Rank::left_out, Rank::written);
    if (alike == of_position_) return rounds;
    VecX again = start;
    const double before = largest_gap();
    rounds += correct(again, u, alike);
    if (largest_gap() < before) q = again;
    violation(q, u);
    return rounds;
  }

  bool is_held(const std::string& name) const {
    return std::find(options_.hold.begin(), options_.hold.end(), name) != options_.hold.end();
  }
  double largest_gap() const { return s_.gap(terms_.phi); }

  // The columns of D of one rank, scaled by the metric; zero elsewhere.  Rows are in their units, so that
  // decompositions see the same numbers whatever the size of the mechanism.
  MatX columns_of(Rank rank, const std::vector<Rank>& ranks, const MatX& D) const {
    MatX A = s_.row_units.cwiseInverse().asDiagonal() * D;
    for (int k = 0; k < s_.nu; ++k) A.col(k) *= ranks[std::size_t(k)] == rank ? 1 / std::sqrt(weight_[k]) : 0;
    return A;
  }
  // x with D x = gap, zero where held: first the smallest change of what is written, then of what was left out, in
  // the metric.
  VecX smallest(const MatX& D, const VecX& gap, const std::vector<Rank>& ranks) const {
    constexpr double nothing = 1e-10, consistent = 1e-12;  // shares of the size of what they are compared with
    const MatX written = columns_of(Rank::written, ranks, D), open = columns_of(Rank::left_out, ranks, D);
    const VecX c = gap.cwiseQuotient(s_.row_units);
    VecX x = VecX::Zero(s_.nu);
    if (open.isZero(0)) {
      x = LeastSquares(written, nothing).solve(c);
    } else {
      const LeastSquares alone(open, nothing);
      const auto without_open = [&](const MatX& B) { return MatX(B - product(open, alone.solve_columns(B))); };
      const VecX rest = without_open(c);
      const MatX only_written = without_open(written);  // what open values cannot do instead
      if (rest.norm() > consistent * c.norm() && only_written.norm() > nothing * written.norm())
        x = LeastSquares(only_written, nothing).solve(rest);
      x += alone.solve(c - written * x);
    }
    for (int k = 0; k < s_.nu; ++k)
      x[k] = ranks[std::size_t(k)] == Rank::held ? 0 : x[k] / std::sqrt(weight_[k]);
    return x;
  }

  // Newton with halving; leaves the best attempt in q.
  int correct(VecX& q, const VecX& u, const std::vector<Rank>& ranks) {
    int round = 0;
    double size = violation(q, u);
    for (; round < options_.iterations && size > beyond * options_.tolerance; ++round) {
      if (patience_.lost()) break;
      VecX step = smallest(position_rows(), -terms_.phi, ranks);
      double turn = 0;
      for (int k = 0; k < s_.nu; ++k)
        if (s_.turns[std::size_t(k)]) turn = std::max(turn, std::abs(step[k]));
      if (turn > largest_turn) step *= largest_turn / turn;
      const double before = all();
      double share = 1;
      VecX trial;
      for (; share > 1e-4; share /= 2) {
        trial = q;
        s_.move(trial, share * step);
        size = violation(trial, u);
        if (all() < (1 - 1e-4 * share) * before) break;
      }
      if (share <= 1e-4) break;  // nothing helps any more
      q = trial;
    }
    violation(q, u);
    return round;
  }

  // All of Φ, in its units.
  double all() const { return terms_.phi.cwiseQuotient(s_.row_units).norm(); }

  // A rolling body may be put anywhere: its conditions on velocities do not bind positions.
  MatX position_rows() const {
    MatX D = s_.structure.full(terms_.D);
    for (const JointRows& j : s_.joints) D.middleRows(j.first + j.count - j.rolls, j.rolls).setZero();
    return D;
  }

  System& s_;
  const AssemblyOptions& options_;
  Patience patience_;
  double t_;
  Terms terms_;
  VecX weight_;
  std::vector<Rank> of_position_, of_velocity_;
};

// Names the joint whose equations are not finite, if there is one.
Outcome all_finite(const System& s, double t, const Terms& terms) {
  for (int row = 0; row < s.m; ++row)
    if (!std::isfinite(terms.phi[row] + terms.rate[row] + terms.gamma[row]))
      return {Outcome::not_assembled, t,
              fmt::format("{}: its function, or a derivative of it, is not finite at t = {:.6g} s",
                          joint_at_row(s, row), t),
              owner_of_row(s, row)->place};
  return {};
}

double largest(const VecX& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0; }

// `open` says which of the values had been left out.
template <class Open>
void list_moved(const std::vector<System::Name>& names, double length, const VecX& from, const VecX& to,
                const Open& open, std::vector<Moved>& moved) {
  const auto unit = [&](Eigen::Index k) {
    return names[std::size_t(k)].measured == System::Measured::length ? length : 1;
  };
  for (Eigen::Index k = 0; k < from.size(); ++k)
    if (std::abs(to[k] - from[k]) > 1e-12 * std::max(unit(k), std::abs(from[k])))
      moved.push_back({names[std::size_t(k)].text, names[std::size_t(k)].unit, from[k], to[k], !open(int(k))});
}
void list_positions(const System& s, const VecX& from, const VecX& to, AssemblyRecord& a) {
  const BodyLayout& l = s.layout;
  const auto open = [&](int k) {  // the numbers of an orientation are open together
    const int number = std::min(k % l.coordinates, l.lengths);
    return s.open_positions[std::size_t(l.velocities * (k / l.coordinates) + number)];
  };
  list_moved(s.coordinates, s.scales.length, from, to, open, a.positions);
}
void list_velocities(const System& s, const VecX& from, const VecX& to, AssemblyRecord& a) {
  list_moved(
      s.velocities, s.scales.length, from, to, [&](int k) { return s.open_velocities[std::size_t(k)]; },
      a.velocities);
}

void list_gaps(const System& s, const Terms& terms, AssemblyRecord& a) {
  for (const JointRows& j : s.joints) a.gaps.push_back(largest(terms.phi.segment(j.first, j.count)));
}

// Corrects all values alike, with the sparse solver.
Outcome assemble_large(System& s, const AssemblyOptions& options, double t, VecX& q, VecX& u,
                       AssemblyRecord& a) {
  const VecX q0 = q, u0 = u;
  Dynamics d(s);
  d.constrain(t, q, u);
  list_gaps(s, d.terms, a);
  a.violation_before = largest(d.terms.phi);
  const double left = d.project_positions(t, q, u, options.tolerance, options.iterations);
  a.violation_after = largest(d.terms.phi);
  a.iterations = int(d.corrections);
  a.rate_before = largest(d.terms.rate);
  d.project_velocities(u);
  d.constrain(t, q, u);
  a.rate_after = largest(d.terms.rate);
  list_positions(s, q0, q, a);
  list_velocities(s, u0, u, a);
  if (left > 1e3 * options.tolerance)
    return {Outcome::not_assembled, t,
            fmt::format("the mechanism cannot be assembled: |Φ| = {:.3g} remains", a.violation_after)};
  return {};
}
}  // namespace

VecX assembly_metric(const System& s) { return metric(s, s.make_terms()); }

bool assembles_without_ranks(const System& s, const AssemblyOptions& options) {
  return s.nu > most_for_dense && options.hold.empty() && !options.as_given;
}

Outcome assemble(System& s, const AssemblyOptions& options, const Patience& patience, double t, VecX& q,
                 VecX& u, AssemblyRecord& a) {
  const VecX q0 = q, u0 = u;
  if (options.as_given) {
    Terms terms = s.make_terms();
    s.constraints(t, q, u, terms);
    a.violation_before = a.violation_after = largest(terms.phi);
    a.rate_before = a.rate_after = largest(terms.rate);
    return all_finite(s, t, terms);
  }
  if (assembles_without_ranks(s, options)) return assemble_large(s, options, t, q, u, a);

  Assembler work(s, options, patience, t);
  work.violation(q, u);
  a.violation_before = largest(work.terms().phi);
  const auto fail = [&](const VecX& residual, const std::string& why) {
    int row = 0;
    residual.cwiseAbs().maxCoeff(&row);
    const JointRows* owner = owner_of_row(s, row);
    return Outcome{Outcome::not_assembled, t, why, owner ? owner->place : Place{}};
  };
  if (Outcome finite = all_finite(s, t, work.terms()); !finite) return finite;
  const Assembler::Attempt found = work.assembled(q0, u);
  q = found.q;
  a.iterations = found.rounds;
  work.violation(found.filled_in, u);
  list_gaps(s, work.terms(), a);
  work.violation(q, u);
  a.violation_after = largest(work.terms().phi);
  list_positions(s, q0, q, a);
  // Round-off may be larger than the tolerance where the coordinates are large.
  if (!(s.gap(work.terms().phi) <= options.tolerance) && !(s.gap(work.terms().phi, s.room(q)) <= 1e-14)) {
    if (work.out_of_time()) return patience.outcome(t, "while the mechanism was assembled");
    std::string why = fmt::format("the mechanism cannot be assembled at t = {:.6g} s: at the best attempt {}",
                                  t, worst_of(s, work.terms().phi, "gapes", "[m or rad]"));
    if (s.m > s.nu) why += fmt::format("; there are more equations ({}) than coordinates ({})", s.m, s.nu);
    why += options.hold.empty() ? "; check its lengths and its start position"
                                : "; check its lengths, its start position, and what 'hold' keeps fixed";
    return fail(work.terms().phi, why);
  }
  for (std::size_t k = 0; k < s.joints.size(); ++k)
    if (s.facing(int(k), q) < 0)
      return {Outcome::not_assembled, t,
              fmt::format(
                  "{} is assembled the wrong way round: axes of its two markers that should point the same way "
                  "point against each other; turn one of them, or start closer to the assembled position",
                  joint_at_row(s, s.joints[k].first)),
              s.joints[k].place};
  a.rate_before = largest(work.terms().rate);
  const double rate_before = s.gap(work.terms().rate);
  work.velocities(q, u);
  a.rate_after = largest(work.terms().rate);
  list_velocities(s, u0, u, a);
  const double speed = std::max(largest(u.cwiseQuotient(s.units)), rate_before);
  if (!(s.gap(work.terms().rate) <= 1e3 * options.tolerance * std::max(speed, at_rest)))
    return fail(
        work.terms().rate,
        fmt::format("no velocities satisfy the constraints at t = {:.6g} s: {}; drivers or held velocities "
                    "contradict each other",
                    t, worst_of(s, work.terms().rate, "moves apart", "[m/s or rad/s]")));
  return {};
}
}  // namespace mubody

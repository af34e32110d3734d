#include "mubody/system/dynamics.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "mubody/math/finite.h"
#include "mubody/model/errors.h"

namespace mubody {
namespace {
// Near a singular position a small violation, divided by a nearly vanishing pivot, would become a visible kick of
// position, velocity or acceleration.  There solutions are damped; later corrections remove the rest.  Where stages are
// closed to round-off, and steps that fall too close to the position are rejected, there is less to damp, and damping
// itself is the larger error.  With these numbers the equal-rod slider-crank passes its singular positions at each of 600
// step sizes as accurately as if there were none, and parallelograms and kites their flat positions at any tolerance.
struct Damping {
  double below, by;  // independence; share of the diagonal
};
constexpr Damping usual{1e-6, 1e-8}, closed{1e-8, 1e-12};
constexpr double suspicious = 1e-2;  // in the metric of the mass; below this the geometry is checked
constexpr int damped_rounds = 3;
constexpr double negligible_mass = 1e-8;  // share of the heaviest; less is refined away, see SaddlePoint
constexpr double lost_mass = 1e-13;  // share of the heaviest; soon below, a negligible mass stands in there
const VecX no_force;                 // corrections come from gaps alone
constexpr double alone = 1e-3;       // share of the energy of a motion, above which a body moves by itself

// Fills in what stands in for masses that are lost beside the heaviest, or for their inertias.  Where others determine how such
// a body moves, refinement takes the effect away again.  A body that swings by itself moves by its own mass and inertia,
// however small; they are kept.  With all that stands in, the acceleration of a coordinate by a force of its own, times
// its mass, is the largest share that it has in the energy of any motion which the constraints allow.
void weigh_light(const System& s, const Terms& terms, const std::vector<double>& arms, double heaviest,
                 SaddlePoint& solver, std::vector<double>& least) {
  const double standing_in = negligible_mass * heaviest;
  const auto is_light = [&](const SaddleStructure::Mass& b) {
    return terms.M[std::size_t(b.offset)] > 0 && terms.M[std::size_t(b.offset)] < lost_mass * heaviest;
  };
  if (std::ranges::none_of(s.structure.M, is_light)) return;
  const auto diagonal = [](const SaddleStructure::Mass& b, int k) {
    return std::size_t(b.offset + k * (b.size + 1));
  };
  const auto way = [&](const SaddleStructure::Mass& b, int k) {
    return s.turns[std::size_t(b.column + k)] ? arms[std::size_t(b.column)] : 1;
  };
  std::vector<double> masses = terms.M;
  for (const auto& b : s.structure.M)
    for (int k = 0; k < b.size; ++k) {
      double& own = masses[diagonal(b, k)];
      if ((is_light(b) || !(own > 0)) && way(b, k) > 0) own = std::max(own, way(b, k) * standing_in);
    }
  solver.set_mass(masses);
  solver.factor(terms.D);
  VecX a(s.nu), lambda(s.m);
  for (const auto& b : s.structure.M) {
    if (!is_light(b)) continue;
    double most[2] = {0, 0};  // of displacements and of turns
    for (int k = 0; k < b.size; ++k) {
      solver.solve(VecX(VecX::Unit(s.nu, b.column + k)), VecX(VecX::Zero(s.m)), a, lambda);
      keep_largest(most[s.turns[std::size_t(b.column + k)]], a[b.column + k] * masses[diagonal(b, k)]);
    }
    for (int k = 0; k < b.size; ++k) {
      const double own = terms.M[diagonal(b, k)];
      const bool kept = own > 0 && most[s.turns[std::size_t(b.column + k)]] > alone;
      least[std::size_t(b.column + k)] = kept ? 2 * own : way(b, k) * standing_in;
    }
  }
}

/// What makes the solver's work too much: a body with many joints, which are all coupled to each other, or a net of bodies.
std::string crowd(const System& s) {
  std::vector<int> joints(s.body_names.size(), 0);
  for (const JointRows& j : s.joints)
    for (const int body : j.bodies)
      if (body > 0) ++joints[std::size_t(body)];
  const auto most = std::ranges::max_element(joints);
  constexpr int many = 200;  // fewer at one body are no trouble by themselves
  if (*most < many)
    return fmt::format(
        "{} joints form a net whose loops all act on each other. Every evaluation of the motion would take "
        "seconds: make the net coarser, or cut it into parts that are run by themselves",
        s.joints.size());
  return fmt::format(
      "too many joints act on each other; most do so at body '{}', which has {}. Every evaluation of the "
      "motion would take seconds: divide the body into several that are fixed to one another, with some "
      "hundred joints each",
      s.body_names[std::size_t(most - joints.begin())], *most);
}

SaddlePoint analysed(const System& s, bool redundant) {
  try {
    return SaddlePoint(s.solves_mass() ? SaddleStructure{} : s.structure, redundant);
  } catch (const TooDense&) {
    throw ModelError(crowd(s));
  }
}
}  // namespace

Dynamics::Dynamics(System& s, bool redundant)
    : system(s), terms(s.make_terms()), a(VecX::Zero(s.nu)), lambda(VecX::Zero(s.m)), grips(s),
      solver_(analysed(s, redundant)), geometry_(solver_, false), redundant_(redundant), tree_(s.solves_mass()),
      zero_(VecX::Zero(s.nu)), correction_(VecX::Zero(s.nu)), best_(VecX::Zero(s.nq)),
      multipliers_(VecX::Zero(s.m)), minus_(VecX::Zero(s.m)), closed_u_(zero_),
      factored_q_(VecX::Constant(s.nq, std::numeric_limits<double>::quiet_NaN())) {
  measure_arms();
}

void Dynamics::factor(double t, const In& q) {
  if (tree_) return;  // the system factors by itself
  // The factors depend on t and q only.
  if (t == factored_t_ && std::equal(q.data(), q.data() + q.size(), factored_q_.data())) return;
  if (!system.mass_is_constant && !weighed_) take_mass();
  factor_terms(0);
  factored_t_ = t;
  std::copy_n(q.data(), q.size(), factored_q_.data());
  independence_known_ = false;
  ++factorizations;
}

void Dynamics::factor_terms(double damping) {
  const System::Metric* const lengths = weighed_ ? system.lengths() : nullptr;
  solver_.factor(terms.D, damping, lengths ? lengths->row_sizes : terms.row_sizes);
}

// Takes a mass matrix that changes with the position.
void Dynamics::take_mass() {
  system.fill_mass(terms);
  solver_.set_mass(terms.M);
}

// The distance of each body's joints from its origin at the start.  It scales turns: in the metric of lengths a
// turn counts as the distance that the farthest joint moves, and an inertia is small against mass times arm².
void Dynamics::measure_arms() {
  if (tree_) return;
  VecX q = VecX::Zero(system.nq), u = VecX::Zero(system.nu);
  system.start(q, u);
  system.constraints(0, q, u, terms);
  if (!system.mass_is_constant) {
    take_mass();
    return solver_.choose_softness(terms.D, terms.row_sizes);
  }
  double heaviest = 0;
  for (const auto& mass : system.structure.M)
    for (int k = 0; k < mass.size; ++k)
      if (!turns(mass.column + k)) heaviest = std::max(heaviest, terms.M[mass.offset + k * (mass.size + 1)]);
  std::vector<double> lengths = terms.M, least(std::size_t(system.nu), 0.0);
  std::vector<double> arms(std::size_t(system.nu), 0.0);  // squared, by the first column of the body
  const double square = system.scales.length * system.scales.length;
  for (const auto& b : system.structure.D)
    for (int r = 0; r < b.rows; ++r) {
      double turn = 0, slide = 0;
      for (int k = 0; k < b.columns; ++k) {
        const double x = terms.D[b.offset + r * b.columns + k];
        (turns(b.column + k) ? turn : slide) += x * x;
      }
      double& arm = arms[std::size_t(b.column)];
      if (slide > 0 && std::isfinite(turn)) arm = std::max(arm, turn / slide);
    }
  for (const auto& mass : system.structure.M) {
    const double arm = arms[std::size_t(mass.column)], own = terms.M[mass.offset];
    for (int k = 0; k < mass.size; ++k) {
      const double way = turns(mass.column + k) ? arm : 1;
      // A body that turns carries its own mass along, so that nothing larger may stand in for its inertia.
      least[mass.column + k] = negligible_mass * way * (turns(mass.column + k) && own > 0 ? own : heaviest);
      for (int l = 0; l < mass.size; ++l)
        lengths[mass.offset + k * mass.size + l] = k != l ? 0 : way > 0 ? way : square;
    }
  }
  weigh_light(system, terms, arms, heaviest, geometry_, least);
  solver_.set_mass(terms.M, least);
  solver_.choose_softness(terms.D);
  geometry_.set_mass(lengths);
}

double Dynamics::independence() {
  if (independence_known_) return independence_;
  independence_known_ = true;
  independence_ = redundant_ ? 1 : solver_.independence();
  weakest_ = solver_.weakest_row();
  if (independence_ < suspicious || (!redundant_ && solver_.yield() > suspicious))
    independence_ = independence_in_lengths(independence_);
  return independence_;
}

// Factors in lengths cost as much as those of the motion.  Long chains look weak in either metric wherever they are: as long as
// the one has changed by little since the last look, so has the other.  Since a row that is always weak may hide another that
// becomes so, about every step looks again.
double Dynamics::independence_in_lengths(double by_mass) {
  constexpr double little = 0.05, clear = 2e-4;
  constexpr long often = 8;  // factorizations
  const double since = looked_ > 0 ? by_mass / looked_ : 0;
  if (std::abs(since - 1) < little && found_ * since > clear && factorizations % often != 0 &&
      compliance_.size() == 0) {
    weakest_ = geometry_.weakest_row();
    return found_ * since;
  }
  if (const System::Metric* lengths = system.lengths()) {
    geometry_.set_mass(lengths->M);
    geometry_.factor(terms.D, 0, lengths->row_sizes);
  } else {
    geometry_.factor(terms.D);
  }
  looked_ = by_mass;
  found_ = geometry_.independence();
  weakest_ = geometry_.weakest_row();
  return found_;
}

void Dynamics::evaluate(double t, const In& q, const In& u, const In& z) {
  closed_ = false;
  system.evaluate(t, q, u, z, terms);
  ++evaluations;
  arrive(t, q, u);
}
void Dynamics::evaluate(double t, const In& q, const In& u) {
  closed_ = false;
  system.evaluate(t, q, u, terms);
  ++evaluations;
  arrive(t, q, u);
}

void Dynamics::memory(Memory& m) {
  m(evaluations, factorizations, solves, corrections);
  forget();
}

void Dynamics::forget() {
  factored_t_ = std::numeric_limits<double>::quiet_NaN();
  closed_ = false;
  looked_ = 0;
}

void Dynamics::stiffen(bool on) {
  if (on == stiff_) return;
  stiff_ = on;
  solver_.stiffen(on);
  forget();
}

void Dynamics::look(double t, const In& q, const In& u) {
  closed_ = false;
  system.constraints(t, q, u, terms);
}

void Dynamics::constrain(double t, const In& q, const In& u) {
  look(t, q, u);
  factor(t, q);
}

double Dynamics::gap_at(double t, const In& q, const In& u, const System::Room& room) {
  if (!has_terms_of(t, q, u)) look(t, q, u);  // they are there after the last stage of a step
  closed_ = false;
  return system.gap(terms.phi, room);
}

// Where the mechanism is far from singular, a correction with the factors of a nearby position is as good: that of a
// step's last stage, or of the last correction.  It leaves about the product of gap and distance, so that the smaller the
// gap is, the farther off that position may be.
void Dynamics::factor_nearby(double t, const In& q, double gap, const System::Room& room) {
  constexpr double close_by = 1e-9, farthest = 1e-3;
  constexpr double left = 1e-18;  // of a gap, far below round-off even where equations are hardly independent
  const bool close = (system.mass_is_constant || weighed_) && t == factored_t_ &&
                     system.distance(q, factored_q_, room) <= std::clamp(left / gap, close_by, farthest) &&
                     independence() > suspicious;
  if (!close) factor(t, q);
}

bool Dynamics::has_terms_of(double t, const In& q, const In& u) const {
  const auto same = [](const In& x, const VecX& y) {
    return std::equal(y.data(), y.data() + y.size(), x.data());
  };
  return closed_ && t == factored_t_ && same(q, factored_q_) && same(u, closed_u_);
}

void Dynamics::arrive(double t, const In& q, const In& u) {
  factor(t, q);
  std::copy_n(u.data(), closed_u_.size(), closed_u_.data());
  closed_ = true;
}

void Dynamics::comply(const VecX& C) {
  if (compliance_.size() == C.size() && compliance_ == C) return;
  compliance_ = C;
  solver_.set_compliance(C);
  factor_terms(0);
  forget();
}

void Dynamics::weigh(const VecX& inverse_mass) {
  weighed_ = true;
  solver_.set_inverse_mass(inverse_mass);
  solver_.choose_softness(terms.D);
  factor_terms(0);
  forget();
}

// Rates depend on velocities as D u − ν.  What round-off leaves of a correction of u is in them.
void Dynamics::close(double t, const In& q, const In& u) {
  if (!closed_ || t != factored_t_ || q != factored_q_) {
    look(t, q, u);
    return;
  }
  if (std::equal(u.data(), u.data() + u.size(), closed_u_.data())) return;
  closed_u_ = u - closed_u_;  // exact, as u differs by little
  system.structure.multiply(terms.D.data(), closed_u_.data(), terms.rate.data());
  closed_u_ = u;
}

// Replaces the plain factors by damped ones next to a singular position; returns whether it did.
bool Dynamics::soften() {
  const Damping damping = stiff_ ? closed : usual;
  if (!(independence() < damping.below)) return false;
  factor_terms(damping.by);
  factored_t_ = std::numeric_limits<double>::quiet_NaN();
  return true;
}

// The stages of a step leave the constraints a little.  Next to a singular position that violation would be
// divided by a nearly vanishing pivot; damped, it stays small.
void Dynamics::solve(const In& g, const In& c) {
  if (tree_) {
    system.solve_mass(g, a);
    return;
  }
  if (!redundant_ && system.m > 0 && compliance_.size() == 0) soften();
  solver_.solve(g, c, a, lambda);
  ++solves;
}

double Dynamics::project_positions(double t, Out q, const In& u, double tolerance, int most) {
  if (system.m == 0) return 0;
  const System::Room room = system.room(q);  // round-off grows with the numbers
  const auto leave = [&](double left) {
    arrive(t, q, u);
    return left;
  };
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0;; ++round) {
    const double size = gap_at(t, q, u, room);
    if (round > 0 && !(size < before)) {  // worse than before: take it back
      q = best_;
      look(t, q, u);
      return leave(before);
    }
    if (!(size > tolerance) || round == most || !(size < 0.5 * before) || !std::isfinite(size))
      return leave(size);
    before = size;
    best_ = q;
    factor_nearby(t, q, size, room);
    soften();
    minus_ = -terms.phi;
    solver_.solve(no_force, minus_, correction_, multipliers_);
    ++solves;
    system.move(q, correction_);
    ++corrections;
  }
}

void Dynamics::project_velocities(Out u) {
  if (system.m == 0) return;
  const bool soft = soften();
  minus_ = -terms.rate;
  for (int round = 0; round < (soft ? damped_rounds : 1); ++round) {
    solver_.solve(no_force, minus_, correction_, multipliers_);
    ++solves;
    u += correction_;
    if (soft) {
      correction_ *= -1;
      system.structure.multiply(terms.D.data(), correction_.data(), minus_.data());
    }
  }
}

void Dynamics::required_velocities(const In& u, Out nu) const {
  nu = -terms.rate;
  system.structure.multiply(terms.D.data(), u.data(), nu.data());
}
}  // namespace mubody

#include "mubody/precompute/folding.h"

#include <algorithm>
#include <cmath>

#include "mubody/mechanism/compliance.h"
#include "mubody/mechanism/each_field.h"

namespace mubody {
namespace {
constexpr double same = 1e-9;  // of the size of what is compared

/// Whether an element was given something that changes with time, or that need not be smooth: a formula of the state, a law
/// other than a polynomial.  What a formula does where it was not tried, nobody knows.
class Seeker : public EachConstField<Seeker> {
 public:
  bool found = false;

  template <class T> void each(const Field&, const T&) {}
  void each(const Field&, const Function& f) { see(f); }
  void each(const Field&, const std::vector<Function>& all) {
    for (const Function& f : all) see(f);
  }
  void each(const Field&, const std::optional<Function>& f) {
    if (f) see(*f);
  }
  void each(const Field&, const Signal& s) { see(s); }
  void each(const Field&, const std::vector<Signal>& all) {
    for (const Signal& s : all) see(s);
  }
  void each(const Field&, const Law& law) { see(law); }
  void each(const Field&, const std::optional<Law>& law) {
    if (law) see(*law);
  }
  void each(const Field&, const Data&) { found = true; }  // a series in time

 private:
  void see(const Function& f) { found |= !f.kind().is_constant(); }
  void see(const Signal& s) { found |= s.depends_on_time() || s.depends_on_state(); }
  void see(const Law& law) { found |= !law.kind().is_polynomial(); }
};

// Springs, dampers and constant forces; not contacts, nor what pushes and never pulls.
bool can_be_folded(const AnyForce& force) {
  if (force.pushes_only()) return false;
  Seeker seeker;
  show_fields(force, seeker);
  return !seeker.found;
}

bool agrees(const VecX& a, const VecX& b, double size) {
  return (a - b).lpNorm<Eigen::Infinity>() <= same * size;
}

enum class Sort { stored, positional, run_time };
struct Judged {
  Sort sort = Sort::stored;
  bool damped = false;
};

Judged judge(Loads& force, double t, const std::vector<Station>& along) {
  Judged j;
  const std::size_t every = std::max<std::size_t>(1, along.size() / 12);
  force.remember(t, along.front().q);
  for (std::size_t k = 0; k < along.size(); ++k) {
    const Station& s = along[k];
    force.remember(t, s.q);
    if (k % every != 0) continue;
    const auto n = s.B.cols();
    VecX rates(n);
    for (Eigen::Index i = 0; i < n; ++i) rates[i] = 1 + 0.37 * double(i);
    const VecX u = s.B * rates, &units = force.system().units;
    const auto loads = [&](double speed) -> VecX { return force.at(t, s.q, speed * u).cwiseProduct(units); };
    const VecX rest = loads(0);
    for (const double speed : {0.03, 1.0, 30.0}) {
      const VecX fore = loads(speed) - rest, back = loads(-speed) - rest, more = loads(2 * speed) - rest;
      const double size = std::max(rest.lpNorm<Eigen::Infinity>(), more.lpNorm<Eigen::Infinity>());
      if (!agrees(back, -fore, size) || !agrees(more, 2 * fore, size)) return {Sort::run_time, false};
      if (fore.lpNorm<Eigen::Infinity>() > same * size) j.damped = true;
      const Energy e = force.energy(t, s.q, speed * u);
      if (std::abs(e.supplied) > same * (std::abs(e.dissipated) + rest.lpNorm<Eigen::Infinity>() * speed))
        j.sort = Sort::positional;
    }
  }
  return j;
}

/// A smooth curve is met far better by points close together than by points four times as far apart; one with a corner is not.
bool has_corner(Loads& force, double t, const std::vector<Station>& along, double bound) {
  std::vector<double> f;
  force.remember(t, along.front().q);
  double size = 0;
  for (const Station& s : along) {
    force.remember(t, s.q);
    f.push_back((s.B.transpose() * force.at(t, s.q, VecX::Zero(s.B.rows()))).sum());
    size = std::max(size, std::abs(f.back()));
  }
  // What a cubic through four neighbours, `step` apart, misses in the middle of them.
  const auto missed = [&](std::size_t step) {
    double most = 0;
    for (std::size_t k = 3 * step; k + 3 * step < f.size(); ++k)
      most = std::max(
          most, std::abs((9 * (f[k - step] + f[k + step]) - (f[k - 3 * step] + f[k + 3 * step])) / 16 - f[k]));
    return most;
  };
  const double fine = missed(1), coarse = missed(4);
  return fine > std::max(bound, 1e-9 * size) && fine > coarse / 16;
}
}  // namespace

Folding sort_forces(const Mechanism& m, double t, const std::vector<Station>& along, double bound) {
  Folding f;
  for (int k = 0; k < int(m.forces.size()); ++k) {
    if (is_compliance(*m.forces[std::size_t(k)].what)) continue;  // exact at run time, as K σ and C σ̇
    Loads force(m, {k});
    Judged j{Sort::run_time, false};
    if (can_be_folded(*m.forces[std::size_t(k)].what)) j = judge(force, t, along);
    if (j.sort != Sort::run_time && has_corner(force, t, along, bound)) j.sort = Sort::run_time;
    (j.sort == Sort::stored ? f.stored : j.sort == Sort::positional ? f.positional : f.run_time).push_back(k);
    if (j.sort != Sort::run_time) f.damped |= j.damped;
  }
  return f;
}

std::vector<Measure> seen_by(const Mechanism& m, const Folding& folding) {
  std::vector<Measure> scalars;
  for (const int k : folding.run_time)
    if (const auto form = m.forces[std::size_t(k)].what->scalars(m.dim))
      scalars.insert(scalars.end(), form->sees.begin(), form->sees.end());
  return scalars;
}
}  // namespace mubody

#include "mubody/precompute/run/real_time.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/formulations/body.h"
#include "mubody/precompute/plan/variable.h"
#include "mubody/precompute/run/check_tables.h"
#include "mubody/precompute/tables/taylor.h"

namespace mubody {
RealTime::RealTime(const RealTimeModel& model, const Mechanism& mechanism)
    : model_(model), n_(model.n()), layout_(mechanism.dim) {
  if (model.loops_as_joints)
    throw ModelError(
        "its loops are joints, and the bare equations are those of whole mechanisms: precompute it with "
        "tables_of = \"whole\" in [precompute], or simulate it");
  check_tables(model);
  check_tables_fit(model, mechanism);
  std::vector<int> without;
  for (const int k : model.run_time) {
    if (auto form = mechanism.forces[std::size_t(k)].what->scalars(mechanism.dim)) {
      Form f{std::move(*form), {}};
      for (std::size_t s = 0; s < f.form.sees.size(); ++s) f.scalars.push_back(scalars_++);
      forms_.push_back(std::move(f));
    } else {
      without.push_back(k);
    }
  }
  if (!without.empty()) loads_ = std::make_unique<Loads>(mechanism, without);
  std::size_t quantities = 0, scratch = 0, seen = 1;
  const auto fit = [&](const LookupTable& t) {
    quantities = std::max(quantities, std::size_t(t.quantities()));
    scratch = std::max(scratch, t.scratch());
  };
  for (const Region& r : model.regions) {
    for (const auto& t : r.dynamics) fit(t.table);
    for (const auto& t : r.bodies) fit(t.table);
    for (const auto& t : r.scalars) fit(t.table);
    fit(r.next);
  }
  for (const Form& f : forms_) seen = std::max(seen, f.form.sees.size());
  values_.resize(quantities);
  slopes_.resize(quantities * std::size_t(n_));
  series_.resize(quantities);
  // A series in design variables has slopes by these as well.
  series_slopes_.resize(quantities * (std::size_t(n_) + model.design.size()));
  terms_.resize(quantities);
  terms_slopes_.resize(quantities * std::size_t(n_));
  first_order_.assign(quantities, 1);
  const int free = n_ - int(model.stiff.size());
  for (unsigned bits = 0; !model.stiff.empty() && bits < 1U << free; ++bits) {
    with_stiff_.emplace_back();
    for (int k = 0; k < n_; ++k)
      if (k >= free || (bits >> k & 1U) != 0) with_stiff_.back().push_back(k);
  }
  for (const DesignVariable& d : model.design) design_.push_back(d.value - d.nominal);
  scratch_.resize(scratch);
  seen_.resize(std::size_t(scalars_));
  seen_rate_.resize(std::size_t(scalars_));
  seen_slope_.resize(std::size_t(scalars_ * n_));
  forces_.resize(seen);
  const auto bodies = Eigen::Index(mechanism.bodies.size());
  B_ = MatX::Zero(layout_.velocities * bodies, n_);
  dB_.assign(std::size_t(n_), B_);
  q_ = VecX::Zero(layout_.coordinates * bodies);
  u_ = VecX::Zero(layout_.velocities * bodies);
  for (Variable& v : driven_variables(mechanism))
    for (std::size_t k = 0; k < model.regions.front().variables.size(); ++k)
      if (model.regions.front().variables[k].name == v.name) {
        constexpr double turn = 2 * EIGEN_PI;
        const double ahead = (*v.follows)(model.t).x - model.start[k];
        driven_.push_back({k, std::move(*v.follows), v.turn ? turn * std::round(ahead / turn) : 0});
      }
  simple_ = n_ == 1 && forms_.empty() && !loads_ && driven_.empty();
  for (const Region& r : model.regions)
    if (r.dynamics.size() != 1 || r.dynamics[0].positional || r.dynamics[0].damped ||
        !r.dynamics[0].order.empty() || r.variables[0].cyclic)
      simple_ = false;
  switch_contacts(start());
}

RealTime::State RealTime::start() const {
  State s;
  s.t = model_.t;
  s.region = model_.start_region;
  std::ranges::copy(model_.start, s.theta.begin());
  std::ranges::copy(model_.start_rate, s.rate.begin());
  prescribe(s);
  return s;
}

void RealTime::prescribe(State& s) const {
  for (const Driven& d : driven_) {
    const Jet f = d.follows(s.t);
    s.theta[d.variable] = f.x - d.shift;
    s.rate[d.variable] = f.v;
  }
}

void RealTime::switch_contacts(const State& s) {
  if (!loads_) return;
  evaluate_bodies(model_.regions[std::size_t(s.region)], s);
  u_.setZero();
  for (int k = 0; k < n_; ++k) u_ += s.rate[std::size_t(k)] * B_.col(k);
  loads_->remember(s.t, q_);
  Contacts& contacts = loads_->system().contacts();
  if (!contacts.any()) return;
  contacts.measure_contacts(s.t, q_, u_, contacts_);
  for (int k = 0; k < int(contacts_.size()); ++k) {
    const ContactNow& c = contacts_[std::size_t(k)];
    if (c.gap < 0 && !contacts.touching(k) && contacts.sites[std::size_t(k)].has_law)
      contacts.set(k, true, std::max(0.0, c.approach));
    else if (c.gap > 0 && contacts.touching(k))
      contacts.set(k, false, 0);
  }
}

std::span<const double> RealTime::small(const State& s) const {
  const std::size_t free = std::size_t(n_) - model_.stiff.size();
  return {s.theta.data() + free, model_.stiff.size()};
}

const std::vector<int>& RealTime::variables(const LookupTable& t) const {
  if (with_stiff_.empty()) return t.arguments();
  unsigned bits = 0;
  for (const int k : t.arguments()) bits |= 1U << k;
  return with_stiff_[bits];
}

void RealTime::look_up(const LookupTable& t, const std::vector<int>& order, const State& s, bool slopes,
                       int upto) {
  if (order.empty()) {
    t.evaluate(s.theta.data(), values_.data(), slopes ? slopes_.data() : nullptr, scratch_.data());
    return;
  }
  look_up_terms(t, s, slopes);
  sum_series(order, int(t.arguments().size()), small(s), upto, series_.data(), series_slopes_.data(),
             values_.data(), slopes ? slopes_.data() : nullptr);
}

void RealTime::look_up_terms(const LookupTable& t, const State& s, bool slopes) {
  double* const by = slopes ? series_slopes_.data() : nullptr;
  if (design_.empty()) return t.evaluate(s.theta.data(), series_.data(), by, scratch_.data());
  t.evaluate(s.theta.data(), terms_.data(), slopes ? terms_slopes_.data() : nullptr, scratch_.data());
  const std::size_t terms = std::size_t(t.quantities()) / (1 + design_.size());
  sum_series({first_order_.data(), terms}, int(t.arguments().size()), design_, 1, terms_.data(),
             terms_slopes_.data(), series_.data(), by);
}

// θ̈ from a table that holds nothing but J and V, which lie side by side, power by power.
template <int degree> double RealTime::one_variable_of(const State& s) const {
  const LookupTable& table = model_.regions[std::size_t(s.region)].dynamics[0].table;
  const Axis::At at = table.axes()[0].locate(s.theta[0]);
  const double* const c = table.cell(at);
  double J = c[2 * degree], V = c[2 * degree + 1], dJ = 0, dV = 0;
  for (int k = degree - 1; k >= 0; --k) {
    dJ = dJ * at.s + J;
    dV = dV * at.s + V;
    J = J * at.s + c[2 * k];
    V = V * at.s + c[2 * k + 1];
  }
  return (s.input[0] - at.slope * (0.5 * dJ * s.rate[0] * s.rate[0] + dV)) / J;
}

double RealTime::one_variable(const State& s) const {
  switch (model_.degree) {
    case 3: return one_variable_of<3>(s);
    case 5: return one_variable_of<5>(s);
    case 7: return one_variable_of<7>(s);
    default: return one_variable_of<9>(s);
  }
}

void RealTime::damp(std::size_t variable, double force, const State& s) {
  applied_[variable] -= force;
  damping_ += force * s.rate[variable];
}

void RealTime::add_dynamics(const DynamicsTable& d, const State& s) {
  const auto& a = variables(d.table);
  const auto m = a.size(), nq = d.order.empty() ? std::size_t(d.table.quantities()) : d.order.size();
  look_up(d.table, d.order, s);
  std::size_t q = 0;
  for (std::size_t k = 0; k < m; ++k)
    for (std::size_t l = 0; l <= k; ++l, ++q) {
      const auto i = std::size_t(a[k]), j = std::size_t(a[l]);
      J_[i][j] += values_[q];
      if (i != j) J_[j][i] += values_[q];
      // h_i gets ∂J_ij/∂θ_m θ̇_j θ̇_m, and h_m loses half of ∂J_ij/∂θ_m θ̇_i θ̇_j, for both orders of i and j.
      double change = 0;
      for (std::size_t b = 0; b < m; ++b) change += slopes_[b * nq + q] * s.rate[std::size_t(a[b])];
      rest_[i] -= change * s.rate[j];
      if (i != j) rest_[j] -= change * s.rate[i];
      const double product = (i != j ? 1.0 : 0.5) * s.rate[i] * s.rate[j];
      for (std::size_t b = 0; b < m; ++b) rest_[std::size_t(a[b])] += slopes_[b * nq + q] * product;
    }
  for (std::size_t b = 0; b < m; ++b) rest_[std::size_t(a[b])] -= slopes_[b * nq + q];
  ++q;
  if (d.positional)
    for (std::size_t k = 0; k < m; ++k) applied_[std::size_t(a[k])] += values_[q++];
  if (d.damped)
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t l = 0; l < m; ++l) damp(std::size_t(a[k]), values_[q++] * s.rate[std::size_t(a[l])], s);
}

namespace {
// How often a variable has gone all the way round; a cyclic one, in parts too.
double laps_of(const Region& r, const RealTime::State& s, std::size_t i) {
  const VariableRange& v = r.variables[i];
  if (v.cyclic) return (s.theta[i] - v.low) / (v.high - v.low);
  const double laps = i == 0 ? s.laps : 0;
  return v.periodic ? laps + std::floor((s.theta[i] - v.low) / (v.high - v.low)) : laps;
}
}  // namespace

void RealTime::add_scalars(const Region& r, const State& s) {
  std::fill(seen_slope_.begin(), seen_slope_.end(), 0);
  for (const ScalarTable& t : r.scalars) {
    look_up(t.table, t.order, s);
    const auto& a = variables(t.table);
    const auto nq = t.scalars.size();
    for (std::size_t q = 0; q < nq; ++q) {
      const auto k = std::size_t(t.scalars[q]);
      seen_[k] = values_[q];
      seen_rate_[k] = 0;
      for (std::size_t b = 0; b < a.size(); ++b) {
        const auto i = std::size_t(a[b]);
        seen_slope_[k * std::size_t(n_) + i] = slopes_[b * nq + q];
        seen_rate_[k] += slopes_[b * nq + q] * s.rate[i];
      }
    }
  }
  for (std::size_t i = 0; i < r.variables.size(); ++i) {
    const VariableRange& v = r.variables[i];
    const double laps = laps_of(r, s, i), per = v.cyclic ? 1 / (v.high - v.low) : 0;
    for (std::size_t k = 0; k < seen_.size() && (laps != 0 || v.cyclic); ++k) {
      const double gain = model_.scalar_gain[i * seen_.size() + k];
      seen_[k] += laps * gain;
      seen_slope_[k * std::size_t(n_) + i] += per * gain;
      seen_rate_[k] += per * gain * s.rate[i];
    }
  }
  for (const Form& f : forms_) {
    const auto first = std::size_t(f.scalars.front());
    f.form.force(seen_.data() + first, seen_rate_.data() + first, s.t, forces_.data());
    if (f.form.lost) damping_ += f.form.lost(seen_.data() + first, seen_rate_.data() + first, s.t);
    for (int k = 0; k < f.form.acts; ++k)
      for (int i = 0; i < n_; ++i)
        applied_[std::size_t(i)] +=
            forces_[std::size_t(k)] * seen_slope_[(first + std::size_t(k)) * std::size_t(n_) + std::size_t(i)];
  }
}

void RealTime::evaluate_bodies(const Region& r, const State& s) {
  for (const BodyTable& t : r.bodies) {
    look_up(t.table, t.order, s, true, 1);
    const auto& a = variables(t.table);
    const auto m = a.size(), nq = t.order.empty() ? std::size_t(t.table.quantities()) : t.order.size();
    std::size_t q = 0;
    for (const int body : t.bodies) {
      const int first = layout_.first_coordinate(body), row = layout_.first_velocity(body);
      for (int k = 0; k < layout_.coordinates; ++k) q_[first + k] = values_[q++];
      if (!t.order.empty()) layout_.tidy(q_.data() + first);
      for (int k = 0; k < layout_.velocities; ++k)
        for (std::size_t l = 0; l < m; ++l, ++q) {
          B_(row + k, a[l]) = values_[q];
          for (std::size_t b = 0; b < m; ++b) dB_[std::size_t(a[b])](row + k, a[l]) = slopes_[b * nq + q];
        }
    }
    follow_cyclic(r, t, s);
  }
  for (std::size_t i = 0; i < r.variables.size(); ++i) {
    if (r.variables[i].cyclic) continue;
    const double laps = laps_of(r, s, i);
    if (laps == 0) continue;
    const auto from = i * std::size_t(q_.size());
    for (Eigen::Index k = 0; k < q_.size(); ++k) {
      if (model_.sign[from + std::size_t(k)] < 0 && std::fmod(laps, 2) != 0) q_[k] = -q_[k];
      q_[k] += laps * model_.gain[from + std::size_t(k)];
    }
  }
}

// Angular velocities are those in body axes, which turn with the body: B = Eᵀ B₀, ∂B/∂φ = −a × B.
void RealTime::follow_cyclic(const Region& r, const BodyTable& t, const State& s) {
  const auto& arguments = t.table.arguments();
  const std::vector<int>& all = variables(t.table);
  for (std::size_t c = t.table.axes().size(); c < arguments.size(); ++c) {
    const int k = arguments[c];
    const double way = s.theta[std::size_t(k)] - r.variables[std::size_t(k)].low;
    for (const int body : t.bodies) {
      const int row = layout_.first_velocity(body), spin = row + layout_.lengths;
      std::array<double, BodyLayout::most_coordinates> moved{};
      for (int n = 0; n < layout_.velocities; ++n) moved[std::size_t(n)] = way * B_(row + n, k);
      double* const q = q_.data() + layout_.first_coordinate(body);
      if (layout_.spins() == 1) {
        Body<2>::move(q, moved.data());
        continue;
      }
      Body<3>::move(q, moved.data());
      const Vec<3> a = B_.col(k).segment<3>(spin);
      const double rate = a.norm();
      if (rate == 0) continue;
      const Eigen::Matrix3d back = Eigen::AngleAxisd(-way * rate, a / rate).toRotationMatrix();
      for (const int l : all) {
        const Vec<3> w = back * B_.col(l).segment<3>(spin);
        B_.col(l).segment<3>(spin) = w;
        for (const int b : all) {
          const Vec<3> slope = back * dB_[std::size_t(b)].col(l).segment<3>(spin);
          dB_[std::size_t(b)].col(l).segment<3>(spin) = slope;
        }
        dB_[std::size_t(k)].col(l).segment<3>(spin) = -a.cross(w);
      }
    }
  }
}

void RealTime::add_loads(const Region& r, const State& s) {
  evaluate_bodies(r, s);
  u_.setZero();
  for (int k = 0; k < n_; ++k) u_ += s.rate[std::size_t(k)] * B_.col(k);
  const VecX& Q = loads_->at(s.t, q_, u_);
  for (int k = 0; k < n_; ++k) applied_[std::size_t(k)] += B_.col(k).dot(Q);
}

// Springs and dampers of joints that give way.
void RealTime::add_springs(const State& s) {
  const std::size_t n = model_.stiff.size(), free = std::size_t(n_) - n;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      rest_[free + a] -= model_.stiffness[a * n + b] * s.theta[free + b];
      damp(free + a, model_.damping[a * n + b] * s.rate[free + b], s);
    }
}

void RealTime::accelerations(const State& s, double* acceleration) {
  if (simple_) {
    acceleration[0] = one_variable(s);
    return;
  }
  const auto n = std::size_t(n_);
  damping_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) J_[i][j] = 0;
    rest_[i] = 0;
    applied_[i] = s.input[i];
  }
  const Region& r = model_.regions[std::size_t(s.region)];
  for (const DynamicsTable& d : r.dynamics) add_dynamics(d, s);
  if (!forms_.empty()) add_scalars(r, s);
  if (loads_) add_loads(r, s);
  if (!with_stiff_.empty()) add_springs(s);
  if (driven_.empty()) return solve(acceleration);
  // Prescribed accelerations go to the right-hand side.  The forces of drivers follow from their equations.
  const auto J = J_;
  const Vector rest = rest_, applied = applied_;
  for (const Driven& d : driven_) {
    const std::size_t k = d.variable;
    const double known = d.follows(s.t).a;
    for (std::size_t i = 0; i < n; ++i) {
      rest_[i] -= J_[i][k] * known;
      J_[i][k] = J_[k][i] = 0;
    }
    J_[k][k] = 1;
  }
  for (const Driven& d : driven_) rest_[d.variable] = d.follows(s.t).a, applied_[d.variable] = 0;
  solve(acceleration);
  applied_ = applied;
  for (const Driven& d : driven_) {
    double& force = driving_[d.variable];
    force = -rest[d.variable] - applied[d.variable];
    for (std::size_t j = 0; j < n; ++j) force += J[d.variable][j] * acceleration[j];
  }
}

// Gauss without pivoting: J is positive definite.
void RealTime::solve(double* acceleration) {
  const auto n = std::size_t(n_);
  Vector b;
  for (std::size_t i = 0; i < n; ++i) b[i] = rest_[i] + applied_[i];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i + 1; k < n; ++k) {
      const double share = J_[k][i] / J_[i][i];
      for (std::size_t j = i; j < n; ++j) J_[k][j] -= share * J_[i][j];
      b[k] -= share * b[i];
    }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) b[i] -= J_[i][j] * acceleration[j];
    acceleration[i] = b[i] / J_[i][i];
  }
}

bool RealTime::step(State& s, double h) {
  Vector a1, a2, a3, a4;
  const auto n = std::size_t(n_);
  State x = s;
  accelerations(x, a1.data());
  x.t = s.t + 0.5 * h;
  for (std::size_t i = 0; i < n; ++i) {
    x.theta[i] = s.theta[i] + 0.5 * h * s.rate[i];
    x.rate[i] = s.rate[i] + 0.5 * h * a1[i];
  }
  prescribe(x);
  accelerations(x, a2.data());
  for (std::size_t i = 0; i < n; ++i) {
    x.theta[i] = s.theta[i] + 0.5 * h * (s.rate[i] + 0.5 * h * a1[i]);
    x.rate[i] = s.rate[i] + 0.5 * h * a2[i];
  }
  prescribe(x);
  accelerations(x, a3.data());
  x.t = s.t + h;
  for (std::size_t i = 0; i < n; ++i) {
    x.theta[i] = s.theta[i] + h * (s.rate[i] + 0.5 * h * a2[i]);
    x.rate[i] = s.rate[i] + h * a3[i];
  }
  prescribe(x);
  accelerations(x, a4.data());
  for (std::size_t i = 0; i < n; ++i) {
    s.theta[i] += h * (s.rate[i] + h / 6 * (a1[i] + a2[i] + a3[i]));
    s.rate[i] += h / 6 * (a1[i] + 2 * a2[i] + 2 * a3[i] + a4[i]);
  }
  s.t = x.t;
  prescribe(s);
  if (!change_region(s)) return false;
  switch_contacts(s);
  return true;
}

bool RealTime::change_region(State& s) {
  const Region& r = model_.regions[std::size_t(s.region)];
  for (std::size_t k = 0; k < r.variables.size(); ++k) {
    const VariableRange& v = r.variables[k];
    if (!v.periodic && !(s.theta[k] >= v.low && s.theta[k] <= v.high)) return false;
  }
  const bool down = r.below.region >= 0 && s.theta[0] < r.below.at;
  const bool up = r.above.region >= 0 && s.theta[0] > r.above.at;
  if (!down && !up) return true;
  // The position is the same in the next region's variable; the rate is scaled so that energy is kept.
  const Border& b = down ? r.below : r.above;
  const double before = kinetic(s) + potential(s);
  look_up(r.next, r.next_order, s);
  const std::size_t q = down ? 0 : 1;
  State x = s;
  x.region = b.region;
  x.laps += b.laps;
  x.theta[0] = values_[q] + b.shift;
  x.rate[0] = slopes_[q] * s.rate[0];
  const double moving = kinetic(x), wanted = before - potential(x);
  if (moving > 0 && wanted > 0 && std::abs(wanted - moving) < 0.5 * moving)
    x.rate[0] *= std::sqrt(wanted / moving);
  s = x;
  return true;
}

bool RealTime::leapt(const State& s) const {
  const Region& r = model_.regions[std::size_t(s.region)];
  return (r.below.region >= 0 && s.theta[0] < r.variables[0].low) ||
         (r.above.region >= 0 && s.theta[0] > r.variables[0].high);
}

std::string VariableRange::beyond(double x) const {
  return fmt::format("{} = {:.6g} {} is beyond the range of the tables, {:.6g} to {:.6g} {}", name, x, unit,
                     low, high, unit);
}

std::string RealTime::out_of_range(const State& s) const {
  for (std::size_t k = 0; k < model_.regions[std::size_t(s.region)].variables.size(); ++k)
    if (const VariableRange& v = model_.regions[std::size_t(s.region)].variables[k]; !v.holds(s.theta[k]))
      return v.beyond(s.theta[k]);
  return {};
}
}  // namespace mubody

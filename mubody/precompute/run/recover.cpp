// What tables give besides accelerations: energies, motions of bodies, errors of series, sensitivities, and the
// cost.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "mubody/precompute/run/real_time.h"
#include "mubody/precompute/tables/taylor.h"

namespace mubody {
std::size_t RealTimeModel::bytes() const {
  std::size_t all = 0;
  std::set<const void*> counted;  // mirrored tables have numbers of others
  for (const LoopTable& loop : loops)
    for (const auto& t : loop.region.bodies)
      if (counted.insert(t.table.kept().get()).second) all += t.table.bytes();
  for (const Region& r : regions) {
    for (const auto& t : r.dynamics) all += t.table.bytes();
    for (const auto& t : r.bodies) all += t.table.bytes();
    for (const auto& t : r.scalars) all += t.table.bytes();
    all += r.next.bytes();
  }
  return all;
}

double RealTime::kinetic(const State& s) {
  double sum = 0;
  for (const DynamicsTable& d : model_.regions[std::size_t(s.region)].dynamics) {
    look_up(d.table, d.order, s, false);
    std::size_t q = 0;
    const auto& a = variables(d.table);
    for (std::size_t k = 0; k < a.size(); ++k)
      for (std::size_t l = 0; l <= k; ++l, ++q)
        sum += (k == l ? 0.5 : 1.0) * values_[q] * s.rate[std::size_t(a[k])] * s.rate[std::size_t(a[l])];
  }
  return sum;
}

double RealTime::potential(const State& s) {
  double sum = 0;
  for (const DynamicsTable& d : model_.regions[std::size_t(s.region)].dynamics) {
    look_up(d.table, d.order, s, false);
    const auto m = variables(d.table).size();
    sum += values_[m * (m + 1) / 2];
  }
  const auto sigma = small(s);
  for (std::size_t a = 0; a < model_.stiff.size(); ++a)
    for (std::size_t b = 0; b < sigma.size(); ++b)
      sum += 0.5 * model_.stiffness[a * sigma.size() + b] * sigma[a] * sigma[b];
  return sum;
}

double RealTime::power(const State& s) const {
  double sum = 0;
  for (std::size_t k = 0; k < std::size_t(n_); ++k) sum += applied_[k] * s.rate[k];
  return sum;
}

double RealTime::driver_power(const State& s) const {
  double sum = 0;
  for (const Driven& d : driven_) sum += driving_[d.variable] * s.rate[d.variable];
  return sum;
}

Energy RealTime::losses(const State& s) {
  Energy lost;
  if (loads_ && loads_->system().has_power) lost = loads_->energy(s.t, q_, u_);
  lost.dissipated += damping_;
  return lost;
}

RealTime::Vector RealTime::turning() const {
  Vector most{};
  for (const Region& r : model_.regions)
    for (const BodyTable& t : r.bodies) {
      if (!t.order.empty()) most.fill(std::numeric_limits<double>::infinity());
      const auto& a = t.table.arguments();
      const auto nq = std::size_t(t.table.quantities()), m = a.size();
      const std::vector<double>& c = t.table.coefficients();
      const std::size_t cell = m == 0 || t.table.cells() == 0 ? c.size() : c.size() / t.table.cells();
      for (std::size_t from = 0; from < c.size(); from += cell)
        for (std::size_t body = 0; body < t.bodies.size(); ++body)
          for (std::size_t l = 0; l < m; ++l) {
            double square = 0;
            for (int row = layout_.lengths; row < layout_.velocities; ++row) {
              const std::size_t q =
                  body * (std::size_t(layout_.coordinates) + std::size_t(layout_.velocities) * m) +
                  std::size_t(layout_.coordinates) + std::size_t(row) * m + l;
              double sum = 0;  // a limit of the value, since arguments in a cell are at most 1
              for (std::size_t k = from + q; k < from + cell; k += nq) sum += std::abs(c[k]);
              square += sum * sum;
            }
            double& so_far = most[std::size_t(a[l])];
            so_far = std::max(so_far, std::sqrt(square));
          }
    }
  return most;
}

void RealTime::positions(const State& s, Out q) {
  evaluate_bodies(model_.regions[std::size_t(s.region)], s);
  q = q_;
}

void RealTime::velocities(const State& s, Out u) {
  evaluate_bodies(model_.regions[std::size_t(s.region)], s);
  u.setZero();
  for (int k = 0; k < n_; ++k) u += s.rate[std::size_t(k)] * B_.col(k);
}

void RealTime::body_accelerations(const State& s, const double* acceleration, Out a) {
  evaluate_bodies(model_.regions[std::size_t(s.region)], s);
  a.setZero();
  for (int k = 0; k < n_; ++k) {
    a += acceleration[k] * B_.col(k);
    for (int l = 0; l < n_; ++l)
      a += s.rate[std::size_t(k)] * s.rate[std::size_t(l)] * dB_[std::size_t(k)].col(l);
  }
}

RealTime::SeriesError RealTime::series_error(const State& s) {
  SeriesError worst;
  if (with_stiff_.empty()) return worst;
  const auto sigma = small(s);
  const int n = int(sigma.size());
  for (const BodyTable& t : model_.regions[std::size_t(s.region)].bodies) {
    look_up_terms(t.table, s, false);
    std::size_t q = 0;
    const double* at = series_.data();
    for (std::size_t b = 0; b < t.bodies.size(); ++b) {
      std::array<double, BodyLayout::most_coordinates> here{}, missing{};
      double length = 0;
      for (int k = 0; k < layout_.coordinates; ++k, ++q) {
        const auto number = std::size_t(k);
        here[number] = at[0];
        missing[number] = t.order[q] > 1 ? second_order(sigma, at) : 0;
        if (k < layout_.lengths) length += missing[number] * missing[number];
        at += terms_of(t.order[q], n);
      }
      worst.length = std::max(worst.length, std::sqrt(length));
      worst.angle = std::max(worst.angle, layout_.turn(here.data(), missing.data()));
      for (int k = 0; k < layout_.velocities * int(variables(t.table).size()); ++k, ++q)
        at += terms_of(t.order[q], n);
    }
  }
  return worst;
}

namespace {
// A change of the coordinates of a body in space after it has moved on by a turn e, and that of the turn itself, in body axes.
void turn_on(const double* q, const Eigen::Quaterniond& e, const Vec<3>& more, double* dq) {
  const Eigen::Quaterniond p(q[3], q[4], q[5], q[6]), d(dq[3], dq[4], dq[5], dq[6]);
  const Eigen::Quaterniond moved = d * e,
                           turned = p * Eigen::Quaterniond(0, more[0] / 2, more[1] / 2, more[2] / 2);
  dq[3] = moved.w() + turned.w(), dq[4] = moved.x() + turned.x();
  dq[5] = moved.y() + turned.y(), dq[6] = moved.z() + turned.z();
}
}  // namespace

// Cyclic variables move bodies on by a (φ − φ₀), where a may change with the parameter too.
void RealTime::change_on(const Region& r, const BodyTable& t, const State& s, int body, const double* dB,
                         Out dq) {
  const auto& arguments = t.table.arguments();
  const auto m = Eigen::Index(variables(t.table).size());
  const int row = layout_.first_velocity(body), first = layout_.first_coordinate(body);
  for (std::size_t c = t.table.axes().size(); c < arguments.size(); ++c) {
    const auto v = std::size_t(arguments[c]);
    const double way = s.theta[v] - r.variables[v].low;
    const auto more = [&](int velocity) { return way * dB[velocity * m + Eigen::Index(c)]; };
    for (int n = 0; n < layout_.lengths; ++n) dq[first + n] += more(n);
    if (layout_.spins() == 1) {
      dq[first + layout_.lengths] += more(layout_.lengths);
      continue;
    }
    const Vec<3> a = way * B_.col(arguments[c]).segment<3>(row + layout_.lengths);
    const double angle = a.norm();
    const Eigen::Quaterniond e(Eigen::AngleAxisd(angle, angle > 0 ? Vec<3>(a / angle) : Vec<3>::UnitX()));
    turn_on(q_.data() + first, e, {more(3), more(4), more(5)}, dq.data() + first);
  }
}

void RealTime::sensitivity(const State& s, int k, Out dq) {
  const auto sigma = small(s);
  const Region& region = model_.regions[std::size_t(s.region)];
  evaluate_bodies(region, s);
  const auto n = int(sigma.size());
  const std::size_t each = 1 + design_.size();  // numbers of a term: its value, then its derivatives
  for (const BodyTable& t : region.bodies) {
    t.table.evaluate(s.theta.data(), terms_.data(), nullptr, scratch_.data());
    std::size_t q = 0;
    const double* at = terms_.data() + 1 + k;
    const auto next = [&] {
      double sum = at[0];
      for (std::size_t i = 0; i < sigma.size() && t.order[q] > 0; ++i) sum += at[(1 + i) * each] * sigma[i];
      at += each * std::size_t(terms_of(t.order[q++], n));
      return sum;
    };
    for (const int body : t.bodies) {
      for (int c = 0; c < layout_.coordinates; ++c) dq[layout_.first_coordinate(body) + c] = next();
      std::array<double, std::size_t(BodyLayout::most_coordinates * most)> dB{};
      for (std::size_t c = 0; c < std::size_t(layout_.velocities) * variables(t.table).size(); ++c)
        dB[c] = next();
      change_on(region, t, s, body, dB.data(), dq);
    }
  }
}

long RealTime::operations() const {
  long most_of_all = 0;
  for (const Region& r : model_.regions) {
    long all = 0;
    for (const DynamicsTable& d : r.dynamics) {
      const auto m = long(variables(d.table).size());
      all += d.table.operations() + m * (m + 1) / 2 * (2 * m + 3) + 2 * m;
      if (!d.order.empty()) all += d.table.quantities() * (m + 2);
    }
    const auto sums = [&](const LookupTable& t, const std::vector<int>& order) {
      return order.empty() ? 0 : t.quantities() * long(variables(t).size() + 2);
    };
    for (const ScalarTable& t : r.scalars)
      all += t.table.operations() + 2L * t.table.quantities() * long(t.table.arguments().size()) +
             sums(t.table, t.order);
    if (loads_)
      for (const BodyTable& t : r.bodies) all += t.table.operations() + sums(t.table, t.order);
    all += n_ * n_ * n_ / 3 + n_ * n_ + 1;
    most_of_all = std::max(most_of_all, all);
  }
  return most_of_all;
}

long RealTime::reads() const {
  long most_of_all = 0;
  for (const Region& r : model_.regions) {
    long all = 0;
    const auto add = [&](const LookupTable& t) {
      if (t.cells() > 0) all += long(t.coefficients().size() / t.cells());
    };
    for (const auto& t : r.dynamics) add(t.table);
    for (const auto& t : r.scalars) add(t.table);
    if (loads_)
      for (const auto& t : r.bodies) add(t.table);
    most_of_all = std::max(most_of_all, all);
  }
  return most_of_all;
}
}  // namespace mubody

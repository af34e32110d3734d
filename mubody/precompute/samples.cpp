#include "mubody/precompute/samples.h"

#include <algorithm>

#include <fmt/format.h>

namespace mubody {
BodySamples::BodySamples(SamplePlace place, std::vector<int> bodies, std::size_t steady)
    : place_(std::move(place)), bodies_(std::move(bodies)), layout_(place_.closure.system().layout) {
  const System& s = place_.closure.system();
  for (const int body : bodies_) {
    for (int k = 0; k < layout_.coordinates; ++k) {
      const System::Name& name = s.coordinates[std::size_t(layout_.first_coordinate(body) + k)];
      quantities.push_back({name.text, name.unit, true, false});
      if (name.measured == System::Measured::length) quantities.back().size = place_.sizes.length;
    }
    for (int k = 0; k < layout_.velocities; ++k)
      for (std::size_t a = 0; a < place_.arguments.size(); ++a) {
        const auto row = std::size_t(layout_.first_velocity(body) + k);
        const Variable& v = place_.closure.variables()[std::size_t(place_.arguments[a])];
        quantities.push_back({s.velocities[row].text + " per " + v.name + " rate",
                              std::string(s.turns[row] ? "rad" : "m") + "/" + v.unit, true, true, 0, 1,
                              a < steady ? 2 : 1});
        quantities.back().size = (s.turns[row] ? 1 : place_.sizes.length) / place_.unit(a);
      }
  }
}

bool BodySamples::at(const VecX& x, Out values, MatX& slopes) {
  if (!place_.go(x)) return false;
  const ClosureCoefficients c = place_.closure.coefficients();
  const System& s = place_.closure.system();
  const auto &arguments = place_.arguments, &moved = place_.moved;
  MatX dq(s.nq, Eigen::Index(moved.size()));
  VecX rate(s.nq);
  for (std::size_t a = 0; a < moved.size(); ++a) {
    s.rates(place_.closure.q(), c.B.col(moved[a]), rate);
    dq.col(Eigen::Index(a)) = rate;
  }
  Eigen::Index q = 0;
  for (const int body : bodies_) {
    for (int k = 0; k < layout_.coordinates; ++k, ++q) {
      const Eigen::Index row = layout_.first_coordinate(body) + k;
      values[q] = place_.closure.q()[row];
      slopes.row(q) = dq.row(row);
    }
    for (int k = 0; k < layout_.velocities; ++k)
      for (const int l : arguments) {
        const Eigen::Index row = layout_.first_velocity(body) + k;
        values[q] = c.B(row, l);
        for (std::size_t a = 0; a < moved.size(); ++a)
          slopes(q, Eigen::Index(a)) = c.dB[std::size_t(moved[a])](row, l);
        ++q;
      }
  }
  return true;
}

namespace {
// The mass matrix with the blocks of some bodies only, and zeros for the others.
MatX mass_of(const System& s, const std::vector<int>& bodies) {
  MatX M = s.structure.full_mass(s.make_terms().M);
  for (int k = 0; k < s.nu; ++k)
    if (std::ranges::find(bodies, s.body_of_velocity[std::size_t(k)]) == bodies.end()) {
      M.row(k).setZero();
      M.col(k).setZero();
    }
  return M;
}

std::vector<int> both(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
}  // namespace

DynamicsSamples::DynamicsSamples(SamplePlace place, const Mechanism& m, double t,
                                 const std::vector<int>& bodies, const Folding& f, const VecX& start,
                                 const std::vector<VecX>& way)
    : place_(std::move(place)), t_(t), M_(mass_of(place_.closure.system(), bodies)),
      stored_(m, f.stored, bodies), positional_loads_(m, f.positional),
      dampers_(m, both(f.stored, f.positional)), positional_(!positional_loads_.empty()),
      damped_(f.damped && !dampers_.empty()) {
  const auto name = [&](int k) {
    return place_.closure.variables()[std::size_t(place_.arguments[std::size_t(k)])].name;
  };
  const int n = int(place_.arguments.size());
  const Scales& sizes = place_.sizes;
  const double inertia = sizes.mass * sizes.length * sizes.length, energy = inertia / (sizes.time * sizes.time);
  const auto add = [&](std::string text, const char* unit, bool exact, double size) {
    quantities.push_back({std::move(text), unit, exact, exact});
    quantities.back().size = size;
  };
  const auto unit = [&](int k) { return place_.unit(std::size_t(k)); };
  for (int k = 0; k < n; ++k)
    for (int l = 0; l <= k; ++l)
      add(fmt::format("J({}, {})", name(k), name(l)), "kg m^2", true, inertia / (unit(k) * unit(l)));
  add("V", "J", true, energy);
  if (positional_)
    for (int k = 0; k < n; ++k) add(fmt::format("Q({})", name(k)), "N m", false, energy / unit(k));
  if (damped_)
    for (int k = 0; k < n; ++k)
      for (int l = 0; l < n; ++l)
        add(fmt::format("C({}, {})", name(k), name(l)), "N m s", false,
            energy * sizes.time / (unit(k) * unit(l)));
  count(start);
  zero_ = stored_.energy(t_, start, VecX::Zero(M_.rows())).potential;
  for (const VecX& q : way) count(q);
  count(place_.closure.q());
}

void DynamicsSamples::count(const VecX& q) {
  stored_.remember(t_, q);
  positional_loads_.remember(t_, q);
  dampers_.remember(t_, q);
}

bool DynamicsSamples::at(const VecX& x, Out values, MatX& slopes) {
  place_.closure.passed = [this](const VecX& q) { count(q); };
  const bool there = place_.go(x);
  place_.closure.passed = {};
  if (!there) return false;
  const ClosureCoefficients c = place_.closure.coefficients();
  const VecX& q = place_.closure.q();
  const auto &arguments = place_.arguments, &moved = place_.moved;
  const auto n = Eigen::Index(arguments.size());
  const VecX rest = VecX::Zero(c.B.rows());
  MatX B(c.B.rows(), n);
  for (Eigen::Index k = 0; k < n; ++k) B.col(k) = c.B.col(arguments[std::size_t(k)]);
  const MatX MB = M_ * B;
  slopes.setZero();
  Eigen::Index at = 0;
  for (Eigen::Index k = 0; k < n; ++k)
    for (Eigen::Index l = 0; l <= k; ++l, ++at) {
      values[at] = B.col(k).dot(MB.col(l));
      for (std::size_t a = 0; a < moved.size(); ++a) {
        const MatX& dB = c.dB[std::size_t(moved[a])];
        slopes(at, Eigen::Index(a)) =
            dB.col(arguments[std::size_t(k)]).dot(MB.col(l)) + dB.col(arguments[std::size_t(l)]).dot(MB.col(k));
      }
    }
  const double potential = stored_.energy(t_, q, rest).potential;
  values[at] = potential - zero_;
  double& terms = quantities[std::size_t(at)].terms;
  terms = std::max(terms, std::abs(potential) + std::abs(zero_));
  const VecX& g = stored_.at(t_, q, rest);
  for (std::size_t a = 0; a < moved.size(); ++a) slopes(at, Eigen::Index(a)) = -c.B.col(moved[a]).dot(g);
  ++at;
  if (positional_) {
    const VecX Q = B.transpose() * positional_loads_.at(t_, q, rest);
    for (Eigen::Index k = 0; k < n; ++k) values[at++] = Q[k];
  }
  if (damped_) {
    const VecX still = dampers_.at(t_, q, rest);
    MatX C(n, n);
    for (Eigen::Index l = 0; l < n; ++l) C.col(l) = B.transpose() * (still - dampers_.at(t_, q, B.col(l)));
    for (Eigen::Index k = 0; k < n; ++k)
      for (Eigen::Index l = 0; l < n; ++l) values[at++] = C(k, l);
  }
  return true;
}

ScalarSamples::ScalarSamples(SamplePlace place, ScalarRows rows, VecX offset)
    : place_(std::move(place)), rows_(std::move(rows)), offset_(std::move(offset)) {
  for (int k = 0; k < rows_.size(); ++k) {
    quantities.push_back({fmt::format("scalar {}", k + 1), "m|rad", true, true});
    if (!rows_.turns(k)) quantities.back().size = place_.sizes.length;
  }
  VecX values(rows_.size());
  rows_.at(place_.closure.q(), values);
  if (offset_.size() == 0) offset_ = VecX::Zero(rows_.size());
}

bool ScalarSamples::at(const VecX& x, Out values, MatX& slopes) {
  VecX last(rows_.size());
  place_.closure.passed = [&](const VecX& q) { rows_.at(q, last); };
  const bool there = place_.go(x);
  place_.closure.passed = {};
  if (!there) return false;
  MatX R;
  rows_.at(place_.closure.q(), values, &R);
  values += offset_;
  const MatX B = place_.closure.velocity_coefficients();
  const MatX all = R * B;
  for (std::size_t a = 0; a < place_.moved.size(); ++a) slopes.col(Eigen::Index(a)) = all.col(place_.moved[a]);
  return true;
}
}  // namespace mubody

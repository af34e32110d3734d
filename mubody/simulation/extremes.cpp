#include "mubody/simulation/extremes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "mubody/math/lanes.h"

namespace mubody {
namespace {
// Errors of the parabola through three samples, as shares of the size of a channel.  For waves, that of the cubic through four
// is the power 4/3 of it.
constexpr double certain = 1e-3;        // an interpolated extremum is taken
constexpr double likely_enough = 3e-3;  // the same in a step that is over, where no sample can be added
constexpr double most_added =
    3e-3;  // to the largest sample: where samples are sparse, a cubic goes far beyond the curve
constexpr double mere_round_off = 1e-13;  // of the largest number in any channel
constexpr double mere_noise = 1e-9;       // likewise: a channel so small need not be smooth
constexpr double close_to_extreme = 0.3;  // of its range: how close to its extremes a channel is looked at
constexpr double never = std::numeric_limits<double>::quiet_NaN();

// Four numbers at a time.
MUBODY_CLONES bool are_within(const double* x, const double* least, const double* greatest,
                              Eigen::Index count) {
  Eigen::Index k = 0;
  decltype(Quad{} < Quad{}) beyond{};  // a bit for each number that is not within
  for (; k + 4 <= count; k += 4) {
    const Quad some = *reinterpret_cast<const Quad*>(x + k), low = *reinterpret_cast<const Quad*>(least + k);
    const Quad high = *reinterpret_cast<const Quad*>(greatest + k);
    beyond |= ~((some <= high) & (some >= low));
  }
  bool all = !(beyond[0] || beyond[1] || beyond[2] || beyond[3]);
  for (; k < count; ++k) all = all && x[k] <= greatest[k] && x[k] >= least[k];
  return all;
}
}  // namespace

Extremes::Extremes(const NamedList<Channel>& channels, int velocities)
    : channels_(channels), least_(VecX::Zero(listed() ? Eigen::Index(channels.size()) : 0)), least_at_(least_),
      greatest_(least_), greatest_at_(least_), u_(VecX::Zero(listed() ? velocities : 0)), slowest_(u_),
      fastest_(u_) {
  constexpr std::size_t most_open = 10'000;  // at a time; more are possible, and rare
  open_.reserve(listed() ? std::min(2 * channels.size(), most_open) : 0);
  for (Sample& s : samples_) s.values = least_;
}

double Extremes::last() const { return known_ > 0 ? sample(0).t : -std::numeric_limits<double>::infinity(); }

void Extremes::note(Eigen::Index k, double t, double x) {
  if (!std::isfinite(x)) return note_bad(k, t);
  size_ = std::max(size_, std::abs(x));
  if (x > greatest_[k]) greatest_[k] = x, greatest_at_[k] = t;
  if (x < least_[k]) least_[k] = x, least_at_[k] = t;
}

void Extremes::note_bad(Eigen::Index k, double t) {
  if (bad_at_.size() == 0) bad_at_ = VecX::Constant(Eigen::Index(channels_.size()), never);
  if (std::isnan(bad_at_[k])) bad_at_[k] = t;
}

void Extremes::count(double t, const In& values) {
  if (!listed()) {
    if (values.allFinite()) return;
    for (Eigen::Index k = 0; k < values.size(); ++k)
      if (!std::isfinite(values[k])) note_bad(k, t);
    return;
  }
  if (any_) {
    several_ = true;
  } else {
    any_ = true;
    for (Eigen::Index k = 0; k < values.size(); ++k) {
      const double x = std::isfinite(values[k]) ? values[k] : 0;
      least_[k] = greatest_[k] = x;
      least_at_[k] = greatest_at_[k] = t;
      size_ = std::max(size_, std::abs(x));
    }
  }
  // Most samples are within the extremes in all channels; what is not a number is not.
  if (are_within(values.data(), least_.data(), greatest_.data(), values.size())) return;
  for (Eigen::Index k = 0; k < values.size(); ++k)
    if (!(values[k] <= greatest_[k] && values[k] >= least_[k])) note(k, t, values[k]);
}

void Extremes::take(double t, const In& values) {
  count(t, values);
  if (listed() && t > last()) place(t, values);
}

void Extremes::take_row(double t, const In& values) {
  count(t, values);
  if (!only_rows_ && listed() && (known_ < depth ? t > last() : t - last() >= spacing_)) place(t, values);
}

void Extremes::insert(double t, const In& values) {
  count(t, values);
  place(t, values);
}

// In order of time; the oldest sample makes room.
void Extremes::place(double t, const In& values) {
  if (known_ == depth) std::ranges::rotate(samples_, samples_.begin() + 1);
  known_ = std::min(known_ + 1, depth);
  std::size_t at = std::size_t(known_) - 1;
  for (; at > 0 && samples_[at - 1].t > t; --at) std::swap(samples_[at], samples_[at - 1]);
  samples_[at].t = t;
  samples_[at].values = values;
  search();
}

// Newton's form from the last sample back; the term of third order is the error of the parabola, and so more than that of
// the cubic.
std::optional<Extremes::Top> Extremes::top_of(Eigen::Index k, double sign) const {
  const auto x = [&](int back) { return sample(back).t - sample(0).t; };
  const auto f = [&](int back) { return sign * sample(back).values[k]; };
  const double d01 = (f(0) - f(1)) / (x(0) - x(1)), d12 = (f(1) - f(2)) / (x(1) - x(2)),
               d23 = (f(2) - f(3)) / (x(2) - x(3));
  const double d012 = (d01 - d12) / (x(0) - x(2)), d123 = (d12 - d23) / (x(1) - x(3));
  const double d0123 = (d012 - d123) / (x(0) - x(3));
  // p(s) = f0 + d01 s + d012 s (s − x1) + d0123 s (s − x1)(s − x2), and p' = a s² + b s + c
  const double x1 = x(1), x2 = x(2);
  const double a = 3 * d0123, b = 2 * d012 - 2 * d0123 * (x1 + x2), c = d01 - d012 * x1 + d0123 * x1 * x2;
  const double discriminant = b * b - 4 * a * c;
  if (!(discriminant >= 0)) return {};
  // The root at which the slope falls, p'' = 2 a s + b < 0, in a form without cancellation.
  const double root = std::sqrt(discriminant);
  const double s = b <= 0 ? 2 * c / (-b + root) : (-b - root) / (2 * a);
  if (!(s > x2 && s < 0)) return {};
  const double cubic = d0123 * s * (s - x1) * (s - x2);
  return Top{sample(0).t + s, sign * (f(0) + d01 * s + d012 * s * (s - x1) + cubic), std::abs(cubic)};
}

void Extremes::search(Eigen::Index k, double sign) {
  const std::optional<Top> top = top_of(k, sign);
  double& extreme = sign > 0 ? greatest_[k] : least_[k];
  if (!top || !(sign * (top->value - extreme) > 0)) return;
  const double size = std::max(std::abs(greatest_[k]), std::abs(least_[k]));
  const bool within = top->t > from_;
  double highest = sign * sample(0).values[k];
  int equal = 0;
  for (int back = 1; back < depth; ++back) {
    highest = std::max(highest, sign * sample(back).values[k]);
    equal += sample(back).values[k] == sample(back - 1).values[k];
  }
  // Where a channel comes to a limit and stays there it has a corner, which no cubic follows; zero is the limit of those that never
  // change their sign.
  if (equal > 1) return;
  const bool may_stay = equal > 0 || extreme == 0;
  const bool near = sign * top->value - highest <= most_added * size && !may_stay;
  if (near && top->error <= (within ? certain : likely_enough) * size) {
    extreme = top->value;
    (sign > 0 ? greatest_at_ : least_at_)[k] = top->t;
    return;
  }
  const double gain = (sign * (top->value - extreme) + top->error) / size;
  const double spacing = sample(0).t - sample(2).t;
  bool apart = top->error > mere_round_off * size_ && within;
  for (int back = 0; back < 3; ++back) apart = apart && std::abs(top->t - sample(back).t) > 1e-3 * spacing;
  if (!apart || !(gain > certain)) return;
  open_.push_back({k, sign, top->value + sign * top->error});
  if (gain > doubted_) doubt_ = top->t, doubted_ = gain;
}

// Only channels that are close to their extremes and have turned there, or are about to.
void Extremes::search() {
  doubt_.reset();
  open_.clear();
  doubted_ = certain;
  if (known_ < depth) return;
  const double h = sample(0).t - sample(1).t, before = sample(1).t - sample(2).t;
  const double *now = sample(0).values.data(), *middle = sample(1).values.data(),
               *first = sample(2).values.data();
  const double weight = h / before, share = h / (h + before);
  constexpr double steady = 0.25;
  for (Eigen::Index k = 0; k < greatest_.size(); ++k) {
    const double rise = now[k] - middle[k], earlier = (middle[k] - first[k]) * weight;
    // The slope at the end of the parabola through the last three, times h.
    const double slope = rise + (rise - earlier) * share;
    const bool top = rise <= 0 ? earlier >= 0 : slope <= steady * rise;
    const bool bottom = rise >= 0 ? earlier <= 0 : slope >= steady * rise;
    if (!top && !bottom) continue;
    const double reach = close_to_extreme * (greatest_[k] - least_[k]);
    if (top && std::max(now[k], middle[k]) > greatest_[k] - reach) search(k, 1);
    if (bottom && std::min(now[k], middle[k]) < least_[k] + reach) search(k, -1);
  }
  space();
}

// As far apart as cubics through the samples are more than good enough.
void Extremes::space() {
  constexpr double smooth = 0.1 * certain, longer = 1.5, the_same = 0.9, shorter = 0.5;
  const double x1 = sample(1).t - sample(0).t, x2 = sample(2).t - sample(0).t, x3 = sample(3).t - sample(0).t;
  const double h = -x1, cube = h * h * h;
  // Weights of the third divided difference, times h³.
  const double w0 = -cube / (x1 * x2 * x3), w1 = cube / (x1 * (x1 - x2) * (x1 - x3)),
               w2 = cube / (x2 * (x2 - x1) * (x2 - x3)), w3 = cube / (x3 * (x3 - x1) * (x3 - x2));
  const double *f0 = sample(0).values.data(), *f1 = sample(1).values.data(), *f2 = sample(2).values.data(),
               *f3 = sample(3).values.data();
  double rough = 0;
  for (Eigen::Index k = 0; k < greatest_.size(); ++k) {
    const double third = std::abs(w0 * f0[k] + w1 * f1[k] + w2 * f2[k] + w3 * f3[k]);
    const double size = std::max(std::max(greatest_[k], -least_[k]), mere_noise * size_);
    if (third > rough * size) rough = third / size;
  }
  spacing_ = (rough < smooth ? longer : rough < certain ? the_same : shorter) * h;
}

// A change of velocity that is faster than all before it is a force that must be seen.
bool Extremes::is_due(double t, const In& u) {
  constexpr double most_steps = 16;
  const double h = t - from_, unseen = t - last();
  const bool unusual = is_unusual(h, u);
  return unseen > 0 && (unusual || unseen >= std::min(spacing_, most_steps * h));
}

bool Extremes::is_unusual(double h, const In& u) {
  // Most steps are within what was seen before, in all velocities: four of them at a time.
  const double *const now = u.data(), *const before = u_.data();
  const Eigen::Index whole = u_.size() - u_.size() % 4;
  Eigen::Array4d outside = Eigen::Array4d::Constant(-1);
  bool within = true;
  for (Eigen::Index k = 0; k < whole; k += 4) {
    const Eigen::Array4d change = Eigen::Array4d::Map(now + k) - Eigen::Array4d::Map(before + k);
    outside = outside.max(change - h * Eigen::Array4d::Map(fastest_.data() + k))
                  .max(h * Eigen::Array4d::Map(slowest_.data() + k) - change);
  }
  for (Eigen::Index k = whole; k < u_.size(); ++k)
    within = within && now[k] - before[k] <= h * fastest_[k] && now[k] - before[k] >= h * slowest_[k];
  if (within && outside.maxCoeff() <= 0) return false;
  constexpr double beyond = 0.05;
  bool unusual = false;
  for (Eigen::Index k = 0; k < u_.size(); ++k) {
    const double a = (now[k] - before[k]) / h, more = beyond * (fastest_[k] - slowest_[k]);
    unusual |= a > fastest_[k] + more || a < slowest_[k] - more;
    fastest_[k] = std::max(fastest_[k], a), slowest_[k] = std::min(slowest_[k], a);
  }
  return unusual;
}

void Extremes::give_up() {
  if (perhaps_least_.size() == 0 && !open_.empty()) {
    perhaps_least_ = VecX::Constant(least_.size(), std::numeric_limits<double>::infinity());
    perhaps_greatest_ = -perhaps_least_;
  }
  for (const Open& o : open_)
    if (o.sign > 0)
      perhaps_greatest_[o.channel] = std::max(perhaps_greatest_[o.channel], o.value);
    else
      perhaps_least_[o.channel] = std::min(perhaps_least_[o.channel], o.value);
  doubt_.reset();
  open_.clear();
}

void Extremes::remark_open(Results& r) const {
  constexpr std::size_t most_named = 4;
  std::vector<std::string> names;
  for (Eigen::Index k = 0; k < perhaps_greatest_.size(); ++k) {
    const double size = std::max(std::abs(greatest_[k]), std::abs(least_[k]));
    const bool beyond =
        perhaps_greatest_[k] > greatest_[k] + certain * size || perhaps_least_[k] < least_[k] - certain * size;
    if (beyond && size > mere_noise * size_) names.push_back(channels_[std::size_t(k)].name);
  }
  if (names.empty()) return;
  const std::size_t more = names.size() > most_named ? names.size() - most_named : 0;
  names.resize(names.size() - more);
  r.remarks.push_back(fmt::format(
      "extremes of {}{} are those at accepted steps, and may be exceeded between them: they change "
      "too fast to be located in every step; a smaller max_step, or rows closer together, shows more",
      fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more channels", more) : ""));
}

void Extremes::report(Results& r) const {
  r.extremes.clear();
  std::size_t next = 0;
  if (several_) r.extremes.reserve(channels_.size());
  for (std::size_t c = 0; listed() && c < channels_.size(); ++c) {
    const auto k = Eigen::Index(c);
    const bool of_reaction = channels_.rest(c).reaction && next < r.reactions.size();
    if (!several_ && !of_reaction) continue;
    Extreme x{std::string(channels_.name(c)),
              channels_.unit(c),
              least_[k],
              least_at_[k],
              greatest_[k],
              greatest_at_[k]};
    if (of_reaction) r.reactions[next].largest = x.largest(), r.reactions[next++].at = x.largest_at();
    if (several_) r.extremes.push_back(std::move(x));
  }
  if (!listed())
    r.remarks.push_back(
        fmt::format("extremes and reactions are not listed: there are {} columns of results, and "
                    "lists end at {}",
                    channels_.size(), watch::most_listed));
  remark_open(r);
  for (Eigen::Index k = 0; k < bad_at_.size(); ++k)
    if (!std::isnan(bad_at_[k]))
      r.not_finite.push_back({std::string(channels_.name(std::size_t(k))), bad_at_[k]});
}

void Extremes::memory(Memory& m) {
  m(least_, least_at_, greatest_, greatest_at_, bad_at_, any_, several_, size_, samples_, known_);
  m(spacing_, u_, slowest_, fastest_, perhaps_least_, perhaps_greatest_);
  open_.clear();
  doubt_.reset();
}
}  // namespace mubody

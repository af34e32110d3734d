#include "mubody/precompute/region_maker.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "mubody/precompute/series_report.h"
#include "mubody/precompute/tables/taylor.h"

namespace mubody {
std::vector<std::vector<Station>> RegionMaker::lines() {
  std::vector<std::vector<Station>> all;
  for (int k = 0; k < free_; ++k) {
    const VariableRange& v = plan_.ranges[std::size_t(k)];
    std::vector<Station> line;
    VecX at = theta_;
    for (int s = 0; s <= stations; ++s) {
      at[k] = v.low + (v.high - v.low) * s / stations;
      if (!closure_.go(at)) unreachable(at);
      line.push_back({closure_.q(), closure_.velocity_coefficients()});
      for (int l = 0; l < free_; ++l)
        if (!plan_.ranges[std::size_t(l)].turn) line.back().B.col(l) *= closure_.length();
    }
    all.push_back(std::move(line));
    closure_.go(theta_);
  }
  return all;
}

void RegionMaker::prepare(const Folding& folding, const std::vector<Measure>& scalars) {
  folding_ = folding;
  find_arguments();
  const auto refuse = [&](const std::string& what, const std::vector<int>& all) {
    const std::vector<int> arguments = axes_of(all);
    if (arguments.size() <= most_arguments) return;
    std::vector<std::string> names;
    for (const int k : arguments) names.push_back(plan_.ranges[std::size_t(k)].name);
    throw ModelError(fmt::format(
        "the {} depend{} on {} variables at once ({}), and tables have at most {}: hold some of them "
        "with a fixed joint, or use 'mubody run' with the model itself",
        what, what.ends_with('s') ? "" : "s", names.size(), fmt::join(names, ", "), most_arguments));
  };
  for (const Group& g : groups(false)) refuse("motion of " + names_of(g.bodies), g.arguments);
  if (geometry_alone_) return;
  for (const Group& g : groups(true)) refuse("inertia and forces", g.arguments);
  if (!scalars.empty()) refuse("scalars of forces", all_arguments());
}

std::string RegionMaker::names_of(const std::vector<int>& bodies) const {
  std::vector<std::string> names;
  for (const int b : bodies) names.push_back(m_.body_name(b));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<int> RegionMaker::all_arguments() const {
  std::vector<int> all(static_cast<std::size_t>(free_));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Region RegionMaker::make(const std::vector<Measure>& scalars) {
  Region r;
  r.variables = plan_.ranges;
  r.below = plan_.below;
  r.above = plan_.above;
  for (const Group& g : geometry_alone_ ? std::vector<Group>() : groups(true)) {
    const std::vector<int>&arguments = g.arguments, &bodies = g.bodies;
    Folding own = folding_of(folding_, arguments);
    home();
    DynamicsSamples f(place(closure_, arguments), m_, study_.analysis.start, bodies, own, start_, plan_.way);
    r.dynamics.push_back({{}, f.positional(), f.damped()});
    r.dynamics.back().table =
        table(f, arguments, "inertia and forces", r.dynamics.back().order,
              [&](const Study& s, Closure& c, const VecX& q) {
                return std::make_unique<DynamicsSamples>(place(c, arguments), s.mechanism, s.analysis.start,
                                                         bodies, own, q, plan_.way);
              });
  }
  for (const Group& g : groups(false)) {
    const std::vector<int>&arguments = g.arguments, &bodies = g.bodies;
    home();
    if (geometry_alone_) giving_ = g.stiff;
    const std::size_t steady = geometry_alone_ ? arguments.size() : 0;
    BodySamples f(place(closure_, arguments), bodies, steady);
    r.bodies.push_back({{}, bodies, {}, g.stiff});
    r.bodies.back().table = table(f, arguments, "motion of " + names_of(bodies), r.bodies.back().order,
                                  [&](const Study&, Closure& c, const VecX&) {
                                    return std::make_unique<BodySamples>(place(c, arguments), bodies, steady);
                                  });
    if (series() && !geometry_alone_ && made_.outcome && !effort_.only_look)
      report_series(made_.tables.back(), r.bodies.back().order, closure_.system().layout, made_);
  }
  if (!scalars.empty()) {
    home();
    const std::vector<int> arguments = all_arguments();
    std::vector<int> all;
    for (std::size_t k = 0; k < scalars.size(); ++k) all.push_back(int(k));
    const auto counted = [&](const Mechanism& m, const VecX& start) {
      ScalarRows rows(m, seen_by(m, folding_));
      VecX values(rows.size());
      rows.at(start, values);
      for (const VecX& q : plan_.way) rows.at(q, values);
      return rows;
    };
    ScalarSamples f(place(closure_, arguments), counted(m_, start_));
    r.scalars.push_back({{}, all});
    r.scalars.back().table =
        table(f, arguments, "scalars of forces", r.scalars.back().order,
              [&](const Study& s, Closure& c, const VecX& q) {
                return std::make_unique<ScalarSamples>(place(c, arguments), counted(s.mechanism, q));
              });
  }
  if (!plan_.next.empty()) {
    home();
    ScalarRows rows(m_, plan_.next);
    VecX now(rows.size());
    rows.at(plan_.q, now);
    ScalarSamples f(place(closure_, {0}), std::move(rows), plan_.next_values - now);
    r.next = table(f, {0}, "variables of the next regions", r.next_order, {});
  }
  return r;
}

void RegionMaker::unreachable(const VecX& at) const {
  std::string where;
  for (Eigen::Index k = 0; k < free_; ++k)
    where += (k > 0 ? ", " : "") + plan_.ranges[std::size_t(k)].name + " = " +
             value_text(at[k], plan_.ranges[std::size_t(k)].turn);
  throw ModelError(
      fmt::format("the mechanism cannot go to {}: it lies beyond a dead point or a singular position; give "
                  "a smaller range with --range, or other variables with --independent",
                  where));
}

std::vector<int> RegionMaker::all_stiff() const {
  std::vector<int> all(stiff_.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<int> RegionMaker::stiff_of(int body) const {
  std::vector<int> own = all_stiff();
  std::erase_if(own, [&](int k) { return !moves_[std::size_t(body)][std::size_t(free_ + k)]; });
  return own;
}

std::vector<TaylorSamples::Small> RegionMaker::small(const std::vector<int>& which) const {
  std::vector<TaylorSamples::Small> all;
  for (const int k : which) {
    const Variable& v = stiff_[std::size_t(k)];
    const double unit = v.turn ? 1 : closure_.length();
    all.push_back({v.name, difference * unit, expected_deflection * unit});
  }
  return all;
}

std::vector<int> RegionMaker::with_stiff(std::vector<int> arguments) const {
  for (const int k : giving_) arguments.push_back(free_ + k);
  return arguments;
}

std::vector<int> RegionMaker::axes_of(std::vector<int> arguments) const {
  std::erase_if(arguments, [this](int k) { return plan_.ranges[std::size_t(k)].cyclic; });
  return arguments;
}

VecX RegionMaker::somewhere(int sample) const {
  VecX at = theta_;
  for (int k = 0; k < free_; ++k) {
    const VariableRange& v = plan_.ranges[std::size_t(k)];
    const double share = 0.1 + 0.8 * std::fmod(0.5 + 0.618034 * sample * (k + 1), 1.0);
    at[k] = v.low + share * (v.high - v.low);
  }
  for (int k = free_; k < closure_.n(); ++k)
    at[k] = difference * (sample % 3 - 1) * (stiff_[std::size_t(k - free_)].turn ? 1 : closure_.length());
  return at;
}

std::vector<std::string> RegionMaker::not_cyclic(const Folding& folding, const std::vector<Measure>& scalars,
                                                 std::vector<VecX>& rates) {
  std::vector<std::string> names;
  rates.resize(std::size_t(free_));
  for (int k = 0; k < free_; ++k)
    if (plan_.ranges[std::size_t(k)].cyclic && depends_on(k, folding, scalars, rates[std::size_t(k)]))
      names.push_back(plan_.ranges[std::size_t(k)].name);
  home();
  return names;
}

// Inertia and forces must not change with the variable, and scalars of forces no more than in proportion to it.
bool RegionMaker::depends_on(int k, const Folding& folding, const std::vector<Measure>& scalars, VecX& rate) {
  constexpr double same = 1e-11;  // of the size of a quantity
  home();
  std::vector<int> bodies(m_.bodies.size());
  std::iota(bodies.begin(), bodies.end(), 1);
  const std::vector<int> all = with_stiff(all_arguments());
  const SamplePlace place(closure_, all, all, closure_.system().scales);
  DynamicsSamples f(place, m_, study_.analysis.start, bodies, folding, start_, plan_.way);
  ScalarSamples g(place, ScalarRows(m_, scalars));
  VecX values(Eigen::Index(f.quantities.size())), first = values, seen(Eigen::Index(scalars.size()));
  MatX slopes(values.size(), closure_.n()), seen_slopes(seen.size(), closure_.n());
  const VariableRange& v = plan_.ranges[std::size_t(k)];
  // All the way once, for slides on both sides, and then at some places with other values of the other variables.
  constexpr int strides = 96;
  const double begin = v.turn ? 0 : -6, way = v.turn ? 1 : 12;
  for (int sample = 0; sample < 4; ++sample)
    for (int place_on_way = 0; place_on_way < strides; place_on_way += sample == 0 ? 1 : 36) {
      VecX at = somewhere(sample);
      at[k] = v.low + (begin + way * place_on_way / strides) * (v.high - v.low);
      if (!f.at(at, values, slopes) || !g.at(at, seen, seen_slopes)) return true;
      if (place_on_way == 0) first = values;
      for (Eigen::Index q = 0; q < values.size(); ++q) {
        const Sampled::Quantity& what = f.quantities[std::size_t(q)];
        const double size = std::max({what.size, what.terms, std::abs(first[q])});
        if (std::abs(values[q] - first[q]) > same * size) return true;
      }
      if (rate.size() == 0) rate = seen_slopes.col(k);
      for (Eigen::Index q = 0; q < rate.size(); ++q)
        if (std::abs(seen_slopes(q, k) - rate[q]) > same * g.quantities[std::size_t(q)].size / closure_.unit(k))
          return true;
    }
  return false;
}

void RegionMaker::find_arguments() {
  const System& s = closure_.system();
  const bool all = (free_ == 1 && (!geometry_alone_ || stiff_.empty())) || !o_.design.empty();
  moves_.assign(m_.bodies.size() + 1, std::vector<bool>(std::size_t(closure_.n()), all));
  if (all) return;
  constexpr int samples = 9;
  const std::vector<VecX> way = effort_.near ? effort_.near->places() : std::vector<VecX>();
  for (std::size_t sample = 0; sample < (way.empty() ? samples : way.size()); ++sample) {
    const VecX at = way.empty() ? somewhere(int(sample)) : way[sample];
    if (!closure_.go(at)) unreachable(at);
    if (sample % (1 + way.size() / samples) != 0) continue;  // the mechanism follows the motion
    const MatX B = closure_.velocity_coefficients();
    for (int row = 0; row < s.nu; ++row)
      for (int k = 0; k < closure_.n(); ++k)
        if (std::abs(B(row, k)) > no_motion * (s.units[row] / closure_.unit(k)))
          moves_[std::size_t(s.body_of_velocity[std::size_t(row)])][std::size_t(k)] = true;
  }
  if (free_ == 1)
    for (std::vector<bool>& of_body : moves_) of_body[0] = true;
  home();
}

std::vector<int> RegionMaker::arguments_of(const std::vector<int>& bodies) const {
  std::vector<int> all;
  for (int k = 0; k < free_; ++k)
    for (const int b : bodies)
      if (b != ground && moves_[std::size_t(b)][std::size_t(k)]) {
        all.push_back(k);
        break;
      }
  return all;
}

std::vector<RegionMaker::Group> RegionMaker::groups(bool merged) const {
  std::vector<Group> all;
  for (int b = 1; b <= int(m_.bodies.size()); ++b) {
    const std::vector<int> own = arguments_of({b}), stiff = geometry_alone_ ? stiff_of(b) : std::vector<int>();
    const auto g =
        std::ranges::find_if(all, [&](const Group& o) { return o.arguments == own && o.stiff == stiff; });
    // Bodies that move little then have few cells; these take much memory with three arguments.
    const bool by_itself = geometry_alone_ && own.size() > 2;
    if (g == all.end() || by_itself)
      all.push_back({own, {b}, stiff});
    else
      g->bodies.push_back(b);
  }
  if (!merged) return all;
  // A force that goes into tables needs one that has the arguments of both its bodies.
  for (const auto& some : {folding_.stored, folding_.positional})
    for (const int k : some) {
      const AnyForce& f = *m_.forces[std::size_t(k)].what;
      const std::vector<int> own = arguments_of({f.i().body, f.j().body});
      if (std::ranges::find(all, own, &Group::arguments) == all.end()) all.push_back({own, {}});
    }
  std::ranges::sort(all,
                    [](const Group& a, const Group& b) { return a.arguments.size() > b.arguments.size(); });
  std::vector<Group> kept;
  for (Group& g : all) {
    const auto home_of = std::ranges::find_if(
        kept, [&](const Group& k) { return std::ranges::includes(k.arguments, g.arguments); });
    if (home_of == kept.end())
      kept.push_back(std::move(g));
    else
      home_of->bodies.insert(home_of->bodies.end(), g.bodies.begin(), g.bodies.end());
  }
  return kept;
}

Folding RegionMaker::folding_of(const Folding& all, const std::vector<int>& arguments) const {
  Folding own;
  own.damped = all.damped;
  const auto tables = groups(true);
  const auto take = [&](const std::vector<int>& from, std::vector<int>& to) {
    for (const int k : from) {
      const AnyForce& f = *m_.forces[std::size_t(k)].what;
      const std::vector<int> needs = arguments_of({f.i().body, f.j().body});
      const auto at = std::ranges::find_if(
          tables, [&](const Group& g) { return std::ranges::includes(g.arguments, needs); });
      if (at->arguments == arguments) to.push_back(k);
    }
  };
  take(all.stored, own.stored);
  take(all.positional, own.positional);
  return own;
}

double RegionMaker::share_done() const {
  const double tables = double(groups(true).size() + groups(false).size()) + 1;
  return std::min(1.0, double(made_.tables.size()) / (tables * made_.regions_planned));
}

double RegionMaker::left() const {
  double used = 0;
  for (const TableReport& t : made_.tables) used += double(t.bytes);
  return o_.memory - used;
}

// Equations are solved for all velocities, and derivatives in small variables are differences of four samples each.
double RegionMaker::work_of_sample() const {
  constexpr double small = 22;  // velocities, whose equations take as long as everything else
  const double one = 1 + std::pow(closure_.system().nu / small, 3);
  return one * double(1 + 4 * stiff_.size()) * double(1 + 4 * o_.design.size());
}

double RegionMaker::work_left() const {
  double used = 0;
  for (const TableReport& t : made_.tables) used += double(t.samples + t.checks);
  return effort_.most - used * work_of_sample();
}

LookupTable RegionMaker::table(Sampled& f, const std::vector<int>& arguments, const std::string& what,
                               std::vector<int>& order, const DesignFamily::Make& make) {
  if (giving_.empty() && o_.design.empty()) return table(f, arguments, what);
  const int axes = int(axes_of(arguments).size());
  for (const Sampled::Quantity& q : f.quantities) order.push_back(stiff_.empty() ? 0 : q.series);
  TaylorSamples terms(f, axes, small(giving_), order, true);
  order = terms.order();
  if (o_.design.empty()) return table(terms, arguments, what, {order, int(giving_.size())});
  DesignFamily family(study_, o_.design, plan_, axes, terms, [&](const Study& s, Closure& c, const VecX& q) {
    return std::make_unique<TaylorSamples>(make(s, c, q), axes, small(giving_), order, true);
  });
  std::vector<TaylorSamples::Small> changes;
  for (std::size_t k = 0; k < o_.design.size(); ++k) changes.push_back({o_.design[k], family.step(k)});
  TaylorSamples all(family, axes, changes, std::vector<int>(terms.quantities.size(), 1), false);
  return table(all, arguments, what);
}

LookupTable RegionMaker::table(Sampled& f, const std::vector<int>& arguments, const std::string& what,
                               const KnownSeries& known) {
  TableOptions options;
  options.degree = made_.model.degree;
  options.bound = o_.share();
  options.own_scale = !o_.bound;
  options.memory = left();
  options.work = work_left() / work_of_sample();
  options.only_look = effort_.only_look;
  options.thrifty = geometry_alone_ && axes_of(arguments).size() > 1;
  if (effort_.only_look) options.work = Effort::a_look / work_of_sample();
  options.cells = &effort_.cells;
  options.intervals = intervals_for(axes_of(arguments).size());
  if (effort_.only_look && axes_of(arguments).size() > 2) options.intervals = 1;  // the others are many
  options.going = [this, done = share_done()] { return !patience_.lost() && (!progress_ || progress_(done)); };
  if (notice_ && !effort_.only_look) options.announce = [&](double bytes) { notice_(what, bytes); };
  std::vector<Axis> axes;
  for (const int k : axes_of(arguments)) {
    const VariableRange& v = plan_.ranges[std::size_t(k)];
    axes.emplace_back(v.low, v.high, v.periodic, options.intervals);
    options.units.push_back(unit_of(k));
  }
  options.near = effort_.near;
  const bool may_share =
      effort_.known && !effort_.only_look && !effort_.near && arguments.size() == axes.size();
  if (may_share)
    if (auto twin =
            effort_.known->twin_of(f, arguments, axes, options.degree, known, closure_.system().layout)) {
      twin->report.what = what + ", as " + twin->report.what;
      twin->report.arguments.clear();
      for (const int k : arguments) twin->report.arguments.push_back(plan_.ranges[std::size_t(k)].name);
      made_.model.certified = std::max(made_.model.certified, twin->report.error);
      made_.tables.push_back(std::move(twin->report));
      return std::move(twin->table);
    }
  MadeTable t = make_table(f, arguments, std::move(axes), options);
  if (t.ending == MadeTable::interrupted) {
    made_.outcome = patience_.lost() ? patience_.outcome(0, "while the table of " + what + " was made")
                                     : Outcome{Outcome::interrupted, 0,
                                               "stopped by the user while the table of " + what + " was made"};
    return {};
  }
  if (t.ending == MadeTable::looked) {
    effort_.bytes += t.needed;
    effort_.work += t.work * work_of_sample();
    return {};
  }
  if (t.ending != MadeTable::made) fail(t, what, arguments);
  TableReport report{what, {}, t.table.cells(), t.table.bytes(), t.certificate.samples, t.certificate.checks,
                     0,    "", f.quantities,    t.certificate};
  for (const int k : axes_of(arguments)) report.arguments.push_back(plan_.ranges[std::size_t(k)].name);
  for (std::size_t q = 0; q < f.quantities.size(); ++q)
    if (const double e = std::max(t.certificate.value[q] / t.certificate.value_size[q],
                                  t.certificate.slope[q] / t.certificate.slope_size[q]);
        e > report.error)
      report.error = e, report.worst = f.quantities[q].name;
  made_.model.certified = std::max(made_.model.certified, report.error);
  if (may_share) effort_.known->add(f, t.table, report);
  made_.tables.push_back(std::move(report));
  return std::move(t.table);
}

void RegionMaker::fail(const MadeTable& t, const std::string& what, const std::vector<int>& arguments) const {
  if (t.ending == MadeTable::unreachable) {
    VecX at = plan_.theta;
    for (Eigen::Index a = 0; a < t.where.size(); ++a) at[arguments[std::size_t(a)]] = t.where[a];
    unreachable(at);
  }
  if (t.ending == MadeTable::out_of_memory)
    throw TooTight(
        fmt::format("the table of {} needs at least {:.3g} MB for a bound of {:.1g} with polynomials of "
                    "degree {}, and {:.3g} MB may be taken",
                    what, t.needed / 1e6, o_.share(), made_.model.degree, left() / 1e6),
        t.needed / std::max(1.0, left()));
  if (t.ending == MadeTable::too_long)
    throw TooTight(
        fmt::format("the table of {} takes at least {:.2g} evaluations of the mechanism", what, t.work),
        t.work * work_of_sample() / std::max(1.0, work_left()));
  const std::string stays =
      fmt::format("the table of {} stays above the bound however fine the cells are, by its {}", what, t.worst);
  constexpr double jump = 1e4;  // errors above this, relative to the bound, show that a quantity jumps
  if (t.reached > jump * o_.share())
    throw ModelError(
        fmt::format("{}: it jumps within the range, as it does in a singular position; give a smaller range "
                    "with --range, or other variables with --independent",
                    stays));
  throw TooTight(
      fmt::format("{}: double precision does not allow a bound of {:.1g} with polynomials of degree {}", stays,
                  o_.share(), made_.model.degree),
      1);
}
}  // namespace mubody

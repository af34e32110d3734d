#include "mubody/simulation/recorder.h"

#include <algorithm>
#include <array>

#include "mubody/math/finite.h"
#include "mubody/watches/redundancy.h"

namespace mubody {
namespace {
constexpr const char* group_names[] = {"bodies", "joints", "points", "forces", "signals"};
Magnitude magnitude(const In& x) { return magnitude_of(x.data(), x.size()); }

Column column_of(const System& s, const Channel& c) {
  return {c.name, c.unit, false, c.body == ground ? -1 : s.group_of_body[std::size_t(c.body)]};
}

/// The groups of bodies, if there are several.
std::vector<GroupBalance> groups_of(const System& s) {
  if (s.groups < 2) return {};
  std::vector<GroupBalance> all(std::size_t(s.groups));
  for (std::size_t b = 1; b < s.body_names.size(); ++b)
    all[std::size_t(s.group_of_body[b])].bodies.push_back(s.body_names[b]);
  return all;
}
}  // namespace

Recorder::Recorder(System& s, System& bodies, const OutputOptions& output, Results& results, bool balance)
    : system_(s), bodies_(bodies), view_(s, bodies), results_(results), nu_(VecX::Zero(s.m)),
      extremes_(s.channels, s.nu), balance_(balance), energies_(std::size_t(s.groups)) {
  results_.tables.clear();
  results_.balances = groups_of(s);
  of_groups_.resize(results_.balances.size());
  std::array<std::size_t, std::size(group_names)> counts{};
  for (std::size_t k = 0; k < s.channels.size(); ++k) ++counts[s.channels.rest(k).group];
  for (std::size_t g = 0; g < counts.size(); ++g) {
    add_table(group_names[g], {});
    results_.tables.back().columns.reserve(1 + counts[g]);
  }
  for (const Channel& c : s.channels) results_.tables[c.group].columns.push_back(column_of(s, c));
  for (Table& t : results_.tables) t.columns.shrink_to_fit();
  NamedList<Column> energy{{"kinetic", "J"}, {"potential", "J"}, {"total", "J"}};
  if (balance) {
    for (const char* name : {"driver_work", "applied_work", "dissipated"}) energy.push_back({name, "J"});
    if (s.contacts().any() || s.grips.any())
      for (const char* name : {"contact_loss", "friction_loss", "film_loss"}) energy.push_back({name, "J"});
    energy.push_back({"residual", "J", true});
  } else {
    energy.push_back({"driver_power", "W"});
  }
  add_table("energy", energy);
  table("energy").energies = true;
  NamedList<Column> violations{{"position", "m|rad", true},
                               {"velocity", "m/s|rad/s", true},
                               {"position_squares", "m²|rad²", true},
                               {"velocity_squares", "m²/s²|rad²/s²", true}};
  for (const JointRows& j : s.joints) {
    if (j.of_particle) continue;
    violations.push_back({j.name + ".position", "m|rad", true});
    violations.push_back({j.name + ".velocity", "m/s|rad/s", true});
  }
  add_table("violations", violations);
  if (!output.channels.empty()) {
    NamedList<Column> columns;
    for (const std::string& name : output.channels)
      for (std::size_t k = 0; k < s.channels.size(); ++k)
        if (s.channels.name(k) == name)
          columns.push_back(column_of(s, s.channels[k])), wanted_.push_back(int(k));
    add_table("channels", columns);
  }
  std::erase_if(results_.tables, [](const Table& t) { return t.columns.size() < 2; });  // nothing but the time
  for (std::size_t k = 0; k < results_.tables.size(); ++k) index_[results_.tables[k].name] = k;
  energy_ = index_.at("energy"), violations_ = index_.at("violations");
  if (!wanted_.empty()) channels_ = index_.at("channels");
  for (std::size_t k = 0; k < s.channels.size(); ++k) {
    const std::size_t at = index_.at(group_names[s.channels.rest(k).group]);
    if (runs_.empty() || runs_.back().table != at) runs_.push_back({at, Eigen::Index(k), 0});
    ++runs_.back().count;
  }
  values_ = VecX::Zero(Eigen::Index(s.channels.size()));
}

void Recorder::add_table(const std::string& name, const NamedList<Column>& columns) {
  NamedList<Column> all{{"time", "s"}};
  all.reserve(1 + columns.size());
  for (const Column& c : columns) all.push_back(c);
  index_[name] = results_.tables.size();
  results_.tables.push_back({name, std::move(all), {}});
}

void Recorder::mark_reactions(double t) {
  std::vector<Reaction>& all = results_.reactions;
  if (all.empty() && rows_ == 0) all = list_reactions(system_);
  // What is open changes with the position, but slowly: every row at first, then one in sixteen.
  constexpr long first_rows = 16, every = 16;
  if (results_.freedom.always_redundant() && (rows_ < first_rows || rows_ % every == 0))
    mark_unique(bodies_, t, view_.q(), view_.u(), all);
  ++rows_;
}

double Recorder::watch(double t, const VecX& phi, const VecX& rate) {
  Statistics& s = results_.statistics;
  const Magnitude size = magnitude_of(phi.data(), phi.size()), speed = magnitude_of(rate.data(), rate.size());
  const double share = system_.gap(phi);
  keep_largest(s.largest_violation, size.largest);
  if (!(share <= s.violation_share)) {
    keep_largest(s.violation_share, share);
    s.worst_joint.clear(), s.worst_body.clear();
    const auto has_worst = [&](int first, int count) {
      for (int r = first; r < first + count; ++r)
        if (std::abs(phi[r]) / system_.row_units[r] == share) return true;
      return false;
    };
    for (const JointRows& j : system_.joints)
      if (has_worst(j.first, j.count)) s.worst_joint = j.name;
    for (const OwnRows& o : system_.own)
      if (s.worst_joint.empty() && has_worst(o.first, o.count))
        s.worst_body = system_.body_names[std::size_t(o.body)];
  }
  keep_largest(s.largest_rate, speed.largest);
  keep_largest(s.largest_square, size.squares);
  keep_largest(s.largest_rate_square, speed.squares);
  note_means(t, size.largest, speed.largest);
  return share;
}

void Recorder::correct(double energy) {
  results_.statistics.corrected_energy += energy;
  results_.statistics.corrected_energy_size += std::abs(energy);
}

// By the trapezoidal rule, so that steps of different size count as long as they last.  Rows of results lie within
// steps that are counted already.
void Recorder::note_means(double t, double violation, double rate) {
  if (watched_ && !(t > watched_to_)) return;
  if (!watched_) {
    watched_ = true;
    watched_from_ = t;
  } else {
    violation_sum_ += (t - watched_to_) * (last_violation_ + violation) / 2;
    rate_sum_ += (t - watched_to_) * (last_rate_ + rate) / 2;
  }
  watched_to_ = t;
  last_violation_ = violation, last_rate_ = rate;
}

void Recorder::conclude(Results& r) const {
  const double time = watched_to_ - watched_from_;
  r.statistics.mean_violation = time > 0 ? violation_sum_ / time : last_violation_;
  r.statistics.mean_rate = time > 0 ? rate_sum_ / time : last_rate_;
  extremes_.report(r);
}

void Recorder::memory(Memory& m) {
  m(watched_from_, watched_to_, last_violation_, last_rate_, violation_sum_, rate_sum_, watched_);
  m(all_, of_groups_, first_, rows_, extremes_);
}

double Recorder::Balance::residual(const Energy& e, const Work& work) const {
  return e.kinetic + e.potential - start - work.drivers - work.supplied + work.lost();
}

double Recorder::Balance::most(const Energy& e, const Work& work) const {
  double scale = 0;
  for (const double x : {e.kinetic, std::abs(e.potential - start_potential), std::abs(work.drivers),
                         std::abs(work.supplied), work.lost()})
    keep_largest(scale, x);
  return scale;
}

double Recorder::balance(double t, const In& q, const In& u, const In& z, std::span<const Work> works) {
  system_.energies(t, q, u, z, energies_);
  Energy& total = total_ = energies_[0];
  Work work = works[0];
  for (std::size_t g = 1; g < energies_.size(); ++g) total += energies_[g];
  for (std::size_t g = 1; g < works.size(); ++g) work += works[g];
  const auto begin = [](const Energy& e) { return Balance{e.kinetic + e.potential, e.potential}; };
  if (first_) {
    all_ = begin(total);
    std::transform(energies_.begin(), energies_.begin() + std::ptrdiff_t(of_groups_.size()), of_groups_.begin(),
                   begin);
  }
  first_ = false;
  Statistics& s = results_.statistics;
  const double residual = all_.residual(total, work);
  if (balance_) keep_largest(s.energy_residual, std::abs(residual));
  keep_largest(s.energy_scale, all_.most(total, work));
  const bool known = balance_ && works.size() == of_groups_.size();
  for (std::size_t g = 0; known && g < of_groups_.size(); ++g) {
    GroupBalance& group = results_.balances[g];
    keep_largest(group.residual, std::abs(of_groups_[g].residual(energies_[g], works[g])));
    keep_largest(group.scale, of_groups_[g].most(energies_[g], works[g]));
  }
  return residual;
}

// The largest force times the size of the mechanism: what round-off of forces at rest is a part of.
void Recorder::note_loads(const Dynamics& d) {
  const double far = bodies_.room(view_.q()).length;
  Statistics& s = results_.statistics;
  const double reaction = d.lambda.cwiseProduct(system_.row_units).lpNorm<Eigen::Infinity>(),
               load = d.terms.Q.cwiseProduct(system_.units).lpNorm<Eigen::Infinity>();
  s.load_scale = std::max(s.load_scale, far * (reaction + load));
  if (results_.balances.empty()) return;
  const auto note = [&](int group, double work) {
    double& most = results_.balances[std::size_t(group)].load;
    most = std::max(most, far * std::abs(work));
  };
  for (const JointRows& j : system_.joints)
    for (int r = j.first; r < j.first + j.count; ++r)
      note(system_.group_of(j), d.lambda[r] * system_.row_units[r]);
  for (int k = 0; k < system_.nu; ++k)
    note(system_.group_of_body[std::size_t(system_.body_of_velocity[std::size_t(k)])],
         d.terms.Q[k] * system_.units[k]);
}

void Recorder::note_not_finite(const Table& table) {
  const std::size_t row = table.rows() - 1;
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    if (std::isfinite(table.at(row, c))) continue;
    const std::string& name = table.columns[c].name;
    if (std::ranges::find(results_.not_finite, name, &NotFinite::channel) == results_.not_finite.end())
      results_.not_finite.push_back({name, table.at(row, 0)});
  }
}

void Recorder::record(double t, const In& q, const In& u, const In& z, const Dynamics& d,
                      std::span<const Work> works, const VecX* channels) {
  // What may fail comes first, so that no row is half written.
  if (channels)
    values_ = *channels;
  else
    system_.observe(t, q, u, z, d.a, d.lambda, values_);
  const double residual = balance(t, q, u, z, works);
  const Energy& e = total_;
  Work work;
  for (const Work& w : works) work += w;
  for (Table& each : results_.tables) each.values.push_back(t);
  for (const Run& run : runs_) {
    std::vector<double>& into = results_.tables[run.table].values;
    into.insert(into.end(), values_.data() + run.first, values_.data() + run.first + run.count);
  }
  extremes_.take_row(t, values_);
  view_.convert(q, u);
  mark_reactions(t);
  if (!wanted_.empty()) {
    Table& wanted = results_.tables[channels_];
    for (int k : wanted_) wanted.values.push_back(values_[k]);
  }
  Table &energy = results_.tables[energy_], &violations = results_.tables[violations_];
  std::vector<double>& row = energy.values;
  for (double x : {e.kinetic, e.potential, e.kinetic + e.potential}) row.push_back(x);
  if (balance_) {
    for (double x : {work.drivers, work.supplied, work.dampers}) row.push_back(x);
    if (system_.contacts().any() || system_.grips.any())
      for (double x : {work.contact, work.friction, work.film}) row.push_back(x);
    row.push_back(residual);
  } else {
    d.required_velocities(u, nu_);
    row.push_back(-d.lambda.dot(nu_));
  }
  note_loads(d);

  std::vector<double>& v = violations.values;
  const Magnitude gaps = magnitude(d.terms.phi), rates = magnitude(d.terms.rate);
  for (double x : {gaps.largest, rates.largest, gaps.squares, rates.squares}) v.push_back(x);
  for (const JointRows& j : system_.joints) {
    if (j.of_particle) continue;
    v.push_back(magnitude(d.terms.phi.segment(j.first, j.count)).largest);
    v.push_back(magnitude(d.terms.rate.segment(j.first, j.count)).largest);
  }
  note_not_finite(energy);
  note_not_finite(violations);
  watch(t, d.terms.phi, d.terms.rate);
}
}  // namespace mubody

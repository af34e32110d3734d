#include "mubody/simulation/recorder.h"

#include <algorithm>

#include "mubody/watches/redundancy.h"

namespace mubody {
namespace {
constexpr const char* group_names[] = {"bodies", "joints", "points", "forces"};
double largest(const In& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0; }
}  // namespace

Recorder::Recorder(System& s, System& bodies, const OutputOptions& output, Results& results, bool balance)
    : system_(s), bodies_(bodies), view_(s, bodies), results_(results), nu_(VecX::Zero(s.m)),
      terms_(s.make_terms()), balance_(balance) {
  results_.tables.clear();
  for (const char* group : group_names) add_table(group, {});
  for (const Channel& c : s.channels) {
    table_of_channel_.push_back(index_.at(group_names[c.group]));
    table(group_names[c.group]).columns.push_back({c.name, c.unit});
  }
  std::vector<Column> energy{{"kinetic", "J"}, {"potential", "J"}, {"total", "J"}};
  if (balance) {
    for (const char* name : {"driver_work", "applied_work", "dissipated"}) energy.push_back({name, "J"});
    if (s.contacts().any())
      for (const char* name : {"contact_loss", "friction_loss", "film_loss"}) energy.push_back({name, "J"});
    energy.push_back({"residual", "J", true});
  } else {
    energy.push_back({"driver_power", "W"});
  }
  add_table("energy", energy);
  table("energy").energies = true;
  std::vector<Column> violations{{"position", "m|rad", true}, {"velocity", "m/s|rad/s", true}};
  for (const JointRows& j : s.joints) {
    if (j.of_particle) continue;
    violations.push_back({j.name + ".position", "m|rad", true});
    violations.push_back({j.name + ".velocity", "m/s|rad/s", true});
  }
  add_table("violations", violations);
  if (!output.channels.empty()) {
    std::vector<Column> columns;
    for (const std::string& name : output.channels)
      for (std::size_t k = 0; k < s.channels.size(); ++k)
        if (s.channels[k].name == name)
          columns.push_back({name, s.channels[k].unit}), wanted_.push_back(int(k));
    add_table("channels", columns);
  }
  std::erase_if(results_.tables, [](const Table& t) { return t.columns.size() < 2; });  // nothing but the time
  for (std::size_t k = 0; k < results_.tables.size(); ++k) index_[results_.tables[k].name] = k;
  for (std::size_t k = 0; k < s.channels.size(); ++k)
    table_of_channel_[k] = index_.at(group_names[s.channels[k].group]);
  values_ = VecX::Zero(Eigen::Index(s.channels.size()));
}

void Recorder::add_table(const std::string& name, std::vector<Column> columns) {
  columns.insert(columns.begin(), Column{"time", "s"});
  index_[name] = results_.tables.size();
  results_.tables.push_back({name, std::move(columns), {}});
}

void Recorder::note_reactions(double t) {
  std::vector<Reaction>& all = results_.reactions;
  if (all.empty()) all = list_reactions(system_);
  std::size_t next = 0;
  for (std::size_t k = 0; k < system_.channels.size(); ++k) {
    if (!system_.channels[k].reaction) continue;
    Reaction& r = all[next++];
    const double value = values_[Eigen::Index(k)];
    if (std::abs(value) > std::abs(r.largest)) r.largest = value, r.at = t;
  }
  // What is open changes with the position, but slowly: every row at first, then one in sixteen.
  constexpr long first_rows = 16, every = 16;
  if (results_.freedom.always_redundant() && (rows_ < first_rows || rows_ % every == 0))
    mark_unique(bodies_, t, view_.q(), view_.u(), all);
  ++rows_;
}

const VecX& Recorder::watch(double t, const In& q, const In& u) {
  system_.constraints(t, q, u, terms_);
  const VecX &phi = terms_.phi, &rate = terms_.rate;
  Statistics& s = results_.statistics;
  const double size = largest(phi), share = system_.gap(phi);
  s.largest_violation = std::max(s.largest_violation, size);
  if (share > s.violation_share) {
    s.violation_share = share;
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
  s.largest_rate = std::max(s.largest_rate, largest(rate));
  note_means(t, size, largest(rate));
  return phi;
}

// By the trapezoidal rule, so that steps of different size count as long as they last.  Rows of results lie within
// steps that are counted already.
void Recorder::note_means(double t, double violation, double rate) {
  if (watched_ && !(t > watched_to_)) return;
  Statistics& s = results_.statistics;
  if (!watched_) {
    watched_ = true;
    watched_from_ = t;
    s.mean_violation = violation, s.mean_rate = rate;
  } else {
    violation_sum_ += (t - watched_to_) * (last_violation_ + violation) / 2;
    rate_sum_ += (t - watched_to_) * (last_rate_ + rate) / 2;
    s.mean_violation = violation_sum_ / (t - watched_from_);
    s.mean_rate = rate_sum_ / (t - watched_from_);
  }
  watched_to_ = t;
  last_violation_ = violation, last_rate_ = rate;
}

void Recorder::memory(Memory& m) {
  m(watched_from_, watched_to_, last_violation_, last_rate_, violation_sum_, rate_sum_, watched_);
  m(start_energy_, start_potential_, first_, rows_);
}

double Recorder::balance(const Energy& e, const Work& work) {
  const double total = e.kinetic + e.potential;
  if (first_) start_energy_ = total, start_potential_ = e.potential;
  first_ = false;
  const double residual = total - start_energy_ - work.drivers - work.supplied + work.lost();
  Statistics& s = results_.statistics;
  if (balance_) s.energy_residual = std::max(s.energy_residual, std::abs(residual));
  s.energy_scale = std::max({s.energy_scale, e.kinetic, std::abs(e.potential - start_potential_),
                             std::abs(work.drivers), std::abs(work.supplied), work.lost()});
  return residual;
}

void Recorder::record(double t, const In& q, const In& u, const In& z, const Dynamics& d, const Work& work) {
  // What may fail comes first, so that no row is half written.
  system_.observe(t, q, u, z, d.a, d.lambda, values_);
  const Energy e = system_.energy(t, q, u, z);
  for (Table& each : results_.tables) each.values.push_back(t);
  for (Eigen::Index k = 0; k < values_.size(); ++k)
    results_.tables[table_of_channel_[std::size_t(k)]].values.push_back(values_[k]);
  view_.convert(q, u);
  note_reactions(t);
  for (int k : wanted_) table("channels").values.push_back(values_[k]);

  const double total = e.kinetic + e.potential, residual = balance(e, work);
  std::vector<double>& row = table("energy").values;
  for (double x : {e.kinetic, e.potential, total}) row.push_back(x);
  Statistics& s = results_.statistics;
  if (balance_) {
    for (double x : {work.drivers, work.supplied, work.dampers}) row.push_back(x);
    if (system_.contacts().any())
      for (double x : {work.contact, work.friction, work.film}) row.push_back(x);
    row.push_back(residual);
  } else {
    d.required_velocities(u, nu_);
    row.push_back(-d.lambda.dot(nu_));
  }

  const double reaction = d.lambda.cwiseProduct(system_.row_units).lpNorm<Eigen::Infinity>(),
               load = d.terms.Q.cwiseProduct(system_.units).lpNorm<Eigen::Infinity>();
  s.load_scale = std::max(s.load_scale, bodies_.room(view_.q()).length * (reaction + load));

  std::vector<double>& v = table("violations").values;
  v.push_back(largest(d.terms.phi));
  v.push_back(largest(d.terms.rate));
  for (const JointRows& j : system_.joints) {
    if (j.of_particle) continue;
    v.push_back(largest(d.terms.phi.segment(j.first, j.count)));
    v.push_back(largest(d.terms.rate.segment(j.first, j.count)));
  }
  watch(t, q, u);
}
}  // namespace mubody

#include "mubody/writing/write_summary.h"

#include <fmt/format.h>

#include "mubody/text/json.h"
#include "mubody/text/write_table.h"

namespace mubody::io {
namespace {

Json json_of(const Freedom& f) {
  Json redundant = Json::array();
  for (const Redundancy& r : f.redundant)
    redundant.push_back({{"equation", r.equation}, {"joints", r.joints}, {"reason", r.reason}});
  return {{"coordinates", f.coordinates}, {"equations", f.equations},
          {"counted", f.counted},         {"rank", f.rank},
          {"actual", f.actual},           {"rolling", f.rolling},
          {"particles", f.particles},     {"redundant", redundant}};
}

Json json_of(const Formulation& f) {
  Json out = {{"word", f.word}, {"coordinates", f.coordinates}, {"equations", f.equations}};
  if (f.constant + f.linear + f.other > 0)
    out["jacobian_rows"] = {{"constant", f.constant}, {"linear", f.linear}, {"other", f.other}};
  return out;
}

Json json_of(const std::vector<Moved>& moved) {
  Json all = Json::array();
  for (const Moved& m : moved)
    all.push_back(
        {{"name", m.coordinate}, {"unit", m.unit}, {"from", m.from}, {"to", m.to}, {"written", m.written}});
  return all;
}

Json json_of(const AssemblyRecord& a) {
  return {{"iterations", a.iterations},
          {"violation_before", a.violation_before},
          {"violation_after", a.violation_after},
          {"rate_before", a.rate_before},
          {"rate_after", a.rate_after},
          {"moved", {{"positions", json_of(a.positions)}, {"velocities", json_of(a.velocities)}}}};
}

Json json_of(const Statistics& s) {
  return {{"steps", s.steps},
          {"rejected", s.rejected},
          {"evaluations", s.evaluations},
          {"factorizations", s.factorizations},
          {"corrections", s.corrections},
          {"iterations", s.iterations},
          {"smallest_step", s.smallest_step},
          {"largest_step", s.largest_step},
          {"largest_violation", s.largest_violation},
          {"largest_violation_rate", s.largest_rate},
          {"mean_violation", s.mean_violation},
          {"mean_violation_rate", s.mean_rate},
          {"worst_joint", s.worst_joint},
          {"worst_body", s.worst_body},
          {"energy_residual", s.energy_residual},
          {"energy_scale", s.energy_scale}};
}

Json json_of(const std::vector<Extreme>& extremes) {
  Json all = Json::array();
  for (const Extreme& x : extremes)
    all.push_back({{"channel", x.channel},
                   {"unit", x.unit},
                   {"least", x.least},
                   {"least_at", x.least_at},
                   {"greatest", x.greatest},
                   {"greatest_at", x.greatest_at}});
  return all;
}

Json json_of(const std::vector<GroupBalance>& balances) {
  Json all = Json::array();
  for (const GroupBalance& g : balances)
    all.push_back({{"bodies", g.bodies}, {"energy_residual", g.residual}, {"energy_scale", g.scale}});
  return all;
}

Json json_of(const Accuracy& a) {
  Json out = {{"estimated_from", a.method}, {"words", a.in_words()}};
  if (!a.missing.empty()) {
    out["missing"] = a.missing;
    return out;
  }
  if (a.until) out["predictable_until"] = *a.until;
  if (a.tenfold) out["tenfold_every"] = *a.tenfold;
  if (a.wanted > 0) out["asked_for"] = a.wanted, out["runs"] = a.runs;
  Json kinds = Json::object();
  for (int k = 0; k < int(std::size(ChannelAccuracy::words)); ++k)
    if (const ChannelAccuracy* w = a.worst(ChannelAccuracy::Kind(k)))
      kinds[std::string(ChannelAccuracy::words[k])] = w->digits();
  out["digits"] = kinds;
  Json channels = Json::array();
  for (const ChannelAccuracy& x : a.channels) {
    channels.push_back({{"channel", x.channel},
                        {"unit", x.unit},
                        {"error", x.error},
                        {"time", x.at},
                        {"range", x.range},
                        {"digits", x.digits()}});
    if (!x.band.empty()) channels.back()["band"] = x.band;
  }
  out["channels"] = channels;
  if (!a.times.empty()) out["band_times"] = a.times;
  return out;
}
}  // namespace

std::vector<ResultFile> files_of(const Results& r, std::string_view format) {
  std::vector<ResultFile> files;
  for (const TableFormat& f : formats_named(format))
    for (const Table& t : r.tables) {
      ResultFile file{f.file_of(t.name), t.rows(), {}};
      for (const Column& c : t.columns) file.columns.push_back(header_of(c));
      files.push_back(std::move(file));
    }
  if (!r.events.empty()) files.push_back({"events.csv", r.events.size(), {"time[s]", "kind", "what"}});
  if (!r.reactions.empty())
    files.push_back(
        {"reactions.csv", r.reactions.size(), {"reaction", "unit", "unique", "largest", "time[s]"}});
  if (!r.extremes.empty())
    files.push_back(
        {"extremes.csv", r.extremes.size(), {"channel", "unit", "least", "time[s]", "greatest", "time[s]"}});
  if (!r.contacts.empty())
    files.push_back({"contacts.csv",
                     r.contacts.size(),
                     {"contact", "onset[s]", "end[s]", "speed_in[m/s]", "speed_out[m/s]", "peak_force[N]",
                      "peak_at[s]", "deepest[m]", "energy_lost[J]"}});
  if (r.accuracy && !r.accuracy->channels.empty())
    files.push_back({"accuracy.csv",
                     r.accuracy->channels.size(),
                     {"channel", "unit", "error", "time[s]", "range", "share[1]", "digits[1]"}});
  return files;
}

std::vector<std::string> remarks_of(const Results& r, std::string_view format) {
  std::vector<std::string> remarks = r.remarks;
  const TableFormat first = formats_named(format).front();
  std::size_t empty = 0;
  std::string where;
  for (const Table& t : r.tables) {
    const std::size_t here = empty_cells(t);
    if (here == 0) continue;
    empty += here;
    where += (where.empty() ? "" : ", ") + first.file_of(t.name);
  }
  const bool one = empty == 1;
  const std::string cells = one ? "a cell" : fmt::format("{} cells", empty);
  if (empty > 0 && first.leaves_blank)
    remarks.push_back(fmt::format("{} of {} {} empty: {} not finite there", cells, where, one ? "is" : "are",
                                  one ? "a number is" : "numbers are"));
  else if (empty > 0)
    remarks.push_back(fmt::format("{} of {} {} no finite number", cells, where, one ? "has" : "have"));
  return remarks;
}

double end_of(const Results& r) {
  const bool whole = r.outcome.kind == Outcome::reached_end || r.outcome.kind == Outcome::lost_branch;
  if (!whole || r.tables.empty() || r.tables[0].rows() == 0) return r.outcome.at;
  return r.tables[0].at(r.tables[0].rows() - 1, 0);
}

Json summary_json(const Results& r, const std::vector<std::string>& changes, std::string_view format) {
  Json files = Json::array();
  for (const ResultFile& f : files_of(r, format))
    files.push_back({{"name", f.name}, {"rows", f.rows}, {"columns", f.columns}});
  Json open = Json::array();
  for (const Reaction& x : r.reactions)
    if (x.unique == Reaction::no) open.push_back(x.channel);
  Json loops = Json::array();
  for (const LoopBranch& l : r.loops)
    loops.push_back({{"joints", l.joints},
                     {"determinant", l.volume},
                     {"singular_positions_passed", l.passed},
                     {"branches_lost", l.lost},
                     {"steps_not_followed", l.unknown}});
  Json out = {
      {"program", "mubody"},
      {"version", r.version},
      {"model", r.model},
      {"changes", changes},
      {"analysis", r.analysis},
      {"outcome", {{"word", r.outcome.word()}, {"time", end_of(r)}, {"why", r.outcome.why}}},
      {"trusted", r.trusted},
      {"verdict", r.verdict},
      {"integrator", r.integrator},
      {"treatment", r.treatment},
      {"freedom", json_of(r.freedom)},
      {"formulation", json_of(r.formulation)},
      {"reactions_not_unique", open},
      {"loops", loops},
      {"assembly", json_of(r.assembly)},
      {"statistics", json_of(r.statistics)},
      {"events", r.events.size()},
      {"contacts", r.contacts.size()},
      {"extremes", json_of(r.extremes)},
      {"remarks", remarks_of(r, format)},
      {"files", files},
  };
  if (r.accuracy) out["accuracy"] = json_of(*r.accuracy);
  if (!r.balances.empty()) out["energy_of_groups"] = json_of(r.balances);
  return out;
}
}  // namespace mubody::io

#include "mubody/analyses/forward_sensitivity.h"

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "mubody/analyses/forward.h"
#include "mubody/code/tangent_steps.h"
#include "mubody/math/suggest.h"
#include "mubody/simulation/equation_engine.h"
#include "mubody/study/state_sizes.h"
#include "mubody/system/build.h"

namespace mubody {
namespace {
constexpr double same_motion = 1e-4;  // of the largest value of a channel: how far the two motions may be apart
constexpr double most_unsure = 1e-6;  // relative error of derivatives of numbers that is accepted

void check_names(const char* field, const char* what, const std::vector<std::string>& asked,
                 const std::vector<std::string>& known) {
  for (std::size_t k = 0; k < asked.size(); ++k)
    if (std::ranges::find(known, asked[k]) == known.end())
      throw FieldError(field, k, fmt::format("no {} '{}'{}", what, asked[k], suggestion(asked[k], known)));
}

// Derivatives are computed where the motion has rows.
std::vector<double> times_of(const Results& r) {
  return r.tables.empty() ? std::vector<double>{} : r.tables.front().column("time");
}

// Channels of the recorded equations that the results have too; reactions only where they are unique.
std::vector<int> recorded_channels(const RecordedModel& m, const Study& study, const Results& r) {
  std::set<std::string> open;
  for (const Reaction& x : r.reactions)
    if (x.unique != Reaction::yes) open.insert(x.channel);
  const auto& asked = study.output.channels;
  std::vector<int> found;
  for (std::size_t k = 0; k < m.channels.size(); ++k) {
    const std::string& name = m.channels[k].name;
    if ((asked.empty() || std::ranges::find(asked, name) != asked.end()) && !open.contains(name))
      found.push_back(int(k));
  }
  return found;
}

Table derivatives_table(const RecordedModel& m, const std::vector<int>& wanted,
                        const std::vector<VariedBy>& by) {
  Table table{"sensitivity", {{"time", "s"}}, {}};
  for (const int k : wanted)
    for (const VariedBy& v : by) {
      const RecordedModel::Channel& c = m.channels[std::size_t(k)];
      table.columns.push_back({c.name + "/" + v.name, v.unit == "1" ? c.unit : c.unit + "/" + v.unit});
    }
  return table;
}

// Moves the motion and its derivatives from row to row.
class TangentWay {
 public:
  TangentWay(const Study& study, TangentMotion& motion, std::size_t channels)
      : o_(study.analysis), motion_(motion), steps_(study.mechanism, study.analysis, motion),
        row_(motion.start()), values_(VecX::Zero(Eigen::Index(channels) * (1 + motion.directions()))) {}

  /// Calls take() at every time, with what TangentMotion::observe() gives.
  template <class Take>
  Outcome go(const std::vector<double>& times, const Progress& progress, const Take& take) {
    std::size_t next = 0;
    const auto rows_until = [&](double to) {
      for (; next < times.size() && times[next] <= to; ++next) {
        steps_.interpolate(std::min(times[next], steps_.t()), row_);
        motion_.observe(times[next], row_, values_);
        take(times[next], values_);
      }
    };
    rows_until(o_.start);
    const Outcome o = steps_.go_to(o_.end, [&]() -> Outcome {
      rows_until(steps_.t());
      return judged(progress);
    });
    if (o) rows_until(std::numeric_limits<double>::infinity());
    return o;
  }

 private:
  Outcome judged(const Progress& progress) {
    const double t = steps_.t();
    if (o_.patience.lost()) return o_.patience.outcome(t, "while derivatives were computed");
    if (progress && !progress((t - o_.start) / (o_.end - o_.start)))
      return {Outcome::interrupted, t, "stopped by the user while derivatives were computed"};
    return {};
  }

  AnalysisOptions o_;
  TangentMotion& motion_;
  TangentSteps steps_;
  VecX row_, values_;
};

// The two motions: how far they are apart, relative to the largest value that channels of a unit have.
class TwoMotions {
 public:
  TwoMotions(const RecordedModel& m, const std::vector<int>& wanted, const Results& r) {
    for (const Table& t : r.tables)
      for (std::size_t c = 1; c < t.columns.size(); ++c)
        for (std::size_t row = 0; row < t.rows(); ++row) {
          double& size = sizes_[t.columns[c].unit];
          size = std::max(size, std::abs(t.at(row, c)));
        }
    add_floors(r.scales);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const RecordedModel::Channel& c = m.channels[std::size_t(wanted[k])];
      for (const Table& t : r.tables)
        if (const int at = t.find(c.name); at > 0) {
          known_.push_back({int(k), &t, std::size_t(at), c.name, sizes_[c.unit], c.unit == "rad"});
          break;
        }
    }
  }
  void compare(std::size_t row, const VecX& values) {
    for (const Known& c : known_) {
      if (row >= c.table->rows() || c.size == 0) continue;
      double gap = values[c.channel] - c.table->at(row, c.column);
      if (c.turns) gap = std::remainder(gap, 2 * std::numbers::pi);  // turns may be counted from another one
      gap = std::abs(gap) / c.size;
      if (!(gap <= largest)) largest = gap, where = c.name;
    }
  }
  double largest = 0;
  std::string where;

 private:
  // Where forces hold each other in balance, what is left of them and of the motion is round-off.
  void add_floors(const Scales& of) {
    const double force = sizes_["N"];
    sizes_["N m"] += force * of.length;
    sizes_["m/s"] += of.speed();
    sizes_["rad/s"] += 1 / of.time;
    sizes_["m/s2"] += force / of.mass;
    sizes_["rad/s2"] += force / (of.mass * of.length);
    sizes_["J"] += force * of.length;
    sizes_["W"] += force * of.speed();
  }

  struct Known {
    int channel;
    const Table* table;
    std::size_t column;
    std::string name;
    double size;
    bool turns;
  };
  std::map<std::string, double> sizes_;
  std::vector<Known> known_;
};
}  // namespace

void ForwardSensitivity::check(const Study& study) const {
  std::vector<std::string> known;
  for (const auto& [name, unused] : study.parameters) known.push_back(name);
  check_names("parameters", "parameter", parameters, known);
  if (!start_values.empty())
    check_names("start_values", "start value", start_values, mubody::start_values(study));
}

Results ForwardSensitivity::run(const Study& study, const Progress& progress) const {
  std::vector<std::string> names = parameters;
  if (names.empty() && study.with)
    for (const auto& [name, unused] : study.parameters) names.push_back(name);
  if (names.empty() && start_values.empty())
    throw ModelError(
        "forward_sensitivity needs [parameters] in the model file, numbers with names that formulas use, or "
        "'start_values'");
  VariedStudy varied = vary(study, names, start_values);
  const RecordedModel& m = varied.recorded.model;
  Results r = Forward{}.run(study, [&](double share) { return !progress || progress(0.5 * share); });
  r.analysis = info.name;
  if (!r.outcome) return r;

  const std::vector<int> wanted = recorded_channels(m, study, r);
  Table table = derivatives_table(m, wanted, varied.variables);
  std::vector<int> nodes;
  for (const int k : wanted) nodes.push_back(m.channels[std::size_t(k)].node);
  const std::unique_ptr<System> s = build_system(varied.recorded.mechanism);
  s->scales = r.scales;
  TangentMotion motion(varied, sizes_of(*s, 0), r.scales.length, nodes);
  TwoMotions agreement(m, wanted, r);
  TangentWay way(study, motion, wanted.size());
  std::size_t row = 0;
  const Outcome o = way.go(
      times_of(r), [&](double share) { return !progress || progress(0.5 + 0.5 * share); },
      [&](double t, const VecX& values) {
        table.values.push_back(t);
        table.values.insert(table.values.end(), values.begin() + Eigen::Index(wanted.size()), values.end());
        agreement.compare(row++, values);
      });
  r.tables.push_back(std::move(table));
  if (!o) {
    r.outcome = o;
    r.trusted = false;
    r.verdict = "do not trust this: " + o.why;
    return r;
  }
  const bool same = agreement.largest <= same_motion && varied.error <= most_unsure;
  r.trusted = r.trusted && same;
  r.verdict = fmt::format(
      "{}derivatives by {} variable{}, the motion beside them agrees with this one to {:.1e}{}, numbers of the "
      "model are "
      "differentiated to {:.1e}; {}",
      same ? "" : "do not trust this: ", varied.variables.size(), varied.variables.size() == 1 ? "" : "s",
      agreement.largest, same || agreement.where.empty() ? "" : fmt::format(" only, in {}", agreement.where),
      varied.error, r.verdict);
  return r;
}
}  // namespace mubody

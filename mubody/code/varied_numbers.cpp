#include "mubody/code/varied_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/mechanism/breakpoints.h"
#include "mubody/simulation/particles.h"
#include "mubody/solvers/assembly.h"
#include "mubody/system/build.h"
#include "mubody/system/dynamics.h"

namespace mubody {
namespace {
constexpr double differences_share = 1e-3;    // of a parameter: the shorter of two differences
constexpr std::array at_steps{-2, -1, 1, 2};  // at which it is read
constexpr double closed_start = 1e-15;        // System::gap() to which starts are closed
constexpr int corrections_of_start = 20, most_rounds = 4;

// A model read with another value of a parameter, or started with another value.
struct Reading {
  Mechanism mechanism;
  VecX q, u, z;
};

// A constant that is not a number is the same as another one: nothing needs it, as 0/0 for the direction of no turn, beside which
// another formula is chosen.
bool same_nodes(const Computation& a, const Computation& b) {
  return std::ranges::equal(a.nodes(), b.nodes(), [](Node x, Node y) {
    if (std::isnan(x.value) && std::isnan(y.value)) x.value = y.value = 0;
    return x == y;
  });
}

// f′ from four values beside it, to the fourth order, with an estimate of its error.
class Slope {
 public:
  explicit Slope(double h) : h_(h) {}
  VecX operator()(const std::array<VecX, 4>& f) {
    const VecX near = (f[2] - f[1]) / (2 * h_), far = (f[3] - f[0]) / (4 * h_), slope = (4 * near - far) / 3;
    // The fourth order leaves about the square of the share that the second one leaves.  A number that is round-off beside the
    // others has no derivative to speak of.
    constexpr double nothing = 1e-9, epsilon = std::numeric_limits<double>::epsilon();
    const double largest = f[2].size() > 0 ? f[2].lpNorm<Eigen::Infinity>() : 0;
    for (Eigen::Index k = 0; k < slope.size(); ++k) {
      const double size = std::max(std::abs(f[2][k]), nothing * largest) * differences_share / h_;
      const double scale = std::max(size, std::abs(slope[k])), left = std::abs(near[k] - slope[k]);
      if (scale > 0)
        error = std::max(error, left * left / (scale * scale) + epsilon * std::abs(f[2][k]) / (h_ * scale));
    }
    return slope;
  }
  double error = 0;

 private:
  double h_;
};

class Varying {
 public:
  Varying(const Study& study, const std::vector<std::string>& parameters, const std::vector<std::string>& start,
          const std::vector<std::string>& inputs)
      : study_(study), inputs_(inputs), base_(record(study, {inputs, {}})), jumps_(jumps_of(base_.mechanism)) {
    if (!base_.model.sampled.empty())
      throw ModelError("sampled signals change at instants, whose derivatives are not computed");
    for (const std::string& name : parameters) {
      const double value = study.parameters.at(name);
      out_.variables.push_back({name, "SI", false, value, value != 0 ? std::abs(value) : 1});
    }
    const std::unique_ptr<System> s = build_system(study.mechanism);
    for (const std::string& name : start) out_.variables.push_back(start_variable(*s, name));
    for (const VariedBy& v : out_.variables) read(v);
  }

  VariedStudy take() {
    find_numbers();
    out_.recorded = std::move(base_);
    differentiate();
    return std::move(out_);
  }

 private:
  // Starts ---------------------------------------------------------------------------------------------------

  VariedBy start_variable(const System& s, const std::string& name) const {
    const auto at_least = [&](double value, bool is_length, double time) {
      return std::max(std::abs(value), (is_length ? s.scales.length : 1) / time);
    };
    for (int k = 0; k < s.nq; ++k)
      if (const System::Name& n = s.coordinates[std::size_t(k)]; n.text == name) {
        if (n.measured == System::Measured::orientation)
          throw ModelError(
              fmt::format("start '{}': one of four numbers of an orientation cannot change alone", name));
        return {name, n.unit, true, base_.q[k],
                at_least(base_.q[k], n.measured == System::Measured::length, 1)};
      }
    for (int k = 0; k < s.nu; ++k)
      if (const System::Name& n = s.velocities[std::size_t(k)]; n.text == name)
        return {name, n.unit, true, base_.u[k], at_least(base_.u[k], !s.turns[std::size_t(k)], 1)};
    throw ModelError(fmt::format("no start value '{}'", name));
  }
  void change_start(const System& s, const std::string& name, double change, Reading& r) const {
    r.q = base_.q, r.u = base_.u;
    for (int k = 0; k < s.nq; ++k)
      if (s.coordinates[std::size_t(k)].text == name) r.q[k] += change;
    for (int k = 0; k < s.nu; ++k)
      if (s.velocities[std::size_t(k)].text == name) r.u[k] += change;
  }

  Reading read(const Study& study, const std::string& of_start, double change) const {
    Reading r{study.mechanism, {}, {}, {}};
    std::vector<std::string> remarks;
    take_particles(study.analysis, r.mechanism, remarks);
    const std::unique_ptr<System> s = build_system(r.mechanism);
    r.q.setZero(s->nq), r.u.setZero(s->nu), r.z.setZero(s->nz);
    s->start(r.q, r.u);
    AssemblyOptions options = study.analysis.assembly;
    if (!of_start.empty()) {
      change_start(*s, of_start, change, r);
      options.hold.push_back(of_start);
    }
    const double t = study.analysis.start;
    AssemblyRecord unused;
    const Outcome o = assemble(*s, options, study.analysis.patience, t, r.q, r.u, unused);
    if (!o) throw ModelError(o.why);
    close(*s, t, r);
    s->start_states(t, r.q, r.u, r.z);
    return r;
  }
  // Assembly ends at its tolerance; the rest would be seen in differences.
  void close(System& s, double t, Reading& r) const {
    if (study_.analysis.assembly.as_given || s.m == 0) return;
    Dynamics d(s, base_.left_out > 0);
    d.project_positions(t, r.q, r.u, closed_start, corrections_of_start);
    d.constrain(t, r.q, r.u);
    d.project_velocities(r.u);
  }
  void read(const VariedBy& v) {
    std::array<Reading, 4> all;
    for (std::size_t k = 0; k < 4; ++k) {
      const double change = at_steps[k] * differences_share * v.size;
      try {
        all[k] = v.of_start ? read(study_, v.name, change) : read(study_.with(v.name, v.value + change), "", 0);
      } catch (const ModelError& e) {
        throw ModelError(
            fmt::format("with {} = {:.8g} instead of {:.8g}: {}", v.name, v.value + change, v.value, e.what()));
      }
      if (!v.of_start) refuse_moving_jumps(v, all[k].mechanism);
    }
    readings_.push_back(std::move(all));
  }
  std::vector<double> jumps_of(const Mechanism& m) const {
    const AnalysisOptions& o = study_.analysis;
    std::vector<double> times;
    for (const Breakpoint& b : breakpoints_of(m, o.start, o.end, {o.control.longest_over(o.end - o.start)}))
      if (b.jumps) times.push_back(b.t);
    return times;
  }
  // An instant that moves changes what comes after it by the jump itself, which equations between jumps do not know.
  void refuse_moving_jumps(const VariedBy& v, const Mechanism& m) const {
    if (jumps_of(m) != jumps_)
      throw ModelError(
          fmt::format("parameter '{}' moves an instant at which a force or a driver jumps: derivatives "
                      "jump there, which is not computed; take a smooth function",
                      v.name));
  }

  // Numbers of the equations ---------------------------------------------------------------------------------

  RecordedModel record_again(const Mechanism& m) const {
    Mechanism mechanism = m;
    RecordingStart start{base_.start, base_.q, base_.u, {}, base_.rows_left_out, flags_};
    std::vector<double> unused;
    take_inputs(mechanism, base_.start, inputs_, start.inputs, unused);
    return record(mechanism, start);
  }

  // Numbers that differ become parameters, until all models have the same graph.
  void find_numbers() {
    for (int round = 0; round < most_rounds; ++round) {
      if (round > 0) base_ = record(study_, {.inputs = inputs_, .parameter_of = flags_});
      const std::string other = compare(round == 0);
      if (other.empty()) return;
      if (round + 1 == most_rounds)
        throw ModelError(
            fmt::format("parameter '{}' changes more than numbers of the equations: their form, a table or a "
                        "spline; derivatives by it are not computed",
                        other));
    }
  }
  // Empty if no model differs from this one but in parameters of the graph; else the name of one that does.
  // The first time one reading of each is enough, to see which numbers differ.
  std::string compare(bool first) {
    const Computation& here = *base_.model.graph;
    values_.clear();
    std::string differs;
    std::vector<int> fresh(here.numbers().size(), -1);
    std::map<std::vector<double>, int> classes;
    std::vector<std::vector<double>> seen(here.numbers().size());
    for (std::size_t v = 0; v < readings_.size(); ++v) {
      std::array<VecX, 4> values;
      for (std::size_t k = first ? 3 : 0; k < 4 && !out_.variables[v].of_start; ++k) {
        const RecordedModel other = record_again(readings_[v][k].mechanism);
        const std::vector<double>& n = other.graph->numbers();
        if (!same_nodes(*other.graph, here) || other.graph->tables() != here.tables())
          differs = out_.variables[v].name;
        for (std::size_t i = 0; i < std::min(n.size(), seen.size()); ++i) seen[i].push_back(n[i]);
        values[k] = VecX::Map(other.graph->parameters().data(), Eigen::Index(other.graph->parameters().size()));
      }
      values_.push_back(std::move(values));
    }
    // Numbers that agree in all models, but for their sign, stay one number, so that what is made of them is shared.
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const double own = here.numbers()[i];
      if (std::ranges::all_of(seen[i], [&](double x) { return x == own; })) continue;
      seen[i].push_back(own);
      const bool negative = own < 0;
      if (negative)
        for (double& x : seen[i]) x = -x;
      const int p = classes.try_emplace(seen[i], int(classes.size())).first->second;
      fresh[i] = negative ? -2 - p : p;
    }
    if (!differs.empty()) flags_ = std::move(fresh);
    return first && differs.empty() ? compare(false) : differs;
  }

  void differentiate() {
    const auto columns = Eigen::Index(out_.variables.size());
    const RecordedModel& m = out_.recorded.model;
    out_.numbers.setZero(Eigen::Index(m.graph->parameters().size()), columns);
    out_.q.setZero(m.nq, columns), out_.u.setZero(m.nu, columns), out_.z.setZero(m.nz, columns);
    for (Eigen::Index v = 0; v < columns; ++v) {
      const VariedBy& variable = out_.variables[std::size_t(v)];
      Slope numbers(differences_share * variable.size), start = numbers;
      const auto& r = readings_[std::size_t(v)];
      if (!variable.of_start) out_.numbers.col(v) = numbers(values_[std::size_t(v)]);
      out_.q.col(v) = start({r[0].q, r[1].q, r[2].q, r[3].q});
      out_.u.col(v) = start({r[0].u, r[1].u, r[2].u, r[3].u});
      out_.z.col(v) = start({r[0].z, r[1].z, r[2].z, r[3].z});
      out_.error = std::max(out_.error, numbers.error);
    }
  }

  const Study& study_;
  const std::vector<std::string>& inputs_;
  RecordedStudy base_;
  std::vector<double> jumps_;  // instants of the model itself [s]
  VariedStudy out_;
  std::vector<std::array<Reading, 4>> readings_;  // by variable
  std::vector<std::array<VecX, 4>> values_;       // of the graph's parameters there
  std::vector<int> flags_;                        // see Computation
};
}  // namespace

std::vector<std::string> start_values(const Study& study) {
  const std::unique_ptr<System> s = build_system(study.mechanism);
  std::vector<std::string> names;
  for (const System::Name& n : s->coordinates)
    if (n.measured != System::Measured::orientation) names.push_back(n.text);
  for (const System::Name& n : s->velocities) names.push_back(n.text);
  return names;
}

VariedStudy vary(const Study& study, const std::vector<std::string>& parameters,
                 const std::vector<std::string>& start, const std::vector<std::string>& inputs) {
  return Varying(study, parameters, start, inputs).take();
}
}  // namespace mubody

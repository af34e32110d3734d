#include "mubody/fmi/controllers.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/fmi/unpacked_fmu.h"
#include "mubody/fmus/loaded_fmu.h"
#include "mubody/math/suggest.h"
#include "mubody/model/units.h"
#include "mubody/simulation/simulation.h"
#include "mubody/text/node.h"
#include "mubody/text/text_file.h"

namespace mubody::io {
namespace {
const Node& needed_key(const Node& table, const Scope& scope, const char* key) {
  const Node* const found = table.find(key);
  if (!found) scope.fail(table, fmt::format("'{}' is missing", key));
  return *found;
}
std::string text_in(const Node& node, const Scope& scope) {
  if (!node.is(Node::Kind::string)) scope.expected("a text", node);
  return node.text;
}
double number_in_node(const Node& node, const Scope& scope, const char* unit) {
  if (node.is(Node::Kind::number) || node.is(Node::Kind::integer)) return node.number;
  try {
    return to_si(text_in(node, scope), unit);
  } catch (const UnitError& e) {
    scope.fail(node, e.what());
  }
}
template <class Take>
void each_entry(const Node& table, const Scope& scope, const char* key, const Take& take) {
  const Node* const list = table.find(key);
  if (!list) return;
  if (!list->is(Node::Kind::table)) (scope / key).expected("a table", *list);
  for (std::size_t k = 0; k < list->keys.size(); ++k)
    take(list->keys[k].name, list->items[k], scope / key / list->keys[k].name);
}

FmuController read_controller(const std::string& name, const Node& node, const std::filesystem::path& folder) {
  const Scope scope("controller '" + name + "'");
  if (!node.is(Node::Kind::table)) scope.expected("a table", node);
  constexpr std::string_view keys[] = {"fmu", "step", "inputs", "outputs", "parameters"};
  expect_keys(node, scope, keys);
  FmuController c{name, folder / text_in(needed_key(node, scope, "fmu"), scope / "fmu"), node.mark, 0, {}, {},
                  {}};
  c.step = number_in_node(needed_key(node, scope, "step"), scope / "step", "s");
  if (!(c.step > 0 && std::isfinite(c.step))) scope.fail(node, "'step' must be positive");
  each_entry(node, scope, "inputs", [&](const std::string& k, const Node& n, const Scope& s) {
    c.inputs[k] = {text_in(n, s), n.mark};
  });
  each_entry(node, scope, "outputs", [&](const std::string& k, const Node& n, const Scope& s) {
    c.outputs[k] = {text_in(n, s), n.mark};
  });
  each_entry(node, scope, "parameters", [&](const std::string& k, const Node& n, const Scope& s) {
    c.parameters[k] = {number_in_node(n, s, "1"), n.mark};
  });
  return c;
}

/// A controller that is loaded, and its wires.
class Controlled {
 public:
  Controlled(const FmuController& c, Simulation& sim, double start) : c_(c) {
    try {
      const ZipArchive archive(read_file(c.file, {"an FMU", 1000, false}));
      const ZipArchive::Entry* const described = archive.find("modelDescription.xml");
      if (!described) throw ZipError("there is no modelDescription.xml at the top of the archive");
      std::vector<std::string> complaints;
      const FmuDescription d = read_fmu_description(read_xml(archive.content(*described)), complaints);
      if (!complaints.empty()) throw FmuError(complaints.front());
      wire(d, sim);
      folder_.emplace(archive);
      fmu_ = LoadedFmu::open(folder_->path(), d, {[this](const std::string& text) { said_ = text; }, {}});
      fmu_->instantiate(c.name);
      for (const auto& [variable, value] : c.parameters) fmu_->set(d.find(variable)->reference, value.what);
      // No stop is announced: the last step of the controller may end behind the motion.
      fmu_->enter_initialization(start, {}, {});
      read(sim);
      fmu_->exit_initialization();
    } catch (const ModelError&) {
      throw;  // it says where
    } catch (const std::runtime_error& e) {
      fail(e.what());
    }
  }
  double step() const { return c_.step; }

  /// At an instant: numbers of the motion go in, and values come out that hold for a step.
  void act(Simulation& sim, double t) {
    try {
      read(sim);
      fmu_->step(t, c_.step);
      for (const auto& [r, input] : to_) sim.set(input, fmu_->get(r));
    } catch (const FmuError& e) {
      fail(fmt::format("at t = {:.6g} s: {}", t, e.what()));
    }
  }
  void end() {
    fmu_->terminate();
    fmu_->free_instance();
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    Scope("controller '" + c_.name + "'")
        .fail(c_.mark,
              fmt::format("{}: {}{}", c_.file.string(), why, said_.empty() ? "" : "; it said: " + said_));
  }
  /// Finds what the model says that the FMU gets and gives; what is not there is told where it says so.
  void wire(const FmuDescription& d, const Simulation& sim) {
    const auto each = [&](const char* list, const auto& all, const auto& take) {
      for (const auto& [variable, stated] : all) {
        const Scope scope = Scope("controller '" + c_.name + "'") / list / variable;
        try {
          take(reference(d, variable, list), stated.what);
        } catch (const ModelError& e) {
          scope.fail(stated.mark, fmt::format("in the model {}", e.what()));
        } catch (const FmuError& e) {
          scope.fail(stated.mark, fmt::format("{}: {}", c_.file.string(), e.what()));
        }
      }
    };
    each("inputs", c_.inputs, [&](unsigned r, const std::string& channel) {
      from_.push_back({r, sim.output(channel)});
    });
    each("outputs", c_.outputs, [&](unsigned r, const std::string& input) {
      to_.push_back({r, sim.input(input)});
    });
    each("parameters", c_.parameters, [](unsigned, double) {});
  }
  static unsigned reference(const FmuDescription& d, const std::string& name, std::string_view list) {
    const DescribedVariable* const v = d.find(name);
    if (!v || v->type != "Float64" || v->is_array) {
      std::vector<std::string> all;
      for (const DescribedVariable& other : d.variables)
        if (other.type == "Float64" && !other.is_array) all.push_back(other.name);
      throw FmuError(fmt::format("the FMU has no real variable {}{}", in_quotes(name), suggestion(name, all)));
    }
    const bool fits = list == "inputs" ? v->causality == "input"
                      : list == "outputs"
                          ? v->causality == "output"
                          : v->causality != "input" && (v->initial == "exact" || v->initial == "approx");
    if (!fits)
      throw FmuError(fmt::format("its variable {} is {}", in_quotes(name),
                                 list == "inputs"    ? "no input"
                                 : list == "outputs" ? "no output"
                                                     : "no parameter that can be set"));
    return v->reference;
  }
  void read(Simulation& sim) {
    for (const auto& [r, channel] : from_) fmu_->set(r, sim.value(channel));
  }

  const FmuController& c_;
  std::string said_;  // by the FMU, at last
  std::vector<std::pair<unsigned, Output>> from_;
  std::vector<std::pair<unsigned, Input>> to_;
  std::optional<UnpackedFmu> folder_;
  std::unique_ptr<LoadedFmu> fmu_;
};
// Times that differ by round-off are one time.
bool is_reached(double t, double now) { return t <= now + 1e-13 * std::max(1.0, std::abs(now)); }

// A simulation begins with a row, which has not yet seen what controllers do at the start; the next one has.
Results without_first_rows(Results r) {
  for (Table& t : r.tables)
    if (t.rows() > 1 && t.at(0, 0) == t.at(1, 0))
      t.values.erase(t.values.begin(), t.values.begin() + std::ptrdiff_t(t.columns.size()));
  return r;
}
}  // namespace

std::vector<FmuController> read_controllers(const std::string& path, const Settings& settings) {
  if (!settings.allow_fmu) return {};
  const ModelText text(path, settings);
  const Node* const all = text.root().find("controllers");
  std::vector<FmuController> found;
  if (!all) return found;
  if (!all->is(Node::Kind::table)) Scope("controllers").expected("a table", *all);
  for (std::size_t k = 0; k < all->keys.size(); ++k)
    found.push_back(
        read_controller(all->keys[k].name, all->items[k], std::filesystem::path(path).parent_path()));
  return found;
}

Results run_controlled(const Study& study, const std::vector<FmuController>& all, const Progress& progress) {
  const AnalysisOptions& a = study.analysis;
  Simulation sim(study);
  std::vector<std::unique_ptr<Controlled>> controllers;
  for (const FmuController& c : all) controllers.push_back(std::make_unique<Controlled>(c, sim, a.start));
  const std::vector<double> rows = study.output.at(a);
  std::vector<long> instants(all.size());
  std::size_t row = 0;
  while (true) {
    double next = a.end;
    for (std::size_t k = 0; k < all.size(); ++k) {
      // Instants are multiples of the step, so that no round-off gathers.
      const auto at = [&] { return a.start + double(instants[k]) * controllers[k]->step(); };
      if (is_reached(at(), sim.time())) controllers[k]->act(sim, at()), ++instants[k];
      next = std::min(next, at());
    }
    if (row < rows.size() && is_reached(rows[row], sim.time())) sim.record(), ++row;
    if (is_reached(a.end, sim.time())) break;
    if (row < rows.size()) next = std::min(next, rows[row]);
    const auto goes_on = [&](double) {
      return !progress || progress((sim.time() - a.start) / (a.end - a.start));
    };
    if (!sim.advance_to(next, goes_on)) break;
  }
  for (const auto& c : controllers) c->end();
  return without_first_rows(sim.finish());
}
}  // namespace mubody::io

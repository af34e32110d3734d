#include "mubody/fmi/fmu_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/analyses/run.h"
#include "mubody/model/units.h"
#include "mubody/precompute/run/run_real_time.h"
#include "mubody/reading/real_time_file.h"
#include "mubody/reading/sections.h"
#include "mubody/text/node.h"

namespace mubody::io {
namespace {
// "kg m2/s" of exponents, as units are written in model files.
std::string unit_of_dimension(const Dimension& d) {
  std::string above, below;
  const auto add = [&](const char* base, double power) {
    if (power == 0) return;
    std::string& side = power > 0 ? above : below;
    if (!side.empty()) side += power > 0 ? " " : "/";
    side += std::abs(power) == 1 ? base : fmt::format("{}{:g}", base, std::abs(power));
  };
  add("kg", d.kg), add("m", d.m), add("s", d.s), add("rad", d.rad);
  return below.empty() ? above : (above.empty() ? "1" : above) + "/" + below;
}

// Whether it is a number, and no formula of others.
bool is_free(const Node& parameter) {
  const Node* const value = parameter.is(Node::Kind::table) ? parameter.find("value") : &parameter;
  return !(value->is(Node::Kind::string) && is_formula(value->text));
}

// The parameters of a model, without the rest of it.
Known parameters_of(const Node& root) {
  Known known;
  Faults faults;
  read_parameters(root, known, faults);
  faults.raise();
  return known;
}

FmuModel::Parameter parameter_of(const Known& known, const std::string& name) {
  const auto unit = known.units.find(name);
  const auto range = known.ranges.find(name);
  return {name, unit == known.units.end() ? "" : unit_of_dimension(unit->second), known.parameters.at(name),
          range == known.ranges.end() ? ParameterRange{} : range->second};
}
}  // namespace

FmuModel::FmuModel(const std::filesystem::path& file, const Settings& settings)
    : file_(file.string()), settings_(settings) {
  if (is_real_time_file(file)) {
    tables_ = read_real_time_file(file);
    const Known known = parameters_of(model_tree(tables_->text, tables_->file, settings_of_tables()));
    for (const DesignVariable& d : tables_->design) parameters_.push_back(parameter_of(known, d.name));
    return;
  }
  text_.emplace(file_, settings);
  const Known known = parameters_of(text_->root());
  const Node* const all = text_->root().find("parameters");
  for (std::size_t k = 0; all && k < all->keys.size(); ++k)
    if (is_free(all->items[k])) parameters_.push_back(parameter_of(known, all->keys[k].name));
}

Settings FmuModel::settings_of_tables() const {
  Settings all(tables_->settings);
  all.insert(all.end(), settings_.begin(), settings_.end());
  return all;
}

void FmuModel::check(const std::string& parameter, double value) const {
  const auto known = std::ranges::find(parameters_, parameter, &Parameter::name);
  if (known != parameters_.end())
    expect_within(known->range, value, fmt::format("{}", value), Scope("parameter " + in_quotes(parameter)),
                  {});
}

Study FmuModel::study(const std::map<std::string, double>& parameters, DataFiles* data) const {
  std::vector<std::string> changes;
  for (const auto& [name, value] : parameters)
    changes.push_back(fmt::format("parameters.{}={:.17g}", name, value));
  Study study;
  if (tables_) {
    Settings all = settings_of_tables();
    all.insert(all.end(), changes.begin(), changes.end());
    study = read_study_text(tables_->text, tables_->file, all, data);
  } else {
    study = text_->with(changes, data);
  }
  study.analysis.compiled = false;  // where an FMU runs there may be no compiler
  return study;
}

const std::string& FmuModel::text() const { return tables_ ? tables_->text : text_->text(); }

Results FmuModel::run(Study study, const Progress& progress) const {
  study.analysis.estimate = false;
  return tables_ ? run_real_time(*tables_, study, progress) : mubody::run(study, progress);
}

Simulation FmuModel::simulate(const Study& study, const SimulationOptions& options) const {
  if (!tables_) return Simulation(study, options);
  RealTimeModel model = *tables_;
  for (DesignVariable& d : model.design) d.value = study.parameters.at(d.name);
  return mubody::simulate(std::move(model), study, options);
}
}  // namespace mubody::io

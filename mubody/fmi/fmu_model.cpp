#include "mubody/fmi/fmu_model.h"

#include <fmt/format.h>

#include "mubody/analyses/run.h"
#include "mubody/model/units.h"
#include "mubody/precompute/run/run_real_time.h"
#include "mubody/reading/real_time_file.h"
#include "mubody/reading/values.h"
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

// A number of [parameters]; none if it is a formula of others.
std::optional<FmuModel::Parameter> free_parameter(const Node::Key& key, const Node& node) {
  if (node.is(Node::Kind::number) || node.is(Node::Kind::integer))
    return FmuModel::Parameter{key.name, "", node.number};
  if (!node.is(Node::Kind::string) || is_formula(node.text)) return {};
  const Quantity q = parse_quantity(node.text);
  return FmuModel::Parameter{key.name, unit_of_dimension(q.dim), q.si};
}
}  // namespace

FmuModel::FmuModel(const std::filesystem::path& file, const Settings& settings)
    : file_(file.string()), settings_(settings) {
  if (is_real_time_file(file)) {
    tables_ = read_real_time_file(file);
    const Study at_start = study({});
    for (const DesignVariable& d : tables_->design)
      parameters_.push_back({d.name, "", at_start.parameters.at(d.name)});
    return;
  }
  text_.emplace(file_, settings);
  const Node* const all = text_->root().find("parameters");
  if (!all || !all->is(Node::Kind::table)) return;
  for (std::size_t k = 0; k < all->keys.size(); ++k)
    if (auto p = free_parameter(all->keys[k], all->items[k])) parameters_.push_back(std::move(*p));
}

Study FmuModel::study(const std::map<std::string, double>& parameters, DataFiles* data) const {
  std::vector<std::string> changes;
  for (const auto& [name, value] : parameters)
    changes.push_back(fmt::format("parameters.{}={:.17g}", name, value));
  Study study;
  if (tables_) {
    Settings all(tables_->settings);
    all.insert(all.end(), settings_.begin(), settings_.end());
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

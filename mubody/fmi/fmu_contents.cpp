#include "mubody/fmi/fmu_contents.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "mubody/exchange/exchange.h"
#include "mubody/fmi/fmu_dependencies.h"
#include "mubody/fmus/variable_names.h"
#include "mubody/math/suggest.h"
#include "mubody/model/units.h"
#include "mubody/precompute/c/emit_c.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/input_slots.h"
#include "mubody/text/stars.h"

namespace mubody::io {
namespace {
class FmuLister {
 public:
  FmuLister(const FmuModel& model, const FmuWishes& wishes)
      : wishes_(wishes), study_(model.study({})), begun_(begin(study_, "forward")) {
    out_.model = study_.mechanism.name;
    out_.identifier = wishes.identifier.empty() ? c_name(out_.model) : wishes.identifier;
    list_parameters(model);
    list_inputs(model.simulate(study_, {}));
    list_outputs();
    name_all();
    const AnalysisOptions& a = study_.analysis;
    out_.start = a.start, out_.end = a.end;
    const double hundredths = (a.end - a.start) / 500;
    out_.step = study_.output.step ? *study_.output.step : hundredths > 0 ? hundredths : 0.01;
    if (a.method() && a.method()->adaptive) out_.tolerance = a.control.rtol;
    out_.shown_units = study_.output.units;
    out_.cosimulation = wishes.kind != FmuKind::exchange;
    out_.exchange = wishes.kind != FmuKind::cosimulation;
    // A driver that is set moves bodies at once.
    if (!out_.exchange) {
      if (!drives_ && !model.tables()) find_dependencies(out_, study_);
      return;
    }
    if (model.tables()) throw ModelError("precomputed models are for co-simulation alone");
    const Exchange exchange(study_);
    out_.states = exchange.states(), out_.indicators = exchange.indicators();
    if (!drives_) find_dependencies(out_, study_);
  }
  FmuContents taken() { return std::move(out_); }

 private:
  // Pure numbers have no unit.
  static std::string plain(const std::string& unit) { return unit == "1" || unit == "-" ? "" : unit; }
  void add(FmuVariable::Kind kind, const std::string& of, const std::string& unit, double start,
           std::string meaning) {
    out_.variables.push_back({{kind, of}, of, plain(unit), start, std::move(meaning)});
  }

  void list_parameters(const FmuModel& model) {
    for (const FmuModel::Parameter& p : model.parameters()) {
      add(FmuVariable::parameter, p.name, p.unit, p.value, "");
      FmuScalar& added = out_.variables.back();
      if (p.range.min) added.min = p.range.min->si;
      if (p.range.max) added.max = p.range.max->si;
    }
  }

  // What a program must set is an input: numbers that are written as numbers.  A formula stays what it is unless one asks.
  void list_inputs(const Simulation& sim) {
    Mechanism m = study_.mechanism;
    const InputSlots slots(m);
    std::vector<bool> wanted(slots.all().size());
    for (std::size_t k = 0; k < wanted.size(); ++k)
      wanted[k] =
          slots.all()[k].was && slots.all()[k].was->is_constant() &&
          std::isfinite(sim.value(Input(int(k))));  // a default that is no number stands for something else
    for (const std::string& name : wishes_.inputs) wanted[std::size_t(sim.input(name).index())] = true;
    for (std::size_t k = 0; k < wanted.size(); ++k)
      if (wanted[k]) list_input(sim, slots.all()[k], int(k));
  }

  void list_input(const Simulation& sim, const InputSlot& slot, int index) {
    const bool drives =
        std::ranges::any_of(study_.mechanism.joints, [&](const auto& j) { return j.name == slot.element; });
    const std::string unit = slot.unit.empty() ? "1" : slot.unit;
    add(FmuVariable::input, slot.name, unit, slot.was ? sim.value(Input(index)) : 0, "");
    drives_ = drives_ || drives;
    if (!drives) return;
    const std::string per = unit == "1" ? "1/s" : unit + "/s";
    add(FmuVariable::rate, slot.name, per, 0, "rate of " + slot.name);
    add(FmuVariable::acceleration, slot.name, per + "2", 0, "acceleration of " + slot.name);
  }

  void list_outputs() {
    const auto& all = begun_.system->channels;
    std::vector<bool> wanted(all.size());
    const auto want = [&](auto&& fits_it) {
      bool any = false;
      for (std::size_t k = 0; k < all.size(); ++k)
        if (fits_it(all[k])) wanted[k] = any = true;
      return any;
    };
    bool any = false;
    for (const NamedChannel& n : study_.mechanism.outputs)
      any = want([&](const Channel& c) { return c.name == n.name; }) || any;
    for (const Noted& n : study_.mechanism.signals)
      if (n.is_output) any = want([&](const Channel& c) { return c.name == n.name; }) || any;
    for (const std::string& pattern : wishes_.outputs) {
      any = true;
      if (want([&](const Channel& c) { return fits(c.name, pattern); })) continue;
      throw ModelError(fmt::format("there is no output '{}'{}", pattern, near(pattern, all)));
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      // An input is a channel too; whoever sets it knows it.
      const bool set =
          std::ranges::any_of(out_.variables, [&](const FmuScalar& v) { return v.of == all[k].name; });
      if (!(wanted[k] || (!any && !set))) continue;
      add(FmuVariable::output, all[k].name, all[k].unit, 0, "");
    }
  }

  // A name that somebody may have meant; failing that, some with the same end, or any.
  static std::string near(const std::string& wanted, const auto& all) {
    std::vector<std::string> names, same_end;
    const std::string end = wanted.substr(std::min(wanted.rfind('.'), wanted.size()));
    for (const Channel& c : all) {
      names.push_back(c.name);
      if (!end.empty() && c.name.ends_with(end)) same_end.push_back(c.name);
    }
    if (const std::string one = suggestion(wanted, names); !one.empty()) return one;
    std::vector<std::string>& some = same_end.empty() ? names : same_end;
    constexpr std::size_t most = 3;
    if (some.size() > most) some.resize(most);
    return some.empty() ? ""
                        : fmt::format("; there are {} outputs, such as {}", all.size(), fmt::join(some, ", "));
  }

  void name_all() {
    bool structured = true;
    for (const FmuScalar& v : out_.variables) structured = structured && can_be_structured(v.of);
    out_.convention = structured ? "structured" : "flat";
    std::set<std::string> taken{"time"};
    for (FmuScalar& v : out_.variables) {
      constexpr const char* ends[] = {"", "", "_rate", "_acceleration", ""};
      constexpr const char* beginnings[] = {"parameters.", "inputs.", "inputs.", "inputs.", "outputs."};
      const std::string plain_name = v.of + ends[v.kind];
      std::string name = plain_name;
      while (!taken.insert(name).second) name = beginnings[v.kind] + name;
      v.name = structured ? structured_name(name) : name;
    }
  }

  const FmuWishes& wishes_;
  Study study_;
  Begun begun_;
  bool drives_ = false;
  FmuContents out_;
};
}  // namespace

FmuContents fmu_contents(const FmuModel& model, const FmuWishes& wishes) {
  return FmuLister(model, wishes).taken();
}
}  // namespace mubody::io

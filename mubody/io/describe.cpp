#include "mubody/io/describe.h"

#include <fmt/format.h>

#include "mubody/analyses/options.h"
#include "mubody/forces/laws/registry.h"
#include "mubody/functions/registry.h"
#include "mubody/io/markers.h"
#include "mubody/io/toml.h"
#include "mubody/system/registry.h"

namespace mubody {
namespace {
using namespace io;

/// What stands for the unit of a number that has the unit of its curve.
struct UnitWords {
  std::string value, over;
};

const std::string is_required = "required";
constexpr std::string_view as_at_start = "; as at the start";

std::string numbers(const std::vector<double>& values) { return fmt::format("[{}]", fmt::join(values, ", ")); }

// Types in words, one overload for each type of Fields.
std::string type_of(const double&) { return "number"; }
std::string type_of(const int&) { return "whole number"; }
std::string type_of(const bool&) { return "true or false"; }
std::string type_of(const std::string&) { return "text"; }
std::string type_of(const Choice& c) {
  std::vector<std::string> quoted;
  for (const std::string_view word : c.words) quoted.push_back(fmt::format("\"{}\"", word));
  return one_of(std::vector<std::string_view>(quoted.begin(), quoted.end()));
}
std::string type_of(const Vec<3>&) { return "2 numbers"; }
std::string type_of(const std::vector<double>&) { return "numbers"; }
std::string type_of(const Data&) { return "rows, or a CSV file"; }
std::string type_of(const Function&) { return "function of time"; }
std::string type_of(const std::vector<Function>&) { return "functions of time"; }
std::string type_of(const Signal&) { return "function of time and state"; }
std::string type_of(const std::vector<Signal>&) { return "2 functions of time and state"; }
std::string type_of(const Law&) { return "law"; }
template <class T> std::string type_of(const std::optional<T>&) {
  if constexpr (std::is_same_v<T, double>)
    return "number";
  else if constexpr (std::is_same_v<T, Function>)
    return "function of time";
  else
    return "law";
}

// Defaults as the file would write them; "" if there is none to write.
std::string default_of(const double& v) { return fmt::format("{}", v); }
std::string default_of(const int& v) { return fmt::format("{}", v); }
std::string default_of(const bool& v) { return v ? "true" : "false"; }
std::string default_of(const std::string& v) { return fmt::format("\"{}\"", v); }
std::string default_of(const Choice& v) { return fmt::format("\"{}\"", v.word()); }
std::string default_of(const Vec<3>& v) { return numbers({v.x(), v.y()}); }
std::string default_of(const std::vector<double>& v) { return v.empty() ? "" : numbers(v); }
std::string default_of(const Function& v) { return fmt::format("{}", v(0).x); }
std::string default_of(const Signal& v) { return fmt::format("{}", v.function_of_time()(0).x); }
template <class T> std::string default_of(const T&) { return ""; }

/// Collects the fields of an element.
class Describer : public EachField<Describer> {
 public:
  explicit Describer(UnitWords words = {}) : words_(std::move(words)) {}
  std::vector<FieldNote> notes;
  std::string meaning_i, meaning_j;

  template <class T> void each(const Field& f, T& value) {
    FieldNote note{std::string(f.name), type_of(value), unit_of(f, value), default_of(value),
                   std::string(f.meaning)};
    if (f.required) note.fallback = is_required;
    if (note.meaning.ends_with(as_at_start) && note.fallback.empty()) {
      note.meaning.resize(note.meaning.size() - as_at_start.size());
      note.fallback = as_at_start.substr(2);
    }
    notes.push_back(std::move(note));
  }
  void each(const Field& f, Marker&) { (f.name == "i" ? meaning_i : meaning_j) = f.meaning; }

 private:
  template <class T> std::string unit_of(const Field& f, const T&) const {
    if (f.unit == "1") return "";
    constexpr bool is_number = std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>>;
    constexpr bool are_numbers = std::is_same_v<T, std::vector<double>>;
    if (!f.unit.empty() || words_.value.empty()) return std::string(f.unit);
    if (are_numbers) return fmt::format("{}/{}^k", words_.value, words_.over);
    if (is_number && f.name.ends_with("_slope")) return fmt::format("{}/{}", words_.value, words_.over);
    return is_number ? words_.value : "";
  }

  UnitWords words_;
};

/// Sets every choice to its k-th word, as far as there is one.
class Chooser : public EachField<Chooser> {
 public:
  explicit Chooser(int k) : k_(k) {}
  template <class T> void each(const Field&, T& value) {
    if constexpr (std::is_same_v<T, Choice>)
      if (k_ < static_cast<int>(value.words.size())) value.index = k_;
  }

 private:
  int k_;
};

/// The unit of a field may depend on a choice: metres for x, radians for an angle.
template <class Element>
void add_units(Element& element, const UnitWords& words, std::vector<FieldNote>& notes) {
  constexpr int most_words = 8;
  for (int k = 0; k < most_words; ++k) {
    Chooser chooser(k);
    element.fields(chooser);
    Describer other(words);
    element.fields(other);
    for (std::size_t n = 0; n < notes.size(); ++n)
      if (notes[n].unit.find(other.notes[n].unit) == std::string::npos)
        notes[n].unit += " or " + other.notes[n].unit;
  }
}

template <class Element> Describer described_by(Element& element, const UnitWords& words = {}) {
  Describer d(words);
  element.fields(d);
  add_units(element, words, d.notes);
  return d;
}

/// Asks the reader itself whether an element attached like this is complete.
bool is_accepted(Attach purpose, const FieldList& list, const std::string& toml) {
  Known known;
  known.bodies = {{"ground", 0}, {"body", 1}};
  known.start.resize(2);
  known.start[1].at.x() = 1;
  try {
    const Node element = parse_toml(toml, "");
    read_markers(element, element.mark, Scope(""), purpose, list, known);
    return true;
  } catch (const ModelError&) {
    return false;
  }
}

/// The keys that attach an element to its bodies.
std::vector<FieldNote> marker_notes(Attach purpose, const FieldList& list, const Describer& d) {
  std::vector<FieldNote> notes;
  const auto has = [&](std::string_view key) {
    const std::vector<std::string_view> keys = marker_keys(list);
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  const std::string both = "bodies = [\"ground\", \"body\"]\n";
  const bool single = has("body"), pair = has("bodies");
  const bool needs_place = pair && !is_accepted(purpose, list, both + "axis = [1, 0]");
  const bool needs_line = pair && !is_accepted(purpose, list, both + "at = [0, 0]");
  const std::string this_or = single && pair ? "this, or bodies" : is_required;
  if (single) notes.push_back({"body", "name", "", this_or, d.meaning_j});
  if (pair)
    notes.push_back({"bodies", "2 names", "", single ? "this, or body" : is_required,
                     single ? "body i, which feels the opposite, and body j" : "body i, then body j"});
  if (has("at")) {
    if (pair && !single)
      notes.push_back({"at", "2 numbers", "m", needs_place ? "this, or i and j" : "",
                       "a point in global axes at the start, the same for both bodies"});
    else
      notes.push_back({"at", "2 numbers", "m", "[0, 0]", "the point in the axes of the body"});
  }
  const std::string place = "2 numbers, or {at, axis}";
  if (has("i")) notes.push_back({"i", place, "m", "[0, 0]", "in the axes of body i: " + d.meaning_i});
  if (has("j") && pair) notes.push_back({"j", place, "m", "[0, 0]", "in the axes of body j: " + d.meaning_j});
  if (has("axis"))
    notes.push_back({"axis", "2 numbers", "", needs_line ? "this, or to" : "axes of the body",
                     pair && !single ? "direction of the x axes of i and j in global axes at the start"
                                     : "direction of the x axis, in the axes of the body"});
  if (has("to"))
    notes.push_back({"to", "2 numbers", "m", needs_line ? "this, or axis" : "",
                     "a second point of the line that begins at 'at', in place of axis"});
  if (has("angle")) notes.push_back({"angle", "number", "rad", "0", "of the x axis, in place of axis"});
  return notes;
}

template <class Element> std::vector<FieldNote> notes_of(Element& element, const UnitWords& words = {}) {
  return described_by(element, words).notes;
}

template <class Element> std::vector<FieldNote> attached_notes_of(Element& element) {
  const Describer d = described_by(element);
  std::vector<FieldNote> notes = marker_notes(element.attach(), fields_of(element), d);
  notes.insert(notes.end(), d.notes.begin(), d.notes.end());
  return notes;
}

KindNote kind_of(const Info& info) { return {std::string(info.name), std::string(info.summary), {}, {}}; }

Category joints(Use use) {
  const bool drivers = use == Use::driver;
  Category c{drivers ? "drivers" : "joints", "", {}};
  c.intro = drivers
                ? "One line each under [drivers]: name = {type = ..., ...}. A driver is a joint that follows a "
                  "function of time."
                : "One line each under [joints]: name = {type = ..., ...}. Equations and freedoms are those "
                  "between two bodies in the plane.";
  for (const JointEntry& e : joint_kinds()) {
    if (e.use != use && e.use != Use::both) continue;
    KindNote kind = kind_of(e.info);
    const auto element = e.make();
    const char* const sections[] = {"joints", "drivers", "joints, drivers"};
    kind.facts = {{"equations", e.forbids}, {"freedoms", e.allows}, {"sections", sections[int(e.use)]}};
    kind.fields = attached_notes_of(*element);
    c.kinds.push_back(std::move(kind));
  }
  return c;
}

Category forces() {
  Category c{"forces",
             "One line each under [forces]: name = {type = ..., ...}. Gravity is not among them: it is "
             "written gravity = [0, -9.81] at the top of the file.",
             {}};
  for (const ForceEntry& e : force_kinds()) {
    KindNote kind = kind_of(e.info);
    kind.fields = attached_notes_of(*e.make());
    c.kinds.push_back(std::move(kind));
  }
  return c;
}

template <class Entry>
Category curves(std::string name, std::string intro, std::span<const Entry> entries, const UnitWords& words) {
  Category c{std::move(name), std::move(intro), {}};
  for (const Entry& e : entries) {
    KindNote kind = kind_of(e.info);
    kind.fields = notes_of(*e.make(), words);
    c.kinds.push_back(std::move(kind));
  }
  return c;
}

Category integrators() {
  Category c{"integrators",
             "Written integrator = \"name\" under [analysis]; steps and tolerances stand there too, "
             "see 'mubody list analyses'.",
             {}};
  for (const IntegratorEntry& e : integrator_kinds()) {
    KindNote kind = kind_of(e.info);
    kind.facts = {{"order", e.order}, {"steps", e.adaptive ? "controlled" : "fixed"}};
    c.kinds.push_back(std::move(kind));
  }
  return c;
}

std::string summary_of_analysis(std::string_view type) {
  if (type == "forward") return "motion from forces, with the energy balance";
  if (type == "kinematic") return "motion from drivers, one for every freedom, and the forces it takes";
  if (type == "assembly") return "positions and velocities at the start that satisfy the constraints";
  return "";
}

Category analyses() {
  Category c{"analyses", "The sections [analysis] and [output] of a model file.", {}};
  AnalysisOptions analysis;
  for (const std::string_view type : analysis.type.words)
    c.kinds.push_back({std::string(type), summary_of_analysis(type), {}, {}});

  const std::string treatment(analysis.treatment->info().name);
  KindNote section{"[analysis]", "what to compute, and how", {}, notes_of(analysis)};
  section.fields.push_back({"treatment", "name, or {type = name, ...}", "", "\"" + treatment + "\"",
                            "how the constraints are held, see 'mubody list treatments'"});
  const FieldNote hold{"hold", "names", "", "none", "what assembly must not change, as in [\"crank.angle\"]"};
  section.fields.push_back(hold);
  section.fields.push_back({"assembly", "table", "", "", "how assembly works, see [analysis.assembly]"});
  c.kinds.push_back(std::move(section));

  AssemblyOptions assembly;
  KindNote start{"[analysis.assembly]", "how the start is made consistent", {}, notes_of(assembly)};
  start.fields.push_back(hold);
  start.fields.back().meaning += "; here, or directly in [analysis]";
  c.kinds.push_back(std::move(start));

  OutputOptions output;
  KindNote results{"[output]", "what is written to the result files", {}, notes_of(output)};
  results.fields.push_back(
      {"channels", "names", "", "none", "columns of the other files that are written to channels.csv as well"});
  c.kinds.push_back(std::move(results));
  return c;
}
}  // namespace

std::vector<Category> describe() {
  std::vector<Category> all;
  all.push_back(joints(Use::joint));
  all.push_back(joints(Use::driver));
  all.push_back(forces());
  all.push_back(
      curves("laws",
             "The force of a spring over its deflection: a formula such as law = \"= 100*deflection^3\", or "
             "a table such as law = {type = \"polynomial\", coefficients = [100, 0, 5e4]}. Units: N over m "
             "for a spring, N m over rad for a torsion spring.",
             law_kinds(), {"force", "deflection"}));
  all.push_back(
      curves("functions",
             "A function of time is a number, a formula such as \"= 2*sin(pi*t)\", or a table such as "
             "{type = \"harmonic\", amplitude = \"10 deg\", frequency = \"2 Hz\"}. Unit 'value': that of "
             "what the function stands for, such as rad for an angle.",
             function_kinds(), {"value", "s"}));
  all.push_back(curves("treatments",
                       "Written treatment = \"name\" or treatment = {type = \"name\", ...} under [analysis].",
                       treatment_kinds(), {}));
  all.push_back(integrators());
  all.push_back(analyses());
  return all;
}
}  // namespace mubody

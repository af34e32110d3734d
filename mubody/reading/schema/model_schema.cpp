// A JSON Schema (draft 7) of model files, from the same descriptions as `mubody list`.
//
// Values of several kinds have a list of types with the keywords of each, not a choice of schemas: a validator then points to
// the key that is wrong, and not to all the choices that it does not fit.  Kinds of elements are told apart by conditions
// upon their `type`, for the same reason.
//
// A file that includes others may state parts of elements, as {axis = [0, 0, 1]} for one that another file has begun.  What
// is required is therefore stated apart, for files that include none.
#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "mubody/reading/describe.h"
#include "mubody/reading/sections.h"
#include "mubody/text/json.h"

namespace mubody::io {
namespace {
using Strings = std::vector<std::string>;

// A number with a unit or not, or a formula.
constexpr const char* quantity_pattern =
    R"(^\s*(=|[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*([A-Za-z%°µ].*)?$))";
constexpr const char* formula_pattern = R"(^\s*=)";
constexpr const char* name_with_hyphens = "^[A-Za-z_][A-Za-z0-9_-]*$";
constexpr const char* name_in_formulas = "^[A-Za-z_][A-Za-z0-9_]*$";

Json one_type(const char* type) { return {{"type", type}}; }
Json either(const Strings& types) { return {{"type", Json(types)}}; }
Json number() { return {{"type", Json(Strings{"number", "string"})}, {"pattern", quantity_pattern}}; }
Json array_of(Json item) { return {{"type", "array"}, {"items", std::move(item)}}; }
Json refer(const std::string& definition) { return {{"$ref", "#/definitions/" + definition}}; }
Json vector() {
  return {{"type", Json(Strings{"array", "string"})}, {"items", number()}, {"minItems", 2}, {"maxItems", 3}};
}

/// The schema of a value, without what is known of its keys if it is a table.
Json of_form(const ValueType& type) {
  switch (type.form) {
    case Form::number: return number();
    case Form::whole: return {{"type", Json(Strings{"integer", "string"})}, {"pattern", quantity_pattern}};
    case Form::boolean: return one_type("boolean");
    case Form::text: return one_type("string");
    case Form::choice: return {{"enum", Json(type.choices)}};
    case Form::vector: return vector();
    case Form::vector_or_names: return {{"anyOf", Json::array({vector(), array_of(one_type("string"))})}};
    case Form::numbers:
      return array_of({{"type", Json(Strings{"number", "string", "array"})},
                       {"pattern", quantity_pattern},
                       {"items", number()}});
    case Form::names: return array_of(one_type("string"));
    case Form::data: return either({"array", "string", "object"});
    case Form::function: return refer("function");
    case Form::functions: return array_of(refer("function"));
    case Form::law: return refer("law");
    case Form::contact_law: return refer("contact-law");
    case Form::friction_law: return refer("friction-law");
    case Form::curve: return refer("curve");
    case Form::table: return one_type("object");
    case Form::tables: return array_of(one_type("object"));
    case Form::text_or_table: return either({"string", "object"});
    case Form::list_or_table: return either({"array", "object"});
    case Form::number_or_table:
      return {{"type", Json(Strings{"number", "string", "object"})}, {"pattern", quantity_pattern}};
    case Form::list: return array_of(Json::object());
    case Form::place: return {{"type", Json(Strings{"array", "string", "object"})}, {"items", number()}};
  }
  return Json::object();
}

/// What an editor shows: "of the pitch circle [m]; default: 0".
std::string hint(const FieldNote& note) {
  std::string text = note.meaning;
  if (!note.unit.empty()) text += fmt::format(" [{}]", note.unit);
  if (note.fallback && !note.fallback->empty()) text += "; default: " + *note.fallback;
  return text;
}

/// A schema with a hint; beside a reference it would be ignored.
Json with_hint(Json schema, const std::string& text) {
  if (schema.is_object() && !std::as_const(schema)["$ref"].text().empty())
    schema = {{"allOf", Json::array({std::move(schema)})}};
  schema["description"] = text;
  return schema;
}

/// The last key of the path.
std::string key_of(const FieldNote& note) { return note.name.substr(note.name.rfind('.') + 1); }

/// The keys of a table, and which of them are required.
struct Keys {
  Json properties = Json::object();
  Strings required;

  /// A key that is there already, for the plane or for space, may have either of the two forms.
  void add(const std::string& key, Json schema) {
    if (const Json& there = std::as_const(properties)[key]; !there.empty()) {
      const std::string text = there["description"].text();
      if (there.dump() == schema.dump()) return;
      schema = {{"anyOf", Json::array({there, std::move(schema)})}, {"description", text}};
    }
    properties[key] = std::move(schema);
  }
  void add(const Keys& more) {
    for (const Json::Member& m : more.properties.members()) add(m.name, m.value);
  }
  Json table() const {
    Json schema{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty()) schema["required"] = Json(required);
    return schema;
  }
};

/// The keys that notes describe, with those of tables within.
Keys keys_of(const std::vector<FieldNote>& notes, std::size_t placing = 0) {
  Keys keys;
  for (std::size_t k = 0; k < notes.size();) {
    const FieldNote& note = notes[k];
    std::size_t end = k + 1;
    while (end < notes.size() && notes[end].depth > note.depth) ++end;
    Json schema = of_form(note.type);
    if (end > k + 1) {
      // Such a table may also be read from a file, which it names.
      Keys inner = keys_of({notes.begin() + std::ptrdiff_t(k) + 1, notes.begin() + std::ptrdiff_t(end)});
      inner.required.clear();
      inner.add("file", one_type("string"));
      schema = inner.table();
      schema["type"] = Json(Strings{"object", "string"});
    }
    keys.add(key_of(note), with_hint(std::move(schema), hint(note)));
    if (!note.fallback && k >= placing) keys.required.push_back(key_of(note));
    k = end;
  }
  return keys;
}
Keys keys_of(const KindNote& kind) { return keys_of(kind.fields, kind.placing); }

/// Adds to the schema of a table that its keys are those of the kind that a key of it names.
void choose_by(Json& schema, const std::string& key, const std::vector<KindNote>& kinds,
               const std::function<Keys(const KindNote&)>& keys) {
  Strings names, hints;
  Json all = Json::array();
  for (const KindNote& kind : kinds) {
    names.push_back(kind.name);
    Keys own = keys(kind);
    own.properties[key] = with_hint({{"const", kind.name}}, kind.summary);
    Json then = own.table();
    then.erase("type");
    all.push_back({{"if", {{"properties", {{key, {{"const", kind.name}}}}}, {"required", Json(Strings{key})}}},
                   {"then", std::move(then)}});
  }
  schema["properties"][key] = {{"enum", Json(names)},
                               {"description", "one of: " + fmt::format("{}", fmt::join(names, ", "))}};
  schema["allOf"] = std::move(all);
}
Json table_by_type(
    const std::vector<KindNote>& kinds,
    const std::function<Keys(const KindNote&)>& keys = [](const KindNote& k) { return keys_of(k); }) {
  Json schema{{"type", "object"}, {"required", Json(Strings{"type"})}};
  choose_by(schema, "type", kinds, keys);
  return schema;
}

/// Named elements, one for each key.
Json named(Json element, const char* names = name_with_hyphens) {
  return {{"type", "object"},
          {"propertyNames", {{"pattern", names}}},
          {"additionalProperties", std::move(element)}};
}

class Schema {
 public:
  Schema() {
    for (Category& c : describe()) all_.emplace(c.name, std::move(c));
  }

  Json write() const {
    Json whole = sections(), parts = without_required(whole), definitions = Json::object();
    const Json common = values();
    for (const Json::Member& m : common.members()) {
      definitions.add(m.name, without_required(m.value));
      definitions.add(complete(m.name), only_required(m.value).value_or(Json::object()));
    }
    Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "a model of mubody"}};
    schema.update(parts);
    schema["properties"]["include"] = with_hint(
        Json::object(),
        "other files whose contents this one has: a name, or {file = ..., without = [...]}, or several");
    schema["if"] = {{"not", {{"required", Json(Strings{"include"})}}}};
    schema["then"] = only_required(whole).value_or(Json::object());
    schema["definitions"] = std::move(definitions);
    return schema;
  }

 private:
  const std::vector<KindNote>& kinds(const std::string& category) const { return all_.at(category).kinds; }
  const KindNote& kind(const std::string& category, const std::string& name) const {
    return *std::ranges::find(kinds(category), name, &KindNote::name);
  }

  /// Values that many elements have.
  Json values() const {
    const auto of_types = [](Json table, const Strings& types) {
      table["type"] = Json(types);
      return table;
    };
    Json function = of_types(table_by_type(kinds("functions")), {"number", "string", "object"});
    function["pattern"] = quantity_pattern;
    Json law = of_types(table_by_type(kinds("laws")), {"string", "object"});
    law["pattern"] = formula_pattern;
    Strings names;
    for (const KindNote& k : kinds("contact-laws")) names.push_back(k.name);
    Json friction = of_types(table_by_type(kinds("friction-laws")), {"number", "string", "object"});
    friction["pattern"] = quantity_pattern;
    return {{"function", function},
            {"law", law},
            {"contact-law",
             {{"anyOf", Json::array({{{"enum", Json(names)}}, table_by_type(kinds("contact-laws"))})}}},
            {"friction-law", friction},
            {"curve", table_by_type(kinds("curves"))}};
  }

  Json sections() const {
    Json properties = Json::object();
    for (const std::string_view section : model_sections)
      properties.add(std::string(section), section_of(section));
    return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  }
  Json section_of(std::string_view section) const {
    using Maker = Json (Schema::*)() const;
    static constexpr std::pair<std::string_view, Maker> makers[] = {{"name", &Schema::name},
                                                                    {"gravity", &Schema::gravity},
                                                                    {"parameters", &Schema::parameters},
                                                                    {"places", &Schema::places},
                                                                    {"bodies", &Schema::bodies},
                                                                    {"markers", &Schema::markers},
                                                                    {"points", &Schema::points},
                                                                    {"joints", &Schema::joints},
                                                                    {"drivers", &Schema::drivers},
                                                                    {"forces", &Schema::forces},
                                                                    {"signals", &Schema::signals},
                                                                    {"inputs", &Schema::inputs},
                                                                    {"outputs", &Schema::outputs},
                                                                    {"output", &Schema::output},
                                                                    {"analysis", &Schema::analysis},
                                                                    {"precompute", &Schema::precompute},
                                                                    {"look", &Schema::look},
                                                                    {"report", &Schema::report},
                                                                    {"controllers", &Schema::controllers}};
    const auto maker = std::ranges::find(makers, section, &std::pair<std::string_view, Maker>::first);
    if (maker == std::end(makers)) throw std::logic_error(fmt::format("section '{}' has no schema", section));
    return (this->*maker->second)();
  }

  Json name() const {
    return with_hint(one_type("string"), "what the model is called; the name of its file if left out");
  }
  Json gravity() const {
    Json schema = vector();
    schema["type"] = "array";
    return with_hint(std::move(schema), "two numbers make a planar model, three a spatial one [m/s^2]");
  }
  Json parameters() const {
    Keys keys;
    keys.add("value", with_hint(number(), "the number itself"));
    keys.add("min", with_hint(number(), "the smallest value that it may be given; default: any"));
    keys.add("max", with_hint(number(), "the largest value that it may be given; default: any"));
    keys.required = {"value"};
    Json parameter = keys.table();
    parameter.update(number());
    parameter["type"] = Json(Strings{"number", "string", "object"});
    return with_hint(named(std::move(parameter), name_in_formulas),
                     "numbers with names, for formulas; each may use those before it");
  }
  Json places() const {
    Keys keys;
    keys.add("length", with_hint(one_type("object"), "distances from other places"));
    keys.add("near", with_hint(vector(), "a point that is nearer to this one than to its mirror image"));
    keys.add("between", with_hint(array_of(one_type("string")), "two places"));
    keys.add("share", with_hint(number(), "of the way between them; default: 0.5"));
    Json place = keys.table();
    place.update(vector());
    place["type"] = Json(Strings{"array", "object"});
    return with_hint(named(std::move(place)), "points in global axes at the start");
  }

  /// A body has the keys of its shape beside its own.
  Json bodies() const {
    Keys own, of_any;
    own.add(keys_of(kind("bodies", "body_in_plane")));
    own.add(keys_of(kind("bodies", "body_in_space")));
    of_any.add(own);
    for (const KindNote& shape : kinds("shapes")) of_any.add(keys_of(shape));
    Json body{{"type", "object"}};
    choose_by(body, "shape", kinds("shapes"), [&](const KindNote& shape) {
      Keys all = keys_of(shape);
      all.required.clear();  // an element is complete with its mesh or its places, which may say the rest
      Keys both;
      both.add(own), both.add(all);
      return both;
    });
    body["properties"] = of_any.properties;
    body["additionalProperties"] = false;
    return with_hint(named(std::move(body)), all_.at("bodies").intro);
  }
  Json markers() const {
    Keys keys;
    keys.add(keys_of(kind("markers", "marker_in_plane")));
    keys.add(keys_of(kind("markers", "marker_in_space")));
    return with_hint(named(keys.table()), all_.at("markers").intro);
  }
  Json points() const {
    Keys keys = keys_of(kind("markers", "[points]"));
    return with_hint(named(keys.table()), kind("markers", "[points]").summary);
  }
  Json elements(const std::string& category) const {
    return with_hint(named(table_by_type(kinds(category))), all_.at(category).intro);
  }
  Json joints() const { return elements("joints"); }
  Json drivers() const { return elements("drivers"); }
  Json forces() const { return elements("forces"); }

  /// A number, a formula, a function of time, or a block; `more` is what else its text may be.
  Json signal(const char* text) const {
    Keys common;
    common.add("unit", with_hint(one_type("string"), "an SI unit, which results show"));
    common.add("sample", with_hint(number(), "the time from one value of a sampled signal to the next [s]"));
    std::vector<KindNote> all = kinds("signals");
    const std::vector<KindNote>& functions = kinds("functions");
    all.insert(all.end(), functions.begin(), functions.end());
    Json by_type = table_by_type(all, [&](const KindNote& k) {
      Keys keys = keys_of(k);
      keys.add(common);
      return keys;
    });
    Keys by_value = common;
    by_value.add("value", with_hint(refer("function"), "a formula, or a number"));
    Json schema{{"type", Json(Strings{"number", "string", "object"})}, {"pattern", text}};
    by_type.erase("type");
    schema["if"] = {{"required", Json(Strings{"value"})}, {"type", "object"}};
    schema["then"] = by_value.table();
    schema["else"] = std::move(by_type);
    return schema;
  }
  Json signals() const {
    return with_hint(named(signal(quantity_pattern), name_in_formulas), all_.at("signals").intro);
  }
  Json outputs() const {
    return with_hint(named(signal(""), name_in_formulas), "channels by another name, or formulas");
  }
  Json inputs() const {
    Keys keys;
    keys.add("value", with_hint(number(), "until a program sets another one"));
    keys.add("unit", with_hint(one_type("string"), "an SI unit"));
    Json input = keys.table();
    input.update(number());
    input["type"] = Json(Strings{"number", "string", "object"});
    return with_hint(named(std::move(input), name_in_formulas), "numbers that a program sets");
  }

  Json section(const std::string& name) const {
    const KindNote& k = kind("analyses", name);
    return with_hint(keys_of(k).table(), k.summary);
  }
  Json analysis() const {
    Keys keys = keys_of(kind("analyses", "[analysis]"));
    for (const KindNote& k : kinds("analyses"))
      if (!k.name.starts_with('[')) keys.add(optional(keys_of(k)));
    keys.properties["assembly"] = section("[analysis.assembly]");
    Strings integrators, treatments;
    for (const KindNote& k : kinds("integrators")) integrators.push_back(k.name);
    for (const KindNote& k : kinds("treatments")) treatments.push_back(k.name);
    keys.properties["integrator"] = with_hint({{"enum", Json(integrators)}}, "see 'mubody list integrators'");
    keys.properties["treatment"] =
        with_hint({{"anyOf", Json::array({{{"enum", Json(treatments)}}, table_by_type(kinds("treatments"))})}},
                  "how the constraints are held, see 'mubody list treatments'");
    return with_hint(keys.table(), kind("analyses", "[analysis]").summary);
  }
  static Keys optional(Keys keys) {
    keys.required.clear();
    return keys;
  }
  Json output() const { return section("[output]"); }
  Json report() const { return section("[report]"); }
  Json precompute() const { return section("[precompute]"); }
  Json look() const { return with_hint(named(keys_of(kind("look", "[look]")).table()), all_.at("look").intro); }
  Json controllers() const {
    return with_hint(named(one_type("object")), "FMUs that run beside the model: {fmu, inputs, outputs, step}");
  }

  /// The definition of what another one requires.
  static std::string complete(const std::string& definition) { return definition + "-complete"; }

  /// The schema without what it requires, except in conditions.
  static Json without_required(const Json& schema) {
    if (!schema.is_object()) {
      Json all = Json::array();
      if (schema.elements().empty()) return schema;
      for (const Json& x : schema.elements()) all.push_back(without_required(x));
      return all;
    }
    Json rest = Json::object();
    for (const Json::Member& m : schema.members())
      if (m.name == "if")
        rest.add(m.name, m.value);
      else if (m.name != "required" || m.value.is_object())
        rest.add(m.name, without_required(m.value));
    return rest;
  }
  /// What it requires and nothing else; none if that is nothing.
  static std::optional<Json> only_required(const Json& schema) {
    Json rest = Json::object();
    if (!schema.is_object()) {
      Json all = Json::array();
      for (const Json& x : schema.elements())
        if (auto kept = only_required(x)) all.push_back(std::move(*kept));
      return all.empty() ? std::nullopt : std::optional(std::move(all));
    }
    for (const Json::Member& m : schema.members())
      if (m.name == "required" && !m.value.is_object())
        rest.add(m.name, m.value);
      else if (m.name == "$ref")
        rest.add(m.name, complete(m.value.text()));
      else if (m.name != "if" && (m.value.is_object() || !m.value.elements().empty()))
        if (auto kept = only_required(m.value)) rest.add(m.name, std::move(*kept));
    if (rest.empty()) return {};
    if (!schema["if"].empty()) rest["if"] = schema["if"];
    return rest;
  }

  std::map<std::string, Category> all_;
};
}  // namespace

std::string model_schema() { return Schema().write().dump() + '\n'; }
}  // namespace mubody::io

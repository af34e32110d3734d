#include "mubody/reading/describe.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/contact/friction/registry.h"
#include "mubody/contact/laws/registry.h"
#include "mubody/forces/laws/registry.h"
#include "mubody/functions/registry.h"
#include "mubody/joints/curves/registry.h"
#include "mubody/precompute/precompute.h"
#include "mubody/reading/bodies.h"
#include "mubody/reading/directions.h"
#include "mubody/reading/field_notes.h"
#include "mubody/reading/markers.h"
#include "mubody/reading/places/made_of.h"
#include "mubody/signals/registry.h"
#include "mubody/study/options.h"
#include "mubody/system/registry.h"
#include "mubody/text/toml.h"

namespace mubody::io {
namespace {
using namespace io;

/// Asks the reader itself whether an element with these keys is complete.
bool is_accepted(const Attachment& kind, InSpaces in, const std::string& toml) {
  Known known;
  known.dim = in.plane ? 2 : 3;
  known.bodies = {{"ground", 0}, {"body", 1}};
  known.start.resize(2);
  known.start[1].at.x() = 1;
  try {
    const Node element = parse_toml(toml, "");
    read_markers(element, element.mark, Scope(""), kind, known);
    return true;
  } catch (const ModelError&) {
    return false;
  }
}

/// The meaning of the key `axis`; in the plane the axis is always x of the markers.
std::string meaning_of_axis(Attach purpose, InSpaces in, bool global) {
  const std::string where = global ? "of i and j in global axes at the start" : "in the axes of the body";
  if (in.plane && is_along_z(purpose) && in.space)
    return fmt::format("direction {}: of the x axis in the plane, of the z axis in space", where);
  return fmt::format("direction of the {} axis {}", is_along_z(purpose) ? "z" : "x", where);
}

/// The keys that attach an element to its bodies.
std::vector<FieldNote> marker_notes(const Attachment& kind, InSpaces in, const Describer& d) {
  std::vector<FieldNote> notes;
  const auto has = [&](std::string_view key) {
    const auto is_key = [&](std::size_t dim) {
      const std::vector<std::string_view> keys = marker_keys(kind, dim);
      return std::ranges::find(keys, key) != keys.end();
    };
    return (in.plane && is_key(2)) || (in.space && is_key(3));
  };
  const ValueType vector{Form::vector, in.components() + " numbers"};
  const std::string origin = "the origin";
  const std::string both = "bodies = [\"ground\", \"body\"]\n";
  const std::string at = in.plane ? "at = [0, 0]" : "at = [0, 0, 0]";
  const std::string axis = in.plane ? "axis = [1, 0]" : "axis = [1, 0, 0]\nacross = [0, 1, 0]";
  const bool single = has("body"), pair = has("bodies");
  const bool needs_place = pair && !is_accepted(kind, in, both + axis);
  const bool needs_line = pair && !is_accepted(kind, in, both + at);
  const bool in_space_only = !needs_line && in.space && needs_axis(kind.purpose);
  const std::string or_joint = has("joint") ? ", or joint" : "";
  using Default = std::optional<std::string>;
  const Default alone = or_joint.empty() ? is_required : "this, or joint";
  if (single) {
    notes.push_back({"body",
                     {Form::text, "name"},
                     "",
                     pair ? Default("this, marker, or bodies" + or_joint) : Default("this, or marker"),
                     d.meaning_j});
    notes.push_back(
        {"marker", {Form::text, "name"}, "", "", "a marker of [markers], in place of body, at and directions"});
  }
  if (pair)
    notes.push_back({"bodies",
                     {Form::names, "2 names"},
                     "",
                     single ? Default("this, or body" + or_joint) : alone,
                     single ? "body i, which feels the opposite, and body j" : "body i, then body j"});
  if (has("joint"))
    notes.push_back({"joint",
                     {Form::text, "name"},
                     "",
                     "",
                     "a joint whose markers these are, in place of bodies, at, axis, i and j"});
  if (has("at")) {
    if (pair && !single)
      notes.push_back({"at",
                       {Form::vector_or_names, vector.words},
                       "m",
                       needs_place ? "this, or i and j" : "",
                       "a point in global axes at the start, the same for both bodies"});
    else
      notes.push_back({"at", vector, "m", origin, "the point in the axes of the body"});
  }
  const ValueType place{Form::place,
                        vector.words + (in.space ? ", {at, axis, across}, {at, orientation}, or a marker"
                                                 : ", {at, axis}, or a marker")};
  if (has("i")) notes.push_back({"i", place, "m", origin, "in the axes of body i: " + d.meaning_i});
  if (has("j") && pair) notes.push_back({"j", place, "m", origin, "in the axes of body j: " + d.meaning_j});
  if (has("axis")) {
    const Default line = has("to") ? "this, or to" : is_required;
    const Default free = in.plane ? "axes of the body" : "global axes";
    notes.push_back({"axis", vector, "", needs_line ? line : (in_space_only ? "required in space" : free),
                     meaning_of_axis(kind.purpose, in, pair && !single)});
  }
  if (has("to"))
    notes.push_back({"to", vector, "m", needs_line ? "this, or axis" : "",
                     "a second point of the line that begins at 'at', in place of axis"});
  const Default in_space = in.plane ? "required in space" : is_required;
  if (has("across"))
    notes.push_back({"across",
                     {Form::vector, "3 numbers"},
                     "",
                     needs_across(kind.purpose) ? in_space : "any perpendicular",
                     fmt::format("{}direction of the {} axis, perpendicular to axis",
                                 in.plane ? "in space: " : "", is_along_z(kind.purpose) ? "x" : "y")});
  if (has("angle"))
    notes.push_back(
        {"angle",
         {Form::number, "number"},
         "rad",
         "0",
         in.space ? "in the plane: of the x axis, in place of axis" : "of the x axis, in place of axis"});
  return notes;
}

template <class Entry> InSpaces spaces_of(const Entry& e) { return {e.in(2), e.in(3)}; }

KindNote kind_of(const Info& info) {
  return {std::string(info.name), std::string(info.summary), {}, "", {}, std::string(info.also)};
}

/// A kind of element that is attached to bodies.
template <class Entry, class Element>
KindNote attached_kind_of(const Entry& e, Element& element, bool may_follow) {
  KindNote kind = kind_of(e.info);
  kind.in = spaces_of(e).words();
  const Describer d = described_by(element, spaces_of(e));
  kind.fields = marker_notes(attachment_of(element, may_follow), spaces_of(e), d);
  kind.placing = kind.fields.size();
  kind.fields.insert(kind.fields.end(), d.notes.begin(), d.notes.end());
  return kind;
}

/// What may act on the turns and slides of a joint.
void add_part_notes(std::vector<FieldNote>& notes) {
  notes.insert(
      notes.end(),
      {{"limits",
        {Form::list_or_table, "[low, high], or table"},
        "rad or m",
        "none",
        "stops: {low, high, stiffness}, and restitution or damping; of several coordinates by their names, as "
        "in {angle = [...], slide = [...]}, and so for the next ones"},
       {"motor",
        {Form::table, "table"},
        "",
        "none",
        "{torque or force}, {speed, gain} or {position, stiffness, damping}, the last two with a limit"},
       {"stiffness",
        {Form::number_or_table, "number"},
        "N m/rad or N/m",
        "0",
        "of a spring along what the joint leaves free"},
       {"damping", {Form::number_or_table, "number"}, "N m s/rad or N s/m", "0", "of a damper beside it"},
       {"free",
        {Form::number_or_table, "number"},
        "rad or m",
        "as at the start",
        "where that spring is at rest"}});
}

Category joints(Use use) {
  const bool drivers = use == Use::driver;
  Category c{drivers ? "drivers" : "joints", "", {}};
  c.intro = drivers
                ? "One line each under [drivers]: name = {type = ..., ...}. A driver is a joint that follows a "
                  "function of time."
                : "One line each under [joints]: name = {type = ..., ...}. Equations and freedoms are those "
                  "between two bodies, in the plane and in space.";
  for (const JointEntry& e : joint_kinds()) {
    if (e.use != use && e.use != Use::both) continue;
    const auto element = e.make();
    KindNote kind = attached_kind_of(e, *element, e.use != Use::joint);
    const char* const sections[] = {"joints", "drivers", "joints, drivers"};
    const auto both = [&](auto&& number) {
      const auto one = [&](int D) { return e.in(D) ? std::optional<int>(number(D)) : std::nullopt; };
      return PerSpace{one(2), one(3)};
    };
    kind.facts = {{"equations", both([&](int D) { return e.forbids(D); })},
                  {"freedoms", both([&](int D) { return e.allows(D); })},
                  {"sections", sections[int(e.use)]}};
    if (!element->clearance().empty())
      kind.fields.push_back({"clearance",
                             {Form::table, "table"},
                             "",
                             "none",
                             fmt::format("in the plane: a journal that moves within its bearing; its keys are "
                                         "those of the force {} without bodies and markers",
                                         element->clearance())});
    const int D = e.in(3) ? 3 : 2;
    if (e.use != Use::driver && e.forbids(D) + int(element->allow().size()) == (D == 2 ? 3 : 6))
      kind.fields.push_back({"compliance",
                             {Form::table, "table"},
                             "",
                             "none",
                             "directions in which the joint gives way, of x, y, z, angle_x, angle_y, angle_z, "
                             "each with stiffness and "
                             "damping, as in {x = {stiffness = 1e6, damping = 200}}"});
    if (!drivers && !element->moves(D).empty()) add_part_notes(kind.fields);
    if (!drivers && !element->backlash().empty())
      kind.fields.push_back(
          {"backlash",
           {Form::table, "table"},
           "",
           "none",
           "play of the teeth: {gap, stiffness}, and restitution or damping; the joint is then "
           "no equation but a force"});
    if (e.use == Use::joint && may_rub(element->allow()))
      kind.fields.push_back(
          {"friction",
           {Form::table, "table"},
           "",
           "none",
           "dry friction that sticks, as in {static = 0.2, kinetic = 0.15, radius = \"10 mm\"}; "
           "its keys are coefficient, static, kinetic, stribeck, viscous, radius, collar, preload, "
           "reaction"});
    c.kinds.push_back(std::move(kind));
  }
  return c;
}

Category forces() {
  Category c{"forces",
             "One line each under [forces]: name = {type = ..., ...}. Gravity is not among them: it is "
             "written gravity = [0, -9.81], or [0, 0, -9.81] in space, at the top of the file.",
             {}};
  for (const ForceEntry& e : force_kinds()) {
    c.kinds.push_back(attached_kind_of(e, *e.make(), true));
    c.kinds.back().fields.push_back(
        {"vectors",
         {Form::boolean, "true or false"},
         "",
         "false",
         "reports force and moment on each body in global axes as well, with the points where they act"});
  }
  return c;
}

Category frames() {
  Category c{
      "markers",
      "Frames on bodies, one line each under [markers]: name = {body = ..., at = ..., ...}. Their names stand "
      "for a point and its axes wherever 'i' or 'j' is given, and 'in' of a point says from which of them it "
      "is seen.",
      {}};
  const FieldNote body{"body", {Form::text, "name"}, "", "this, or marker", "the body that carries it"},
      marker{"marker", {Form::text, "name"}, "", "", "another marker on which it stands, in place of body"};
  const auto at = [](const char* numbers) {
    return FieldNote{
        "at", {Form::vector, numbers}, "m", "the origin", "the point in the frame of that body or marker"};
  };
  const FieldNote in{"in",
                     {Form::text, "name"},
                     "",
                     "global axes",
                     "a marker or a body from which position, velocity and acceleration are seen"};
  c.kinds.push_back(
      {"marker_in_plane",
       "a frame on a body of a planar model",
       {},
       "plane",
       {body,
        marker,
        at("2 numbers"),
        {"angle", {Form::number, "number"}, "rad", "0", "of its x axis"},
        {"axis", {Form::vector, "2 numbers"}, "", "", "direction of its x axis, in place of angle"},
        {"to", {Form::vector, "2 numbers"}, "m", "", "a second point on its x axis, in place of angle"}}});
  c.kinds.push_back({"marker_in_space",
                     "a frame on a body of a spatial model",
                     {},
                     "space",
                     {body,
                      marker,
                      at("3 numbers"),
                      {"orientation",
                       {Form::table, "table"},
                       "",
                       "that of the body or marker",
                       "see 'mubody list bodies orientation'"}}});
  c.kinds.push_back({"[points]",
                     "points whose motion is reported, one line each",
                     {},
                     "plane, space",
                     {body, marker, at("2 or 3 numbers"), in}});
  return c;
}

template <class Entry>
Category curves(std::string name, std::string intro, std::span<const Entry> entries, const UnitWords& words) {
  Category c{std::move(name), std::move(intro), {}};
  for (const Entry& e : entries) {
    KindNote kind = kind_of(e.info);
    kind.fields = notes_of(*e.make(), {}, words);
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
    if (e.varies_order())
      kind.facts.emplace_back("order", fmt::format("{} to {}", e.lowest, e.order));
    else
      kind.facts.emplace_back("order", e.order);
    kind.facts.emplace_back("steps", e.adaptive ? "controlled" : "fixed");
    c.kinds.push_back(std::move(kind));
  }
  return c;
}

Category analyses() {
  Category c =
      curves("analyses",
             "Written type = \"name\" under [analysis], with the analysis' own keys beside it; and the "
             "sections [analysis], [output], [report] and [precompute] of a model file.",
             analysis_kinds(), {});
  AnalysisOptions analysis;
  const std::string treatment(analysis.treatment->info().name);
  KindNote section{"[analysis]", "what to compute, and how", {}, "", notes_of(analysis)};
  section.fields.push_back({"treatment",
                            {Form::text_or_table, "name, or {type = name, ...}"},
                            "",
                            "\"" + treatment + "\"",
                            "how the constraints are held, see 'mubody list treatments'"});
  AssemblyOptions assembly;
  std::vector<FieldNote> start = notes_of(assembly);
  section.fields.push_back(*std::ranges::find(start, "hold", &FieldNote::name));
  section.fields.push_back(
      {"assembly", {Form::table, "table"}, "", "", "how assembly works, see [analysis.assembly]"});
  section.fields.push_back({"start_from",
                            {Form::text_or_table, "folder, or {results, time}"},
                            "",
                            "the start in the file",
                            "positions and velocities from results of this model, at a time or the last one"});
  c.kinds.push_back(std::move(section));

  c.kinds.push_back({"[analysis.assembly]",
                     "how the start is made consistent; 'hold' may also stand directly in [analysis]",
                     {},
                     "",
                     std::move(start)});
  OutputOptions output;
  c.kinds.push_back({"[output]", "what is written to the result files", {}, "", notes_of(output)});

  c.kinds.push_back(
      {"[report]",
       "what a report shows",
       {},
       "",
       {{"plots",
         {Form::list, "lists of channels"},
         "",
         "chosen by the page",
         "first plots, as in [[\"crank.x\"], {title = \"Pin\", channels = [\"A.on_rod.fx\"]}]"},
        {"units", {Form::names, "names"}, "", "SI", "as in [\"deg\", \"mm\", \"rpm\", \"kN\"]"}}});

  PrecomputeOptions precompute;
  KindNote tables{"[precompute]", "what tables 'mubody precompute' makes", {}, "", notes_of(precompute)};
  tables.fields.push_back({"memory", {Form::number, "size"}, "B", "\"100 MB\"", "that all tables may take"});
  tables.fields.push_back({"range",
                           {Form::table, "table"},
                           "rad or m",
                           "up to dead points, or all the way round",
                           "ranges of variables, as in {A.angle = [\"-90 deg\", \"90 deg\"]}"});
  c.kinds.push_back(std::move(tables));
  return c;
}
Category looks() {
  Category c{
      "look",
      "How bodies are drawn in reports and pictures: one line per body under [look], name = {shape = ..., "
      "colour = ..., ...}. It is never needed and changes no result.",
      {}};
  Look look;
  c.kinds.push_back({"[look]", "shape, colour and size of a body", {}, "", notes_of(look)});
  return c;
}
}  // namespace

std::vector<Category> describe() {
  std::vector<Category> all;
  all.push_back(describe_bodies());
  all.push_back(describe_shapes());
  all.push_back(frames());
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
      curves("contact-laws",
             "The normal force of a contact over its depth: law = \"hertz\", or a table such as law = {type = "
             "\"hunt_crossley\", restitution = 0.8}.",
             contact_law_kinds(), {}));
  all.push_back(
      curves("friction-laws",
             "Friction of a contact: friction = 0.1, or a table such as friction = {type = \"coulomb\", mu = "
             "0.1}.",
             friction_kinds(), {}));
  all.push_back(
      curves("functions",
             "A function of time is a number, a formula such as \"= 2*sin(pi*t)\", or a table such as "
             "{type = \"harmonic\", amplitude = \"10 deg\", frequency = \"2 Hz\"}. Unit 'value': that of "
             "what the function stands for, such as rad for an angle; 'argument': that of what it depends "
             "on, s for the time.",
             function_kinds(), {"value", "s"}));
  all.push_back(curves("curves",
                       "A curve fixed in a body, in the axes of a marker: a table such as curve = {type = "
                       "\"arc\", radius = 0.03}.",
                       curve_kinds(), {}));
  all.push_back(curves(
      "signals",
      "One line each under [signals]: a formula such as error = \"= target - pin.angle\", a function of time, "
      "{value = \"= ...\", unit = \"N\", sample = \"1 ms\"}, or a block as below, which may have unit and "
      "sample too. "
      "[inputs] are set from outside: push = 0. [outputs] are formulas, or channels by another name: "
      "load = \"pin.on_rod.fx\".",
      block_kinds(), {}));
  all.push_back(curves("treatments",
                       "Written treatment = \"name\" or treatment = {type = \"name\", ...} under [analysis].",
                       treatment_kinds(), {}));
  all.push_back(integrators());
  all.push_back(analyses());
  all.push_back(looks());
  return all;
}
}  // namespace mubody::io

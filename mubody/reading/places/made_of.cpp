#include "mubody/reading/places/made_of.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/reading/directions.h"
#include "mubody/reading/field_notes.h"
#include "mubody/reading/field_reader.h"
#include "mubody/reading/orientation.h"
#include "mubody/reading/places/line.h"
#include "mubody/reading/places/mesh.h"
#include "mubody/reading/places/places.h"
#include "mubody/shapes/registry.h"

namespace mubody::io {
namespace {
/// One shape of a body, in global axes at the start.
struct MadePart {
  std::optional<MassProperties> unit{};  // of density 1; none for places that are in no plane
  bool thin = false;
  std::optional<double> mass{}, density{};
  std::vector<Vec<3>> through{};
  Surface surface{};
  std::optional<Quaternion> axes{};
  Vec<3> middle = Vec<3>::Zero();
  const Node* node = nullptr;

  void move(const Vec<3>& by) {
    if (unit) unit->centre += by;
    surface.move(Quaternion::Identity(), by);
    middle += by;
  }
};

/// Where a table says what the body is made of; null if it does not.
const Node* subject_of(const Node& table) {
  for (const char* key : {"through", "shape", "mesh", "shapes"})
    if (const Node* const node = table.find(key)) return node;
  return nullptr;
}

/// Reads one shape: of a body, or of the list `shapes`.
class PartReader {
 public:
  PartReader(const Node& table, const Mark& owner, const Scope& scope, const Known& known, bool listed)
      : table_(table), owner_(owner), scope_(scope), known_(known), listed_(listed) {
    const Node *const shape = table.find("shape"), *const mesh = table.find("mesh");
    if (shape && mesh) (scope / "mesh").fail(*mesh, "takes the place of 'shape', which is given too");
    if (mesh) return;
    const Node* const through = table.find("through");
    if (!shape && !through)
      scope.fail(owner, "which shape? Give 'shape', 'through' or 'mesh'; see 'mubody list shapes'");
    std::vector<std::string_view> words;
    for (const ShapeEntry& e : shape_kinds()) words.push_back(e.info.name);
    if (through && !through->is(Node::Kind::array))
      (scope / "through").expected("the names of two or more places in an array", *through);
    if (shape) {
      entry_ = &shape_kinds()[std::size_t(read_choice(*shape, scope / "shape", words))];
    } else {
      const Stand stand = is_plate(*through) ? Stand::corners : Stand::ends;
      // Without a name it is the shape of that kind that needs no sizes.
      entry_ = &*std::ranges::find_if(
          shape_kinds(), [&](const ShapeEntry& e) { return e.stand == stand && e.make()->is_thin(); });
    }
    shape_ = entry_->make();
  }

  std::vector<std::string_view> keys() const {
    std::vector<std::string_view> keys{"density"};
    if (!entry_) {
      keys.insert(keys.end(), {"mesh", "unit", "at"});
    } else {
      keys.emplace_back("shape");
      const Stand stand = entry_->stand;
      if (stand == Stand::point || stand == Stand::axis) keys.emplace_back("at");
      if (stand == Stand::axis) keys.emplace_back("axis");
      if (stand != Stand::point) keys.emplace_back("through");
      if (stand == Stand::ends && known_.dim == 3) keys.emplace_back("across");
      if (stand == Stand::corners) keys.emplace_back("holes");
      std::ranges::copy(fields_of(*shape_).names, std::back_inserter(keys));
    }
    if (listed_) keys.insert(keys.end(), {"mass", known_.dim == 2 ? "angle" : "orientation"});
    return keys;
  }

  /// `turn` is that of the body.
  MadePart read(const Quaternion& turn) {
    MadePart part{.node = subject_of(table_)};
    if (const Node* const density = table_.find("density")) {
      part.density = read_number(*density, scope_ / "density", "kg/m^3", known_);
      if (!(std::isfinite(*part.density) && *part.density > 0))
        (scope_ / "density").fail(*density, "must be positive");
    }
    if (!entry_) {
      stand_at(read_mesh(table_, scope_, known_), part, turn);
      return part;
    }
    FieldReader reader(table_, owner_, scope_, known_);
    reader.fill(*shape_);
    const Node* const through = table_.find("through");
    if (entry_->stand == Stand::corners)
      cover(*required(through, "three or more places"), part);
    else if (entry_->stand == Stand::ends || (entry_->stand == Stand::axis && through))
      reach(*required(through, "two or more places"), part);
    else
      stand(part, turn);
    return part;
  }

 private:
  /// What goes through more than two places and names no shape is a plate, unless all of them lie on a line.
  bool is_plate(const Node& through) const {
    if (through.items.size() < 3) return false;
    if (table_.find("thickness") || table_.find("holes")) return true;
    if (table_.find("radius")) return false;
    return !ends_of_line(read_places(through)).has_value();
  }
  const Node* required(const Node* through, const char* what) const {
    if (!through)
      scope_.fail(owner_, fmt::format("missing 'through': the names of {}, for a {}", what, entry_->info.name));
    return through;
  }
  void check() const {
    with_places(table_, owner_, scope_, [&] { shape_->check(); });
  }

  std::vector<Vec<3>> read_places(const Node& through) const {
    const Scope scope = scope_ / "through";
    std::vector<Vec<3>> points;
    for (const Node& item : through.items)
      points.push_back(item.is(Node::Kind::string) ? named_place(item, scope, known_)
                                                   : read_vector(item, scope, "m", known_));
    if (points[0] == points[1]) scope.fail(through.items[1], "is at the same point as the place before it");
    return points;
  }
  std::vector<Vec<3>> places_of(const Node& through) const {
    const Scope scope = scope_ / "through";
    if (!through.is(Node::Kind::array)) scope.expected("the names of places in an array", through);
    const std::size_t count = through.items.size(), least = entry_->stand == Stand::corners ? 3 : 2;
    const bool two = entry_->stand == Stand::axis;
    const char* const wanted = two ? "two" : least == 2 ? "two or more" : "three or more";
    if (count < least || (two && count > 2))
      scope.fail(through, fmt::format("expected the names of {} places for a {}, got {}", wanted,
                                      entry_->info.name, count));
    return read_places(through);
  }

  /// From one place to another, and through those between.
  void reach(const Node& through, MadePart& part) {
    if (const Node* const at = table_.find("at"))
      (scope_ / "at").fail(*at, "give 'at', its middle, or 'through', its ends, but not both");
    for (const char* key : {"axis", "width"})
      if (const Node* const node = table_.find(key); node && entry_->stand == Stand::axis)
        (scope_ / key).fail(*node, "follows from 'through', which is given too");
    part.through = places_of(through);
    const auto ends = ends_of_line(part.through);
    if (!ends)
      (scope_ / "through")
          .fail(through, fmt::format("the places lie on no line: a {} goes along one", entry_->info.name));
    const Vec<3> d = ends->second - ends->first;
    shape_->reach(d.norm());
    check();
    Quaternion axes = turn_about_z(std::atan2(d.y(), d.x()));
    if (known_.dim == 3) axes = axes_along(d.normalized());
    part.axes = axes;
    // The shape has its axis along z and its width along x, the body along x and y.
    const Eigen::Matrix3d A = axes.toRotationMatrix();
    Eigen::Matrix3d own;
    own << A.col(1), A.col(2), A.col(0);
    place(part, Quaternion(own), (ends->first + ends->second) / 2);
  }
  Quaternion axes_along(const Vec<3>& x) const {
    const Node* const across = table_.find("across");
    Directions given{x, {}, nullptr};
    if (across) {
      given.across = read_axis(*across, scope_ / "across", known_);
      if (are_parallel(x, *given.across))
        (scope_ / "across").fail(*across, "is parallel to the line of the two places");
    }
    return frames_of(Attach::line, given, given).first;
  }

  /// Over three places or more.
  void cover(const Node& through, MadePart& part) {
    part.through = places_of(through);
    const std::vector<Vec<3>>& p = part.through;
    Vec<3> normal = Vec<3>::Zero();
    double size = 0;
    for (std::size_t k = 1; k < p.size(); ++k) {
      normal += (p[k] - p[0]).cross(p[(k + 1) % p.size()] - p[0]);
      size = std::max(size, (p[k] - p[0]).norm());
      part.middle += (p[k] - p[0]) / double(p.size());
    }
    part.middle += p[0];
    const Vec<3> x = (p[1] - p[0]).normalized();
    if (known_.dim == 2) {
      part.axes = turn_about_z(std::atan2(x.y(), x.x()));
    } else {
      if (!(normal.cross(x).norm() > 1e-9 * size * size))
        (scope_ / "through").fail(through, "the places lie on a line: a plate needs an area");
      part.axes = frame_along(0, x, 2, normal.normalized());
    }
    const Quaternion back = part.axes->conjugate();
    std::vector<Vec<2>> corners;
    for (const Vec<3>& c : p) {
      const Vec<3> flat = back * (c - p[0]);
      if (std::abs(flat.z()) > 1e-3 * size) {
        part.thin = true;
        return;  // in no plane: a body that reaches to these places, and no plate
      }
      corners.emplace_back(flat.head<2>());
    }
    shape_->cover(corners);
    pierce(back, p[0]);
    check();
    place(part, *part.axes, p[0]);
  }
  void pierce(const Quaternion& back, const Vec<3>& origin) {
    const Node* const holes = table_.find("holes");
    if (!holes) return;
    const Scope scope = scope_ / "holes";
    if (!holes->is(Node::Kind::array)) scope.expected("an array of {at = ..., radius = ...}", *holes);
    std::vector<RoundHole> all;
    for (const Node& node : holes->items) {
      if (!node.is(Node::Kind::table)) scope.expected("a table {at = ..., radius = ...}", node);
      const std::string_view keys[] = {"at", "radius"};
      expect_keys(node, scope, keys);
      for (const std::string_view key : keys)
        if (!node.find(key)) scope.fail(node, fmt::format("missing '{}'", key));
      const Vec<3> at = back * (read_point(*node.find("at"), scope / "at", known_) - origin);
      all.push_back({at.head<2>(), read_number(*node.find("radius"), scope / "radius", "m", known_)});
    }
    shape_->pierce(all);
  }

  /// At one place, in the axes of the body.
  void stand(MadePart& part, const Quaternion& turn) {
    if (entry_->stand == Stand::axis && !table_.find("width"))
      scope_.fail(owner_, "missing 'width': along the axis; or give 'through', two places");
    check();
    Quaternion own = turn * turn_of_part();
    if (const Node* const axis = table_.find("axis"))
      own = own * turn_between(Vec<3>::UnitZ(), read_axis(*axis, scope_ / "axis", known_));
    place(part, own, point_of_part());
  }
  void stand_at(Surface surface, MadePart& part, const Quaternion& turn) const {
    const Quaternion own = turn * turn_of_part();
    part.surface = std::move(surface);
    part.surface.move(own, point_of_part());
    part.unit = mass_properties(part.surface);
    part.middle = part.unit->centre;
  }
  Vec<3> point_of_part() const {
    const Node* const at = table_.find("at");
    return at ? read_point(*at, scope_ / "at", known_) : Vec<3>(Vec<3>::Zero());
  }
  Quaternion turn_of_part() const {
    if (!listed_) return Quaternion::Identity();
    if (const Node* const angle = table_.find("angle"))
      return turn_about_z(read_number(*angle, scope_ / "angle", "rad", known_));
    const Node* const node = table_.find("orientation");
    if (!node) return Quaternion::Identity();
    const Scope scope = scope_ / "orientation";
    if (!node->is(Node::Kind::table))
      scope.expected("a table, as in {axis = [0, 0, 1], angle = \"30 deg\"}", *node);
    expect_keys(*node, scope, orientation_keys());
    return read_orientation(*node, scope, known_).value_or(Quaternion::Identity());
  }

  void place(MadePart& part, const Quaternion& own, const Vec<3>& origin) const {
    part.thin = shape_->is_thin();
    part.unit = shape_->unit().moved(own, origin);
    part.surface = shape_->surface();
    part.surface.move(own, origin);
    part.middle = part.unit->centre;
    if (!(std::isfinite(part.unit->mass) && part.unit->mass > 0 && part.unit->inertia.allFinite()))
      scope_.fail(owner_, fmt::format("such a {} is too small or too large for numbers", entry_->info.name));
  }

  const Node& table_;
  const Mark& owner_;
  const Scope scope_;
  const Known& known_;
  bool listed_;
  const ShapeEntry* entry_ = nullptr;  // null for a mesh
  std::unique_ptr<AnyShape> shape_;
};

/// Adds up the shapes of a body.
class PartSum {
 public:
  PartSum(const Element& e, const GivenBody& given) : scope_(e.scope()), given_(given) {}

  MadeOf add(const std::vector<MadePart>& parts, std::optional<double> density) const {
    MadeOf made;
    bool weighed = given_.mass.has_value();
    MassProperties sum, all;
    for (const MadePart& p : parts) {
      if (!p.unit && given_.mass.value_or(0) > 0 && !given_.inertia)
        scope_.fail(*p.node, "the places lie in no plane, so that no plate is there: give 'inertia'");
      const std::optional<double> own = p.density ? p.density : density;
      const MassProperties unit = p.unit.value_or(MassProperties{1, p.middle, Eigen::Matrix3d::Zero()});
      sum = sum + unit;
      if (given_.mass) refuse_own(p);
      if (!p.mass && own && p.thin) fail_thin(p);
      if (p.mass) all = all + unit.scaled(*p.mass / unit.mass);
      if (!p.mass && own) all = all + unit.scaled(*own);
      weighed = weighed || p.mass || own;
      if (!p.surface.points.empty())
        made.figure.surfaces.push_back(p.surface);
      else
        std::ranges::copy(p.through, std::back_inserter(made.figure.through));
    }
    if (parts.size() > 1 && given_.mass) refuse_mixed(parts);
    if (given_.mass) all = sum.scaled(*given_.mass / sum.mass);
    if (weighed) made.mass = all;
    made.centre = weighed && all.mass > 0 ? all.centre : sum.centre;
    return made;
  }

 private:
  void refuse_own(const MadePart& p) const {
    if (!p.density && !p.mass) return;
    scope_.fail(*p.node,
                "the mass of the body is given, and a mass or a density of its shape too: give one of them");
  }
  void refuse_mixed(const std::vector<MadePart>& parts) const {
    for (const MadePart& p : parts)
      if (p.thin) fail_thin(p);
  }
  [[noreturn]] void fail_thin(const MadePart& p) const {
    scope_.fail(
        *p.node,
        "has no volume: give its mass, or the size that a thin shape leaves out, 'radius' or 'thickness'");
  }

  const Scope scope_;
  const GivenBody& given_;
};

std::vector<MadePart> read_list(const Node& list, const Scope& scope, const Quaternion& turn,
                                const Known& known) {
  if (!list.is(Node::Kind::array))
    scope.expected("an array of shapes, as in [{shape = \"sphere\", at = \"A\", radius = 0.1}]", list);
  if (list.items.empty()) scope.fail(list, "is empty");
  std::vector<MadePart> parts;
  for (const Node& node : list.items) {
    if (!node.is(Node::Kind::table)) scope.expected("a table {shape = ..., ...}", node);
    PartReader reader(node, node.mark, scope, known, true);
    expect_keys(node, scope, reader.keys());
    parts.push_back(reader.read(turn));
    if (const Node* const mass = node.find("mass")) {
      if (node.find("density"))
        (scope / "mass").fail(*mass, "takes the place of 'density', which is given too");
      parts.back().mass = read_number(*mass, scope / "mass", "kg", known);
      if (!(std::isfinite(*parts.back().mass) && *parts.back().mass >= 0))
        (scope / "mass").fail(*mass, "must not be negative");
    }
  }
  return parts;
}
}  // namespace

std::shared_ptr<const Figure> MadeOf::drawn_at(const Pose& pose) const {
  auto drawn = std::make_shared<Figure>(figure);
  const Pose back = inverse(pose);
  for (Vec<3>& p : drawn->through) p = back.turn * p + back.at;
  for (Surface& s : drawn->surfaces) s.move(back.turn, back.at);
  return drawn;
}

std::vector<std::string_view> shape_keys(const Node& body, const Scope& scope, const Known& known) {
  if (!subject_of(body)) return {};
  if (body.find("shapes")) return {"shapes", "density"};
  return PartReader(body, body.mark, scope, known, false).keys();
}

std::optional<MadeOf> read_shapes(const Element& e, const GivenBody& given, const Known& known) {
  if (!subject_of(*e.node)) return {};
  const Quaternion turn = given.turn.value_or(Quaternion::Identity());
  const Node *const list = e.node->find("shapes"), *const density = e.node->find("density");
  if (density && given.mass)
    (e.scope() / "density").fail(*density, "takes the place of 'mass', which is given too");
  if (list) {
    std::optional<double> common;
    if (density) common = read_number(*density, e.scope() / "density", "kg/m^3", known);
    if (common && !(std::isfinite(*common) && *common > 0))
      (e.scope() / "density").fail(*density, "must be positive");
    MadeOf made = PartSum(e, given).add(read_list(*list, e.scope() / "shapes", turn, known), common);
    made.axes = turn;
    return made;
  }
  PartReader reader(*e.node, e.key->mark, e.scope(), known, false);
  MadePart part = reader.read(turn);
  // A shape that no place holds is put where the centre of mass is to be.
  const bool placed = e.node->find("at") || e.node->find("through");
  if (given.origin)
    part.move(*given.origin);
  else if (given.position && !placed)
    part.move(*given.position - part.middle);
  MadeOf made = PartSum(e, given).add({part}, {});
  made.axes = given.turn ? turn : part.axes.value_or(turn);
  made.turned = part.axes.has_value();
  return made;
}

std::vector<FieldNote> shape_notes() {
  return {{"through",
           {Form::names, "2 or more names"},
           "",
           "",
           "places that it goes through: a rod along a line, else a plate"},
          {"shape",
           {Form::text, "name"},
           "",
           "a rod or a plate, with through",
           "what it is made of, see 'mubody list shapes'"},
          {"mesh",
           {Form::text, "file name"},
           "",
           "",
           "a closed surface that it fills, in the axes of the body: an STL or OBJ file"},
          {"shapes", {Form::tables, "tables"}, "", "", "several shapes or meshes in one body"},
          {"density",
           {Form::number, "number"},
           "kg/m^3",
           "as the mass says",
           "of its shapes; mass, centre and inertia follow"}};
}

Category describe_shapes() {
  Category c{
      "shapes",
      "What bodies are made of: name = {shape = \"cylinder\", at = \"W\", radius = 0.3, ...} under [bodies]. "
      "Mass "
      "or density give the inertia; the centre of mass follows. 'at' is a place or a point in global axes at "
      "the start, and 'through' names places under [places].",
      {}};
  const ValueType where{Form::vector, "name, or 2 or 3 numbers"};
  for (const ShapeEntry& e : shape_kinds()) {
    const auto shape = e.make();
    KindNote kind{std::string(e.info.name), std::string(e.info.summary), {}, "plane, space", {}};
    if (e.stand == Stand::ends)
      kind.fields.push_back({"through",
                             {Form::names, "2 or more names"},
                             "",
                             is_required,
                             "places of its ends, and those between"});
    if (e.stand == Stand::corners)
      kind.fields.push_back({"through",
                             {Form::names, "3 or more names"},
                             "",
                             is_required,
                             "places of its corners, in order around it"});
    if (e.stand == Stand::axis)
      kind.fields.push_back(
          {"through", {Form::names, "2 names"}, "", "", "places of its ends, in place of at, axis and width"});
    if (e.stand == Stand::point || e.stand == Stand::axis)
      kind.fields.push_back({"at", where, "m", "centre of mass at the position of the body", "its middle"});
    if (e.stand == Stand::axis)
      kind.fields.push_back({"axis",
                             {Form::vector, "2 or 3 numbers"},
                             "",
                             "z",
                             "direction of its axis, in the axes of the body"});
    if (e.stand == Stand::ends)
      kind.fields.push_back({"across",
                             {Form::vector, "3 numbers"},
                             "",
                             "any perpendicular",
                             "in space: direction of y of the body"});
    kind.placing = kind.fields.size();
    std::ranges::copy(notes_of(*shape), std::back_inserter(kind.fields));
    if (e.stand == Stand::corners)
      kind.fields.push_back({"holes",
                             {Form::tables, "tables"},
                             "",
                             "none",
                             "round holes, as in [{at = \"A\", radius = \"5 mm\"}]"});
    c.kinds.push_back(std::move(kind));
  }
  c.kinds.push_back(
      {"mesh",
       "what a closed surface of triangles encloses; written mesh = \"file.stl\" in place of shape",
       {},
       "plane, space",
       {{"mesh", {Form::text, "file name"}, "", is_required, "an STL or OBJ file, relative to the model file"},
        {"unit", {Form::text, "unit of length"}, "", "\"m\"", "of the numbers in the file"},
        {"at", where, "m", "centre of mass at the position of the body", "where the origin of the file is"}}});
  return c;
}
}  // namespace mubody::io

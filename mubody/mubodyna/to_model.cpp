#include "mubody/mubodyna/to_model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "mubody/integrators/integrator.h"
#include "mubody/model/escape.h"

namespace mubody::io::mubodyna {
namespace {
Node number(double value) {
  Node n;
  n.kind = Node::Kind::number;
  n.number = value;
  return n;
}
Node word(std::string_view text) {
  Node n;
  n.kind = Node::Kind::string;
  n.text = text;
  return n;
}
Node yes() {
  Node n;
  n.kind = Node::Kind::boolean;
  n.number = 1;
  return n;
}
Node list(std::vector<Node> items) {
  Node n;
  n.kind = Node::Kind::array;
  n.items = std::move(items);
  return n;
}
Node pair(double a, double b) { return list({number(a), number(b)}); }

void put(Node& table, std::string_view key, Node value) {
  table.keys.push_back({std::string(key), {}});
  table.items.push_back(std::move(value));
}
Node table(std::vector<std::pair<std::string_view, Node>> entries) {
  Node n;
  for (auto& [key, value] : entries) put(n, key, std::move(value));
  return n;
}

void stamp(Node& node, const Mark& mark) {
  node.mark = mark;
  for (Node::Key& key : node.keys) key.mark = mark;
  for (Node& item : node.items) stamp(item, mark);
}

/// With a single body any constant force could be its weight; then only the gravity of the earth counts, in
/// metres, centimetres, millimetres, feet or inches.
bool is_weight(double g, std::size_t bodies) {
  constexpr std::pair<double, double> of_earth[] = {
      {9.77, 9.84}, {977, 984}, {9770, 9840}, {32, 32.3}, {384, 388}};
  const double size = std::abs(g);
  return g == 0 || bodies > 1 || std::ranges::any_of(of_earth, [&](const auto& range) {
           return range.first <= size && size <= range.second;
         });
}

/// Gravity, if it explains all constant forces: fx = m gx and fy = m gy to the last bit.
std::optional<std::pair<double, double>> gravity_of(const File& file, const Names& names) {
  // The shortest number that reproduces all forces along an axis.
  const auto along = [&](int axis) -> std::optional<double> {
    for (int digits = 1; digits <= 17; ++digits) {
      std::optional<double> g;
      std::size_t bodies = 0;
      bool fits = true;
      for (std::size_t k = 0; k < file['b'].size() && fits; ++k) {
        if (names('b', k) == "ground") continue;
        const double m = file['c'][k][0], f = file['d'][k][axis];
        if (m > 0) ++bodies;
        if (!g && m > 0) g = std::strtod(fmt::format("{:.{}e}", f / m, digits - 1).c_str(), nullptr);
        fits = m * g.value_or(0) == f;
      }
      if (fits && g && is_weight(*g, bodies)) return g;
    }
    return {};
  };
  const auto x = along(0), y = along(1);
  if (!x || !y) return {};
  return std::pair(*x, *y);
}

class Model {
 public:
  explicit Model(const File& file)
      : file_(file), names_(names_of(file)), path_(std::make_shared<const std::string>(file.path)) {}

  Node make() {
    if (!names_.model.empty()) add_top("name", word(for_terminal(names_.model)), 1);  // old files are no UTF-8
    gravity_ = gravity_of(file_, names_);
    add_top("gravity", gravity_ ? pair(gravity_->first, gravity_->second) : pair(0, 0), first_line('d'));
    add_bodies();
    add_constraints();
    add_forces();
    add_points();
    add_analysis();
    return std::move(root_);
  }

 private:
  int first_line(char letter) const { return file_[letter].empty() ? 0 : file_[letter].front().line; }

  void add_top(std::string_view key, Node value, int line) {
    stamp(value, {path_, line, 0, ++rank_});
    put(root_, key, std::move(value));
  }

  /// Adds an element to a section; the order of adding is the order of the elements.
  void add(std::string_view section, const std::string& name, Node element, int line) {
    const Mark mark{path_, line, 0, ++rank_};
    if (!root_.find(section)) {
      put(root_, section, {});
      stamp(root_.items.back(), mark);
      root_.keys.back().mark = mark;
    }
    stamp(element, mark);
    Node& into = *root_.find(section);
    put(into, name, std::move(element));
    into.keys.back().mark = mark;
  }

  void add_bodies() {
    for (std::size_t k = 0; k < file_['b'].size(); ++k) {
      if (names_('b', k) == "ground") continue;
      const Row &b = file_['b'][k], &c = file_['c'][k];
      add("bodies", names_('b', k),
          table({{"mass", number(c[0])},
                 {"inertia", number(c[1])},
                 {"position", pair(b[at::x], b[at::y])},
                 {"angle", number(b[at::phi])},
                 {"velocity", pair(b[at::xd], b[at::yd])},
                 {"omega", number(b[at::phid])}}),
          b.line);
    }
  }

  Node bodies(const Row& r) const {
    return list({word(names_.body(r.whole(at::i))), word(names_.body(r.whole(at::j)))});
  }

  // Adds all constraints in the order of their equations, or of their places if each has one.
  void add_constraints() {
    struct Entry {
      char letter;
      std::size_t row;
      int place;
    };
    std::vector<Entry> all;
    for (const char letter : constraint_letters)
      for (std::size_t k = 0; k < file_[letter].size(); ++k)
        if (letter != 'i' || names_.body(file_['i'][k].whole(at::i)) != "ground")
          all.push_back({letter, k, file_[letter][k].place});
    if (std::ranges::all_of(all, [](const Entry& e) { return e.place > 0; }))
      std::ranges::stable_sort(all, {}, &Entry::place);
    for (const Entry& e : all) add_constraint(e.letter, e.row);
    for (std::size_t k = 0; k < file_['f'].size(); ++k)
      add("joints", names_('f', k), clearance(k), file_['f'][k].line);
  }

  void add_constraint(char letter, std::size_t k) {
    const Row& r = file_[letter][k];
    const bool driver = letter == 'k' || letter == 'l';
    add(driver ? "drivers" : "joints", names_(letter, k), constraint(letter, k), r.line);
  }

  Node constraint(char letter, std::size_t k) const {
    const Row& r = file_[letter][k];
    switch (letter) {
      case 'e': return revolute(r);
      case 'h':
        return table({{"type", word("translational")},
                      {"bodies", bodies(r)},
                      {"i", table({{"at", pair(r[at::xi_p_i], r[at::eta_p_i])},
                                   {"to", pair(r[at::xi_q_i], r[at::eta_q_i])}})},
                      {"j", pair(r[at::slider_xi], r[at::slider_eta])}});
      case 'i':
        return table(
            {{"type", word("fixed")}, {"bodies", list({word("ground"), word(names_.body(r.whole(at::i)))})}});
      default: return coordinate(letter, k);
    }
  }

  Node revolute(const Row& r) const {
    return table({{"type", word("revolute")},
                  {"bodies", bodies(r)},
                  {"i", pair(r[at::xi_p_i], r[at::eta_p_i])},
                  {"j", pair(r[at::xi_p_j], r[at::eta_p_j])}});
  }

  // Simple, driving and guiding constraints: as at the start, a parabola in time, a natural spline through the data.
  Node coordinate(char letter, std::size_t k) const {
    const Row& r = file_[letter][k];
    Node n = table({{"type", word("coordinate")},
                    {"body", word(names_.body(r.whole(at::i)))},
                    {"coordinate", word(directions[static_cast<std::size_t>(r.whole(at::direction) - 1)])}});
    if (letter == 'k')
      put(n, "value",
          table({{"type", word("polynomial")},
                 {"coefficients",
                  list({number(r[at::position]), number(r[at::velocity]), number(r[at::acceleration] / 2)})}}));
    if (letter == 'l')
      put(n, "value", table({{"type", word("spline")}, {"data", columns(file_.guiding_data, {int(k) + 1})}}));
    return n;
  }

  /// The time and these columns of the data.
  static Node columns(const Rows& data, const std::vector<int>& which) {
    Node all = list({});
    for (const Row& r : data) {
      Node row = list({number(r[0])});
      for (const int column : which) row.items.push_back(number(r[column]));
      all.items.push_back(std::move(row));
    }
    return all;
  }

  // A revolute joint with clearance.  The manual gives friction and restitution of both bodies and no rule to
  // combine them, so the means are taken.  It gives no length of a lubricated bearing: without the number
  // that stands for it here forces are per unit of length.
  Node clearance(std::size_t k) const {
    const Row &f = file_['f'][k], &g = file_['g'][k];
    Node gap = table({{"bearing_radius", number(f[at::r_i])}, {"journal_radius", number(f[at::r_j])}});
    const int flag = g.whole(at::law);
    if (flag == 1) {
      put(gap, "lubricant",
          table({{"viscosity", number(g[at::viscosity])},
                 {"length", number(g[at::length])},
                 {"dry_below", number(0)}}));
    } else {
      Node law = table({{"type", word(contact_laws[static_cast<std::size_t>(flag - 1)])}});
      if (flag > 2) put(law, "restitution", number((g[at::rest_i] + g[at::rest_j]) / 2));
      put(gap, "law", std::move(law));
      put(gap, "materials",
          table({{"young", number(g[at::e_i])},
                 {"poisson", number(g[at::niu_i])},
                 {"young_j", number(g[at::e_j])},
                 {"poisson_j", number(g[at::niu_j])}}));
      const double friction = (g[at::fric_i] + g[at::fric_j]) / 2;
      if (friction > 0) put(gap, "friction", number(friction));
    }
    Node joint = revolute(f);
    put(joint, "clearance", std::move(gap));
    return joint;
  }

  void add_forces() {
    for (std::size_t k = 0; k < file_['d'].size(); ++k) {
      const Row& r = file_['d'][k];
      if (names_('b', k) == "ground") continue;
      const Node body = word(names_('b', k));
      if (!gravity_ && (r[0] != 0 || r[1] != 0))
        add("forces", names_('d', k),
            table({{"type", word("force")}, {"body", body}, {"force", pair(r[0], r[1])}}), r.line);
      if (r[2] != 0)
        add("forces", names_('c', k),
            table({{"type", word("moment")}, {"body", body}, {"moment", number(r[2])}}), r.line);
    }
    for (std::size_t k = 0; k < file_['m'].size(); ++k) add_spring(k);
    for (std::size_t k = 0; k < file_['n'].size(); ++k) {
      const Row& r = file_['n'][k];
      add("forces", names_('n', k),
          table({{"type", word("torsion_spring")},
                 {"bodies", bodies(r)},
                 {"stiffness", number(r[2])},
                 {"damping", number(r[3])},
                 {"free_angle", number(0)}}),
          r.line);
    }
    for (std::size_t k = 0; k < file_['o'].size(); ++k) {
      const Row& r = file_['o'][k];
      const int first = 4 * int(k) + 1;
      add("forces", names_('o', k),
          table({{"type", word("time_series")},
                 {"body", word(names_.body(r.whole(at::i)))},
                 {"point", word("global")},
                 {"data", columns(file_.force_data, {first, first + 1, first + 2, first + 3})}}),
          r.line);
    }
  }

  void add_spring(std::size_t k) {
    const Row& r = file_['m'][k];
    Node n = table({{"type", word("spring")},
                    {"bodies", bodies(r)},
                    {"i", pair(r[at::xi_p_i], r[at::eta_p_i])},
                    {"j", pair(r[at::xi_p_j], r[at::eta_p_j])},
                    {"stiffness", number(r[at::k])},
                    {"damping", number(r[at::d])},
                    {"free_length", number(r[at::l0])}});
    if (r[at::fa] != 0) put(n, "actuator", number(r[at::fa]));
    add("forces", names_('m', k), std::move(n), r.line);
  }

  void add_points() {
    for (std::size_t k = 0; k < file_['p'].size(); ++k) {
      const Row& r = file_['p'][k];
      add("points", names_('p', k),
          table({{"body", word(names_.body(r.whole(at::i)))}, {"at", pair(r[1], r[2])}}), r.line);
    }
  }

  void add_analysis() {
    const Row& q = file_['q'].front();
    const std::string_view method = integrators[static_cast<std::size_t>(q.whole(at::method) - 1)];
    Node n = table({{"type", word("forward")},
                    {"start", number(q[at::start])},
                    {"end", number(q[at::end])},
                    {"integrator", word(method)}});
    // Methods that choose their own steps still give results at the time steps of the file.
    const IntegratorEntry* kind = find_integrator(method);
    if (!kind || !kind->adaptive) put(n, "step", number(q[at::step]));
    if (q[at::alpha] == 0 && q[at::beta] == 0)
      put(n, "treatment", word("standard"));
    else
      put(n, "treatment",
          table({{"type", word("baumgarte")}, {"alpha", number(q[at::alpha])}, {"beta", number(q[at::beta])}}));
    put(n, "assembly", table({{"as_given", yes()}}));
    put(n, "accuracy", number(accepted));
    add_top("analysis", std::move(n), q.line);
    add_top("output", table({{"step", number(q[at::step])}}), q.line);
  }

  const File& file_;
  Names names_;
  std::shared_ptr<const std::string> path_;
  std::optional<std::pair<double, double>> gravity_;
  Node root_;
  int rank_ = 0;
};
}  // namespace

Node model_of(const File& file) { return Model(file).make(); }
}  // namespace mubody::io::mubodyna

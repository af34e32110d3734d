#include "mubody/writing/write_topology.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/formulations/tree.h"
#include "mubody/system/body_layout.h"
#include "mubody/text/json.h"
#include "mubody/text/write_aligned.h"

namespace mubody::io {
namespace {
constexpr Eigen::Index widest = 24;  // most columns of a matrix that is printed

/// The names of the rows and columns of the matrices.
class Labels {
 public:
  Labels(const Mechanism& m, const Graph& g) : m_(m) {
    for (const Graph::Arc& arc : g.arcs()) {
      bodies.push_back(m.body_name(arc.child));
      joints.push_back(joint(arc.link, arc.child));
    }
    for (const int chord : g.chords()) chords.push_back(joint(chord, 0));
    all = joints;
    all.insert(all.end(), chords.begin(), chords.end());
    for (std::size_t k = 0; k < g.loops().size(); ++k) loops.push_back("loop " + std::to_string(k + 1));
  }
  std::string joint(int link, int child) const {
    return link < 0 ? "free " + m_.body_name(child) : m_.joints[std::size_t(link)].name;
  }
  std::string type(int link) const {
    return link < 0 ? "free" : std::string(m_.joints[std::size_t(link)].what->info().name);
  }

  std::vector<std::string> bodies, joints, chords, all, loops;

 private:
  const Mechanism& m_;
};

std::string name_of_member(const Labels& labels, const Graph& g, const Graph::Member& x) {
  return labels.joint(x.link, x.arc < 0 ? 0 : g.arcs()[std::size_t(x.arc)].child);
}

std::string loop_text(const Labels& labels, const Graph& g, const Graph::Loop& loop) {
  std::string text;
  for (const Graph::Member& x : loop) {
    text += text.empty() ? (x.sign < 0 ? "-" : "") : (x.sign < 0 ? " - " : " + ");
    text += name_of_member(labels, g, x);
  }
  return text;
}

std::string matrix_text(const char* title, const Graph::Matrix& matrix, const std::vector<std::string>& rows,
                        const std::vector<std::string>& columns) {
  if (matrix.rows() == 0) return "";
  if (matrix.cols() > widest)
    return fmt::format("\n{}: {} x {}, in the JSON form\n", title, matrix.rows(), matrix.cols());
  std::vector<TextRow> table{{""}};
  table[0].insert(table[0].end(), columns.begin(), columns.end());
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    TextRow& row = table.emplace_back(TextRow{rows[std::size_t(r)]});
    for (Eigen::Index c = 0; c < matrix.cols(); ++c)
      row.push_back(matrix(r, c) == 0 ? "." : std::to_string(matrix(r, c)));
  }
  // Dots are not numbers, so columns are aligned right by hand.
  for (std::size_t c = 1; c < table[0].size(); ++c) {
    std::size_t width = 0;
    for (const TextRow& row : table) width = std::max(width, shown_width(row[c]));
    for (TextRow& row : table) row[c].insert(0, width - shown_width(row[c]), ' ');
  }
  return fmt::format("\n{}\n{}", title, aligned(table, 1, "  "));
}

Json matrix_json(const Graph::Matrix& matrix, const std::vector<std::string>& rows,
                 const std::vector<std::string>& columns) {
  Json values = Json::array();
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    const Eigen::RowVectorXi row = matrix.row(r);
    values.push_back(std::vector<int>(row.data(), row.data() + row.size()));
  }
  return {{"rows", rows}, {"columns", columns}, {"values", values}};
}

bool is_chain(const Mechanism& m, const Graph::Arc& arc) {
  return arc.link < 0 || has_chain(*m.joints[std::size_t(arc.link)].what, m.dim);
}

// Arcs of the graph that joint coordinates cannot use, and the parents of their bodies there.
std::string chainless_text(const Mechanism& m, const Graph& g, const Labels& labels) {
  if (std::ranges::all_of(g.arcs(), [&](const Graph::Arc& arc) { return is_chain(m, arc); })) return "";
  const Graph other = joint_graph(m, g);
  std::string text =
      "\nwith formulation = \"joint\" these are no arcs, for they are no chains of turns and slides\n";
  for (const Graph::Arc& arc : g.arcs()) {
    if (is_chain(m, arc)) continue;
    const Graph::Arc& there = other.arc_to(arc.child);
    text += fmt::format("  {} ({}): its equations stay, and body '{}' {}\n", labels.joint(arc.link, arc.child),
                        labels.type(arc.link), m.body_name(arc.child),
                        there.link < 0 ? "is free" : "hangs on " + labels.joint(there.link, there.child));
  }
  return text;
}

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}
}  // namespace

std::string topology_text(const Mechanism& m, const Graph& g) {
  const Labels labels(m, g);
  std::string text =
      fmt::format("{}: {}, {}, {}, {}\n", m.name, counted(g.arcs().size(), "body", "bodies"),
                  counted(g.arcs().size(), "arc", "arcs"), counted(g.chords().size(), "chord", "chords"),
                  counted(g.groups().size(), "group of loops", "groups of loops"));
  std::vector<TextRow> arcs{{"arc", "type", "from", "to", "arrow"}},
      chords{{"chord", "type", "from", "to", "closes"}};
  for (const Graph::Arc& arc : g.arcs())
    arcs.push_back({labels.joint(arc.link, arc.child), labels.type(arc.link), m.body_name(arc.parent),
                    m.body_name(arc.child), arc.sign < 0 ? "turned" : ""});
  for (std::size_t k = 0; k < g.chords().size(); ++k) {
    const Link& link = g.links()[std::size_t(g.chords()[k])];
    chords.push_back({labels.chords[k], labels.type(g.chords()[k]), m.body_name(link.i), m.body_name(link.j),
                      labels.loops[k]});
  }
  if (arcs.size() > 1) text += "\n" + aligned(arcs, 1, "  ");
  if (chords.size() > 1) text += "\n" + aligned(chords, 1, "  ");
  if (!g.loops().empty()) {
    std::vector<TextRow> loops{{"loop", "joints", "members"}};
    for (std::size_t k = 0; k < g.loops().size(); ++k)
      loops.push_back(
          {std::to_string(k + 1), std::to_string(g.loops()[k].size()), loop_text(labels, g, g.loops()[k])});
    text += "\n" + aligned(loops, 1, "  ");
  }
  text +=
      matrix_text("incidence Γ: where joints come from and lead to", g.incidence(), labels.all, labels.bodies);
  text += matrix_text("path Π: arcs on the way from the ground", g.path(), labels.bodies, labels.joints);
  text += matrix_text("loops Λ: joints of each loop", g.loop_matrix(), labels.loops, labels.all);
  if (g.loops().size() > 1)
    text += matrix_text("coupling: joints that loops share", g.coupling(), labels.loops, labels.loops);
  const bool rooted =
      std::ranges::any_of(g.arcs(), [](const Graph::Arc& a) { return a.link >= 0 && a.parent == 0; });
  if (!rooted) text += "\nthe mechanism has no root: no joint connects any of its bodies to the ground\n";
  for (const Graph::Arc& arc : g.arcs())
    if (arc.link < 0)
      text += fmt::format(
          "\nbody '{}' hangs on no joint that leads to the ground: its arc is free, with {} freedoms\n",
          m.body_name(arc.child), BodyLayout(m.dim).velocities);
  return text + chainless_text(m, g, labels);
}

std::string topology_json(const Mechanism& m, const Graph& g) {
  const Labels labels(m, g);
  Json arcs = Json::array(), chords = Json::array(), loops = Json::array(), groups = Json::array();
  for (const Graph::Arc& arc : g.arcs())
    arcs.push_back({{"joint", arc.link < 0 ? Json() : Json(labels.joint(arc.link, 0))},
                    {"type", labels.type(arc.link)},
                    {"from", m.body_name(arc.parent)},
                    {"to", m.body_name(arc.child)},
                    {"turned", arc.sign < 0},
                    {"chain", is_chain(m, arc)}});
  for (std::size_t k = 0; k < g.chords().size(); ++k) {
    const Link& link = g.links()[std::size_t(g.chords()[k])];
    chords.push_back({{"joint", labels.chords[k]},
                      {"type", labels.type(g.chords()[k])},
                      {"from", m.body_name(link.i)},
                      {"to", m.body_name(link.j)}});
    Json members = Json::array();
    for (const Graph::Member& x : g.loops()[k])
      members.push_back({{"joint", name_of_member(labels, g, x)}, {"sign", x.sign}});
    loops.push_back({{"chord", labels.chords[k]}, {"members", members}});
  }
  for (const auto& group : g.groups()) {
    Json one = Json::array();
    for (const int loop : group) one.push_back(loop + 1);
    groups.push_back(one);
  }
  const Json all{{"model", m.name},
                 {"arcs", arcs},
                 {"chords", chords},
                 {"loops", loops},
                 {"groups", groups},
                 {"incidence", matrix_json(g.incidence(), labels.all, labels.bodies)},
                 {"path", matrix_json(g.path(), labels.bodies, labels.joints)},
                 {"loop_matrix", matrix_json(g.loop_matrix(), labels.loops, labels.all)},
                 {"coupling", matrix_json(g.coupling(), labels.loops, labels.loops)}};
  return all.dump(2) + "\n";
}
}  // namespace mubody::io

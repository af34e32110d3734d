#include "mubody/mechanism/graph.h"

#include <algorithm>
#include <tuple>

namespace mubody {
namespace {
constexpr std::size_t most_for_exchange = 300;  // links; larger graphs keep the tree of shortest paths

/// A spanning tree: its links, and the data derived from them.
struct Tree {
  std::vector<bool> has;  // per link
  std::vector<int> by, above,
      depth;  // per body: the link to the parent, the parent, the number of links to the root
};

/// All links at each body.
std::vector<std::vector<int>> links_at(int bodies, const std::vector<Link>& links) {
  std::vector<std::vector<int>> at(std::size_t(bodies) + 1);
  for (std::size_t k = 0; k < links.size(); ++k)
    if (links[k].i != links[k].j)
      for (const int body : {links[k].i, links[k].j}) at[std::size_t(body)].push_back(int(k));
  return at;
}

/// Breadth first over the links that are allowed: shortest paths.  Bodies out of reach begin trees of their own.
template <class Allowed>
Tree grow(const std::vector<std::vector<int>>& at, const std::vector<Link>& links, const Allowed& allowed) {
  Tree t{std::vector<bool>(links.size(), false), std::vector<int>(at.size(), -1),
         std::vector<int>(at.size(), 0), std::vector<int>(at.size(), -1)};
  std::vector<int> queue;
  for (std::size_t root = 0; root < at.size(); ++root) {
    if (t.depth[root] >= 0) continue;
    t.depth[root] = root == 0 ? 0 : 1;  // a free arc leads to it
    queue.assign(1, int(root));
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const int here = queue[next];
      for (const int k : at[std::size_t(here)]) {
        const Link& link = links[std::size_t(k)];
        const int other = link.i == here ? link.j : link.i;
        if (!allowed(k) || t.depth[std::size_t(other)] >= 0) continue;
        t.by[std::size_t(other)] = k, t.above[std::size_t(other)] = here, t.has[std::size_t(k)] = true;
        t.depth[std::size_t(other)] = t.depth[std::size_t(here)] + 1;
        queue.push_back(other);
      }
    }
  }
  return t;
}

/// Calls f(body) for the bodies whose arcs lie between a and b in the tree.
template <class F> void walk(const Tree& t, int a, int b, const F& f) {
  while (a != b) {
    int& deeper = t.depth[std::size_t(a)] >= t.depth[std::size_t(b)] ? a : b;
    f(deeper);
    deeper = t.above[std::size_t(deeper)];
  }
}

/// The cost of a tree, most important first: size of loops, equations of chords, length of paths.
std::tuple<int, int, int> cost(const Tree& t, const std::vector<Link>& links) {
  int size = 0, equations = 0, length = 0;
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (t.has[k] || links[k].i == links[k].j) continue;
    walk(t, links[k].i, links[k].j, [&](int) { ++size; });
    equations += links[k].equations;
  }
  for (const int d : t.depth) length += d;
  return {size, equations, length};
}

/// Exchanges a chord for an arc of its loop as long as that makes the tree better.  The best of all trees is
/// not sought: no fast way to it is known (Deo, Prabhu & Krishnamoorthy 1982).
Tree exchanged(Tree tree, const std::vector<std::vector<int>>& at, const std::vector<Link>& links) {
  auto best = cost(tree, links);
  for (bool better = true; better;) {
    better = false;
    for (std::size_t k = 0; k < links.size(); ++k) {
      if (tree.has[k] || links[k].chord || links[k].i == links[k].j) continue;
      std::vector<int> loop;
      walk(tree, links[k].i, links[k].j, [&](int body) {
        if (tree.by[std::size_t(body)] >= 0) loop.push_back(tree.by[std::size_t(body)]);
      });
      for (const int out : loop) {
        const auto allowed = [&](int link) {
          return link == int(k) || (link != out && tree.has[std::size_t(link)]);
        };
        Tree trial = grow(at, links, allowed);
        const auto now = cost(trial, links);
        if (now >= best) continue;
        best = now, tree = std::move(trial), better = true;
        break;
      }
    }
  }
  return tree;
}
}  // namespace

Graph::Graph(int bodies, std::vector<Link> links)
    : bodies_(bodies), links_(std::move(links)), place_(std::size_t(bodies) + 1, -1) {
  const auto at = links_at(bodies_, links_);
  const Tree all = grow(at, links_, [](int) { return true; });
  Tree tree = grow(at, links_, [&](int k) { return !links_[std::size_t(k)].chord; });
  for (int b = 1; b <= bodies_; ++b)
    if (tree.by[std::size_t(b)] < 0 && all.by[std::size_t(b)] >= 0) cut_off_.push_back(b);
  if (links_.size() <= most_for_exchange) tree = exchanged(std::move(tree), at, links_);

  // Arcs in the order of a walk that always turns to the first child.
  std::vector<std::vector<int>> children(std::size_t(bodies_) + 1);
  for (int b = bodies_; b >= 1; --b) children[std::size_t(tree.above[std::size_t(b)])].push_back(b);
  for (std::vector<int> stack = children[0]; !stack.empty();) {
    const int b = stack.back(), link = tree.by[std::size_t(b)];
    stack.pop_back();
    place_[std::size_t(b)] = int(arcs_.size());
    arcs_.push_back(
        {link, tree.above[std::size_t(b)], b, link >= 0 && links_[std::size_t(link)].j != b ? -1 : 1});
    stack.insert(stack.end(), children[std::size_t(b)].begin(), children[std::size_t(b)].end());
  }

  for (std::size_t k = 0; k < links_.size(); ++k) {
    if (tree.has[k] || links_[k].i == links_[k].j) continue;
    chords_.push_back(int(k));
    Loop up, down;  // from i, and from j, to their common body
    int a = links_[k].i, b = links_[k].j;
    while (a != b) {
      const bool of_i = tree.depth[std::size_t(a)] >= tree.depth[std::size_t(b)];
      int& deeper = of_i ? a : b;
      const int arc = place_[std::size_t(deeper)];
      (of_i ? up : down).push_back({arcs_[std::size_t(arc)].link, arc, of_i ? 1 : -1});
      deeper = arcs_[std::size_t(arc)].parent;
    }
    std::reverse(up.begin(), up.end());
    up.push_back({int(k), -1, 1});
    up.insert(up.end(), down.begin(), down.end());
    loops_.push_back(std::move(up));
  }
}

int Graph::depth(int body) const {
  int n = 0;
  for (int b = body; b != 0; b = arc_to(b).parent) ++n;
  return n;
}

Graph::Matrix Graph::incidence() const {
  Matrix C = Matrix::Zero(Eigen::Index(arcs_.size() + chords_.size()), bodies_);
  const auto add = [&](std::size_t row, int body, int sign) {
    if (body != 0) C(Eigen::Index(row), place_[std::size_t(body)]) += sign;
  };
  for (std::size_t k = 0; k < arcs_.size(); ++k) add(k, arcs_[k].child, 1), add(k, arcs_[k].parent, -1);
  for (std::size_t k = 0; k < chords_.size(); ++k) {
    const Link& chord = links_[std::size_t(chords_[k])];
    add(arcs_.size() + k, chord.j, 1), add(arcs_.size() + k, chord.i, -1);
  }
  return C;
}

Graph::Matrix Graph::path() const {
  Matrix R = Matrix::Identity(bodies_, bodies_);
  for (int k = 0; k < bodies_; ++k)
    if (const int parent = arcs_[std::size_t(k)].parent; parent != 0)
      R.row(k) += R.row(place_[std::size_t(parent)]);
  return R;
}

Graph::Matrix Graph::loop_matrix() const {
  const auto n = Eigen::Index(arcs_.size()), m = Eigen::Index(loops_.size());
  Matrix L = Matrix::Zero(m, n + m);
  for (Eigen::Index k = 0; k < m; ++k)
    for (const Member& x : loops_[std::size_t(k)]) L(k, x.arc < 0 ? n + k : x.arc) = x.sign;
  return L;
}

Graph::Matrix Graph::coupling() const {
  const Matrix L = loop_matrix().cwiseAbs();
  return L * L.transpose();
}

std::vector<std::vector<int>> Graph::groups() const {
  // A loop joins the group that an arc of it is in already; two such groups become one.
  std::vector<int> group(loops_.size()), of_arc(arcs_.size(), -1);
  for (std::size_t k = 0; k < loops_.size(); ++k) {
    group[k] = int(k);
    for (const Member& x : loops_[k]) {
      if (x.arc < 0) continue;
      int& owner = of_arc[std::size_t(x.arc)];
      if (owner >= 0) {
        const int from = group[k], to = group[std::size_t(owner)];
        std::replace(group.begin(), group.begin() + std::ptrdiff_t(k) + 1, std::max(from, to),
                     std::min(from, to));
      }
      owner = int(k);
    }
  }
  std::vector<std::vector<int>> all(loops_.size());
  for (std::size_t k = 0; k < loops_.size(); ++k) all[std::size_t(group[k])].push_back(int(k));
  std::erase_if(all, [](const auto& g) { return g.empty(); });
  return all;
}
}  // namespace mubody

// Trees, loops and their matrices: printed examples, identities of algebra, and trees found by trying all of them.
#include "mubody/mechanism/graph.h"

#include <random>

#include <gtest/gtest.h>

namespace mubody::testing {
namespace {
using Matrix = Graph::Matrix;

Matrix matrix(std::initializer_list<std::initializer_list<int>> rows) {
  Matrix m(Eigen::Index(rows.size()), Eigen::Index(rows.begin()->size()));
  Eigen::Index r = 0;
  for (const auto& row : rows) {
    Eigen::Index c = 0;
    for (const int x : row) m(r, c++) = x;
    ++r;
  }
  return m;
}

/// Without Eigen's product of large matrices, which takes a second to compile.
Matrix times(const Matrix& A, const Matrix& B) { return A.lazyProduct(B); }

int total(const Graph& g) {
  int sum = 0;
  for (const auto& loop : g.loops()) sum += int(loop.size());
  return sum;
}

/// A graph, connected or not, with double links and loops of all sizes.
std::vector<Link> some_links(std::mt19937& random, int bodies, int count) {
  std::uniform_int_distribution<int> any(0, bodies);
  std::vector<Link> links;
  while (int(links.size()) < count) {
    const Link link{any(random), any(random), 2};
    if (link.i != link.j) links.push_back(link);
  }
  return links;
}

void expect_identities(const Graph& g) {
  const Eigen::Index n = g.bodies();
  const Matrix C = g.incidence(), R = g.path(), L = g.loop_matrix();
  const Matrix Ca = C.topRows(n), Cc = C.bottomRows(C.rows() - n);
  EXPECT_EQ(times(Ca, R), Matrix::Identity(n, n));
  EXPECT_EQ(times(R, Ca), Matrix::Identity(n, n));
  EXPECT_TRUE(times(L, C).isZero(0)) << times(L, C);
  EXPECT_EQ(Matrix(L.leftCols(n)), times(-Cc, R)) << "eq. 3.2.24";
  EXPECT_EQ(Matrix(L.rightCols(L.rows())), Matrix::Identity(L.rows(), L.rows()));
  for (Eigen::Index k = 0; k < n; ++k) {
    EXPECT_EQ(Ca(k, k), 1);
    for (Eigen::Index l = k + 1; l < n; ++l) EXPECT_EQ(Ca(k, l), 0) << "parents come first";
    EXPECT_EQ(R.row(k).sum(), g.depth(g.arcs()[std::size_t(k)].child));
  }
  const Matrix shared = g.coupling();
  for (Eigen::Index k = 0; k < L.rows(); ++k) EXPECT_EQ(shared(k, k), int(g.loops()[std::size_t(k)].size()));
}

// Precomputation (dissertation), Fig. 3.2.7 and eqs. 3.2.8, 3.2.16, 3.2.23, 3.2.24: bodies a, b, c; joints i from the
// ground to a, j from a to b, k from the ground to c, and the chord l from b to c.
TEST(graph, has_the_matrices_of_the_printed_four_bar) {
  const Graph g(3, {{0, 1}, {1, 2}, {0, 3}, {2, 3, 0, true}});
  EXPECT_EQ(g.incidence(), matrix({{1, 0, 0}, {-1, 1, 0}, {0, 0, 1}, {0, -1, 1}}));
  EXPECT_EQ(g.path(), matrix({{1, 0, 0}, {1, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(g.loop_matrix(), matrix({{1, 1, -1, 1}}));
  expect_identities(g);
}

// Eqs. 3.7.1 and 3.7.2: the crank-slider with the slide as its chord, from the slider to the ground.
TEST(graph, has_the_matrices_of_the_printed_crank_slider) {
  const Graph g(3, {{0, 1}, {1, 2}, {2, 3}, {3, 0, 0, true}});
  EXPECT_EQ(g.incidence(), matrix({{1, 0, 0}, {-1, 1, 0}, {0, -1, 1}, {0, 0, -1}}));
  EXPECT_EQ(g.path(), matrix({{1, 0, 0}, {1, 1, 0}, {1, 1, 1}}));
  EXPECT_EQ(g.loop_matrix(), matrix({{1, 1, 1, 1}}));
}

TEST(graph, turns_joints_that_point_to_the_ground) {
  const Graph g(2, {{1, 0}, {2, 1}});
  EXPECT_EQ(g.arcs()[0].sign, -1);
  EXPECT_EQ(g.arcs()[1].sign, -1);
  EXPECT_EQ(g.incidence(), matrix({{1, 0}, {-1, 1}})) << "arcs lead away from the ground";
}

TEST(graph, keeps_the_identities_on_any_graph) {
  std::mt19937 random(7);
  for (int k = 0; k < 60; ++k) {
    const int bodies = 1 + k % 12, joints = k % 23;
    const Graph g(bodies, some_links(random, bodies, joints));
    expect_identities(g);
    int free = 0;
    for (const auto& arc : g.arcs()) free += arc.link < 0 ? 1 : 0;
    EXPECT_EQ(int(g.chords().size()), joints - bodies + free) << "Euler: a loop for each joint beyond the tree";
    if (HasFailure()) return;
  }
}

// Every spanning set of joints is tried, with all others as chords.
TEST(graph, finds_the_tree_with_the_smallest_loops) {
  std::mt19937 random(11);
  for (int k = 0; k < 20; ++k) {
    std::vector<Link> links = some_links(random, 5, 8);
    const Graph found(5, links);
    int best = total(found);
    for (unsigned set = 0; set < 256; ++set) {
      for (std::size_t l = 0; l < links.size(); ++l) links[l].chord = (set >> l & 1U) != 0;
      const Graph g(5, links);
      if (g.cut_off().empty()) best = std::min(best, total(g));
    }
    EXPECT_EQ(total(found), best) << "graph " << k;
  }
}

// Uprights 1 to n + 1 on the ground, and a bar between each two: every window is a loop of four joints.
TEST(graph, sees_the_windows_of_a_ladder) {
  const int n = 12;
  std::vector<Link> links;
  for (int k = 1; k <= n + 1; ++k) links.push_back({0, k, 2});
  for (int k = 1; k <= n; ++k) links.push_back({k, n + 1 + k, 2}), links.push_back({k + 1, n + 1 + k, 2});
  const Graph g(2 * n + 1, links);
  ASSERT_EQ(g.loops().size(), std::size_t(n));
  for (const auto& loop : g.loops()) EXPECT_EQ(loop.size(), 4u);
  const Matrix shared = g.coupling();
  for (int k = 0; k < n; ++k)
    for (int l = 0; l < n; ++l) EXPECT_EQ(shared(k, l), k == l ? 4 : std::abs(k - l) == 1 ? 1 : 0);
  EXPECT_EQ(g.groups().size(), 1u) << "neighbours share an upright's foot";
}

TEST(graph, groups_loops_that_share_joints) {
  // Two four-bars on the ground, and a gear pair whose wheels have axles of their own.
  const Graph g(
      8, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 4}, {4, 5}, {5, 6}, {0, 6}, {0, 7, 2}, {0, 8, 2}, {7, 8, 1}});
  EXPECT_EQ(g.groups(), (std::vector<std::vector<int>>{{0}, {1}, {2}}));
  EXPECT_EQ(g.chords().back(), 10) << "of joints that would do equally well, the one with fewest equations";
}

TEST(graph, tells_what_chords_cut_off) {
  const Graph g(3, {{0, 1, 0, true}, {1, 2}, {2, 3}, {0, 3, 0, true}});
  EXPECT_EQ(g.cut_off(), std::vector<int>{1}) << "all three bodies, of which 1 is the first";
  EXPECT_EQ(g.arc_to(1).link, -1);
  EXPECT_TRUE(Graph(2, {{1, 2}}).cut_off().empty()) << "a mechanism that flies is not cut off";
}
}  // namespace
}  // namespace mubody::testing

#pragma once
// The mechanism as a directed graph: bodies are its nodes, joints its links, the ground is its root.
//
//   A spanning tree has one arc for each body: the joint that leads to it from its parent.  Joints that are left over
//   are chords; each closes one loop.  Rows are joints, arcs first; columns are bodies, without the ground:
//
//   Γ = [Γa; Γc]   incidence: +1 where a joint leads to, −1 where it comes from
//   Π = Γa⁻¹       path: row b has a 1 for each arc on the way from the ground to body b
//   Λ = [−Γc Π  1] loops: a row for each chord, +1 where the loop runs along a joint, −1 where it runs against it
//
//   Γa Π = 1,   Λ Γ = 0
//
// Precomputation (dissertation), sec. 3.2, eqs. 3.2.3-3.2.24: C, R_a and R_c there.     docs/theory/topology.md
#include <vector>

#include <Eigen/Core>

namespace mubody {
/// A joint as an arrow from its body i to its body j; 0 is the ground.
struct Link {
  int i = 0, j = 0;
  int equations = 0;   // equations it sets: a joint with few makes the better chord
  bool chord = false;  // must not be in the tree
};

class Graph {
 public:
  using Matrix = Eigen::MatrixXi;
  /// An arc leads to one body.  In each part that no joint connects to the ground, one body has a free arc.
  struct Arc {
    int link = -1;  // -1: free
    int parent = 0, child = 0;
    int sign = 1;  // -1: the joint's own arrow points to the parent
  };
  /// From the body nearest to the ground along the tree, through the chord in the direction of its arrow, and back.
  struct Member {
    int link;
    int arc;   // -1: the chord
    int sign;  // +1: the loop runs away from the ground there, or through its chord
  };
  using Loop = std::vector<Member>;

  /// Links of a body to itself are left out.  The tree is chosen so that loops are small; see docs/theory/topology.md.
  Graph(int bodies, std::vector<Link> links);

  int bodies() const { return bodies_; }  // without the ground
  const std::vector<Link>& links() const { return links_; }
  const std::vector<Arc>& arcs() const { return arcs_; }      // a parent's comes before its children's
  const std::vector<int>& chords() const { return chords_; }  // links
  const std::vector<Loop>& loops() const { return loops_; }   // one for each chord
  /// The arc that leads to a body.
  const Arc& arc_to(int body) const { return arcs_[std::size_t(place_[std::size_t(body)])]; }
  /// How many arcs there are between a body and the ground.
  int depth(int body) const;
  /// Bodies connected to the ground only by links that must not be in the tree.
  const std::vector<int>& cut_off() const { return cut_off_; }

  // Columns of bodies are in the order of the arcs that lead to them.
  Matrix incidence() const;    // Γ
  Matrix path() const;         // Π
  Matrix loop_matrix() const;  // Λ
  /// The number of joints that two loops share; on the diagonal, the number that each has.
  Matrix coupling() const;
  /// Loops that share joints, directly or through others: each group can be solved by itself.
  std::vector<std::vector<int>> groups() const;

 private:
  int bodies_;
  std::vector<Link> links_;
  std::vector<Arc> arcs_;
  std::vector<int> chords_, cut_off_;
  std::vector<Loop> loops_;
  std::vector<int> place_;  // place of the arc to each body; the ground has none
};
}  // namespace mubody

#pragma once
// Two outlines in the plane: polygons, chains of lines and arcs, discs.
//
//   docs/theory/contact.md#outline_on_outline
//
// What sticks out of body j, its corners and bulging arcs, may touch all of body i; what sticks out of body i may touch
// the rest of body j, its lines and hollow arcs.  So nothing is left out, and nothing counts twice.  A disc is all
// bulge, and takes the part of body j whichever body it belongs to.
#include "mubody/contact/geometry/runs.h"
#include "mubody/contact/geometry/sites.h"

namespace mubody {
struct OutlineOnOutline {
  static constexpr Info info{"outline_on_outline", "two outlines of lines and arcs"};
  static constexpr int dim = 2;
  Outline outline_i, outline_j;

  void fields(Fields& f) {
    f.table("outline_i", outline_i, "of the first body, in the axes of its marker");
    f.table("outline_j", outline_j, "of the second body, in the axes of its marker");
  }
  void check() const;
  void draw(Sketch&, Sketch::Arrow& force) const;
  /// With a disc; it is that of the disc on a flat body, for a stiffness that changed along an outline would make the
  /// force jump.
  std::optional<double> radius() const;
  void prepare();
  int sites() const { return int(sites_.size()); }
  Touch<2> touch(int site, const Placed<2>& i, const Placed<2>& j) const;

 private:
  struct Site {
    bool on_i = true;  // the run belongs to body i, the feature to body j
    std::size_t run = 0, feature = 0;
  };
  std::vector<Feature> features_i_, features_j_;
  std::vector<Run> runs_i_, runs_j_;
  std::vector<Site> sites_;
};
}  // namespace mubody

#pragma once
// What of an outline touches, and what is touched.
//
//   docs/theory/contact.md#outline_on_outline
//
// A feature sticks out: a corner, or an arc that bulges, with the corners at its ends.  It touches the other outline
// where that is nearest.  A run is a part of an outline that a feature touches in one place at a time: it reaches from
// one corner that points into the material to the next.  Along a run the nearest place passes smoothly from line to
// arc and around corners, so that a feature and a run are one contact, with one memory.
#include "mubody/contact/geometry/outline.h"

namespace mubody {
/// One of the lines, arcs and corners of a run.
struct Facet {
  enum Kind { line, bulge, hollow, corner };
  Kind kind = line;
  Vec<2> a = Vec<2>::Zero(), b = a;  // ends of a line; a corner is at a
  Vec<2> before = a,
         after = a;            // unit vectors along the outline where it comes to a corner, and where it leaves
  Vec<2> out = a;              // out of the material, of a line
  double early = 0, late = 0;  // how far a line goes on in the material, before a and behind b [m]
  Vec<2> centre = a, middle = a;  // of an arc, as in Piece
  double radius = 0, least = 0;   // of an arc, not negative [m]; cosine of its half angle
};

/// The nearest place of a run.
struct Foot {
  bool found = false;
  Facet::Kind kind = Facet::line;
  double distance = 0;  // of the point from there, negative within the material [m]
  Vec<2> normal = Vec<2>::UnitX();
};

struct Run {
  std::vector<Facet> facets;
  Vec<2> centre = Vec<2>::Zero();
  double reach = 0;  // all of it is within that distance of its centre [m]
  double limit = 0;  // deeper in the material than that, a point belongs to another run [m]

  bool flat = false;  // only lines and hollow arcs count; what sticks out is a feature of the same body

  /// The nearest place to p whose facet the function `takes`; not found if another outline's feature is not to touch there.
  template <class Takes> Foot nearest(const Vec<2>& p, const Takes& takes) const;
};

/// A corner that touches, with the directions in which it may.
struct Tip {
  Vec<2> at = Vec<2>::Zero();
  Vec<2> before = at, after = at;  // along the outline where it comes to the corner, and where it leaves
  bool bound_before = false, bound_after = false;  // an arc is there, which touches in all directions beyond

  /// Whether it touches a facet of that kind in the direction d.
  bool faces(const Vec<2>& d, Facet::Kind kind) const {
    constexpr double slack = 1e-12;
    const bool round = kind == Facet::bulge;
    return (!(bound_before || round) || d.dot(before) >= -slack) &&
           (!(bound_after || round) || d.dot(after) <= slack);
  }
};

struct Feature {
  Vec<2> centre = Vec<2>::Zero(), middle = centre;  // of an arc
  double radius = 0, least = 0;                     // of an arc [m]; 0: corners alone
  bool whole = false;                               // a disc
  std::vector<Tip> tips;
  double reach = 0;  // all of it is within that distance of its centre [m]
};

/// The runs of a chain that features up to that radius touch; `flat`: only of what does not stick out.
std::vector<Run> runs_of(const Chain&, double widest, bool flat);
std::vector<Feature> features_of(const Chain&);
/// The largest radius of features [m].
double widest_of(const std::vector<Feature>&);

template <class Takes> Foot Run::nearest(const Vec<2>& p, const Takes& takes) const {
  Foot best;
  const auto offer = [&](Facet::Kind kind, double distance, const Vec<2>& normal) {
    if (distance < -limit || (best.found && std::abs(distance) >= std::abs(best.distance))) return;
    if (takes(kind, distance, normal)) best = {true, kind, distance, normal};
  };
  for (const Facet& f : facets) switch (f.kind) {
      case Facet::line:
        if ((p - f.a).dot(f.after) >= -f.early && (p - f.b).dot(f.after) <= f.late)
          offer(f.kind, (p - f.a).dot(f.out), f.out);
        break;
      case Facet::corner: {
        const Vec<2> d = p - f.a;
        if (d.dot(f.before) < 0 || d.dot(f.after) > 0) break;
        const double far = d.norm();
        offer(f.kind, far, far > 0 ? Vec<2>(d / far) : f.out);
        break;
      }
      case Facet::bulge:
      case Facet::hollow: {
        const Vec<2> d = p - f.centre;
        const double far = d.norm();
        const Vec<2> to = far > 0 ? Vec<2>(d / far) : f.middle;
        if (to.dot(f.middle) < f.least) break;
        if (f.kind == Facet::bulge)
          offer(f.kind, far - f.radius, to);
        else
          offer(f.kind, f.radius - far, -to);
        break;
      }
    }
  // What sticks out is left out only now: it hides what lies behind it.
  if (flat && (best.kind == Facet::bulge || best.kind == Facet::corner)) best.found = false;
  return best;
}
}  // namespace mubody

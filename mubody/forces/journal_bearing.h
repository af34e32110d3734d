#pragma once
// A revolute joint with clearance: the journal of body j moves within the bearing of body i.  When dry, the two
// touch and part; with a lubricant a film carries the journal, and dry contact begins where the film gets
// thinner than a share of the clearance.
//
//   Flores (2010), sections (f) and (g); Flores et al. (2008)      docs/theory/contact.md#journal_in_bearing, film.md
#include "mubody/forces/bases/contact_element.h"

namespace mubody {
struct JournalBearing : ContactElement<JournalInBearing> {
  static constexpr Info info{"journal_bearing", "a revolute joint with clearance, dry or lubricated",
                             "bearing"};
  static constexpr bool is_clearance = true;
  std::optional<PinkusSternlicht> lubricant;

  void fields(Fields& f) {
    f.required("i", i, "m", "the centre of the bearing");
    f.required("j", j, "m", "the centre of the journal");
    f.required("bearing_radius", pair.radius_i, "m", "of the bearing");
    f.required("journal_radius", pair.radius_j, "m", "of the journal, less than that of the bearing");
    more_fields(f);
    f.table("lubricant", lubricant, "a film of fluid between them");
  }
  void draw(Sketch& s) const {
    if (lubricant) s.force({"film_fx", "film_fy"}).own = true;
    ContactElement::draw(s);
  }
  void check() const {
    require(pair.radius_i > 0, "bearing_radius", "must be positive");
    require(pair.radius_j > 0, "journal_radius", "must be positive");
    require(pair.radius_j < pair.radius_i, "journal_radius", "must be less than 'bearing_radius'");
    law->check();
  }
  bool has_law() const { return !lubricant || lubricant->dry_below > 0; }

  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    const Moving<2> mi = moving(i), mj = moving(j);
    const Touch<2> t = pair.touch(mi, mj);
    const Eccentricity at = pair.eccentricity(mi, mj);
    touch(i, j, t, lubricant ? lubricant->depth(t.gap, pair.clearance()) : -t.gap, now.contact, sink);
    sink.reports("eccentricity", "1", at.e.norm() / pair.clearance());
    if (!lubricant) return;
    const FilmForce film = (*lubricant)(pair, at);
    push_at(i, j, mj.x, film.force, sink);
    sink.push(j, Vec<2>(Vec<2>::Zero()), Vec<1>(film.moment));
    sink.push(i, Vec<2>(Vec<2>::Zero()), Vec<1>(-film.moment));
    sink.dissipates([&] { return film.dissipated; }, Loss::film);
    sink.reports("film_fx", "N", film.force.x());
    sink.reports("film_fy", "N", film.force.y());
  }
};
}  // namespace mubody

#include "mubody/analyses/friction_left_out.h"

#include <fmt/format.h>

#include "mubody/mechanism/each_field.h"

namespace mubody {
namespace {
class FrictionSeeker final : public EachConstField<FrictionSeeker> {
 public:
  bool found = false;

  template <class T> void each(const Field&, const T&) {}
  void each(const Field&, const std::optional<Friction>& f) { found = found || f.has_value(); }
};
}  // namespace

void remark_contact_friction_left_out(const Mechanism& m, System& s, Results& r) {
  std::string first;
  int count = 0;
  for (std::size_t k = 0; k < s.contacts().sites.size(); ++k) {
    const ContactSite& site = s.contacts().sites[k];
    FrictionSeeker seeker;
    show_fields(*m.forces[std::size_t(site.force)].what, seeker);
    if (!seeker.found || !s.contacts().touching(int(k))) continue;
    if (count++ == 0) first = site.name;
  }
  if (count > 0)
    r.remarks.push_back(
        fmt::format("friction of contact '{}'{} is left out here: with it the mechanism may rest at other "
                    "places nearby as well",
                    first, count > 1 ? " and others" : ""));
}
}  // namespace mubody

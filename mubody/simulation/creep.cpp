#include "mubody/simulation/creep.h"

#include <cmath>

#include <fmt/format.h>

#include "mubody/mechanism/each_field.h"

namespace mubody {
namespace {
/// The friction of a contact that lets everything slip: a law without memory.
class Slippery final : public EachConstField<Slippery> {
 public:
  double full = 0;  // coefficient of fast sliding; 0 if there is no such friction

  template <class T> void each(const Field&, const T&) {}
  void each(const Field&, const std::optional<Friction>& friction) {
    constexpr double fast = 1e3;  // [m/s]
    if (friction && (*friction)->states() == 0) full = (*friction)->force(1, fast);
  }
};

std::optional<double> last(const Results& r, std::string_view table, const std::string& channel) {
  const Table* const rows = r.find(table);
  const int column = rows ? rows->find(channel) : -1;
  if (column < 0 || rows->rows() == 0) return {};
  return rows->at(rows->rows() - 1, std::size_t(column));
}

// Whether a body hardly moves at the last row.
bool rests(const Mechanism& m, const Results& r, int body) {
  constexpr double slow = 5e-3;  // [m/s, rad/s]
  if (body == ground) return true;
  for (const char* rate : {".vx", ".vy", ".vz", ".omega", ".wx", ".wy", ".wz"})
    if (!(std::abs(last(r, "bodies", m.body_name(body) + rate).value_or(0)) < slow)) return false;
  return true;
}
}  // namespace

std::vector<std::string> remarks_on_creep(const Mechanism& m, const Results& r) {
  constexpr double some = 0.01, nearly = 0.99;  // shares of full friction
  std::vector<std::string> remarks;
  for (const auto& force : m.forces) {
    Slippery friction;
    show_fields(*force.what, friction);
    const std::optional<double> normal = last(r, "forces", force.name + ".force"),
                                rubs = last(r, "forces", force.name + ".friction");
    if (friction.full == 0 || !normal || !rubs || !(*normal > 0)) continue;
    if (!rests(m, r, force.what->i().body) || !rests(m, r, force.what->j().body)) continue;
    const double share = *rubs / (friction.full * *normal);
    if (share > some && share < nearly)
      remarks.push_back(fmt::format(
          "contact '{}' holds by {:.0f} % of its friction at the end, and creeps: this law needs slip to hold; "
          "friction = {{type = \"coulomb\", mu = {:.6g}}} sticks",
          force.name, 100 * share, friction.full));
  }
  return remarks;
}
}  // namespace mubody

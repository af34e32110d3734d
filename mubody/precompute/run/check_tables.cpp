#include "mubody/precompute/run/check_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "mubody/model/errors.h"
#include "mubody/precompute/run/real_time.h"

namespace mubody {
namespace {
using Count = std::uint64_t;

void want(bool holds, const char* what) {
  if (!holds) throw ModelError(fmt::format("the precomputed model is damaged: {}", what));
}

/// Whether the numbers from `first` on, as many as there are in `whole`, stand in the list, each of them once.
bool is_each_once(std::vector<int> list, int first, std::size_t whole) {
  std::ranges::sort(list);
  if (list.size() != whole) return false;
  for (std::size_t k = 0; k < whole; ++k)
    if (list[k] != first + int(k)) return false;
  return true;
}

/// The numbers of a series in n small variables.
Count terms_in(int order, Count n) { return 1 + (order > 0 ? n : 0) + (order > 1 ? n * (n + 1) / 2 : 0); }

/// Checks what tables of one region have in common.
class Tables {
 public:
  Tables(const RealTimeModel& m, const Region& r)
      : ranges_(r.variables), degree_(m.degree), free_(m.start.size() - m.stiff.size()), stiff_(m.stiff.size()),
        design_(m.design.size()) {}
  Tables(const LoopTable& l, const BodyTable& t)
      : ranges_(l.region.variables), degree_(l.degree), free_(l.region.variables.size()),
        stiff_(t.stiff.size()), design_(0), of_loop_(true) {}

  /// The number of variables by which a table has slopes.
  Count variables(const LookupTable& t) const { return t.arguments().size() + stiff_; }

  /// A table of so many quantities, each of them a series if there are small variables.
  void check(const LookupTable& t, const std::vector<int>& order, Count quantities) const {
    want(t.quantities() >= 1, "it has a table without quantities");
    want(t.degree() == degree_, "it has a table of another degree");
    check_arguments(t);
    if (stiff_ + design_ == 0) {
      want(order.empty(), "it has a series and nothing to expand in");
      want(Count(t.quantities()) == quantities, "it has a table of other quantities");
      return;
    }
    want(order.size() == quantities, "it has a series of other quantities");
    Count terms = 0;
    for (const int o : order) {
      want(o >= 0 && o <= 2, "it has a series of an order that there is not");
      terms += terms_in(o, stiff_);
    }
    want(terms * (1 + design_) == Count(t.quantities()), "it has a series of another length");
  }

 private:
  void check_arguments(const LookupTable& t) const {
    want(t.arguments().size() >= t.axes().size(), "it has a table with axes that no argument has");
    int before = -1;
    for (const int a : t.arguments()) {
      want(a > before && std::size_t(a) < free_, "it has a table with an argument that is no variable");
      before = a;
    }
    for (std::size_t k = 0; k < t.arguments().size(); ++k)
      want(ranges_[std::size_t(t.arguments()[k])].cyclic == (k >= t.axes().size()),
           "it has a table whose arguments have no axes");
    Count numbers = Count(t.quantities());
    if (!t.tree().empty()) {
      want(of_loop_ && stiff_ == 0, "it has absent cells in a table that must be whole");
      return check_tree(t);
    }
    for (const Axis& a : t.axes()) {
      want(std::isfinite(a.density()) && a.cells() >= 1, "it has an empty range");
      // Neither factor is above 2³¹, and what has been multiplied so far is no more than the numbers in the file.
      numbers *= Count(a.cells());
      want(numbers <= t.coefficients().size(), "it has a table of the wrong size");
      numbers *= Count(degree_) + 1;
      want(numbers <= t.coefficients().size(), "it has a table of the wrong size");
    }
    want(numbers == t.coefficients().size(), "it has a table of the wrong size");
  }

  // Every way down ends at numbers, or at nothing: nodes lead to later ones.
  void check_tree(const LookupTable& t) const {
    const Count nodes = t.tree().size() / 2, stride = [&] {
      Count all = Count(t.quantities());
      for (std::size_t a = 0; a < t.axes().size(); ++a) all *= Count(degree_) + 1;
      return all;
    }();
    Count roots = 1;
    for (const Axis& a : t.axes()) {
      want(std::isfinite(a.density()) && a.cells() >= 1 && !a.periodic(), "it has an empty range");
      roots *= Count(a.cells());
      want(roots <= nodes, "it has a table of the wrong size");
    }
    const Count cells = t.coefficients().size() / stride;
    want(t.tree().size() % 2 == 0 && cells > 0 && cells * stride == t.coefficients().size(),
         "it has a table of the wrong size");
    want(!t.mirrored(), "it mirrors a table with absent cells");
    constexpr int deepest = 60;
    std::vector<int> depth(nodes, -1);  // of nodes that something leads to
    std::fill_n(depth.begin(), roots, 0);
    for (Count k = 0; k < nodes; ++k) {
      const int kind = t.tree()[2 * k], place = t.tree()[2 * k + 1];
      want(kind >= LookupTable::absent && kind < int(t.axes().size()) && place >= 0,
           "it has a cell that is divided in no way there is");
      want(depth[k] <= deepest, "it has cells that are divided too often");
      if (kind >= 0) {
        want(Count(place) > k && Count(place) + 1 < nodes && depth[Count(place)] < 0 &&
                 depth[Count(place) + 1] < 0,
             "it has a cell without parts");
        depth[Count(place)] = depth[Count(place) + 1] = depth[k] + 1;
      }
      if (kind == LookupTable::numbers_at) want(Count(place) < cells, "it has a cell without numbers");
    }
  }

  const std::vector<VariableRange>& ranges_;
  int degree_;
  std::size_t free_, stiff_, design_;
  bool of_loop_ = false;  // tables of loops may cover the neighbourhood of a motion alone
};

bool has_polynomials(int degree) { return degree == 3 || degree == 5 || degree == 7 || degree == 9; }

void check_sizes(const RealTimeModel& m) {
  const std::size_t n = m.start.size(), stiff = m.stiff.size();
  want(n >= 1 && n <= std::size_t(RealTime::most), "it has no variable, or too many");
  want(m.start_rate.size() == n && stiff < n, "its start does not go with its variables");
  want(m.stiffness.size() == stiff * stiff && m.damping.size() == stiff * stiff,
       "its springs are of another size");
  want(m.design.size() <= most_design_variables, "it has too many small variables");
  want(has_polynomials(m.degree), "its polynomials have a degree of their own");
  want(!m.regions.empty() && m.start_region >= 0 && std::size_t(m.start_region) < m.regions.size(),
       "it starts in a region that is not there");
}

void check_variables(const std::vector<VariableRange>& variables, std::size_t count) {
  want(variables.size() == count, "a region has other variables");
  for (const VariableRange& v : variables)
    want(v.high > v.low && std::isfinite(1 / (v.high - v.low)), "it has an empty range");
}

void check_dynamics(const std::vector<DynamicsTable>& dynamics, const Tables& tables, std::size_t free) {
  std::vector<bool> moved(free, false);
  for (const DynamicsTable& d : dynamics) {
    want(!d.table.arguments().empty(), "it has inertias without an argument");
    const Count m = tables.variables(d.table);
    tables.check(d.table, d.order, m * (m + 1) / 2 + 1 + (d.positional ? m : 0) + (d.damped ? m * m : 0));
    for (const int a : d.table.arguments()) moved[std::size_t(a)] = true;
  }
  want(std::ranges::find(moved, false) == moved.end(), "a variable has no inertia");
}

void check_borders(const Region& r, const RealTimeModel& m, const Tables& tables) {
  bool leads_on = false;
  for (const Border* b : {&r.below, &r.above}) {
    want(b->region >= -1 && b->region < int(m.regions.size()), "a border leads to a region that is not there");
    want(b->laps >= -1 && b->laps <= 1, "a border goes round more than once");
    leads_on = leads_on || b->region >= 0;
  }
  if (!leads_on && r.next.quantities() == 0) {
    want(r.next_order.empty() && r.next.coefficients().empty(), "it has a table of the wrong size");
    return;
  }
  want(r.variables.size() == 1 && r.next.arguments().size() == 1, "a region leads on in several variables");
  tables.check(r.next, r.next_order, 2);
}

// What the tables of a part have to be, whatever the mechanism.
void check_loop(const LoopTable& l) {
  const std::size_t n = l.region.variables.size(), bodies = l.bodies.size();
  want(n >= 1 && n <= std::size_t(RealTime::most), "a loop has no variable, or too many");
  want(l.stiff.size() <= most_stiff_variables, "it has too many small variables");
  want(has_polynomials(l.degree), "its polynomials have a degree of their own");
  want(l.region.dynamics.empty() && l.region.scalars.empty() && l.region.next.quantities() == 0,
       "a loop has tables that are not of bodies");
  check_variables(l.region.variables, n);
  std::vector<int> placed;
  std::vector<bool> moves(n, false), gives(l.stiff.size(), false);
  for (const BodyTable& t : l.region.bodies) {
    const LookupTable& table = t.table;
    want(!table.axes().empty() && table.axes().size() == table.arguments().size(),
         "a loop has a table with an argument that has no axis");
    for (std::size_t a = 0; a < table.axes().size(); ++a) {
      const int k = table.arguments()[a];
      want(k >= 0 && std::size_t(k) < n, "it has a table with an argument that is no variable");
      const VariableRange& v = l.region.variables[std::size_t(k)];
      const Axis& axis = table.axes()[a];
      want(axis.low() == v.low && axis.high() == v.high && axis.periodic() == v.periodic,
           "a table has another range than its variable");
      moves[std::size_t(k)] = true;
    }
    for (const int body : t.bodies) placed.push_back(body);
    int before = -1;
    for (const int k : t.stiff) {
      want(k > before && std::size_t(k) < l.stiff.size(), "a table has a small variable that is not there");
      gives[std::size_t(before = k)] = true;
    }
  }
  want(std::ranges::find(gives, false) == gives.end(), "a small variable moves nothing");
  want(std::ranges::find(moves, false) == moves.end(), "a variable moves nothing");
  want(is_each_once(std::move(placed), 1, bodies), "its tables are those of other bodies");
}

void check_loops_fit(const RealTimeModel& m, const Mechanism& mechanism) {
  const BodyLayout layout(mechanism.dim);
  for (const LoopTable& l : m.loops) {
    const std::size_t coordinates =
        l.region.variables.size() * l.bodies.size() * std::size_t(layout.coordinates);
    want(l.gain.size() == coordinates && l.sign.size() == coordinates, "its gains are those of other bodies");
    for (const BodyTable& t : l.region.bodies) {
      const Tables tables(l, t);
      const Count each = Count(layout.coordinates) + Count(layout.velocities) * tables.variables(t.table);
      tables.check(t.table, t.order, t.bodies.size() * each);
    }
  }
}
}  // namespace

void mark_cyclic(RealTimeModel& m) {
  for (Region& r : m.regions) {
    const auto mark = [&](const LookupTable& t) {
      for (std::size_t k = t.axes().size(); k < t.arguments().size(); ++k)
        if (const int a = t.arguments()[k]; a >= 0 && std::size_t(a) < r.variables.size())
          r.variables[std::size_t(a)].cyclic = true;
    };
    for (const auto& t : r.dynamics) mark(t.table);
    for (const auto& t : r.bodies) mark(t.table);
    for (const auto& t : r.scalars) mark(t.table);
  }
}

void check_tables(const RealTimeModel& m) {
  if (m.loops_as_joints) {
    want(m.regions.empty() && m.start.empty() && m.stiff.empty() && m.design.empty() && m.run_time.empty(),
         "it has tables of the whole beside those of loops");
    std::vector<int> bodies;
    for (const LoopTable& l : m.loops) {
      check_loop(l);
      bodies.insert(bodies.end(), l.bodies.begin(), l.bodies.end());
    }
    std::ranges::sort(bodies);
    want(std::ranges::adjacent_find(bodies) == bodies.end(), "a body is in two loops");
    return;
  }
  want(m.loops.empty(), "it has loops beside tables of the whole");
  check_sizes(m);
  const std::size_t free = m.start.size() - m.stiff.size();
  for (const Region& r : m.regions) {
    check_variables(r.variables, free);
    const Tables tables(m, r);
    check_dynamics(r.dynamics, tables, free);
    for (const ScalarTable& t : r.scalars) tables.check(t.table, t.order, t.scalars.size());
    check_borders(r, m, tables);
  }
}

void check_tables_fit(const RealTimeModel& m, const Mechanism& mechanism) {
  if (m.loops_as_joints) return check_loops_fit(m, mechanism);
  const BodyLayout layout(mechanism.dim);
  const std::size_t bodies = mechanism.bodies.size(), free = m.start.size() - m.stiff.size();
  std::vector<bool> used(mechanism.forces.size(), false);
  std::size_t scalars = 0;
  for (const int k : m.run_time) {
    want(k >= 0 && std::size_t(k) < used.size() && !used[std::size_t(k)],
         "it has a force that the model has not");
    used[std::size_t(k)] = true;
    if (const auto form = mechanism.forces[std::size_t(k)].what->scalars(mechanism.dim))
      scalars += form->sees.size();
  }
  const std::size_t coordinates = free * bodies * std::size_t(layout.coordinates);
  want(m.gain.size() == coordinates && m.sign.size() == coordinates, "its gains are those of other bodies");
  want(m.scalar_gain.size() == free * scalars, "its gains are those of other forces");
  for (const Region& r : m.regions) {
    const Tables tables(m, r);
    std::vector<int> placed, seen;
    for (const BodyTable& t : r.bodies) {
      const Count each = Count(layout.coordinates) + Count(layout.velocities) * tables.variables(t.table);
      tables.check(t.table, t.order, t.bodies.size() * each);
      placed.insert(placed.end(), t.bodies.begin(), t.bodies.end());
    }
    for (const ScalarTable& t : r.scalars) seen.insert(seen.end(), t.scalars.begin(), t.scalars.end());
    want(is_each_once(std::move(placed), 1, bodies), "its tables are those of other bodies");
    want(is_each_once(std::move(seen), 0, scalars), "its tables are those of other forces");
  }
}
}  // namespace mubody

#include "mubody/precompute/c/c_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "mubody/precompute/tables/taylor.h"

namespace mubody {
SeriesInC::SeriesInC(const LookupTable& from, const std::vector<int>& of, int small,
                     std::vector<std::size_t> quantities, int upto)
    : stiff(of.empty() ? 0 : small) {
  const LookupTable t = from.unfolded();
  const auto all = std::size_t(t.quantities());
  std::vector<std::size_t> first;  // numbers of all quantities
  std::size_t next = 0;
  for (std::size_t q = 0; q < (of.empty() ? all : of.size()); ++q) {
    first.push_back(next);
    next += of.empty() ? 1 : std::size_t(terms_of(of[q], small));
  }
  if (quantities.empty())
    for (std::size_t q = 0; q < first.size(); ++q) quantities.push_back(q);
  std::vector<std::size_t> kept;
  for (const std::size_t q : quantities) {
    const int own = of.empty() ? 0 : std::min(of[q], upto);
    if (!of.empty()) order.push_back(own);
    for (std::size_t k = 0; k < std::size_t(terms_of(own, small)); ++k) kept.push_back(first[q] + k);
  }
  std::vector<double> numbers;
  numbers.reserve(t.coefficients().size());
  for (std::size_t block = 0; block < t.coefficients().size(); block += all)
    for (const std::size_t k : kept) numbers.push_back(t.coefficients()[block + k]);
  table = LookupTable(t.arguments(), t.axes(), t.degree(), int(kept.size()), std::move(numbers), t.tree());
}

long SeriesInC::first_number(std::size_t quantity) const {
  if (order.empty()) return long(quantity);
  long numbers = 0;
  for (std::size_t q = 0; q < quantity; ++q) numbers += terms_of(order[q], stiff);
  return numbers;
}

// Positions are those of the library, to first order; series of inertia and potential go to the second.
std::string CData::region(const Region& r, int stiff) {
  std::vector<int> small;
  for (int k = 0; k < stiff; ++k) small.push_back(int(r.variables.size()) + k);
  std::vector<std::string> dynamics, bodies, scalars, next;
  for (const DynamicsTable& t : r.dynamics)
    dynamics.push_back(fmt::format("{{{}, {}, {}}}", table({t.table, t.order, stiff}, small),
                                   t.positional ? 1 : 0, t.damped ? 1 : 0));
  for (const BodyTable& t : r.bodies) {
    std::vector<int> from_zero;  // in the library body 0 is the ground
    for (const int b : t.bodies) from_zero.push_back(b - 1);
    const std::string initializer = table({t.table, t.order, stiff, {}, 1}, small), list = integers(from_zero);
    bodies.push_back(fmt::format("{{{}, {}, {}}}", initializer, t.bodies.size(), list));
  }
  for (const ScalarTable& t : r.scalars) {
    const std::string initializer = table({t.table, t.order, stiff}, small), list = integers(t.scalars);
    scalars.push_back(fmt::format("{{{}, {}}}", initializer, list));
  }
  if (r.next.quantities() > 0) next.push_back(table({r.next, r.next_order, stiff}, small));

  const std::string all_ranges = ranges(r.variables), d = array("mb_dynamics", dynamics),
                    b = array("mb_bodies", bodies), s = array("mb_scalars", scalars),
                    x = array("mb_table", next);
  if (apart_) {  // for code in which the sizes of tables are to be known
    text_ += "#define MB_EACH_DYNAMICS(use)";
    for (const std::string& one : dynamics) text_ += fmt::format(" use({})", one);
    text_ += "\n";
  }
  return fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}}", all_ranges, dynamics.size(), bodies.size(),
                     scalars.size(), d, b, s, x, border(r.below), border(r.above));
}

std::string CData::ranges(const std::vector<VariableRange>& all) {
  std::vector<std::string> each;
  for (const VariableRange& v : all) each.push_back(axis(Axis(v.low, v.high, v.periodic, 1), v.cyclic));
  return array("mb_axis", each);
}

std::string CData::text() const {
  if (!apart_) return text_;
  return fmt::format(
             "#ifndef MB_APART\n#define MB_APART\n#endif\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n"
             "MB_APART mb_real mb_numbers[{}];\n#ifdef __cplusplus\n}}\n#endif\n",
             std::max<std::size_t>(1, apart_->size())) +
         text_;
}

std::string CData::numbers(const std::vector<double>& all) {
  if (apart_) {
    apart_->insert(apart_->end(), all.begin(), all.end());
    return fmt::format("mb_numbers + {}", apart_->size() - all.size());
  }
  const std::string name = fresh("numbers_");
  text_ += fmt::format("MB_TABLE mb_real {}[{}] = {{", name, std::max<std::size_t>(1, all.size()));
  for (std::size_t k = 0; k < all.size(); ++k) {
    text_ += k % 4 == 0 ? "\n  " : " ";
    text_ += number(all[k]) + ",";
  }
  text_ += all.empty() ? "0};\n" : "\n};\n";
  return name;
}

std::string CData::array(const char* type, const std::vector<std::string>& initializers) {
  if (initializers.empty()) return "0";
  const std::string name = fresh("list_");
  text_ += fmt::format("MB_TABLE {} {}[{}] = {{\n  {}}};\n", type, name, initializers.size(),
                       fmt::join(initializers, ",\n  "));
  return name;
}

std::string CData::number(double x) const {
  if (single_ && std::abs(x) < double(std::numeric_limits<float>::min())) x = 0;  // compilers would warn
  std::string digits = single_ ? fmt::format("{:.9g}", x) : fmt::format("{:.17g}", x);
  if (digits.find_first_of(".en") == std::string::npos) digits += ".0";
  return single_ ? digits + "f" : digits;
}

std::string CData::list(const std::vector<double>& all) const {
  std::vector<std::string> each;
  for (const double x : all) each.push_back(number(x));
  return fmt::format("{}", fmt::join(each, ", "));
}

std::string CData::integers(const std::vector<int>& all) {
  const std::string name = fresh("whole_");
  text_ += fmt::format("MB_TABLE int {}[{}] = {{{}}};\n", name, std::max<std::size_t>(1, all.size()),
                       all.empty() ? "0" : fmt::format("{}", fmt::join(all, ", ")));
  return name;
}

std::string CData::axis(const Axis& a, bool cyclic) {
  std::vector<int> first;
  int cells = 0;
  for (const int p : a.parts()) {
    first.push_back(cells);
    cells += p;
  }
  const std::string parts = integers(a.parts()), begins = integers(first);
  return fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}, {}}}", cells, a.intervals(), a.periodic() ? 1 : 0,
                     number(a.low()), number(a.high()), number(a.density()), parts, begins, cyclic ? 1 : 0);
}

std::string CData::axes(const std::vector<Axis>& all) {
  std::vector<std::string> each;
  for (const Axis& a : all) each.push_back(axis(a));
  return array("mb_axis", each);
}

void CData::make_room(const SeriesInC& s) {
  const LookupTable& t = s.table;
  const std::size_t stride = t.cells() > 0 ? t.coefficients().size() / t.cells() : 0,
                    quantities = std::size_t(t.quantities()), arguments = t.arguments().size(),
                    stiff = std::size_t(s.stiff);
  if (stride == 0) return;
  sizes_.arguments = std::max(sizes_.arguments, arguments);
  sizes_.quantities = std::max(sizes_.quantities, quantities);
  sizes_.scratch = std::max(sizes_.scratch, (t.axes().size() + 1) * stride / std::size_t(t.degree() + 1));
  sizes_.slopes = std::max({sizes_.slopes, arguments * quantities, (arguments + stiff) * s.order.size()});
  sizes_.stiff = std::max(sizes_.stiff, stiff);
}

std::string CData::sizes_in_c() const {
  return fmt::format(
      "enum {{ ARGUMENTS = {}, QUANTITIES = {}, SCRATCH = {}, SLOPES = {}, STIFF = {}, PLACES = {} }};\n",
      sizes_.arguments, sizes_.quantities, sizes_.scratch, sizes_.slopes, sizes_.stiff, sizes_.places);
}

std::string CData::table(const SeriesInC& s, const std::vector<int>& stiff, std::size_t sloped) {
  make_room(s);
  const LookupTable& t = s.table;
  const std::size_t stride = t.cells() > 0 ? t.coefficients().size() / t.cells() : 0;
  std::vector<int> variables = t.arguments();
  variables.insert(variables.end(), stiff.begin(), stiff.end());
  for (const int place : variables) sizes_.places = std::max(sizes_.places, std::size_t(place) + 1);
  const std::string by = integers(variables), along = axes(t.axes()), c = numbers(t.coefficients()),
                    order = s.order.empty() ? "0" : integers(s.order),
                    tree = t.tree().empty() ? "0" : integers(t.tree());
  return fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}}", t.arguments().size(),
                     t.quantities(), stride, by, along, c, t.degree(), s.first_number(sloped),
                     t.arguments().size() - t.axes().size(), tree, order, s.order.size(), s.stiff);
}

std::string CData::border(const Border& b) const {
  return fmt::format("{{{}, {}, {}, {}}}", b.region, b.laps, number(b.at), number(b.shift));
}
}  // namespace mubody

#include "mubody/mechanism/tables_over_time.h"

#include <algorithm>
#include <cmath>

#include "mubody/math/interpolant.h"
#include "mubody/mechanism/each_field.h"

namespace mubody {
namespace {
/// The data of a block that has some.
class DataOfBlock final : public EachConstField<DataOfBlock> {
 public:
  const Data* data = nullptr;
  int column = 1;

  template <class T> void each(const Field&, const T&) {}
  void each(const Field&, const Data& d) { data = &d; }
  void each(const Field& field, const int& number) {
    if (std::string_view(field.name) == "column") column = number;
  }
};

// Where data are dense a step need not end at every point of them, only where they bend.
std::vector<double> points_in(const Data& data, int column) {
  constexpr std::size_t dense = 10'000;
  constexpr double little = 1e-3;  // of the range
  const std::vector<double>& inputs = data.columns.front();
  return inputs.size() > dense ? bends(inputs, data.columns.at(std::size_t(column)), little) : inputs;
}

/// When a function that rises or falls from `a` to `b` has a value.
double instant_of(const FunctionKind& f, double value, double a, double b) {
  const bool rises = f.at(b).x > f.at(a).x;
  for (int halvings = 0; halvings < 100; ++halvings) {
    const double middle = 0.5 * (a + b);
    if (middle <= a || middle >= b) break;
    ((f.at(middle).x < value) == rises ? a : b) = middle;
  }
  return b;
}

// As many steps as that would be needed; more are the business of step control.
constexpr std::size_t most = 100'000;

void add_instants(const FunctionKind& f, const std::vector<double>& points, double from, double to,
                  std::vector<double>& all) {
  constexpr int pieces = 1000;
  const std::size_t others = all.size();
  const auto time = [&](int k) { return from + (to - from) * k / pieces; };
  double before = f.at(from).x;
  for (int k = 0; k < pieces; ++k) {
    const double now = f.at(time(k + 1)).x;
    const auto [low, high] = std::minmax(before, now);
    for (auto p = std::ranges::lower_bound(points, low); p != points.end() && *p <= high; ++p)
      if (low < high) all.push_back(instant_of(f, *p, time(k), time(k + 1)));
    if (all.size() - others > most) return all.resize(others);
    before = now;
  }
}
}  // namespace

std::vector<double> points_passed(const Mechanism& m, double from, double to) {
  std::vector<double> all;
  for (const Noted& n : m.signals) {
    if (!n.what || n.sample || (*n.what)->other()) continue;
    const Signal& input = (*n.what)->input();
    if (input.depends_on_state() || !input.function_of_time().varies()) continue;
    DataOfBlock of;
    show_fields(**n.what, of);
    if (of.data && !of.data->columns.empty())
      add_instants(input.function_of_time().kind(), points_in(*of.data, of.column), from, to, all);
  }
  return all;
}
}  // namespace mubody

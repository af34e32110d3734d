#pragma once
// Functions that come from data end with them; beyond, they go on along their tangent.  The user of a longer
// run should know.
#include <algorithm>

#include "mubody/mechanism/each_field.h"
#include "mubody/mechanism/mechanism.h"

namespace mubody {
/// The times that all data of an element cover.
class DataRange final : public EachConstField<DataRange> {
 public:
  double first = -std::numeric_limits<double>::infinity(), last = std::numeric_limits<double>::infinity();

  template <class T> void each(const Field&, const T&) {}
  void each(const Field&, const Data& d) {
    if (!d.columns.empty() && !d.columns[0].empty()) narrow({{d.columns[0].front(), d.columns[0].back()}});
  }
  void each(const Field& field, const Function& f) {
    if (field.of_time) narrow(f.kind().data_range());
  }
  void each(const Field&, const std::optional<Function>& f) {
    if (f) narrow(f->kind().data_range());
  }
  void each(const Field&, const Signal& s) { narrow(s.function_of_time().kind().data_range()); }
  void each(const Field& f, const std::vector<Signal>& all) {
    for (const Signal& s : all) each(f, s);
  }

 private:
  void narrow(const std::optional<std::pair<double, double>>& range) {
    if (!range) return;
    first = std::max(first, range->first);
    last = std::min(last, range->second);
  }
};

/// One line for each driver and force whose data do not cover the time from start to end.
std::vector<std::string> data_too_short(const Mechanism&, double start, double end);
}  // namespace mubody

#include "mubody/mechanism/data_range.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "mubody/mechanism/each_field.h"

namespace mubody {
namespace {
/// The times that all data of an element cover, and what is to be said about its curves.
class DataRange final : public EachConstField<DataRange> {
 public:
  double first = -std::numeric_limits<double>::infinity(), last = std::numeric_limits<double>::infinity();
  std::vector<std::string> remarks;

  template <class T> void each(const Field&, const T&) {}
  void each(const Field& field, const Function& f) {
    if (field.of_time)
      take(f);
    else
      remark(f);
  }
  void each(const Field& field, const std::optional<Function>& f) {
    if (f) each(field, *f);
  }
  void each(const Field&, const Signal& s) { take(s.function_of_time()); }
  void each(const Field& f, const std::vector<Signal>& all) {
    for (const Signal& s : all) each(f, s);
  }
  void take(const Function& f) {
    remark(f);
    const auto range = f.kind().data_range();
    if (!range) return;
    first = std::max(first, range->first);
    last = std::min(last, range->second);
  }

 private:
  void remark(const Function& f) {
    if (std::string text = f.kind().remark(); !text.empty()) remarks.push_back(std::move(text));
  }
};
}  // namespace

std::vector<std::string> remarks_on_data(const Mechanism& m, double start, double end) {
  std::vector<std::string> lines;
  const auto add = [&](const char* kind, const auto& named, std::span<const Function> curves) {
    DataRange range;
    show_fields(*named.what, range);
    for (const Function& f : curves) range.take(f);
    if (range.first > start || range.last < end)
      lines.push_back(
          fmt::format("{} '{}': its data go from {:.6g} s to {:.6g} s; beyond, they go on along their tangent",
                      kind, named.name, range.first, range.last));
    if constexpr (requires { named.what->remark(); })
      if (std::string text = named.what->remark(); !text.empty()) range.remarks.push_back(std::move(text));
    for (const std::string& text : range.remarks)
      lines.push_back(fmt::format("{} '{}': {}", kind, named.name, text));
  };
  for (const auto& j : m.joints) add(j.driver ? "driver" : "joint", j, {});
  for (const auto& f : m.forces) add("force", f, f.what->curves());
  return lines;
}
}  // namespace mubody

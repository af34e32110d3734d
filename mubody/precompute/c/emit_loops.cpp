#include "mubody/precompute/c/emit_loops.h"

#include <fmt/format.h>

#include "mubody/formulations/tree.h"
#include "mubody/mechanism/topology.h"
#include "mubody/model/escape.h"
#include "mubody/precompute/c/c_data.h"
#include "mubody/precompute/c/embedded.h"
#include "mubody/precompute/run/loop_map.h"
#include "mubody/precompute/run/run_real_time.h"
#include "mubody/recording/embedded_c.h"

namespace mubody {
namespace {
/// The order in which C has the quantities of a table: the coordinates of all bodies before all columns of B, since only these
/// need slopes.
std::vector<std::size_t> coordinates_first(const BodyTable& t, std::size_t columns, const BodyLayout& layout) {
  const auto P = std::size_t(layout.coordinates), each = P + std::size_t(layout.velocities) * columns;
  std::vector<std::size_t> order;
  for (std::size_t b = 0; b < t.bodies.size(); ++b)
    for (std::size_t k = 0; k < P; ++k) order.push_back(b * each + k);
  for (std::size_t b = 0; b < t.bodies.size(); ++b)
    for (std::size_t k = P; k < each; ++k) order.push_back(b * each + k);
  return order;
}

/// Multiply-adds of one look into a table in C, where only columns of B have slopes, and of summing its series.
long operations(const BodyTable& t, const BodyLayout& layout) {
  const LookupTable& table = t.table;
  const std::size_t stiff = t.stiff.size();
  const SeriesInC in_c(table, t.order, int(stiff),
                       coordinates_first(t, table.arguments().size() + stiff, layout));
  const long quantities = table.quantities(), degree = table.degree(),
             sloped = quantities - in_c.first_number(t.bodies.size() * std::size_t(layout.coordinates));
  long all = 0, rows = 1, slopes = 0;
  for (std::size_t a = 1; a < table.axes().size(); ++a) rows *= degree + 1;
  for (std::size_t a = 0; a < table.axes().size(); ++a, rows /= degree + 1, ++slopes)
    all += rows * degree * (quantities + (1 + slopes) * sloped);
  if (stiff > 0) all += 2 * quantities + sloped * long(2 * table.arguments().size() + stiff);
  return all;
}

/// The tables of all loops, and mb_follow().
class LoopsInC {
 public:
  LoopsInC(const RealTimeModel& model, const Mechanism& m, const std::vector<FollowingPart>& parts,
           const EmitOptions& o, std::vector<double>* apart = nullptr)
      : model_(model), o_(o), layout_(m.dim), data_(o.single, apart) {
    const Graph graph = following_graph(m, joint_graph(m, graph_of(m)), parts);
    if (m.dim == 2)
      take_places(Tree<2>(m, graph, parts));
    else
      take_places(Tree<3>(m, graph, parts));
  }

  std::string write(const RecordedModel& r) {
    std::vector<std::string> loops, names;
    int seen = r.first_followed() + followed_;
    for (std::size_t k = 0; k < model_.loops.size(); ++k) {
      loops.push_back(loop(model_.loops[k], places_[k], r, seen, int(names.size())));
      seen += 2 * int(variables_of(model_.loops[k]));
      for (const VariableRange& v : model_.loops[k].region.variables)
        names.push_back(fmt::format("\"{}\"", for_c_string(v.name)));
    }
    const std::string all = data_.array("mb_loop", loops);
    std::string out = fmt::format("{}enum {{ COORDINATES = {}, VELOCITIES = {} }};\n", data_.sizes_in_c(),
                                  layout_.coordinates, layout_.velocities);
    for (const std::string_view text : {c_text::tables_h, c_text::tables_c, c_text::loops_h, c_text::loops_c})
      out += embedded_c(text, o_.name);
    names.emplace_back("0");
    out += fmt::format(
        "static const char* mb_variable_name(int k) {{\n  static const char* const all[] = {{{}}};\n"
        "  return k >= 0 && k < {} ? all[k] : 0;\n}}\n",
        fmt::join(names, ", "), names.size() - 1);
    return out + "\n" + data_.text() +
           fmt::format(
               "MB_FN int mb_follow(mb_real* x) {{\n  int k, code = 0;\n"
               "  for (k = 0; k < {} && code == 0; ++k) code = mb_follow_loop(&{}[k], x);\n  return "
               "code;\n}}\n",
               loops.size(), loops.empty() ? "((const mb_loop*)0)" : all);
  }

 private:
  /// Where a loop stands in the state, and in what is followed.
  struct Places {
    int q, u;
    std::size_t from;
    std::vector<std::size_t> member;
  };
  template <class T> void take_places(const T& tree) {
    for (const auto& part : tree.parts()) places_.push_back({part.q, part.u, part.from, part.member});
    followed_ = int(tree.make_motion().followed.size());
  }

  static std::size_t variables_of(const LoopTable& loop) {
    return loop.region.variables.size() + loop.stiff.size();
  }

  /// `first` is the place of its first variable among those of all loops that have ranges.
  std::string loop(const LoopTable& loop, const Places& at, const RecordedModel& r, int seen, int first) {
    std::vector<std::string> tables;
    for (const BodyTable& t : loop.region.bodies) {
      std::vector<int> body, to;
      for (const int b : t.bodies) {
        body.push_back(b - 1);
        to.push_back(r.first_followed() + int(at.from + at.member[std::size_t(b - 1)]));
      }
      std::vector<int> stiff;
      for (const int k : t.stiff) stiff.push_back(int(loop.region.variables.size()) + k);
      const SeriesInC in_c(t.table, t.order, int(stiff.size()),
                           coordinates_first(t, t.table.arguments().size() + stiff.size(), layout_));
      const std::string table = data_.table(in_c, stiff, t.bodies.size() * std::size_t(layout_.coordinates)),
                        which = data_.integers(body), places = data_.integers(to);
      tables.push_back(fmt::format("{{{}, {}, {}, {}}}", table, t.bodies.size(), which, places));
    }
    const std::string ranges = data_.ranges(loop.region.variables), all = data_.array("mb_loop_table", tables),
                      gain = data_.numbers(loop.gain), sign = data_.numbers(loop.sign);
    return fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}}", RecordedModel::first_q() + at.q,
                       r.first_u() + at.u, variables_of(loop), seen, loop.stiff.size(), ranges, first,
                       loop.bodies.size(), tables.size(), all, gain, sign);
  }

  const RealTimeModel& model_;
  const EmitOptions& o_;
  BodyLayout layout_;
  CData data_;
  std::vector<Places> places_;
  int followed_ = 0;  // numbers in all
};
}  // namespace

std::string follow_in_c(const RealTimeModel& model, const Mechanism& m, const std::vector<FollowingPart>& parts,
                        const RecordedModel& r, std::vector<double>& apart) {
  const EmitOptions o{.name = "swept"};
  check_size_for_c(model, o);
  return LoopsInC(model, m, parts, o, &apart).write(r);
}

EmittedModel emit_loops(const RealTimeModel& model, const Study& study, const EmitOptions& o) {
  check_size_for_c(model, o);
  EmitModelOptions options;
  options.name = o.name, options.single = o.single, options.step = o.step, options.steps = o.steps;
  options.inputs = o.inputs, options.outputs = o.outputs;
  const auto shared = std::make_shared<const RealTimeModel>(model);
  EmittedFollowers& f = options.followers.emplace();
  f.parts = following_parts(shared, study.mechanism);
  for (const LoopTable& loop : model.loops)
    for (const BodyTable& t : loop.region.bodies)
      f.operations += operations(t, BodyLayout(study.mechanism.dim));
  f.code = [&, &parts = f.parts](const RecordedModel& r) {
    return LoopsInC(*shared, study.mechanism, parts, o).write(r);
  };
  f.reference = [&](const Study& same) { return simulate(model, same); };
  return emit_model(study, options);
}
}  // namespace mubody

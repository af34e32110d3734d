#include "mubody/precompute/c/emit_c.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "mubody/model/escape.h"
#include "mubody/precompute/c/c_data.h"
#include "mubody/precompute/c/c_forces.h"
#include "mubody/precompute/c/embedded.h"
#include "mubody/precompute/run/real_time.h"
#include "mubody/recording/c_text.h"
#include "mubody/recording/embedded_c.h"

namespace mubody {
std::string c_name(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) && (c & 0x80) == 0 ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "m" + name;
  return name == "mb" ? "m_mb" : name;  // the functions of the runtime begin with mb_
}

void check_for_c(bool design) {
  if (design)
    throw ModelError(
        "C is written for fixed parameters: leave out --design, or run the tables with 'mubody run'");
}

namespace {
/// Header and source of one model.
class Writer {
 public:
  Writer(const RealTimeModel& model, const Mechanism& m, const EmitOptions& o,
         std::vector<double>* apart = nullptr)
      : model_(model), m_(m), o_(o), run_(model, m), at_run_time_(run_time_in_c(model, m, run_)),
        data_(o.single, apart) {}

  EmittedC write() { return {header(), source()}; }
  std::string tables() {
    const std::string defined = definition();
    return header() + runtime() + defined;
  }

 private:
  std::string runtime() const;
  std::string opening() const;
  std::string header() const;
  std::string source();
  std::string definition();
  std::string sizes() const;
  std::vector<std::string> checks();

  const RealTimeModel& model_;
  const Mechanism& m_;
  const EmitOptions& o_;
  RealTime run_;
  RunTimeInC at_run_time_;
  CData data_;
  int n_ = model_.n(), bodies_ = int(m_.bodies.size());
  BodyLayout layout_{m_.dim};
};

/// The comment at the beginning of the header.
std::string Writer::opening() const {
  return fmt::format(
      R"(/* {}: a precomputed mechanism with {} independent variable{}.
   Made by mubody {}; errors of the tables are below {:.1e} {}{}.

   C99; needs the mathematical library and nothing else, and takes no memory but the stack.  One right-hand side
   takes {} multiply-adds and reads {} numbers, always{}; a step takes four. */
)",
      for_c_comment(model_.name), n_, n_ == 1 ? "" : "s", model_.version, model_.bound, model_.bound_unit(),
      o_.single ? ", besides those of single precision, some 1e-7 of each number" : "", run_.operations(),
      run_.reads(),
      at_run_time_.applies ? ", and for forces at run time " + in_words(at_run_time_.apply_counts) : "");
}

std::string Writer::header() const {
  std::string head = opening();
  head += fmt::format("#ifndef {0}_H\n#define {0}_H\n\n", o_.name);
  head += fmt::format("typedef {} {}_real;\n\n", o_.single ? "float" : "double", o_.name);
  head += fmt::format(
      "enum {{ {0}_VARIABLES = {1}, {0}_BODIES = {2}, {0}_COORDINATES = {3}, {0}_VELOCITIES = {4}, {0}_KEPT = "
      "{5} }};\n\n",
      o_.name, n_, bodies_, layout_.coordinates, layout_.velocities, std::max(1, at_run_time_.kept));
  head += "/* Independent variables:";
  for (const Region& r : model_.regions)
    for (std::size_t k = 0; k < r.variables.size(); ++k) {
      const VariableRange& v = r.variables[k];
      const bool driven = std::ranges::count(at_run_time_.driven, int(k)) > 0;
      head += fmt::format("\n     {} [{}]{}", for_c_comment(v.name), for_c_comment(v.unit),
                          driven ? ", which a driver prescribes" : "");
    }
  for (const StiffVariable& v : model_.stiff)
    head += fmt::format("\n     {} [{}], by which a joint gives way: small", for_c_comment(v.name), v.unit);
  head += "\n   Bodies, in this order:";
  for (const RigidBody& b : m_.bodies) head += "\n     " + for_c_comment(b.name);
  head += fmt::format("\n   Coordinates {}; velocities {}{}. */\n", fmt::join(layout_.coordinate_names, ", "),
                      fmt::join(layout_.velocity_names, ", "),
                      layout_.spins() > 1 ? ", angular ones in body axes" : "");
  return head + embedded_c(c_text::interface_h, o_.name) + "#endif\n";
}

std::string Writer::source() {
  // Everything that stands in arrays first, since it says how large the arrays on the stack are.
  const std::string defined = definition();
  std::string body =
      fmt::format("/* {}: see the header.  With -D{}_SELF_TEST_MAIN a program that tests itself. */\n",
                  for_c_comment(model_.name), o_.name);
  body += fmt::format("#include \"{}.h\"\n\n{}", o_.name, o_.single ? "#define MB_SINGLE 1\n" : "");
  body += runtime_for(at_run_time_.code) + "\n";
  return body + runtime() + at_run_time_.code + "\n" + defined + embedded_c(c_text::interface_c, o_.name);
}

/// Everything that definition() rests on.
std::string Writer::runtime() const {
  std::string all = sizes();
  for (const std::string_view text : {c_text::tables_h, c_text::tables_c, c_text::runtime_h, c_text::runtime_c})
    all += embedded_c(text, o_.name);
  return all + "\n" + data_.text();
}

/// As in sizes.h.
std::string Writer::sizes() const {
  return data_.sizes_in_c() +
         fmt::format("enum {{ SCALARS = {}, FORCES = {}, BODY_FORCES = {}, DRIVEN = {} }};\n",
                     at_run_time_.scalars, at_run_time_.along.size(), at_run_time_.acts_on_bodies ? 1 : 0,
                     at_run_time_.driven.size());
}

/// The model itself, `mb_this`.
std::string Writer::definition() {
  std::vector<std::string> regions;
  for (const Region& r : model_.regions) regions.push_back(data_.region(r, int(model_.stiff.size())));
  const std::string all = data_.array("mb_region", regions), gain = data_.numbers(model_.gain),
                    sign = data_.numbers(model_.sign), along = data_.integers(at_run_time_.along),
                    scalar_gain = data_.numbers(model_.scalar_gain),
                    driven = data_.integers(at_run_time_.driven), stiffness = data_.numbers(model_.stiffness),
                    damping = data_.numbers(model_.damping);
  const RealTime::State start = run_.start();
  const std::string theta = data_.list({start.theta.begin(), start.theta.begin() + n_}),
                    rate = data_.list({start.rate.begin(), start.rate.begin() + n_});
  const std::vector<std::string> rows = checks();
  const std::string checked = data_.array("mb_check", rows);
  // In the order of mb_model, since not every compiler for graphics processors knows names here.
  return fmt::format(
      R"(MB_TABLE mb_model mb_this = {{
  {}, {}, {}, /* regions, gain, sign */
  {}, {}, {}, {}, /* apply, keep, along, scalar_gain */
  {}, {}, {}, {}, /* drive, driven, stiffness, damping */
  {{{}, {{{}}}, {{{}}}, {{0}}, {}, 0, {{0}}, 0, {{0}}}}, /* start */
  {}, {}, {}, {} /* checks, checks_count, check_step, check_limit */
}};
)",
      all, gain, sign, at_run_time_.applies ? "mb_apply" : "0", at_run_time_.kept > 0 ? "mb_keep" : "0", along,
      scalar_gain, at_run_time_.driven.empty() ? "0" : "mb_drive", driven, stiffness, damping,
      data_.number(start.t), theta, rate, start.region, checked, rows.size(), data_.number(o_.step),
      data_.number(o_.single ? 1e-2 : 1e-12));
}

/// What the library gets, at some steps of a run.
std::vector<std::string> Writer::checks() {
  RealTime::State s = run_.start();
  const int steps = o_.single ? o_.steps / 5 : o_.steps;  // errors of single precision grow with time
  const int every = std::max(1, steps / 4);
  std::vector<std::string> rows;
  VecX q(layout_.coordinates * bodies_), u(layout_.velocities * bodies_);
  for (int done = 0; done < steps; ++done) {
    if (done % every == 0 || done + 1 == steps) {
      run_.positions(s, q);
      run_.velocities(s, u);
      std::vector<double> row(s.theta.begin(), s.theta.begin() + n_);
      row.insert(row.end(), s.rate.begin(), s.rate.begin() + n_);
      row.insert(row.end(), q.begin(), q.end());
      row.insert(row.end(), u.begin(), u.end());
      if (!std::ranges::all_of(row, [](double x) { return std::isfinite(x); }))
        throw ModelError(fmt::format(
            "C is written for fixed steps, and {:.3g} s are too long: after {} of them the motion is not "
            "finite; "
            "give a smaller --step, one that follows the vibrations of springs and of joints that give way",
            o_.step, done));
      rows.push_back(fmt::format("{{{}, {{{}}}}}", done, data_.list(row)));
    }
    RealTime::State next = s;
    if (!run_.step(next, o_.step)) break;
    s = next;
    s.t = model_.t + (done + 1) * o_.step;  // the round-off of many sums is not in the C either
  }
  return rows;
}
}  // namespace

void check_size_for_c(const RealTimeModel& model, const EmitOptions& o) {
  if (double(model.bytes()) > o.most_mb * 1e6)
    throw ModelError(
        fmt::format("{:.3g} MB of tables are too much for a C source, which may hold {:.3g} MB; ask for a "
                    "larger --bound or a smaller --range",
                    double(model.bytes()) / 1e6, o.most_mb));
}

std::string emit_tables(const RealTimeModel& model, const Mechanism& m, const EmitOptions& o,
                        std::vector<double>& apart) {
  check_for_c(!model.design.empty());
  check_size_for_c(model, o);
  return Writer(model, m, o, &apart).tables();
}

EmittedC emit_c(const RealTimeModel& model, const Mechanism& m, const EmitOptions& o) {
  check_for_c(!model.design.empty());
  check_size_for_c(model, o);
  return Writer(model, m, o).write();
}
}  // namespace mubody

#include "mubody/precompute/c/emit_c.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "mubody/math/c_number.h"
#include "mubody/mechanism/compliance.h"
#include "mubody/precompute/c/c_runtime.h"
#include "mubody/precompute/run/real_time.h"

namespace mubody {
namespace {
/// Collects arrays and structs of one source.
class Source {
 public:
  explicit Source(bool single) : single_(single) {}

  /// The name of an array of numbers; a new one.
  std::string numbers(const std::vector<double>& all) {
    const std::string name = fresh("numbers_");
    text += fmt::format("static const real {}[{}] = {{", name, std::max<std::size_t>(1, all.size()));
    for (std::size_t k = 0; k < all.size(); ++k) {
      text += k % 4 == 0 ? "\n  " : " ";
      text += number(all[k]) + ",";
    }
    text += all.empty() ? "0};\n" : "\n};\n";
    return name;
  }
  std::string whole(const std::vector<int>& all) {
    const std::string name = fresh("whole_");
    text += fmt::format("static const int {}[{}] = {{{}}};\n", name, std::max<std::size_t>(1, all.size()),
                        all.empty() ? "0" : fmt::format("{}", fmt::join(all, ", ")));
    return name;
  }
  std::string axis(const Axis& a) {
    std::vector<int> first;
    int cells = 0;
    for (const int p : a.parts()) first.push_back(cells), cells += p;
    const std::string parts = whole(a.parts()), begins = whole(first);
    return fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}}}", cells, a.intervals(), a.periodic() ? 1 : 0,
                       number(a.low()), number(a.high()), number(a.density()), parts, begins);
  }
  std::string axes(const std::vector<Axis>& all) {
    std::vector<std::string> each;
    for (const Axis& a : all) each.push_back(axis(a));
    return array("mb_axis", each);
  }
  std::string table(const LookupTable& t) {
    const std::string argument = whole(t.arguments()), ax = axes(t.axes()), c = numbers(t.coefficients());
    const std::size_t stride = t.cells() > 0 ? t.coefficients().size() / t.cells() : 0;
    return fmt::format("{{{}, {}, {}, {}, {}, {}}}", t.axes().size(), t.quantities(), stride, argument, ax, c);
  }
  std::string array(const char* type, const std::vector<std::string>& each) {
    if (each.empty()) return "0";
    const std::string name = fresh("list_");
    text += fmt::format("static const {} {}[{}] = {{{}}};\n", type, name, each.size(), fmt::join(each, ", "));
    return name;
  }
  std::string number(double x) const {
    if (single_ && std::abs(x) < double(std::numeric_limits<float>::min())) x = 0;  // compilers would warn
    return single_ ? fmt::format("{:.9g}{}f", x, plain(fmt::format("{:.9g}", x)) ? ".0" : "")
                   : fmt::format("{:.17g}{}", x, plain(fmt::format("{:.17g}", x)) ? ".0" : "");
  }

  std::string text;

 private:
  static bool plain(const std::string& s) { return s.find_first_of(".en") == std::string::npos; }
  std::string fresh(const char* kind) { return fmt::format("{}{}", kind, ++count_); }

  bool single_;
  int count_ = 0;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// What forces at run time add to b.
std::string apply_code(const RealTimeModel& model, const Mechanism& m) {
  std::string code = R"(
static void mb_apply(const mb_region* r, const NAME_state* s, real* b) {
)";
  int scalars = 0;
  std::string forces;
  for (const int k : model.run_time) {
    const auto& named = m.forces[std::size_t(k)];
    const auto form = named.what->scalars(m.dim);
    ScalarForm::Names names;
    names.t = "s->t";
    if (form)
      for (std::size_t i = 0; i < form->sees.size(); ++i) {
        names.x.push_back(fmt::format("x[{}]", scalars + int(i)));
        names.v.push_back(fmt::format("v[{}]", scalars + int(i)));
      }
    const std::vector<std::string> codes = form ? form->code(names) : std::vector<std::string>{};
    if (codes.empty())
      throw ModelError(
          named.place,
          fmt::format("force '{}' ({}) is applied at run time and cannot be written in C: replace it by a "
                      "spring, force or moment with formulas, or leave it out and add it by hand",
                      named.name, named.what->info().name));
    for (int a = 0; a < form->acts; ++a)
      forces += fmt::format("  f = {}; /* {} */\n  for (i = 0; i < N; ++i) b[i] += f * slope[{}][i];\n",
                            codes[std::size_t(a)], named.name, scalars + a);
    scalars += int(form->sees.size());
  }
  if (scalars == 0) return code + "  (void)r;\n  (void)s;\n  (void)b;\n}\n";
  code += fmt::format(
      "  real values[QUANTITIES], slopes[ARGUMENTS * QUANTITIES], x[{0}], v[{0}], slope[{0}][N], f = R(0.0);\n",
      scalars);
  code += fmt::format(R"(  int d, i, k, l, q;
  for (k = 0; k < {0}; ++k) {{
    x[k] = v[k] = R(0.0);
    for (i = 0; i < N; ++i) slope[k][i] = R(0.0);
  }}
  for (d = 0; d < r->scalars_count; ++d) {{
    const mb_table* t = &r->scalars[d].table;
    mb_evaluate(t, s->theta, values, slopes);
    for (q = 0; q < t->quantities; ++q) {{
      k = r->scalars[d].scalar[q];
      x[k] = values[q];
      for (l = 0; l < t->arguments; ++l) {{
        slope[k][t->argument[l]] = slopes[l * t->quantities + q];
        v[k] += slopes[l * t->quantities + q] * s->rate[t->argument[l]];
      }}
    }}
  }}
  (void)x;
  (void)v;
  (void)f;
)",
                      scalars);
  // Angles that turns are counted of.
  for (int i = 0; i < model.n(); ++i)
    for (int k = 0; k < scalars; ++k)
      if (const double gain = model.scalar_gain[std::size_t(i) * std::size_t(scalars) + std::size_t(k)];
          gain != 0)
        code += fmt::format("  x[{}] += {} * mb_laps(r, s, {});\n", k, number_in_c(gain), i);
  return code + forces + "}\n";
}

constexpr const char* literals = R"(
#ifdef NAME_SINGLE
#define R(x) x##f
#else
#define R(x) x
#endif
)";

constexpr const char* helper_bodies = R"(
static real mb_min(real a, real b) { return b < a ? b : a; }
static real mb_max(real a, real b) { return a < b ? b : a; }
static real mb_mod(real a, real b) { return a - b * floor(a / b); }
static real mb_sign(real a) { return a > R(0.0) ? R(1.0) : a < R(0.0) ? -R(1.0) : R(0.0); }
static real mb_power(real x, int n) {
  real y = n % 2 == 1 ? x : R(1.0);
  for (n /= 2; n > 0; n /= 2) {
    x *= x;
    if (n % 2 == 1) y *= x;
  }
  return y;
}
static real mb_step(real t, real t0, real h0, real t1, real h1) {
  real s;
  if (t <= t0) return h0;
  if (t >= t1) return h1;
  s = (t - t0) / (t1 - t0);
  return h0 + (h1 - h0) * s * s * (R(3.0) - R(2.0) * s);
}
)";
}  // namespace

std::string c_name(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) && (c & 0x80) == 0 ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "m" + name;
  return name;
}

void check_for_c(const Mechanism& m, bool design) {
  for (const auto& joint : m.joints)
    if (joint.driver)
      throw ModelError(joint.place,
                       fmt::format("driver '{}' cannot be written in C: leave it out and let a force or moment "
                                   "drive the mechanism",
                                   joint.name));
  for (const auto& force : m.forces)
    if (is_compliance(*force.what))
      throw ModelError(force.place,
                       fmt::format("C is written for rigid joints: leave out the compliance of '{}', or "
                                   "run the tables with 'mubody run'",
                                   force.name));
  if (design)
    throw ModelError(
        "C is written for fixed parameters: leave out --design, or run the tables with 'mubody run'");
}

namespace {
/// Header and source of one model; NAME stands for its name.
struct Writer {
  const RealTimeModel& model;
  const Mechanism& m;
  const EmitOptions& o;
  RealTime run;
  Source src;
  int n = model.n(), bodies = int(m.bodies.size()), P = m.dim == 2 ? 3 : 7, C = m.dim == 2 ? 3 : 6;
  std::size_t quantities = 1, scratch = 1, arguments = 1;

  Writer(const RealTimeModel& given, const Mechanism& mechanism, const EmitOptions& options)
      : model(given), m(mechanism), o(options), run(given, mechanism), src(options.single) {}

  EmittedC write() {
    const std::string tables = data();
    return {replaced(header(), "NAME", o.name), replaced(source(tables) + self_test(), "NAME", o.name)};
  }

  // The largest sizes that tables ask for.
  void fit(const LookupTable& t) {
    if (t.cells() == 0 || t.quantities() == 0) return;
    quantities = std::max(quantities, std::size_t(t.quantities()));
    arguments = std::max(arguments, t.axes().size());
    scratch = std::max(
        scratch, (t.axes().size() + 1) * (t.coefficients().size() / t.cells()) / std::size_t(t.degree() + 1));
  }

  std::string region(const Region& r) {
    std::vector<std::string> dynamics, body_tables, scalars, ranges;
    for (const auto& t : r.dynamics) {
      fit(t.table);
      dynamics.push_back(
          fmt::format("{{{}, {}, {}}}", src.table(t.table), t.positional ? 1 : 0, t.damped ? 1 : 0));
    }
    for (const auto& t : r.bodies) {
      fit(t.table);
      std::vector<int> from_zero;
      for (const int b : t.bodies) from_zero.push_back(b - 1);
      const std::string table = src.table(t.table), list = src.whole(from_zero);
      body_tables.push_back(fmt::format("{{{}, {}, {}}}", table, t.bodies.size(), list));
    }
    for (const auto& t : r.scalars) {
      fit(t.table);
      const std::string table = src.table(t.table), list = src.whole(t.scalars);
      scalars.push_back(fmt::format("{{{}, {}}}", table, list));
    }
    for (const VariableRange& v : r.variables) ranges.push_back(src.axis(Axis(v.low, v.high, v.periodic, 1)));
    fit(r.next);
    std::vector<std::string> next;
    if (r.next.quantities() > 0) next.push_back(src.table(r.next));
    const auto border = [&](const Border& b) {
      return fmt::format("{{{}, {}, {}, {}}}", b.region, b.laps, src.number(b.at), src.number(b.shift));
    };
    const std::string all_ranges = src.array("mb_axis", ranges), d = src.array("mb_dynamics", dynamics),
                      b = src.array("mb_bodies", body_tables), s = src.array("mb_scalars", scalars),
                      x = src.array("mb_table", next);
    return fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}}", all_ranges, dynamics.size(),
                       body_tables.size(), scalars.size(), d, b, s, x, border(r.below), border(r.above));
  }

  std::string data() {
    std::vector<std::string> regions;
    for (const Region& r : model.regions) regions.push_back(region(r));
    std::string data = std::move(src.text);
    data += fmt::format("static const mb_region regions[{}] = {{\n  {}}};\n", regions.size(),
                        fmt::join(regions, ",\n  "));
    for (const bool sign : {false, true}) {
      data += fmt::format("static const real {}[N][COORDINATES * BODIES] = {{", sign ? "sign" : "gain");
      const auto& all = sign ? model.sign : model.gain;
      for (int k = 0; k < n; ++k) {
        data += k > 0 ? ", {" : "{";
        for (int i = 0; i < P * bodies; ++i)
          data +=
              (i > 0 ? ", " : "") + src.number(all[std::size_t(k) * std::size_t(P * bodies) + std::size_t(i)]);
        data += "}";
      }
      data += "};\n";
    }
    return data;
  }

  // What the library gets, at some steps of a run.
  std::vector<std::string> reference() {
    RealTime::State s = run.start();
    const int steps = o.single ? o.steps / 5 : o.steps;  // errors of single precision grow with time
    const int every = std::max(1, steps / 4);
    std::vector<std::string> rows;
    VecX q(P * bodies), u(C * bodies);
    int done = 0;
    for (; done < steps; ++done) {
      if (done % every == 0 || done + 1 == steps) {
        run.positions(s, q);
        run.velocities(s, u);
        std::vector<std::string> row;
        for (int k = 0; k < n; ++k) row.push_back(src.number(s.theta[std::size_t(k)]));
        for (int k = 0; k < n; ++k) row.push_back(src.number(s.rate[std::size_t(k)]));
        for (const double x : q) row.push_back(src.number(x));
        for (const double x : u) row.push_back(src.number(x));
        rows.push_back(fmt::format("{{{}, {{{}}}}}", done, fmt::join(row, ", ")));
      }
      RealTime::State next = s;
      if (!run.step(next, o.step)) break;
      s = next;
    }
    return rows;
  }

  std::string header() const {
    const std::string guard = replaced("NAME_H", "NAME", o.name);
    std::string head =
        fmt::format(R"(/* {0}: a precomputed mechanism with {1} independent variable{2}.
   Made by mubody {3}; errors of the tables are below {4:.1e}{8}.

   C99; needs the mathematical library and nothing else, and takes no memory but the stack.  One right-hand side takes
   {6} multiply-adds and reads {7} numbers, always{9}; a step takes four. */
#ifndef {5}
#define {5}

)",
                    replaced(model.name, "*/", "* /"), n, n == 1 ? "" : "s", model.version, model.bound, guard,
                    run.operations(), run.reads(),
                    o.single ? ", besides those of single precision, some 1e-7 of each number" : "",
                    model.run_time.empty() ? "" : ", and evaluates the formulas of forces");
    head += o.single ? "#define NAME_SINGLE 1\ntypedef float NAME_real;\n" : "typedef double NAME_real;\n";
    head += fmt::format(
        "\nenum {{ NAME_VARIABLES = {}, NAME_BODIES = {}, NAME_COORDINATES = {}, NAME_VELOCITIES = {} }};\n\n",
        n, bodies, P, C);
    head += "/* Independent variables:";
    for (const Region& r : model.regions)
      for (const VariableRange& v : r.variables) head += fmt::format("\n     {} [{}]", v.name, v.unit);
    head += "\n   Bodies, in this order:";
    for (const RigidBody& b : m.bodies) head += fmt::format("\n     {}", b.name);
    head += m.dim == 2 ? "\n   Coordinates x, y, angle; velocities vx, vy, omega. */\n"
                       : "\n   Coordinates x, y, z, e0, e1, e2, e3; velocities vx, vy, vz, and wx, wy, wz in "
                         "body axes. */\n";
    head += R"(
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  NAME_real t; /* [s] */
  NAME_real theta[NAME_VARIABLES], rate[NAME_VARIABLES];
  /* Forces from outside on the variables [N, N m], which a controller may change between steps.  A force on the
     velocities of the bodies acts with the columns of B: the velocities that NAME_bodies tells at rates of 1. */
  NAME_real input[NAME_VARIABLES];
  int region, laps, turns[NAME_VARIABLES];
  NAME_real t_rest;
} NAME_state;

/* The start of the analysis. */
void NAME_start(NAME_state*);
/* The k-th variable, counted over all rounds; after eight of them theta is brought back into the range of the tables. */
NAME_real NAME_variable(const NAME_state*, int k);
/* Second derivatives of the independent variables. */
void NAME_accelerations(const NAME_state*, NAME_real* acceleration);
/* One step of the classical Runge-Kutta method: four evaluations, always the same number of operations.
   0 if the state has left the range of the tables. */
int NAME_step(NAME_state*, NAME_real h);
/* After a step of your own: into the next region if need be; 0 if out of range. */
int NAME_settle(NAME_state*);
/* NAME_BODIES times NAME_COORDINATES positions, and times NAME_VELOCITIES velocities. */
void NAME_bodies(const NAME_state*, NAME_real* positions, NAME_real* velocities);
/* Kinetic energy, and the potential energy of what is in the tables [J]. */
NAME_real NAME_energy(const NAME_state*);
/* The largest difference from the numbers of the library, relative to max(1, size). */
NAME_real NAME_self_test(void);

#ifdef __cplusplus
}
#endif
#endif
)";
    return head;
  }

  std::string source(const std::string& data) const {
    std::string body =
        fmt::format("/* {}: see the header.  With -DNAME_SELF_TEST_MAIN a program that tests itself. */\n",
                    replaced(model.name, "*/", "* /"));
    body += "#include \"NAME.h\"\n\n#include <tgmath.h>\n\ntypedef NAME_real real;\n";
    const std::string forces = apply_code(model, m);
    body += literals;
    const std::string library(helper_bodies);
    for (std::size_t at = 0; (at = library.find("\nstatic real mb_", at)) != std::string::npos; ++at) {
      const std::size_t open = library.find('(', at);
      const std::string name = library.substr(at + 13, open - at - 13);
      const std::size_t end = std::min(library.find("\nstatic real", at + 1), library.size());
      if (forces.find(name + "(") != std::string::npos) body += library.substr(at, end - at);
    }
    body += fmt::format(
        "\nenum {{ N = {}, BODIES = {}, COORDINATES = {}, VELOCITIES = {}, DEGREE = {}, ARGUMENTS = {}, "
        "QUANTITIES = {}, "
        "SCRATCH = {} }};\n",
        n, bodies, P, C, model.degree, arguments, quantities, scratch);
    body += c_runtime;
    body += "\n" + data + forces + c_motion;
    body += "\nvoid NAME_start(NAME_state* s) {\n";
    body += fmt::format("  s->t = {};\n  s->t_rest = R(0.0);\n  s->region = {};\n  s->laps = 0;\n",
                        src.number(model.t), model.start_region);
    for (int k = 0; k < n; ++k)
      body += fmt::format(
          "  s->theta[{0}] = {1};\n  s->rate[{0}] = {2};\n  s->input[{0}] = R(0.0);\n  s->turns[{0}] = 0;\n", k,
          src.number(model.start[std::size_t(k)]), src.number(model.start_rate[std::size_t(k)]));
    body += "}\n";
    return body;
  }

  std::string self_test() {
    const std::vector<std::string> rows = reference();
    const int numbers = 2 * n + (P + C) * bodies;
    return fmt::format(R"(
typedef struct {{
  int step;
  real number[{0}];
}} mb_check;
static const mb_check checks[{1}] = {{
  {2}}};

real NAME_self_test(void) {{
  real most = R(0.0), x[{0}];
  NAME_state s;
  int k, i, step = 0;
  NAME_start(&s);
  for (k = 0; k < {1}; ++k) {{
    for (; step < checks[k].step; ++step) NAME_step(&s, {3});
    for (i = 0; i < N; ++i) {{
      x[i] = NAME_variable(&s, i);
      x[N + i] = s.rate[i];
    }}
    NAME_bodies(&s, x + 2 * N, x + 2 * N + COORDINATES * BODIES);
    for (i = 0; i < {0}; ++i) {{
      const real wanted = checks[k].number[i], size = fabs(wanted) > R(1.0) ? fabs(wanted) : R(1.0);
      const real miss = fabs(x[i] - wanted) / size;
      if (!(miss <= most)) most = miss;
    }}
  }}
  return most;
}}

#ifdef NAME_SELF_TEST_MAIN
#include <stdio.h>
int main(void) {{
  const real most = NAME_self_test();
  printf("%.3e\n", (double)most);
  return most <= {4} ? 0 : 1;
}}
#endif
)",
                       numbers, rows.size(), fmt::join(rows, ",\n  "), src.number(o.step),
                       o.single ? "R(1e-2)" : "R(1e-12)");
  }
};
}  // namespace

EmittedC emit_c(const RealTimeModel& model, const Mechanism& m, const EmitOptions& o) {
  check_for_c(m, !model.design.empty());
  if (double(model.bytes()) > o.most_mb * 1e6)
    throw ModelError(
        fmt::format("{:.3g} MB of tables are too much for a C source, which may hold {:.3g} MB; ask for a "
                    "larger --bound or a smaller --range",
                    double(model.bytes()) / 1e6, o.most_mb));
  return Writer(model, m, o).write();
}
}  // namespace mubody

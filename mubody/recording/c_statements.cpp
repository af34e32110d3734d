#include "mubody/recording/c_statements.h"

#include <algorithm>
#include <cmath>

#include "mubody/math/c_number.h"

namespace mubody {
namespace {
constexpr std::size_t longest_inner = 60;  // longer expressions get names

/// A piece of an expression.  What binds weaker than its surroundings needs parentheses.
struct CPiece {
  enum Level { atom, factor, term, sum, comparison, conjunction };
  std::string text;
  Level level = atom;
  std::vector<int> uses;
};

std::string within(const CPiece& p, CPiece::Level most) { return p.level > most ? "(" + p.text + ")" : p.text; }

bool is_whole(Step s) { return (s >= Step::less && s <= Step::negation) || s == Step::index; }

bool is_turn_of_input(const Computation& g, int n) {
  return (g[n].step == Step::sin || g[n].step == Step::cos) && g[g[n].a].step == Step::input;
}

class StatementWriter {
 public:
  StatementWriter(const Computation& g, const Routine& r, const CFrame& f, const std::vector<int>& turned,
                  std::vector<int>& name)
      : g_(g), r_(r), f_(f), turned_(turned), name_(name), uses_(g.nodes().size(), 0),
        pieces_(g.nodes().size()) {
    name_.assign(g.nodes().size(), -1);
  }
  std::vector<CStatement> write() {
    const std::vector<int> order = order_of(g_, r_.outputs);
    std::vector<std::vector<int>> outputs(g_.nodes().size());
    for (std::size_t k = 0; k < r_.outputs.size(); ++k) {
      ++uses_[std::size_t(r_.outputs[k])];
      outputs[std::size_t(r_.outputs[k])].push_back(int(k));
    }
    for (const int n : order)
      for (const int a : arguments_of(g_[n])) ++uses_[std::size_t(a)];
    for (const int n : order) {
      pieces_[std::size_t(n)] = piece(n);
      const CPiece& p = pieces_[std::size_t(n)];
      const bool inner =
          uses_[std::size_t(n)] == 1 && (p.text.size() <= longest_inner || !outputs[std::size_t(n)].empty());
      if (!is_given(g_[n]) && !inner && !is_turned(n)) give_name(n);
      for (const int k : outputs[std::size_t(n)]) {
        const CPiece value = real(n);
        out_.push_back({-1, false, output(k) + " = " + value.text + ";", value.uses});
      }
    }
    return std::move(out_);
  }

 private:
  /// Whether it is a sine or cosine that is made before.
  bool is_turned(int n) const { return !turned_.empty() && is_turn_of_input(g_, n); }
  CPiece turned(int n) const {
    const auto at = std::find(turned_.begin(), turned_.end(), g_[g_[n].a].a) - turned_.begin();
    return {"w[" + std::to_string(2 * at + (g_[n].step == Step::cos)) + "]", CPiece::atom, {}};
  }
  std::string output(int k) const { return f_.output ? f_.output(k) : "y[" + std::to_string(k) + "]"; }

  void give_name(int n) {
    CPiece& p = pieces_[std::size_t(n)];
    name_[std::size_t(n)] = names_++;
    const bool whole = is_whole(g_[n].step);
    out_.push_back({n, whole,
                    std::string(whole ? "const int " : "const mb_real ") + c_name(name_[std::size_t(n)]) +
                        " = " + p.text + ";",
                    p.uses});
    p = {c_name(name_[std::size_t(n)]), CPiece::atom, {n}};
  }

  /// A node as a number; truths are ints, whose quotients C would cut off.
  CPiece real(int n) const {
    const CPiece& p = pieces_[std::size_t(n)];
    if (!is_whole(g_[n].step)) return p;
    return {"(mb_real)" + within(p, CPiece::atom), CPiece::factor, p.uses};
  }
  CPiece truth(int n) const {
    const CPiece& p = pieces_[std::size_t(n)];
    if (is_whole(g_[n].step)) return p;
    return {within(p, CPiece::sum) + " != R(0.0)", CPiece::comparison, p.uses};
  }

  static void join(CPiece& p, const CPiece& o) { p.uses.insert(p.uses.end(), o.uses.begin(), o.uses.end()); }
  static CPiece binary(const CPiece& a, const char* sign, const CPiece& b, CPiece::Level left,
                       CPiece::Level right, CPiece::Level level) {
    CPiece p{within(a, left) + sign + within(b, right), level, a.uses};
    join(p, b);
    return p;
  }
  CPiece call(const std::string& name, int n) const {
    CPiece p{name + "(", CPiece::atom, {}};
    const auto of = arguments_of(g_[n]);
    for (std::size_t k = 0; k < of.size(); ++k) {
      const CPiece a = real(of[k]);
      p.text += (k > 0 ? ", " : "") + a.text;
      join(p, a);
    }
    p.text += ")";
    return p;
  }
  std::string table(int which) const { return f_.tables + std::to_string(which); }

  /// A negative constant is subtracted.
  CPiece addition(int a, int b) const {
    using enum CPiece::Level;
    const auto is_negative = [&](int n) { return g_.is_constant(n) && g_[n].value < 0; };
    if (is_negative(a)) std::swap(a, b);
    if (!is_negative(b)) return binary(real(a), " + ", real(b), sum, term, sum);
    return binary(real(a), " - ", {c_constant(-g_[b].value), atom, {}}, sum, term, sum);
  }

  CPiece piece(int n) const {
    const Node& node = g_[n];
    using enum CPiece::Level;
    switch (node.step) {
      case Step::constant: return {c_constant(node.value), atom, {}};
      case Step::parameter:
        return {f_.parameter ? f_.parameter(node.a) : "p[" + std::to_string(node.a) + "]", atom, {}};
      case Step::input: return {f_.input ? f_.input(node.a) : "x[" + std::to_string(node.a) + "]", atom, {}};
      case Step::add: return addition(node.a, node.b);
      case Step::subtract: return binary(real(node.a), " - ", real(node.b), sum, term, sum);
      case Step::multiply: return binary(real(node.a), " * ", real(node.b), term, factor, term);
      case Step::divide: return binary(real(node.a), " / ", real(node.b), term, factor, term);
      case Step::negative: {
        const CPiece a = real(node.a);
        return {"-" + within(a, atom), sum, a.uses};
      }
      case Step::less: return binary(real(node.a), " < ", real(node.b), sum, sum, comparison);
      case Step::less_equal: return binary(real(node.a), " <= ", real(node.b), sum, sum, comparison);
      case Step::equal: return binary(real(node.a), " == ", real(node.b), sum, sum, comparison);
      case Step::both: return binary(truth(node.a), " && ", truth(node.b), atom, atom, conjunction);
      case Step::either: return binary(truth(node.a), " || ", truth(node.b), atom, atom, conjunction);
      case Step::negation: {
        const CPiece a = truth(node.a);
        return {"!" + within(a, atom), factor, a.uses};
      }
      default: return rarer(n);
    }
  }
  CPiece rarer(int n) const {
    const Node& node = g_[n];
    switch (node.step) {
      case Step::choose: {
        CPiece p = truth(node.a);
        const CPiece b = real(node.b), c = real(node.c);
        p.text = "(" + within(p, CPiece::comparison) + " ? " + b.text + " : " + c.text + ")";
        p.level = CPiece::atom;
        join(p, b), join(p, c);
        return p;
      }
      case Step::index: {
        const CPiece a = real(node.a);
        const std::size_t count = g_.tables()[std::size_t(node.b)].numbers.size();
        return {"mb_index(" + table(node.b) + ", " + std::to_string(count) + ", " + a.text + ")", CPiece::atom,
                a.uses};
      }
      case Step::fetch: {
        CPiece row = pieces_[std::size_t(node.a)];
        const int columns = g_.tables()[std::size_t(node.b)].columns;
        std::string at =
            is_whole(g_[node.a].step) ? within(row, CPiece::factor) : "(int)" + within(row, CPiece::atom);
        if (columns > 1) at += " * " + std::to_string(columns);
        if (node.c > 0) at += " + " + std::to_string(node.c);
        return {table(node.b) + "[" + at + "]", CPiece::atom, row.uses};
      }
      case Step::sin: return is_turned(n) ? turned(n) : call("mb_sine", n);
      case Step::cos: return is_turned(n) ? turned(n) : call("mb_cosine", n);
      default: return call("mb_" + std::string(name_of(node.step)), n);
    }
  }

  const Computation& g_;
  const Routine& r_;
  const CFrame& f_;
  const std::vector<int>& turned_;
  std::vector<int>& name_;
  std::vector<int> uses_;
  std::vector<CPiece> pieces_;
  std::vector<CStatement> out_;
  int names_ = 0;
};
}  // namespace

std::string c_constant(double x) {
  if (std::isnan(x)) return "(mb_real)NAN";
  if (std::isinf(x)) return x > 0 ? "(mb_real)INFINITY" : "(-(mb_real)INFINITY)";
  const double size = std::abs(x);
  if (x == 0 || (size > 2e-38 && size < 3e38)) return number_in_c(x);
  const std::string as_double = number_in_c(size);  // R(1e-300)
  return std::string(x < 0 ? "(-" : "(") + "(mb_real)" + as_double.substr(2, as_double.size() - 3) + ")";
}

std::string c_name(int number) { return "t" + std::to_string(number); }

std::vector<int> turned_inputs(const Computation& g, const Routine& r, const CFrame& f) {
  constexpr std::size_t many = 12;
  std::vector<int> inputs;
  if (f.input) return inputs;
  for (const int n : needed(g, r.outputs))
    if (is_turn_of_input(g, n)) inputs.push_back(g[g[n].a].a);
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  if (inputs.size() < many) inputs.clear();
  return inputs;
}

std::vector<CStatement> c_statements(const Computation& g, const Routine& r, const CFrame& f,
                                     const std::vector<int>& turned, std::vector<int>& name) {
  return StatementWriter(g, r, f, turned, name).write();
}
}  // namespace mubody

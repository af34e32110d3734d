#include "mubody/forces/bases/passed.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/functions/formula.h"
#include "mubody/math/expressions/lexer.h"

namespace mubody {
namespace {
// Where value and slope go on, forces do not jump: the force of a tyre follows these two.
void sort_out(Breakpoints& all, const FunctionKind& f) {
  const auto goes_on = [&](double t) {
    const double little = 1e-8 * std::max(1.0, std::abs(t));
    const Jet a = f.at(t - little), b = f.at(t + little);
    const auto near = [&](double x, double y, double rate) {
      return std::abs(x - y) <= 4 * little * rate + 1e-12 * (std::abs(x) + std::abs(y));
    };
    return near(a.x, b.x, std::max(std::abs(a.v), std::abs(b.v))) &&
           near(a.v, b.v, std::max(std::abs(a.a), std::abs(b.a)));
  };
  const auto smooth = std::ranges::partition(all.jumps, [&](double t) { return !goes_on(t); });
  all.knots.insert(all.knots.end(), smooth.begin(), smooth.end());
  all.jumps.erase(smooth.begin(), smooth.end());
}

struct Passed {
  static constexpr Info info{"passed", "a curve that is passed at a constant speed"};
  Function f;
  double begin = 0, speed = 1;

  void fields(Fields&) {}
  void check() {}
  template <class R> JetOf<R> operator()(const R& t) const {
    const JetOf<R> there = f(R(begin + speed * t));
    return {there.x, there.v * speed, there.a * (speed * speed)};
  }
  Breakpoints breakpoints(double from, double to) const {
    const double a = begin + speed * from, b = begin + speed * to;
    Breakpoints all = f.kind().breakpoints(std::min(a, b), std::max(a, b));
    const auto time = [this](double x) { return (x - begin) / speed; };
    for (double& x : all.jumps) x = time(x);
    for (double& x : all.knots) x = time(x);
    for (SignChange& c : all.blurred) c = {time(c.at), c.unsure / std::abs(speed)};
    sort_out(all, Function::Of<Passed>(*this));
    return all;
  }
};
struct PassedFormula : Formula {
  Breakpoints breakpoints(double from, double to) const {
    Breakpoints all = Formula::breakpoints(from, to);
    sort_out(all, Function::Of<Formula>(*this));
    return all;
  }
};

// The same formula with its variable replaced.
std::string replaced(const Written& formula, const std::string& by) {
  std::string text = formula.text;
  std::size_t longer = 0;
  formula::Lexer lexer(formula.text);
  for (formula::Token t = lexer.next(); t.kind != formula::Token::end; t = lexer.next()) {
    if (t.kind != formula::Token::name || t.text != formula.variable) continue;
    text.replace(t.at + longer, t.text.size(), by);
    longer += by.size() - t.text.size();
  }
  return text;
}
}  // namespace

Function passed(const Function& f, double begin, double speed) {
  const Written* formula = f.kind().written();
  if (!formula) return Function(Passed{f, begin, speed});
  PassedFormula of_time{{*formula, {}}};
  of_time.text = replaced(*formula, fmt::format("({} + ({}) * {})", begin, speed, formula->variable));
  return Function(std::move(of_time));
}
}  // namespace mubody

// How a routine becomes a tape.  The running value follows paths of the graph along which each value is used once; all
// other values get places.
#include <algorithm>

#include "mubody/recording/tape.h"

namespace mubody {
class TapeMaker {
 public:
  TapeMaker(const Computation& g, const Routine& r, Tape& tape)
      : g_(g), r_(r), tape_(tape), order_(order_of(g, r.outputs)), uses_(g.nodes().size(), 0),
        via_(g.nodes().size(), -1), fused_(g.nodes().size(), -1), absorbed_(g.nodes().size(), 0),
        done_(g.nodes().size(), 0), fixed_(g.nodes().size(), 0) {}

  void make() {
    for (const int o : r_.outputs) ++of(uses_, o);
    for (const int n : order_)
      for (const int a : arguments_of(g_[n])) ++of(uses_, a);
    find_fixed();
    pair_sines();
    for (const int n : order_) connect(n);
    write_all(true);
    const int once = int(codes_.size());
    write_all(false);
    give_places(once);
    tape_.once_.assign(codes_.begin(), codes_.begin() + once);
    tape_.codes_.assign(codes_.begin() + once, codes_.end());
    tape_.tables_ = g_.tables();
  }

 private:
  using Op = Tape::Op;
  template <class T> static T& of(std::vector<T>& list, int node) { return list[std::size_t(node)]; }

  /// Values that depend on parameters alone; they keep their places.
  void find_fixed() {
    for (const int n : order_) {
      const auto from = arguments_of(g_[n]);
      of(fixed_, n) = g_[n].step != Step::input &&
                      std::all_of(from.begin(), from.end(), [&](int a) { return of(fixed_, a); });
    }
  }
  void write_all(bool fixed) {
    for (const int n : order_)
      if (!is_given(g_[n]) && of(fixed_, n) == char(fixed) && !of(absorbed_, n) && !of(done_, n)) write(n);
  }

  /// Finds sines and cosines of the same argument: node and node.
  void pair_sines() {
    std::vector<int> sine(g_.nodes().size(), -1);
    partner_.assign(g_.nodes().size(), -1);
    for (const int n : order_)
      if (g_[n].step == Step::sin) of(sine, g_[n].a) = n;
    for (const int n : order_)
      if (g_[n].step == Step::cos && of(sine, g_[n].a) >= 0) {
        of(partner_, n) = of(sine, g_[n].a);
        of(partner_, of(sine, g_[n].a)) = n;
      }
  }

  /// Whether a value may stay the running one until its user takes it.
  bool runs(int n, int uses = 1) {
    const Step s = g_[n].step;
    return of(uses_, n) == uses && ((s >= Step::add && s <= Step::negative) || s == Step::choose) &&
           !of(fixed_, n);
  }
  bool is_product(int n) { return runs(n) && g_[n].step == Step::multiply; }
  void take(int n, int argument) {
    of(via_, n) = argument;
    of(absorbed_, argument) = 1;
  }
  /// A product becomes part of the sum n; what was running into it gets a place.
  void fuse(int n, int product) {
    if (of(via_, product) >= 0) of(absorbed_, of(via_, product)) = 0;
    of(via_, product) = -1;
    of(fused_, n) = product;
    of(absorbed_, product) = 1;
  }

  /// Decides which argument of n is the running value when n is made.
  void connect(int n) {
    const Node& node = g_[n];
    const int a = node.a, b = node.b;
    switch (node.step) {
      case Step::add:
      case Step::subtract: return connect_sum(n);
      case Step::multiply:
      case Step::divide:
        if (a == b) {
          if (runs(a, 2)) take(n, a);
        } else if (runs(a)) {
          take(n, a);
        } else if (runs(b)) {
          take(n, b);
        }
        return;
      case Step::negative:
        if (runs(a)) take(n, a);
        return;
      case Step::choose:
        if (runs(node.c)) take(n, node.c);
        return;
      default: return;
    }
  }
  void connect_sum(int n) {
    int a = g_[n].a, b = g_[n].b;
    if (!runs(a) && !runs(b)) return;
    // The longer way goes on, and a product on the other side joins it.
    const bool second = !runs(a) || (runs(b) && is_product(a) && (!is_product(b) || of(via_, a) < 0));
    if (second) std::swap(a, b);
    take(n, a);
    if (is_product(b)) fuse(n, b);
  }

  void write(int root) {
    if (of(partner_, root) >= 0) return write_pair(root);
    std::vector<int> path{root};
    while (of(via_, path.back()) >= 0) path.push_back(of(via_, path.back()));
    for (std::size_t k = path.size(); k-- > 0;) write_one(path[k]);
    codes_.back().d = root;
  }
  void write_pair(int n) {
    const int other = of(partner_, n);
    const bool is_sine = g_[n].step == Step::sin;
    codes_.push_back({Op::sine_cosine, is_sine ? n : other, g_[n].a, is_sine ? other : n, -1});
    of(done_, other) = 1;
  }
  void code(Op op, int a = -1, int b = -1, int c = -1) { codes_.push_back({op, -1, a, b, c}); }

  void write_one(int n) {
    const Node& node = g_[n];
    const int via = of(via_, n);
    const bool first = via == node.a;  // the running value is the first argument
    switch (node.step) {
      case Step::add:
        if (via < 0) return code(Op::sum, node.a, node.b);
        return write_term(n, first ? node.b : node.a, Op::plus, Op::plus_product);
      case Step::subtract:
        if (via < 0) return code(Op::difference, node.a, node.b);
        if (first) return write_term(n, node.b, Op::minus, Op::minus_product);
        return write_term(n, node.a, Op::from, Op::from_product);
      case Step::multiply:
        if (via < 0) return code(Op::product, node.a, node.b);
        return node.a == node.b ? code(Op::square) : code(Op::times, first ? node.b : node.a);
      case Step::divide:
        if (via < 0) return code(Op::quotient, node.a, node.b);
        return first ? code(Op::over, node.b) : code(Op::under, node.a);
      case Step::negative:
        if (via < 0) code(Op::load, node.a);
        return code(Op::negative);
      case Step::choose:
        if (via < 0) code(Op::load, node.c);
        return code(Op::choose, node.a, node.b);
      case Step::index: return code(Op::index, node.a, -1, node.b);
      case Step::fetch: return code(Op::fetch, node.a, node.b, node.c);
      default: return code(Op::function, node.a, node.b, int(node.step));
    }
  }
  void write_term(int n, int term, Op plain, Op with_product) {
    const int product = of(fused_, n);
    if (product < 0) return code(plain, term);
    code(with_product, g_[product].a, g_[product].b);
  }

  /// Whether the number b of a code is a node.
  static bool has_second(const Tape::Code& c) {
    return c.b >= 0 && c.op != Op::fetch && c.op != Op::sine_cosine;
  }

  /// From nodes to places: a place is free again after the last use of its value.
  void give_places(int once) {
    place_.assign(g_.nodes().size(), -1);
    for (const Step kind : {Step::constant, Step::parameter, Step::input})
      for (const int n : order_)
        if (g_[n].step == kind) give_first(n);
    const int idle = tape_.places_++;
    const std::vector<int> last = last_uses(once);
    for (int k = 0; k < int(codes_.size()); ++k) {
      Tape::Code& c = codes_[std::size_t(k)];
      const int a = c.a, b = has_second(c) ? c.b : -1;
      c.a = a < 0 ? idle : of(place_, a);
      if (b >= 0) c.b = of(place_, b);
      if (c.b < 0) c.b = c.a;
      // Numbers are read before the result is written, lane by lane.
      if (a >= 0 && last[std::size_t(a)] == k) free(a);
      if (b >= 0 && b != a && last[std::size_t(b)] == k) free(b);
      c.d = c.d < 0 ? idle : taken(c.d);
      if (c.op == Op::sine_cosine) c.b = taken(c.b);
    }
    for (const int o : r_.outputs) tape_.outputs_.push_back(of(place_, o));
  }
  /// The last code that reads each node; none for outputs, and for what is made once and read every time.
  std::vector<int> last_uses(int once) {
    std::vector<int> last(g_.nodes().size(), -1);
    for (int k = 0; k < int(codes_.size()); ++k) {
      const Tape::Code& c = codes_[std::size_t(k)];
      for (const int n : {c.a, has_second(c) ? c.b : -1})
        if (n >= 0) of(last, n) = k >= once && of(fixed_, n) ? int(codes_.size()) : k;
    }
    for (const int o : r_.outputs) of(last, o) = int(codes_.size());
    return last;
  }
  void give_first(int n) {
    const Node& node = g_[n];
    of(place_, n) = tape_.places_++;
    if (node.step == Step::constant) tape_.constants_.push_back(node.value);
    if (node.step == Step::parameter) tape_.used_parameters_.push_back(node.a);
    if (node.step == Step::input) tape_.used_inputs_.push_back(node.a);
  }
  int taken(int n) {
    if (free_.empty()) free_.push_back(tape_.places_++);
    of(place_, n) = free_.back();
    free_.pop_back();
    return of(place_, n);
  }
  void free(int n) {
    if (!is_given(g_[n])) free_.push_back(of(place_, n));
  }

  const Computation& g_;
  const Routine& r_;
  Tape& tape_;
  std::vector<int> order_, uses_, via_, fused_;
  std::vector<char> absorbed_, done_, fixed_;
  std::vector<int> partner_, place_, free_;
  std::vector<Tape::Code> codes_;
};

Tape::Tape(const Computation& g, const Routine& r) { TapeMaker(g, r, *this).make(); }
}  // namespace mubody

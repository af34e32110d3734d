#pragma once
// A computation as a graph: what is left when equations are run once with numbers that note what is done to them.
//
//   docs/theory/recording.md
//
// Each node is one operation on earlier nodes, so that their order is an order of evaluation.  Equal operations are
// one node, constants are folded, and what structure makes zero is not there.  Nothing is ever computed twice, and
// nothing is left of who computed it: joints, forces and formulas meet here as sums and products.
#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mubody {
/// What a node does.  Truth is 1 or 0.
enum class Step : std::uint8_t {
  constant,   // `value`
  parameter,  // the a-th number that may differ from mechanism to mechanism
  input,      // the a-th argument
  add,
  subtract,
  multiply,
  divide,
  negative,
  sqrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log10,
  abs,
  sign,
  floor,
  ceil,
  atan2,
  hypot,
  power,
  mod,        // remainder with the sign of the divisor
  remainder,  // to the nearest multiple
  min,
  max,
  less,
  less_equal,
  equal,
  both,
  either,
  negation,
  choose,  // b where a is true, else c
  index,  // how many numbers of table b, without the first, are not above a, at most all but the last two: the piece of a
  fetch  // number c of the a-th row of table b
};

/// How many nodes a step has as arguments: a, then b, then c.
constexpr int arguments(Step s) {
  if (s <= Step::input) return 0;
  if (s <= Step::divide) return 2;
  if (s <= Step::ceil || s == Step::negation || s >= Step::index) return 1;
  return s == Step::choose ? 3 : 2;
}
/// The name of a step, as the function in C that does it, or as the word in listings.
std::string_view name_of(Step);
/// What a step makes of numbers.
double apply(Step, double a, double b = 0, double c = 0);

struct Node {
  Step step = Step::constant;
  int a = -1, b = -1, c = -1;
  double value = 0;
  bool operator==(const Node&) const = default;
};

/// Numbers that equations look up, row by row; of one column where it is searched.
struct NumberTable {
  int columns = 1;
  std::vector<double> numbers;
  int rows() const { return int(numbers.size()) / columns; }
  bool operator==(const NumberTable&) const = default;
};
/// The row of a searched table to which x belongs.
int piece_of(const NumberTable&, double x);

class Computation {
 public:
  Computation() = default;
  /// Numbers are counted as they enter; those for which `parameter_of` has a number p from 0 on become that parameter, those
  /// with −2 − p its negative.
  explicit Computation(std::vector<int> parameter_of) : parameter_of_(std::move(parameter_of)) {}
  /// One that only collects numbers and makes no nodes: what it returns for a node tells it from all others, no more.
  struct Collecting {};
  explicit Computation(Collecting) : collects_(true) {}
  bool collects() const { return collects_; }
  /// Where numbers are collected: equal if, and but for chance only if, the same was done in the same order.  What numbers
  /// are, and which are zero, makes no difference.
  std::uint64_t structure() const { return structure_; }

  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& operator[](int node) const { return nodes_[std::size_t(node)]; }
  const std::vector<NumberTable>& tables() const { return tables_; }
  int inputs() const { return inputs_; }
  /// The values of the parameters at the recording.
  const std::vector<double>& parameters() const { return parameters_; }
  /// All numbers of the mechanism in the order in which they entered: its lengths, masses, stiffnesses.
  const std::vector<double>& numbers() const { return numbers_; }

  int input(int which);
  /// Gives an input another number.
  void renumber_input(int from, int to);
  /// Says which nodes stand for an input of the model, its rate and its acceleration, which equations know by its number.
  void supply(int model_input, const std::array<int, 3>& nodes) { supplied_[model_input] = nodes; }
  /// Those nodes; null if nobody said so.
  const std::array<int, 3>* supplied(int model_input) const {
    const auto at = supplied_.find(model_input);
    return at == supplied_.end() ? nullptr : &at->second;
  }
  /// Makes a parameter of a node that follows from parameters alone.  Nothing may enter afterwards.
  void make_parameter(int node, double value) {
    nodes_[std::size_t(node)] = {Step::parameter, int(parameters_.size()), -1, -1, 0};
    parameters_.push_back(value);
  }
  /// A number of the mechanism: a parameter if it may vary, else a constant.
  int number(double value);
  /// A number that is the same for all mechanisms.
  int constant(double value);
  int add(Step, int a, int b = -1, int c = -1);
  /// The place of such a table.
  int table(NumberTable);
  /// The row of a searched table to which x belongs.
  int index(int x, int table);
  int fetch(int row, int table, int column);

  bool is_constant(int node) const { return (*this)[node].step == Step::constant; }
  bool is(int node, double value) const { return is_constant(node) && (*this)[node].value == value; }

 private:
  static std::size_t hash(const Node&);
  int entered(const Node&);
  /// The slot of a node: that where it is, or the free one that it would take.
  std::size_t slot_of(const Node&) const;
  void make_room();
  /// Where numbers are collected, in place of a node.
  int noted(const Node& n) {
    structure_ = hash(n) ^ (structure_ * 0x9e3779b97f4a7c15 + 1);
    return count_++;
  }
  int simpler(Step, int a, int b, int c);
  int sum(int a, int b);
  int difference(int a, int b);
  int product(int a, int b);
  int quotient(int a, int b);
  int power(int a, int b);

  std::vector<Node> nodes_;
  std::vector<int> known_;  // nodes by their hash, in the next free slot; −1 where there is none
  std::vector<NumberTable> tables_;
  std::vector<int> parameter_of_;
  std::unordered_map<int, std::array<int, 3>> supplied_;
  std::vector<double> numbers_, parameters_;
  int inputs_ = 0;
  bool collects_ = false;
  int count_ = 0;
  std::uint64_t structure_ = 0;
};
}  // namespace mubody

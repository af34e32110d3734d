#pragma once
// Directional derivatives of recorded equations, for any direction: further nodes and arguments of their graph.
//
//   docs/theory/forward-sensitivity.md#exact-derivatives
//
// The elimination is differentiated step by step, or changes of accelerations solve linear equations with the same factors,
// whichever is less work:
//
//   δu̇ = e − W Dᵀ δλ,   S δλ = D e − (δγ − δD u̇),   e: the change of u̇ while λ stays
//
// Corrections, which are made where gaps are round-off, have their factors as they are.
#include "mubody/recorded/model.h"
#include "mubody/recording/tape.h"

namespace mubody {
class Tangents {
 public:
  /// The model gets the nodes, and must live as long as this.
  explicit Tangents(RecordedModel&);

  /// Arguments that are rates of states, of the graph's parameters, and of the values of the model's inputs.
  int first_state, first_number, first_input;
  int arguments;  // all of them

  RecordedModel& model() const { return m_; }
  /// Derivatives of nodes that are made of states, accelerations, multipliers and parameters.
  std::vector<int> of(const std::vector<int>& nodes) const;
  std::vector<int> closed_q, closed_u;  // those of the corrected state, where it is nearly correct already

 private:
  using Seeds = std::vector<std::pair<int, int>>;
  void solve();
  void correct();
  std::vector<Recorded> numbers(const std::vector<int>& nodes) const;
  std::vector<int> nodes(const std::vector<Recorded>&) const;

  RecordedModel& m_;
  Seeds seeds_;  // node, node of its rate
};

/// Nodes and their derivatives as a tape for lanes, one direction in each.
class TangentRoutine {
 public:
  /// `rates` are derivatives of `of`; those of `more` come without.
  TangentRoutine(const Tangents&, int lanes, const std::vector<int>& of, const std::vector<int>& rates,
                 const std::vector<int>& more = {});
  TangentRoutine(const Tangents& t, int lanes, const std::vector<int>& of)
      : TangentRoutine(t, lanes, of, t.of(of)) {}
  void operator()(const std::vector<double>& arguments) {
    tape_.in_lanes(arguments.data(), out_.data(), work_);
  }
  int size() const { return size_; }
  int steps() const { return tape_.steps(); }
  /// Node k, and its derivatives in all lanes.
  double value(int k) const { return out_[std::size_t(k * lanes_)]; }
  const double* rates(int k) const { return out_.data() + (size_ + k) * lanes_; }
  double more(int k) const { return out_[std::size_t((2 * size_ + k) * lanes_)]; }

 private:
  int size_, lanes_;
  Tape tape_;
  TapeWork work_;
  std::vector<double> out_;
};
}  // namespace mubody

#pragma once
// Linear system with one input and one output:  ẋ = a x + b u,  y = c x + d u      docs/theory/signals.md#linear-blocks
#include "mubody/signals/linear_block.h"

namespace mubody {
struct StateSpace : LinearBlock {
  static constexpr Info info{"state_space", "a linear system with one input and one output, by its matrices"};
  std::vector<double> of_states, of_input, to_output, initial;
  double through = 0;

  void fields(Fields& f) {
    f.required("input", input, "", "u");
    f.required("a", of_states, "1", "matrix of the states, row by row");
    f.required("b", of_input, "1", "what the input adds to the rate of each state");
    f.required("c", to_output, "1", "what each state adds to the output");
    f.optional("d", through, "1", "what the input adds to the output at once");
    f.optional("initial", initial, "1", "the states at the start", "zero");
  }
  void check() {
    const std::size_t n = of_input.size();
    const auto finite = [](const std::vector<double>& all) {
      for (const double x : all)
        if (!std::isfinite(x)) return false;
      return true;
    };
    require(n > 0, "b", "must have a number for each state");
    require(of_states.size() == n * n, "a", "must have as many rows and columns as b has numbers");
    require(to_output.size() == n, "c", "must have as many numbers as b");
    require(initial.empty() || initial.size() == n, "initial", "must have as many numbers as b");
    require(finite(of_states), "a", "must be finite");
    require(finite(of_input), "b", "must be finite");
    require(finite(to_output), "c", "must be finite");
    require(std::isfinite(through), "d", "must be finite");
    require(finite(initial), "initial", "must be finite");
    const auto size = Eigen::Index(n);
    const auto vector = [&](const std::vector<double>& all) {
      VecX v = VecX::Zero(size);
      for (std::size_t k = 0; k < all.size(); ++k) v[Eigen::Index(k)] = all[k];
      return v;
    };
    MatX rows(size, size);
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = 0; j < size; ++j) rows(i, j) = of_states[std::size_t(i * size + j)];
    take(rows, vector(of_input), vector(to_output), through, vector(initial));
  }
};
}  // namespace mubody

// Sums of vectors with weights, against the sums written out.
#include "mubody/integrators/weighted_sum.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace mubody::testing {
TEST(weighted_sum, is_the_sum_for_any_length_and_any_number_of_terms) {
  for (std::size_t n = 0; n < 14; ++n)
    for (std::size_t count = 0; count < 10; ++count) {
      std::vector<std::vector<double>> x(count, std::vector<double>(n));
      std::vector<WeightedVector> terms;
      std::vector<double> y(n), sum(n), expected(n);
      for (std::size_t e = 0; e < n; ++e) expected[e] = y[e] = std::sin(double(e) + 0.3);
      for (std::size_t j = 0; j < count; ++j) {
        const double weight = std::cos(1.7 * double(j));
        for (std::size_t e = 0; e < n; ++e) {
          x[j][e] = std::sin(double(3 * j + e));
          expected[e] += weight * x[j][e];
        }
        terms.push_back({weight, x[j].data()});
      }
      add_weighted(y.data(), terms, long(n), sum.data());
      add_weighted(y.data(), terms, long(n), y.data());  // in the place of y
      for (std::size_t e = 0; e < n; ++e) {
        EXPECT_NEAR(sum[e], expected[e], 1e-14) << n << " numbers, " << count << " terms, number " << e;
        EXPECT_EQ(sum[e], y[e]);
      }
    }
}
}  // namespace mubody::testing

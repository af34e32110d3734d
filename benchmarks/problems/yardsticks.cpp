#include "benchmarks/problems/yardsticks.h"

#include "benchmarks/problems/closed_form_andrews.h"
#include "benchmarks/problems/closed_form_four_bar.h"
#include "benchmarks/problems/closed_form_slider_crank.h"
#include "benchmarks/problems/closed_form_spatial_slider_crank.h"

namespace mubody::bench {
namespace {
template <class ClosedForm> void evaluate(long times) {
  const ClosedForm mechanism;
  double theta = 1, sum = 0;
  for (long k = 0; k < times; ++k) sum += mechanism(theta += nudge, 1.0);
  volatile double keep = sum;
  (void)keep;
}
}  // namespace

void evaluate_four_bar(long times) { evaluate<closed_form::FourBar>(times); }
void evaluate_slider_crank(long times) { evaluate<closed_form::SliderCrank>(times); }
void evaluate_spatial_slider_crank(long times) { evaluate<closed_form::SpatialSliderCrank>(times); }

void evaluate_andrews(long times) {
  const closed_form::Andrews mechanism;
  closed_form::Andrews::Angles q, v = closed_form::Andrews::Angles::Ones();
  q << -0.0617, 0, 0.4553, 0.2227, 0.4874, -0.2227, 1.2305;
  double sum = 0;
  for (long k = 0; k < times; ++k) {
    q[1] += nudge;
    sum += mechanism(q, v)[0];
  }
  volatile double keep = sum;
  (void)keep;
}
}  // namespace mubody::bench

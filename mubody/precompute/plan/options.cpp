#include "mubody/precompute/plan/options.h"

#include "mubody/model/errors.h"

namespace mubody {
void PrecomputeOptions::fields(Fields& f) {
  f.optional("bound", bound, "1", "largest error of any tabulated quantity, in SI units",
             "1e-08 of its characteristic size, or of its largest value if that is more");
  f.optional("order", degree, "1", "degree of the polynomials: 3, 5, 7 or 9", "as the bound asks for");
  f.optional("independent", independent, "",
             "the independent variables, one for each freedom, as in [\"A.angle\"]", "the best");
  f.optional("tables_of", tables_of, "",
             "tables of the whole mechanism, or of its loops as joints; auto: as suits the mechanism");
}

void PrecomputeOptions::check() const {
  require(!bound || (*bound >= least_bound && *bound < 1), "bound",
          "must be positive, at least 1e-14, where round-off begins, and below 1");
  require(degree == 0 || degree == 3 || degree == 5 || degree == 7 || degree == 9, "order",
          "must be 3, 5, 7 or 9");
}
}  // namespace mubody

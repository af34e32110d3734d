#pragma once
// The methods of variable order and step of SUNDIALS' CVODE, as integrators.
//
//   Hindmarsh et al. (2005), SUNDIALS; Byrne & Hindmarsh (1975)             docs/theory/integrators.md#cvode
//
// An equation may correct an accepted state.  CVODE keeps the history of the solution to itself, and starting it again
// after each correction would throw it back to first order.  So it is given z with y = c + z: a correction of y by δ
// goes into the offset c, and z with its history remains what it was.  For CVODE the right-hand side f(t, c + z) has
// moved by a quantity of the size of an error; for the formulas, all earlier states have moved by the same δ.
#include "mubody/integrators/integrator.h"

namespace mubody {
enum class CvodeMethod { adams, bdf };
std::unique_ptr<Integrator> make_cvode(CvodeMethod, const StepControl&);
}  // namespace mubody

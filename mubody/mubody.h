#pragma once
// Everything that a program needs to build a model, run it, step it and read its results: the one header to include.
//
//   #include <mubody/mubody.h>
//
// Link with mubody::mubody.  Files are read and written by mubody::io, whose headers are mubody/reading/read_model.h,
// mubody/writing/write_results.h and mubody/report/write_report.h.  Whoever defines joints or forces of their own includes
// mubody/own_elements.h too.                                                        docs/api/model.md
#include "mubody/analyses/run.h"
#include "mubody/forces/bushing.h"
#include "mubody/forces/moment.h"
#include "mubody/forces/point_force.h"
#include "mubody/forces/spring.h"
#include "mubody/forces/torque.h"
#include "mubody/forces/torsion_spring.h"
#include "mubody/functions/constant.h"
#include "mubody/functions/formula.h"
#include "mubody/functions/harmonic.h"
#include "mubody/functions/polynomial.h"
#include "mubody/functions/smooth_step.h"
#include "mubody/functions/spline.h"
#include "mubody/joints/angle.h"
#include "mubody/joints/constant_velocity.h"
#include "mubody/joints/coordinate.h"
#include "mubody/joints/cylindrical.h"
#include "mubody/joints/distance.h"
#include "mubody/joints/fixed.h"
#include "mubody/joints/gear.h"
#include "mubody/joints/planar.h"
#include "mubody/joints/revolute.h"
#include "mubody/joints/screw.h"
#include "mubody/joints/slide.h"
#include "mubody/joints/slot.h"
#include "mubody/joints/spherical.h"
#include "mubody/joints/translational.h"
#include "mubody/joints/universal.h"
#include "mubody/model/version.h"
#include "mubody/results/results.h"
#include "mubody/simulation/model.h"
#include "mubody/simulation/simulation.h"

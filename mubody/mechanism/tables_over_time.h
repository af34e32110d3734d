#pragma once
// Tables of signals that are read at a function of time: when that comes to the points of their data, where lines have kinks.
#include <vector>

#include "mubody/mechanism/mechanism.h"

namespace mubody {
/// Such instants of all tables of a mechanism, in any order.  A function that goes to and fro faster than in a thousandth of the span may
/// pass points unseen.
std::vector<double> points_passed(const Mechanism&, double from, double to);
}  // namespace mubody

#pragma once
// The compared mechanisms as text, for programs that are used from Python: benchmarks/peers/python.
#include <string>

namespace mubody::bench {
/// JSON: of every problem the bodies at their start, with their accelerations there, joints and springs; the answer at the
/// end; and mubody's own costs and errors, measured now.
std::string contests_as_json();
}  // namespace mubody::bench

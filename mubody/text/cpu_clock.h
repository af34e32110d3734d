#pragma once
// The clock that limits of CPU time are measured with.

namespace mubody::io {
/// The CPU time [s] that the calling thread has taken.
double thread_cpu_seconds();
}  // namespace mubody::io

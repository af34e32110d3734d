#pragma once
// Counts what a program takes from the heap: by malloc and its relatives, and with them by operator new and by Eigen.
//
// The functions of the C library are replaced, which is possible with glibc alone, and not where a sanitizer has replaced
// them already.  A test that counts begins with  if (!counts_allocations()) GTEST_SKIP();
namespace mubody::testing {
/// Whether this program counts.
bool counts_allocations();
/// The number of times that memory has been taken since the program began.
long allocations();
}  // namespace mubody::testing

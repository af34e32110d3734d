#include "tests/allocations.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#include "tests/sanitized.h"

#if defined(__GLIBC__) && !MUBODY_SANITIZED
#define MUBODY_COUNTS
#endif

namespace {
std::atomic<long> taken{0};
}  // namespace

namespace mubody::testing {
long allocations() { return taken; }
#ifdef MUBODY_COUNTS
bool counts_allocations() { return true; }
#else
bool counts_allocations() { return false; }
#endif
}  // namespace mubody::testing

#ifdef MUBODY_COUNTS
// operator new of the C++ library calls malloc or aligned_alloc; free() needs no replacement.
// NOLINTBEGIN(bugprone-reserved-identifier): these are the names that the C library gives its own functions.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) noexcept {
  ++taken;
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) noexcept {
  ++taken;
  return __libc_calloc(number, size);
}
void* realloc(void* p, std::size_t size) noexcept {
  ++taken;
  return __libc_realloc(p, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++taken;
  return __libc_memalign(alignment, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  ++taken;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t size) noexcept {
  ++taken;
  *p = __libc_memalign(alignment, size);
  return *p ? 0 : ENOMEM;
}
}
// NOLINTEND(bugprone-reserved-identifier)
#endif

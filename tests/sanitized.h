#pragma once
// Whether a sanitizer watches the tests: it reserves terabytes of addresses, ends a program that gets no memory, and makes it slow.

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define MUBODY_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MUBODY_SANITIZED 1
#endif
#ifndef MUBODY_SANITIZED
#define MUBODY_SANITIZED 0
#endif

namespace mubody::testing {
inline constexpr bool is_sanitized = MUBODY_SANITIZED;
}  // namespace mubody::testing

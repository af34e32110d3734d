// What throws and catches C++ exceptions in WebAssembly: the parts of libunwind and libc++abi that Debian's libraries for
// WASI were built without.  One thread.
//
//   Itanium C++ ABI: Exception Handling, sec. 2.2-2.5; the tables of landing pads are those of GCC and LLVM (.gcc_except_table);
//   WebAssembly exception handling, legacy encoding                                          docs/api/wasm.md
//
// A thrown object lies behind its header.  The compiler makes the function that catches call _Unwind_CallPersonality() with
// its landing pad in __wasm_lpad_context, and expects the number of the handler there; zero is for clean-ups alone.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <typeinfo>

namespace {
struct Header {
  std::type_info* type;
  void* (*destroy)(void*);  // destructors return their object here
  void* adjusted;           // the base within the object that the handler takes
  Header* below;            // the next of those that are being handled
  int handlers;             // how many handlers are at work on it; negative once it is thrown on
  int references;           // of std::exception_ptr, and one for itself
};
constexpr std::size_t head = (sizeof(Header) + 15) / 16 * 16;

Header* handled = nullptr;  // the exception whose handler began last
int uncaught = 0;

Header* header_of(void* object) { return reinterpret_cast<Header*>(static_cast<char*>(object) - head); }
void* object_of(Header* h) { return reinterpret_cast<char*>(h) + head; }

// Layouts of type information, Itanium C++ ABI sec. 2.9.4.
struct ClassInfo {
  const void* vtable;
  const char* name;
};
struct SingleInfo : ClassInfo {
  const std::type_info* base;
};
struct BaseInfo {
  const std::type_info* base;
  long offset_flags;
};
struct ManyInfo : ClassInfo {
  unsigned flags, count;
  BaseInfo bases[1];
};
constexpr long is_virtual = 1, is_public = 2;
constexpr int offset_shift = 8;

extern "C" {
extern const void* single_vtable[] __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE");
extern const void* many_vtable[] __asm__("_ZTVN10__cxxabiv121__vmi_class_type_infoE");
}
/// Objects point behind the two entries in front of the functions of their class.
const void* class_of(const void* const* vtable) { return vtable + 2; }

/// Whether an object of class `from` is one of class `to`; then `object` becomes that base of it.
bool becomes(const std::type_info* from, const std::type_info* to, void*& object) {
  if (*from == *to) return true;
  const auto* info = reinterpret_cast<const ClassInfo*>(from);
  if (info->vtable == class_of(single_vtable))
    return becomes(static_cast<const SingleInfo*>(info)->base, to, object);
  if (info->vtable != class_of(many_vtable)) return false;
  const auto* many = static_cast<const ManyInfo*>(info);
  for (unsigned k = 0; k < many->count; ++k) {
    const long flags = many->bases[k].offset_flags;
    if (!(flags & is_public)) continue;
    long offset = flags >> offset_shift;
    if (flags & is_virtual) offset = *reinterpret_cast<long*>(*static_cast<char**>(object) + offset);
    void* part = static_cast<char*>(object) + offset;
    if (becomes(many->bases[k].base, to, part)) {
      object = part;
      return true;
    }
  }
  return false;
}

std::uint32_t read_unsigned(const std::uint8_t*& p) {
  std::uint32_t value = 0;
  for (int shift = 0;; shift += 7) {
    value |= std::uint32_t(*p & 127) << shift;
    if (!(*p++ & 128)) return value;
  }
}

std::int32_t read_signed(const std::uint8_t*& p) {
  std::uint32_t value = 0;
  int shift = 0;
  std::uint8_t byte;
  do {
    byte = *p++;
    value |= std::uint32_t(byte & 127) << shift;
    shift += 7;
  } while (byte & 128);
  if (byte & 64 && shift < 32) value |= ~0u << shift;
  return std::int32_t(value);
}

/// The table of a function: actions by landing pad, and the types that they name.
struct Table {
  const std::uint8_t *sites, *actions, *types;
};
Table table_at(const std::uint8_t* p) {
  constexpr std::uint8_t omitted = 0xff, absolute = 0, leb128 = 1;
  if (*p++ != omitted) std::abort();  // a start of landing pads, which has no meaning here
  const std::uint8_t encoding = *p++;
  const std::uint8_t* types = nullptr;
  if (encoding != omitted) {
    if (encoding != absolute) std::abort();
    const std::uint32_t offset = read_unsigned(p);
    types = p + offset;
  }
  if (*p++ != leb128) std::abort();
  const std::uint32_t length = read_unsigned(p);
  return {p, p + length, types};
}

/// The number of the handler for a thrown object, 0 if there is none.
int handler_for(Header* h, const std::uint8_t* lsda, unsigned landing_pad) {
  const Table table = table_at(lsda);
  const std::uint8_t* site = table.sites;
  std::uint32_t action = 0;
  for (unsigned k = 0; k <= landing_pad; ++k) {
    read_unsigned(site);  // the number of the landing pad
    action = read_unsigned(site);
  }
  if (action == 0) return 0;
  for (const std::uint8_t* a = table.actions + action - 1;;) {
    const int type = read_signed(a);
    if (type > 0) {
      const auto* wanted = reinterpret_cast<const std::type_info* const*>(table.types)[-type];
      void* object = object_of(h);
      if (!wanted || becomes(h->type, wanted, object)) {  // none: catch (...)
        h->adjusted = object;
        return type;
      }
    }
    const std::uint8_t* here = a;
    const int next = read_signed(a);
    if (next == 0) return 0;
    a = here + next;
  }
}

void release(Header* h) {
  if (--h->references > 0) return;
  if (h->destroy) h->destroy(object_of(h));
  std::free(h);
}

[[noreturn]] void raise(Header* h) {
  ++uncaught;
  __builtin_wasm_throw(0, h);
}
}  // namespace

// The names below are those of the ABI.
extern "C" {
struct LandingPadContext {
  std::uintptr_t landing_pad, table, handler;
};
LandingPadContext __wasm_lpad_context;

int _Unwind_CallPersonality(void* thrown) {
  LandingPadContext& c = __wasm_lpad_context;
  c.handler = std::uintptr_t(
      handler_for(static_cast<Header*>(thrown), reinterpret_cast<const std::uint8_t*>(c.table), c.landing_pad));
  return 0;
}
/// Every function with handlers names it, and nothing calls it.
int __gxx_wasm_personality_v0(...) { std::abort(); }

void* __cxa_allocate_exception(std::size_t size) noexcept {
  void* p = std::malloc(head + size);
  if (!p) std::terminate();
  return static_cast<char*>(p) + head;
}
void __cxa_free_exception(void* object) noexcept { std::free(header_of(object)); }

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
  Header* h = header_of(object);
  *h = {type, destroy, object, nullptr, 0, 1};
  raise(h);
}

void* __cxa_get_exception_ptr(void* thrown) noexcept { return static_cast<Header*>(thrown)->adjusted; }

void* __cxa_begin_catch(void* thrown) noexcept {
  Header* h = static_cast<Header*>(thrown);
  h->handlers = (h->handlers < 0 ? -h->handlers : h->handlers) + 1;
  if (handled != h) {
    h->below = handled;
    handled = h;
  }
  --uncaught;
  return h->adjusted;
}

void __cxa_end_catch() {
  Header* h = handled;
  if (!h) return;
  if (h->handlers < 0) {  // thrown on: somebody else will handle it
    if (++h->handlers == 0) handled = h->below;
  } else if (--h->handlers == 0) {
    handled = h->below;
    release(h);
  }
}

[[noreturn]] void __cxa_rethrow() {
  if (!handled) std::terminate();
  handled->handlers = -handled->handlers;
  raise(handled);
}

[[noreturn]] void _Unwind_Resume(void* h) { __builtin_wasm_throw(0, h); }

// With these, the linker leaves the file of libc++abi alone that ends the program at every throw.
int __cxa_uncaught_exceptions() noexcept { return uncaught; }
bool __cxa_uncaught_exception() noexcept { return uncaught > 0; }
void __cxa_increment_exception_refcount(void* object) noexcept {
  if (object) ++header_of(object)->references;
}
void __cxa_decrement_exception_refcount(void* object) noexcept {
  if (object) release(header_of(object));
}
void* __cxa_current_primary_exception() noexcept {
  if (!handled) return nullptr;
  ++handled->references;
  return object_of(handled);
}
void __cxa_rethrow_primary_exception(void* object) {
  if (!object) return;
  Header* h = header_of(object);
  ++h->references;
  h->handlers = 0;
  raise(h);
}
std::type_info* __cxa_current_exception_type() { return handled ? handled->type : nullptr; }

// Debian's builtins were compiled with a stack protector, whose parts are in no library here.
std::uintptr_t __stack_chk_guard = 0x5bd1e995;
[[noreturn]] void __stack_chk_fail() { std::abort(); }
}

// The tag that all C++ exceptions carry.  The compiler refers to it, and no library defines it.
__asm__(".globl __cpp_exception\n.tagtype __cpp_exception i32\n__cpp_exception:\n");

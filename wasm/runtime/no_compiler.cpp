// What mubody/compiled/shared_code.cpp does where there is no compiler to call, and no library to load.
#include "mubody/compiled/shared_code.h"

namespace mubody::io {
namespace {
[[noreturn]] void refuse() {
  throw NotCompiled("a page cannot call a compiler; leave 'compiled' out of [analysis]");
}
}  // namespace

SharedCode::SharedCode(const std::string&) { refuse(); }
void* SharedCode::find(const std::string&) const { refuse(); }
void compile_library(const std::vector<std::filesystem::path>&, const std::filesystem::path&) { refuse(); }
std::string c_compiler() { return {}; }
}  // namespace mubody::io

// The parts of <filesystem> and <fstream> that Debian's libc++ for WASI lacks: all that touches files.
//
// What touches files goes to wasi-libc and from there to whoever instantiates the module, which gives it a folder in memory:
// wasm/folder.ts.  There are no links there, and the current folder is "/".
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <sys/stat.h>

_LIBCPP_BEGIN_NAMESPACE_FILESYSTEM
namespace {
void report(error_code* ec, int code, const char* what, const path& p) {
  if (ec)
    ec->assign(code, generic_category());
  else if (code)
    throw filesystem_error(what, p, error_code(code, generic_category()));
}
}  // namespace

path __current_path(error_code* ec) {
  if (ec) ec->clear();
  return path("/");
}
path __absolute(const path& p, error_code* ec) {
  if (ec) ec->clear();
  return p.is_absolute() ? p : path("/" + p.native());
}
path __weakly_canonical(const path& p, error_code* ec) { return __absolute(p, ec).lexically_normal(); }
path __canonical(const path& p, error_code* ec) {
  error_code none;
  const bool there = __status(p, &none).type() != file_type::not_found;
  report(ec, there ? 0 : ENOENT, "canonical", p);
  return there ? __weakly_canonical(p, nullptr) : path();
}

file_status __status(const path& p, error_code* ec) {
  struct ::stat s;
  if (::stat(p.c_str(), &s) != 0) {
    const int why = errno;
    if (ec) ec->assign(why, generic_category());
    return file_status(file_type::not_found);
  }
  if (ec) ec->clear();
  return file_status(S_ISDIR(s.st_mode) ? file_type::directory : file_type::regular);
}
file_status __symlink_status(const path& p, error_code* ec) { return __status(p, ec); }
uintmax_t __file_size(const path& p, error_code* ec) {
  struct ::stat s;
  const bool bad = ::stat(p.c_str(), &s) != 0;
  report(ec, bad ? errno : 0, "file_size", p);
  return bad ? uintmax_t(-1) : uintmax_t(s.st_size);
}

filesystem_error::~filesystem_error() = default;
void filesystem_error::__create_what(int) {
  __storage_->__what_ = std::string(system_error::what()) + " [" + __storage_->__p1_.native() + "]";
}
_LIBCPP_END_NAMESPACE_FILESYSTEM

template class std::basic_filebuf<char>;
template class std::basic_ifstream<char>;
template class std::basic_ofstream<char>;

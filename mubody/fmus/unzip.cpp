#include "mubody/fmus/unzip.h"

#include <algorithm>
#include <zlib.h>

#include <fmt/format.h>

#include "mubody/model/escape.h"
#include "mubody/text/node.h"

namespace mubody::io {
namespace {
constexpr std::size_t end_size = 22, directory_size = 46, local_size = 30;
constexpr std::size_t longest_part = 255;  // of what file systems take as a name

// Why a name may not be unpacked; empty if it may.
std::string_view objection_to(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.size() > 1000) return "is too long";
  if (name.front() == '/') return "is absolute";
  if (name.find('\\') != name.npos) return "has a backslash";
  if (std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; }))
    return "has control characters";
  if (name.size() > 1 && name[1] == ':') return "begins with a drive";
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t end = std::min(name.find('/', from), name.size());
    const std::string_view part = name.substr(from, end - from);
    if (part == "..") return "leads upwards";
    if (part.size() > longest_part) return "is too long";
    if (part == "." || (part.empty() && end < name.size())) return "has an empty part";
    from = end + 1;
  }
  return {};
}
}  // namespace

std::size_t ZipArchive::number(std::size_t at, int count) const {
  if (at + std::size_t(count) > bytes_.size()) throw ZipError("the archive is cut short");
  std::size_t n = 0;
  for (int k = count - 1; k >= 0; --k) n = n << 8 | static_cast<unsigned char>(bytes_[at + std::size_t(k)]);
  return n;
}

ZipArchive::ZipArchive(std::string bytes, const ZipLimits& limits) : bytes_(std::move(bytes)) {
  const std::size_t end = bytes_.rfind("PK\5\6");
  if (end == bytes_.npos || end + end_size > bytes_.size())
    throw ZipError("this is no ZIP archive, or it is cut short");
  const std::size_t count = number(end + 10, 2);
  if (count == 0xffff || number(end + 16, 4) == 0xffffffff)
    throw ZipError("archives in the layout ZIP64 are not read");
  if (count > limits.entries)
    throw ZipError(fmt::format("the archive has {} entries, more than {}", count, limits.entries));
  std::size_t at = number(end + 16, 4), total = 0;
  for (std::size_t k = 0; k < count; ++k) read_entry(at, limits, total);
  std::vector<std::string_view> names;
  for (const Entry& e : entries_) names.push_back(e.name);
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    throw ZipError(fmt::format("the archive has two entries {}", in_quotes(*twice)));
  for (const std::string_view name : names)
    for (std::size_t slash = 0; (slash = name.find('/', slash)) != name.npos; ++slash)
      if (const std::string_view above = name.substr(0, slash); std::ranges::binary_search(names, above))
        throw ZipError(
            fmt::format("the entry {} is a file, but {} lies in it", in_quotes(above), in_quotes(name)));
}

void ZipArchive::read_entry(std::size_t& at, const ZipLimits& limits, std::size_t& total) {
  if (number(at, 4) != 0x02014b50) throw ZipError("the directory of the archive is broken");
  const std::size_t flags = number(at + 8, 2), method = number(at + 10, 2), length = number(at + 28, 2);
  number(at + directory_size + length - 1, 1);  // is there
  Entry e{bytes_.substr(at + directory_size, length),
          method == 8,
          number(at + 20, 4),
          number(at + 24, 4),
          number(at + 42, 4),
          unsigned(number(at + 16, 4))};
  if (const std::string_view why = objection_to(e.name); !why.empty())
    throw ZipError(fmt::format("the name {} of an entry {}", in_quotes(e.name), why));
  if (flags & 1) throw ZipError(fmt::format("the entry {} is encrypted", in_quotes(e.name)));
  if (method != 0 && method != 8)
    throw ZipError(fmt::format("the entry {} is packed by method {}; stored and deflated ones are read",
                               in_quotes(e.name), method));
  constexpr std::size_t unix_host = 3, kind_mask = 0170000, link = 0120000;
  if (number(at + 5, 1) == unix_host && (number(at + 40, 2) & kind_mask) == link)
    throw ZipError(fmt::format("the entry {} is a link", in_quotes(e.name)));
  total += e.size;
  if (total > limits.bytes)
    throw ZipError(fmt::format("the archive unpacks to more than {} MB", limits.bytes / 1'000'000));
  at += directory_size + length + number(at + 30, 2) + number(at + 32, 2);
  entries_.push_back(std::move(e));
}

const ZipArchive::Entry* ZipArchive::find(std::string_view name) const {
  const auto at = std::ranges::find(entries_, name, &Entry::name);
  return at == entries_.end() ? nullptr : &*at;
}

std::string ZipArchive::content(const Entry& e) const {
  const auto wrong = [&](const char* what) {
    return ZipError(fmt::format("the entry {} {}", in_quotes(e.name), what));
  };
  if (number(e.at, 4) != 0x04034b50) throw wrong("is not where the directory says");
  const std::size_t from = e.at + local_size + number(e.at + 26, 2) + number(e.at + 28, 2);
  if (from > bytes_.size() || e.packed > bytes_.size() - from) throw wrong("is cut short");
  std::string out;
  if (!e.deflated) {
    if (e.packed != e.size) throw wrong("is stored with two different sizes");
    out = bytes_.substr(from, e.size);
  } else {
    out.resize(e.size);
    z_stream z{};
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data() + from));
    z.avail_in = uInt(e.packed);
    Bytef none = 0;
    z.next_out = e.size > 0 ? reinterpret_cast<Bytef*>(out.data()) : &none;
    z.avail_out = uInt(e.size);
    const int end = inflate(&z, Z_FINISH);
    const bool whole = end == Z_STREAM_END && z.total_out == e.size;
    inflateEnd(&z);
    if (!whole) throw wrong("does not unpack to the size that the directory says");
  }
  if (crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(out.data()), uInt(out.size())) != e.crc)
    throw wrong("has another checksum than the directory says");
  return out;
}
}  // namespace mubody::io

#include "mubody/picture/raster.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <zlib.h>

namespace mubody::io {
namespace {
constexpr int rows_in_pixel = 4;

void put_big_endian(std::string& out, std::uint32_t x) {
  for (int shift = 24; shift >= 0; shift -= 8) out += char(x >> shift & 0xff);
}
void put_chunk(std::string& out, const std::string& kind, const std::string& content) {
  put_big_endian(out, std::uint32_t(content.size()));
  const std::string whole = kind + content;
  out += whole;
  put_big_endian(out,
                 std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(whole.data()), uInt(whole.size()))));
}

struct Crossing {
  double x;
  int sense;
};
std::vector<Crossing> crossings(const std::vector<Raster::Contour>& contours, double y) {
  std::vector<Crossing> all;
  for (const Raster::Contour& c : contours)
    for (std::size_t k = 0; k < c.size(); ++k) {
      const Vec<2>&a = c[k], &b = c[(k + 1) % c.size()];
      if ((a.y() <= y) == (b.y() <= y)) continue;
      all.push_back({a.x() + (y - a.y()) / (b.y() - a.y()) * (b.x() - a.x()), b.y() > a.y() ? 1 : -1});
    }
  std::ranges::sort(all, {}, &Crossing::x);
  return all;
}
}  // namespace

// Rows within a pixel are sampled; along a row, shares of pixels are exact.
void Raster::fill(const std::vector<Contour>& contours, const std::array<int, 3>& colour, double opacity) {
  double low = height_, high = 0;
  for (const Contour& c : contours)
    for (const Vec<2>& p : c) low = std::min(low, p.y()), high = std::max(high, p.y());
  const int first = std::max(0, int(std::floor(low))), last = std::min(height_ - 1, int(std::ceil(high)));
  std::vector<double> covered(static_cast<std::size_t>(width_));
  for (int row = first; row <= last; ++row) {
    std::ranges::fill(covered, 0);
    for (int k = 0; k < rows_in_pixel; ++k) {
      int winding = 0;
      double from = 0;
      for (const Crossing& c : crossings(contours, row + (k + 0.5) / rows_in_pixel)) {
        if (winding == 0) from = c.x;
        winding += c.sense;
        if (winding != 0) continue;
        const double a = std::clamp(from, 0.0, double(width_)), b = std::clamp(c.x, 0.0, double(width_));
        for (int x = int(a); x < width_ && x < b; ++x)
          covered[std::size_t(x)] += (std::min(b, x + 1.0) - std::max(a, double(x))) / rows_in_pixel;
      }
    }
    for (int x = 0; x < width_; ++x) {
      const double share = std::min(1.0, covered[std::size_t(x)]) * opacity;
      if (share <= 0) continue;
      for (int channel = 0; channel < 3; ++channel) {
        std::uint8_t& p = rgb_[std::size_t(3 * (row * width_ + x) + channel)];
        p = std::uint8_t(std::lround(p + share * (colour[std::size_t(channel)] - p)));
      }
    }
  }
}

std::string Raster::png() const {
  std::string lines;  // each begins with the number of its filter, 0 for none
  for (int row = 0; row < height_; ++row) {
    lines += '\0';
    lines.append(reinterpret_cast<const char*>(rgb_.data()) + 3 * row * width_, std::size_t(3 * width_));
  }
  uLongf size = compressBound(uLong(lines.size()));
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(lines.data()),
            uLong(lines.size()), Z_BEST_COMPRESSION);
  packed.resize(size);
  std::string head;
  put_big_endian(head, std::uint32_t(width_));
  put_big_endian(head, std::uint32_t(height_));
  head += {8, 2, 0, 0, 0};  // eight bits for each of red, green and blue
  std::string out = "\x89PNG\r\n\x1a\n";
  put_chunk(out, "IHDR", head);
  put_chunk(out, "IDAT", packed);
  put_chunk(out, "IEND", "");
  return out;
}
}  // namespace mubody::io

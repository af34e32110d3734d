#pragma once
// A drawing of ours in pixels: the lines, circles, areas and paths of Svg; words are left out.
//
//   W3C (2008): Portable Network Graphics, ISO/IEC 15948
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/math/space.h"

namespace mubody::io {
/// Pixels on a white ground.
class Raster {
 public:
  Raster(int width, int height) : width_(width), height_(height), rgb_(std::size_t(3 * width * height), 255) {}
  using Contour = std::vector<Vec<2>>;
  /// Fills what lies within any of the closed contours, each of which counts with its sense of rotation.
  void fill(const std::vector<Contour>&, const std::array<int, 3>& colour, double opacity);

  int width() const { return width_; }
  int height() const { return height_; }
  const std::vector<std::uint8_t>& rgb() const { return rgb_; }
  std::string png() const;

 private:
  int width_, height_;
  std::vector<std::uint8_t> rgb_;
};

/// The text of a drawing, `scale` times as large, without what stands in groups with one of these names.  Throws XmlError.
Raster rasterized(std::string_view svg, double scale, const std::vector<std::string_view>& without = {});
}  // namespace mubody::io

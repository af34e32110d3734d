// Pixels of drawings: areas, strokes, and the file that holds them.
#include "mubody/picture/raster.h"

#include <numbers>
#include <zlib.h>

#include <gtest/gtest.h>

#include "mubody/picture/svg.h"

using namespace mubody;
using namespace mubody::io;

namespace {
/// How much of the picture is black [px].
double blackness(const Raster& r) {
  double sum = 0;
  for (std::size_t k = 0; k < r.rgb().size(); k += 3) sum += 1 - r.rgb()[k] / 255.0;
  return sum;
}
Raster drawn(const std::function<void(Svg&)>& draw, double scale = 1) {
  Svg svg(100, 80, "test", "");
  draw(svg);
  return rasterized(svg.str(), scale, {"words"});
}
const Ink black{.fill = "#000000"};
}  // namespace

TEST(raster, covers_the_area_of_shapes) {
  EXPECT_NEAR(blackness(drawn([](Svg& s) { s.rectangle({10.25, 20.5}, {30.5, 11}, black); })), 30.5 * 11, 1.5);
  EXPECT_NEAR(blackness(drawn([](Svg& s) { s.circle({50, 40}, 30, black); })), std::numbers::pi * 900, 6);
  EXPECT_NEAR(blackness(drawn([](Svg& s) {
                s.polyline({{10, 10}, {90, 10}, {10, 70}}, true, black);
              })),
              2400, 6);
  // A half disc, as an arc and a line.
  EXPECT_NEAR(blackness(drawn([](Svg& s) { s.path("M20,40A30,30 0 0 1 80,40z", black); })),
              std::numbers::pi * 450, 4);
  EXPECT_NEAR(blackness(drawn([](Svg& s) { s.circle({50, 40}, 30, black); }, 0.5)), std::numbers::pi * 225, 5);
}

TEST(raster, strokes_lines_once_where_they_bend) {
  const Ink pen{.stroke = "#000000", .width = 6};
  EXPECT_NEAR(blackness(drawn([&](Svg& s) { s.line({20, 20}, {80, 20}, pen); })), 360, 3);
  // Two sides of a right angle share a quarter of a square, beside the round bend.
  const double bent = 2 * 40 * 6 - 9 + std::numbers::pi * 9 / 4;
  EXPECT_NEAR(blackness(drawn([&](Svg& s) {
                s.polyline({{20, 60}, {20, 20}, {60, 20}}, false, pen);
              })),
              bent, 4);
}

TEST(raster, leaves_out_groups_and_is_transparent_as_asked) {
  EXPECT_EQ(blackness(drawn([](Svg& s) {
              s.begin(" id=\"words\"");
              s.rectangle({10, 10}, {20, 20}, black);
              s.end();
            })),
            0);
  EXPECT_NEAR(blackness(drawn([](Svg& s) {
                s.begin(" opacity=\"0.25\"");
                s.rectangle({10, 10}, {20, 20}, black);
                s.end();
              })),
              100, 2);
}

TEST(raster, writes_lines_that_zlib_gives_back) {
  const Raster r = drawn([](Svg& s) { s.circle({50, 40}, 30, black); });
  const std::string png = r.png();
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const std::size_t at = png.find("IDAT") + 4, end = png.find("IEND") - 8;
  std::string lines(std::size_t((3 * r.width() + 1) * r.height()), 'x');
  uLongf size = lines.size();
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(lines.data()), &size,
                       reinterpret_cast<const Bytef*>(png.data() + at), uLong(end - at)),
            Z_OK);
  ASSERT_EQ(size, lines.size());
  for (int row = 0; row < r.height(); ++row) {
    const std::size_t line = std::size_t(row * (3 * r.width() + 1));
    EXPECT_EQ(lines[line], 0);
    EXPECT_EQ(lines.compare(line + 1, std::size_t(3 * r.width()),
                            std::string(r.rgb().begin() + 3 * row * r.width(),
                                        r.rgb().begin() + 3 * (row + 1) * r.width())),
              0);
  }
}

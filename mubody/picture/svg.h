#pragma once
// A drawing of lines, areas and words as SVG 1.1, in pixels from the upper left corner.
#include <string>
#include <string_view>
#include <vector>

#include "mubody/math/space.h"

namespace mubody::io {
/// How a line and an area are painted; "none" for not at all.
struct Ink {
  std::string fill = "none", stroke = "none";
  double width = 1;  // width of the line
  double opacity = 1;
  std::string more;  // further attributes, each after a space
};

/// For `Ink::more`: lines with round ends and bends.
inline constexpr const char* round_line = " stroke-linecap=\"round\" stroke-linejoin=\"round\"";

/// The letters of all pictures, which stand in their first line.
inline constexpr std::string_view letters_of_pictures =
    "font-family=\"Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif\" role=\"img\">";

enum class Anchor { start, middle, end };

struct Lettering {
  double size = 12;
  std::string colour = "#22272e";
  Anchor anchor = Anchor::start;
  bool bold = false;
  double turn = 0;   // degrees, clockwise
  std::string halo;  // colour of a rim around the letters, so that lines do not cross them
};

class Svg {
 public:
  Svg(double width, double height, std::string_view title, const std::string& background);

  void line(const Vec<2>& a, const Vec<2>& b, const Ink&);
  void polyline(const std::vector<Vec<2>>& points, bool closed, const Ink&);
  void circle(const Vec<2>& centre, double radius, const Ink&);
  void rectangle(const Vec<2>& corner, const Vec<2>& size, const Ink&, double rounding = 0);
  void path(std::string_view d, const Ink&);
  void text(const Vec<2>& at, std::string_view words, const Lettering&);
  /// Begins a group that lasts to the matching end(); each of the `attributes` follows a space.
  void begin(std::string_view attributes);
  void end();
  /// The elements drawn so far; those of another drawing can be taken over.
  const std::string& elements() const { return body_; }
  void append(std::string_view elements) { body_ += elements; }

  double width() const { return width_; }
  double height() const { return height_; }
  std::string str() const;

 private:
  double width_, height_;
  std::string title_, body_;
};

/// A number of a drawing: a hundredth of a pixel is fine enough.
std::string px(double);
/// The approximate width of the words in a sans-serif type of that size.
double text_width(std::string_view words, double size);
/// The words, cut with an ellipsis to at most `most` letters.
std::string shortened(std::string_view words, std::size_t most);
/// A colour between two colours "#rrggbb"; share 0 is the first.
std::string mixed(std::string_view a, std::string_view b, double share);
/// Colours for bodies and curves, one after the other.
std::string palette(std::size_t k);
}  // namespace mubody::io

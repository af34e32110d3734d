#pragma once
// Plots of result channels as SVG: over the time, one panel per unit, or one channel against another.
//
//   docs/user/pictures.md#plots
#include <string>
#include <vector>

#include "mubody/results/results.h"
#include "mubody/text/quotes.h"

namespace mubody::io {
struct Curve {
  std::string name, unit;
  std::vector<double> x, y;  // a number that is not finite leaves a gap
};

struct Panel {
  std::string x_label, y_label;
  std::vector<Curve> curves;
  bool over_time = true;  // else one channel against another
};

struct PlotOptions {
  double width = 800, height = 0;  // [px]; height 0: as much as the panels need
  bool transparent = false;
  bool equal = false;  // the same scale along both axes
  std::string title;
};

/// The channels by name over the time, those of one unit in one panel.  Throws ModelError.
std::vector<Panel> time_panels(const std::vector<Table>&, const std::vector<std::string>& channels,
                               Quotes = Quotes::shown);
/// One channel against another, of the same table or of one with the same times.  Throws ModelError.
Panel phase_panel(const std::vector<Table>&, const std::string& x, const std::string& y,
                  Quotes = Quotes::shown);

/// Panels below each other; those of the same x_label share the marks of the lowest.
std::string plot_svg(const std::vector<Panel>&, const PlotOptions&);
}  // namespace mubody::io

#include "mubody/picture/plot_svg.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/model/errors.h"
#include "mubody/model/escape.h"
#include "mubody/picture/svg.h"
#include "mubody/picture/ticks.h"
#include "mubody/text/node.h"

namespace mubody::io {
namespace {
constexpr const char *ink = "#22272e", *muted = "#5d6671", *faint = "#c3cad2", *grid = "#e9edf1";

Curve find_curve(const std::vector<Table>& tables, const std::string& name, Quotes quotes) {
  std::vector<std::string> names;
  for (const Table& t : tables) {
    for (std::size_t k = 1; k < t.columns.size(); ++k) {
      if (t.columns[k].name != name) {
        names.push_back(t.columns[k].name);
        continue;
      }
      Curve curve{name, t.columns[k].unit, {}, {}};
      for (std::size_t row = 0; row < t.rows(); ++row) {
        curve.x.push_back(t.at(row, 0));
        curve.y.push_back(t.at(row, k));
      }
      return curve;
    }
  }
  throw ModelError(
      fmt::format("no channel {} in the results{}", in_quotes(name), told(quotes, suggestion(name, names))));
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double x) {
    if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  }
};

/// Maps numbers to pixels along one axis.
struct Axis {
  Ticks ticks;
  double from, to;  // pixels
  double operator()(double x) const { return from + (to - from) * (x - ticks.low) / (ticks.high - ticks.low); }
};

// Runs of finite points.  Where many fall into one pixel column, only the first, lowest, highest and last are
// kept: the line looks the same.
std::vector<std::vector<Vec<2>>> lines_of(const Curve& c, const Axis& x, const Axis& y) {
  std::vector<std::vector<Vec<2>>> lines(1);
  for (std::size_t k = 0; k < c.x.size(); ++k) {
    if (std::isfinite(c.x[k]) && std::isfinite(c.y[k]))
      lines.back().push_back({x(c.x[k]), y(c.y[k])});
    else if (!lines.back().empty())
      lines.emplace_back();
  }
  const auto few = 4 * std::size_t(std::abs(x.to - x.from));
  for (std::vector<Vec<2>>& line : lines) {
    if (line.size() <= few) continue;
    std::vector<Vec<2>> thinned;
    for (std::size_t k = 0; k < line.size();) {
      std::size_t end = k, low = k, high = k;
      for (; end < line.size() && std::floor(line[end].x()) == std::floor(line[k].x()); ++end) {
        if (line[end].y() < line[low].y()) low = end;
        if (line[end].y() > line[high].y()) high = end;
      }
      for (const std::size_t p : {k, std::min(low, high), std::max(low, high), end - 1})
        if (thinned.empty() || thinned.back() != line[p]) thinned.push_back(line[p]);
      k = end;
    }
    line = std::move(thinned);
  }
  return lines;
}

class Plot {
 public:
  Plot(const std::vector<Panel>& panels, const PlotOptions& options, double height)
      : panels_(panels), options_(options),
        svg_(options.width, height, options.title, options.transparent ? "" : "#ffffff") {}

  std::string draw() {
    svg_.text({left, 28}, shortened(options_.title, std::size_t(std::max(4.0, (options_.width - left) / 9))),
              {.size = 15, .colour = ink, .bold = true});
    const double top = 44, gap = 44, bottom = 50;
    const double each =
        (svg_.height() - top - bottom - gap * double(panels_.size() - 1)) / double(panels_.size());
    std::size_t colour = 0;
    for (std::size_t k = 0; k < panels_.size(); ++k) {
      const double y = top + double(k) * (each + gap);
      draw_panel(panels_[k], y, y + each, k + 1 == panels_.size(), colour);
      colour += panels_[k].curves.size();
    }
    return svg_.str();
  }

 private:
  // Draws names beside samples of their lines, in as many rows as needed, and returns the height.
  double draw_legend(const Panel& panel, double top, std::size_t colour) {
    double x = left, y = top + 14;
    const double right = options_.width - margin;
    for (std::size_t k = 0; k < panel.curves.size(); ++k) {
      const std::string words =
          shortened(panel.curves[k].name, std::size_t(std::max(6.0, (right - left - 30) / 8)));
      const double needed = 26 + text_width(words, 12);
      if (x > left && x + needed > right) x = left, y += 18;
      svg_.line({x, y - 4}, {x + 18, y - 4}, {.stroke = palette(colour + k), .width = 2.2});
      svg_.text({x + 24, y}, words, {.size = 12, .colour = ink});
      x += needed + 20;
    }
    return y - top + 10;
  }

  void draw_panel(const Panel& panel, double top, double bottom, bool last, std::size_t colour) {
    svg_.begin(" class=\"panel\"");
    // A single curve needs no legend beside the label of the axis.
    if (panel.curves.size() > 1) top += draw_legend(panel, top, colour);
    Range rx, ry;
    for (const Curve& c : panel.curves)
      for (std::size_t k = 0; k < c.x.size(); ++k) {
        if (!std::isfinite(c.x[k]) || !std::isfinite(c.y[k])) continue;
        rx.add(c.x[k]), ry.add(c.y[k]);
      }
    const double right = options_.width - margin;
    const int most_x = int(std::clamp((right - left) / 80, 2.0, 10.0)),
              most_y = int(std::clamp((bottom - top) / 36, 2.0, 8.0));
    Axis x{Ticks(rx.low, rx.high, most_x, panel.over_time ? 0 : 0.06), left, right};
    Axis y{Ticks(ry.low, ry.high, most_y, 0.06), bottom, top};
    if (options_.equal) make_equal(x, y, most_x, most_y);

    for (std::size_t k = 0; k < x.ticks.at.size(); ++k) {
      const double at = x(x.ticks.at[k]);
      svg_.line({at, top}, {at, bottom}, {.stroke = grid});
      if (last)
        svg_.text({at, bottom + 17}, x.ticks.labels[k],
                  {.size = 11, .colour = muted, .anchor = Anchor::middle});
    }
    for (std::size_t k = 0; k < y.ticks.at.size(); ++k) {
      const double at = y(y.ticks.at[k]);
      svg_.line({left, at}, {right, at}, {.stroke = y.ticks.at[k] == 0 ? faint : grid});
      svg_.text({left - 8, at + 4}, y.ticks.labels[k], {.size = 11, .colour = muted, .anchor = Anchor::end});
    }
    svg_.path(fmt::format("M{0},{1}V{2}H{3}", px(left), px(top), px(bottom), px(right)), {.stroke = muted});
    for (std::size_t k = 0; k < panel.curves.size(); ++k)
      draw_curve(panel.curves[k], x, y, palette(colour + k));
    if (!(rx.low <= rx.high))
      svg_.text({(left + right) / 2, (top + bottom) / 2}, "no finite numbers",
                {.size = 13, .colour = muted, .anchor = Anchor::middle});

    const std::size_t room = std::size_t(std::max(8.0, (bottom - top) / 7));
    svg_.text({17, (top + bottom) / 2}, shortened(panel.y_label, room),
              {.size = 12, .colour = ink, .anchor = Anchor::middle, .turn = -90});
    if (last)
      svg_.text({(left + right) / 2, bottom + 38}, panel.x_label,
                {.size = 12, .colour = ink, .anchor = Anchor::middle});
    svg_.end();
  }
  void draw_curve(const Curve& c, const Axis& x, const Axis& y, const std::string& stroke) {
    svg_.begin(fmt::format(" data-channel=\"{}\"", for_xml(c.name)));
    for (const std::vector<Vec<2>>& line : lines_of(c, x, y))
      if (line.size() == 1)
        svg_.circle(line[0], 3, {.fill = stroke});
      else
        svg_.polyline(line, false, {.stroke = stroke, .width = 1.7, .more = " stroke-linejoin=\"round\""});
    svg_.end();
  }

  static void make_equal(Axis& x, Axis& y, int most_x, int most_y) {
    const double px_x = std::abs(x.to - x.from), px_y = std::abs(y.to - y.from);
    const double size_x = x.ticks.high - x.ticks.low, size_y = y.ticks.high - y.ticks.low;
    const double scale = std::min(px_x / size_x, px_y / size_y);
    const auto widen = [&](Axis& axis, double pixels, int most) {
      const double middle = (axis.ticks.low + axis.ticks.high) / 2, half = pixels / scale / 2;
      axis.ticks = Ticks(middle - half, middle + half, most);
    };
    widen(x, px_x, most_x), widen(y, px_y, most_y);
  }

  static constexpr double left = 76, margin = 24;
  const std::vector<Panel>& panels_;
  const PlotOptions& options_;
  Svg svg_;
};
}  // namespace

std::vector<Panel> time_panels(const std::vector<Table>& tables, const std::vector<std::string>& channels,
                               Quotes quotes) {
  std::vector<Panel> panels;
  for (const std::string& name : channels) {
    const auto owner = std::ranges::find_if(tables, [&](const Table& t) { return t.find(name) > 0; });
    if (owner != tables.end() && owner->columns[0].name != "time")
      throw ModelError(
          fmt::format("{} is a column of {}.csv, which has no times: it cannot be drawn over the time",
                      in_quotes(name), owner->name));
    Curve curve = find_curve(tables, name, quotes);
    const auto same =
        std::ranges::find_if(panels, [&](const Panel& p) { return p.curves[0].unit == curve.unit; });
    if (same == panels.end())
      panels.push_back({"time [s]", with_unit(name, curve.unit), {std::move(curve)}});
    else {
      same->y_label = curve.unit == "1" || curve.unit.empty() ? "" : fmt::format("[{}]", curve.unit);
      same->curves.push_back(std::move(curve));
    }
  }
  return panels;
}

Panel phase_panel(const std::vector<Table>& tables, const std::string& x, const std::string& y, Quotes quotes) {
  const Curve a = find_curve(tables, x, quotes), b = find_curve(tables, y, quotes);
  if (a.x != b.x)
    throw ModelError(fmt::format("{} and {} are not given at the same times", in_quotes(x), in_quotes(y)));
  return {with_unit(x, a.unit), with_unit(y, b.unit), {{y, b.unit, a.y, b.y}}, false};
}

std::string plot_svg(const std::vector<Panel>& panels, const PlotOptions& options) {
  const double height = options.height > 0   ? options.height
                        : panels.size() == 1 ? 420
                                             : 94 + 220 * double(panels.size());
  return Plot(panels, options, height).draw();
}
}  // namespace mubody::io

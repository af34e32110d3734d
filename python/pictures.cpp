// Pictures of mechanisms and plots of channels as SVG.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/picture/draw_scene.h"
#include "mubody/picture/plot_svg.h"
#include "mubody/picture/write_gltf.h"
#include "python/bind.h"

namespace mubody::python {
namespace {
struct Stage {
  std::shared_ptr<const Study> study;
  io::Scene scene;
  io::Playback playback;
};

Stage stage_of(const KeptResults& r) {
  Stage s{study_of(r), {}, {}};
  if (!s.study) throw ModelError("these results came without their model, so that there is nothing to draw");
  const Mechanism& m = s.study->mechanism;
  const Table* const bodies = r.results.find("bodies");
  s.playback = bodies ? io::playback_of(m, *bodies) : io::start_of(m);
  if (s.playback.empty())
    throw ModelError("there is nothing to draw: the results have no row of finite numbers");
  s.scene = io::scene_of(m, s.study->looks);
  io::fit_guides(s.scene, s.playback);
  return s;
}

std::string draw(const KeptResults& r, const std::vector<double>& times, const std::vector<std::string>& traces,
                 const std::string& view, std::pair<double, double> size, std::optional<bool> labels,
                 double exaggerate) {
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  if (!positive(size.first) || !positive(size.second))
    throw py::value_error("the size of a picture is two positive numbers");
  if (!std::ranges::all_of(times, [](double t) { return std::isfinite(t); }))
    throw py::value_error("the time of a picture is a finite number");
  if (!std::isfinite(exaggerate)) throw py::value_error("what exaggerates a motion is a finite number");
  Unlocked release;
  const Stage s = stage_of(r);
  const Mechanism& m = s.study->mechanism;
  io::PictureOptions o{.width = size.first, .height = size.second, .title = m.name, .times = times};
  if (o.times.empty()) o.times.push_back(s.playback.times.front());
  try {
    o.view = io::View::named(view, m.dim, m.gravity);
  } catch (const FieldError& e) {
    throw ModelError(fmt::format("view: {}", e.what()));
  }
  for (const std::string& name : traces) o.traces.push_back(io::trace_of(s.scene, name));
  o.labels = labels.value_or(o.times.size() == 1);
  o.exaggerate = exaggerate;
  return io::draw_scene(s.scene, s.playback, o);
}

py::bytes animation(const KeptResults& r) {
  const Stage s = stage_of(r);
  return io::gltf_of(s.scene, s.playback, s.study->mechanism.name, s.study->mechanism.gravity);
}

std::string plot(const KeptResults& r, const std::vector<std::string>& channels, bool phase, double width) {
  if (!(width > 0 && std::isfinite(width))) throw py::value_error("the width of a plot is a positive number");
  Unlocked release;
  io::PlotOptions o{.width = width, .title = r.results.model};
  if (phase && channels.size() != 2) throw py::value_error("a phase plot has two channels");
  if (!phase) return io::plot_svg(io::time_panels(r.results.tables, channels), o);
  o.height = 0.75 * width;
  return io::plot_svg({io::phase_panel(r.results.tables, channels.at(0), channels.at(1))}, o);
}
}  // namespace

void bind_pictures(py::module_& m) {
  m.def("draw", &draw);
  m.def("animation", &animation);
  m.def("plot", &plot);
}
}  // namespace mubody::python

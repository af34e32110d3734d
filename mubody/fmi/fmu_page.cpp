#include "mubody/fmi/fmu_page.h"

#include <fmt/format.h>

#include "mubody/model/escape.h"
#include "mubody/model/version.h"
#include "mubody/picture/draw_scene.h"
#include "mubody/picture/raster.h"
#include "mubody/report/write_report.h"
#include "mubody/text/target.h"
#include "mubody/writing/write_summary.h"

namespace mubody::io {
namespace {
constexpr std::string_view page_style =
    "body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#22272e}"
    "table{border-collapse:collapse}td,th{padding:.15em .8em;text-align:left;border-bottom:1px solid #ddd}"
    "svg{max-width:100%;height:auto}";

}  // namespace

std::string drawn_start(const FmuModel& model) {
  try {
    const Study study = model.study({});
    const Mechanism& m = study.mechanism;
    const Results start = model.simulate(study, {}).finish();
    const Table* const bodies = start.find("bodies");
    const Playback playback = bodies ? playback_of(m, *bodies) : start_of(m);
    Scene scene = scene_of(m, study.looks);
    fit_guides(scene, playback);
    PictureOptions o{.title = m.name, .times = {study.analysis.start}};
    o.view = View::named("", m.dim, m.gravity);
    return draw_scene(scene, playback, o);
  } catch (const std::exception&) {
    return "";
  }
}

std::string fmu_icon(const std::string& drawing) {
  if (drawing.empty()) return "";
  constexpr double scale = 0.5;
  return rasterized(drawing, scale, {"axes"}).png();
}

// A model may be meant for inputs without which it does not move, or stops: its page does without a report then.
std::string fmu_report(const FmuModel& model, const std::string& file, const Settings& settings,
                       const Progress& progress) {
  try {
    check_reports();
    const Study study = model.study({});
    const Results results = model.run(study, progress);
    if (results.outcome.kind == Outcome::interrupted || results.tables.empty()) return "";
    return report_html(results, summary_json(results, settings, study.output.format.word()),
                       {&study, {file, model.text(), settings}});
  } catch (const std::runtime_error&) {
    return "";
  }
}

std::string fmu_page(const FmuContents& c, const std::string& drawing, bool report) {
  constexpr const char* kinds[] = {"parameter", "input", "input", "input", "output"};
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
      "charset=\"utf-8\">{}<title>{}</title><style>{}</style></head><body>\n"
      "<h1>{}</h1>\n{}\n<p>For {}{}{}; from {} s to {} s. Numbers are in SI units.</p>\n",
      page_mark, for_xml(c.model), page_style, for_xml(c.model), drawing, c.cosimulation ? "co-simulation" : "",
      c.cosimulation && c.exchange ? " and " : "", c.exchange ? "model exchange" : "", c.start, c.end);
  if (report) page += "<p><a href=\"report.html\">The motion, as the model asks for it</a></p>\n";
  page += "<table><tr><th>variable</th><th>kind</th><th>unit</th><th>start</th><th></th></tr>\n";
  for (const FmuScalar& v : c.variables)
    page += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", for_xml(v.name),
                        kinds[v.kind], for_xml(v.unit),
                        v.kind == FmuVariable::output ? "" : fmt::format("{}", v.start), for_xml(v.meaning));
  return page + fmt::format("</table>\n<p>Made by mubody {}.</p>\n</body></html>\n", version());
}
}  // namespace mubody::io

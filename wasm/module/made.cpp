// What is made of a model without running it: pictures, C, tables for real time, TOML; and what models may contain.
#include "mubody/code/emit_model.h"
#include "mubody/mechanism/topology.h"
#include "mubody/model/units.h"
#include "mubody/model/version.h"
#include "mubody/picture/draw_scene.h"
#include "mubody/precompute/precompute.h"
#include "mubody/reading/describe.h"
#include "mubody/reading/precompute_section.h"
#include "mubody/reading/real_time_file.h"
#include "mubody/text/write_toml.h"
#include "mubody/writing/write_precomputed.h"
#include "mubody/writing/write_topology.h"
#include "wasm/module/answer.h"

namespace mubody::wasm {
namespace {
/// The start as the file gives it, or poses of the caller.
io::Playback playback_of_poses(const Mechanism& m, std::span<const double> poses) {
  io::Playback playback = io::start_of(m);
  const std::size_t width = m.dim == 2 ? 3 : 7;
  if (poses.empty()) return playback;
  if (poses.size() != width * m.bodies.size()) throw std::invalid_argument("poses are those of another model");
  for (std::size_t k = 0; k < m.bodies.size(); ++k) {
    const double* x = &poses[width * k];
    Pose& p = playback.poses[0][k + 1];
    if (m.dim == 2)
      p = {{x[0], x[1], 0}, turn_about_z(x[2]), x[2]};
    else
      p = {{x[0], x[1], x[2]}, Quaternion(x[3], x[4], x[5], x[6]), 0};
  }
  return playback;
}

Answer pictures_of(const Request& request, std::span<const double> poses) {
  const Study study = request.study();
  const Mechanism& m = study.mechanism;
  io::Scene scene = io::scene_of(m, study.looks);
  const io::Playback playback = playback_of_poses(m, poses);
  io::fit_guides(scene, playback);
  io::PictureOptions options{.title = m.name};
  options.labels = !request.has("plain");
  return answer_of(
      {{"svg", io::draw_scene(scene, playback, options)}, {"topology", io::topology_svg(m, graph_of(m))}});
}

Answer emit_of(const Request& request) {
  const Study study = request.study();
  EmitModelOptions options{.name = request["c_name"]};
  const AnalysisOptions& a = study.analysis;
  options.step = a.control.step ? *a.control.step : std::min(options.step, (a.end - a.start) / 1000);
  const EmittedModel made = emit_model(study, options);
  return answer_of({{"header", made.header}, {"source", made.source}, {"notes", made.notes}});
}

Answer precompute_of(const Request& request) {
  const Study study = request.study();
  const auto options = io::read_precompute_options_text(request.text(), request.name(), request.settings());
  Precomputed made = precompute(study, options, goes_on);
  if (!made.outcome) throw ModelError(made.outcome.place, made.outcome.why);
  made.model.file = request.name();
  made.model.text = request.text();
  made.model.settings = request.list("set");
  made.model.summary = io::precomputed_text(made);
  Answer answer;
  answer.text = io::precomputed_json(made);
  answer.bytes = io::real_time_bytes(made.model);
  return answer;
}

Answer convert(const Request& request) {
  try {
    return answer_of({{"value", to_si(request["value"], request["unit"])}});
  } catch (const UnitError& e) {
    return answer_of({{"message", e.what()}});
  }
}

Answer toml_of(const Request& request) {
  return answer_of(
      {{"text", io::toml_text(io::model_tree(request.text(), request.name(), request.settings()))}});
}
}  // namespace

MUBODY_EXPORT(mubody_pictures)
Answer* mubody_pictures(const char* request, std::size_t size, const double* poses, std::size_t count) {
  return answered([&] { return pictures_of(Request(request, size), {poses, count}); });
}
MUBODY_EXPORT(mubody_emit) Answer* mubody_emit(const char* request, std::size_t size) {
  return answered([&] { return emit_of(Request(request, size)); });
}
MUBODY_EXPORT(mubody_precompute) Answer* mubody_precompute(const char* request, std::size_t size) {
  return answered([&] { return precompute_of(Request(request, size)); });
}
MUBODY_EXPORT(mubody_convert) Answer* mubody_convert(const char* request, std::size_t size) {
  return answered([&] { return convert(Request(request, size)); });
}
MUBODY_EXPORT(mubody_toml) Answer* mubody_toml(const char* request, std::size_t size) {
  return answered([&] { return toml_of(Request(request, size)); });
}
/// What models may contain, as 'mubody list --format json' writes it.
MUBODY_EXPORT(mubody_elements) Answer* mubody_elements() {
  return answered([] {
    Answer a;
    a.text = io::describe_json(io::describe());
    return a;
  });
}
MUBODY_EXPORT(mubody_version) Answer* mubody_version() {
  return answered([] { return answer_of({{"version", version()}}); });
}
}  // namespace mubody::wasm

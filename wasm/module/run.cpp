// Whole runs: RunResult of wasm/interface.ts, and the motion as glTF.
#include "mubody/analyses/run.h"

#include "mubody/picture/playback.h"
#include "mubody/picture/write_gltf.h"
#include "mubody/report/write_report.h"
#include "mubody/writing/write_summary.h"
#include "wasm/module/answer.h"
#include "wasm/module/model_json.h"

namespace mubody::wasm {
namespace {
/// What an answer refers to.
struct Ran {
  Study study;
  Results results;
};

std::shared_ptr<Ran> ran(const Request& request) {
  auto all = std::make_shared<Ran>(Ran{request.study(), {}});
  all->study.analysis.estimate_usual = request.has("estimate");
  all->results = run(all->study, goes_on);
  for (std::string& line : request.remarks()) all->results.remarks.push_back(std::move(line));
  return all;
}

Json tables_json(const Results& r, Answer& answer) {
  Json all = Json::array();
  for (const Table& t : r.tables) {
    Json columns = Json::array();
    for (const Column& c : t.columns) columns.push_back({{"name", c.name}, {"unit", c.unit}});
    all.push_back(
        {{"name", t.name}, {"rows", t.rows()}, {"columns", columns}, {"array", answer.refer(t.values)}});
  }
  return all;
}

Json events_json(std::span<const Event> events) {
  Json all = Json::array();
  for (const Event& e : events) all.push_back({{"t", e.t}, {"kind", e.word()}, {"what", e.what}});
  return all;
}

/// Times and poses of a table with the columns of bodies, as two arrays of the answer.
Json motion_json(const Mechanism& m, const Table* bodies, Answer& answer) {
  io::Playback playback;
  if (bodies && bodies->rows() > 0) playback = io::playback_of(m, *bodies);
  std::vector<double> poses;
  for (const auto& row : playback.poses) write_poses(m.dim, row, poses);
  Json json{{"times", answer.keep(std::move(playback.times))}};
  json["poses"] = answer.keep(std::move(poses));
  return json;
}

Answer run_of(const Request& request) {
  const std::shared_ptr<Ran> all = ran(request);
  const Results& r = all->results;
  const Study& study = all->study;
  Answer answer;
  answer.owner = all;
  const Json summary = io::summary_json(r, request.list("set"));
  Json json{{"summary", summary},
            {"ok", bool(r.outcome)},
            {"trusted", r.trusted},
            {"verdict", r.verdict},
            {"events", events_json(r.events)},
            {"tables", tables_json(r, answer)},
            {"motion", motion_json(study.mechanism, r.find("bodies"), answer)},
            {"modes", Json()},
            {"report", Json()}};
  if (const Table* modes = r.find("modes"); modes && r.find("mode_motion")) {
    json["modes"] = motion_json(study.mechanism, r.find("mode_motion"), answer);
    json["modes"]["count"] = modes->rows();
  }
  if (!request.has("bare"))
    json["report"] =
        io::report_data(r, summary, {&study, {request.name(), request.text(), request.list("set")}});
  answer.text = json.dump();
  return answer;
}

Answer gltf_of(const Request& request) {
  const std::shared_ptr<Ran> all = ran(request);
  const Mechanism& m = all->study.mechanism;
  const Table* bodies = all->results.find("bodies");
  if (!bodies || bodies->rows() == 0)
    throw ModelError("nothing moves in this analysis: " + all->results.verdict);
  io::Scene scene = io::scene_of(m, all->study.looks);
  const io::Playback playback = io::playback_of(m, *bodies);
  io::fit_guides(scene, playback);
  Answer answer;
  answer.bytes = io::gltf_of(scene, playback, m.name, m.gravity);
  return answer;
}
}  // namespace

MUBODY_EXPORT(mubody_run) Answer* mubody_run(const char* request, std::size_t size) {
  return answered([&] { return run_of(Request(request, size)); });
}
MUBODY_EXPORT(mubody_gltf) Answer* mubody_gltf(const char* request, std::size_t size) {
  return answered([&] { return gltf_of(Request(request, size)); });
}
}  // namespace mubody::wasm

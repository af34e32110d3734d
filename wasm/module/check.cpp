// Checking a model: Checked of wasm/interface.ts.
#include "mubody/analyses/obstacle.h"
#include "mubody/writing/write_summary.h"
#include "wasm/module/answer.h"
#include "wasm/module/model_json.h"

namespace mubody::wasm {
namespace {
std::vector<double> given_poses(const Mechanism& m) {
  std::vector<Pose> poses{Pose{}};
  for (const RigidBody& b : m.bodies) poses.push_back(b.start);
  std::vector<double> numbers;
  write_poses(m.dim, poses, numbers);
  return numbers;
}

/// Assembles, and says what was found.
void add_assembly(const Study& study, std::vector<std::string> warnings, Json& json, Answer& answer) {
  Begun b = begin(study, "check");
  if (b.results.outcome && study.analysis.type->facts().moves()) formulate(study, b);
  const std::string why = obstacle_of(study, b);
  const Json summary = io::summary_json(b.results);
  json["ok"] = why.empty();
  if (!why.empty()) {
    const Place& at = b.results.outcome.place;
    json["obstacle"] = {{"message", why}, {"file", at.file}, {"line", at.line}, {"column", at.column}};
  }
  for (std::string& line : b.warnings) warnings.push_back(std::move(line));
  json["warnings"] = std::move(warnings);
  json["freedom"] = summary["freedom"];
  json["assembly"] = summary["assembly"];
  const Scales& scales = b.results.scales;
  json["model"]["scales"] = {{"length", scales.length}, {"mass", scales.mass}, {"time", scales.time}};
  answer.keep({b.q.data(), b.q.data() + b.q.size()});
}

Answer check(const Request& request) {
  Json json{{"ok", false},     {"errors", Json::array()}, {"obstacle", Json()}, {"warnings", Json::array()},
            {"model", Json()}, {"freedom", Json()},       {"assembly", Json()}, {"places", Json::object()}};
  Answer answer;
  std::optional<io::Node> tree;
  try {
    tree = io::model_tree(request.text(), request.name(), request.settings());
    json["places"] = places_json(*tree, request.name());
    const Study study = request.study();
    json["model"] = model_json(study, *tree);
    answer.keep(given_poses(study.mechanism));
    add_assembly(study, request.remarks(), json, answer);
  } catch (const ModelError& e) {
    // Where there is a model already, it is right as a text, and cannot move.
    if (answer.arrays.empty())
      json["errors"] = problems_json(e, tree ? &*tree : nullptr);
    else
      json["obstacle"] = problems_json(e, &*tree).elements()[0];
  }
  while (answer.arrays.size() < 2) answer.keep({});
  answer.text = json.dump();
  return answer;
}
}  // namespace

MUBODY_EXPORT(mubody_check) Answer* mubody_check(const char* request, std::size_t size) {
  return answered([&] { return check(Request(request, size)); });
}
}  // namespace mubody::wasm

#include "wasm/module/answer.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "absent_integrators.h"
#include "mubody/text/node.h"

namespace mubody::wasm {
std::size_t Answer::keep(std::vector<double> numbers) {
  own_.push_back(std::make_unique<std::vector<double>>(std::move(numbers)));
  return refer(*own_.back());
}

std::size_t Answer::refer(std::span<const double> numbers) {
  arrays.push_back(numbers);
  return arrays.size() - 1;
}

Request::Request(const char* text, std::size_t size) {
  std::optional<Json> json = Json::parse({text, size});
  if (!json) throw std::invalid_argument("a request is JSON");
  json_ = std::move(*json);
}

std::vector<std::string> Request::list(std::string_view key) const {
  std::vector<std::string> all;
  for (const Json& item : json_[key].elements()) all.push_back(item.text());
  return all;
}

// Integrators of SUNDIALS, which Debian has not for WebAssembly.  A model that asks for one moves nevertheless.
std::string Request::absent_integrator() const {
  const io::Node tree = io::model_tree(text(), name(), io::Settings(list("set")));
  const io::Node* analysis = tree.find("analysis");
  const io::Node* wanted = analysis ? analysis->find("integrator") : nullptr;
  return wanted && std::ranges::find(absent_integrators, wanted->text) != std::end(absent_integrators)
             ? wanted->text
             : "";
}

namespace {
/// What moves a model in place of an absent integrator: who asks for bdf knows that the model is stiff.
std::string stand_in(const std::string& absent) { return absent == "bdf" ? "radau" : "auto"; }
}  // namespace

io::Settings Request::settings() const {
  io::Settings all(list("set"));
  if (const std::string absent = absent_integrator(); !absent.empty())
    all.push_back("analysis.integrator=" + stand_in(absent));
  return all;
}

std::vector<std::string> Request::remarks() const {
  const std::string absent = absent_integrator();
  if (absent.empty()) return {};
  return {"the integrator '" + absent + "' is not part of this page: '" + stand_in(absent) +
          "' computed the motion"};
}

namespace {
/// The path of the key at a place, "bodies.crank.mass"; empty if none stands there.
std::string key_at(const io::Node& node, const Place& place, const std::string& path) {
  const auto stands = [&](const io::Mark& m) { return m.line == place.line && m.column == place.column; };
  for (std::size_t k = 0; k < node.items.size(); ++k) {
    const bool table = k < node.keys.size();
    const std::string name = table ? node.keys[k].name : std::to_string(k);
    const std::string here = path.empty() ? name : path + '.' + name;
    if ((table && stands(node.keys[k].mark)) || stands(node.items[k].mark)) return here;
    if (std::string found = key_at(node.items[k], place, here); !found.empty()) return found;
  }
  return {};
}

Json problem_json(const ModelError& e, const io::Node* tree) {
  std::string message = e.what();
  // The place is told apart from the message.
  if (const std::string before = text(e.place) + ": "; !e.place.file.empty() && message.starts_with(before))
    message.erase(0, before.size());
  Json json{{"message", message}, {"file", e.place.file}, {"line", e.place.line}, {"column", e.place.column}};
  if (tree && e.place.line > 0)
    if (const std::string key = key_at(*tree, e.place, ""); !key.empty()) json["key"] = key;
  return json;
}
}  // namespace

Json problems_json(const ModelError& e, const io::Node* tree) {
  Json all = Json::array({problem_json(e, tree)});
  for (const ModelError& other : e.others) all.push_back(problem_json(other, tree));
  return all;
}

Answer answer_of(const Json& json) {
  Answer a;
  a.text = json.dump();
  return a;
}

Answer* answered(const std::function<Answer()>& work) {
  const auto bad = [](Kind kind, const Json& json) {
    Answer a = answer_of(json);
    a.kind = kind;
    return new Answer(std::move(a));
  };
  try {
    return new Answer(work());
  } catch (const ModelError& e) {
    return bad(Kind::mistake, {{"problems", problems_json(e, nullptr)}});
  } catch (const std::exception& e) {
    return bad(Kind::failure, {{"message", e.what()}});
  } catch (...) {
    return bad(Kind::failure, {{"message", "something was thrown that is no exception of C++'s library"}});
  }
}

// Of the page.
extern "C" [[clang::import_module("mubody"), clang::import_name("progress")]] int mubody_progress(double share);

bool goes_on(double share) { return mubody_progress(share) != 0; }

MUBODY_EXPORT(mubody_alloc) void* mubody_alloc(std::size_t size) { return std::malloc(size); }
MUBODY_EXPORT(mubody_free) void mubody_free(void* p) { std::free(p); }

MUBODY_EXPORT(mubody_kind) int mubody_kind(const Answer* a) { return int(a->kind); }
MUBODY_EXPORT(mubody_text) const char* mubody_text(const Answer* a) { return a->text.data(); }
MUBODY_EXPORT(mubody_text_size) std::size_t mubody_text_size(const Answer* a) { return a->text.size(); }
MUBODY_EXPORT(mubody_bytes) const char* mubody_bytes(const Answer* a) { return a->bytes.data(); }
MUBODY_EXPORT(mubody_bytes_size) std::size_t mubody_bytes_size(const Answer* a) { return a->bytes.size(); }
MUBODY_EXPORT(mubody_arrays) std::size_t mubody_arrays(const Answer* a) { return a->arrays.size(); }
MUBODY_EXPORT(mubody_array) const double* mubody_array(const Answer* a, std::size_t k) {
  return a->arrays[k].data();
}
MUBODY_EXPORT(mubody_array_size) std::size_t mubody_array_size(const Answer* a, std::size_t k) {
  return a->arrays[k].size();
}
MUBODY_EXPORT(mubody_release) void mubody_release(Answer* a) { delete a; }
}  // namespace mubody::wasm

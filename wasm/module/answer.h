#pragma once
// What the functions of the module give back: a text in JSON and arrays of numbers, which stay in the module's memory until
// the answer is released.  Whoever calls from JavaScript: wasm/library.ts.
//
//   MUBODY_EXPORT(mubody_check) Answer* mubody_check(const char* request, std::size_t size) {
//     return answered([&] { return check(Request(request, size)); });
//   }
//
// There is no state outside of answers and sessions.
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mubody/model/errors.h"
#include "mubody/reading/read_model.h"
#include "mubody/text/json.h"

/// A function that JavaScript sees by its name.
#define MUBODY_EXPORT(name) extern "C" [[clang::export_name(#name)]]

namespace mubody::wasm {
using io::Json;

enum class Kind {
  good,
  mistake,  // of the user: the text is {"problems": [...]}
  failure   // ours: {"message": "..."}
};

struct Answer {
  Kind kind = Kind::good;
  std::string text = "null";
  std::vector<std::span<const double>> arrays;
  std::string bytes;            // a file that was made
  std::shared_ptr<void> owner;  // of the arrays

  /// Keeps numbers for the answer, and returns the place of their array.
  std::size_t keep(std::vector<double> numbers);
  /// Refers to numbers of the owner.
  std::size_t refer(std::span<const double> numbers);

 private:
  std::vector<std::unique_ptr<std::vector<double>>> own_;
};

/// What is asked, {"text": ..., "name": ..., "set": [...], ...}: strings and lists of strings.
class Request {
 public:
  Request(const char* text, std::size_t size);
  const std::string& operator[](std::string_view key) const { return json_[key].text(); }
  std::vector<std::string> list(std::string_view key) const;
  bool has(std::string_view key) const { return json_[key].is_string(); }

  const std::string& text() const { return (*this)["text"]; }
  const std::string& name() const { return (*this)["name"]; }
  /// The changes that are asked for, and that of an integrator which this module has not.
  io::Settings settings() const;
  /// The study of text, name and settings.  Throws ModelError.
  Study study() const { return io::read_study_text(text(), name(), settings()); }
  /// What is to be said about the study: that another integrator computes it.
  std::vector<std::string> remarks() const;

 private:
  std::string absent_integrator() const;

  Json json_;
};

/// A mistake and the others of the same file.  Keys are found in the tree of the text, where there is one.
Json problems_json(const ModelError&, const io::Node* tree);

/// The answer of `work`, or what it throws as an answer.
Answer* answered(const std::function<Answer()>& work);
/// An answer with that text alone.
Answer answer_of(const Json&);

/// Asks the page with the share done whether to go on.
bool goes_on(double share);
}  // namespace mubody::wasm

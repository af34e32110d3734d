#pragma once
// Reads and checks model files; a message says what is wrong, and where.
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/reading/settings.h"
#include "mubody/study/options.h"

namespace mubody::io {
/// The data files that a model was read with.
using DataFiles = std::vector<std::filesystem::path>;

/// The model in a TOML file or a MUBODYNA file, recognised by its contents.  Throws ModelError.
Study read_study(const std::string& path, const Settings& overrides = {}, DataFiles* = nullptr);

/// The model in a text; `name` replaces the file in messages, and data files are relative to it.
Study read_study_text(std::string_view text, const std::string& name, const Settings& overrides = {},
                      DataFiles* = nullptr);

struct Node;

/// The tree of values that a text states, with those of the files that it includes; MUBODYNA files are translated.  Throws
/// ModelError.
Node model_tree(std::string_view text, const std::string& name, const Settings& overrides = {},
                DataFiles* = nullptr);

/// A model file that is parsed once, for many variants of it.
class ModelText {
 public:
  /// Throws ModelError.
  explicit ModelText(const std::string& path, const Settings& overrides = {});
  /// A tree that was made in a program, perhaps of a stranger's file; data files are relative to `path`, and there is no text.
  ModelText(const Node& root, std::string path, bool untrusted = false);

  /// The model with these values changed, "key.of.a.value=value".  Throws ModelError.
  Study with(const std::vector<std::string>& settings, DataFiles* = nullptr) const;
  /// The full form of a key: "parameters.a" for "a" if there is such a parameter, otherwise the key itself.
  std::string full_key(const std::string& key) const;
  /// The text of the file, as it is.
  const std::string& text() const { return *text_; }
  const Node& root() const { return *root_; }

 private:
  std::string path_;
  bool untrusted_;
  std::shared_ptr<const std::string> text_;
  std::shared_ptr<const Node> root_;
};
}  // namespace mubody::io

#include "mubody/text/include.h"

#include <algorithm>
#include <unordered_map>

#include "mubody/text/changed_parameter.h"
#include "mubody/text/stars.h"
#include "mubody/text/text_file.h"
#include "mubody/text/toml.h"

namespace mubody::io {
namespace {
constexpr int most = 100;  // files of one model

struct Open {
  std::filesystem::path folder;
  bool untrusted;
  std::vector<std::filesystem::path>* read;
  std::vector<std::filesystem::path> files;  // those that are being read, each included by the one before it
  int count = 0;                             // of all files
};

void shift_rank(Node& node, int by) {
  node.mark.rank += by;
  for (Node::Key& key : node.keys) key.mark.rank += by;
  for (Node& item : node.items) shift_rank(item, by);
}

/// Which type an element says it has; "" if it says none.
std::string_view type_of(const Node& node) {
  const Node* type = node.find("type");
  return type && type->is(Node::Kind::string) ? std::string_view(type->text) : std::string_view();
}

/// Where a table stands in the whole, as far as it matters.
enum class Level { whole, parameters, other };

void merge(Node& base, Node&& more, Level level = Level::whole) {
  const bool are_tables = base.is(Node::Kind::table) && more.is(Node::Kind::table);
  if (!are_tables || (!type_of(more).empty() && type_of(more) != type_of(base))) {
    base = std::move(more);
    return;
  }
  const auto merge_items = [&](const std::string& name, Node& old, Node&& change) {
    if (level == Level::parameters && !change.is(Node::Kind::table))
      changed_part(old, change) = std::move(change);
    else
      merge(old, std::move(change),
            level == Level::whole && name == "parameters" ? Level::parameters : Level::other);
  };
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t k = 0; k < base.keys.size(); ++k) known.emplace(base.keys[k].name, k);
  for (std::size_t k = 0; k < more.items.size(); ++k)
    if (const auto there = known.find(more.keys[k].name); there != known.end()) {
      merge_items(there->first, base.items[there->second], std::move(more.items[k]));
    } else {
      base.keys.push_back(std::move(more.keys[k]));
      base.items.push_back(std::move(more.items[k]));
    }
}

/// Takes away what the dotted keys name; returns how much that was.
std::size_t take_away(Node& node, std::string_view keys) {
  const std::size_t dot = keys.find('.');
  const std::string_view first = keys.substr(0, dot);
  std::size_t count = 0;
  if (!node.is(Node::Kind::table)) return 0;
  std::size_t left = 0;
  for (std::size_t k = 0; k < node.keys.size(); ++k) {
    const bool is_named = fits(node.keys[k].name, first);
    if (is_named && dot != std::string_view::npos) count += take_away(node.items[k], keys.substr(dot + 1));
    if (is_named && dot == std::string_view::npos) {
      ++count;
      continue;
    }
    if (left != k) node.keys[left] = std::move(node.keys[k]), node.items[left] = std::move(node.items[k]);
    ++left;
  }
  node.keys.resize(left);
  node.items.resize(left);
  return count;
}

void take_away(Node& tree, const Node& without, const Scope& scope, const std::string& file) {
  if (!without.is(Node::Kind::array)) scope.expected("an array of keys, as in [\"joints.rear_*\"]", without);
  for (const Node& keys : without.items) {
    if (!keys.is(Node::Kind::string) || keys.text.empty())
      scope.expected("a key, as in \"joints.rear_*\"", keys);
    if (take_away(tree, std::string_view(keys.text)) == 0)
      scope.fail(keys, in_quotes(keys.text) + " is not in " + in_quotes(file) +
                           "; expected section and name, as in \"joints.rear_*\"");
  }
}

int include_into(Node& root, Open& open);

/// The tree of one file; `ranks` is how many orders below its own it took.
Node read_part(const Node& part, const Scope& scope, Open& open, int& ranks) {
  const Node* file = part.is(Node::Kind::table) ? part.find("file") : &part;
  if (part.is(Node::Kind::table)) expect_keys(part, scope, std::vector<std::string_view>{"file", "without"});
  if (!file || !file->is(Node::Kind::string) || file->text.empty() ||
      file->text.find('\0') != std::string::npos)
    scope.expected("the name of a file, or {file = \"...\", without = [...]}", file ? *file : part);
  const std::filesystem::path path = (open.folder / file->text).lexically_normal();
  if (open.untrusted && !lies_below(path, open.folder))
    scope.fail(*file, in_quotes(file->text) +
                          " lies outside of the folder of the model, which --untrusted does not allow");
  if (std::ranges::find(open.files, path) != open.files.end())
    scope.fail(*file, in_quotes(file->text) + " includes itself, perhaps through other files");
  if (++open.count > most) scope.fail(*file, "more than " + std::to_string(most) + " files are included");
  Node tree;
  try {
    tree = parse_toml(read_file(path.string(), files::model), path.string(), open.untrusted);
  } catch (const FileError& e) {
    scope.fail(*file, in_quotes(file->text) + ": " + e.what() +
                          "; it is looked for in the folder of the model, as " + in_quotes(path.string()));
  }
  if (open.read) open.read->push_back(path);
  open.files.push_back(path);
  ranks = include_into(tree, open);
  open.files.pop_back();
  if (const Node* without = part.find("without")) take_away(tree, *without, scope / "without", file->text);
  return tree;
}

int include_into(Node& root, Open& open) {
  const Node* found = root.find("include");
  if (!found) return 0;
  const Node parts = *found;
  take_away(root, std::string_view("include"));
  const Scope scope("include");
  std::vector<Node> trees;
  std::vector<int> ranks;
  const auto read = [&](const Node& part) {
    ranks.push_back(0);
    trees.push_back(read_part(part, scope, open, ranks.back()));
  };
  if (parts.is(Node::Kind::array))
    for (const Node& part : parts.items) read(part);
  else
    read(parts);
  int below = 0;
  for (std::size_t k = trees.size(); k-- > 0;) {
    shift_rank(trees[k], -++below);
    below += ranks[k];
  }
  Node whole;
  whole.mark = root.mark;
  for (Node& tree : trees) merge(whole, std::move(tree));
  merge(whole, std::move(root));
  root = std::move(whole);
  return below;
}
}  // namespace

void include_files(Node& root, const std::filesystem::path& file, bool untrusted,
                   std::vector<std::filesystem::path>* read) {
  Open open{file.parent_path(), untrusted, read, {file.lexically_normal()}};
  include_into(root, open);
}
}  // namespace mubody::io

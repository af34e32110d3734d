// Documents: Python's values as the tree that a TOML file gives, and back.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "mubody/reading/describe.h"
#include "mubody/text/write_toml.h"
#include "python/bind.h"

namespace mubody::python {
namespace {
using io::Mark;
using io::Node;

// Everything that comes from Python has a number of its own in place of a column, by which messages find it again, and a
// rank that keeps the order in which it was said.
int next_number() {
  static std::atomic<int> last = 0;
  return ++last;
}

void mark_all(Node& node, const Mark& mark) {
  node.mark = mark;
  node.mark.column = next_number();
  for (Node::Key& key : node.keys) {
    key.mark = mark;
    key.mark.column = next_number();
  }
  for (Node& item : node.items) mark_all(item, mark);
}

Node* child(Node& node, const std::string& key) {
  if (!node.is(Node::Kind::array)) return node.find(key);
  std::size_t k = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), k);
  const bool whole = error == std::errc() && end == key.data() + key.size();
  return whole && k < node.items.size() ? &node.items[k] : nullptr;
}

std::string dotted(const std::vector<std::string>& path) { return fmt::format("{}", fmt::join(path, ".")); }

/// A list may hold itself: Python's own limit of recursion ends that.
struct Depth {
  Depth() {
    if (Py_EnterRecursiveCall(" in a value of a model")) throw py::error_already_set();
  }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  ~Depth() { Py_LeaveRecursiveCall(); }
};

Node scalar(Node::Kind kind, double number, std::string text = "") {
  Node node;
  node.kind = kind;
  node.number = number;
  node.text = std::move(text);
  return node;
}

Node array_of(const py::iterable& all) {
  Node node;
  node.kind = Node::Kind::array;
  for (const py::handle item : all) node.items.push_back(node_of(item));
  return node;
}

Node table_of(const py::dict& all) {
  Node node;
  for (const auto& [key, value] : all) {
    if (!py::isinstance<py::str>(key)) throw py::type_error("keys of a table are strings");
    node.keys.push_back({key.cast<std::string>(), {}});
    node.items.push_back(node_of(value));
  }
  return node;
}
}  // namespace

namespace {
// Where relative names of files are looked for; empty if it has gone.
std::string present_folder() {
  std::error_code none;
  return std::filesystem::current_path(none).string();
}

std::string type_of(py::handle value) { return py::str(py::type::handle_of(value).attr("__name__")); }
}  // namespace

double number_of(py::handle value, const std::string& what) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number != -1 || !PyErr_Occurred()) return number;
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();  // it is too large
  PyErr_Clear();
  throw py::type_error(what + " is a number, got " + type_of(value));
}

std::string text_of(py::handle value, const std::string& what) {
  if (!py::isinstance<py::str>(value)) throw py::type_error(what + " is a text, got " + type_of(value));
  return py::reinterpret_borrow<py::str>(value);
}

Node node_of(py::handle value) {
  const Depth depth;
  if (py::isinstance<py::bool_>(value)) return scalar(Node::Kind::boolean, value.cast<bool>() ? 1 : 0);
  if (py::isinstance<py::int_>(value)) {
    const double number = PyLong_AsDouble(value.ptr());
    if (PyErr_Occurred()) throw py::error_already_set();  // it is too large
    return scalar(Node::Kind::integer, number);
  }
  if (py::isinstance<py::float_>(value)) return scalar(Node::Kind::number, value.cast<double>());
  if (py::isinstance<py::str>(value)) return scalar(Node::Kind::string, 0, value.cast<std::string>());
  if (py::isinstance<py::dict>(value)) return table_of(py::reinterpret_borrow<py::dict>(value));
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value))
    return array_of(py::reinterpret_borrow<py::iterable>(value));
  // Arrays and numbers of numpy.
  if (py::hasattr(value, "tolist")) return node_of(py::object(value.attr("tolist")()));
  throw py::type_error("expected a number, a text, true or false, a list or a table, got " + type_of(value));
}

py::object value_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::table: {
      py::dict all;
      for (std::size_t k = 0; k < node.items.size(); ++k)
        all[py::str(node.keys[k].name)] = value_of(node.items[k]);
      return all;
    }
    case Node::Kind::array: {
      py::list all;
      for (const Node& item : node.items) all.append(value_of(item));
      return all;
    }
    case Node::Kind::string: return py::str(node.text);
    case Node::Kind::number: return py::float_(node.number);
    case Node::Kind::integer: return py::reinterpret_steal<py::object>(PyLong_FromDouble(node.number));
    case Node::Kind::boolean: return py::bool_(node.number != 0);
    case Node::Kind::date: break;
  }
  return py::none();
}

Document::Document(std::string file, bool untrusted)
    : file_(std::move(file)), untrusted_(untrusted), folder_(present_folder()) {}

std::string Document::path() const {
  return present_folder() == folder_ ? file_ : (std::filesystem::path(folder_) / file_).string();
}

Document Document::read(const std::string& path, bool untrusted) {
  Document d(path, untrusted);
  d.model_ = std::make_shared<const io::ModelText>(path, io::Settings({}, untrusted));
  d.read_at_ = path;
  d.root_ = d.model_->root();
  d.text_ = d.model_->text();
  return d;
}

Document Document::parse(const std::string& text, const std::string& file, bool untrusted) {
  Document d(file, untrusted);
  d.root_ = io::model_tree(text, file, io::Settings({}, untrusted));
  d.text_ = text;
  return d;
}

const Node* Document::find(const std::vector<std::string>& path) const {
  const Node* node = &root_;
  for (const std::string& key : path)
    if (!(node = child(const_cast<Node&>(*node), key))) return nullptr;
  return node;
}

// Functions that stood where something else stands now.
void Document::forget_functions(const std::vector<std::string>& path) {
  std::erase_if(callbacks, [&](const KeptCallback& c) {
    return c.path.size() >= path.size() && std::equal(path.begin(), path.end(), c.path.begin());
  });
}

void Document::set(const std::vector<std::string>& path, Node value, const std::string& file, int line) {
  constexpr std::size_t deepest = 64;  // files are not deeper
  if (path.size() > deepest)
    throw py::value_error(fmt::format("a key has at most {} parts, got {}", deepest, path.size()));
  const Mark mark{std::make_shared<const std::string>(file), std::max(line, 1), 0, next_number()};
  Node* node = &root_;
  for (std::size_t k = 0; k < path.size(); ++k) {
    Node* next = child(*node, path[k]);
    if (!next && !node->is(Node::Kind::table))
      throw py::key_error(
          fmt::format("'{}': there is no '{}' in {}", dotted(path), path[k], io::described(*node)));
    if (!next) {
      Mark here = mark;
      here.column = next_number();
      node->keys.push_back({path[k], here});
      next = &node->items.emplace_back();
      next->mark = here;
    }
    node = next;
  }
  mark_all(value, mark);
  *node = std::move(value);
  forget_functions(path);
  text_.clear();
  model_ = nullptr;
}

bool Document::remove(const std::vector<std::string>& path) {
  Node* node = &root_;
  for (std::size_t k = 0; k + 1 < path.size(); ++k)
    if (!(node = child(*node, path[k]))) return false;
  Node* const last = path.empty() ? nullptr : child(*node, path.back());
  if (!last) return false;
  const auto k = last - node->items.data();
  node->items.erase(node->items.begin() + k);
  if (node->is(Node::Kind::table)) node->keys.erase(node->keys.begin() + k);
  forget_functions(path);
  text_.clear();
  model_ = nullptr;
  return true;
}

Reading Document::reading() const {
  if (const std::string now = path(); !model_ || now != read_at_) {
    model_ = std::make_shared<const io::ModelText>(root_, now, untrusted_);
    read_at_ = now;
  }
  py::list functions;
  for (const KeptCallback& c : callbacks) functions.append(c.keeps);
  return {model_, {callbacks.begin(), callbacks.end()}, functions};
}

namespace {
// The parts of a key, which the reader of changes has found to be one.
std::vector<std::string> parts_of(const std::string& key) {
  std::vector<std::string> all(1);
  for (const char c : key) {
    if (c == '.')
      all.emplace_back();
    else if (c != ' ' && c != '\t')
      all.back() += c;
  }
  return all;
}

// Functions whose place a change takes: that of their value, of what holds it, or of a part of it.
std::vector<Callback> without_changed(std::vector<Callback> all, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const std::vector<std::string> path = parts_of(setting.substr(0, setting.find('=')));
    std::erase_if(all, [&](const Callback& c) {
      const std::size_t both = std::min(path.size(), c.path.size());
      return both > 0 && std::equal(path.begin(), path.begin() + std::ptrdiff_t(both), c.path.begin());
    });
  }
  return all;
}
}  // namespace

Study Reading::study(const std::vector<std::string>& settings, const RaisedRef& raised) const {
  Study study = model->with(settings);
  const std::vector<Callback> left = without_changed(callbacks, settings);
  if (left.empty()) return study;
  add_callbacks(study, left, raised);
  study.with = [left, raised, with = study.with](const std::string& parameter, double value) {
    Study other = with(parameter, value);
    add_callbacks(other, left, raised);
    return other;
  };
  return study;
}

std::string Document::toml() const {
  if (!callbacks.empty())
    throw ModelError(
        fmt::format("'{}' is a function in Python, which no file can hold", dotted(callbacks[0].path)));
  return text_.empty() ? io::toml_text(root_) : text_;
}

void bind_documents(py::module_& m) {
  using Path = std::vector<std::string>;
  const auto kept = seen_by_collector<Document>([](Document& d, const auto& take) {
    for (KeptCallback& c : d.callbacks) take(c.keeps);
  });
  py::class_<Document>(m, "Document", kept, "The tree of values of a model file.")
      .def(py::init<std::string>(), py::arg("file"))
      .def_static("read", &Document::read)
      .def_static("parse", &Document::parse)
      .def_property_readonly("file", &Document::file)
      .def_property_readonly("path", &Document::path)
      .def_property_readonly("untrusted", &Document::untrusted)
      .def_property_readonly("text", &Document::text)
      .def("get",
           [](const Document& d, const Path& path) -> py::object {
             const Node* node = d.find(path);
             if (!node) throw py::key_error(dotted(path));
             return value_of(*node);
           })
      .def("has", [](const Document& d, const Path& path) { return d.find(path) != nullptr; })
      .def("keys",
           [](const Document& d, const Path& path) {
             std::vector<std::string> all;
             if (const Node* node = d.find(path))
               for (const Node::Key& key : node->keys) all.push_back(key.name);
             return all;
           })
      .def("set", [](Document& d, const Path& path, py::handle value, const std::string& file,
                     int line) { d.set(path, node_of(value), file, line); })
      .def("remove", &Document::remove)
      .def("add_callback",
           [](Document& d, Path path, py::object function, std::uintptr_t address, Path reads) {
             d.callbacks.push_back({{std::move(path), function, address, std::move(reads)}, function});
           })
      .def_property_readonly("callbacks",
                             [](const Document& d) {
                               py::list all;
                               for (const KeptCallback& c : d.callbacks)
                                 all.append(py::make_tuple(c.path, c.function, c.address, c.reads));
                               return all;
                             })
      .def("toml", &Document::toml)
      .def("check",
           [](const Document& d) {
             const Reading reading = d.reading();
             in_terms_of(d, [&] { reading.study({}); });
           })
      .def("data_files",
           [](const Document& d) {
             io::DataFiles data;
             const Reading reading = d.reading();
             in_terms_of(d, [&] { reading.model->with({}, &data); });
             std::vector<std::string> names;
             for (const auto& file : data) names.push_back(file.string());
             return names;
           })
      .def("copy", [](const Document& d) { return Document(d); });
  m.def(
      "toml_text", [](const py::dict& table) { return io::toml_text(node_of(table)); },
      "A table as the text of a TOML file.");
  m.def("describe_json", [] { return io::describe_json(io::describe()); });
}
}  // namespace mubody::python

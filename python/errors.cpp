// The user's mistakes as exceptions of Python, which know the element and the key that they are about.
#include <optional>

#include <fmt/format.h>

#include "mubody/text/write_file.h"
#include "python/bind.h"

namespace mubody::python {
namespace {
using io::Node;

// Where a place of a message stands in the document.
struct Found {
  std::vector<std::string> path;
  bool from_python = false;
};

bool is_at(const io::Mark& mark, const Place& place) {
  return mark.file && *mark.file == place.file && mark.line == place.line &&
         (place.column == 0 || mark.column == place.column);
}

std::optional<Found> find_place(const Node& node, const Place& place, std::vector<std::string>& path) {
  if (is_at(node.mark, place)) return Found{path, node.mark.rank > 0};
  for (std::size_t k = 0; k < node.items.size(); ++k) {
    const bool table = node.is(Node::Kind::table);
    path.push_back(table ? node.keys[k].name : std::to_string(k));
    if (table && is_at(node.keys[k].mark, place)) return Found{path, node.keys[k].mark.rank > 0};
    if (auto found = find_place(node.items[k], place, path)) return found;
    path.pop_back();
  }
  return {};
}

bool has_elements(const std::string& section) {
  for (const char* name : {"bodies", "markers", "joints", "drivers", "forces", "points", "signals", "inputs",
                           "outputs", "places", "parameters", "look"})
    if (section == name) return true;
  return false;
}

std::string joined(const std::vector<std::string>& path, std::size_t from) {
  return path.size() > from ? fmt::format("{}", fmt::join(path.begin() + std::ptrdiff_t(from), path.end(), "."))
                            : "";
}

py::object text_or_none(const std::string& text) {
  return text.empty() ? py::object(py::none()) : py::object(py::str(text));
}

py::object exception_of(const ModelError& e, const Node* root) {
  std::vector<std::string> path;
  const auto found = root && e.place.line > 0 ? find_place(*root, e.place, path) : std::nullopt;
  std::string message = e.what();
  Place place = e.place;
  // Changes come as arguments here, not as options.
  if (constexpr std::string_view option = "--set "; place.file.starts_with(option)) {
    place.file.erase(0, option.size());
    if (message.starts_with(option)) message.erase(0, option.size());
  }
  if (found && found->from_python) {
    const std::string before = text(place) + ": ";
    if (message.starts_with(before)) message.erase(0, before.size());
    place.column = 0;
    message = text(place) + ": " + message;
  }
  std::string element, key;
  if (found) {
    const bool named = found->path.size() > 1 && has_elements(found->path[0]);
    if (named) element = found->path[1];
    key = joined(found->path, named ? 2 : 0);
  }
  py::list others;
  for (const ModelError& other : e.others) others.append(exception_of(other, root));
  const auto number = [](int n) { return n > 0 ? py::object(py::int_(n)) : py::object(py::none()); };
  return py::module_::import("mubody.errors")
      .attr("ModelError")(message, text_or_none(place.file), number(place.line), number(place.column),
                          text_or_none(element), text_or_none(key), others);
}

[[noreturn]] void raise(const py::object& exception) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw py::error_already_set();
}
}  // namespace

void Document::rethrow(const ModelError& e) const { raise(exception_of(e, &root_)); }

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (const ModelError& e) {
      const py::object exception = exception_of(e, nullptr);
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
    } catch (const io::WriteError& e) {
      PyErr_SetString(PyExc_OSError, e.what());
    } catch (const py::cast_error&) {  // whose words are about C++
      PyErr_SetString(PyExc_TypeError, "a value of another type was expected");
    }
  });
}
}  // namespace mubody::python

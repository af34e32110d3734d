#pragma once
// What the sources of the Python module share.  docs/python/
//
// A model in Python is a document: the same tree of tables, arrays and values that a TOML file gives.  Everything that
// needs a mechanism reads it with the readers of files, so that there is one way from words to equations.
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "mubody/reading/read_model.h"
#include "mubody/results/results.h"
#include "mubody/simulation/simulation.h"
#include "mubody/study/options.h"
#include "mubody/text/columns/table_format.h"
#include "mubody/text/json.h"
#include "mubody/text/node.h"
#include "python/leaving.h"

namespace mubody::python {
namespace py = pybind11;

// Documents ----------------------------------------------------------------------------------------------------------

/// A function of the user's program that stands for a value of the document.
struct Callback {
  std::vector<std::string> path;   // as in {"forces", "motor", "moment"}; a number is an entry of an array
  py::handle function;             // of (t, state); whoever may call it keeps it
  std::uintptr_t address = 0;      // of a compiled function double(double t, const double* state), in its place
  std::vector<std::string> reads;  // what a compiled one is given of the state
};

/// A function that a document keeps.
struct KeptCallback : Callback {
  py::object keeps;
};

/// Exceptions of Python, kept while C++ is on the stack: the first one of every thread, since copies of a simulation share
/// their functions.  All is done with the interpreter's lock.
class Raised {
 public:
  /// Keeps an exception, unless there is one already.
  void keep(py::object exception);
  /// Takes over the exception that Python has set.
  void take_current();
  /// Hands over that of this thread; None if there is none.
  py::object taken();
  /// Raises it, if there is one.
  void rethrow();

  /// Functions of a study refer to it as long as there are any.
  static std::shared_ptr<Raised> make();

 private:
  std::map<std::thread::id, py::object> first_;
};

using RaisedRef = std::shared_ptr<Raised>;

/// A document as it was at one moment, for work without the interpreter's lock.
struct Reading {
  std::shared_ptr<const io::ModelText> model;
  std::vector<Callback> callbacks;
  py::object
      functions;  // a list of them: what may call them keeps it, and the garbage collector sees through that

  /// The study with these values changed, "key=value".  Throws ModelError.
  Study study(const std::vector<std::string>& settings, const RaisedRef& = nullptr) const;
};

class Document {
 public:
  std::vector<KeptCallback> callbacks;

  /// Made in Python, or of a file, which may come from a stranger.  Throws ModelError.
  explicit Document(std::string file, bool untrusted = false);
  static Document read(const std::string& path, bool untrusted);
  static Document parse(const std::string& text, const std::string& file, bool untrusted);

  const std::string& file() const { return file_; }
  bool untrusted() const { return untrusted_; }
  /// The file as it is found now: the program may have gone to another folder.
  std::string path() const;
  /// The file as it is; empty if the document was changed or made in Python.
  const std::string& text() const { return text_; }
  const io::Node& root() const { return root_; }
  const io::Node* find(const std::vector<std::string>& path) const;
  /// Sets a value, and makes the tables on the way.  Messages about it name a line of a program.
  void set(const std::vector<std::string>& path, io::Node value, const std::string& file, int line);
  /// Returns whether it was there.
  bool remove(const std::vector<std::string>& path);

  /// What the readers need; it stays as it is when the document is changed, as other threads may do meanwhile.
  Reading reading() const;
  std::string toml() const;
  /// The same in words: which element and which key a message is about.
  [[noreturn]] void rethrow(const ModelError&) const;

 private:
  void forget_functions(const std::vector<std::string>& path);

  io::Node root_;
  std::string file_, text_;
  bool untrusted_;
  std::string folder_;  // of the program when the document was made
  mutable std::shared_ptr<const io::ModelText> model_;
  mutable std::string read_at_;  // the path that model_ knows
};

/// Does work without the lock of the interpreter; a ModelError is told in terms of the document.  What a function in Python
/// has raised is raised again, if it got through.
template <class Work> auto in_terms_of(const Document& d, const Work& work, const RaisedRef& raised = nullptr) {
  try {
    Unlocked release;
    return work();
  } catch (const ModelError& e) {
    if (raised) raised->rethrow();
    d.rethrow(e);
  } catch (const std::exception&) {
    if (raised) raised->rethrow();
    throw;
  }
}

/// A number that was given for something, "an input", and a text.  Throws TypeError.
double number_of(py::handle value, const std::string& what);
std::string text_of(py::handle value, const std::string& what);
io::Node node_of(py::handle value);
py::object value_of(const io::Node&);
py::object value_of(const io::Json&);

// Results ------------------------------------------------------------------------------------------------------------

/// Results with what is needed to show and write them.
struct KeptResults {
  Results results;
  std::string summary;  // summary.json as text, of results that were stored; empty if it follows from them
  std::shared_ptr<const Study> study;  // null if it is not known
  std::string file, text;              // of the model
  std::vector<std::string> changes, units;
  std::string format{io::usual_format};  // of tables in folders
  py::object functions;                  // of the program, that the study may call
  bool untrusted = false;                // data of the model are read below its folder only

  std::string summary_text() const;
};
using ResultsRef = std::shared_ptr<KeptResults>;

/// The file of the model and what was changed, for reports and summaries.
void keep_model(KeptResults&, const Document&, const std::vector<std::string>& settings);

/// The progress of an analysis, which looks now and then whether the user wants to stop.
class Watching {
 public:
  explicit Watching(RaisedRef);
  bool operator()(double);

 private:
  RaisedRef raised_;
  double looked_;         // [s] when it did
  bool stopped_ = false;  // what follows a run that was stopped is not wanted either
};

/// A table as an array of rows, which are read where they are.
py::array rows_of(const py::object& results, std::size_t table);
/// Everything that is kept in a file: tables, lists and the summary, which states the rest; and the way back.
py::dict state_of(const py::object& results);
ResultsRef results_of(const py::dict& state);
/// The model of the results; null if it is not known.
std::shared_ptr<const Study> study_of(const KeptResults&);
/// Reactions, extremes and contacts.
py::dict lists_of(const Results&);
/// What the summary says of how a run went.
void take_summary(Results&, const io::Json& summary);

/// Before the first array is made: two threads that load numpy at once would wait for each other.
void load_numpy();
/// A vector of numbers that Python may read where they are; `owner` keeps them alive.
py::array view_of(const double* first, std::size_t count, std::size_t stride, py::handle owner);

// The parts of the module ----------------------------------------------------------------------------------------------
void bind_documents(py::module_&);
void bind_errors(py::module_&);
void bind_results(py::module_&);
void bind_runs(py::module_&);
void bind_simulation(py::module_&);
void bind_tangents(py::module_&);
void bind_batch(py::module_&);
void bind_device_batch(py::module_&);
void bind_sweep(py::module_&);
void bind_surveys(py::module_&);
void bind_pictures(py::module_&);
void bind_real_time(py::module_&);
void bind_callbacks(py::module_&);

/// What an object of Python holds; null before it is made.
template <class T> T* held_in(PyObject* self) {
  return reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder().value_ptr<T>();
}

/// Lets the garbage collector see what objects keep of the program: `Each`, a lambda without captures, hands every reference of
/// an object to a function.
template <class T, class Each> py::custom_type_setup seen_by_collector(Each) {
  return py::custom_type_setup([](PyHeapTypeObject* heap) {
    PyTypeObject& type = heap->ht_type;
    type.tp_flags |= Py_TPFLAGS_HAVE_GC;
    type.tp_traverse = [](PyObject* self, visitproc visit, void* arg) {
      Py_VISIT(Py_TYPE(self));
      int stop = 0;
      if (T* const it = held_in<T>(self))
        Each()(*it, [&](py::object& o) { stop = stop == 0 && o ? visit(o.ptr(), arg) : stop; });
      return stop;
    };
    type.tp_clear = [](PyObject* self) {
      if (T* const it = held_in<T>(self))
        Each()(*it, [](py::object& o) { const py::object gone = std::exchange(o, py::object()); });
      return 0;
    };
  });
}

/// Gives the study the functions of the document.
void add_callbacks(Study&, const std::vector<Callback>&, const RaisedRef&);
}  // namespace mubody::python

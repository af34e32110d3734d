#pragma once
// The verbs of the program: what each is asked, and what it answers with.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "mubody/results/results.h"
#include "mubody/study/options.h"

namespace mubody::cli {
/// What the shell is told; docs/reference and 'mubody --help' list them.
enum Exit {
  done = 0,
  failed = 1,  // usage, files that cannot be written, internal errors
  invalid_model = 2,
  not_assembled = 3,
  solver_failed = 4,  // results up to the failure are kept
  inaccurate = 5,     // the answer cannot be trusted, or misses the accuracy asked for in the model
  interrupted = 130,  // as shells have it: 128 + SIGINT
  terminated = 143    // 128 + SIGTERM
};

/// A mistake on the command line, or a folder that cannot be written to: no fault of the program.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct RunOptions {
  std::string model, out, analysis;
  std::vector<std::string> settings;  // key=value
  std::optional<std::string> report;  // a file; in the folder of the results if empty
  bool quiet = false, json = false;
  std::string report_text;   // a file for the report in the layout of MUBODYNA; none if empty
  std::optional<int> every;  // of the results in it
  bool full = false;         // all digits in it
};
struct ConvertOptions {
  std::string from, to, format;  // format: toml or mub; by the ending of `to` if empty
  std::vector<std::string> settings;
};
struct ReportOptions {
  std::string source, out;            // a model, or a folder of results
  std::string model;                  // that results belong to
  std::vector<std::string> settings;  // key=value
  bool quiet = false;
};
struct CheckOptions {
  std::string model;
  std::vector<std::string> settings;
  bool json = false;
};
struct ListOptions {
  std::string category, name, format = "text";
};
struct BenchOptions {
  std::vector<std::string> only;
  int largest = 0, repetitions = 5;
  std::string csv, report;  // files
  bool quiet = false;
};
struct StabilityOptions {
  std::string integrator, step, alpha, beta;  // empty if not given; numbers may have units
  std::string region;                         // a file
  std::string report;                         // a file
  std::optional<int> points;                  // along each axis of the region
  bool table = false;
};

struct AgreeOptions {
  std::string a, b, format = "text";
  std::vector<std::string> channels;  // all if empty
  std::optional<double> tolerance;    // of the largest difference, in the unit of each channel
};

struct CompareOptions {
  std::string model, out, reference, format = "text";
  std::string treatments;                                   // "baumgarte(alpha=20),projection"; all if empty
  std::vector<std::string> integrators, steps, tolerances;  // as in the model if empty; numbers may have units
  std::vector<std::string> settings;                        // key=value
  std::string limit = "60 s";                               // of CPU time for a run
  std::optional<int> repeat;                                // rounds through all methods
  std::optional<std::string> report;                        // a file; in the folder if empty
  bool quiet = false;
};

struct PictureOptions {
  std::string model, out, results;       // a folder of results, in place of a run
  std::string time, size, view, labels;  // "0.5 s", "800x560", "iso", "on" or "off"; empty if not given
  std::optional<int> strobe;             // instants on top of each other
  std::optional<double> exaggerate;      // gaps are drawn so many times as large
  std::vector<std::string> traces;       // points, joints or bodies
  std::vector<std::string> plot, phase;  // channels
  std::vector<std::string> settings;     // key=value
  bool transparent = false, quiet = false;
};

struct TopologyOptions {
  std::string model, format = "text";
  std::vector<std::string> chords;    // joints that shall be chords; as the program sees fit if empty
  std::vector<std::string> settings;  // key=value
};

struct IndependentOptions {
  std::string model, format = "text";
  std::string table;           // a CSV file along the motion; none if empty
  std::string coefficients;    // another
  std::string length = "1 m";  // of a slide that counts as much as a turn of 1 rad
  std::vector<std::string> chords, settings;
  std::vector<std::string> variables;  // that coefficients are for; the best ones if empty
  bool along = false, body = false, quiet = false;
};

struct SweepOptions {
  std::string model, out, format = "text";
  std::vector<std::string> vary;    // key=lo:hi:n
  std::vector<std::string> sample;  // kind and number of points; a grid if empty
  std::uint64_t seed = 1;
  std::vector<std::string> keep;
  std::vector<std::string> settings;  // key=value
  std::optional<int> threads, lanes;
  std::string report;  // a file
  bool resume = false, quiet = false;
};

struct PrecomputeOptions {
  std::string model, out, emit_c, name;  // emit_c: a folder; name: of the C files
  std::string bound = "1e-8", memory = "100MB";
  std::string step, real = "double", format = "text";
  std::vector<std::string> independent, ranges;  // NAME; NAME=LOW:HIGH
  std::vector<std::string> design;               // parameters
  std::vector<std::string> settings;             // key=value
  std::optional<int> order;
  bool quiet = false;
};

int run(const RunOptions&);
int report(const ReportOptions&);
int picture(const PictureOptions&);
int check(const CheckOptions&);
int convert(const ConvertOptions&);
int list(const ListOptions&);
int agree(const AgreeOptions&);
int stability(const StabilityOptions&);
int bench(const BenchOptions&);
int compare(const CompareOptions&);
int topology(const TopologyOptions&);
int independent(const IndependentOptions&);
int sweep(const SweepOptions&);
int precompute(const PrecomputeOptions&);

/// What the shell is told about results.
int exit_code(const Results&);

/// The model file that is meant: MODEL, or MODEL/model.toml or MODEL/model.mub if it is a folder.  Throws ModelError.
std::filesystem::path model_file(const std::string& model);

/// What an analysis has to say about a model that could be read, with the name of the file before it.
std::string located(const std::filesystem::path& file, const std::string& message);
/// The same with the place in the file, if it is known.
std::string located(const std::filesystem::path& file, const Place& place, const std::string& message);

/// The message on stderr.
void complain(const std::string& message);
}  // namespace mubody::cli

#include "mubody/fmi/export_fmu.h"

#include <algorithm>
#include <dlfcn.h>

#include <fmt/format.h>

#include "mubody/fmi/compiled_unit.h"
#include "mubody/fmi/fmu_page.h"
#include "mubody/fmi/zip_writer.h"
#include "mubody/text/checksum.h"
#include "mubody/text/paths.h"
#include "mubody/text/temporary.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;

// The name that the system has for this kind of machine.
#if defined(__aarch64__)
constexpr const char* platforms[] = {"aarch64-linux", "aarch64-linux"};
#elif defined(__x86_64__)
constexpr const char* platforms[] = {"linux64", "x86_64-linux"};
#else
constexpr const char* platforms[] = {"linux32", "x86-linux"};
#endif

/// The files of a model, where they lie to one another as in its folders.
struct ModelFiles {
  std::string model;  // its name among them
  std::vector<ZipEntry> all;
};

fs::path plain_path(const fs::path& file) { return fs::absolute(file).lexically_normal(); }

ModelFiles collected(const fs::path& model, const DataFiles& data) {
  fs::path root = plain_path(model).parent_path();
  for (const fs::path& file : data)
    while (!contains(root, plain_path(file))) root = root.parent_path();
  const auto name = [&](const fs::path& file) {
    return plain_path(file).lexically_relative(root).generic_string();
  };
  ModelFiles out{name(model), {}};
  const auto add = [&](const fs::path& file) {
    const std::string inside = name(file);
    if (std::ranges::any_of(out.all, [&](const ZipEntry& e) { return e.name == inside; })) return;
    out.all.push_back({inside, read_file(file, {"a file of the model", 1024, false})});
  };
  add(model);
  for (const fs::path& file : data) add(file);
  std::ranges::sort(out.all, {}, &ZipEntry::name);
  return out;
}

/// A copy of the files in a folder that is removed at the end.
class Unpacked {
 public:
  explicit Unpacked(const ModelFiles& files)
      : folder_(make_temporary_folder(fs::temp_directory_path(), "fmu")) {
    for (const ZipEntry& e : files.all) {
      fs::create_directories((folder_.path / e.name).parent_path());
      write_file(folder_.path / e.name, e.content);
    }
  }
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;
  ~Unpacked() {
    std::error_code ignored;
    fs::remove_all(folder_.path, ignored);
  }
  const fs::path& path() const { return folder_.path; }

 private:
  Temporary folder_;
};

// A number of 128 bits, written as identifiers of programs are.
std::string token_of(const std::vector<ZipEntry>& entries) {
  std::uint64_t first = empty_checksum, second = checksum("fmu");
  for (const ZipEntry& e : entries)
    for (const std::string_view part : {std::string_view(e.name), std::string_view(e.content)}) {
      first = wide_checksum(part, first);
      second = wide_checksum(part, second);
    }
  return fmt::format("{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}", first >> 32, first >> 16 & 0xffff,
                     first & 0xffff, second >> 48, second & 0xffffffffffff);
}

std::string library_name(const FmuExport& e, const FmuArchive& out) {
  return fmt::format("binaries/{}/{}.so", platforms[e.version == FmiVersion::v3 ? 1 : 0],
                     out.contents.identifier);
}

/// What people look at, at the places that the versions of FMI have for it.
void add_pictures(std::vector<ZipEntry>& entries, const FmuExport& e, const FmuContents& contents,
                  const FmuModel& model) {
  const std::string drawing = drawn_start(model);
  std::string report;
  if (e.report) report = fmu_report(model, e.model.filename().string(), e.settings, e.progress);
  entries.push_back({"documentation/index.html", fmu_page(contents, drawing, !report.empty())});
  if (!report.empty()) entries.push_back({"documentation/report.html", std::move(report)});
  if (std::string icon = fmu_icon(drawing); !icon.empty())
    entries.push_back(
        {e.version == FmiVersion::v3 ? "terminalsAndIcons/icon.png" : "model.png", std::move(icon)});
}

void check_within(const fs::path& folder, const DataFiles& data) {
  for (const fs::path& file : data)
    if (!contains(plain_path(folder), plain_path(file)))
      throw ModelError(
          fmt::format("the model names '{}' by its whole path, where an FMU on another machine finds "
                      "nothing: name it relative to the model",
                      file.string()));
}
void pack_full(const FmuExport& e, const ModelFiles& files, const FmuModel& model, FmuArchive& out) {
  FmuList list{{}, "model/" + files.model, model.tables(), e.settings, {}};
  list.cosimulation = out.contents.cosimulation, list.exchange = out.contents.exchange;
  list.states = out.contents.states, list.indicators = out.contents.indicators;
  for (const FmuScalar& v : out.contents.variables) list.variables.push_back({v.kind, v.of});
  std::vector<ZipEntry> entries = {{"modelDescription.xml", model_description(out.contents, e.version, "")},
                                   {library_name(e, out), e.library},
                                   {fmt::format("resources/{}", fmu_list_name), fmu_list_text(list)}};
  for (const ZipEntry& f : files.all) entries.push_back({"resources/model/" + f.name, f.content});
  add_pictures(entries, e, out.contents, model);
  out.token = list.token = token_of(entries);
  entries[0].content = model_description(out.contents, e.version, out.token);
  entries[2].content = fmu_list_text(list);
  out.bytes = zip_of(entries);
}

// The model is in the code: there are no resources.
void pack_compiled(const FmuExport& e, const FmuModel& model, FmuArchive& out) {
  if (model.tables())
    throw ModelError("generated code is of models and not of tables: --engine full takes them");
  const Study study = model.study({});
  out.fixed = model.parameters().size();
  out.contents = compiled_contents(std::move(out.contents), study);
  auto [sources, notes] = compiled_unit(out.contents, study, e.version);
  for (const ZipEntry& s : sources)
    if (s.name.ends_with(".c")) out.contents.sources.push_back(s.name);
  out.token = token_of(sources);
  put_token(sources, out.token);
  out.notes = std::move(notes);
  std::vector<ZipEntry> entries = {
      {"modelDescription.xml", model_description(out.contents, e.version, out.token)},
      {library_name(e, out), compiled_library(sources)}};
  for (ZipEntry& s : sources) entries.push_back({"sources/" + s.name, std::move(s.content)});
  if (e.version == FmiVersion::v3)
    entries.push_back({"sources/buildDescription.xml", build_description(out.contents)});
  add_pictures(entries, e, out.contents, model);
  out.bytes = zip_of(entries);
}
}  // namespace

FmuArchive export_fmu(const FmuExport& e, DataFiles* data) {
  const FmuModel model(e.model, e.settings);
  const auto files_of = [&](const fs::path& file) {
    DataFiles used;
    if (model.tables())
      FmuModel(file, e.settings).study({}, &used);
    else
      read_study(file.string(), e.settings, &used);
    return used;
  };
  const DataFiles used = files_of(e.model);
  if (data) *data = used;
  FmuArchive out;
  out.contents = fmu_contents(model, e.wishes);
  const ModelFiles files = collected(e.model, used);
  out.files = files.all.size();
  if (e.compiled) {
    pack_compiled(e, model, out);
    return out;
  }
  // Where others unpack the archive, the model finds its files in it.
  const Unpacked copy(files);
  check_within(copy.path(), files_of(copy.path() / files.model));
  pack_full(e, files, model, out);
  return out;
}

bool is_our_fmu(std::string_view beginning) {
  return beginning.starts_with("PK") && beginning.find("generationTool=\"mubody") != beginning.npos;
}

fs::path fmu_library() {
  std::vector<fs::path> beside;
  std::error_code failed;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", failed); !failed) beside.push_back(program);
  // In a module of Python, the code lies in a library of its own.
  if (Dl_info info{}; dladdr(reinterpret_cast<const void*>(&fmu_library), &info) != 0 && info.dli_fname)
    beside.push_back(fs::absolute(info.dli_fname, failed));
  for (const fs::path& place : beside)
    for (const char* folder : {".", "../lib/mubody", "../../bin"}) {
      const fs::path library = (place.parent_path() / folder / "mubody_fmu.so").lexically_normal();
      if (fs::is_regular_file(library, failed)) return library;
    }
  return {};
}
}  // namespace mubody::io

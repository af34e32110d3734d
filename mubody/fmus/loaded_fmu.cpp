#include "mubody/fmus/loaded_fmu.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <dlfcn.h>

#include <fmt/format.h>

#include "mubody/fmus/fmi2.h"
#include "mubody/fmus/fmi3.h"
#include "mubody/fmus/fmu_rules.h"

namespace mubody::io {
namespace {
/// A shared library whose functions are called by name.
class FmuCode {
 public:
  FmuCode(const std::filesystem::path& file, const FmuDescription& d, LoadedFmu::Listener listener)
      : listener_(std::move(listener)) {
    calling("dlopen");
    handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) throw FmuError(fmt::format("the library cannot be loaded: {}", dlerror()));
    std::string missing;
    for (const std::string& name : functions_of(d))
      if (!dlsym(handle_, name.c_str())) missing += (missing.empty() ? "" : ", ") + name;
    if (!missing.empty()) throw FmuError(fmt::format("the library does not have all functions: {}", missing));
  }
  FmuCode(const FmuCode&) = delete;
  FmuCode& operator=(const FmuCode&) = delete;

  /// Calls a function of that type; what it is called is stated as well, since a type has no name.
  template <class F, class... Arguments> auto call(const char* name, F*, const Arguments&... arguments) {
    calling(name);
    return reinterpret_cast<F*>(dlsym(handle_, name))(arguments...);
  }
  void say(const std::string& text) const {
    if (listener_.message) listener_.message(text);
  }

 private:
  void calling(const char* name) const {
    if (listener_.calling) listener_.calling(name);
  }
  LoadedFmu::Listener listener_;
  void* handle_ = nullptr;  // never unloaded: code of others may leave threads or handlers behind
};

template <class Status> void expect_well(const char* function, Status status) {
  constexpr const char* words[] = {"ok", "warning", "discard", "error", "fatal", "pending"};
  if (int(status) < 0 || int(status) > 1)
    throw FmuError(fmt::format("{} returned {}", function,
                               int(status) >= 0 && int(status) < 6 ? words[status] : "no status"));
}

FmuEnd end_at(double t) { return FmuEnd(fmt::format("the FMU asks to end the motion at t = {} s", t)); }

#define FMU_CALL2(name, ...) \
  code_.call(#name, static_cast<decltype(&fmi2::name)>(nullptr) __VA_OPT__(, ) __VA_ARGS__)
#define FMU_WELL2(name, ...) expect_well(#name, FMU_CALL2(name, c_ __VA_OPT__(, ) __VA_ARGS__))
#define FMU_CALL3(name, ...) \
  code_.call(#name, static_cast<decltype(&fmi3::name)>(nullptr) __VA_OPT__(, ) __VA_ARGS__)
#define FMU_WELL3(name, ...) expect_well(#name, FMU_CALL3(name, c_ __VA_OPT__(, ) __VA_ARGS__))

std::string said_version(const char* version) {
  if (!version) throw FmuError("the library says no version: its function returns a null pointer");
  return version;
}

std::string uri_of(const std::filesystem::path& folder) {
  std::string uri = "file://";
  for (const char c : std::filesystem::absolute(folder).string())
    if (std::isalnum(static_cast<unsigned char>(c)) ||
        std::string_view("/._-~").find(c) != std::string_view::npos)
      uri += c;
    else
      uri += fmt::format("%{:02X}", unsigned(static_cast<unsigned char>(c)));
  return uri;
}

const std::size_t one = 1;

class LoadedFmu2 final : public LoadedFmu {
 public:
  LoadedFmu2(const std::filesystem::path& folder, const FmuDescription& d, Listener listener)
      : code_(folder / library_entry(d, *d.cosimulation), d, std::move(listener)), token_(d.token),
        resources_(uri_of(folder / "resources")) {}

  std::string version() override { return said_version(FMU_CALL2(fmi2GetVersion)); }
  void instantiate(const std::string& name) override {
    callbacks_ = {log, std::calloc, std::free, nullptr, &code_};
    const fmi2::Callbacks* const callbacks = &callbacks_;
    c_ = FMU_CALL2(fmi2Instantiate, name.c_str(), fmi2::co_simulation, token_.c_str(), resources_.c_str(),
                   callbacks, 0, 1);
    if (!c_) throw FmuError("fmi2Instantiate returned nothing");
  }
  void enter_initialization(double start, std::optional<double> stop,
                            std::optional<double> tolerance) override {
    FMU_WELL2(fmi2SetupExperiment, tolerance.has_value(), tolerance.value_or(0), start, stop.has_value(),
              stop.value_or(0));
    FMU_WELL2(fmi2EnterInitializationMode);
  }
  void exit_initialization() override { FMU_WELL2(fmi2ExitInitializationMode); }
  double get(unsigned reference) override {
    double x = 0;
    FMU_WELL2(fmi2GetReal, &reference, one, &x);
    return x;
  }
  void set(unsigned reference, double value) override { FMU_WELL2(fmi2SetReal, &reference, one, &value); }
  double step(double t, double h) override {
    const fmi2::Status status = FMU_CALL2(fmi2DoStep, c_, t, h, 0);
    fmi2::Boolean ends = 0;
    if (status == fmi2::discard) FMU_CALL2(fmi2GetBooleanStatus, c_, fmi2::terminated, &ends);
    if (ends) throw end_at(last_time(t));
    expect_well("fmi2DoStep", status);
    return t + h;
  }
  void* save() override {
    void* state = nullptr;
    FMU_WELL2(fmi2GetFMUstate, &state);
    return state;
  }
  void restore(void* state) override { FMU_WELL2(fmi2SetFMUstate, state); }
  void release(void* state) override { FMU_WELL2(fmi2FreeFMUstate, &state); }
  void reset() override { FMU_WELL2(fmi2Reset); }
  void terminate() override { FMU_WELL2(fmi2Terminate); }
  void free_instance() override { FMU_CALL2(fmi2FreeInstance, std::exchange(c_, nullptr)); }

 private:
  double last_time(double t) {
    FMU_CALL2(fmi2GetRealStatus, c_, fmi2::last_successful_time, &t);
    return t;
  }
  static void log(void* environment, const char*, fmi2::Status, const char* category, const char* message,
                  ...) {
    va_list rest;
    va_start(rest, message);
    char text[2000];
    std::vsnprintf(text, sizeof(text), message ? message : "", rest);
    va_end(rest);
    static_cast<FmuCode*>(environment)->say(fmt::format("{}: {}", category ? category : "", text));
  }

  FmuCode code_;
  std::string token_, resources_;
  fmi2::Callbacks callbacks_{};
  void* c_ = nullptr;
};

class LoadedFmu3 final : public LoadedFmu {
 public:
  LoadedFmu3(const std::filesystem::path& folder, const FmuDescription& d, Listener listener)
      : code_(folder / library_entry(d, *d.cosimulation), d, std::move(listener)), token_(d.token),
        resources_(std::filesystem::absolute(folder / "resources").string() + "/") {}

  std::string version() override { return said_version(FMU_CALL3(fmi3GetVersion)); }
  void instantiate(const std::string& name) override {
    const fmi3::Reference* const none = nullptr;
    void* const environment = &code_;
    c_ = FMU_CALL3(fmi3InstantiateCoSimulation, name.c_str(), token_.c_str(), resources_.c_str(), false, true,
                   false, false, none, std::size_t(0), environment, &log, fmi3::Update(nullptr));
    if (!c_) throw FmuError("fmi3InstantiateCoSimulation returned nothing");
  }
  void enter_initialization(double start, std::optional<double> stop,
                            std::optional<double> tolerance) override {
    FMU_WELL3(fmi3EnterInitializationMode, tolerance.has_value(), tolerance.value_or(0), start,
              stop.has_value(), stop.value_or(0));
  }
  void exit_initialization() override { FMU_WELL3(fmi3ExitInitializationMode); }
  double get(unsigned reference) override {
    double x = 0;
    FMU_WELL3(fmi3GetFloat64, &reference, one, &x, one);
    return x;
  }
  void set(unsigned reference, double value) override {
    FMU_WELL3(fmi3SetFloat64, &reference, one, &value, one);
  }
  double step(double t, double h) override {
    bool event = false, ends = false, early = false;
    double last = t + h;
    const fmi3::Status status = FMU_CALL3(fmi3DoStep, c_, t, h, false, &event, &ends, &early, &last);
    if (ends && int(status) <= int(fmi3::discard)) throw end_at(last);
    expect_well("fmi3DoStep", status);
    return early ? last : t + h;
  }
  void* save() override {
    void* state = nullptr;
    FMU_WELL3(fmi3GetFMUState, &state);
    return state;
  }
  void restore(void* state) override { FMU_WELL3(fmi3SetFMUState, state); }
  void release(void* state) override { FMU_WELL3(fmi3FreeFMUState, &state); }
  void reset() override { FMU_WELL3(fmi3Reset); }
  void terminate() override { FMU_WELL3(fmi3Terminate); }
  void free_instance() override { FMU_CALL3(fmi3FreeInstance, std::exchange(c_, nullptr)); }

 private:
  static void log(void* environment, fmi3::Status, const char* category, const char* message) {
    static_cast<FmuCode*>(environment)
        ->say(fmt::format("{}: {}", category ? category : "", message ? message : ""));
  }

  FmuCode code_;
  std::string token_, resources_;
  void* c_ = nullptr;
};
#undef FMU_CALL2
#undef FMU_WELL2
#undef FMU_CALL3
#undef FMU_WELL3
}  // namespace

std::unique_ptr<LoadedFmu> LoadedFmu::open(const std::filesystem::path& folder, const FmuDescription& d,
                                           Listener listener) {
  if (!d.cosimulation) throw FmuError("the FMU is not for co-simulation");
  if (d.version == 3) return std::make_unique<LoadedFmu3>(folder, d, std::move(listener));
  return std::make_unique<LoadedFmu2>(folder, d, std::move(listener));
}
}  // namespace mubody::io

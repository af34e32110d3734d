#pragma once
// An FMU for co-simulation of anybody's, loaded into this process: its code runs here.
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "mubody/fmus/fmu_description.h"

namespace mubody::io {
/// A library that cannot be loaded, or a function of FMI that failed; the message names it.
struct FmuError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The FMU asks to end the motion, which it may.
struct FmuEnd : FmuError {
  using FmuError::FmuError;
};

class LoadedFmu {
 public:
  /// What the FMU says, and which function is called next.
  struct Listener {
    std::function<void(const std::string&)> message{};
    std::function<void(const char*)> calling{};
  };
  /// The FMU that lies unpacked in a folder.  Throws FmuError, also if functions are missing.
  static std::unique_ptr<LoadedFmu> open(const std::filesystem::path& folder, const FmuDescription&, Listener);
  virtual ~LoadedFmu() = default;

  // All of these throw FmuError if the FMU does not return that all is well.

  virtual std::string version() = 0;
  virtual void instantiate(const std::string& name) = 0;
  virtual void enter_initialization(double start, std::optional<double> stop,
                                    std::optional<double> tolerance) = 0;
  virtual void exit_initialization() = 0;
  virtual double get(unsigned reference) = 0;
  virtual void set(unsigned reference, double value) = 0;
  /// Goes on by h; returns the time that was reached, which is earlier if the FMU returns early.  Throws FmuEnd.
  virtual double step(double t, double h) = 0;
  virtual void* save() = 0;
  virtual void restore(void* state) = 0;
  virtual void release(void* state) = 0;
  virtual void reset() = 0;
  virtual void terminate() = 0;
  virtual void free_instance() = 0;
};
}  // namespace mubody::io

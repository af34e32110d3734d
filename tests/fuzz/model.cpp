// Model files: read and checked, never run.  What has been read can be written and read again.
#include <cmath>

#include "mubody/mubodyna/file.h"
#include "mubody/reading/read_model.h"
#include "mubody/text/toml.h"
#include "mubody/text/write_toml.h"
#include "tests/fuzz/fuzz.h"

using namespace mubody;
using namespace mubody::testing;

namespace {
void check_numbers(const Mechanism& m) {
  hold(m.gravity.allFinite(), "gravity is finite");
  for (const RigidBody& b : m.bodies)
    hold(std::isfinite(b.mass) && b.mass >= 0 && b.inertia.allFinite(), "masses are finite");
}

void check_written(std::string_view text) {
  const io::Node root = io::parse_toml(text, nowhere);
  const std::string written = io::toml_text(root);
  const auto again = accepted<ModelError>([&] { return io::parse_toml(written, nowhere); });
  hold(again && io::toml_text(*again) == written, "a model that is written is read again as it was");
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = text_in(data, size);
  const io::Settings stranger({}, true);
  const auto study = accepted<ModelError>([&] { return io::read_study_text(text, nowhere, stranger); });
  if (!study) return 0;
  check_numbers(study->mechanism);
  if (!io::mubodyna::is_mubodyna(text, nowhere)) check_written(text);
  return 0;
}

// Files of MUBODYNA: read, written and read again, and translated to a model.
#include "mubody/mubodyna/to_model.h"
#include "mubody/reading/read_model.h"
#include "mubody/text/toml.h"
#include "mubody/text/write_toml.h"
#include "tests/fuzz/fuzz.h"

using namespace mubody;
using namespace mubody::testing;
namespace mub = mubody::io::mubodyna;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = text_in(data, size);
  const std::string name = "no_such_folder/model.mub";
  mub::is_mubodyna(text, name);
  const auto file = accepted<ModelError>([&] { return mub::read_file(text, name); });
  if (!file) return 0;
  const std::string written = mub::text_of(*file);
  const auto again = accepted<ModelError>([&] { return mub::read_file(written, name); });
  hold(again && mub::text_of(*again) == written, "a file that is written is read again as it was");
  const auto model = accepted<ModelError>([&] { return mub::model_of(*file); });
  if (!model) return 0;
  const std::string toml = io::toml_text(*model);
  hold(accepted<ModelError>([&] { return io::parse_toml(toml, nowhere); }).has_value(), "its model is TOML");
  accepted<ModelError>([&] { return io::read_study_text(toml, nowhere, {{}, true}); });
  return 0;
}

// Files of precomputed models, whose checksum the mutator corrects, so that what comes after it is reached: read,
// written again, and run for some steps with the model that they contain.
#include <cstring>
#include <random>

#include "mubody/model/errors.h"
#include "mubody/precompute/run/real_time.h"
#include "mubody/reading/read_model.h"
#include "mubody/reading/real_time_file.h"
#include "tests/fuzz/fuzz.h"

using namespace mubody;
using namespace mubody::testing;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {
const std::string file = "no_such_folder/model.rt";

/// What comes after the first two lines; nothing if there are none.
std::string_view numbers_in(std::string_view bytes) {
  const std::size_t first = std::min(bytes.find('\n'), bytes.size()), second = bytes.find('\n', first + 1);
  return second == std::string_view::npos ? std::string_view() : bytes.substr(second + 1);
}

/// Uses a model as a run does.
bool use(const RealTimeModel& m, const Mechanism& mechanism) {
  RealTime run(m, mechanism);
  RealTime::State s = run.start();
  const BodyLayout layout(mechanism.dim);
  const auto bodies = Eigen::Index(mechanism.bodies.size());
  VecX q(layout.coordinates * bodies), u(layout.velocities * bodies);
  for (int k = 0; k < 5; ++k) {
    run.positions(s, q);
    run.velocities(s, u);
    run.kinetic(s), run.potential(s), run.series_error(s), run.turning();
    run.operations(), run.reads(), run.leapt(s), run.out_of_range(s);
    if (!run.step(s, 1e-3)) break;
  }
  return true;
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto model =
      accepted<ModelError>([&] { return io::real_time_from(std::string(text_in(data, size)), file); });
  if (!model) return 0;
  const std::string written = io::real_time_bytes(*model);
  const auto again = accepted<ModelError>([&] { return io::real_time_from(written, ""); });
  hold(again && io::real_time_bytes(*again) == written, "a model that is written is read again as it was");
  const auto study = accepted<ModelError>([&] {
    return io::read_study_text(model->text, nowhere, {model->settings, true});
  });
  if (study) accepted<ModelError>([&] { return use(*model, study->mechanism); });
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  std::minstd_rand random(seed);
  if (random() % 64 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string_view before = numbers_in(text_in(data, size));
  const std::size_t head = io::with_checksum("").size();
  if (most <= head) return size;
  std::string numbers(before);
  numbers.resize(most - head);
  const std::size_t used = std::min(before.size(), numbers.size());
  // Most of the file are counts of 8 bytes, of which a neighbouring value is more telling than any other.
  if (used >= 8 && random() % 4 == 0) {
    numbers.resize(used);
    numbers[random() % (used - 7)] += random() % 2 == 0 ? 1 : -1;
  } else {
    numbers.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(numbers.data()), used, numbers.size()));
  }
  const std::string bytes = io::with_checksum(numbers);
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

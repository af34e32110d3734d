#include "cli/sweep/inputs.h"

#include <fmt/format.h>

#include "mubody/text/checksum.h"
#include "mubody/text/text_file.h"

namespace mubody::cli {
io::DataFiles check_key(const io::ModelText& model, const SweptVariable& v, io::Quotes quotes) {
  const auto possible = v.distribution
                            ? std::vector{v.distribution->quantile(0.25), v.distribution->quantile(0.75)}
                            : std::vector{v.values.front(), v.values.back()};
  io::DataFiles data;
  try {
    (void)model.with({v.setting(possible[0])}, &data);
  } catch (const ModelError&) {
    data.clear();
    try {
      (void)model.with({v.setting(possible[1])}, &data);
    } catch (const ModelError&) {
      if (quotes == io::Quotes::shown || v.together.empty()) throw;
      throw ModelError(Place{v.together}, fmt::format("the model does not take its values for '{}'", v.key));
    }
  }
  return data;
}

std::uint64_t checksum_of(const io::DataFiles& files, std::uint64_t sum) {
  for (const std::filesystem::path& file : files) {
    sum = io::checksum(fmt::format("\n{}\n", file.filename().string()), sum);
    try {
      sum = io::checksum(io::read_file(file, io::files::data), sum);
    } catch (const io::FileError& e) {
      throw ModelError(Place{file.string()}, e.what());  // somebody has changed it since the model was read
    }
  }
  return sum;
}
}  // namespace mubody::cli

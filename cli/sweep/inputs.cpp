#include "cli/sweep/inputs.h"

#include <fmt/format.h>

#include "cli/exit.h"
#include "mubody/reading/real_time_file.h"
#include "mubody/text/checksum.h"
#include "mubody/text/text_file.h"

namespace mubody::cli {
SweptModel swept_model(const std::filesystem::path& file, const io::Settings& settings) {
  if (!io::is_real_time_file(file)) {
    io::ModelText text(file.string(), settings);
    std::string contents = text.text();
    return {std::move(text), std::move(contents)};
  }
  RealTimeModel model = io::read_real_time_file(file, settings.untrusted);
  for (const std::string& s : settings)
    for (const char* key : {"analysis.formulation", "analysis.treatment", "analysis.chords"})
      if (s.starts_with(key))
        throw UsageError(
            fmt::format("--set {}: tables have no constraints to treat; sweep the model itself", s));
  const io::Settings own(model.settings, settings.untrusted);
  io::Settings all = own;
  all.insert(all.end(), settings.begin(), settings.end());
  try {
    io::ModelText text(io::model_tree(model.text, model.file, all), model.file, settings.untrusted);
    std::string contents = io::real_time_bytes(model);
    const Study unchanged = io::read_study_text(model.text, model.file, own);
    return {std::move(text), std::move(contents),
            std::make_shared<const SweptTables>(std::move(model), unchanged)};
  } catch (const ModelError& e) {
    throw ModelError(Place{file.string()}, fmt::format("the model inside, {}", e.what()));
  }
}

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

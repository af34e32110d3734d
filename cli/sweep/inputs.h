#pragma once
// What a sweep reads besides its options.
#include "mubody/reading/read_model.h"
#include "mubody/sweep/tables.h"
#include "mubody/sweep/variable.h"
#include "mubody/text/quotes.h"

namespace mubody::cli {
/// A model that is swept, or the one that a precomputed model was made from, with the tables of that.
struct SweptModel {
  io::ModelText text;
  std::string contents;  // of the file, as far as results follow from it
  std::shared_ptr<const SweptTables> tables{};
};
/// Throws ModelError.
SweptModel swept_model(const std::filesystem::path&, const io::Settings&);

/// Refuses a key that the model does not know, which would fail at every point.  What the model says of a value from a file
/// quotes that file.  Returns the data files of the model.
io::DataFiles check_key(const io::ModelText& model, const SweptVariable& v, io::Quotes quotes);

/// Goes on with a checksum through the names and contents of data files, for they may change as well as the model.
std::uint64_t checksum_of(const io::DataFiles& files, std::uint64_t sum);
}  // namespace mubody::cli

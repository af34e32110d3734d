#pragma once
// What a sweep reads besides its options.
#include "mubody/reading/read_model.h"
#include "mubody/sweep/variable.h"
#include "mubody/text/quotes.h"

namespace mubody::cli {
/// Refuses a key that the model does not know, which would fail at every point.  What the model says of a value from a file
/// quotes that file.  Returns the data files of the model.
io::DataFiles check_key(const io::ModelText& model, const SweptVariable& v, io::Quotes quotes);

/// Goes on with a checksum through the names and contents of data files, for they may change as well as the model.
std::uint64_t checksum_of(const io::DataFiles& files, std::uint64_t sum);
}  // namespace mubody::cli

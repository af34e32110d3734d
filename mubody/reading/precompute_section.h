#pragma once
// [precompute]: which tables 'mubody precompute' makes of a model.
#include "mubody/precompute/precompute.h"
#include "mubody/reading/settings.h"
#include "mubody/reading/values.h"

namespace mubody::io {
PrecomputeOptions read_precompute(const Node& root, const Mechanism&, const Known&);

/// What the [precompute] section of a model file asks for.  Throws ModelError.
PrecomputeOptions read_precompute_options(const std::string& path, const Settings& overrides = {});
PrecomputeOptions read_precompute_options_text(std::string_view text, const std::string& name,
                                               const Settings& overrides = {});
}  // namespace mubody::io

#pragma once
// The reported accuracy of a channel.
#include <algorithm>
#include <string_view>

#include "mubody/results/results.h"

namespace mubody::testing {
inline const ChannelAccuracy& accuracy_of(const Results& r, std::string_view channel) {
  return r.accuracy.value().channels.at(
      std::size_t(std::ranges::find(r.accuracy->channels, channel, &ChannelAccuracy::channel) -
                  r.accuracy->channels.begin()));
}
}  // namespace mubody::testing

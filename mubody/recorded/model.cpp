#include "mubody/recorded/model.h"

#include "mubody/recorded/recording.h"

namespace mubody {
RecordedModel record(const Mechanism& m, const RecordingStart& start) {
  auto graph = std::make_unique<Computation>(start.parameter_of);
  return m.dim == 2 ? Recording<2>(m, start, std::move(graph)).take()
                    : Recording<3>(m, start, std::move(graph)).take();
}
CollectedNumbers collect(const Mechanism& m, const RecordingStart& start) {
  auto graph = std::make_unique<Computation>(Computation::Collecting{});
  return m.dim == 2 ? Recording<2>(m, start, std::move(graph)).collect()
                    : Recording<3>(m, start, std::move(graph)).collect();
}
}  // namespace mubody

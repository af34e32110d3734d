#include "mubody/lanes/summary.h"

namespace mubody::lanes {
Summary::Energies Summary::balance(const LaneModel& model, std::size_t kept, const Seen& seen) {
  const auto work = [&](int k) { return model.works() > 0 ? seen.works[k * W] : 0; };
  Energies e{seen.observed[kept * W], seen.observed[(kept + 1) * W], work(0), work(1), work(2), work(3), 0};
  if (first_) start_energy_ = e.kinetic + e.potential, start_potential_ = e.potential;
  e.residual = e.kinetic + e.potential - start_energy_ - e.drivers - e.supplied + e.lost;
  keep_largest(residual, std::abs(e.residual));
  for (const double x :
       {e.kinetic, std::abs(e.potential - start_potential_), std::abs(e.drivers), std::abs(e.supplied), e.lost})
    keep_largest(energy_scale, x);
  return e;
}

// The largest force times the size of the mechanism; see Recorder::note_loads().
void Summary::note_loads(const LaneModel& model, std::size_t kept, double length, const Seen& seen) {
  const double* next = seen.observed + (kept + 2) * W;
  double far = length, reaction = 0, load = 0;
  for (std::size_t k = 0; k < model.lengths().size(); ++k)
    if (model.lengths()[k]) far = std::max(far, std::abs(seen.q[k * W]));
  for (const bool is_length : model.row_lengths()) {
    reaction = std::max(reaction, std::abs(*next) * (is_length ? length : 1));
    next += W;
  }
  const int each = model.in_space() ? 6 : 3, slides = each / 2 + (model.in_space() ? 0 : 1);
  for (int k = 0; k < model.velocities(); ++k, next += W)
    load = std::max(load, std::abs(*next) * (k % each < slides ? length : 1));
  load_scale = std::max(load_scale, far / length * (reaction + load));
}

void Summary::take(const LaneModel& model, const std::vector<LaneKept>& kept, double length, const Seen& seen) {
  const Energies e = balance(model, kept.size(), seen);
  note_loads(model, kept.size(), length, seen);
  const auto value = [&](std::size_t k) {
    switch (kept[k].channel.kind) {
      case LaneChannel::recorded: return seen.observed[k * W];
      case LaneChannel::kinetic: return e.kinetic;
      case LaneChannel::potential: return e.potential;
      case LaneChannel::total: return e.kinetic + e.potential;
      case LaneChannel::driver_work: return e.drivers;
      case LaneChannel::applied_work: return e.supplied;
      case LaneChannel::dissipated: return e.dampers;
      default: return e.residual;
    }
  };
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const double x = value(k), time = kept[k].time;
    bool takes = true;
    switch (kept[k].what) {
      case LaneKept::last: break;
      case LaneKept::at: takes = std::abs(seen.t - time) <= 1e-12 * std::max(1.0, std::abs(time)); break;
      case LaneKept::max: takes = first_ || x > value_[k]; break;
      case LaneKept::min: takes = first_ || x < value_[k]; break;
    }
    if (takes) value_[k] = x, time_[k] = seen.t;
  }
  first_ = false;
}

std::vector<double> Summary::kept(const std::vector<LaneKept>& kept) const {
  std::vector<double> all;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    all.push_back(value_[k]);
    if (kept[k].what == LaneKept::max || kept[k].what == LaneKept::min) all.push_back(time_[k]);
  }
  return all;
}
}  // namespace mubody::lanes

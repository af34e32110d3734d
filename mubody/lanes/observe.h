#pragma once
// Results of motions in lanes: channels and energies at one result, and what is kept of them over all results.
#include "mubody/lanes/channels.h"
#include "mubody/lanes/equations.h"

namespace mubody {
/// The states of all lanes at a result, and the lanes for which a result is due.
struct Seen {
  const LaneReal *y, *a, *lambda;
  LaneReal t;
  LaneMask due;
};

/// What is kept of the results so far.
struct Summary {
  LaneReal *value, *time;  // one for each channel that is kept
  LaneReal rows{}, start_energy{}, start_potential{};
  LaneReal residual{}, energy_scale{}, load_scale{};

  void clear(int lane) {
    for (LaneReal* x : {&rows, &start_energy, &start_potential, &residual, &energy_scale, &load_scale})
      (*x)[lane] = 0;
  }
};

/// Energies at a result [J].
struct LaneEnergies {
  LaneReal kinetic, potential, supplied, dissipated, residual;
};

/// A component of a reaction: force or moment on one body of a joint, the moment about the joint's marker on
/// it.
MUBODY_INLINE LaneReal lane_reaction(const LaneStructure& s, const LaneReal* numbers, const LaneBody* bodies,
                                     const LaneTerms& t, const LaneReal* lambda, const LaneChannel& c) {
  int row = 0;
  for (int k = 0; k < c.owner; ++k) row += rows_of(s.joints[std::size_t(k)].kind);
  const auto& joint = s.joints[std::size_t(c.owner)];
  LaneReal general[3] = {LaneReal(0), LaneReal(0), LaneReal(0)};
  for (int r = row; r < row + rows_of(joint.kind); ++r)
    for (int k = 0; k < 3; ++k) general[k] -= lambda[r] * t.D[6 * r + 3 * c.side + k];
  if (c.component < 2) return general[c.component];
  const LaneReal* at = numbers + s.joint_at(c.owner) + 2 * c.side;
  const LanePoint p(bodies[c.side == 0 ? joint.i : joint.j], at[0], at[1]);
  return general[2] - (p.ux * general[1] - p.uy * general[0]);
}

MUBODY_INLINE LaneReal lane_value(const LaneStructure& s, const LaneReal* numbers, const LaneBody* bodies,
                                  const LaneTerms& t, const Seen& seen, const LaneEnergies& e,
                                  const LaneChannel& c) {
  const int nv = s.velocities();
  switch (c.kind) {
    case LaneChannel::body: {
      const int at = 3 * (c.owner - 1) + c.component % 3;
      return c.component < 3 ? seen.y[at] : c.component < 6 ? seen.y[nv + at] : seen.a[at];
    }
    case LaneChannel::point: {
      const int b = s.points[std::size_t(c.owner)];
      const LaneReal* at = numbers + s.point_at(c.owner);
      const LanePoint p(bodies[b], at[0], at[1]);
      const LaneReal zero(0);
      const LaneReal *a = seen.a + 3 * (b - 1), alpha = b == ground ? zero : a[2];
      switch (c.component) {
        case 0: return p.x;
        case 1: return p.y;
        case 2: return p.vx;
        case 3: return p.vy;
        case 4: return p.ax + (b == ground ? zero : a[0]) - alpha * p.uy;
        default: return p.ay + (b == ground ? zero : a[1]) + alpha * p.ux;
      }
    }
    case LaneChannel::reaction: return lane_reaction(s, numbers, bodies, t, seen.lambda, c);
    case LaneChannel::joint_angle: {
      const auto& joint = s.joints[std::size_t(c.owner)];
      const auto turn = [&](int b) MUBODY_INLINE_LAMBDA {
        return b == ground ? LaneReal(0) : seen.a[3 * (b - 1) + 2];
      };
      if (c.component == 1) return bodies[joint.j].w - bodies[joint.i].w;
      if (c.component == 2) return turn(joint.j) - turn(joint.i);
      return bodies[joint.j].angle - bodies[joint.i].angle + numbers[s.joint_at(c.owner) + 6];
    }
    case LaneChannel::kinetic: return e.kinetic;
    case LaneChannel::potential: return e.potential;
    case LaneChannel::total: return e.kinetic + e.potential;
    case LaneChannel::applied_work: return e.supplied;
    case LaneChannel::dissipated: return e.dissipated;
    case LaneChannel::residual: return e.residual;
  }
  return e.residual;
}

/// Takes a result into account in the lanes where one is due, as the recorder of a run and sweep/keep.cpp do
/// for one mechanism.
MUBODY_INLINE void observe(const LaneStructure& s, const LaneReal* numbers, const LaneBody* bodies,
                           const LaneTerms& t, const Seen& seen, const std::vector<LaneKept>& kept,
                           Summary& sum) {
  const int nv = s.velocities();
  const LaneMask first = sum.rows == 0, due = seen.due;
  const auto keep_largest = [&](LaneReal& most, const LaneReal& x)
                                MUBODY_INLINE_LAMBDA { most = choose(due & (x > most), x, most); };
  const auto largest = [](const LaneReal* x, int n) MUBODY_INLINE_LAMBDA {
    LaneReal most(0);
    for (int k = 0; k < n; ++k) most = larger(most, magnitude(x[k]));
    return most;
  };

  LaneEnergies e;
  e.kinetic = LaneReal(0), e.potential = t.stored;
  LaneReal size(0);
  for (int b = 0; b < s.bodies; ++b) {
    const LaneBody& body = bodies[b + 1];
    const LaneReal* of = numbers + s.body_at(b);
    e.kinetic += 0.5 * (of[0] * (body.vx * body.vx + body.vy * body.vy) + of[1] * body.w * body.w);
    e.potential -= of[0] * (numbers[0] * body.x + numbers[1] * body.y);
    size = larger(size, larger(magnitude(body.x), magnitude(body.y)));
  }
  e.supplied = s.has_power() ? seen.y[2 * nv] : LaneReal(0);
  e.dissipated = s.has_power() ? seen.y[2 * nv + 1] : LaneReal(0);
  sum.start_energy = choose(due & first, e.kinetic + e.potential, sum.start_energy);
  sum.start_potential = choose(due & first, e.potential, sum.start_potential);
  e.residual = e.kinetic + e.potential - sum.start_energy - e.supplied + e.dissipated;
  keep_largest(sum.residual, magnitude(e.residual));
  for (const LaneReal& x :
       {e.kinetic, magnitude(e.potential - sum.start_potential), magnitude(e.supplied), e.dissipated})
    keep_largest(sum.energy_scale, x);
  keep_largest(sum.load_scale, size * (largest(seen.lambda, s.rows()) + largest(t.Q, nv)));

  for (std::size_t k = 0; k < kept.size(); ++k) {
    const LaneReal x = lane_value(s, numbers, bodies, t, seen, e, kept[k].channel);
    LaneMask take = due;
    if (kept[k].what == LaneKept::at) {
      const double time = kept[k].time;
      take &= magnitude(seen.t - time) <= 1e-12 * (time > 1 ? time : time < -1 ? -time : 1);
    }
    if (kept[k].what == LaneKept::max) take &= first | (x > sum.value[k]);
    if (kept[k].what == LaneKept::min) take &= first | (x < sum.value[k]);
    sum.value[k] = choose(take, x, sum.value[k]);
    sum.time[k] = choose(take, seen.t, sum.time[k]);
  }
  sum.rows = choose(due, sum.rows + 1, sum.rows);
}
}  // namespace mubody

#pragma once
// The equations of motion of planar mechanisms side by side: those of mubody/joints and mubody/forces, written
// out in body coordinates for the kinds that lanes have.
//
//   Flores & Lankarani (2012), eqs. 47-66 (68 corrected), 128-134; Nikravesh (1988), sec. 4.2
//                                                                       docs/theory/lanes.md#equations
//
// The tests compare them with the system of one mechanism, number by number.
#include "mubody/lanes/structure.h"

namespace mubody {
/// The terms of all lanes at one instant.  Each row of D has six numbers, three for each body, even if that is
/// the ground.
struct LaneTerms {
  LaneReal *phi, *rate, *gamma, *D, *Q;
  LaneReal supplied, dissipated, stored;  // powers [W], potential energy of forces [J]
};

struct LaneBody {
  LaneReal x, y, vx, vy, w, angle, sine, cosine;
};

/// A point of a body: its position, its velocity, the part of its acceleration that is due to velocities, and
/// the arm to it.
struct LanePoint {
  LaneReal x, y, vx, vy, ax, ay, ux, uy;

  MUBODY_INLINE LanePoint(const LaneBody& b, const LaneReal& px, const LaneReal& py) {
    ux = b.cosine * px - b.sine * py;
    uy = b.sine * px + b.cosine * py;
    x = b.x + ux, y = b.y + uy;
    vx = b.vx - b.w * uy, vy = b.vy + b.w * ux;
    ax = -b.w * b.w * ux, ay = -b.w * b.w * uy;
  }
};

/// Sets the bodies from a state; the ground is the first.
MUBODY_INLINE void move_bodies(const LaneStructure& s, const LaneReal* q, const LaneReal* u, LaneBody* bodies) {
  const LaneReal zero(0);
  bodies[0] = {zero, zero, zero, zero, zero, zero, zero, LaneReal(1)};
  for (int b = 0; b < s.bodies; ++b) {
    LaneBody& body = bodies[b + 1];
    body.x = q[3 * b], body.y = q[3 * b + 1], body.angle = q[3 * b + 2];
    body.vx = u[3 * b], body.vy = u[3 * b + 1], body.w = u[3 * b + 2];
    sine_cosine(body.angle, body.sine, body.cosine);
  }
}

/// Computes Φ, Φ̇, γ and D.
MUBODY_INLINE void lane_constraints(const LaneStructure& s, const LaneReal* numbers, const LaneBody* bodies,
                                    const LaneTerms& t) {
  const LaneReal zero(0), one = LaneReal(1);
  int row = 0;
  const auto write = [&](const LaneReal& phi, const LaneReal& rate, const LaneReal& a, const LaneReal& xi,
                         const LaneReal& yi, const LaneReal& ti, const LaneReal& xj, const LaneReal& yj,
                         const LaneReal& tj) MUBODY_INLINE_LAMBDA {
    t.phi[row] = phi, t.rate[row] = rate, t.gamma[row] = -a;
    LaneReal* D = t.D + 6 * row++;
    D[0] = xi, D[1] = yi, D[2] = ti, D[3] = xj, D[4] = yj, D[5] = tj;
  };
  for (std::size_t k = 0; k < s.joints.size(); ++k) {
    const auto& joint = s.joints[k];
    const LaneReal* n = numbers + s.joint_at(int(k));
    const LaneBody &bi = bodies[joint.i], &bj = bodies[joint.j];
    const LanePoint i(bi, n[0], n[1]), j(bj, n[2], n[3]);
    const LaneReal dx = j.x - i.x, dy = j.y - i.y, dvx = j.vx - i.vx, dvy = j.vy - i.vy;
    if (joint.kind == LaneStructure::revolute || joint.kind == LaneStructure::fixed) {
      write(-dx, -dvx, i.ax - j.ax, one, zero, -i.uy, -one, zero, j.uy);
      write(-dy, -dvy, i.ay - j.ay, zero, one, i.ux, zero, -one, -j.ux);
    }
    if (joint.kind == LaneStructure::translational || joint.kind == LaneStructure::fixed) {
      // The angle without whole turns, in (−π, π].
      constexpr double turn = 6.283185307179586477;
      const LaneReal angle = bj.angle - bi.angle + n[6];
      const LaneReal turns = (angle * (1 / turn) + lane::rounder) - lane::rounder;
      write(angle - turns * turn, bj.w - bi.w, zero, zero, zero, -one, zero, zero, one);
    }
    if (joint.kind == LaneStructure::slot || joint.kind == LaneStructure::translational) {
      // y_i · d, where y_i turns with body i: ẏ_i = ω_i (−y_iy, y_ix).
      const LaneReal nx = bi.cosine * n[4] - bi.sine * n[5], ny = bi.sine * n[4] + bi.cosine * n[5];
      const LaneReal across = nx * dy - ny * dx;  // (−n_y, n_x) · d
      const LaneReal phi = nx * dx + ny * dy;
      const LaneReal a =
          -bi.w * bi.w * phi + 2 * bi.w * (nx * dvy - ny * dvx) + nx * (j.ax - i.ax) + ny * (j.ay - i.ay);
      write(phi, bi.w * across + nx * dvx + ny * dvy, a, -nx, -ny, nx * i.uy - ny * i.ux + across, nx, ny,
            ny * j.ux - nx * j.uy);
    }
    if (joint.kind == LaneStructure::distance) {
      const LaneReal length = root(dx * dx + dy * dy), inverse = 1 / length;
      const LaneReal nx = dx * inverse, ny = dy * inverse;
      const LaneReal rate = nx * dvx + ny * dvy;
      const LaneReal a =
          nx * (j.ax - i.ax) + ny * (j.ay - i.ay) + (dvx * dvx + dvy * dvy - rate * rate) * inverse;
      write(length - n[7], rate, a, -nx, -ny, nx * i.uy - ny * i.ux, nx, ny, ny * j.ux - nx * j.uy);
    }
  }
}

/// Computes Q, the powers and the potential energy of forces.
MUBODY_INLINE void lane_forces(const LaneStructure& s, const LaneReal* numbers, const LaneBody* bodies,
                               LaneTerms& t) {
  t.supplied = t.dissipated = t.stored = LaneReal(0);
  for (int b = 0; b < s.bodies; ++b) {
    const LaneReal mass = numbers[s.body_at(b)];
    t.Q[3 * b] = mass * numbers[0], t.Q[3 * b + 1] = mass * numbers[1], t.Q[3 * b + 2] = LaneReal(0);
  }
  const auto push = [&](int body, const LanePoint& at, const LaneReal& fx, const LaneReal& fy)
                        MUBODY_INLINE_LAMBDA {
                          if (body == ground) return;
                          LaneReal* Q = t.Q + 3 * (body - 1);
                          Q[0] += fx, Q[1] += fy, Q[2] += at.ux * fy - at.uy * fx;
                        };
  const auto twist = [&](int body, const LaneReal& moment) MUBODY_INLINE_LAMBDA {
    if (body != ground) t.Q[3 * (body - 1) + 2] += moment;
  };
  for (std::size_t k = 0; k < s.forces.size(); ++k) {
    const auto& force = s.forces[k];
    const LaneReal* n = numbers + s.force_at(int(k));
    const LaneBody &bi = bodies[force.i], &bj = bodies[force.j];
    const LanePoint i(bi, n[0], n[1]), j(bj, n[2], n[3]);
    switch (force.kind) {
      case LaneStructure::spring: {
        const LaneReal dx = i.x - j.x, dy = i.y - j.y, length = root(dx * dx + dy * dy), inverse = 1 / length;
        const LaneReal nx = dx * inverse, ny = dy * inverse;
        const LaneReal rate = nx * (i.vx - j.vx) + ny * (i.vy - j.vy), stretch = length - n[6];
        const LaneReal pull = n[4] * stretch + n[5] * rate;
        push(force.i, i, -pull * nx, -pull * ny);
        push(force.j, j, pull * nx, pull * ny);
        t.stored += 0.5 * n[4] * stretch * stretch;
        t.dissipated += n[5] * rate * rate;
        break;
      }
      case LaneStructure::torsion_spring: {
        const LaneReal stretch = bj.angle - bi.angle - n[6], rate = bj.w - bi.w;
        const LaneReal moment = n[4] * stretch + n[5] * rate;
        twist(force.i, moment);
        twist(force.j, -moment);
        t.stored += 0.5 * n[4] * stretch * stretch;
        t.dissipated += n[5] * rate * rate;
        break;
      }
      case LaneStructure::point_force:
        push(force.j, j, n[4], n[5]);
        t.supplied += n[4] * j.vx + n[5] * j.vy;
        break;
      case LaneStructure::moment:
        twist(force.j, n[4]);
        twist(force.i, -n[4]);
        t.supplied += n[4] * (bj.w - bi.w);
        break;
    }
  }
}
}  // namespace mubody

// Simbody: a tree of pins; a loop is closed by two equations in the plane, for a third would be redundant.
#include <Simbody.h>

#include "benchmarks/peers/peer.h"
#include "benchmarks/problems/clock.h"

namespace mubody::bench {
namespace {
struct Model {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  std::vector<SimTK::MobilizedBody> bodies;  // the ground first
  SimTK::State start;

  explicit Model(const Pins& pins) {
    SimTK::Force::UniformGravity(forces, matter, SimTK::Vec3(0, -pins.gravity, 0));
    bodies.push_back(matter.updGround());
    std::vector<SimTK::MobilizedBody::Pin> all;
    for (const Pins::Rod& rod : pins.rods) {
      const SimTK::Body::Rigid body(
          SimTK::MassProperties(rod.mass, SimTK::Vec3(0), SimTK::Inertia(rod.inertia)));
      all.emplace_back(bodies[std::size_t(rod.parent)],
                       SimTK::Transform(SimTK::Vec3(rod.on_parent.x, rod.on_parent.y, 0)), body,
                       SimTK::Transform(SimTK::Vec3(rod.on_self.x, rod.on_self.y, 0)));
      bodies.push_back(all.back());
    }
    for (const Pins::Loop& loop : pins.loops)
      for (const int axis : {0, 1}) {
        const SimTK::UnitVec3 normal(axis == 0 ? SimTK::XAxis : SimTK::YAxis);
        SimTK::Constraint::PointInPlane(bodies[std::size_t(loop.i)], normal,
                                        axis == 0 ? loop.at_i.x : loop.at_i.y, bodies[std::size_t(loop.j)],
                                        SimTK::Vec3(loop.at_j.x, loop.at_j.y, 0));
      }
    system.realizeTopology();
    start = system.getDefaultState();
    for (int body = 1; body <= int(pins.rods.size()); ++body) {
      all[std::size_t(body - 1)].setAngle(start, pins.relative_angle(body));
      all[std::size_t(body - 1)].setRate(start, pins.relative_omega(body));
    }
  }
};

PeerRun run(const Pins& pins, double end, bool fixed, double accuracy) {
  Model model(pins);
  PeerRun r;
  SimTK::State probe = model.start;
  const auto right_hand_side = [&](long times) {
    for (long k = 0; k < times; ++k) {
      probe.updQ()[0] += 1e-12;  // so that no two evaluations are the same
      model.system.realize(probe, SimTK::Stage::Acceleration);
    }
  };
  r.right_hand_side = fastest(right_hand_side, peer_measuring, peer_repetitions);

  SimTK::RungeKuttaMersonIntegrator integrator(model.system);
  if (fixed) integrator.setFixedStepSize(peer_step);
  integrator.setAccuracy(accuracy);
  SimTK::TimeStepper stepper(model.system, integrator);
  stepper.initialize(model.start);
  const double energy = model.system.calcEnergy(integrator.getState());
  for (long k = 1; double(k) * between_looks < end * (1 + 1e-9); ++k) {
    r.seconds += seconds_of([&] { stepper.stepTo(std::min(end, double(k) * between_looks)); });
    const SimTK::State& now = integrator.getState();
    model.system.realize(now, SimTK::Stage::Velocity);
    r.gap = std::max(r.gap, largest_gap(pins, [&](int body, const Spot& at) {
                       const SimTK::Vec3 p = model.bodies[std::size_t(body)].findStationLocationInGround(
                           now, SimTK::Vec3(at.x, at.y, 0));
                       return Spot{p[0], p[1]};
                     }));
    r.energy = std::max(r.energy, std::abs(model.system.calcEnergy(now) - energy));
  }
  r.angle = integrator.getState().getQ()[model.matter.getMobilizedBody(SimTK::MobilizedBodyIndex(pins.watched))
                                             .getFirstQIndex(integrator.getState())];
  return r;
}
}  // namespace

std::vector<Peer> simbody_peers() {
  return {{"Simbody", "Runge-Kutta-Merson, 1 ms",
           [](const Pins& p, double end) { return run(p, end, true, 1e-6); }},
          {"Simbody", "Runge-Kutta-Merson, 1e-8",
           [](const Pins& p, double end) { return run(p, end, false, 1e-8); }}};
}
}  // namespace mubody::bench

// MuJoCo: a tree of hinges; loops are closed by soft constraints, here as stiff as steps of 1 ms allow.
#include <cstring>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "benchmarks/peers/peer.h"
#include "benchmarks/problems/clock.h"

namespace mubody::bench {
namespace {
// A body with its children.  Its frame is given relative to its parent's, as at the start.
void write_body(const Pins& pins, int body, std::string& xml) {
  const Pins::Rod& rod = pins.rods[std::size_t(body - 1)];
  double x = rod.x, y = rod.y, angle = rod.angle;
  if (rod.parent != 0) {
    const Pins::Rod& on = pins.rods[std::size_t(rod.parent - 1)];
    const double dx = rod.x - on.x, dy = rod.y - on.y, c = std::cos(on.angle), s = std::sin(on.angle);
    x = c * dx + s * dy, y = c * dy - s * dx, angle = rod.angle - on.angle;
  }
  xml += fmt::format(
      "<body name='b{}' pos='{:.17g} {:.17g} 0' quat='{:.17g} 0 0 {:.17g}'>"
      "<inertial pos='0 0 0' mass='{:.17g}' diaginertia='{} {} {:.17g}'/>"
      "<joint name='j{}' type='hinge' axis='0 0 1' pos='{:.17g} {:.17g} 0'/>",
      body, x, y, std::cos(angle / 2), std::sin(angle / 2), rod.mass, rod.inertia, rod.inertia, rod.inertia,
      body, rod.on_self.x, rod.on_self.y);
  for (int k = 1; k <= int(pins.rods.size()); ++k)
    if (pins.rods[std::size_t(k - 1)].parent == body) write_body(pins, k, xml);
  xml += "</body>";
}

std::string model_of(const Pins& pins, const std::string& loop, const char* integrator) {
  std::string xml = fmt::format(
      "<mujoco><compiler angle='radian'/><option timestep='{}' gravity='0 {:.17g} 0' integrator='{}' "
      "tolerance='1e-14' iterations='100'><flag energy='enable'/></option><worldbody>",
      peer_step, -pins.gravity, integrator);
  for (int k = 1; k <= int(pins.rods.size()); ++k)
    if (pins.rods[std::size_t(k - 1)].parent == 0) write_body(pins, k, xml);
  xml += "</worldbody><equality>";
  for (const Pins::Loop& l : pins.loops) {
    const bool first = l.i != 0;
    const Spot& at = first ? l.at_i : l.at_j;
    const int other = first ? l.j : l.i;
    xml += fmt::format("<connect body1='b{}' {} anchor='{:.17g} {:.17g} 0' {}/>", first ? l.i : l.j,
                       other == 0 ? "" : fmt::format("body2='b{}'", other), at.x, at.y, loop);
  }
  return xml + "</equality></mujoco>";
}

struct Model {
  std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, decltype(&mj_deleteData)> data{nullptr, mj_deleteData};

  explicit Model(const std::string& xml) {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "model.xml", int(xml.size()));
    std::memcpy(files->filedata[mj_findFileVFS(files.get(), "model.xml")], xml.data(), xml.size());
    char why[1000] = "";
    model.reset(mj_loadXML("model.xml", files.get(), why, sizeof why));
    mj_deleteVFS(files.get());
    if (!model) throw std::runtime_error(fmt::format("MuJoCo: {}", why));
    data.reset(mj_makeData(model.get()));
  }
};

PeerRun run(const Pins& pins, double end, const std::string& loop, const char* integrator) {
  const Model whole(model_of(pins, loop, integrator));
  const mjModel* const m = whole.model.get();
  mjData* const d = whole.data.get();
  std::vector<int> at(pins.rods.size() + 1, 0);
  for (int body = 1; body <= int(pins.rods.size()); ++body) {
    at[std::size_t(body)] = mj_name2id(m, mjOBJ_BODY, fmt::format("b{}", body).c_str());
    const int joint = mj_name2id(m, mjOBJ_JOINT, fmt::format("j{}", body).c_str());
    d->qvel[m->jnt_dofadr[joint]] = pins.relative_omega(body);
  }
  const std::vector<double> q(d->qpos, d->qpos + m->nq), v(d->qvel, d->qvel + m->nv);
  PeerRun r;
  const auto right_hand_side = [&](long times) {
    for (long k = 0; k < times; ++k) {
      d->qpos[0] += 1e-12;  // so that no two evaluations are the same
      mj_forward(m, d);
    }
  };
  r.right_hand_side = fastest(right_hand_side, peer_measuring, peer_repetitions);

  mj_resetData(m, d);
  std::copy(q.begin(), q.end(), d->qpos);
  std::copy(v.begin(), v.end(), d->qvel);
  mj_forward(m, d);
  const double energy = d->energy[0] + d->energy[1];
  const long steps = std::lround(end / peer_step), looks = std::lround(between_looks / peer_step);
  for (long k = 0; k < steps; k += looks) {
    r.seconds += seconds_of([&] {
      for (long l = 0; l < looks; ++l) mj_step(m, d);
    });
    mj_forward(m, d);
    r.gap = std::max(
        r.gap, largest_gap(pins, [&](int body, const Spot& point) {
          const mjtNum *p = d->xpos + 3 * at[std::size_t(body)], *A = d->xmat + 9 * at[std::size_t(body)];
          return Spot{p[0] + A[0] * point.x + A[1] * point.y, p[1] + A[3] * point.x + A[4] * point.y};
        }));
    r.energy = std::max(r.energy, std::abs(d->energy[0] + d->energy[1] - energy));
  }
  const int joint = mj_name2id(m, mjOBJ_JOINT, fmt::format("j{}", pins.watched).c_str());
  r.angle = pins.rods[std::size_t(pins.watched - 1)].angle + d->qpos[m->jnt_qposadr[joint]];
  return r;
}
}  // namespace

std::vector<Peer> mujoco_peers() {
  return {{"MuJoCo", "RK4, 1 ms, stiff",
           [](const Pins& p, double end) {
             return run(p, end, "solref='0.002 1' solimp='0.9999 0.9999 0.001'", "RK4");
           }},
          {"MuJoCo", "as it comes, 1 ms", [](const Pins& p, double end) { return run(p, end, "", "Euler"); }}};
}
}  // namespace mubody::bench

// Sessions: a mechanism that follows the pointer, and a motion that is stepped while a hand may pull.  A session is an object
// of the module's memory, which the page closes.
#include "mubody/hand/drag.h"
#include "mubody/hand/handled_motion.h"
#include "wasm/module/answer.h"

namespace mubody::wasm {
namespace {
Json names_of(const Mechanism& m) {
  Json all = Json::array();
  for (const RigidBody& b : m.bodies) all.push_back(b.name);
  return all;
}

Answer answer_of(const Drag& drag, const Dragged& d) {
  Answer a = wasm::answer_of({{"distance", d.distance}, {"violation", d.violation}, {"steps", d.steps}});
  a.refer({drag.positions().data(), std::size_t(drag.positions().size())});
  return a;
}

/// Numbers that the page sends, one after the other.
class Numbers {
 public:
  Numbers(const double* at, std::size_t count) : rest_(at, count) {}
  double next() {
    if (rest_.empty()) throw std::invalid_argument("a number is missing");
    const double x = rest_[0];
    rest_ = rest_.subspan(1);
    return x;
  }
  int whole() { return int(next()); }
  Vec<3> vector() {
    const double x = next(), y = next(), z = next();
    return {x, y, z};
  }
  bool empty() const { return rest_.empty(); }

 private:
  std::span<const double> rest_;
};

/// Each lock: kind, body, point, other body, its point.
std::vector<Lock> locks_of(Numbers& numbers) {
  std::vector<Lock> all;
  while (!numbers.empty()) {
    Lock& l = all.emplace_back();
    l.kind = Lock::Kind(numbers.whole());
    l.body = numbers.whole(), l.at = numbers.vector();
    l.other = numbers.whole(), l.other_at = numbers.vector();
  }
  return all;
}

Answer open_drag(const Request& request) {
  auto drag = std::make_shared<Drag>(request.study(), request.list("drivers"));
  Answer a = answer_of(*drag, {});
  a.text = Json{{"dim", drag->dim()}, {"bodies", names_of(drag->mechanism())}}.dump();
  a.owner = drag;
  return a;
}
Drag& drag_of(Answer* session) { return *static_cast<Drag*>(session->owner.get()); }

struct Motion {
  HandledMotion held;
  std::vector<Output> read;  // channels that the page wants
};
Motion& motion_of(Answer* session) { return *static_cast<Motion*>(session->owner.get()); }

Answer state_of(Motion& motion, std::span<const Event> events) {
  Simulation& s = motion.held.simulation();
  const Outcome& outcome = s.outcome();
  Json happened = Json::array();
  for (const Event& e : events) happened.push_back({{"t", e.t}, {"kind", e.word()}, {"what", e.what}});
  const Vec<3> hand = motion.held.force();
  Answer a = wasm::answer_of({{"t", s.time()},
                              {"ok", bool(outcome)},
                              {"why", outcome.why},
                              {"events", happened},
                              {"hand", Json::array({hand.x(), hand.y(), hand.z()})}});
  a.keep(motion.held.positions());
  std::vector<double> values;
  for (const Output& o : motion.read) values.push_back(s.value(o));
  a.keep(std::move(values));
  return a;
}

Answer open_motion(const Request& request) {
  const Study study = request.study();
  auto motion = std::make_shared<Motion>(Motion{HandledMotion(study), {}});
  Simulation& s = motion->held.simulation();
  for (const std::string& name : request.list("channels")) motion->read.push_back(s.output(name));
  Json channels = Json::array();
  for (const Column& c : s.outputs()) channels.push_back({{"name", c.name}, {"unit", c.unit}});
  Answer a = state_of(*motion, {});
  a.text = Json{{"dim", motion->held.dim()},
                {"bodies", names_of(study.mechanism)},
                {"inputs", s.inputs()},
                {"channels", channels}}
               .dump();
  a.owner = motion;
  return a;
}
}  // namespace

MUBODY_EXPORT(mubody_drag_open) Answer* mubody_drag_open(const char* request, std::size_t size) {
  return answered([&] { return open_drag(Request(request, size)); });
}
/// Numbers: body, point, target, locks.
MUBODY_EXPORT(mubody_drag_pull)
Answer* mubody_drag_pull(Answer* session, const double* numbers, std::size_t count) {
  return answered([&] {
    Numbers n(numbers, count);
    const int body = n.whole();
    const Vec<3> at = n.vector(), target = n.vector();
    return answer_of(drag_of(session), drag_of(session).pull(body, at, target, locks_of(n)));
  });
}
/// Numbers: body, angle, locks.
MUBODY_EXPORT(mubody_drag_turn)
Answer* mubody_drag_turn(Answer* session, const double* numbers, std::size_t count) {
  return answered([&] {
    Numbers n(numbers, count);
    const int body = n.whole();
    const double angle = n.next();
    return answer_of(drag_of(session), drag_of(session).turn(body, angle, locks_of(n)));
  });
}
MUBODY_EXPORT(mubody_drag_place)
Answer* mubody_drag_place(Answer* session, const double* poses, std::size_t count) {
  return answered([&] {
    return answer_of(drag_of(session), drag_of(session).place(VecX::Map(poses, Eigen::Index(count))));
  });
}

MUBODY_EXPORT(mubody_motion_open) Answer* mubody_motion_open(const char* request, std::size_t size) {
  return answered([&] { return open_motion(Request(request, size)); });
}
MUBODY_EXPORT(mubody_motion_advance) Answer* mubody_motion_advance(Answer* session, double dt) {
  return answered([&] {
    Motion& m = motion_of(session);
    m.held.simulation().advance(dt);
    return state_of(m, m.held.simulation().events());
  });
}
/// Numbers: body, point, target, and stiffness and damping, negative where they are left out; none to let go.
MUBODY_EXPORT(mubody_motion_hand)
Answer* mubody_motion_hand(Answer* session, const double* numbers, std::size_t count) {
  return answered([&] {
    HandledMotion& held = motion_of(session).held;
    Numbers n(numbers, count);
    if (n.empty()) {
      held.let_go();
      return wasm::answer_of(Json());
    }
    Hand hand{.body = n.whole()};
    hand.at = n.vector(), hand.target = n.vector();
    if (const double k = n.next(); k >= 0) hand.stiffness = k;
    if (const double c = n.next(); c >= 0) hand.damping = c;
    held.take(hand);
    return wasm::answer_of(Json());
  });
}
MUBODY_EXPORT(mubody_motion_set)
Answer* mubody_motion_set(Answer* session, const char* request, std::size_t size, double value) {
  return answered([&] {
    Simulation& s = motion_of(session).held.simulation();
    s.set(s.input(Request(request, size)["input"]), value);
    return wasm::answer_of(Json());
  });
}
MUBODY_EXPORT(mubody_motion_reset) Answer* mubody_motion_reset(Answer* session) {
  return answered([&] {
    motion_of(session).held.reset();
    return state_of(motion_of(session), {});
  });
}
}  // namespace mubody::wasm

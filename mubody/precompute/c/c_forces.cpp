#include "mubody/precompute/c/c_forces.h"

#include <fmt/format.h>

#include "mubody/model/escape.h"
#include "mubody/recording/c_text.h"
#include "mubody/system/recorded_elements.h"

namespace mubody {
namespace {
[[noreturn]] void refuse(const Named<AnyForce>& force, std::string_view why) {
  throw ModelError(
      force.place,
      fmt::format("force '{}' ({}) is applied at run time and cannot be written in C: {}; leave it "
                  "out, or run the tables with 'mubody run'",
                  force.name, force.what->info().name, why));
}

/// Runs forces and drivers once with recorded numbers.  The inputs of the graph are those of mb_apply: time, scalars, their
/// rates, and where forces act on bodies coordinates and velocities of all of them and what is kept from step to step.
class RunTimeRecorder {
 public:
  RunTimeRecorder(const RealTimeModel& model, const Mechanism& m, const RealTime& run)
      : model_(model), m_(m), run_(run) {}

  RunTimeInC write() {
    record_forces();
    record_drivers();
    frame_.arguments = "const mb_real* x, mb_real* y";
    frame_.passed = "x, y";
    out_.code = tables_in_c(graph_, {apply_, keep_, drive_}, frame_);
    if (out_.applies) add(apply_, "Forces at run time: " + forces_);
    if (out_.kept > 0) add(keep_, "What they remember after a step");
    if (!out_.driven.empty()) add(drive_, "Value, rate and acceleration of variables that are driven");
    out_.apply_counts = operations(graph_, apply_);
    return std::move(out_);
  }

 private:
  void add(const Routine& r, const std::string& what) {
    out_.code += fmt::format("\n/* {}. */\n{}", what, routine_in_c(graph_, r, frame_));
  }
  Recorded input(int which) { return Recorded::input(graph_, which); }
  std::vector<Recorded> inputs(int first, int count) {
    std::vector<Recorded> all;
    for (int k = 0; k < count; ++k) all.push_back(input(first + k));
    return all;
  }
  int node(const Recorded& x) { return x.node_in(graph_); }

  void record_forces() {
    std::vector<std::pair<const Named<AnyForce>*, std::optional<ScalarForm>>> all;
    for (const int k : model_.run_time) {
      const auto& named = m_.forces[std::size_t(k)];
      all.emplace_back(&named, named.what->scalars(m_.dim));
      forces_ += (forces_.empty() ? "" : ", ") + for_c_comment(named.name);
      if (all.back().second) out_.scalars += int(all.back().second->sees.size());
    }
    out_.applies = !all.empty();
    const std::vector<Recorded> x = inputs(1, out_.scalars), v = inputs(1 + out_.scalars, out_.scalars);
    std::vector<const Named<AnyForce>*> on_bodies;
    int first = 0;
    for (const auto& [named, form] : all)
      if (form) {
        record_along(*named, *form, first, x.data() + first, v.data() + first);
        first += int(form->sees.size());
      } else {
        on_bodies.push_back(named);
      }
    out_.acts_on_bodies = !on_bodies.empty();
    if (m_.dim == 2)
      record_on_bodies<2>(on_bodies);
    else
      record_on_bodies<3>(on_bodies);
  }

  /// What a part of a force, as its law, says against its recording gets the name of the force.
  template <class Record> static void attempt(const Named<AnyForce>& named, const Record& record) {
    try {
      record();
    } catch (const ModelError& e) {
      refuse(named, e.what());
    }
  }

  void record_along(const Named<AnyForce>& named, const ScalarForm& form, int first, const Recorded* x,
                    const Recorded* v) {
    if (!form.recorded) refuse(named, "its form in scalars is written for doubles alone");
    std::vector<Recorded> F(form.sees.size());
    attempt(named, [&] { form.recorded(x, v, input(0), F.data()); });
    for (int a = 0; a < form.acts; ++a) {
      apply_.outputs.push_back(node(F[std::size_t(a)]));
      out_.along.push_back(first + a);
    }
  }

  template <int D> void record_on_bodies(const std::vector<const Named<AnyForce>*>& forces) {
    using F = Body<D, Recorded>;
    constexpr int P = F::coordinates, C = F::columns;
    if (forces.empty()) return;
    const int bodies = int(m_.bodies.size()), first = 1 + 2 * out_.scalars;
    const std::vector<Recorded> q = inputs(first, P * bodies), u = inputs(first + P * bodies, C * bodies);
    Recollection memory(graph_, first + (P + C) * bodies);
    RecordedMotion<D> motion{.t = input(0), .memory = &memory};
    motion.bodies.resize(m_.bodies.size() + 1);
    for (int b = 0; b < bodies; ++b)
      F::unpack(q.data() + P * b, u.data() + C * b, motion.bodies[std::size_t(b + 1)]);
    std::vector<Recorded> Q(std::size_t(C * bodies));
    for (const Named<AnyForce>* named : forces) {
      const ForceRecorders& recorders = named->what->entry().recorders();
      const auto record = recorders.template in<D>();
      if (!record) refuse(*named, recorders.why_not);
      RecordedForce<D> force;
      attempt(*named, [&] { record(*named->what, motion, force); });
      force.Q.each([&](int at, const auto& columns) {
        for (int k = 0; k < C; ++k) Q[std::size_t(at + k)] += columns[k];
      });
    }
    for (const Recorded& one : Q) apply_.outputs.push_back(node(one));
    for (const Recollection::Kept& k : memory.all()) keep_.outputs.push_back(node(k.next));
    out_.kept = int(memory.all().size());
  }

  void record_drivers() {
    for (const RealTime::Driven& d : run_.driven()) {
      JetOf<Recorded> f;
      try {
        f = d.follows(input(0));
      } catch (const ModelError& e) {
        throw ModelError(fmt::format("driver '{}' cannot be written in C: {}",
                                     model_.regions.front().variables[d.variable].name, e.what()));
      }
      for (const Recorded& one : {f.x - d.shift, f.v, f.a}) drive_.outputs.push_back(node(one));
      out_.driven.push_back(int(d.variable));
    }
  }

  const RealTimeModel& model_;
  const Mechanism& m_;
  const RealTime& run_;
  Computation graph_;
  Routine apply_{"mb_apply", {}}, keep_{"mb_keep", {}}, drive_{"mb_drive", {}};
  CFrame frame_;
  std::string forces_;  // their names
  RunTimeInC out_;
};
}  // namespace

RunTimeInC run_time_in_c(const RealTimeModel& model, const Mechanism& m, const RealTime& run) {
  return RunTimeRecorder(model, m, run).write();
}
}  // namespace mubody

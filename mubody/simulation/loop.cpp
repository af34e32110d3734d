#include "mubody/simulation/loop.h"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "mubody/math/finite.h"
#include "mubody/mechanism/functions_of_time.h"
#include "mubody/simulation/creep.h"
#include "mubody/simulation/verdict.h"

namespace mubody {
Simulation::Loop::Loop(const Study& study, std::string_view analysis, MakeEngine make, Rows rows,
                       std::optional<double> every, const GivenInputs& given)
    : study_(study), patience_(study.analysis.patience), analysis_(analysis), make_engine_(std::move(make)),
      rows_(rows), every_(every), given_(given), inputs_(study_.mechanism, given, study.analysis.start),
      switches_(study_.mechanism), begun_(begin_lasting(study_, analysis)), time_(study_.analysis.start),
      goal_(time_), paced_from_(time_),
      is_driven_(std::ranges::any_of(study_.mechanism.joints, [](const auto& j) { return bool(j.driver); })),
      varies_(!functions_of_time(study_.mechanism).empty()) {
  AnalysisOptions& o = study_.analysis;
  results().integrator = o.integrator;
  results().treatment = std::string(o.treatment->info().name);
  if (!results().outcome) return;
  if (rows_ == Rows::output_times) {
    times_ = study_.output.at(o);
    goal_ = o.end;
    o.control.max_step = o.control.longest_over(o.end - o.start);
  }
  kind_ = o.method();
  engine_ = make_engine_(study_, begun_);
  control_ = engine_->control(o.control, kind_->adaptive);
  recorder_ = std::make_unique<Recorder>(engine_->system(), engine_->bodies(), study_.output, results(), true);
  contacts_ = std::make_unique<ContactWatch>(engine_->system(), engine_->dynamics());
  seen_at_ = [this](double t) -> const VecX& { return engine_->seen(t, state_at(t)); };
  grips_ = std::make_unique<GripWatch>(engine_->system());
  rub_at_ = [this](double t) { engine_->rub(t, state_at(t)); };
  forces_at_ = [this](double t) { engine_->evaluate(t, state_at(t)); };
  rates_ = VecX::Zero(engine_->start().size());
  looks_ = (rows_ == Rows::output_times || every_) && o.extremes && o.watched && engine_->observes_cheaply() &&
           recorder_->extremes().listed();
  if (looks_) looked_ = VecX::Zero(Eigen::Index(engine_->system().channels.size()));
  if (!looks_) recorder_->extremes().keep_to_rows();
  start();
}

std::unique_ptr<Simulation::Loop> Simulation::Loop::again() const {
  return std::make_unique<Loop>(study_, analysis_, make_engine_, rows_, every_, given_);
}

// The steps that suit the present state.
StepControl Simulation::Loop::control() const {
  StepControl c = control_;
  if (restarted_ && adapts_ && !engine_->keeps_first_step())
    c.step.reset();  // the first step of the model suits its start
  if (std::isfinite(limit_)) {
    c.max_step = std::min(control_.max_step.value_or(limit_), limit_);
    if (c.step) c.step = std::min(*c.step, limit_);
  }
  return c;
}

std::unique_ptr<Integrator> Simulation::Loop::make_integrator() {
  const StepControl c = made_for_ = control();
  auto own = engine_->own_integrator(c);
  own_integrator_ = own != nullptr;
  return own ? std::move(own) : kind_->make(c);
}

void Simulation::Loop::start() {
  const double t = time_;
  y_ = row_ = engine_->start();
  integrator_ = make_integrator();
  adapts_ = kind_->adaptive && !own_integrator_;
  if (own_integrator_) results().integrator = results().treatment;
  engine_->remember(t, y_);
  if (looks_) recorder_->extremes().leave(velocities());
  contacts_->start(t, engine_->seen(t, y_), results());
  engine_->begin(t, y_);
  if (at_instant(t)) engine_->pass_instant(t, y_);
  engine_->note_past(t, y_);
  switched_ = switches_.any() && engine_->evaluates();
  if (switched_) switches_.hold(t, [&](double) { engine_->evaluate(t, y_); });
  if (grips_->any()) {
    engine_->choose_grips(t, y_, {});
    grips_->take(t, false, results());
  }
  integrator_->start(*engine_, t, y_, goal_);
  limit_ = control_.stretch * contacts_->longest_step(t, adapts_, adapts_ || own_integrator_);
  if (std::isfinite(limit_)) restart(t);
  if (rows_ == Rows::on_request && !every_)
    record();
  else
    take_rows(t);
  known_events_ = results().events.size();
}

// A change of contacts starts the integrator anew, with steps that suit the contacts.
void Simulation::Loop::restart(double t) {
  restarted_ = true;
  before_ += integrator_->statistics();
  const StepControl c = control();
  const bool same = c.step == made_for_.step && c.max_step == made_for_.max_step;
  if (!same && !integrator_->take(c)) integrator_ = make_integrator();
  made_for_ = c;
  integrator_->start(*engine_, t, y_, goal_);
  aim();
}

void Simulation::Loop::fail(Outcome o) {
  results().outcome = std::move(o);
  ended_ = true;
}

// The state within the last step, on the constraints.
const VecX& Simulation::Loop::state_at(double t) {
  // A step that ends before a breakpoint knows nothing of what lies beyond it.
  integrator_->interpolate(*engine_, std::min(t, integrator_->t()), row_);
  if (t < integrator_->t()) engine_->after_step(t, row_);
  return row_;
}

std::optional<double> Simulation::Loop::next_row() const {
  if (rows_ == Rows::on_request)
    return every_ ? std::optional(study_.analysis.start + double(next_row_) * *every_) : std::nullopt;
  return next_row_ < times_.size() ? std::optional(times_[next_row_]) : std::nullopt;
}

// Up to a time; rows of that time itself may be left for later.
void Simulation::Loop::take_rows(double t, bool inclusive) {
  const double to = inclusive ? t : std::nextafter(t - few * little(t), time_ - 1);
  for (auto when = next_row(); when && *when <= to; when = next_row()) {
    if (Outcome o = engine_->record(*when, *when < t ? state_at(*when) : y_, *recorder_); !o)
      return fail(std::move(o));
    ++next_row_;
    if (looks_) look_closer();
  }
}

In Simulation::Loop::velocities() {
  return engine_->seen(time_, y_).segment(engine_->system().nq, engine_->system().nu);
}

// Looks at the channels at the end of a step, and closer within it, where rows do not show them anyway.
void Simulation::Loop::look_at(double t, bool surely) {
  Extremes& extremes = recorder_->extremes();
  const In u = velocities();
  const bool due = extremes.is_due(t, u) || (surely && t > extremes.last());
  extremes.leave(u);
  if (!due || !engine_->observe(t, y_, looked_)) return;
  extremes.take(t, looked_);
  look_closer();
}

void Simulation::Loop::look_after_jump() {
  recorder_->extremes().jump();
  recorder_->extremes().leave(velocities());
  if (engine_->observe(time_, y_, looked_)) recorder_->extremes().take(time_, looked_);
}

// Adds samples where a peak is not located well enough; few of them, since each costs about half a step.
void Simulation::Loop::look_closer() {
  constexpr int most = 4;
  constexpr long always = 32, one_in = 20;
  Extremes& extremes = recorder_->extremes();
  const long steps = before_.steps + integrator_->statistics().steps;
  for (int k = 0; k < most && extremes.doubt() && looked_more_ < always + steps / one_in; ++k) {
    const double t = *extremes.doubt();
    if (!engine_->observe(t, state_at(t), looked_)) return;
    extremes.insert(t, looked_);
    ++looked_more_;
  }
  if (extremes.doubt()) extremes.give_up();
}

// Whether so many steps are left that the end can be reached.  If twice as many would not do at the pace of the last
// fiftieth of all steps allowed, nor at that of the one before, the rest is not worth the wait.
bool Simulation::Loop::keeps_pace(double t) {
  const long steps = before_.steps + integrator_->statistics().steps;
  if (steps >= control_.steps) {
    fail({Outcome::too_many_steps, t,
          fmt::format("more than {} steps, at t = {:.6g} s; see max_steps", control_.steps, t)});
    return false;
  }
  const long stretch = control_.steps / 50;
  if (steps - paced_steps_ < stretch || stretch == 0) return true;
  const double needed = double(steps) + (goal_ - t) * double(steps - paced_steps_) / (t - paced_from_);
  const bool reaches = rows_ == Rows::on_request || needed < 2.0 * control_.steps;
  const bool slow_again = !reaches && slow_;
  slow_ = !reaches;
  paced_steps_ = steps, paced_from_ = t;
  if (slow_again)
    fail({Outcome::too_many_steps, t,
          fmt::format(
              "{} steps lead to t = {:.6g} s: at this pace the end at {:.6g} s needs {:.1e}, and {:.1e} are "
              "allowed; something moves that fast, as a light body between heavy ones or a stiff spring "
              "does; see max_steps",
              steps, t, goal_, needed, double(control_.steps))});
  return !slow_again;
}

// One accepted step, or the part of it up to the instant at which a contact changes.
void Simulation::Loop::step() {
  const double before = integrator_->t();
  if (adapts_ && !keeps_pace(before)) return;
  if (!integrator_->advance(*engine_)) {
    const std::string film = contacts_->squeezed_out();
    return fail({integrator_->fault() == Fault::not_finite ? Outcome::not_finite : Outcome::step_too_small,
                 integrator_->t(), integrator_->why() + (film.empty() ? engine_->likely_cause() : film)});
  }
  if (adapts_ && engine_->overshot(integrator_->t(), integrator_->y())) {
    limit_ = 0.5 * (integrator_->t() - before);
    return restart(before);
  }
  const Change change = first_change(before, integrator_->t());
  const double t = change.t;
  y_ = t < integrator_->t() ? state_at(t) : integrator_->y();
  if (!all_finite(y_))
    return fail({Outcome::not_finite, t,
                 fmt::format("the state is not finite at t = {:.6g} s", t) + engine_->likely_cause()});
  time_ = t;
  if (Outcome o = engine_->accept(t, y_, *recorder_, results()); !o) return fail(std::move(o));
  recorder_->extremes().begin_step(before);
  const bool samples = at_instant(t);
  take_rows(t, !samples);
  if (ended_) return;
  if (looks_) look_at(t, change || samples || at_break(t));
  contacts_->take(t, seen_at_, results());
  engine_->remember(t, y_);
  engine_->note_past(t, y_);
  if (change.touches && !switch_contacts(t)) return;
  if (change.turns && !turn_formulas(t)) return;
  Engine::Completed completed = engine_->complete_step(t, y_);
  if (!completed.outcome) return fail(std::move(completed.outcome));
  const double wanted = control_.stretch * contacts_->longest_step(t, adapts_, adapts_ || own_integrator_);
  const bool fits = wanted == limit_ || (wanted > 0.5 * limit_ && wanted < 2 * limit_);
  const double passed = pass_breakpoints(t);
  // A new value of a sampled signal may loosen what sticks.
  const bool may_slip = samples && grips_->any();
  const bool goes_on = !change && !may_slip && passed == t && !completed.jumped && fits;
  if (goes_on && !samples) return aim();
  if (!goes_on) limit_ = wanted;
  time_ = begin_at(passed);
  if (samples) pass_instant(time_);
  if (!choose_grips(time_)) return;
  take_rows(time_);
  if (ended_) return;
  if (goes_on) {
    integrator_->refresh(*engine_);
    aim();
  } else {
    engine_->note_past(time_, y_);
    restart(time_);
  }
  if (looks_ && (change || samples || passed != t || completed.jumped)) look_after_jump();
}

Simulation::Loop::Change Simulation::Loop::first_change(double from, double to) {
  const std::optional<double> touch = contacts_->first_change(to, seen_at_);
  const double end = touch.value_or(to);
  const std::optional<double> turn = switched_ ? switches_.first_change(from, end, forces_at_) : std::nullopt;
  const double before = turn.value_or(end);
  const std::optional<double> slip = grips_->any() ? grips_->first_change(from, before, rub_at_) : std::nullopt;
  const double t = slip.value_or(before);
  return {t, touch && *touch == t, turn && *turn == t, slip.has_value()};
}

bool Simulation::Loop::choose_grips(double t) {
  if (!grips_->any()) return true;
  engine_->choose_grips(t, y_, grips_->turned());
  grips_->take(t, true, results());
  if (!grips_->chatter().empty()) fail({Outcome::step_too_small, t, grips_->chatter()});
  return !ended_;
}

bool Simulation::Loop::turn_formulas(double t) {
  switches_.change(t, [&](double) { engine_->evaluate(t, y_); });
  if (!switches_.chatter().empty()) fail({Outcome::step_too_small, t, switches_.chatter()});
  return !ended_;
}

bool Simulation::Loop::switch_contacts(double t) {
  if (!contacts_->change(engine_->seen(t, y_), results())) return ended_ = true, false;
  engine_->contacts_switched(contacts_->switched(), y_);
  if (switched_) switches_.hold(t, [&](double) { engine_->evaluate(t, y_); });
  const Contacts& contacts = engine_->system().contacts();
  for (const int k : contacts_->switched())
    happened_.push_back(
        {t, contacts.touching(k) ? Event::touch : Event::part, contacts.sites[std::size_t(k)].name});
  return true;
}

Outcome Simulation::Loop::stopped() const {
  return {Outcome::interrupted, time_, fmt::format("stopped by the user at t = {:.6g} s", time_)};
}

// A time that nobody can go to is a mistake of the caller, and nothing of the motion: it may go on.
Outcome Simulation::Loop::refused(double t) const {
  return {Outcome::interrupted, time_,
          fmt::format("time goes forward only: t = {:.6g} s was asked for at t = {:.6g} s", t, time_)};
}

bool Simulation::Loop::go_to(double t, const Progress& progress) {
  goal_ = t;
  look_ahead(t);
  pass_breakpoints(integrator_->t());
  if (resume_ > integrator_->t())
    restart(begin_at(std::min(resume_, t)));
  else
    aim();
  const double from = integrator_->t();
  while (!ended_ && integrator_->t() < t) {
    const double now = integrator_->t();
    if (progress && !progress((now - from) / (t - from))) return false;
    if (patience_.lost())
      fail(patience_.outcome(now, at_time(now)));
    else
      step();
  }
  return true;
}

Outcome Simulation::Loop::advance_by(double dt, const Progress& progress) {
  if (!(dt >= 0 && std::isfinite(dt))) return refused(time_ + dt);
  const bool goes_on = dt == piece_ && time_ == pieces_from_ + double(pieces_) * piece_;
  if (!goes_on) piece_ = dt, pieces_from_ = time_, pieces_ = 0;
  return advance_to(pieces_from_ + double(++pieces_) * piece_, progress);
}

// Times that differ by round-off are one time.
bool Simulation::Loop::is_now(double t) const {
  return std::abs(t - time_) <=
         64 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(time_));
}

// What functions of the user's program throw ends the motion; it must not leave in the middle of a step.
template <class Work> void Simulation::Loop::guard(const Work& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::length_error&) {  // more than any memory has
    throw;
  } catch (const std::exception& e) {
    const double last = std::max(time_, integrator_->t());
    fail({Outcome::call_failed, last, fmt::format("a function of the program failed: {}", e.what())});
  } catch (...) {
    fail({Outcome::call_failed, std::max(time_, integrator_->t()), "a function of the program failed"});
  }
}

Outcome Simulation::Loop::advance_to(double t, const Progress& progress) {
  happened_.clear();
  if (ended_ || !outcome()) return outcome();
  if (std::isfinite(t) && is_now(t) && !changed_) {
    time_ = std::max(t, time_);
    return outcome();
  }
  if (!(t >= time_ && std::isfinite(t))) return refused(t);
  bool arrives = true;
  guard([&] {
    if (changed_ && !take_inputs()) return;
    changed_ = observed_ = false;
    arrives = go_to(t, progress);
    if (ended_) return;
    if (arrives) time_ = t;
    engine_->balance(time_, y_, *recorder_);
  });
  const auto& events = results().events;
  happened_.insert(happened_.end(), events.begin() + std::ptrdiff_t(known_events_), events.end());
  known_events_ = events.size();
  return arrives ? outcome() : stopped();
}

Results Simulation::Loop::run(const Progress& progress) {
  if (!assembled()) return std::move(results());
  guard([&] {
    if (!go_to(goal_, progress)) fail(stopped());
  });
  conclude(results());
  return std::move(results());
}

double Simulation::Loop::value_of_output(int channel) {
  if (!observed_)
    guard([&] {
      observed_ = true;
      values_.setConstant(Eigen::Index(system().channels.size()), std::numeric_limits<double>::quiet_NaN());
      engine_->observe(time_, y_, values_);
    });
  return values_[channel];
}

VecX Simulation::Loop::rates() {
  rates_.setConstant(std::numeric_limits<double>::quiet_NaN());
  guard([&] { engine_->rates(time_, y_, rates_); });
  return rates_.head(engine_->controlled());
}

std::string Simulation::Loop::signature() const {
  const AnalysisOptions& o = study_.analysis;
  std::string all = fmt::format("{}, {}, {}, {}, {} numbers{}", analysis_, o.integrator,
                                o.treatment->info().name, o.formulation.word(), y_.size(), engine_->variant());
  for (const RigidBody& b : study_.mechanism.bodies) all += "; " + b.name;
  const auto add = [&](const auto& named) {
    all += fmt::format("; {} ({})", named.name, named.what->info().name);
  };
  std::ranges::for_each(study_.mechanism.joints, add);
  std::ranges::for_each(study_.mechanism.forces, add);
  for (const Noted& n : study_.mechanism.signals) all += "; " + n.name;
  return all;
}

void Simulation::Loop::record() {
  guard([&] {
    if (Outcome o = engine_->record(time_, y_, *recorder_); !o) fail(std::move(o));
  });
}

// In an order that serves both directions: what the integrator is made from, the engine that it evaluates, then what it
// remembers itself.
void Simulation::Loop::memory(Memory& m) {
  m(time_, goal_, limit_, restarted_, changed_, ended_, piece_, pieces_from_, pieces_, next_row_, known_events_,
    looked_more_, paced_steps_, paced_from_, slow_);
  m(y_, before_, resume_);
  inputs_.memory(m);
  remember_breakpoints(m);
  engine_->memory(m);
  contacts_->memory(m);
  switches_.memory(m);
  grips_->memory(m);
  recorder_->memory(m);
  if (!m.saves()) {  // now that the engine has the sizes of its state
    integrator_ = make_integrator();
    integrator_->start(*engine_, time_, y_, goal_);
  }
  integrator_->memory(*engine_, m);
  engine_->memory(m);  // once more: an integrator that begins anew evaluates
  if (!m.saves()) happened_.clear();
  observed_ = false;
}

void Simulation::Loop::save(Memory& m, Results& r) {
  memory(m);
  r = results();
}

void Simulation::Loop::restore(const Memory& saved, const Results& r) {
  results() = r;
  Memory m = saved.restoring();
  memory(m);
  if (!m.at_end()) throw ModelError("the snapshot is of another model");
}

void Simulation::Loop::conclude(Results& r) {
  StepStatistics all = before_;
  all += integrator_->statistics();
  r.statistics.steps = all.steps, r.statistics.rejected = all.rejected;
  r.statistics.evaluations = all.evaluations, r.statistics.iterations = all.iterations;
  r.statistics.smallest_step = all.smallest, r.statistics.largest_step = all.largest;
  contacts_->finish(r);
  for (std::string& line : remarks_on_creep(study_.mechanism, r)) r.remarks.push_back(std::move(line));
  note_jumps(driver_jumps(study_.mechanism, study_.analysis.start, time_), r);
  recorder_->conclude(r);
  if (!looks_ && recorder_->extremes().listed() && rows_ == Rows::output_times && study_.analysis.extremes &&
      study_.analysis.watched)
    r.remarks.push_back("extremes are those of the rows: tables are not looked at between them");
  if (const std::string chosen = integrator_->remark(); !chosen.empty()) r.remarks.push_back(chosen);
  engine_->finish(study_.analysis, r);
}

Results Simulation::Loop::finish() {
  const std::vector<double> times = results().times();
  if (!ended_ && (times.empty() || (times.back() < time_ && !is_now(times.back())))) record();
  Results r = results();
  conclude(r);
  distrust_elements(study_.mechanism, r);
  return r;
}
}  // namespace mubody

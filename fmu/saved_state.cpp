// States of instances: kept, gone back to, and written as bytes.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "fmu/instance.h"
#include "mubody/text/checksum.h"

namespace mubody::fmu {
std::unique_ptr<SavedState> Instance::save() {
  auto s = std::make_unique<SavedState>(
      SavedState{phase_, parameters_, fed_, options_, {}, t_, x_, jumped_, unsettled_});
  if (has_begun()) s->snapshot = begun().save();
  return s;
}

void Instance::restore(const SavedState& s) {
  const bool fits =
      s.parameters == parameters_ && s.options.rtol == options_.rtol && s.options.start == options_.start;
  if (!fits || !s.snapshot) forget();
  parameters_ = s.parameters;
  options_ = s.options;
  phase_ = s.phase;
  fed_ = s.inputs;
  failed_ = observed_ = false;
  if (s.snapshot) {
    begun();
    moved().restore(*s.snapshot);  // with what its inputs were
    fed_ = s.inputs;
    stale_ = std::ranges::any_of(fed_, &Fed::fresh);
    last_time_ = moved().time();
    t_ = s.t, x_ = s.x;
  }
  jumped_ = s.jumped, unsettled_ = s.unsettled;
}

namespace {
void put(std::string& out, const void* from, std::size_t size) {
  out.append(static_cast<const char*>(from), size);
}
void put(std::string& out, double x) { put(out, &x, sizeof(x)); }
constexpr const char* not_whole = "these bytes are no whole state of an FMU";
double get(std::string_view& in) {
  double x = 0;
  if (in.size() < sizeof(x)) throw ModelError(not_whole);
  std::memcpy(&x, in.data(), sizeof(x));
  in.remove_prefix(sizeof(x));
  return x;
}
constexpr double no_number = std::numeric_limits<double>::infinity();
}  // namespace

// A checksum of the rest, then numbers of eight bytes, then the snapshot of the simulation.
std::string Instance::bytes_of(const SavedState& s) const {
  std::string out;
  put(out, double(s.phase));
  for (const auto& [name, start] : at_start_) {
    const auto changed = s.parameters.find(name);
    put(out, changed == s.parameters.end() ? no_number : changed->second);
  }
  put(out, s.options.rtol.value_or(no_number));
  put(out, s.options.start.value_or(no_number));
  for (const Fed& f : s.inputs)
    for (const double x : {f.by_variables.x, f.by_variables.v, f.by_variables.a, f.rate, f.acceleration,
                           double(f.set), double(f.fresh)})
      put(out, x);
  for (const double x : {s.t, double(s.jumped), double(s.unsettled)}) put(out, x);
  for (int k = 0; k < list_.states; ++k) put(out, s.x.size() > 0 ? s.x[k] : 0);
  if (s.snapshot) out += s.snapshot->bytes();
  const std::uint64_t sum = io::checksum(out);
  std::string head = list_.token;
  put(head, &sum, sizeof(sum));
  return head + out;
}

std::unique_ptr<SavedState> Instance::from_bytes(std::string_view in) {
  if (!in.starts_with(list_.token)) throw ModelError("these bytes are not a state of this FMU");
  in.remove_prefix(list_.token.size());
  const auto sum = std::bit_cast<std::uint64_t>(get(in));
  if (sum != io::checksum(in)) throw ModelError(not_whole);
  auto s = std::make_unique<SavedState>();
  const double phase = get(in);
  if (!(phase >= 0 && phase <= double(Phase::ended))) throw ModelError(not_whole);
  s->phase = Phase(int(phase));
  for (const auto& [name, start] : at_start_)
    if (const double x = get(in); x != no_number) s->parameters[name] = x;
  if (const double x = get(in); x != no_number) s->options.rtol = x;
  if (const double x = get(in); x != no_number) s->options.start = x;
  s->inputs.resize(inputs_.size());
  for (Fed& f : s->inputs) {
    for (double* x : {&f.by_variables.x, &f.by_variables.v, &f.by_variables.a, &f.rate, &f.acceleration})
      *x = get(in);
    f.set = get(in) != 0;
    f.fresh = get(in) != 0;
  }
  s->t = get(in);
  s->jumped = get(in) != 0;
  s->unsettled = get(in) != 0;
  s->x = VecX::Zero(list_.states);
  for (double& x : s->x) x = get(in);
  if (in.empty()) return s;
  // What a snapshot belongs to is a simulation with the same parameters.
  const Study study = model_->study(s->parameters);
  if (stepping_ == StepsBy::itself)
    s->snapshot = model_->simulate(study, s->options).snapshot(in);
  else
    s->snapshot = Exchange(study, s->options).simulation().snapshot(in);
  return s;
}
}  // namespace mubody::fmu

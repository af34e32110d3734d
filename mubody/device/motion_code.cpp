#include "mubody/device/motion_code.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mubody/device/c/motion.h"
#include "mubody/math/c_number.h"
#include "mubody/recording/c_statements.h"
#include "mubody/recording/c_text.h"
#include "mubody/recording/embedded_c.h"

namespace mubody {
namespace c_text {
extern const std::string_view motion_h, motion_c, motion_steps_c, motion_kernel_cu, motion_host_h,
    motion_host_c;
}

namespace {
// What the equations of C rest on has other names there.
constexpr std::string_view of_cuda = R"(#define MB_APART __device__
#define MB_FN static __device__
#define MB_INLINE static __device__ __forceinline__
#define MB_PART static __device__ __noinline__
#define MB_TABLE static __device__ const
#ifndef NAN
#define NAN __longlong_as_double(0x7ff8000000000000LL)
#endif
#ifndef INFINITY
#define INFINITY __longlong_as_double(0x7ff0000000000000LL)
#endif
)";
// So many statements of a routine are one function: long ones keep their numbers in registers, and compilers take their time.
constexpr int longest_on_device = 2500, longest_elsewhere = 400;

/// What stands beside the equations.
std::string motions() {
  std::string all;
  for (const std::string_view file : {c_text::motion_host_h, c_text::motion_h, c_text::motion_c,
                                      c_text::motion_steps_c, c_text::motion_kernel_cu})
    all += embedded_c(file);
  return all;
}

template <class All> std::string whole_numbers(const char* name, const All& all) {
  std::vector<int> numbers;
  for (const auto& x : all) numbers.push_back(int(x));
  if (numbers.empty()) numbers.push_back(0);
  return fmt::format("MB_TABLE int {}[{}] = {{{}}};\n", name, numbers.size(), fmt::join(numbers, ", "));
}
std::uint64_t mark_of_numbers(const std::vector<double>& all) {
  std::uint64_t mark = 14695981039346656037U;  // FNV-1a, Fowler, Noll & Vo (1991)
  for (const double x : all) mark = (mark ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211U;
  return mark;
}
std::string numbers_in_c(const char* name, const std::vector<double>& all) {
  std::vector<std::string> texts;
  for (const double x : all) texts.push_back(c_constant(x));
  if (texts.empty()) texts.emplace_back("R(0.0)");
  return fmt::format("MB_TABLE mb_real {}[{}] = {{{}}};\n", name, texts.size(), fmt::join(texts, ", "));
}
}  // namespace

MotionCode::MotionCode(MotionEquations of, const Tableau& method, std::vector<LaneKept> kept)
    : of_(std::move(of)), method_(method), kept_(std::move(kept)) {}
MotionCode::MotionCode(const std::shared_ptr<const LaneModel>& model, const Tableau& method,
                       std::vector<LaneKept> kept)
    : MotionCode(motion_equations(model, kept), method, kept) {}

std::string MotionCode::sizes() const {
  const std::pair<const char*, std::size_t> all[] = {
      {"MB_POSITIONS", of_.positions},
      {"MB_VELOCITIES", of_.velocities},
      {"MB_CONTROLLED", of_.controlled},
      {"MB_STATES", of_.states},
      {"MB_ROWS", of_.rows},
      {"MB_GAPS", of_.gap_lengths.size()},
      {"MB_LOOKED", of_.looked_lengths.size()},
      {"MB_BODY_COUNT", of_.bodies},
      {"MB_IN_SPACE", of_.in_space},
      {"MB_HELD", of_.held},
      {"MB_ARGUMENTS", of_.arguments},
      {"MB_FIRST_FOLLOWED", of_.first_followed},
      {"MB_FIRST_KEPT", of_.first_kept},
      {"MB_KEPT", of_.kept.size()},
      {"MB_INSTANT_NUMBERS", of_.at_instants.size()},
      {"MB_SAMPLED", of_.sampled.size()},
      {"MB_PARAMETERS", of_.parameters},
      {"MB_KEEPS", kept_.size()},
      {"MB_OBSERVED", of_.observed},
      {"MB_STAGES", method_.b.size()},
      {"MB_ORDER", method_.order},
      {"MB_CONTROLS", !method_.e.empty()},
      {"MB_DENSE", method_.dense.empty() ? 0 : method_.dense.front().size()}};
  std::string text;
  for (const auto& [name, size] : all)
    text += fmt::format("{}  {} = {}", text.empty() ? "" : ",\n", name, size);
  return "enum {\n" + text + "\n};\n";
}

std::string MotionCode::lists() const {
  const auto inputs = [](const std::vector<RecordedModel::Kept>& all) {
    std::vector<int> places;
    for (const auto& k : all) places.push_back(k.input);
    return places;
  };
  const auto starts = [](const std::vector<RecordedModel::Kept>& all) {
    std::vector<double> numbers;
    for (const auto& k : all) numbers.push_back(k.start);
    return numbers;
  };
  std::vector<int> due, since, what, kind;
  std::vector<double> period, time, a, dense;
  for (const auto& s : of_.sampled) due.push_back(s.due), since.push_back(s.since), period.push_back(s.period);
  for (const LaneKept& k : kept_)
    what.push_back(k.what), kind.push_back(k.channel.kind), time.push_back(k.time);
  for (std::vector<double> row : method_.a) {
    row.resize(method_.b.size(), 0.0);
    a.insert(a.end(), row.begin(), row.end());
  }
  for (const auto& row : method_.dense) dense.insert(dense.end(), row.begin(), row.end());
  return whole_numbers("mb_kept_at", inputs(of_.kept)) +
         whole_numbers("mb_instant_at", inputs(of_.at_instants)) + whole_numbers("mb_due_at", due) +
         whole_numbers("mb_since_at", since) + whole_numbers("mb_is_length", of_.lengths) +
         whole_numbers("mb_gap_is_length", of_.gap_lengths) +
         whole_numbers("mb_looked_is_length", of_.looked_lengths) + numbers_in_c("mb_period", period) +
         numbers_in_c("mb_kept_start", starts(of_.kept)) +
         numbers_in_c("mb_instant_start", starts(of_.at_instants)) + whole_numbers("mb_keep_what", what) +
         whole_numbers("mb_keep_kind", kind) + numbers_in_c("mb_keep_time", time) + numbers_in_c("mb_a", a) +
         numbers_in_c("mb_b", method_.b) + numbers_in_c("mb_c", method_.c) + numbers_in_c("mb_e", method_.e) +
         numbers_in_c("mb_dense", dense);
}

std::string MotionCode::equations(int longest) const {
  std::string code = of_.code(longest);
  if (!of_.tables.empty())  // one library for each set of tables
    code += fmt::format("/* tables {} */\n", mark_of_numbers(of_.tables));
  return runtime_for(code) + "\n" + sizes() + lists() + code;
}

std::string MotionCode::for_cuda() const {
  constexpr int brief = 100;  // cycles of a right-hand side
  const bool is_brief = of_.cycles <= brief && of_.first_followed == of_.first_kept;
  const char* const stages = is_brief ? "#define MB_EACH_STAGE MB_UNROLLED\n" : "";
  return std::string(of_cuda) + stages + equations(longest_on_device) + motions();
}
std::string MotionCode::for_processors() const {
  return equations(longest_elsewhere) + motions() + embedded_c(c_text::motion_host_c);
}

int MotionCode::numbers(int breaks) const {
  return MB_FIRST + 3 * of_.controlled + of_.parameters + 3 * breaks;
}
int MotionCode::results() const { return MB_VALUES + 2 * (int(kept_.size()) + 1); }

std::vector<double> MotionCode::numbers(const LaneTask& t) const {
  std::vector<double> all;
  all.reserve(std::size_t(numbers(int(t.breaks.size()))));
  const auto put = [&](const auto& numbers) { all.insert(all.end(), numbers.begin(), numbers.end()); };
  const double longest = t.control.longest_over(t.end - t.start);
  put(std::array{t.start, t.end, t.control.step.value_or(0), t.control.rtol, longest, t.scales.length,
                 t.scales.time, t.tolerance, double(t.iterations), double(t.control.steps),
                 double(t.breaks.size())});
  for (int n = 0; n < of_.controlled; ++n)
    all.push_back(t.control.absolute() * (t.control.atol ? 1 : t.sizes.size[n]));
  for (int n = 0; n < of_.controlled; ++n) all.push_back(t.sizes.most[n]);
  put(t.q), put(t.u), put(t.z), put(t.parameters);
  for (const Breakpoint& b : t.breaks) put(std::array{b.t, beside(b, t.end - t.start), double(b.jumps)});
  return all;
}

MotionPoints side_by_side(const std::vector<double>& numbers, int count, std::vector<double> times,
                          std::span<const int> order) {
  constexpr std::size_t together = 16;  // mechanisms, whose numbers share lines of memory
  MotionPoints p{count, std::vector<double>(numbers.size()), std::move(times)};
  const auto all = std::size_t(count), each = all > 0 ? numbers.size() / all : 0;
  for (std::size_t first = 0; first < all; first += together)
    for (std::size_t n = 0; n < each; ++n)
      for (std::size_t k = first; k < std::min(first + together, all); ++k)
        p.numbers[n * all + k] = numbers[(order.empty() ? k : std::size_t(order[k])) * each + n];
  return p;
}

std::optional<double> MotionCode::stopped_at(const std::vector<double>& results, int count,
                                             int mechanism) const {
  const auto at = [&](int n) { return results[std::size_t(n) * std::size_t(count) + std::size_t(mechanism)]; };
  return int(at(MB_HOW)) == MB_RUNNING ? std::optional(at(MB_NOW)) : std::nullopt;
}

LaneOutcome MotionCode::outcome(const std::vector<double>& results, int count, int mechanism) const {
  const auto at = [&](int n) { return results[std::size_t(n) * std::size_t(count) + std::size_t(mechanism)]; };
  LaneOutcome out;
  out.given_up = int(at(MB_HOW)) != MB_ENDED;
  const int first_time = MB_VALUES + int(kept_.size()) + 1;
  for (int k = 0; k < int(kept_.size()); ++k) {
    out.kept.push_back(at(MB_VALUES + k));
    const LaneKept::What what = kept_[std::size_t(k)].what;
    if (what == LaneKept::max || what == LaneKept::min) out.kept.push_back(at(first_time + k));
  }
  Statistics& s = out.statistics;
  s.steps = long(at(MB_TAKEN)), s.rejected = long(at(MB_REJECTED));
  s.smallest_step = at(MB_SMALLEST), s.largest_step = at(MB_LARGEST);
  s.largest_violation = at(MB_VIOLATION), s.violation_share = at(MB_VIOLATION_SHARE);
  s.energy_residual = at(MB_RESIDUAL), s.energy_scale = at(MB_ENERGY_SCALE), s.load_scale = at(MB_LOAD_SCALE);
  return out;
}
}  // namespace mubody

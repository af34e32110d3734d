// Blocks that are recorded are the same as with doubles: every kind, continuous and sampled.
#include <set>

#include <gtest/gtest.h>

#include "mubody/recording/derivative.h"
#include "mubody/signals/board.h"
#include "mubody/signals/curve_table.h"
#include "mubody/signals/delay.h"
#include "mubody/signals/integral.h"
#include "mubody/signals/lag.h"
#include "mubody/signals/map_table.h"
#include "mubody/signals/pid.h"
#include "mubody/signals/rate_limiter.h"
#include "mubody/signals/recorded_board.h"
#include "mubody/signals/registry.h"
#include "mubody/signals/relay.h"
#include "mubody/signals/second_order_lag.h"
#include "mubody/signals/state_space.h"
#include "mubody/signals/transfer_function.h"
#include "tests/evaluated.h"
#include "tests/near.h"
#include "tests/random.h"

namespace mubody::testing {
namespace {
constexpr double apart = 0.125;  // [s] between instants
constexpr double operations = 10;

using Blocks = std::vector<std::unique_ptr<AnyBlock>>;
template <class T> void add(Blocks& all, T block) {
  all.push_back(std::make_unique<BlockOf<T>>(std::move(block)));
  all.back()->check();
}

void add_linear(Blocks& all) {
  Lag lag;
  lag.time = 0.3, lag.gain = 4, lag.initial = 1;
  add(all, lag);
  SecondOrderLag second;
  second.omega = 5, second.damping = 0.2;
  add(all, second);
  TransferFunction quotient;
  quotient.numerator = {4, 2, 1}, quotient.denominator = {2, 2, 5};
  add(all, quotient);
  StateSpace space;
  space.of_states = {0, 1, -4, 0}, space.of_input = {0, 1}, space.to_output = {1, 0}, space.through = 0.5;
  add(all, space);
}

void add_limited(Blocks& all) {
  for (const bool low : {false, true})
    for (const bool high : {false, true}) {
      Integral integral;
      Pid pid, filtered;
      pid.kp = 2, pid.ki = 1, filtered.kp = 1, filtered.ki = 0.5, filtered.kd = 0.25, filtered.filter = 0.1;
      if (low) integral.low = pid.low = filtered.low = -0.75;
      if (high) integral.high = pid.high = filtered.high = 0.5;
      add(all, integral), add(all, pid), add(all, filtered);
    }
  Pid with_rate;
  with_rate.kd = 2, with_rate.other = Signal(Function(Written{"t", {}}));
  add(all, with_rate);
  RateLimiter limiter;
  limiter.rise = 2, limiter.fall = 1, limiter.time = 0.5;
  add(all, limiter);
}

Blocks examples() {
  Blocks all;
  add_linear(all);
  add_limited(all);
  for (int interpolation = 0; interpolation < 3; ++interpolation) {
    CurveTable curve;
    curve.data.columns = {{-1, 0.5, 1, 1.75}, {-10, 1, 2, 30}};
    curve.interpolation.index = interpolation;
    add(all, curve);
  }
  MapTable map;
  map.rows = {-1, 0, 0.75}, map.columns = {-0.5, 0, 0.25, 1};
  map.values = {0, 2, 1, 4, 6, 8, 8, 3, 14, 1, 7, 5};
  add(all, map);
  Relay relay;
  relay.on = 0.5, relay.off = -0.5, relay.low = -2, relay.high = 3;
  add(all, relay);
  Delay delay;
  delay.time = 3 * apart, delay.initial = 7;
  add(all, delay);
  return all;
}

/// The inputs of a recorded block: t, u, v, the time since the last instant, then what it remembers.
BlockInputOf<Recorded> recorded_input(Computation& g) {
  return {Recorded::input(g, 0), Recorded::input(g, 1), Recorded::input(g, 2), Recorded::input(g, 3), apart};
}
BlockInput known_input(const std::vector<double>& x) { return {x[0], x[1], x[2], x[3], apart}; }
constexpr int first = 4;

template <class Known>
void expect_same_numbers(Computation& g, const std::vector<Recorded>& wanted, int memory, std::string_view name,
                         const Known& known) {
  Random random(9);
  for (int k = 0; k < 200; ++k) {
    std::vector<double> x;
    for (int n = 0; n < first + memory; ++n) x.push_back(random(-2, 2));
    x[3] = k % 4 == 0 ? 0 : apart;
    const std::vector<double> found = evaluated(g, x, wanted), expected = known(x);
    for (std::size_t n = 0; n < expected.size(); ++n)
      EXPECT_TRUE(same(found[n], expected[n], operations)) << name << ", number " << n;
  }
}

TEST(recorded_blocks, are_those_of_doubles) {
  for (const auto& block : examples()) {
    if (block->info().name == Relay::info.name || block->info().name == Delay::info.name) continue;
    const int n = block->states();
    Computation g;
    std::vector<Recorded> x, wanted(std::size_t(n) + 1);
    for (int k = 0; k < n; ++k) x.push_back(Recorded::input(g, first + k));
    wanted[0] = block->output(recorded_input(g), x.data());
    block->rates(recorded_input(g), x.data(), wanted.data() + 1);
    expect_same_numbers(g, wanted, n, block->info().name, [&](const std::vector<double>& at) {
      std::vector<double> known(std::size_t(n) + 1);
      known[0] = block->output(known_input(at), at.data() + first);
      block->rates(known_input(at), at.data() + first, known.data() + 1);
      return known;
    });
  }
}

// Exact derivatives by the input and its rate against differences, where these are the same at two distances: away from
// corners.
TEST(recorded_blocks, have_the_derivatives_of_those_of_doubles) {
  int compared = 0;
  for (const auto& block : examples()) {
    if (block->info().name == Relay::info.name || block->info().name == Delay::info.name) continue;
    const int n = block->states();
    Computation g;
    std::vector<Recorded> x, wanted(std::size_t(n) + 1);
    for (int k = 0; k < n; ++k) x.push_back(Recorded::input(g, first + k));
    wanted[0] = block->output(recorded_input(g), x.data());
    block->rates(recorded_input(g), x.data(), wanted.data() + 1);
    std::vector<int> of;
    for (const Recorded& w : wanted) of.push_back(w.node_in(g));
    const int one = g.constant(1);
    const std::vector<int> changes = directional(g, of, {{g.input(1), one}, {g.input(2), one}});
    Random random(13);
    for (int k = 0; k < 100; ++k) {
      std::vector<double> at;
      for (int m = 0; m < first + n; ++m) at.push_back(random(-2, 2));
      const auto slope = [&](std::size_t m, double h) {
        std::vector<double> known(2 * wanted.size());
        for (const int side : {0, 1}) {
          std::vector<double> there = at;
          there[1] += side == 0 ? h : -h, there[2] += side == 0 ? h : -h;
          double* to = known.data() + std::size_t(side) * wanted.size();
          to[0] = block->output(known_input(there), there.data() + first);
          block->rates(known_input(there), there.data() + first, to + 1);
        }
        return (known[m] - known[m + wanted.size()]) / (2 * h);
      };
      const std::vector<double> all = evaluated(g, at);
      for (std::size_t m = 0; m < wanted.size(); ++m) {
        const double near = slope(m, 1e-6), far = slope(m, 1e-4);
        if (std::abs(near - far) > 1e-6 * (1 + std::abs(near))) continue;
        ++compared;
        EXPECT_NEAR(all[std::size_t(changes[m])], near, 1e-6 * (1 + std::abs(near)))
            << block->info().name << ", number " << m;
      }
    }
  }
  EXPECT_GT(compared, 2000);
}

TEST(recorded_blocks, sampled_are_those_of_doubles) {
  std::set<std::string_view> seen;
  for (const auto& block : examples()) {
    seen.insert(block->info().name);
    block->prepare(apart);
    const int n = block->memory(apart);
    Computation g;
    std::vector<Recorded> m;
    for (int k = 0; k < n; ++k) m.push_back(Recorded::input(g, first + k));
    std::vector<Recorded> wanted{block->sampled(recorded_input(g), m.data())};
    block->update(recorded_input(g), m.data());
    wanted.insert(wanted.end(), m.begin(), m.end());
    block->start(recorded_input(g), m.data());
    wanted.insert(wanted.end(), m.begin(), m.end());
    expect_same_numbers(g, wanted, n, block->info().name, [&](const std::vector<double>& at) {
      std::vector<double> kept(at.begin() + first, at.end());
      std::vector<double> known{block->sampled(known_input(at), kept.data())};
      block->update(known_input(at), kept.data());
      known.insert(known.end(), kept.begin(), kept.end());
      block->start(known_input(at), kept.data());
      known.insert(known.end(), kept.begin(), kept.end());
      return known;
    });
  }
  for (const BlockEntry& entry : block_kinds())
    EXPECT_TRUE(seen.contains(entry.info.name)) << entry.info.name << " has no example";
}

TEST(recorded_blocks, that_remember_more_than_states_are_refused) {
  for (const auto& block : examples()) {
    if (block->info().name != Relay::info.name && block->info().name != Delay::info.name) continue;
    Computation g;
    try {
      block->output(recorded_input(g), nullptr);
      FAIL() << block->info().name;
    } catch (const ModelError& e) {
      EXPECT_NE(std::string_view(e.what()).find("sample it"), std::string_view::npos) << e.what();
    }
  }
}

/// A coordinate of a joint, a result of a force and a number of a body are inputs 1, 2 and 3.
template <class R, class Numbers> struct TestSource {
  Numbers number;
  R operator()(const StateVariable&) const { return number(3); }
  R joint(int, int, bool) const { return number(1); }
  R force(int, int) const { return number(2); }
};

StateVariable noted(int number) {
  StateVariable v;
  v.quantity = StateVariable::noted, v.number = number;
  return v;
}
Signal formula(const char* text, std::vector<StateVariable> variables) {
  std::vector<std::string> names{"t"};
  for (std::size_t k = 0; k < variables.size(); ++k) names.push_back(std::string(1, char('a' + k)));
  return {Expression::parse(text, names), std::move(variables)};
}
template <class T> Noted block(T b, std::optional<double> sample = {}) {
  auto any = std::make_unique<BlockOf<T>>(std::move(b));
  any->check();
  Noted n;
  n.kind = Noted::block, n.what = Box<AnyBlock>(std::move(any)), n.sample = sample;
  return n;
}

/// A joint and a force that are read, a formula, a lag, and three sampled signals at two rates.
std::vector<Noted> some_signals() {
  std::vector<Noted> all(4);
  all[0].kind = Noted::joint, all[1].kind = Noted::force;
  all[2].signal = formula("a - b*t + c", {noted(0), noted(1), StateVariable{}});
  all[3].signal = formula("2*a", {noted(2)}), all[3].sample = apart;
  Lag lag;
  lag.time = 0.3, lag.input = formula("a", {noted(2)});
  all.push_back(block(lag));
  Pid pid;
  pid.kp = 2, pid.ki = 1, pid.kd = 0.5, pid.filter = 0.1, pid.high = 3, pid.low = -3;
  pid.input = formula("a - b", {noted(3), noted(4)});
  all.push_back(block(pid, 2 * apart));
  Delay delay;
  delay.time = 2 * apart, delay.initial = 7, delay.input = formula("a", {noted(5)});
  all.push_back(block(delay, apart));
  return all;
}

TEST(recorded_board, goes_from_instant_to_instant_as_the_board_does) {
  const std::vector<Noted> all = some_signals();
  const std::vector<int> order{0, 1, 2, 4, 3, 5, 6};
  // Inputs: t, what the source says, the state of the lag, then of each signal whether its instant has come, the time
  // since the last one, its value and its memory.
  Computation g;
  const auto input = [&](int k) { return Recorded::input(g, k); };
  const TestSource<Recorded, decltype(input)> source{input};
  RecordedBoard recorded(all, order, source);
  ASSERT_EQ(recorded.states(), 1);
  const Recorded z[] = {input(4)};
  std::vector<RecordedSample> kept(all.size());
  std::vector<Recorded> due, since;
  int inputs = 5;
  for (std::size_t k = 0; k < all.size(); ++k) {
    due.push_back(input(inputs++)), since.push_back(input(inputs++)), kept[k].held = input(inputs++);
    for (int m = 0; m < recorded.memory(k); ++m) kept[k].memory.push_back(input(inputs++));
  }
  std::vector<RecordedSample> after = kept;
  recorded.pass_instant(input(0), z, after, due, since);
  std::vector<Recorded> rates(1);
  recorded.evaluate(input(0), z, kept, rates.data());
  std::vector<Recorded> wanted = recorded.values(), next;
  wanted.push_back(rates[0]);
  for (const RecordedSample& s : after) {
    next.insert(next.end(), {0, 0, s.held});
    next.insert(next.end(), s.memory.begin(), s.memory.end());
  }

  std::vector<double> x(std::size_t(inputs), 0);
  const auto number = [&](int k) { return x[std::size_t(k)]; };
  const TestSource<double, decltype(number)> known{number};
  Board board(all, order);
  Random random(4);
  for (int instant = 0; instant < 12; ++instant) {
    const auto new_state = [&](double t) {
      x[0] = t;
      for (int k = 1; k < 5; ++k) x[std::size_t(k)] = random(-2, 2);
    };
    new_state(instant * apart);
    board.pass_instant(x[0], &x[4], known);
    for (std::size_t k = 0, at = 5; k < all.size(); at += 3 + std::size_t(recorded.memory(k++))) {
      const int every = !all[k].sample ? 0 : *all[k].sample > apart ? 2 : 1;
      x[at] = every > 0 && instant % every == 0;
      x[at + 1] = every > 0 && instant > 0 ? *all[k].sample : 0;
    }
    const std::vector<double> passed = evaluated(g, x, next);
    std::ranges::copy(passed, x.begin() + 5);
    new_state((instant + 0.4) * apart);
    double rate = 0;
    board.evaluate(x[0], &x[4], &rate, known);
    const std::vector<double> found = evaluated(g, x, wanted);
    for (std::size_t k = 0; k < all.size(); ++k)
      EXPECT_TRUE(same(found[k], board.values()[k], operations)) << "signal " << k << " after " << instant;
    EXPECT_TRUE(same(found.back(), rate, operations));
  }
}
}  // namespace
}  // namespace mubody::testing

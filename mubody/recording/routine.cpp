#include "mubody/recording/routine.h"

#include <algorithm>
#include <utility>

namespace mubody {
namespace {
/// How many places a value needs while it is made, if nothing were shared: the harder argument comes first, and its
/// result waits while the others are made.
std::vector<int> hardness(const Computation& g, const std::vector<int>& nodes) {
  std::vector<int> hard(g.nodes().size(), 0);
  for (const int n : nodes) {
    if (is_given(g[n])) continue;
    std::array<int, 3> of{};
    const auto arguments = arguments_of(g[n]);
    for (std::size_t k = 0; k < arguments.size(); ++k) of[k] = hard[std::size_t(arguments[k])];
    std::sort(of.begin(), of.end(), std::greater<>());
    hard[std::size_t(n)] = std::max({1, of[0], of[1] + 1, of[2] + 2});
  }
  return hard;
}

/// From the outputs down: a node comes right after the last of its arguments.
std::vector<int> from_the_outputs(const Computation& g, const std::vector<int>& nodes,
                                  const std::vector<int>& outputs) {
  const std::vector<int> hard = hardness(g, nodes);
  enum : char { unknown, open, done };
  std::vector<char> state(g.nodes().size(), unknown);
  std::vector<int> order, waiting;
  order.reserve(nodes.size());
  for (const int output : outputs) {
    waiting.push_back(output);
    while (!waiting.empty()) {
      const int n = waiting.back();
      char& now = state[std::size_t(n)];
      if (now != unknown) {
        waiting.pop_back();
        if (now == open) order.push_back(n), now = done;
        continue;
      }
      now = open;
      const auto of = arguments_of(g[n]);
      std::array<int, 3> sorted{};
      const auto end = std::copy(of.begin(), of.end(), sorted.begin());
      // What is pushed last is made first.
      std::stable_sort(sorted.begin(), end,
                       [&](int a, int b) { return hard[std::size_t(a)] < hard[std::size_t(b)]; });
      for (auto a = sorted.begin(); a != end; ++a)
        if (state[std::size_t(*a)] == unknown) waiting.push_back(*a);
    }
  }
  return order;
}
}  // namespace

std::vector<int> needed(const Computation& g, const std::vector<int>& outputs) {
  std::vector<char> alive(g.nodes().size(), 0);
  for (const int o : outputs) alive[std::size_t(o)] = 1;
  // Arguments come before what is made of them.
  for (int n = int(alive.size()); n-- > 0;)
    if (alive[std::size_t(n)])
      for (const int a : arguments_of(g[n])) alive[std::size_t(a)] = 1;
  std::vector<int> nodes;
  for (int n = 0; n < int(alive.size()); ++n)
    if (alive[std::size_t(n)]) nodes.push_back(n);
  return nodes;
}

Waiting waiting(const Computation& g, const std::vector<int>& order, const std::vector<int>& outputs) {
  std::vector<int> uses(g.nodes().size(), 0);
  for (const int o : outputs) ++uses[std::size_t(o)];
  for (const int n : order)
    for (const int a : arguments_of(g[n])) ++uses[std::size_t(a)];
  int now = 0, made = 0;
  double sum = 0;
  Waiting w;
  for (const int n : order) {
    if (is_given(g[n])) continue;
    for (const int a : arguments_of(g[n]))
      if (--uses[std::size_t(a)] == 0 && !is_given(g[a])) --now;
    w.most = std::max(w.most, ++now);
    sum += now, ++made;
  }
  w.mean = made > 0 ? sum / made : 0;
  return w;
}

std::vector<int> order_of(const Computation& g, const std::vector<int>& outputs) {
  constexpr double clearly = 0.8;
  std::vector<int> recorded = needed(g, outputs), other = from_the_outputs(g, recorded, outputs);
  return waiting(g, other, outputs).mean < clearly * waiting(g, recorded, outputs).mean ? other : recorded;
}

OperationCounts operations(const Computation& g, const Routine& r) {
  OperationCounts counts;
  for (const int n : needed(g, r.outputs)) {
    const Step s = g[n].step;
    if (is_given(g[n])) continue;
    if (s == Step::add || s == Step::subtract)
      ++counts.additions;
    else if (s == Step::multiply)
      ++counts.multiplications;
    else if (s == Step::divide)
      ++counts.divisions;
    else if (s == Step::sqrt || s == Step::hypot)
      ++counts.roots;
    else if ((s >= Step::sin && s <= Step::log10) || s == Step::atan2 || s == Step::power)
      ++counts.transcendental;
    else
      ++counts.others;
  }
  return counts;
}

std::string in_words(const OperationCounts& c) {
  std::string text;
  const std::pair<int, const char*> kinds[] = {
      {c.additions, "additions"}, {c.multiplications, "multiplications"},         {c.divisions, "divisions"},
      {c.roots, "roots"},         {c.transcendental, "transcendental functions"}, {c.others, "others"}};
  for (const auto& [count, name] : kinds)
    if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name;
  return text.empty() ? "nothing" : text;
}
}  // namespace mubody

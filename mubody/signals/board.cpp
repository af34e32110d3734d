#include "mubody/signals/board.h"

#include <algorithm>
#include <cmath>

#include "mubody/signals/one_instant.h"

namespace mubody {
Board::Board(const std::vector<Noted>& all, std::vector<int> order)
    : BoardOf(all, std::move(order)), items_(all.size()) {
  for (std::size_t k = 0; k < all_.size(); ++k) {
    Item& it = items_[k];
    it.sample.memory.resize(std::size_t(BoardOf::memory(k)));
    if (all_[k].sample || !all_[k].what) continue;
    it.delay = block(k).delay();
    if (it.delay > 0) delayed_.push_back(k);
  }
}

void Board::rest(double* z) const {
  for (const std::size_t k : moving_) block(k).start({}, z + first_[k]);
}

double Board::next_of(std::size_t k) const {
  const Item& it = items_[k];
  if (it.count == 0) return -std::numeric_limits<double>::infinity();
  return it.origin + double(it.count) * *all_[k].sample;
}

bool Board::is_due(std::size_t k, double t) const {
  return all_[k].sample && t >= next_of(k) - one_instant * *all_[k].sample;
}

double Board::next_instant() const {
  double next = std::numeric_limits<double>::infinity();
  for (const std::size_t k : sampled_) next = std::min(next, next_of(k));
  for (const std::size_t k : delayed_)
    if (const Item& it = items_[k]; !it.shows && it.past.any())
      next = std::min(next, it.past.first() + it.delay);
  return next;
}

void Board::begin_delays(double t) {
  for (const std::size_t k : delayed_)
    if (Item& it = items_[k]; it.past.any())
      it.shows = it.shows || t >= it.past.first() + it.delay * (1 - one_instant);
}

void Board::count_instants(double t) {
  for (const std::size_t k : sampled_) {
    if (!is_due(k, t)) continue;
    if (items_[k].count == 0) items_[k].origin = t;
    ++items_[k].count;
  }
}

double Board::shortest_delay() const {
  double shortest = std::numeric_limits<double>::infinity();
  for (const std::size_t k : delayed_) shortest = std::min(shortest, items_[k].delay);
  return shortest;
}

void Board::memory(Memory& m) {
  for (Item& it : items_) it.list(m);
}
}  // namespace mubody

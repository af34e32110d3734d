#include "mubody/precompute/tables/make_near.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "mubody/precompute/tables/judge.h"

namespace mubody {
namespace {
constexpr int deepest = 24;    // divisions of a cell of the axes
constexpr double steep = 1.5;  // as many times as in the motion

class NearMaker {
 public:
  NearMaker(Sampled& f, std::vector<int> arguments, std::vector<Axis> axes, const TableOptions& o)
      : f_(f), o_(o), near_(*o.near), arguments_(std::move(arguments)), axes_(std::move(axes)),
        kept_(o.cells ? nullptr : std::make_unique<CellPolynomials>()),
        cell_data_((o.cells ? *o.cells : *kept_).of(int(axes_.size()), o.degree)),
        n_(Eigen::Index(axes_.size())), nq_(f.quantities.size()), values_(Eigen::Index(nq_)),
        slopes_(Eigen::Index(nq_), n_), usual_(VecX::Zero(Eigen::Index(nq_))),
        judge_(f.quantities, o, int(n_), trial_) {
    for (const Axis& a : axes_) range_.push_back(a.high() - a.low());
  }

  MadeTable make() {
    if (o_.only_look) return ended(MadeTable::looked);
    if (!follow_motion()) return ended(MadeTable::unreachable);
    Certificate& c = made_.certificate;
    c.value = c.slope = std::vector<double>(nq_, 0);
    c.largest = trial_.largest, c.value_size = trial_.value_size, c.slope_size = trial_.slope_size;
    plant();
    for (const Neighbourhood::Share share : {Neighbourhood::on_the_way, Neighbourhood::around})
      if (!grow(share)) return ended(made_.ending);
    gather();
    return std::move(made_);
  }

 private:
  using State = std::pair<VecX, VecX>;
  /// A cell, from which others may come; `from` is a state in it, if it has been seen.
  struct Cell {
    VecX middle, half;
    int node = 0, depth = 0;
    Neighbourhood::Share share = Neighbourhood::outside;
    State from{};
    bool seen = false;

    bool holds(const VecX& x) const { return ((x - middle).cwiseAbs() - half).maxCoeff() <= 0; }
  };
  struct Kept {
    Cell cell;
    std::vector<double> numbers;
  };
  enum Found { good, coarse, not_there, stopped };

  MadeTable ended(MadeTable::Ending why) {
    made_.ending = why;
    made_.certificate.samples = samples_;
    made_.reached = trial_.worst * o_.bound;
    made_.worst = nq_ > 0 ? f_.quantities[std::size_t(judge_.worst())].name : "";
    return std::move(made_);
  }

  bool sample(const VecX& x) {
    ++samples_;
    if (f_.at(x, values_, slopes_) && values_.allFinite() && slopes_.allFinite()) return true;
    made_.where = x;
    return false;
  }

  // The bound is a share of what quantities are in the motion.
  bool follow_motion() {
    judge_.begin();
    for (const VecX& place : near_.places()) {
      VecX x(n_);
      for (Eigen::Index a = 0; a < n_; ++a) x[a] = place[arguments_[std::size_t(a)]];
      if (!sample(x)) return false;
      judge_.take(values_, slopes_);
      usual_ = usual_.cwiseMax(values_.cwiseAbs());
      motion_.emplace_back(x, f_.here());
    }
    judge_.take_sizes();
    return true;
  }

  // The cells of the axes.
  void plant() {
    std::size_t all = 1;
    for (const Axis& a : axes_) all *= std::size_t(a.cells());
    for (std::size_t k = 0; k < all; ++k) {
      Cell c{VecX(n_), VecX(n_)};
      std::size_t rest = k;
      for (std::size_t a = axes_.size(); a-- > 0; rest /= std::size_t(axes_[a].cells())) {
        const Axis::Cell along = axes_[a].cell(int(rest % std::size_t(axes_[a].cells())));
        c.middle[Eigen::Index(a)] = along.middle, c.half[Eigen::Index(a)] = along.half;
      }
      c.node = new_node();
      add(std::move(c));
    }
  }
  int new_node() {
    tree_.insert(tree_.end(), {LookupTable::absent, 0});
    return int(tree_.size() / 2) - 1;
  }
  void add(Cell&& c) {
    c.share = near_.of(arguments_, c.middle, c.half);
    if (c.share != Neighbourhood::outside) waiting_[c.share].push_back(std::move(c));
  }
  void divide(const Cell& c, Eigen::Index axis) {
    const int first = new_node();
    new_node();
    tree_[2 * std::size_t(c.node)] = int(axis), tree_[2 * std::size_t(c.node) + 1] = first;
    for (const int side : {0, 1}) {
      Cell half = c;
      half.half[axis] /= 2;
      half.middle[axis] += (side == 0 ? -1 : 1) * half.half[axis];
      half.node = first + side;
      ++half.depth;
      add(std::move(half));
    }
  }

  // Samples all cells that wait, and their parts; returns false if there is no table, with the reason.
  bool grow(Neighbourhood::Share share) {
    std::deque<Cell>& waiting = waiting_[share];
    for (std::size_t unreached = 0; !waiting.empty() && unreached < waiting.size();) {
      Cell c = std::move(waiting.front());
      waiting.pop_front();
      if (o_.going && !o_.going()) return fails(MadeTable::interrupted);
      if (!enter(c)) {  // its neighbours may not have been there yet
        waiting.push_back(std::move(c));
        ++unreached;
        continue;
      }
      unreached = 0;
      Eigen::Index axis = longest(c);
      std::vector<double> numbers;
      const Found found = examine(c, numbers, axis);
      if (found == stopped) return false;
      if (found == good)
        keep(c, std::move(numbers));
      else if (c.depth < deepest && (found == coarse || is_worth_dividing(c)))
        divide(c, axis);
      else if (share == Neighbourhood::on_the_way)
        return fails(found == coarse ? MadeTable::not_accurate : MadeTable::unreachable);
    }
    return share == Neighbourhood::around || waiting.empty() || fails(MadeTable::unreachable);
  }
  bool fails(MadeTable::Ending why) {
    made_.ending = why;
    return false;
  }
  // Of a cell that is not there as a whole, parts may be; those beside the motion are not looked for any closer than its reach.
  bool is_worth_dividing(const Cell& c) const {
    if (c.share == Neighbourhood::on_the_way) return true;
    for (Eigen::Index a = 0; a < n_; ++a)
      if (c.half[a] > near_.reach()[arguments_[std::size_t(a)]]) return true;
    return false;
  }
  Eigen::Index longest(const Cell& c) const {
    Eigen::Index best = 0;
    for (Eigen::Index a = 1; a < n_; ++a)
      if (c.half[a] / range_[std::size_t(a)] > c.half[best] / range_[std::size_t(best)]) best = a;
    return best;
  }

  // Takes the mechanism into a cell: from the motion, or across the border from one that is kept.
  bool enter(Cell& c) {
    if (c.seen) return f_.put(c.from), true;
    const std::pair<VecX, State>* best = nullptr;
    for (const auto& m : motion_)
      if (c.holds(m.first) && (!best || (m.first - c.middle).norm() < (best->first - c.middle).norm()))
        best = &m;
    if (best) return f_.put(best->second), true;
    for (const Kept& k : all_) {
      VecX door(n_);  // the middle of what borders have in common
      bool open = true;
      int touching = 0;
      for (Eigen::Index a = 0; a < n_ && open; ++a) {
        const double low = std::max(c.middle[a] - c.half[a], k.cell.middle[a] - k.cell.half[a]),
                     high = std::min(c.middle[a] + c.half[a], k.cell.middle[a] + k.cell.half[a]),
                     little = 1e-9 * range_[std::size_t(a)];
        open = high > low - little;
        touching += high < low + little ? 1 : 0;
        door[a] = 0.5 * (low + high);
      }
      if (!open || touching > 1) continue;
      f_.put(k.cell.from);
      if (sample(door)) return true;
    }
    return false;
  }

  // Samples a cell and compares; says along which argument it is too wide.
  Found examine(Cell& c, std::vector<double>& numbers, Eigen::Index& axis) {
    if (double(samples_) > o_.work) {
      made_.work = 2 * o_.work;
      return fails(MadeTable::too_long) ? good : stopped;
    }
    std::vector<VecX> f(cell_data_.points().size());
    std::vector<MatX> df(f.size());
    VecX largest = VecX::Zero(values_.size());
    for (std::size_t p = 0; p < f.size(); ++p) {
      if (!sample(c.middle + c.half.cwiseProduct(cell_data_.points()[p]))) return not_there;
      f[p] = values_, df[p] = slopes_;
      largest = largest.cwiseMax(values_.cwiseAbs());
    }
    c.from = f_.here(), c.seen = true;
    if (c.share == Neighbourhood::around && is_steep(largest)) return not_there;
    numbers.resize(nq_ * std::size_t(cell_data_.coefficients()));
    fit_cell(cell_data_, f_.quantities, f, df, c.half, false, numbers.data());
    return compare(c, numbers, axis);
  }

  bool is_steep(const VecX& largest) const {
    for (std::size_t q = 0; q < nq_; ++q)
      if (const Sampled::Quantity& what = f_.quantities[q];
          what.slopes_used && largest[Eigen::Index(q)] > steep * std::max(usual_[Eigen::Index(q)], what.size))
        return true;
    return false;
  }

  Found compare(const Cell& c, const std::vector<double>& numbers, Eigen::Index& axis) {
    std::vector<Axis> own;
    std::vector<int> each;
    for (Eigen::Index a = 0; a < n_; ++a)
      own.emplace_back(c.middle[a] - c.half[a], c.middle[a] + c.half[a], false, 1), each.push_back(int(a));
    const LookupTable polynomial(std::move(each), std::move(own), o_.degree, int(nq_), numbers);
    std::vector<double> looked(nq_), looked_slopes(nq_ * axes_.size()), scratch(polynomial.scratch());
    trial_.value = trial_.slope = std::vector<double>(nq_, 0);
    trial_.worst = 0;
    const auto error = [&](const VecX& s) {
      if (!sample(c.middle + c.half.cwiseProduct(s))) return -1.0;
      ++made_.certificate.checks;
      const VecX x = c.middle + c.half.cwiseProduct(s);
      polynomial.evaluate(x.data(), looked.data(), looked_slopes.data(), scratch.data());
      return judge_.error(looked, looked_slopes, values_, slopes_, c.half);
    };
    double most = 0;
    for (Eigen::Index a = 0; a <= n_; ++a)  // along each argument, and then in all together
      for (const VecX& s : a < n_ ? cell_data_.checks(int(a)) : cell_data_.checks()) {
        const double e = error(s);
        if (e < 0) return not_there;
        if (a < n_ && e > most && e > 1) axis = a;
        most = std::max(most, e);
        trial_.worst = most;
      }
    return most > 1 ? coarse : good;
  }

  void keep(Cell& c, std::vector<double>&& numbers) {
    Certificate& all = made_.certificate;
    for (std::size_t q = 0; q < nq_; ++q) {
      all.value[q] = std::max(all.value[q], trial_.value[q]);
      all.slope[q] = std::max(all.slope[q], trial_.slope[q]);
    }
    all.worst = std::max(all.worst, trial_.worst);
    tree_[2 * std::size_t(c.node)] = LookupTable::numbers_at;
    tree_[2 * std::size_t(c.node) + 1] = int(all_.size());
    all_.push_back({std::move(c), std::move(numbers)});
  }

  // A cell without any part that is there is not there.
  void prune() {
    for (std::size_t k = tree_.size() / 2; k-- > 0;)
      if (tree_[2 * k] >= 0) {
        const auto halves = std::size_t(tree_[2 * k + 1]);
        if (tree_[2 * halves] == LookupTable::absent && tree_[2 * (halves + 1)] == LookupTable::absent)
          tree_[2 * k] = LookupTable::absent, tree_[2 * k + 1] = 0;
      }
  }
  void gather() {
    made_.needed = 8.0 * double(all_.size()) * double(nq_) * cell_data_.coefficients();
    made_.certificate.samples = samples_ - made_.certificate.checks;
    if (made_.needed > o_.memory) {
      made_.ending = MadeTable::out_of_memory;
      return;
    }
    if (o_.announce) o_.announce(made_.needed);
    prune();
    std::vector<double> numbers;
    numbers.reserve(std::size_t(made_.needed / 8));
    for (const Kept& k : all_) numbers.insert(numbers.end(), k.numbers.begin(), k.numbers.end());
    made_.table = LookupTable(arguments_, axes_, o_.degree, int(nq_), std::move(numbers), std::move(tree_));
  }

  Sampled& f_;
  const TableOptions& o_;
  const Neighbourhood& near_;
  std::vector<int> arguments_;
  std::vector<Axis> axes_;
  std::unique_ptr<CellPolynomials> kept_;
  const CellPolynomial& cell_data_;
  Eigen::Index n_;
  std::size_t nq_;
  VecX values_;
  MatX slopes_;
  VecX usual_;  // the largest values in the motion
  std::vector<double> range_;
  Certificate trial_;  // of the cell that is looked at
  Judge judge_;
  MadeTable made_;
  std::vector<std::pair<VecX, State>> motion_;
  std::deque<Cell> waiting_[3];  // by share
  std::vector<Kept> all_;
  std::vector<int> tree_;
  long samples_ = 0;
};
}  // namespace

MadeTable make_near(Sampled& f, std::vector<int> arguments, std::vector<Axis> axes, const TableOptions& o) {
  return NearMaker(f, std::move(arguments), std::move(axes), o).make();
}
}  // namespace mubody

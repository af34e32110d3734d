#include "mubody/precompute/tables/make_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "mubody/precompute/tables/judge.h"
#include "mubody/precompute/tables/make_near.h"

namespace mubody {
namespace {
constexpr int most_parts = 1 << 12;  // cells in an interval
constexpr double coarse = 1e-7;      // bounds from this on need no more digits than double precision has
constexpr std::size_t patience = 3;  // errors must be halved in so many rounds

class Maker {
 public:
  Maker(Sampled& f, std::vector<int> arguments, std::vector<Axis> axes, const TableOptions& o)
      : f_(f), o_(o), arguments_(std::move(arguments)), axes_(std::move(axes)),
        kept_(o.cells ? nullptr : std::make_unique<CellPolynomials>()),
        cell_data_((o.cells ? *o.cells : *kept_).of(int(axes_.size()), o.degree)), n_(int(axes_.size())),
        nq_(int(f.quantities.size())), values_(nq_), slopes_(nq_, n_),
        judge_(f.quantities, o, n_, made_.certificate) {}

  MadeTable make() {
    for (;;) {
      made_.needed = bytes();
      if (made_.needed > o_.memory) return ended(MadeTable::out_of_memory);
      if (o_.announce) o_.announce(made_.needed);
      if (!fill()) return std::move(made_);
      Errors errors(axes_.size());
      for (std::size_t a = 0; a < axes_.size(); ++a) errors[a].assign(std::size_t(axes_[a].intervals()), 0);
      if (!compare(errors)) return std::move(made_);
      reached_ = made_.certificate.worst;
      history_.push_back(reached_);
      if (const auto too_large = foresee(errors)) return ended(*too_large);
      const bool stands =
          history_.size() > patience + 2 && reached_ > 0.5 * history_[history_.size() - 1 - patience];
      bool any = false, stuck = false;
      for (std::size_t a = 0; a < axes_.size(); ++a)
        for (int i = 0; i < axes_[a].intervals(); ++i)
          if (errors[a][std::size_t(i)] > 1) {
            any = true;
            if (axes_[a].parts()[std::size_t(i)] >= most_parts) stuck = true;
            const int parts = axes_[a].parts()[std::size_t(i)];
            const double times = !o_.thrifty ? 2 : finer(errors[a][std::size_t(i)], parts, o_.degree + 1);
            axes_[a].divide(i, int(std::ceil(parts * std::min(2.0, times))));
          }
      if (!any) return std::move(made_);
      if (stuck || stands) return ended(MadeTable::not_accurate);
    }
  }

 private:
  // For each axis, the largest error in each of its intervals that is to be made smaller along it, relative to what is
  // allowed.
  using Errors = std::vector<std::vector<double>>;

  double bytes_of_cell() const { return 8.0 * nq_ * cell_data_.coefficients(); }
  double bytes() const {
    double all = bytes_of_cell();
    for (const Axis& a : axes_) all *= a.cells();
    return all;
  }

  // How many times as many cells an error asks for along one argument, if errors fall with this power of their width.
  double finer(double error, int parts, double order) const {
    if (!o_.thrifty) return std::max(2.0, std::exp2(std::floor(std::log2(error) / order)));
    return std::max(double(parts + 1) / parts, std::pow(error, 1 / order));
  }

  // The cells that there will be if errors fall with this power of their width.
  double cells_with(const Errors& errors, double order) const {
    double cells = 1;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      double along = 0;
      for (std::size_t i = 0; i < errors[a].size(); ++i)
        along += axes_[a].parts()[i] * (errors[a][i] > 1 ? finer(errors[a][i], axes_[a].parts()[i], order) : 1);
      cells *= along;
    }
    return cells;
  }

  // What the table will need in the end.  Errors fall with the power degree + 1 of the width of cells, hardly ever faster than
  // with the one above, which gives the least memory; slower near singular positions, as is seen after some rounds.  Work is
  // what it will likely be, if they go on falling as they do.  The
  // first round of a table with two arguments shows little yet, and one with a single argument is made in no time.
  std::optional<MadeTable::Ending> foresee(const Errors& errors) {
    const double fastest = o_.degree + 2;
    const std::size_t rounds = history_.size();
    const double seen = rounds > 1 ? std::log2(history_[rounds - 2] / history_[rounds - 1]) : fastest;
    const double slowly = std::clamp(seen, 0.5 * o_.degree, fastest);
    std::size_t samples = cell_data_.points().size() + cell_data_.checks().size();
    for (int a = 0; a < n_; ++a) samples += cell_data_.checks(a).size();
    made_.work = double(made_.certificate.samples + made_.certificate.checks);
    if (made_.certificate.worst > 1) {
      made_.needed = bytes_of_cell() * cells_with(errors, fastest);
      if (rounds > 2)  // less than that is likely too little
        made_.needed = std::max(made_.needed, bytes_of_cell() * cells_with(errors, slowly) / 4);
      made_.work += double(samples) * cells_with(errors, std::clamp(seen, 1.0, fastest));
    }
    if (o_.only_look) {
      const double next = double(samples) * cells_with(errors, std::numeric_limits<double>::infinity());
      const bool goes_on = made_.certificate.worst > 1 && rounds <= 3 &&
                           double(made_.certificate.samples + made_.certificate.checks) + next < o_.work;
      if (!goes_on) return MadeTable::looked;
      return {};
    }
    if (n_ < 2 || (n_ == 2 && rounds < 2)) return {};
    if (made_.needed > o_.memory) return MadeTable::out_of_memory;
    if (made_.work > o_.work) return MadeTable::too_long;
    return {};
  }
  MadeTable ended(MadeTable::Ending why) {
    made_.ending = why;
    made_.reached = reached_ * o_.bound;
    if (nq_ > 0) made_.worst = f_.quantities[std::size_t(judge_.worst())].name;
    return std::move(made_);
  }

  // Visits the cells one after the other, back and forth, so that each is next to the one before.
  template <class Visit> bool each_cell(const Visit& visit) {
    std::vector<int> at(std::size_t(n_), 0), way(std::size_t(n_), 1);
    for (;;) {
      std::size_t index = 0;
      VecX middle(n_), half(n_);
      for (std::size_t a = 0; a < std::size_t(n_); ++a) {
        index = index * std::size_t(axes_[a].cells()) + std::size_t(at[a]);
        const Axis::Cell c = axes_[a].cell(at[a]);
        middle[Eigen::Index(a)] = c.middle, half[Eigen::Index(a)] = c.half;
      }
      if (o_.going && !o_.going()) {
        made_.ending = MadeTable::interrupted;
        return false;
      }
      if (!visit(index, at, middle, half)) return false;
      int a = n_ - 1;
      for (; a >= 0; --a) {
        const int next = at[std::size_t(a)] + way[std::size_t(a)];
        if (next >= 0 && next < axes_[std::size_t(a)].cells()) {
          at[std::size_t(a)] = next;
          break;
        }
        way[std::size_t(a)] *= -1;
      }
      if (a < 0) return true;
    }
  }

  bool sample(const VecX& x) {
    if (f_.at(x, values_, slopes_) && values_.allFinite() && slopes_.allFinite()) return true;
    made_.ending = MadeTable::unreachable;
    made_.where = x;
    return false;
  }

  bool fill() {
    const int count = cell_data_.coefficients();
    Certificate& c = made_.certificate;
    judge_.begin();
    std::vector<double> all(std::size_t(bytes() / 8));
    std::vector<VecX> f(cell_data_.points().size());
    std::vector<MatX> df(f.size());
    const bool done = each_cell([&](std::size_t index, const auto&, const VecX& middle, const VecX& half) {
      for (std::size_t p = 0; p < f.size(); ++p) {
        if (!sample(middle + half.cwiseProduct(cell_data_.points()[p]))) return false;
        f[p] = values_, df[p] = slopes_;
        ++c.samples;
        judge_.take(values_, slopes_);
      }
      fit_cell(cell_data_, f_.quantities, f, df, half, o_.bound >= coarse,
               all.data() + index * std::size_t(count * nq_));
      return true;
    });
    made_.table = LookupTable(arguments_, axes_, o_.degree, nq_, std::move(all));
    return done;
  }

  // The largest error at a point of a cell, relative to what is allowed.
  double error_at(const VecX& x, const VecX& half, bool& ok) {
    ok = sample(x);
    if (!ok) return 0;
    Certificate& c = made_.certificate;
    ++c.checks;
    VecX theta = VecX::Zero(1 + (arguments_.empty() ? 0 : *std::ranges::max_element(arguments_)));
    // At the ends of a whole turn the last digit decides which end is meant, and angles differ by a turn.
    for (int a = 0; a < n_; ++a) {
      const Axis& axis = axes_[std::size_t(a)];
      theta[arguments_[std::size_t(a)]] = std::clamp(x[a], axis.low(), axis.high());
    }
    made_.table.evaluate(theta.data(), looked_.data(), looked_slopes_.data(), scratch_.data());
    return judge_.error(looked_, looked_slopes_, values_, slopes_, half);
  }

  bool compare(Errors& errors) {
    Certificate& c = made_.certificate;
    judge_.take_sizes();
    looked_.assign(std::size_t(nq_), 0);
    looked_slopes_.assign(std::size_t(nq_) * arguments_.size(), 0);
    scratch_.assign(made_.table.scratch(), 0);
    return each_cell([&](std::size_t, const std::vector<int>& at, const VecX& middle, const VecX& half) {
      bool ok = true, marked = false;
      const auto mark = [&](int a, double error) {
        double& most =
            errors[std::size_t(a)][std::size_t(axes_[std::size_t(a)].cell(at[std::size_t(a)]).interval)];
        most = std::max(most, error);
        marked = true;
      };
      for (int a = 0; a < n_; ++a) {
        double most = 0;
        for (const VecX& s : cell_data_.checks(a)) {
          most = std::max(most, error_at(middle + half.cwiseProduct(s), half, ok));
          if (!ok) return false;
        }
        c.worst = std::max(c.worst, most);
        if (most > 1) mark(a, most);
      }
      if (n_ == 1) return true;
      double most = 0;
      for (const VecX& s : cell_data_.checks()) {
        most = std::max(most, error_at(middle + half.cwiseProduct(s), half, ok));
        if (!ok) return false;
      }
      c.worst = std::max(c.worst, most);
      if (most > 1 && !marked)
        for (int a = 0; a < n_; ++a) mark(a, most);
      return true;
    });
  }

  Sampled& f_;
  const TableOptions& o_;
  std::vector<int> arguments_;
  std::vector<Axis> axes_;
  std::unique_ptr<CellPolynomials> kept_;
  const CellPolynomial& cell_data_;
  int n_, nq_;
  VecX values_;
  MatX slopes_;
  std::vector<double> looked_, looked_slopes_, scratch_;
  MadeTable made_;
  double reached_ = 0;
  std::vector<double> history_;
  Judge judge_;
};
}  // namespace

void fit_cell(const CellPolynomial& cell, const std::vector<Sampled::Quantity>& quantities,
              const std::vector<VecX>& f, const std::vector<MatX>& df, const VecX& half, bool roughly,
              double* to) {
  const int nq = int(quantities.size());
  for (const bool slopes : {true, false}) {
    if (std::ranges::find(quantities, slopes, &Sampled::Quantity::exact_slopes) == quantities.end()) continue;
    const auto& datum = cell.data(slopes);
    MatX data(Eigen::Index(datum.size()), nq);
    for (int k = 0; k < int(datum.size()); ++k) {
      const auto [point, slope] = datum[std::size_t(k)];
      if (slope < 0)
        data.row(k) = f[std::size_t(point)].transpose();
      else
        data.row(k) = half[slope] * df[std::size_t(point)].col(slope).transpose();
    }
    const MatX coefficients = cell.fit(slopes, data, roughly);
    for (int q = 0; q < nq; ++q)
      if (quantities[std::size_t(q)].exact_slopes == slopes)
        for (int k = 0; k < cell.coefficients(); ++k) to[k * nq + q] = coefficients(k, q);
  }
}

MadeTable make_table(Sampled& f, std::vector<int> arguments, std::vector<Axis> axes, const TableOptions& o) {
  if (o.near) return make_near(f, std::move(arguments), std::move(axes), o);
  return Maker(f, std::move(arguments), std::move(axes), o).make();
}
}  // namespace mubody

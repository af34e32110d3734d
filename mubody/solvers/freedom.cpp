#include "mubody/solvers/freedom.h"

#include <algorithm>
#include <set>

#include "mubody/math/dense.h"
#include "mubody/system/dynamics.h"
#include "mubody/system/rows.h"

namespace mubody {
MatX scaled_rows(const System& s, const Terms& terms, VecX* sizes) {
  MatX D;
  scale_rows(s, terms, D, sizes);
  return D;
}
MatX binding_rows(const System& s, const Terms& terms) {
  constexpr double vanishing = 1e-12;  // share of the longest row, in the units of the system
  VecX sizes;
  MatX D = scaled_rows(s, terms, &sizes);
  const VecX lengths = sizes.cwiseQuotient(s.row_units);
  for (Eigen::Index r = 0; r < lengths.size(); ++r)
    if (lengths[r] < vanishing * lengths.maxCoeff()) D.row(r).setZero();
  return D;
}
void scale_rows(const System& s, const Terms& terms, MatX& D, VecX* sizes) {
  s.structure.full(terms.D, D);
  s.scale(D);
  if (sizes) sizes->resize(s.m);
  for (int r = 0; r < s.m; ++r) {
    const double size = D.row(r).norm();
    if (size > 0) D.row(r) /= size;
    if (sizes) (*sizes)[r] = size * s.row_units[r];
  }
}

namespace {
constexpr int few_rows = 150;     // rows; beyond this the sparse factors are asked first, which are quick
constexpr double clearly = 1e-3;  // pivots of sparse factors above this leave no doubt
constexpr int most_rows_for_rank = 1500;  // rows; beyond this the pivots of the sparse factors must suffice
// Relative size that counts as zero in rows of length one.  Numbers typed with six or eight digits make axes
// parallel only to that accuracy, and the solver of redundant equations takes such axes as parallel too.
constexpr double negligible_pivot = 1e-6;
constexpr double doubtful = 1e-4;    // pivots below this are reported
constexpr double small_move = 1e-2;  // way in units at which to test whether a dependence is only momentary

int joint_of_row(const System& s, int row) { return int(owner_of_row(s, row) - s.joints.data()); }

// The usual geometric reasons why equations repeat each other.
std::string reason(const System& s, const MatX& D, const std::set<int>& members, bool only_here) {
  if (only_here) return "only in this position: the mechanism is at a singular position, such as links in line";
  for (int k : members)
    for (int l : members)
      if (k < l) {
        const std::set<int> a(s.joints[k].bodies.begin(), s.joints[k].bodies.end());
        const std::set<int> b(s.joints[l].bodies.begin(), s.joints[l].bodies.end());
        const JointRows &one = s.joints[k], &two = s.joints[l];
        MatX both(one.count + two.count, s.nu);
        both << D.middleRows(one.first, one.count), D.middleRows(two.first, two.count);
        if (a == b && PivotedQr(both.transpose(), negligible_pivot).rank() < both.rows())
          return "'" + s.joints[k].name + "' and '" + s.joints[l].name +
                 "' join the same two bodies and hold the same motion twice";
      }
  const auto all = [&](std::string_view type) {
    return std::all_of(members.begin(), members.end(), [&](int k) { return s.joints[k].type == type; });
  };
  const bool driven = std::any_of(members.begin(), members.end(), [&](int k) { return s.joints[k].driver; });
  if (all("translational")) return "a loop of sliding joints holds the same orientation twice";
  const bool in_plane = s.joints[*members.begin()].count == 2;
  if (all("revolute") && in_plane)
    return "parallel links of equal length: one crank more than a parallelogram needs";
  if (all("revolute"))
    return "a loop of pins that moves by its special geometry, such as parallel axes; a ball or a cylinder in "
           "place "
           "of a pin would free it";
  if (driven) return "a driver asks for what the joints, or another driver, determine already";
  return "";
}

// The rank after a small move of the mechanism on its constraints.
int rank_nearby(System& s, double t, const VecX& q, const MatX& D, int rank) {
  VecX trial(s.nu);
  for (int k = 0; k < s.nu; ++k) trial[k] = std::sin(1.0 + 2.7 * k);  // any direction that is not special
  const VecX along = trial - LeastSquares(D, negligible_pivot).solve(D * trial);
  if (along.norm() < negligible_pivot * trial.norm()) return rank;
  VecX moved = q;
  s.move(moved, s.units.cwiseProduct(along) * (small_move / along.lpNorm<Eigen::Infinity>()));
  Terms terms = s.make_terms();
  for (int round = 0; round < 6; ++round) {
    s.constraints(t, moved, VecX::Zero(s.nu), terms);
    if (round == 5) break;
    MatX now = s.structure.full(terms.D);
    s.scale(now);
    const VecX back = LeastSquares(now, negligible_pivot).solve(terms.phi.cwiseQuotient(s.row_units));
    s.move(moved, -s.units.cwiseProduct(back));
  }
  const PivotedQr qr(scaled_rows(s, terms).transpose(), negligible_pivot);  // after a move of a hundredth
  return std::max(rank, int(qr.rank()));
}

// Rows in the order of the file, drivers last: if two repeat each other, the later one is redundant.
std::vector<int> order_of_blame(const System& s) {
  std::vector<int> rows;
  for (const bool drivers : {false, true})
    for (const JointRows& j : s.joints)
      for (int r = 0; r < j.count && j.driver == drivers; ++r) rows.push_back(j.first + r);
  return rows;
}

void name_redundant(System& s, double t, const VecX& q, const MatX& D, Freedom& f) {
  const MatX Dt = D.transpose();
  const PivotedQr whole(Dt, negligible_pivot);
  f.rank = int(whole.rank());
  const VecX pivots = whole.pivots();
  for (Eigen::Index k = 0; k < pivots.size(); ++k)
    if (pivots[k] > 1e-12 && pivots[k] < doubtful) f.weakest = std::min(f.weakest, pivots[k]);
  f.usual = f.coordinates - f.rank;
  if (f.rank == s.m) return;
  const int usual = rank_nearby(s, t, q, D, f.rank);
  const bool only_here = usual == s.m;
  f.usual = f.coordinates - usual;

  // Gram-Schmidt, done twice for accuracy, row by row.
  MatX basis(s.nu, f.rank), independent(s.nu, f.rank);
  std::vector<int> kept, spare;
  for (int row : order_of_blame(s)) {
    VecX rest = Dt.col(row);
    const auto n = Eigen::Index(kept.size());
    for (int round = 0; round < 2; ++round) rest -= basis.leftCols(n) * (basis.leftCols(n).transpose() * rest);
    if (rest.norm() < negligible_pivot || n == f.rank) {
      spare.push_back(row);
    } else {
      basis.col(n) = rest.normalized();
      independent.col(n) = Dt.col(row);
      kept.push_back(row);
    }
  }
  const auto n = Eigen::Index(kept.size());
  for (int row : spare) {
    const VecX weights = closest(independent.leftCols(n), Dt.col(row));
    std::set<int> members{joint_of_row(s, row)};
    for (Eigen::Index p = 0; p < n; ++p)
      if (std::abs(weights[p]) > 1e-6) members.insert(joint_of_row(s, kept[std::size_t(p)]));
    Redundancy r;
    for (int j : members) r.joints.push_back(s.joints[j].name);
    const JointRows& own = s.joints[joint_of_row(s, row)];
    r.equation = std::string(own.driver ? "driver" : "joint") + " '" + own.name + "', equation " +
                 std::to_string(row - own.first + 1) + " of " + std::to_string(own.count);
    r.reason = reason(s, D, members, only_here);
    r.only_here = only_here;
    r.place = own.place;
    f.redundant.push_back(std::move(r));
  }
}

/// The weakest pivot of sparse factors; nothing is known without them.
struct Weakest {
  double independence = 0;
  int row = 0;
};
}  // namespace

Freedom count_freedom(System& s, double t, const VecX& q, const VecX& u) {
  Freedom f;
  f.coordinates = s.nu;
  f.equations = s.m;
  f.counted = s.nu - s.m;
  f.rank = s.m;
  f.usual = f.counted;
  for (const JointRows& j : s.joints) {
    f.rolling += j.rolls;
    if (j.of_particle) f.particles += j.count;
  }
  Weakest sparse;
  if (s.m > few_rows) {
    Dynamics d(s);
    d.constrain(t, q, u);
    sparse = {d.independence(), d.weakest_row()};
  }
  if (s.m > most_rows_for_rank && sparse.independence < negligible_pivot) {
    const JointRows& own = s.joints[joint_of_row(s, sparse.row)];
    f.redundant.push_back({{own.name},
                           "joint '" + own.name + "'",
                           "one of many equations; how many are redundant has not been determined",
                           false,
                           own.place});
    f.rank = std::min(s.m - 1, s.nu);
    f.usual = f.coordinates - f.rank;
  } else if (s.m > 0 && s.m <= most_rows_for_rank && sparse.independence < clearly) {
    Terms terms = s.make_terms();
    s.constraints(t, q, u, terms);
    name_redundant(s, t, q, scaled_rows(s, terms), f);
  }
  f.actual = f.coordinates - f.rank;
  return f;
}
}  // namespace mubody

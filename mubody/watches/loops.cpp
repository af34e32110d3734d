#include "mubody/watches/loops.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "mubody/math/lanes.h"
#include "mubody/mechanism/graph.h"
#include "mubody/system/rows.h"
#include "mubody/watches/limits.h"

namespace mubody {
namespace {
constexpr int widest_loop = 120;     // columns of a loop that is checked after every step
constexpr double near_share = 0.02;  // share of the initial volume that is close to a singular position
constexpr double same = 0.5;         // cosine; a basis that turned further between two looks is not followed
constexpr int most_skipped = 50;     // steps between two looks

bool closes(const JointRows& j) { return !j.driver && !j.couples && !j.of_particle && j.count > j.rolls; }
}  // namespace

std::vector<std::vector<int>> fundamental_loops(const System& s) {
  std::vector<Link> links;
  for (const JointRows& j : s.joints)
    links.push_back(closes(j) ? Link{j.bodies[0], j.bodies[1], j.count} : Link{});
  const Graph graph(int(s.body_names.size()) - 1, std::move(links));
  std::vector<std::vector<int>> loops;
  for (const Graph::Loop& loop : graph.loops()) {
    loops.emplace_back();
    for (const Graph::Member& x : loop) loops.back().push_back(x.link);
  }
  return loops;
}

/// What of a system belongs to which joint and body, so that a loop need not look at all of it.
struct LoopWatch::Places {
  std::vector<std::vector<int>> blocks;   // of D, by their first row
  std::vector<std::vector<int>> columns;  // velocities, by their body

  explicit Places(const System& s) : blocks(std::size_t(s.m)), columns(s.body_names.size()) {
    for (std::size_t k = 0; k < s.structure.D.size(); ++k)
      blocks[std::size_t(s.structure.D[k].row)].push_back(int(k));
    for (int k = 0; k < s.nu; ++k) columns[std::size_t(s.body_of_velocity[std::size_t(k)])].push_back(k);
  }
};

LoopWatch::LoopWatch(System& s, double t, const In& q, const In& u, bool passes_singular_positions)
    : system_(s), turning_(s), best_treatment_(passes_singular_positions), t_(t) {
  const auto all = fundamental_loops(s);
  if (all.empty()) return;
  Terms terms = s.make_terms();
  s.constraints(t, q, u, terms);
  mass_ = s.structure.mass_diagonal(terms.M).cwiseProduct(s.units.cwiseAbs2());
  loops_.reserve(all.size());
  const Places places(s);
  for (const auto& joints : all) add(joints, places, terms, t);
}

void LoopWatch::add(const std::vector<int>& joints, const Places& places, const Terms& terms, double t) {
  const System& s = system_;
  Loop loop;
  std::vector<std::string> names;
  std::map<int, int> row_at, column_at;  // rows and columns of the loop by those of the system
  std::set<int> bodies, blocks;
  int rows = 0;
  for (const int k : joints) {
    const JointRows& j = s.joints[std::size_t(k)];
    names.push_back(j.name);
    for (int r = 0; r < j.count; ++r) {
      if (r < j.count - j.rolls) row_at[j.first + r] = rows++;
      const std::vector<int>& own = places.blocks[std::size_t(j.first + r)];
      blocks.insert(own.begin(), own.end());
    }
    for (const int body : j.bodies)
      if (body != 0) bodies.insert(body);
  }
  for (const int body : bodies) {
    const std::vector<int>& own = places.columns[std::size_t(body)];
    loop.columns.insert(loop.columns.end(), own.begin(), own.end());
  }
  std::ranges::sort(loop.columns);
  for (std::size_t k = 0; k < loop.columns.size(); ++k) column_at[loop.columns[k]] = int(k);
  loop.name = loop.result.joints = fmt::format("{}", fmt::join(names, "-"));
  if (int(loop.columns.size()) > widest_loop) {
    unwatched_.push_back(loop.name);
    return;
  }
  for (const int at : blocks) {
    const auto& b = s.structure.D[std::size_t(at)];
    for (int r = 0; r < b.rows; ++r)
      for (int k = 0; k < b.columns; ++k) {
        const auto row = row_at.find(b.row + r), column = column_at.find(b.column + k);
        if (row != row_at.end() && column != column_at.end())
          loop.all.push_back(
              {b.offset + r * b.columns + k, row->second, column->second, s.units[b.column + k]});
      }
  }
  loop.rows = rows;
  if (!choose_rows(loop, terms, &loop.tangent)) return;  // the loop cannot move
  loop.t = t;
  loop.volume = loop.chosen_volume = determinant(loop, terms);
  loop.largest = std::abs(loop.volume);
  loop.result.volume = loop.volume;
  // Later looks need no more memory than this one.
  loop.tangent_before = loop.tangent;
  loop.space.before = loop.entries;
  loop.space.before.reserve(loop.all.size());
  follow(loop);
  angle(loop, loop.tangent, loop.space.next);
  loops_.push_back(std::move(loop));
}

// Chooses rows that are independent here and leaves out redundant ones.  Returns false if the loop cannot move.
bool LoopWatch::choose_rows(Loop& loop, const Terms& terms, MatX* null_space) {
  const auto n = Eigen::Index(loop.columns.size());
  MatX& Dt = loop.space.by_rows;
  Dt.setZero(n, loop.rows);
  for (const auto& e : loop.all) Dt(e.column, e.row) += e.unit * terms.D[std::size_t(e.from)];
  for (auto row : Dt.colwise())
    if (row.norm() > 0) row.normalize();
  PivotedQr& qr = loop.space.qr;
  qr.set_threshold(watch::negligible);
  qr.compute(Dt);
  const Eigen::Index rank = null_space ? qr.rank() : n - loop.tangent.cols();
  if (rank == n) return false;
  std::vector<int>& place = loop.space.place;
  place.assign(std::size_t(loop.rows), -1);
  for (Eigen::Index k = 0; k < rank; ++k) place[std::size_t(qr.column(k))] = int(k);
  loop.entries = loop.all;
  std::erase_if(loop.entries, [&](const Loop::Entry& e) { return place[std::size_t(e.row)] < 0; });
  for (auto& e : loop.entries) e.row = place[std::size_t(e.row)];
  if (null_space) *null_space = qr.q().rightCols(n - rank);
  return true;
}

namespace {
// The numbers of a row, as many as four at a time need.
Eigen::Index row_length(Eigen::Index n) { return (n + 3) / 4 * 4; }
Quad& four(double* x) { return *reinterpret_cast<Quad*>(x); }

MUBODY_CLONES void scale_to_one(double* row, Eigen::Index length) {
  Quad sum{};
  for (Eigen::Index k = 0; k < length; k += 4) sum += four(row + k) * four(row + k);
  const double size = sum[0] + sum[1] + (sum[2] + sum[3]), scale = size > 0 ? 1 / std::sqrt(size) : 1;
  for (Eigen::Index k = 0; k < length; k += 4) four(row + k) *= scale;
}

// Gauss elimination with partial pivoting; returns the determinant.  The matrices are small, and every step of a motion may ask
// for many of them: what is general about those of mubody/math/dense.h costs more here than the numbers.  Rows stay where they
// are, in an order of their own; what each is made of is kept apart, so that what has been eliminated may be overwritten.
MUBODY_CLONES double eliminate(double* rows, Eigen::Index n, double* made_of, Eigen::Index* order) {
  const Eigen::Index length = row_length(n);
  double volume = 1;
  for (Eigen::Index k = 0; k < n; ++k) order[k] = k;
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index best = k;
    double most = std::abs(rows[order[k] * length + k]);
    for (Eigen::Index r = k + 1; r < n; ++r)
      if (const double x = std::abs(rows[order[r] * length + k]); x > most) most = x, best = r;
    if (best != k) {
      volume = -volume;
      std::swap(order[k], order[best]);
    }
    double* const own = rows + order[k] * length;
    volume *= own[k];
    const double reciprocal = 1 / own[k];
    for (Eigen::Index r = k + 1; r < n; ++r) {
      double* const row = rows + order[r] * length;
      double& share = made_of[order[r] * n + k];
      share = 0;
      if (row[k] == 0) continue;  // as most rows have there
      const double f = share = row[k] * reciprocal;
      for (Eigen::Index j = (k + 1) / 4 * 4; j < length; j += 4) four(row + j) -= f * four(own + j);
    }
  }
  return volume;
}
}  // namespace

// The determinant of [D; Tᵀ], whose factors stay in its place.  Each of its rows lies in one piece.
double LoopWatch::determinant(Loop& loop, const Terms& terms) {
  const auto n = Eigen::Index(loop.columns.size()), free = loop.tangent.cols(), rank = n - free;
  const Eigen::Index length = row_length(n);
  MatX& rows = loop.rows_of_matrix;
  rows.setZero(length, n);
  loop.made_of.resize(n, n);
  loop.order.resize(std::size_t(n));
  double* const numbers = rows.data();
  for (const auto& e : loop.entries)
    numbers[e.row * length + e.column] += e.unit * terms.D[std::size_t(e.from)];
  for (Eigen::Index r = 0; r < rank; ++r) scale_to_one(numbers + r * length, length);
  for (Eigen::Index k = 0; k < free; ++k)
    std::copy_n(loop.tangent.data() + k * n, n, numbers + (rank + k) * length);
  return loop.orientation * eliminate(numbers, n, loop.made_of.data(), loop.order.data());
}

// The column of the inverse of [D; Tᵀ] that belongs to one of its rows.
void LoopWatch::solve(const Loop& loop, Eigen::Index of_row, VecX& x) {
  const Eigen::Index n = loop.rows_of_matrix.cols(), length = loop.rows_of_matrix.rows();
  const auto place = [&](Eigen::Index k) { return loop.order[std::size_t(k)]; };
  x.setZero(n);
  Eigen::Index first = 0;
  while (place(first) != of_row) ++first;
  x[first] = 1;
  for (Eigen::Index k = first + 1; k < n; ++k) {
    const double* const shares = loop.made_of.data() + place(k) * n;
    for (Eigen::Index i = first; i < k; ++i) x[k] -= shares[i] * x[i];
  }
  for (Eigen::Index k = n; k-- > 0;) {
    const double* const row = loop.rows_of_matrix.data() + place(k) * length;
    for (Eigen::Index i = n; --i > k;) x[k] -= row[i] * x[i];
    x[k] /= row[k];
  }
}

// The largest angle between two spaces of motions, in the metric of the mass [rad].
double LoopWatch::angle(Loop& loop, const MatX& a, const MatX& b) const {
  if (a.cols() > 1) return angle_of_spaces(loop, a, b);
  double aa = 0, ab = 0, bb = 0;  // the usual case, without factors
  for (std::size_t k = 0; k < loop.columns.size(); ++k) {
    const auto row = Eigen::Index(k);
    const double mass = std::max(0.0, mass_[loop.columns[k]]);
    aa += mass * a(row, 0) * a(row, 0), ab += mass * a(row, 0) * b(row, 0), bb += mass * b(row, 0) * b(row, 0);
  }
  const double size = std::sqrt(aa) * std::sqrt(bb);
  return size > 0 ? std::acos(std::min(1.0, std::abs(ab) / size)) : 0;
}

double LoopWatch::angle_of_spaces(Loop& loop, const MatX& a, const MatX& b) const {
  Loop::Space& space = loop.space;
  const auto basis_in_metric = [&](const MatX& x, MatX& y) {
    y = x;
    for (std::size_t k = 0; k < loop.columns.size(); ++k)
      y.row(Eigen::Index(k)) *= std::sqrt(std::max(0.0, mass_[loop.columns[k]]));
    orthonormalize(y);
  };
  basis_in_metric(a, space.a);
  basis_in_metric(b, space.b);
  // Motions of massless parts alone have no length here, and no angle.
  if (space.a.colwise().squaredNorm().minCoeff() == 0 || space.b.colwise().squaredNorm().minCoeff() == 0)
    return 0;
  transposed_product(space.a, space.b, space.cosines);
  return std::acos(std::min(1.0, space.values.of(space.cosines).minCoeff()));
}

// With redundant rows, the chosen ones may become dependent where others do not.
void LoopWatch::choose_rows_again(Loop& loop, const Terms& terms, double& volume) {
  const double old = volume;
  loop.space.before = loop.entries;
  choose_rows(loop, terms, nullptr);
  volume = determinant(loop, terms);
  if (std::abs(volume) > 2 * std::abs(old)) {
    if (volume * old < 0) loop.orientation = -loop.orientation, volume = -volume;
    loop.chosen_volume = volume;
  } else {
    loop.entries = loop.space.before;
    volume = determinant(loop, terms);
  }
}

// Carries T along, into `next`, with the factors of [D; Tᵀ]; Gram-Schmidt keeps the orientation.  Returns the cosine of
// the largest turn of a column; not a number at a singular position itself.
double LoopWatch::follow(Loop& loop) {
  const auto n = Eigen::Index(loop.columns.size()), free = loop.tangent.cols();
  MatX& next = loop.space.next;
  next.resize(n, free);
  for (Eigen::Index k = 0; k < free; ++k) {
    solve(loop, n - free + k, loop.space.column);
    next.col(k) = loop.space.column;
  }
  if (!next.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  double turned = 1;
  for (Eigen::Index k = 0; k < free; ++k) {
    for (Eigen::Index l = 0; l < k; ++l) next.col(k) -= next.col(l).dot(next.col(k)) * next.col(l);
    next.col(k).normalize();
    turned = std::min(turned, next.col(k).dot(loop.tangent.col(k)));
  }
  return turned;
}

void LoopWatch::examine(Loop& loop, double t, const Terms& terms, Results& r) {
  const auto n = Eigen::Index(loop.columns.size()), free = loop.tangent.cols();
  double volume = determinant(loop, terms);
  if (loop.rows > n - free && std::abs(volume) < 0.3 * std::abs(loop.chosen_volume))
    choose_rows_again(loop, terms, volume);
  const double turned = follow(loop);
  if (std::isnan(turned) || volume == 0) return;  // at the position itself; the next look decides
  const MatX& next = loop.space.next;
  const double step_angle = angle(loop, loop.tangent, next);
  loop.largest = std::max(loop.largest, std::abs(volume));
  // A closure error opens a gap of about its root between the two motions that would cross.
  const double gap = std::min(0.3, 4 * std::sqrt(r.statistics.violation_share));
  const double limit = std::max(near_share, gap) * loop.largest;
  const double t_last = loop.t, volume_last = loop.volume;
  if (turned < same && std::abs(volume) > limit) ++loop.result.unknown;
  const bool flipped = volume * volume_last < 0;
  if (flipped || std::abs(volume) < limit) {
    if (!loop.near) {
      loop.near = true, loop.closest = std::abs(volume_last), loop.sharpest = 0, loop.entered = t_last;
      loop.closest_t = t, loop.sign_before = volume_last, loop.tangent_before = loop.tangent;
    }
    const double between = std::abs(volume_last) + std::abs(volume);
    if (flipped)
      loop.closest = 0, loop.closest_t = t_last + (t - t_last) * std::abs(volume_last) / between;
    else if (std::abs(volume) < loop.closest)
      loop.closest = std::abs(volume), loop.closest_t = t;
  }
  if (loop.near) loop.sharpest = std::max(loop.sharpest, step_angle);
  loop.tangent = next;
  loop.volume = volume;
  loop.t = t;
  if (std::abs(volume) > limit) {
    if (loop.near) leave(loop, r);
    loop.near = false;
    if (!flipped) loop.rate = t > t_last ? step_angle / (t - t_last) : 0;
  }
}

void LoopWatch::leave(Loop& loop, Results& r) {
  if (loop.volume * loop.sign_before < 0) {
    ++loop.result.passed;
    passes_.push_back({loop.entered, loop.t, loop.closest_t, std::size_t(&loop - loops_.data())});
    return;
  }
  // The motion came near and left on the same side: by its own shape, if the steps followed the bend and the
  // violation is too small to have caused it.
  const double turned = angle(loop, loop.tangent_before, loop.tangent);
  const double expected = 4 * loop.rate * (loop.closest_t - loop.entered);
  if (turned < watch::bend + expected) return;
  if (loop.sharpest < 0.5 * turned && r.statistics.violation_share < 0.01 * loop.closest) return;
  ++loop.result.lost;
  r.events.push_back({loop.closest_t, Event::lost_branch,
                      fmt::format("the loop of {} turned off by {:.2f} rad", loop.name, turned)});
  if (r.outcome)
    r.outcome = {
        Outcome::lost_branch, loop.closest_t,
        fmt::format("lost branch: near t = {:.6g} s the loop of {} came to a singular position and turned off "
                    "by {:.2f} rad; what follows is another motion of the mechanism; use smaller steps or a "
                    "smaller tolerance{}",
                    loop.closest_t, loop.name, turned,
                    best_treatment_ ? "" : ", or treatment = \"projection\"")};
}

void LoopWatch::step(double t, const In& u, const std::function<const Terms&()>& terms, Results& r) {
  if (loops_.empty()) return;
  turned_ += (t - t_) * turning_.fastest(u);
  t_ = t;
  const Terms* now = nullptr;  // those of this step, once for all loops
  for (Loop& loop : loops_) {
    // The closer to a singular position, the more often the loop is checked.
    const double spacing = 0.2 * std::min(1.0, std::abs(loop.volume) / loop.largest);
    if (turned_ - loop.looked_at < spacing && ++loop.skipped < most_skipped) continue;
    loop.looked_at = turned_;
    loop.skipped = 0;
    if (!now) now = &terms();
    examine(loop, t, *now, r);
  }
}

void LoopWatch::finish(Results& r) const {
  for (const Loop& loop : loops_) r.loops.push_back(loop.result);
  for (const std::string& name : unwatched_)
    r.remarks.push_back("the loop of " + name + " is too large to be watched: its branch is not judged");
  for (const Pass& pass : passes_) {
    const bool known = std::any_of(r.events.begin(), r.events.end(), [&](const Event& e) {
      return e.kind == Event::singular_position && e.t >= pass.entered && e.t <= pass.left;
    });
    if (!known && r.events.size() < watch::most_events)
      r.events.push_back({pass.t, Event::singular_position, "passed by the loop of " + loops_[pass.loop].name});
  }
  std::stable_sort(r.events.begin(), r.events.end(), [](const Event& a, const Event& b) { return a.t < b.t; });
}
}  // namespace mubody

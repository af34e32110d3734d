#include "mubody/code/recorded_study.h"

#include "mubody/simulation/begin.h"
#include "mubody/solvers/freedom.h"

namespace mubody {
namespace {
constexpr double dependent = 1e-9;  // what is left of a row of length one

/// The rows of D that follow from rows before them.
std::vector<bool> dependent_rows(System& s, double t, const VecX& q, const VecX& u) {
  Terms terms = s.make_terms();
  s.constraints(t, q, u, terms);
  MatX D = scaled_rows(s, terms);
  std::vector<bool> left_out(std::size_t(s.m), false);
  for (Eigen::Index r = 0; r < D.rows(); ++r) {
    for (int twice = 0; twice < 2; ++twice)  // the second time removes what round-off has left
      for (Eigen::Index k = 0; k < r; ++k) D.row(r) -= D.row(r).dot(D.row(k)) * D.row(k);
    const double rest = D.row(r).norm();
    left_out[std::size_t(r)] = rest < dependent;
    if (rest < dependent)
      D.row(r).setZero();
    else
      D.row(r) /= rest;
  }
  return left_out;
}
}  // namespace

std::vector<double> RecordedStudy::arguments() const {
  std::vector<double> x(std::size_t(model.arguments()));
  x[0] = start;
  std::copy(q.begin(), q.end(), x.begin() + RecordedModel::first_q());
  std::copy(u.begin(), u.end(), x.begin() + model.first_u());
  for (const RecordedModel::Kept& k : model.kept) x[std::size_t(k.input)] = k.start;
  return x;
}

RecordedStudy record(const Study& study, const std::vector<int>& parameter_of) {
  Begun begun = begin(study, "forward");
  if (!begun.results.outcome) throw ModelError(begun.results.outcome.why);
  RecordedStudy out{std::move(begun.mechanism), {}, study.analysis.start, begun.q, begun.u};
  RecordingStart start{out.start, out.q, out.u, {}, parameter_of};
  if (begun.results.freedom.always_redundant())
    start.left_out = dependent_rows(*begun.system, out.start, out.q, out.u);
  out.left_out = int(std::count(start.left_out.begin(), start.left_out.end(), true));
  out.model = record(out.mechanism, start);
  return out;
}
}  // namespace mubody

#include "mubody/solvers/frequency_response.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "mubody/math/dense.h"

namespace mubody {
namespace {
constexpr double turn = 2 * std::numbers::pi;

/// Solves (iω − A) x = b for many frequencies.
class Shifted {
 public:
  Shifted(const LinearModel& m) : sizes_(VecX::Ones(m.A.rows())) {
    // Displacements and velocities are scaled to one size, so that what is slow keeps its digits beside what is fast.
    const Eigen::Index nz = m.free.positions.cols(), n = m.A.rows(), nd = m.driven;
    const double scale = n > 0 ? std::max(std::sqrt(m.A.lpNorm<Eigen::Infinity>()), 1e-6) : 1;
    sizes_.head(nz).setConstant(scale);
    sizes_.segment(n - 2 * nd, nd).setConstant(scale);
    parts_ = hessenberg(MatX(sizes_.asDiagonal() * m.A * sizes_.cwiseInverse().asDiagonal()));
    B_ = transposed_product(parts_.Q, MatX(sizes_.asDiagonal() * m.B));
    C_ = product(MatX(m.C * sizes_.cwiseInverse().asDiagonal()), parts_.Q);
  }

  /// C (iω − A)⁻¹ B, by elimination with partial pivoting: only neighbouring rows can change places.
  Eigen::MatrixXcd at(double omega) const {
    const Eigen::Index n = parts_.H.rows();
    Eigen::MatrixXcd T = -parts_.H.cast<std::complex<double>>(), x = B_.cast<std::complex<double>>();
    T.diagonal().array() += std::complex<double>(0, omega);
    for (Eigen::Index k = 0; k + 1 < n; ++k) {
      const Eigen::Index rest = n - k;
      if (std::abs(T(k + 1, k)) > std::abs(T(k, k))) {
        T.row(k).tail(rest).swap(T.row(k + 1).tail(rest));
        x.row(k).swap(x.row(k + 1));
      }
      if (T(k + 1, k) == 0.0) continue;
      const std::complex<double> factor = T(k + 1, k) / T(k, k);
      T.row(k + 1).tail(rest) -= factor * T.row(k).tail(rest);
      x.row(k + 1) -= factor * x.row(k);
    }
    for (Eigen::Index k = n; k-- > 0;) {
      x.row(k) /= T(k, k);
      for (Eigen::Index r = 0; r < k; ++r) x.row(r) -= T(r, k) * x.row(k);
    }
    return C_.cast<std::complex<double>>() * x;
  }

 private:
  VecX sizes_;
  Hessenberg parts_;
  MatX B_, C_;
};

// "m/N", "rad/(N m)", "1".
std::string ratio(const std::string& above, const std::string& below) {
  if (above == below) return "1";
  if (below == "1") return above;
  return above + "/" + (below.find_first_of("/ ") == std::string::npos ? below : "(" + below + ")");
}

// A driver is moved, whatever the input of the model is.
std::string unit_of(const LinearInput& x) {
  return x.kind == LinearInput::driver ? x.unit.substr(0, x.unit.find('/')) : x.unit;
}

// The angle that is nearest to another one; of the first, between −π and π.
double unwrapped(double angle, double before) { return angle + turn * std::round((before - angle) / turn); }
}  // namespace

std::vector<double> frequencies_around(const std::vector<std::complex<double>>& eigenvalues, double low,
                                       double high, int in_decade) {
  const int steps = std::max(1, int(std::ceil(in_decade * std::log10(high / low) - 1e-9)));
  std::vector<double> all;
  for (int k = 0; k <= steps; ++k)
    all.push_back(k == 0 ? low : k == steps ? high : low * std::pow(high / low, double(k) / steps));
  constexpr double narrowest = 1e-3;  // half the width of a peak, as a share of its frequency
  for (const std::complex<double>& value : eigenvalues) {
    if (value.imag() <= 0) continue;
    const double peak = value.imag() / turn, width = std::max(std::abs(value.real()) / turn, narrowest * peak);
    for (const double aside : {0.25, 0.5, 1., 2., 4., 8.})
      for (const double f : {peak - aside * width, peak + aside * width})
        if (f > low && f < high) all.push_back(f);
    if (std::abs(value.real()) > narrowest * value.imag() && peak > low && peak < high) all.push_back(peak);
  }
  std::ranges::sort(all);
  const auto twice = std::ranges::unique(all);
  all.erase(twice.begin(), twice.end());
  return all;
}

Table frequency_response(const LinearModel& m, const std::vector<LinearInput>& inputs,
                         const std::vector<LinearOutput>& outputs, const std::vector<double>& frequencies) {
  Table table{"frequency_response", {{"frequency", "Hz"}}, {}};
  for (const LinearInput& in : inputs)
    for (const LinearOutput& out : outputs) {
      const std::string name = fmt::format("{}.per.{}", out.name, in.name);
      table.columns.push_back({name + ".gain", ratio(out.unit, unit_of(in))});
      table.columns.push_back({name + ".phase", "rad"});
    }
  const Shifted shifted(m);
  VecX phases = VecX::Zero(Eigen::Index(inputs.size() * outputs.size()));
  for (const double f : frequencies) {
    const double omega = turn * f;
    Eigen::MatrixXcd H = shifted.at(omega) + m.D;
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (inputs[k].kind == LinearInput::driver) H.col(Eigen::Index(k)) *= -omega * omega;
    if (!H.allFinite()) continue;
    table.values.push_back(f);
    for (Eigen::Index k = 0; k < H.size();
         ++k) {  // column by column: all outputs for the first input, then the next
      const std::complex<double> h = H(k);
      if (h != 0.0) phases[k] = unwrapped(std::arg(h), phases[k]);
      table.values.push_back(std::abs(h));
      table.values.push_back(phases[k]);
    }
  }
  return table;
}
}  // namespace mubody

#include "mubody/analyses/modes.h"

#include <algorithm>
#include <complex>
#include <numbers>

#include <fmt/format.h>

#include "mubody/code/recorded_slopes.h"
#include "mubody/math/dense.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/recorder.h"
#include "mubody/solvers/frequency_response.h"
#include "mubody/solvers/inputs.h"
#include "mubody/solvers/linear.h"
#include "mubody/solvers/mode_motion.h"
#include "mubody/solvers/statics.h"
#include "mubody/system/build.h"

namespace mubody {
namespace {
// A double eigenvalue at zero, a free motion, is computed only to the root of the error of A: λ² is compared.
constexpr double least = 2e-7;       // radians in the characteristic time; slower than that nothing is a mode
constexpr double doubt = 30;         // times the estimated error of λ²
constexpr double cancelled = 1e-12;  // share of the stiffness caused by cancelling forces
constexpr double carried = 2e-6;     // share of the speed of a reference that moves
constexpr double unstable = 1e-6;    // real part, likewise
constexpr double nowhere = 1e-9;     // lengths of the mechanism, or rad

struct Mode {
  std::complex<double> value;
  Eigen::VectorXcd shape;  // shape in displacements
  double unsure;           // estimated error of λ² [1/s²]
  double hidden = 0;       // where λ counts as zero: the largest |λ| that could not be told from that [1/s]
};

// Whether a matrix is its own transpose, or the negative of it with sign = −1.
bool is_symmetric(const MatX& X, double sign) {
  constexpr double much_less = 1e-6;  // share of the largest entry
  return (X - sign * X.transpose()).cwiseAbs().maxCoeff() <= much_less * X.cwiseAbs().maxCoeff();
}

// The left eigenvector of K + λC − λ², as a row, where it follows from the right one: K is symmetric, as that of forces
// with a potential, and C is symmetric, as that of dampers, or skew, as that of spinning bodies, which keep the energy of
// a vibration.  Empty elsewhere.
Eigen::RowVectorXcd left_of(const MatX& K, const MatX& C, std::complex<double> value,
                            const Eigen::VectorXcd& z) {
  constexpr double neither_grows_nor_decays = 1e-6;
  if (!is_symmetric(K, 1)) return {};
  if (is_symmetric(C, 1)) return z.transpose();
  if (is_symmetric(C, -1) && std::abs(value.real()) <= neither_grows_nor_decays * std::abs(value))
    return z.adjoint();
  return {};
}

// The error of λ² by Rayleigh's quotient of what is not known of the stiffness, so that a soft mode that does not move
// stiff springs keeps its digits beside them.  Next to critical damping, where two eigenvalues meet, much more of it shows in
// λ.  Without symmetry it may be as large as the error of the largest entry.
double unsure_square(const LinearModel& m, Eigen::Index n, std::complex<double> value,
                     const Eigen::VectorXcd& z, double fastest) {
  const Eigen::Index nz = z.size();
  constexpr double round_off = 6 * std::numeric_limits<double>::epsilon();  // of eigenvalues
  const double usual = std::max(m.error, round_off) * fastest;
  if (n != 2 * nz || !m.A.topLeftCorner(nz, nz).isZero(0) || !(z.norm() > 0)) return usual;
  const MatX K = m.A.block(nz, 0, nz, nz), C = m.A.block(nz, nz, nz, nz);
  const Eigen::RowVectorXcd left = left_of(K, C, value, z);
  if (left.size() == 0) return usual;
  const VecX sizes = z.cwiseAbs();
  const MatX errors = m.unsure.block(nz, 0, nz, nz) + std::abs(value) * m.unsure.block(nz, nz, nz, nz);
  const Eigen::VectorXcd over = K * z + value * (C * z) - value * value * z;
  const double square = (sizes.dot(errors * sizes) + std::abs((left * over).value())) / z.squaredNorm();
  const double apart =
      std::abs((left * (2. * value * z - C * z)).value()) / z.squaredNorm();  // what 2λ is without damping
  const double met = std::sqrt(square);                                       // the error of λ where both meet
  return std::max(square, 2 * std::abs(value) * (apart * met > square ? square / apart : met));
}

// One mode for every real eigenvalue and for every conjugate pair, slowest first.
std::vector<Mode> modes_of(const System& s, const LinearModel& m, double at_work) {
  const Eigen::Index nz = m.free.positions.cols(), n = m.A.rows() - 2 * m.driven;
  std::vector<Mode> modes;
  if (n == 0) return modes;
  // Displacements and velocities are scaled to one size, so that slow modes keep their digits beside fast ones.
  const MatX A = m.A.topLeftCorner(n, n);  // without the motions of drivers, which are given
  const double scale = std::max(std::sqrt(A.lpNorm<Eigen::Infinity>()), 1e-6);
  VecX sizes = VecX::Ones(n);
  sizes.head(nz).setConstant(scale);
  const MatX balanced = sizes.asDiagonal() * A * sizes.cwiseInverse().asDiagonal();
  const auto [values, vectors] = general_eigen(balanced);
  const double slowest = least / s.scales.time;
  const double fastest = std::max(values.cwiseAbs2().maxCoeff(), 1 / (s.scales.time * s.scales.time));
  for (Eigen::Index k = 0; k < n; ++k) {
    if (values[k].imag() < 0) continue;
    const Eigen::VectorXcd z = vectors.col(k).head(nz);
    const double unsure = unsure_square(m, n, values[k], z, fastest);
    const double zero = std::sqrt(
        std::max({slowest * slowest, doubt * unsure, cancelled * at_work, carried * carried * m.motion}));
    const bool still = std::abs(values[k]) < zero;
    Mode mode{still ? 0 : values[k], m.free.positions * z, unsure, still ? zero : 0};
    Eigen::Index largest = 0;
    if (mode.shape.size() > 0 && mode.shape.cwiseAbs().cwiseQuotient(s.units).maxCoeff(&largest) > 0)
      mode.shape /= std::complex<double>(mode.shape[largest]);
    modes.push_back(std::move(mode));
  }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const Mode& a, const Mode& b) { return std::abs(a.value) < std::abs(b.value); });
  return modes;
}

Table modes_table(const System& s, const std::vector<Mode>& modes) {
  Table table{"modes",
              {{"mode", "1"},
               {"frequency", "Hz"},
               {"damping_ratio", "1"},
               {"damped_frequency", "Hz"},
               {"real", "1/s"},
               {"imaginary", "rad/s"}},
              {}};
  const std::vector<std::string> labels = displacement_labels(s);
  for (int k = 0; k < s.nu; ++k)
    for (const char* part : {".re", ".im"})
      table.columns.push_back({labels[std::size_t(k)] + part, displacement_unit(s, k)});
  double number = 0;
  for (const Mode& m : modes) {
    const double size = std::abs(m.value), turn = 2 * std::numbers::pi;
    for (double x : {++number, size / turn, size > 0 ? 0 - m.value.real() / size : 0, m.value.imag() / turn,
                     m.value.real(), m.value.imag()})
      table.values.push_back(x);
    for (const std::complex<double>& x : m.shape)
      table.values.push_back(x.real()), table.values.push_back(x.imag());
  }
  return table;
}

// A matrix with named columns.
void add_matrix(Results& r, const std::string& name, const MatX& values, std::vector<Column> columns) {
  if (values.size() == 0) return;
  Table table{name, std::move(columns), {}};
  for (Eigen::Index row = 0; row < values.rows(); ++row)
    for (Eigen::Index k = 0; k < values.cols(); ++k) table.values.push_back(values(row, k));
  r.tables.push_back(std::move(table));
}

// States are z1, z2, ..., w1, w2, ..., b1, ..., then drivers; states.csv lists the displacement and the
// velocity of each z and w.
std::vector<Column> state_columns(const LinearModel& m, const std::vector<LinearInput>& inputs) {
  std::vector<Column> columns;
  for (Eigen::Index k = 0; k < m.free.positions.cols(); ++k)
    columns.push_back({fmt::format("z{}", k + 1), "kg^0.5 m"});
  for (Eigen::Index k = 0; k < m.free.velocities.cols(); ++k)
    columns.push_back({fmt::format("w{}", k + 1), "kg^0.5 m/s"});
  for (Eigen::Index k = Eigen::Index(columns.size()); k < m.A.rows() - 2 * m.driven; ++k)
    columns.push_back({fmt::format("b{}", k + 1 - m.free.positions.cols() - m.free.velocities.cols()), "m"});
  for (const char* order : {"", ".rate"})
    for (const LinearInput& x : inputs) {
      if (x.kind != LinearInput::driver) continue;
      const std::string unit = x.unit.substr(0, x.unit.find('/'));
      columns.push_back({x.name + order, *order == 0 ? unit : unit + "/s"});
    }
  return columns;
}

void add_matrices(const System& s, const LinearModel& m, const std::vector<LinearInput>& inputs, Results& r) {
  const std::vector<std::string> labels = displacement_labels(s);
  const std::vector<Column> states = state_columns(m, inputs);
  std::vector<Column> forces, displacements;
  for (const LinearInput& x : inputs) forces.push_back({x.name, x.unit});
  for (int k = 0; k < s.nu; ++k) displacements.push_back({labels[std::size_t(k)], displacement_unit(s, k)});
  add_matrix(r, "A", m.A, states);
  add_matrix(r, "B", m.B, forces);
  add_matrix(r, "C", m.C, states);
  add_matrix(r, "D", m.D, forces);
  MatX shapes(m.free.positions.cols() + m.free.velocities.cols(), s.nu);
  shapes << m.free.positions.transpose(), m.free.velocities.transpose();
  add_matrix(r, "states", shapes, displacements);
}

struct Outputs {
  std::vector<LinearOutput> named;
  std::vector<int> channels;

  void add(const System& s, const std::string& name, const std::string& channel) {
    for (std::size_t k = 0; k < s.channels.size(); ++k)
      if (s.channels[k].name == channel)
        named.push_back({name, s.channels[k].unit}), channels.push_back(int(k));
  }
};
// The channels that the results are asked for, or else the outputs of the model.
Outputs outputs_of(const System& s, const Mechanism& m, const std::vector<std::string>& wanted) {
  Outputs all;
  for (const std::string& name : wanted) all.add(s, name, name);
  if (!wanted.empty()) return all;
  for (const NamedChannel& output : m.outputs) all.add(s, output.name, output.channel);
  for (const Noted& n : m.signals)
    if (n.is_output) all.add(s, n.name, n.name);
  return all;
}

// From a decade that no mode is below to one that none is above; around the characteristic time where there are none.
std::pair<double, double> usual_range(const System& s, const std::vector<Mode>& modes) {
  const double turn = 2 * std::numbers::pi;
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const Mode& mode : modes) {
    if (mode.value == 0.0) continue;
    low = std::min(low, std::abs(mode.value) / turn), high = std::max(high, std::abs(mode.value) / turn);
  }
  if (high == 0) low = high = 1 / (turn * s.scales.time);
  constexpr double beside = 2;  // a mode at the very edge would be seen half
  return {std::pow(10, std::floor(std::log10(low / beside))),
          std::pow(10, std::ceil(std::log10(high * beside)))};
}

std::vector<double> frequencies_for(const std::vector<Mode>& modes, std::pair<double, double> range,
                                    int points) {
  std::vector<std::complex<double>> values;
  for (const Mode& mode : modes) values.push_back(mode.value);
  return frequencies_around(values, range.first, range.second, points);
}

constexpr double most_frequencies = 1e5;

// λ² is known to so much, and λ to half of it as a share.
Accuracy accuracy_of(const std::vector<Mode>& modes, bool exact, double t) {
  Accuracy all;
  all.method = exact ? "round-off of exact derivatives" : "differences of two sizes";
  all.end = t;
  if (modes.empty()) return all;
  const double turn = 2 * std::numbers::pi;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const double size = std::abs(modes[k].value);
    if (size == 0) continue;  // a free motion, or one that cannot be told from it
    ChannelAccuracy a{fmt::format("frequency of mode {}", k + 1), "Hz", ChannelAccuracy::frequency};
    a.error = std::max(modes[k].unsure / (2 * size), std::numeric_limits<double>::epsilon() * size) / turn;
    a.at = t;
    a.range = size / turn;
    all.channels.push_back(std::move(a));
  }
  return all;
}

std::string in_words(const std::vector<Mode>& modes, const LinearModel& m) {
  if (modes.empty()) return "nothing can move: there are no modes";
  const double fastest = std::abs(modes.back().value), turn = 2 * std::numbers::pi;
  int still = 0, growing = 0;
  double growth = 0, hidden = 0;
  std::vector<double> frequencies;  // frequencies of oscillating modes [Hz]
  for (const Mode& mode : modes) {
    if (mode.value == 0.0) {
      ++still;
      hidden = std::max(hidden, mode.hidden);
      continue;
    }
    if (mode.value.imag() > 0) frequencies.push_back(std::abs(mode.value) / turn);
    if (mode.value.real() > unstable * fastest) ++growing, growth = std::max(growth, mode.value.real());
  }
  std::string words = growing > 0
                          ? fmt::format("unstable: {} mode{} grow{}, the fastest as exp({:.4g} t)", growing,
                                        growing == 1 ? "" : "s", growing == 1 ? "s" : "", growth)
                          : "no mode grows";
  if (frequencies.size() == 1) words += fmt::format("; frequency {:.6g} Hz", frequencies[0]);
  if (frequencies.size() > 1)
    words += fmt::format("; {} frequencies from {:.6g} to {:.6g} Hz", frequencies.size(), frequencies.front(),
                         frequencies.back());
  if (still > 0)
    words +=
        fmt::format("; {} eigenvalue{} zero: free motions, or slower than {:.1e} Hz, which round-off hides",
                    still, still == 1 ? " counts as" : "s count as", hidden / turn);
  return words +
         (m.exact ? "; linearised exactly" : fmt::format("; linearised by differences to {:.0e}", m.error));
}
}  // namespace

void Modes::check() const {
  require(points >= 1 && points <= most_frequencies, "points", "must be from 1 to 100000");
  if (frequencies.empty()) return;
  require(frequencies.size() == 2, "frequencies", "expected two numbers, [low, high]");
  require(frequencies[0] > 0 && frequencies[0] < frequencies[1] && std::isfinite(frequencies[1]), "frequencies",
          "must be positive, the lower one first");
  require(std::log10(frequencies[1] / frequencies[0]) * points <= most_frequencies, "frequencies",
          "are more than 100000 with so many points in a decade: ask for a smaller range, or for fewer points");
}

void Modes::check(const Study& study) const {
  if (inputs.empty()) return;
  const std::unique_ptr<System> system = build_system(study.mechanism);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    try {
      find_inputs(*system, study.mechanism, {inputs[k]});
    } catch (const ModelError& e) {
      throw FieldError("inputs", k, e.what());
    }
  }
}

Results Modes::run(const Study& study, const Progress&) const {
  Begun b = begin(study, info.name, Gaps::closed);
  Results& r = b.results;
  System& s = *b.system;
  const double t = study.analysis.start;
  if (!r.outcome) return std::move(b.results);
  const bool redundant = r.freedom.always_redundant();
  std::string by_differences;  // why
  const std::unique_ptr<ExactSlopes> exact = exact_slopes(b, t, by_differences);
  if (about.index == equilibrium) {
    b.u.setZero();
    Statics statics(s, redundant, t);
    statics.patience = study.analysis.patience;
    statics.exact = exact.get();
    r.outcome = statics.solve(b.q);
    if (!r.outcome) {
      r.verdict = "do not trust this: " + r.outcome.why;
      return std::move(b.results);
    }
  }
  s.remember(t, b.q, b.u);
  const std::vector<LinearInput> found = find_inputs(s, study.mechanism, inputs);
  const Outputs outputs = outputs_of(s, study.mechanism, study.output.channels);
  const LinearModel m =
      linearise(s, study.mechanism, redundant, t, b.q, b.u, found, outputs.channels, exact.get());

  Dynamics d(s, redundant);
  d.evaluate(t, b.q, b.u);
  d.solve(d.terms.Q, d.terms.gamma);
  remark_friction_left_out(s, r);
  Recorder recorder(s, study.output, r, false);
  recorder.record(t, b.q, b.u, d, {});
  recorder.conclude(r);
  const MatX& R = m.free.velocities;
  const std::vector<Mode> modes =
      modes_of(s, m, at_work(s, d.terms, m.free.positions, s.scales.length).stiffness);
  r.tables.push_back(modes_table(s, modes));
  add_matrices(s, m, found, r);
  // All coordinates are inputs where none was named, which would be too many curves.
  const bool named = !inputs.empty() || (!found.empty() && found.front().kind == LinearInput::signal);
  if (named && !outputs.named.empty()) {
    const auto range = frequencies.empty() ? usual_range(s, modes) : std::pair(frequencies[0], frequencies[1]);
    r.tables.push_back(frequency_response(m, found, outputs.named, frequencies_for(modes, range, points)));
  }
  std::vector<Eigen::VectorXcd> shapes;
  for (const Mode& mode : modes) shapes.push_back(mode.shape);
  if (!modes.empty()) r.tables.push_back(mode_motion(s, redundant, t, b.q, shapes));

  const double force = (R.transpose() * (s.structure.full_mass(d.terms.M) * d.a)).norm();
  // Without any forces what is left is round-off; an acceleration counts by how far it leads in the characteristic time.
  const double led =
      d.a.size() > 0 ? d.a.cwiseQuotient(s.units).lpNorm<Eigen::Infinity>() * s.scales.time * s.scales.time : 0;
  const double way = R.size() > 0 ? (s.units.cwiseInverse().asDiagonal() * R).cwiseAbs().maxCoeff() : 0;
  if (R.size() > 0 && led > nowhere && force > 1e-6 * way * d.terms.Q.cwiseProduct(s.units).norm())
    r.remarks.push_back(
        "the state is no equilibrium and no steady motion: modes are those of coefficients frozen at this "
        "instant; "
        "about = \"equilibrium\" goes there first");
  if (!by_differences.empty()) r.remarks.push_back("linearised by differences, not exactly: " + by_differences);
  r.accuracy = accuracy_of(modes, m.exact, t);
  r.trusted = m.error < 1e-4;
  r.verdict = (r.trusted ? "" : "do not trust this: forces are not smooth here; ") + in_words(modes, m);
  return std::move(b.results);
}
}  // namespace mubody

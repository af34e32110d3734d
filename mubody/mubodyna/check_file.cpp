#include "mubody/mubodyna/check_file.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "mubody/model/errors.h"

namespace mubody::io::mubodyna {
namespace {
class Check {
 public:
  explicit Check(const File& file) : file_(file) {}

  void all(const std::array<int, counts>& count_lines) const {
    for (const char letter : std::string_view("efhmn")) different_bodies(letter);
    clearances();
    guides();
    coordinates();
    duplicates();
    springs();
    times();
    equations(count_lines);
  }

 private:
  [[noreturn]] void fail(char letter, std::size_t row, int line, std::string_view field,
                         const std::string& message) const {
    const Section& s = section(letter);
    throw ModelError(Place{file_.path, line},
                     s.count == counts
                         ? fmt::format("{}: {}: {}", s.label(), field, message)
                         : fmt::format("{}, {} {}: {}: {}", s.label(), s.element, row + 1, field, message));
  }
  [[noreturn]] void fail(char letter, std::size_t row, std::string_view field,
                         const std::string& message) const {
    fail(letter, row, file_[letter][row].line, field, message);
  }

  void different_bodies(char letter) const {
    for (std::size_t k = 0; k < file_[letter].size(); ++k)
      if (const Row& r = file_[letter][k]; r[at::i] == r[at::j])
        fail(letter, k, "J", fmt::format("body {} is joined to itself", r.whole(at::j)));
  }

  void clearances() const {
    for (std::size_t k = 0; k < file_['f'].size(); ++k) {
      const Row &f = file_['f'][k], &g = file_['g'][k];
      if (!(f[at::r_i] > f[at::r_j]))
        fail('f', k, "RJ",
             fmt::format("the journal ({}) must be smaller than the bearing RI ({})", f[at::r_j], f[at::r_i]));
      const auto need = [&](int column, std::string_view field, double most, std::string_view what) {
        if (g[column] <= 0 || g[column] > most) fail('g', k, field, fmt::format("{}, got {}", what, g[column]));
      };
      constexpr double any = INFINITY;
      if (g.whole(at::law) == 1) {
        need(at::viscosity, "VISCOSITY", any, "a lubricated joint (FORCE_LAW 1) needs a positive viscosity");
        continue;
      }
      need(at::e_i, "EI", any, "dry contact needs a positive Young's modulus");
      need(at::e_j, "EJ", any, "dry contact needs a positive Young's modulus");
      constexpr double most_poisson = 0.5;
      if (g[at::niu_i] > most_poisson)
        fail('g', k, "NIUI", fmt::format("must not exceed 0.5, got {}", g[at::niu_i]));
      if (g[at::niu_j] > most_poisson)
        fail('g', k, "NIUJ", fmt::format("must not exceed 0.5, got {}", g[at::niu_j]));
    }
  }

  void guides() const {
    for (std::size_t k = 0; k < file_['h'].size(); ++k) {
      const Row& r = file_['h'][k];
      if (r[at::xi_p_i] == r[at::xi_q_i] && r[at::eta_p_i] == r[at::eta_q_i])
        fail('h', k, "XI-Q-I", "P and Q on body i coincide: the line has no direction");
    }
  }

  // A coordinate that is prescribed twice is contradictory or redundant.
  void coordinates() const {
    std::map<std::pair<int, int>, std::string> owners;
    const auto take = [&](char letter, std::size_t k, int body, int direction, std::string_view field) {
      const Row& r = file_[letter][k];
      const auto [other, is_new] =
          owners.emplace(std::pair(body, direction), fmt::format("({}), line {}", letter, r.line));
      if (is_new) return;
      constexpr std::string_view names[] = {"X", "Y", "PHI"};
      fail(letter, k, field,
           fmt::format("{} of body {} is given already, by {}", names[direction - 1], body, other->second));
    };
    for (std::size_t k = 0; k < file_['i'].size(); ++k)
      for (int direction = 1; direction <= 3; ++direction)
        take('i', k, file_['i'][k].whole(at::i), direction, "I");
    for (const char letter : std::string_view("jkl"))
      for (std::size_t k = 0; k < file_[letter].size(); ++k) {
        const Row& r = file_[letter][k];
        take(letter, k, r.whole(at::i), r.whole(at::direction), "CONSTRAINT_DIRECTION");
      }
  }

  void duplicates() const {
    std::map<int, int> lines;
    for (std::size_t k = 0; k < file_['o'].size(); ++k) {
      const Row& r = file_['o'][k];
      const auto [other, is_new] = lines.emplace(r.whole(at::i), r.line);
      if (!is_new)
        fail('o', k, "I",
             fmt::format("body {} stands there already, at line {}", r.whole(at::i), other->second));
    }
  }

  void springs() const {
    for (std::size_t k = 0; k < file_['m'].size(); ++k) {
      const Row& r = file_['m'][k];
      const auto point = [&](int number, double xi, double eta) {
        const Row& b = file_['b'][static_cast<std::size_t>(number - 1)];
        const double c = std::cos(b[at::phi]), s = std::sin(b[at::phi]);
        return std::pair(b[at::x] + c * xi - s * eta, b[at::y] + s * xi + c * eta);
      };
      const auto p = point(r.whole(at::i), r[at::xi_p_i], r[at::eta_p_i]);
      const auto q = point(r.whole(at::j), r[at::xi_p_j], r[at::eta_p_j]);
      const double length = std::hypot(p.first - q.first, p.second - q.second);
      if (length <= 1e-12 * (1 + std::hypot(p.first, p.second)))
        fail('m', k, "XI-P-J", "the two ends coincide at the start: a spring of zero length has no direction");
    }
  }

  void times() const {
    const Row& q = file_['q'].front();
    if (!(q[at::end] > q[at::start]))
      fail('q', 0, "TIME_END", fmt::format("must lie after TIME_START ({}), got {}", q[at::start], q[at::end]));
    constexpr double most_steps = 1e7;
    if ((q[at::end] - q[at::start]) / q[at::step] > most_steps)
      fail('q', 0, "TIME_STEP", fmt::format("{} makes more than ten million steps", q[at::step]));
  }

  // The manual asks for M <= N.
  void equations(const std::array<int, counts>& count_lines) const {
    const std::size_t n = 3 * file_['b'].size();
    const std::size_t m = 2 * (file_['e'].size() + file_['h'].size()) + 3 * file_['i'].size() +
                          file_['j'].size() + file_['k'].size() + file_['l'].size();
    if (m > n)
      throw ModelError(
          Place{file_.path, count_lines[NB]},
          fmt::format("{}: NB: {} constraint equations for {} coordinates of {} bodies; there must "
                      "not be more equations than coordinates",
                      section('a').label(), m, n, file_['b'].size()));
  }

  const File& file_;
};
}  // namespace

void check_file(const File& file, const std::array<int, counts>& count_lines) { Check(file).all(count_lines); }
}  // namespace mubody::io::mubodyna

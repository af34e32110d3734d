// What size costs: tables of many rows, and models of many bodies.
//
//   mubody_size rows [N]           writes and reads a table of N rows and 50 columns in both forms; a million if not given
//   mubody_size bodies KIND [N]    makes N bodies in code, moves them for an instant and writes one row: the memory that one body
//                                  takes; KIND is free, pinned, chain or ladder; 100 000 if not given
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/resource.h>

#include "benchmarks/problems/chain.h"
#include "benchmarks/problems/large.h"
#include "mubody/analyses/run.h"
#include "mubody/text/columns/column_file.h"
#include "mubody/text/columns/table_format.h"

namespace mubody::bench {
namespace {
namespace fs = std::filesystem;

double seconds_for(const std::function<void()>& work) {
  const auto before = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
}

int measure_rows(std::size_t rows) {
  constexpr std::size_t columns = 50;
  Table table{"table", {{"time", "s"}}, {}};
  for (std::size_t c = 1; c < columns; ++c) table.columns.push_back({fmt::format("body{}.x", c), "m"});
  table.values.resize(rows * columns);
  for (std::size_t k = 0; k < table.values.size(); ++k)
    table.values[k] = double(k / columns) + 1.0 / double(3 + k % columns);
  const fs::path folder = fs::temp_directory_path() / fmt::format("mubody_size_{}", ::getpid());
  fs::create_directories(folder);
  for (const io::TableFormat& form : io::table_formats()) {
    const fs::path file = folder / form.file_of(table.name);
    const double writing = seconds_for([&] { form.write(table, file, {}); });
    const double reading = seconds_for(
        [&] { io::ColumnFile(file.string(), file.string(), io::Quotes::shown, io::Blanks::not_finite); });
    fmt::print("{} rows x {} columns as {}: written in {:.2f} s, read in {:.2f} s, {:.0f} MB\n", rows, columns,
               form.name, writing, reading, double(fs::file_size(file)) / 1e6);
  }
  fs::remove_all(folder);
  return 0;
}

double largest_memory() {
  rusage r{};
  getrusage(RUSAGE_SELF, &r);
  return double(r.ru_maxrss) * 1024;
}

Mechanism separate(int bodies, bool pinned) {
  Mechanism m;
  m.gravity = {0, -9.81, 0};
  for (int k = 0; k < bodies; ++k) {
    RigidBody b;
    b.name = fmt::format("b{}", k + 1);
    b.mass = 1;
    b.inertia(2, 2) = 0.1;
    b.start = {{double(k), 0, 0}, Quaternion::Identity(), 0};
    m.bodies.push_back(b);
    if (pinned)
      m.add_joint(fmt::format("p{}", k + 1), Revolute{{ground, {k - 0.5, 0, 0}, Quaternion::Identity()},
                                                      {k + 1, {-0.5, 0, 0}, Quaternion::Identity()}});
  }
  m.prepare();
  return m;
}

Study study_of(const std::string& kind, int bodies) {
  if (kind == "ladder") return ladder((bodies - 1) / 2);
  Study s;
  s.mechanism = kind == "chain" ? mubody::chain(bodies, 2) : separate(bodies, kind == "pinned");
  return s;
}

int measure_bodies(const std::string& kind, int bodies) {
  const double before = largest_memory();
  Study study = study_of(kind, bodies);
  const double model = largest_memory();
  study.analysis.end = 1e-3;
  study.analysis.control.max_step = study.analysis.end;  // a step or two: memory is the question here
  study.output.times = {study.analysis.end};
  Results r;
  const double took = seconds_for([&] { r = run(study); });
  fmt::print("{} bodies, {}: {:.0f} bytes each, of which the model {:.0f}; {:.1f} s, {} right-hand sides; {}\n",
             bodies, kind, (largest_memory() - before) / bodies, (model - before) / bodies, took,
             r.statistics.evaluations, r.verdict);
  return r.trusted && r.tables.front().rows() == 1 ? 0 : 1;
}
}  // namespace
}  // namespace mubody::bench

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  if (what == "rows") return mubody::bench::measure_rows(count > 2 ? std::stoul(words[2]) : 1'000'000);
  if (what == "bodies" && count > 2)
    return mubody::bench::measure_bodies(words[2], count > 3 ? std::stoi(words[3]) : 100'000);
  fmt::print(stderr, "mubody_size rows [N], or mubody_size bodies free|pinned|chain|ladder [N]\n");
  return 2;
}

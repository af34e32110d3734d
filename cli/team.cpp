#include "cli/team.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/limits.h"
#include "cli/terminal.h"

#ifdef MUBODY_HAS_MPI
#include <mpi.h>
#endif

namespace mubody::cli {
void in_threads(int threads, const Worker& worker, const NextPoint& next, const TakeRow& take) {
  std::vector<std::size_t> large;
  const TakeRow take_small = [&](const SweepRow& row) {
    if (row.out_of_memory && threads > 1)
      large.push_back(row.index);
    else
      take(row);
  };
  std::size_t done = 0;
  const NextPoint next_large = [&]() -> std::optional<std::size_t> {
    if (done == large.size() || interrupt_signal() != 0) return {};
    return large[done++];
  };
  try {
    run_workers(threads, worker, next, take_small);
    if (!large.empty()) run_workers(1, worker, next_large, take);
  } catch (const ThreadsError& e) {
    throw Hindrance(
        fmt::format("{}: {}{}", e.what(), no_more_threads(),
                    e.started < 2 ? "" : fmt::format(", or ask for fewer, as in --threads {}", e.started / 2)));
  }
}

namespace {
/// The number of processes that mpirun started, from its environment; 0 if it did not start this one.
int started_together() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* text = std::getenv(name)) return std::atoi(text);
  return 0;
}
}  // namespace

#ifdef MUBODY_HAS_MPI
namespace {
using Index = std::uint64_t;
constexpr int ask = 1, give = 2, row_done = 3, bye = 4;  // kinds of messages
constexpr std::size_t largest_share = 64;

void send(const void* what, std::size_t size, MPI_Datatype type, int to, int kind) {
  MPI_Send(what, int(size), type, to, kind, MPI_COMM_WORLD);
}
}  // namespace

Team::Team() {
  if (started_together() == 0) return;
  // Worker threads compute; the main thread alone sends and receives.
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  mpi_ = true;
}

Team::~Team() {
  // A process that leaves by an exception does not wait for the others: mpirun notices and ends them.
  if (mpi_ && std::uncaught_exceptions() == 0) MPI_Finalize();
}

std::string Team::first_trouble(const std::string& mine) const {
  if (size_ == 1) return mine;
  int has = mine.empty() ? size_ : rank_, first = size_;
  MPI_Allreduce(&has, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == size_) return {};
  int length = int(mine.size());
  MPI_Bcast(&length, 1, MPI_INT, first, MPI_COMM_WORLD);
  std::string text = mine;
  text.resize(std::size_t(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, first, MPI_COMM_WORLD);
  return text;
}

void Team::lead(const Worker& worker, const NextPoint& next, const TakeRow& take, std::size_t points,
                std::size_t values, std::size_t kept) const {
  std::mutex mutex;
  std::exception_ptr error;
  std::size_t given = 0;
  const auto locked_next = [&]() -> std::optional<std::size_t> {
    const std::scoped_lock lock(mutex);
    const auto point = error ? std::nullopt : next();
    given += point ? 1 : 0;
    return point;
  };
  const auto locked_take = [&](const SweepRow& row) {
    const std::scoped_lock lock(mutex);
    if (!error) take(row);
  };
  const auto guarded = [&](const auto& work) {
    try {
      work();
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  std::jthread own([&] { guarded([&] { worker(locked_next, locked_take); }); });

  int working = size_ - 1;
  while (working > 0) {
    MPI_Status status;
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (!there) {  // waiting in MPI would take a whole core from the worker
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      continue;
    }
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    std::string text(std::size_t(size), '\0');
    MPI_Recv(text.data(), size, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (status.MPI_TAG == row_done) {
      if (const auto row = row_of(text, values, kept)) guarded([&] { locked_take(*row); });
      continue;
    }
    if (status.MPI_TAG == bye) {
      --working;
      continue;
    }
    // Shares shrink from large ones to single points, so that all processes finish together.
    const std::size_t left = points - std::min(points, given);
    const std::size_t share = std::clamp<std::size_t>(left / (8 * std::size_t(size_)), 1, largest_share);
    std::vector<Index> indices;
    while (indices.size() < share) {
      const auto point = locked_next();
      if (!point) break;
      indices.push_back(*point);
    }
    send(indices.data(), indices.size(), MPI_UINT64_T, status.MPI_SOURCE, give);
  }
  own.join();
  if (error) std::rethrow_exception(error);
}

void Team::follow(const Worker& worker, std::size_t kept) const {
  std::deque<std::size_t> mine;
  bool over = false;
  const auto next = [&]() -> std::optional<std::size_t> {
    if (mine.empty() && !over) {
      send(nullptr, 0, MPI_CHAR, 0, ask);
      std::vector<Index> indices(largest_share);
      MPI_Status status;
      MPI_Recv(indices.data(), int(indices.size()), MPI_UINT64_T, 0, give, MPI_COMM_WORLD, &status);
      int count = 0;
      MPI_Get_count(&status, MPI_UINT64_T, &count);
      mine.assign(indices.begin(), indices.begin() + count);
      over = mine.empty();
    }
    if (mine.empty()) return {};
    const std::size_t index = mine.front();
    mine.pop_front();
    return index;
  };
  const auto take = [&](const SweepRow& row) {
    std::string line = line_of(row, kept);
    line.pop_back();
    send(line.data(), line.size(), MPI_CHAR, 0, row_done);
  };
  worker(next, take);
  while (!over) {  // a stop leaves the remaining points undone
    mine.clear();
    next();
  }
  send(nullptr, 0, MPI_CHAR, 0, bye);
}
#else
Team::Team() {
  if (started_together() > 1)
    throw UsageError(
        "mpirun started this program several times, but it was built without MPI: install libopenmpi-dev and "
        "build "
        "again, or start it once with --threads N");
}
Team::~Team() = default;
std::string Team::first_trouble(const std::string& mine) const { return mine; }
void Team::lead(const Worker& worker, const NextPoint& next, const TakeRow& take, std::size_t, std::size_t,
                std::size_t) const {
  run_workers(1, worker, next, take);
}
void Team::follow(const Worker&, std::size_t) const {}
#endif
}  // namespace mubody::cli

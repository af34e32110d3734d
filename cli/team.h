#pragma once
// Who shares a sweep: the threads of this process or, under mpirun, all processes that mpirun started.
#include <string>

#include "mubody/sweep/workers.h"

namespace mubody::cli {
/// Points in threads.  Memory is shared by all of them: a point for which it did not suffice is run again when the others
/// are done, so that only those fail that are too large by themselves.  Throws Hindrance if there are too many threads.
void in_threads(int threads, const Worker&, const NextPoint&, const TakeRow&);

/// A team lives as long as its sweep.
class Team {
 public:
  /// Throws UsageError if mpirun started the program several times and it was built without MPI.
  Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team();

  int size() const { return size_; }
  int rank() const { return rank_; }
  bool leads() const { return rank_ == 0; }

  /// The error of the first process that had one before the work began, "" if none had; equal in all of them.
  std::string first_trouble(const std::string& mine) const;
  /// For the leader: hands out points to the others and to a worker of its own, and collects their rows.
  void lead(const Worker&, const NextPoint&, const TakeRow&, std::size_t points, std::size_t values,
            std::size_t kept) const;
  /// For the others: computes points until no more are handed out.
  void follow(const Worker&, std::size_t kept) const;

 private:
  bool mpi_ = false;
  int rank_ = 0, size_ = 1;
};
}  // namespace mubody::cli

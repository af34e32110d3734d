#include "mubody/fmi/run_fmu.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "mubody/fmus/loaded_fmu.h"
#include "mubody/text/node.h"

namespace mubody::io {
namespace {
// What the process of an FMU writes to its pipe: a letter, a length and so many bytes.
enum Letter : char { complaint = 'c', message = 'm', row = 'r', its_end = 'e', finished = 'f' };
constexpr std::size_t most_bytes = 1'000'000'000, most_messages = 1000;

/// Where the process of an FMU is; both processes see it.
struct Whereabouts {
  char function[64];
};

class FmuChild {
 public:
  FmuChild(int pipe, Whereabouts& where, const std::filesystem::path& folder, const FmuDescription& d,
           const FmuRunOptions& o)
      : pipe_(pipe), where_(where), folder_(folder), d_(d), o_(o) {}

  void work() {
    try {
      open();
      try {
        move();
      } catch (const FmuEnd& e) {
        send(its_end, e.what());
      }
      again_from_the_start();
      fmu_->free_instance();
    } catch (const std::exception& e) {
      send(complaint, e.what());
    }
    send(finished, "");
  }

 private:
  void send(Letter letter, std::string_view bytes) {
    std::string all(1, letter);
    const std::uint64_t size = bytes.size();
    all.append(reinterpret_cast<const char*>(&size), sizeof(size)).append(bytes);
    for (std::size_t done = 0; done < all.size();) {
      const ssize_t n = write(pipe_, all.data() + done, all.size() - done);
      if (n <= 0 && errno != EINTR) _exit(0);
      done += std::size_t(std::max<ssize_t>(n, 0));
    }
  }

  void open() {
    std::size_t said = 0;
    fmu_ = LoadedFmu::open(
        folder_, d_,
        {[this, said](const std::string& text) mutable {
           if (++said <= most_messages) send(message, text);
         },
         [this](const char* name) { std::strncpy(where_.function, name, sizeof(where_.function) - 1); }});
    if (const std::string v = fmu_->version(); !v.starts_with(fmt::format("{}.", d_.version)))
      send(complaint, fmt::format("the library says that its version is {}, the description {}.0", in_quotes(v),
                                  d_.version));
    for (const DescribedVariable& v : d_.variables)
      if (v.causality == "output" && v.type == "Float64" && !v.is_array) outputs_.push_back(v.reference);
    fmu_->instantiate("checked");
    initialize();
  }

  void initialize() {
    for (const auto& [name, value] : o_.values) fmu_->set(d_.find(name)->reference, value);
    fmu_->enter_initialization(o_.start, o_.stop, {});
    set_inputs(o_.start);
    fmu_->exit_initialization();
  }

  void set_inputs(double t) {
    const std::vector<double>& times = o_.inputs.times;
    for (std::size_t k = 0; k < o_.inputs.names.size(); ++k) {
      const std::vector<double>& x = o_.inputs.columns[k];
      const auto after = std::size_t(std::ranges::upper_bound(times, t) - times.begin());
      double value = after == 0 ? x.front() : x[after - 1];
      if (after > 0 && after < times.size())
        value += (x[after] - value) * (t - times[after - 1]) / (times[after] - times[after - 1]);
      fmu_->set(d_.find(o_.inputs.names[k])->reference, value);
    }
  }

  std::vector<double> look(double t) {
    std::vector<double> values{t};
    for (const unsigned reference : outputs_) values.push_back(fmu_->get(reference));
    return values;
  }
  void send_row(const std::vector<double>& values) {
    send(row, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
  }
  void go(double from, double to) {
    for (double t = from; t < to;) {
      const double reached = fmu_->step(t, to - t);
      if (!(reached > t)) throw FmuError(fmt::format("a step from t = {} s leads nowhere", t));
      t = reached;
    }
  }

  void move() {
    constexpr double round_off = 1e-6;  // [steps]
    const auto steps = std::size_t(std::max(std::ceil((o_.stop - o_.start) / o_.step - round_off), 0.0));
    first_ = look(o_.start);
    send_row(first_);
    for (std::size_t k = 0; k < steps; ++k) {
      const double from = o_.start + double(k) * o_.step;
      const double to = k + 1 < steps ? o_.start + double(k + 1) * o_.step : o_.stop;
      set_inputs(from);
      if (d_.gets_and_sets_state && k == steps / 2) {
        void* const state = fmu_->save();
        go(from, to);
        const std::vector<double> once = look(to);
        fmu_->restore(state);
        set_inputs(from);
        go(from, to);
        if (!same(look(to), once))
          send(complaint, "a step that is repeated from a saved state gives other outputs");
        fmu_->release(state);
      } else {
        go(from, to);
      }
      const std::vector<double> values = look(to);
      for (std::size_t n = 0; n < outputs_.size() && !told_; ++n)
        if (!std::isfinite(values[n + 1])) {
          told_ = true;
          send(complaint,
               fmt::format("an output with the reference {} is not finite at t = {} s", outputs_[n], to));
        }
      send_row(values);
    }
    fmu_->terminate();
  }

  void again_from_the_start() {
    fmu_->reset();
    initialize();
    if (!same(look(o_.start), first_)) send(complaint, "after a reset the outputs at the start are others");
    fmu_->terminate();
  }
  static bool same(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
  }

  int pipe_;
  Whereabouts& where_;
  const std::filesystem::path& folder_;
  const FmuDescription& d_;
  const FmuRunOptions& o_;
  std::unique_ptr<LoadedFmu> fmu_;
  std::vector<unsigned> outputs_;
  std::vector<double> first_;
  bool told_ = false;
};

// Never more than there is now.
void hold_resource(int resource, double most) {
  rlimit limit{};
  if (getrlimit(__rlimit_resource_t(resource), &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max = std::min(rlim_t(most), limit.rlim_max);
  setrlimit(__rlimit_resource_t(resource), &limit);
}

// The memory for data that this process has already [bytes].
double data_now() {
  std::ifstream in("/proc/self/statm");
  double size = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  in >> size >> resident >> shared >> text >> library >> data;
  return data * double(sysconf(_SC_PAGESIZE));
}

// The process of the FMU: nobody reads what it prints, it ends with this one, it takes neither all memory nor all of the disk,
// and it leaves no core behind.
[[noreturn]] void be_child(FmuChild& child, const FmuRunOptions& o) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);  // with all processes that the FMU makes, so that they can be ended together
  for (const int signal : {SIGINT, SIGTERM, SIGSEGV, SIGFPE, SIGABRT, SIGALRM, SIGXCPU, SIGXFSZ})
    std::signal(signal, SIG_DFL);
  hold_resource(RLIMIT_CORE, 0);
  hold_resource(RLIMIT_CPU, std::ceil(o.patience) + 1);
  hold_resource(RLIMIT_DATA, data_now() + o.memory);
  hold_resource(RLIMIT_FSIZE, o.file);
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (int stream = 0; stream < 3; ++stream) dup2(nowhere, stream);
  child.work();
  _exit(0);
}

/// Takes what the process has written; returns whether it has finished.
class FmuListener {
 public:
  FmuListener(FmuRun& run, std::size_t width) : run_(run), width_(width) {}
  bool take(std::string_view bytes) {
    waiting_ += bytes;
    std::string_view rest = waiting_;
    while (rest.size() >= 1 + sizeof(std::uint64_t)) {
      std::uint64_t size = 0;
      std::memcpy(&size, rest.data() + 1, sizeof(size));
      if (size > most_bytes || rest.size() - 1 - sizeof(size) < size) break;
      one(rest[0], rest.substr(1 + sizeof(size), size));
      rest.remove_prefix(1 + sizeof(size) + size);
    }
    waiting_ = std::string(rest);
    return done_;
  }

 private:
  void one(char letter, std::string_view bytes) {
    if (letter == complaint) run_.complaints.emplace_back(bytes);
    if (letter == message && run_.messages.size() < most_messages) run_.messages.emplace_back(bytes);
    if (letter == its_end) run_.end = bytes;
    if (letter == finished) done_ = true;
    if (letter != row || bytes.size() != width_ * sizeof(double)) return;
    std::vector<double>& values = run_.outputs.values;
    values.resize(values.size() + width_);
    std::memcpy(values.data() + values.size() - width_, bytes.data(), bytes.size());
  }
  FmuRun& run_;
  std::size_t width_;
  std::string waiting_;
  bool done_ = false;
};

// Reads the pipe until the process has finished, has died, or has taken too long.
bool listen(int pipe, FmuRun& run, const FmuRunOptions& o) {
  constexpr double often = 0.1;  // [s] between two questions whether it is to go on
  const double patience = o.patience;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  FmuListener listener(run, run.outputs.columns.size());
  std::string buffer(1 << 16, '\0');
  std::size_t total = 0;
  while (true) {
    const double left = patience - std::chrono::duration<double>(Clock::now() - begin).count();
    pollfd waits{pipe, POLLIN, 0};
    if (o.goes_on && !o.goes_on()) return run.complaints.push_back("the run was interrupted"), true;
    const int ready = left > 0 ? poll(&waits, 1, int(std::min(left, often) * 1000) + 1) : 0;
    if ((ready < 0 && errno == EINTR) || (ready == 0 && left > 0)) continue;
    if (ready <= 0) {
      run.complaints.push_back(fmt::format("the FMU has not come to its end within {:g} s", patience));
      return true;
    }
    const ssize_t n = read(pipe, buffer.data(), buffer.size());
    if (n <= 0) return false;
    total += std::size_t(n);
    if (total > most_bytes) return run.complaints.push_back("the FMU has written too much"), true;
    if (listener.take({buffer.data(), std::size_t(n)})) return true;
  }
}
}  // namespace

FmuRun run_fmu(const std::filesystem::path& folder, const FmuDescription& d, const FmuRunOptions& o) {
  FmuRun run;
  run.outputs.name = "signals";
  run.outputs.columns.push_back({"time", "s"});
  for (const DescribedVariable& v : d.variables)
    if (v.causality == "output" && v.type == "Float64" && !v.is_array)
      run.outputs.columns.push_back({v.name, v.unit.empty() ? "1" : v.unit});
  int ends[2];
  auto* const where = static_cast<Whereabouts*>(
      mmap(nullptr, sizeof(Whereabouts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (where == MAP_FAILED || pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error("no process can be made for the FMU");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process can be made for the FMU");
  if (child == 0) {
    FmuChild work(ends[1], *where, folder, d, o);
    be_child(work, o);
  }
  setpgid(child, child);  // whichever of the two comes first
  close(ends[1]);
  const bool ended = listen(ends[0], run, o);
  close(ends[0]);
  int status = 0;
  if (ended) kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  kill(-child, SIGKILL);  // what the FMU has left behind
  where->function[sizeof(where->function) - 1] = '\0';
  if (!ended)
    run.complaints.push_back(
        WIFSIGNALED(status)
            ? fmt::format("the FMU crashed in {}: {}", where->function, strsignal(WTERMSIG(status)))
            : fmt::format("the FMU ended its process in {}", where->function));
  munmap(where, sizeof(Whereabouts));
  return run;
}
}  // namespace mubody::io

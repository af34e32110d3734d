// Many runs of one model, on all cores.
#include <thread>

#include "mubody/sweep/in_lanes.h"
#include "python/attendance.h"

namespace mubody::python {
namespace {
SweptVariable variable_of(const std::string& key, py::handle values, const std::string& together) {
  if (py::isinstance<py::str>(values))
    return read_variable(key + "=" + values.cast<std::string>(), io::Quotes::shown);
  SweptVariable v;
  v.key = key;
  for (const py::handle value : values.cast<py::list>())
    v.values.push_back(number_of(value, "a value of '" + key + "'"));
  v.together = together;
  if (v.values.empty()) throw py::value_error("'" + key + "' has no values");
  return v;
}

Sampling sampling_of(const std::string& kind, std::size_t points, std::uint64_t seed) {
  Sampling s;
  s.kind = kind == "lhs" ? Sampling::lhs : kind == "random" ? Sampling::random : Sampling::grid;
  s.points = points;
  s.seed = seed;
  return s;
}

py::array numbers_of(const std::vector<SweepRow>& rows, std::size_t count, bool kept) {
  load_numpy();
  py::array_t<double> all({py::ssize_t(rows.size()), py::ssize_t(count)});
  auto to = all.mutable_unchecked<2>();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::vector<double>& from = kept ? rows[r].kept : rows[r].values;
    for (std::size_t c = 0; c < count; ++c)
      to(py::ssize_t(r), py::ssize_t(c)) = c < from.size() ? from[c] : std::numeric_limits<double>::quiet_NaN();
  }
  return all;
}

py::dict table_of_rows(const Sweep& sweep, std::vector<SweepRow> rows) {
  std::ranges::sort(rows, {}, &SweepRow::index);
  std::vector<std::string> varied, outcomes, messages;
  for (const SweptVariable& v : sweep.plan.variables()) varied.push_back(v.header());
  std::vector<std::size_t> index;
  std::vector<double> violation, energy;
  for (const SweepRow& row : rows) {
    index.push_back(row.index);
    outcomes.emplace_back(word_of(row.outcome));
    messages.push_back(row.message);
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const bool ran = row.outcome != SweepRow::failed;
    violation.push_back(ran ? row.violation : none);
    energy.push_back(ran ? row.energy : none);
  }
  const std::vector<std::string> headers = sweep.headers();
  py::dict all;
  all["varied"] = varied, all["kept"] = headers, all["index"] = index;
  all["values"] = numbers_of(rows, varied.size(), false),
  all["results"] = numbers_of(rows, headers.size(), true);
  all["outcome"] = outcomes, all["message"] = messages;
  all["violation"] = violation, all["energy_residual"] = energy;
  return all;
}

/// What the threads of a sweep share; `next` and `take` are called by one of them at a time.
struct Course {
  const Sweep& sweep;
  std::optional<LanePlan> lanes;
  RaisedRef raised;
  std::atomic<bool> stopped = false;
  std::vector<SweepRow> rows;

  void go(int threads) {
    std::size_t next_index = 0;
    const NextPoint next = [&]() -> std::optional<std::size_t> {
      if (stopped || next_index >= sweep.plan.size()) return {};
      return next_index++;
    };
    const Progress going = [&](double) { return !stopped; };
    const Worker worker = [&](const NextPoint& n, const TakeRow& take) {
      if (lanes) return work_in_lanes(sweep, *lanes, going, n, take);
      while (const auto index = n())
        if (const auto row = run_point(sweep, *index, going)) take(*row);
    };
    Attendance attendance(1);
    const std::jthread all([&] {
      attendance.work(
          [&] { run_workers(threads, worker, next, [&](const SweepRow& row) { rows.push_back(row); }); });
    });
    Watching watching(raised);
    attendance.wait(watching, stopped);
  }
};

// A key that the model does not know would fail at every point; it is told before any run.
void check_key(const Document& d, const io::ModelText& model, const SweptVariable& v) {
  const std::vector<double> possible =
      v.distribution ? std::vector{v.distribution->quantile(0.25), v.distribution->quantile(0.75)}
                     : std::vector{v.values.at(0), v.values.back()};
  try {
    (void)model.with({v.setting(possible[0])});
  } catch (const ModelError&) {
    in_terms_of(d, [&] { (void)model.with({v.setting(possible[1])}); });
  }
}

// (table, exception)
py::tuple run_sweep(const Document& d, const py::dict& vary, const std::vector<std::string>& keep,
                    bool together, const std::string& kind, std::size_t points, std::uint64_t seed, int threads,
                    bool lanes) {
  if (!d.callbacks.empty())
    d.rethrow(ModelError("a sweep runs in threads, where functions of Python have no place"));
  const Reading reading = d.reading();
  const io::ModelText& model = *reading.model;
  std::vector<SweptVariable> variables;
  for (const auto& [key, values] : vary) {
    variables.push_back(
        variable_of(model.full_key(key.cast<std::string>()), values, together ? "together" : ""));
    check_key(d, model, variables.back());
  }
  const SweepPlan plan(std::move(variables), sampling_of(kind, points, seed));
  const RaisedRef raised = Raised::make();
  std::optional<Sweep> sweep;
  std::vector<SweepRow> rows;
  const int cores = int(std::max(1U, std::thread::hardware_concurrency()));
  in_terms_of(d, [&] {
    sweep = Sweep{model, plan, read_kept(keep, example_of(model, plan))};
    std::string why;
    Course course{*sweep, lanes ? plan_lanes(*sweep, why) : std::nullopt, raised, false, {}};
    course.go(int(std::clamp<std::size_t>(std::size_t(threads > 0 ? threads : cores), 1,
                                          std::max<std::size_t>(plan.size(), 1))));
    rows = std::move(course.rows);
  });
  return py::make_tuple(table_of_rows(*sweep, std::move(rows)), raised->taken());
}
}  // namespace

void bind_sweep(py::module_& m) { m.def("sweep", &run_sweep); }
}  // namespace mubody::python

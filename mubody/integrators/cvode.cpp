#include "mubody/integrators/cvode.h"

#include <algorithm>
#include <cassert>
#include <exception>
#include <limits>
#include <new>
#include <utility>

#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "mubody/integrators/adams.h"
#include "mubody/integrators/bdf.h"
#include "mubody/integrators/newton_matrix.h"
#include "mubody/integrators/tolerance.h"

namespace mubody {
namespace {
constexpr int most_not_finite = 100;  // evaluations in a row; smaller steps do not help then
constexpr int most_failures =
    60;  // in a row; a jump takes more than the usual 7, and the smallest step is a limit anyway

// Releases what SUNDIALS has allocated.
template <class T, auto release> struct Release {
  void operator()(T* p) const { release(p); }
};
void release_context(_SUNContext* c) { SUNContext_Free(&c); }
void release_vector(_generic_N_Vector* v) { N_VDestroy(v); }
void release_matrix(_generic_SUNMatrix* m) { SUNMatFreeEmpty(m); }
void release_linear(_generic_SUNLinearSolver* s) { SUNLinSolFreeEmpty(s); }
void release_nonlinear(_generic_SUNNonlinearSolver* s) { SUNNonlinSolFree(s); }
void release_memory(void* m) { CVodeFree(&m); }
template <class T, auto release> using Owned = std::unique_ptr<T, Release<T, release>>;

template <class T> T* made(T* p) {
  if (!p) throw std::bad_alloc();
  return p;
}
void done([[maybe_unused]] int flag) { assert(flag >= 0); }

Eigen::Map<VecX> numbers(N_Vector v) { return {N_VGetArrayPointer(v), N_VGetLength(v)}; }

class Cvode final : public Integrator {
 public:
  Cvode(CvodeMethod method, const StepControl& control) : method_(method), control_(control) {}

  void start(Ode& f, double t, const VecX& y, double t_end) override {
    const bool again = memory_ && y_.size() == y.size();
    t_ = t;
    t_end_ = t_end;
    y_ = state_ = y;
    offset_ = offset_before_ = VecX::Zero(y.size());
    tolerance_.start(f, control_, y.size());
    if (method_ == CvodeMethod::bdf) newton_.begin(f, y.size());
    statistics_ = {};
    if (!again) create(y.size());
    numbers(z_.get()) = y;
    if (again)
      done(CVodeReInit(memory_.get(), t, z_.get()));
    else
      begin();
    done(CVodeSetMaxStep(memory_.get(), control_.max_step.value_or(0)));
    end_moved();
  }

  bool advance(Ode& f) override {
    equation_ = &f;
    double t = t_;
    const int flag = CVode(memory_.get(), t_end_, z_.get(), &t, CV_ONE_STEP);
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    count_failures();
    if (flag < 0) return fail(fault_of(flag), reason(flag));
    if (t_end_ - t < 16 * least_) t = t_end_;  // CVODE would return there without a step
    const double h = t - t_;
    t_ = t;
    state_ = y_ = offset_ + numbers(z_.get());
    offset_before_ = offset_;
    if (f.after_step(t_, y_)) offset_ += y_ - state_;
    statistics_.count(h);
    return true;
  }

  void interpolate(Ode&, double t, Out y) override {
    if (t == t_) {
      y = y_;
      return;
    }
    done(CVodeGetDky(memory_.get(), t, 0, inside_.get()));
    y = offset_before_ + numbers(inside_.get());
  }

 private:
  void end_moved() override {
    least_ = 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), std::abs(t_end_));
    done(CVodeSetMinStep(memory_.get(), std::min(least_, control_.max_step.value_or(least_))));
    if (statistics_.steps == 0)
      done(CVodeSetInitStep(memory_.get(), std::min(control_.step.value_or(0), t_end_ - t_)));
    done(CVodeSetStopTime(memory_.get(), t_end_));
  }

  void create(Eigen::Index n) {
    SUNContext context = nullptr;
    done(SUNContext_Create(nullptr, &context));
    memory_.reset();
    linear_.reset();
    nonlinear_.reset();
    matrix_.reset();
    z_.reset();
    inside_.reset();
    context_.reset(made(context));
    z_.reset(made(N_VNew_Serial(n, context)));
    inside_.reset(made(N_VClone(z_.get())));
    memory_.reset(made(CVodeCreate(method_ == CvodeMethod::adams ? CV_ADAMS : CV_BDF, context)));
  }

  void begin() {
    SUNContext context = context_.get();
    void* memory = memory_.get();
    done(CVodeInit(memory, &rates, t_, z_.get()));
    done(CVodeSetUserData(memory, this));
    done(CVodeSetErrHandlerFn(memory, &take_message, this));
    done(CVodeWFtolerances(memory, &weights));
    const int highest = method_ == CvodeMethod::adams ? Adams::order : Bdf::order;
    done(CVodeSetMaxOrd(memory, std::min(control_.max_order, highest)));
    done(CVodeSetMaxHnilWarns(memory, -1));
    done(CVodeSetMaxErrTestFails(memory, most_failures));
    done(CVodeSetMaxConvFails(memory, most_failures));
    if (method_ == CvodeMethod::adams) {
      nonlinear_.reset(made(SUNNonlinSol_FixedPoint(z_.get(), 0, context)));
      done(CVodeSetNonlinearSolver(memory, nonlinear_.get()));
    } else {
      begin_newton();
    }
  }

  // CVODE asks for its matrix and for solutions; what the matrix is remains ours.
  void begin_newton() {
    matrix_.reset(made(SUNMatNewEmpty(context_.get())));
    matrix_->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
    linear_.reset(made(SUNLinSolNewEmpty(context_.get())));
    linear_->content = this;
    linear_->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
    linear_->ops->setup = [](SUNLinearSolver, SUNMatrix) { return 0; };
    linear_->ops->solve = &solve;
    done(CVodeSetLinearSolver(memory_.get(), linear_.get(), matrix_.get()));
    done(CVodeSetLinSysFn(memory_.get(), &make_matrix));
  }
  static int make_matrix(double t, N_Vector z, N_Vector, SUNMatrix, int may_stay, int* renewed, double c,
                         void* self, N_Vector, N_Vector, N_Vector) {
    auto& own = *static_cast<Cvode*>(self);
    *renewed = !(may_stay && own.newton_.factor(c));
    if (!*renewed) return 0;
    own.at_ = own.offset_ + numbers(z);
    try {
      own.newton_.renew(*own.equation_, t, own.at_, c, own.statistics_);
    } catch (...) {
      own.thrown_ = std::current_exception();
      return -1;
    }
    return own.newton_.finite() ? 0 : 1;
  }
  static int solve(SUNLinearSolver s, SUNMatrix, N_Vector x, N_Vector r, double) {
    auto& own = *static_cast<Cvode*>(s->content);
    own.newton_.solve(numbers(r), own.at_);
    numbers(x) = own.at_;
    return own.at_.allFinite() ? 0 : 1;
  }

  static int rates(double t, N_Vector z, N_Vector dz, void* self) {
    auto& c = *static_cast<Cvode*>(self);
    c.state_ = c.offset_ + numbers(z);
    auto dy = numbers(dz);
    // No exception may pass through a library in C: it is kept until advance() is back.
    try {
      c.equation_->rates(t, c.state_, dy);
    } catch (...) {
      c.thrown_ = std::current_exception();
      return -1;
    }
    ++c.statistics_.evaluations;
    c.not_finite_ = dy.allFinite() ? 0 : c.not_finite_ + 1;
    return c.not_finite_ == 0                ? 0
           : c.not_finite_ < most_not_finite ? 1
                                             : -1;  // 1: try again with a smaller step
  }

  // CVODE bounds the root of the mean of (w_k e_k)²; with √n in the weights this is no less than the largest |e_k|, and
  // rtol and atol mean the same as elsewhere.  Numbers that do not count still need a weight.
  static int weights(N_Vector z, N_Vector w, void* self) {
    const auto& c = *static_cast<Cvode*>(self);
    const auto values = numbers(z);
    auto weight = numbers(w);
    const double scale = std::sqrt(double(values.size())), unseen = 1e-6;
    for (Eigen::Index k = 0; k < values.size(); ++k) {
      const double size = std::abs(c.offset_[k] + values[k]);
      weight[k] = scale * (k < c.tolerance_.controlled() ? 1 : unseen) / c.tolerance_.of(k, size);
    }
    return 0;
  }

  static void take_message(int, const char*, const char*, char* text, void* self) {
    static_cast<Cvode*>(self)->message_ = text;
  }

  void count_failures() {
    long errors = 0, unsolved = 0;
    CVodeGetNumErrTestFails(memory_.get(), &errors);
    CVodeGetNumNonlinSolvConvFails(memory_.get(), &unsolved);
    statistics_.rejected = errors + unsolved;
  }

  Fault fault_of(int flag) const {
    const bool finite = not_finite_ == 0;
    return finite && (flag == CV_ERR_FAILURE || flag == CV_CONV_FAILURE) ? Fault::no_step : Fault::not_finite;
  }
  std::string reason(int flag) const {
    if (not_finite_ > 0) return no_step(least_, false);
    switch (flag) {
      case CV_ERR_FAILURE: return no_step(least_, true);
      case CV_CONV_FAILURE:
        return fmt::format(
            "the implicit equations of the step at t = {:.9g} s were not solved with the smallest step", t_);
      case CV_RHSFUNC_FAIL:
      case CV_FIRST_RHSFUNC_ERR:
      case CV_REPTD_RHSFUNC_ERR:
      case CV_UNREC_RHSFUNC_ERR: return no_step(least_, false);
      default: return fmt::format("CVODE stopped at t = {:.9g} s: {}", t_, message_);
    }
  }

  CvodeMethod method_;
  StepControl control_;
  Ode* equation_ = nullptr;
  std::exception_ptr thrown_;  // by the equation
  int not_finite_ = 0;         // evaluations in a row
  double least_ = 0;
  Tolerance tolerance_;
  VecX offset_, offset_before_, state_;  // c now and during the last step; y as CVODE has it
  VecX at_;                              // where the matrix is made, or a solution
  NewtonMatrix newton_;
  std::string message_;
  Owned<_SUNContext, release_context> context_;  // the members below refer to it
  Owned<_generic_N_Vector, release_vector> z_, inside_;
  Owned<_generic_SUNMatrix, release_matrix> matrix_;
  Owned<_generic_SUNLinearSolver, release_linear> linear_;
  Owned<_generic_SUNNonlinearSolver, release_nonlinear> nonlinear_;
  Owned<void, release_memory> memory_;
};
}  // namespace

std::unique_ptr<Integrator> make_cvode(CvodeMethod method, const StepControl& control) {
  return std::make_unique<Cvode>(method, control);
}
}  // namespace mubody

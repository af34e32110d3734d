// Simulations of one model that are stepped together on a graphics processor, or by the same code on the cores of this machine: arrays
// stay where they are.
//
//   CUDA array interface, version 3 (Numba); DLPack 0.8
#include <cmath>

#include <fmt/format.h>

#include "mubody/compiled/compiled_batch.h"
#include "mubody/cuda/batch.h"
#include "python/bind.h"

namespace mubody::python {
namespace {
// DLPack, as its header has them.
struct DlTensor {
  void* data;
  int device_kind, device;
  int dimensions;
  std::uint8_t code, bits;
  std::uint16_t lanes;
  std::int64_t *shape, *strides;
  std::uint64_t offset;
};
struct DlManaged {
  DlTensor tensor;
  void* owner;
  void (*free)(DlManaged*);
};
constexpr int dl_cpu = 1, dl_cuda = 2, dl_float = 2;
constexpr std::intptr_t usual_stream = 1;  // as both interfaces number it

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

class DeviceBatch {
 public:
  DeviceBatch(const Document& d, const std::vector<std::string>& settings, int count,
              const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
              const std::string& device, double step)
      : step_(step) {
    if (count < 1) throw py::value_error("a batch has at least one simulation");
    if (!(step > 0 && std::isfinite(step))) throw py::value_error("a step is a positive number of seconds");
    const int which = processor_of(device);
    const Reading reading = d.reading();
    if (!reading.callbacks.empty())
      throw py::value_error("functions of the program cannot run on a device: write formulas");
    if (d.untrusted()) throw py::value_error("code is not made of models of strangers");
    in_terms_of(d, [&] { code_ = batch_code(reading.study(settings), inputs, outputs); });
    Unlocked release;
    try {
      device_ = which < 0 ? io::compiled_batch(code_, count) : io::cuda_batch(code_, count, which);
    } catch (const NoDevice& e) {
      throw std::runtime_error(e.what());
    }
  }

  int size() const { return device_->count(); }
  BatchDevice& device() { return *device_; }
  const BatchCode& code() const { return code_; }

  void advance(double dt, const py::object& u) {
    if (!(dt >= 0 && std::isfinite(dt)))
      throw py::value_error(fmt::format("time goes forward only: dt = {}", dt));
    const int steps = int(std::max(1.0, std::ceil(dt / step_ * (1 - 1e-12))));
    Numbers here;
    const BatchInputs in = u.is_none() ? BatchInputs() : inputs_in(u, here);
    Unlocked release;
    attempt([&] { device_->advance(in, dt / steps, steps); });
  }

  void reset(const py::object& which) {
    if (which.is_none()) return attempt([&] { device_->reset(nullptr); });
    if (device_->processor() >= 0 && py::hasattr(which, "__cuda_array_interface__")) {
      const py::dict about = which.attr("__cuda_array_interface__");
      const std::string type = about["typestr"].cast<std::string>();
      if (about["shape"].cast<std::vector<py::ssize_t>>() != std::vector<py::ssize_t>{size()} ||
          (type != "|b1" && type != "|u1") || has_strides(about))
        throw py::value_error(fmt::format("a mask has {} booleans", size()));
      const auto at = about["data"].cast<py::tuple>()[0].cast<std::uintptr_t>();
      return attempt([&] { device_->reset(reinterpret_cast<const unsigned char*>(at)); });
    }
    std::vector<unsigned char> marks(std::size_t(size()), 0);
    for (const py::handle k : which) {
      const auto n = k.cast<py::ssize_t>();
      if (n < 0 || n >= size()) throw py::index_error(fmt::format("there are {} simulations", size()));
      marks[std::size_t(n)] = 1;
    }
    attempt([&] { device_->reset_marked(marks); });
  }

 private:
  // −1: the cores of this machine.
  static int processor_of(const std::string& device) {
    if (device == "compiled") return -1;
    if (device == "cuda") return 0;
    if (device.starts_with("cuda:") && device.size() > 5 &&
        device.find_first_not_of("0123456789", 5) == std::string::npos && device.size() < 10)
      return std::stoi(device.substr(5));
    throw py::value_error(fmt::format("device is \"cuda\", \"cuda:K\" or \"compiled\", got '{}'", device));
  }
  template <class Work> static void attempt(const Work& work) {
    try {
      work();
    } catch (const NoDevice& e) {
      throw std::runtime_error(e.what());
    }
  }
  static bool has_strides(const py::dict& about) {
    return about.contains("strides") && !about["strides"].is_none();
  }
  bool fits(const std::vector<py::ssize_t>& shape) const {
    const auto columns = py::ssize_t(code_.asked);
    return shape == std::vector<py::ssize_t>{size(), columns} ||
           (columns == 1 && shape == std::vector<py::ssize_t>{size()});
  }
  [[noreturn]] void refuse() const {
    throw py::value_error(
        fmt::format("inputs are an array of {} simulations by {} inputs, of doubles or floats, row "
                    "after row",
                    size(), code_.asked));
  }

  /// Arrays of a graphics processor are read where they are; others are copied to it.
  BatchInputs inputs_in(const py::object& u, Numbers& here) {
    BatchInputs in;
    if (device_->processor() >= 0 && py::hasattr(u, "__cuda_array_interface__")) {
      const py::dict about = u.attr("__cuda_array_interface__");
      const std::string type = about["typestr"].cast<std::string>();
      if (!fits(about["shape"].cast<std::vector<py::ssize_t>>()) || (type != "<f8" && type != "<f4") ||
          (has_strides(about) && !is_dense(about, type == "<f4" ? 4 : 8)))
        refuse();
      in.at = reinterpret_cast<const void*>(about["data"].cast<py::tuple>()[0].cast<std::uintptr_t>());
      in.single = type == "<f4";
      if (about.contains("stream") && !about["stream"].is_none())
        if (const auto stream = about["stream"].cast<std::intptr_t>(); stream != usual_stream)
          in.stream = reinterpret_cast<void*>(stream);
      return in;
    }
    here = Numbers::ensure(u);
    if (!here || !fits({here.shape(), here.shape() + here.ndim()})) refuse();
    in.at = device_->here(here.data(), std::size_t(here.size()));
    return in;
  }
  static bool is_dense(const py::dict& about, py::ssize_t size) {
    const auto shape = about["shape"].cast<std::vector<py::ssize_t>>(),
               strides = about["strides"].cast<std::vector<py::ssize_t>>();
    for (std::size_t k = shape.size(); k-- > 0; size *= shape[k])
      if (shape[k] > 1 && strides[k] != size) return false;
    return true;
  }

  BatchCode code_;
  std::unique_ptr<BatchDevice> device_;
  double step_;
};
using BatchRef = std::shared_ptr<DeviceBatch>;

/// The outputs, where the device has them.
struct DeviceArray {
  BatchRef batch;

  std::vector<std::int64_t> shape() const {
    return {batch->size(), std::int64_t(batch->code().outputs.size())};
  }
  py::dict interface() const {
    py::dict about;
    about["shape"] = py::tuple(py::cast(shape()));
    about["typestr"] = "<f8";
    about["data"] = py::make_tuple(reinterpret_cast<std::uintptr_t>(batch->device().outputs()), false);
    about["strides"] = py::none();
    about["version"] = 3;
    about["stream"] = usual_stream;
    return about;
  }
  py::tuple dlpack_device() const { return py::make_tuple(dl_cuda, batch->device().processor()); }
  py::capsule dlpack(const py::object& stream) const {
    if (!stream.is_none() && stream.cast<std::intptr_t>() != usual_stream && stream.cast<std::intptr_t>() != -1)
      batch->device().wait();  // whoever reads in another stream
    struct Owned {
      DlManaged managed{};
      BatchRef batch;
      std::vector<std::int64_t> shape, strides;
    };
    auto owned = std::make_unique<Owned>();
    owned->batch = batch, owned->shape = shape(), owned->strides = {owned->shape[1], 1};
    owned->managed.tensor = {batch->device().outputs(),
                             dl_cuda,
                             batch->device().processor(),
                             2,
                             dl_float,
                             64,
                             1,
                             owned->shape.data(),
                             owned->strides.data(),
                             0};
    owned->managed.owner = owned.get();
    owned->managed.free = [](DlManaged* m) { delete static_cast<Owned*>(m->owner); };
    PyObject* const capsule = PyCapsule_New(&owned.release()->managed, "dltensor", [](PyObject* c) {
      if (!PyCapsule_IsValid(c, "dltensor")) return;  // somebody has taken it over
      auto* const m = static_cast<DlManaged*>(PyCapsule_GetPointer(c, "dltensor"));
      m->free(m);
    });
    if (!capsule) throw py::error_already_set();
    return py::reinterpret_steal<py::capsule>(capsule);
  }
};

py::object outputs_of(const BatchRef& batch) {
  BatchDevice& device = batch->device();
  if (device.processor() >= 0) return py::cast(DeviceArray{batch});
  load_numpy();
  const auto columns = py::ssize_t(batch->code().outputs.size());
  return py::array_t<double>({py::ssize_t(batch->size()), columns}, device.outputs(), py::cast(batch));
}
}  // namespace

void bind_device_batch(py::module_& m) {
  py::class_<DeviceArray>(m, "DeviceArray", "Outputs in the memory of a graphics processor.")
      .def_property_readonly("shape", [](const DeviceArray& a) { return py::tuple(py::cast(a.shape())); })
      .def_property_readonly("__cuda_array_interface__", &DeviceArray::interface)
      .def("__dlpack_device__", &DeviceArray::dlpack_device)
      .def(
          "__dlpack__",
          [](const DeviceArray& a, const py::object& stream, const py::kwargs&) { return a.dlpack(stream); },
          py::arg("stream") = py::none());
  py::class_<DeviceBatch, BatchRef>(m, "DeviceBatch", "Simulations that are stepped together on a device.")
      .def(py::init<const Document&, const std::vector<std::string>&, int, const std::vector<std::string>&,
                    const std::vector<std::string>&, const std::string&, double>())
      .def("__len__", &DeviceBatch::size)
      .def("advance",
           [](const BatchRef& b, double dt, const py::object& u) {
             b->advance(dt, u);
             return outputs_of(b);
           })
      .def("outputs", &outputs_of)
      .def("reset", &DeviceBatch::reset)
      .def("wait", [](DeviceBatch& b) { b.device().wait(); })
      .def_property_readonly("times", [](DeviceBatch& b) { return b.device().times(); })
      .def_property_readonly("codes", [](DeviceBatch& b) { return b.device().codes(); })
      .def_property_readonly("device", [](DeviceBatch& b) { return b.device().name(); })
      .def_property_readonly("notes", [](DeviceBatch& b) { return b.code().notes; })
      .def_property_readonly("output_names", [](DeviceBatch& b) { return b.code().outputs; });
}
}  // namespace mubody::python

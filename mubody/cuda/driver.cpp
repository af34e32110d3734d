#include "mubody/cuda/driver.h"

#include <cstdlib>
#include <dlfcn.h>

#include <fmt/format.h>

namespace mubody::io {
namespace {
template <class F> void find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function) throw NoDevice(fmt::format("the driver of CUDA has no function '{}': it is too old", name));
}
}  // namespace

CudaDriver::CudaDriver() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) throw NoDevice("there is no driver of CUDA: libcuda.so.1 is not found");
  find(library, "cuInit", init);
  find(library, "cuDeviceGetCount", device_get_count);
  find(library, "cuDeviceGet", device_get);
  find(library, "cuDeviceGetName", device_get_name);
  find(library, "cuDeviceGetAttribute", device_get_attribute);
  find(library, "cuDevicePrimaryCtxRetain", context_retain);
  find(library, "cuDevicePrimaryCtxRelease_v2", context_release);
  find(library, "cuCtxSetCurrent", context_set);
  find(library, "cuMemGetInfo_v2", memory_info);
  find(library, "cuMemAlloc_v2", memory_take);
  find(library, "cuMemFree_v2", memory_free);
  find(library, "cuMemHostAlloc", host_take);
  find(library, "cuMemFreeHost", host_free);
  find(library, "cuMemcpyHtoDAsync_v2", to_device);
  find(library, "cuMemcpyDtoHAsync_v2", from_device);
  find(library, "cuMemsetD32Async", set);
  find(library, "cuStreamCreate", stream_create);
  find(library, "cuStreamSynchronize", stream_wait);
  find(library, "cuStreamDestroy_v2", stream_destroy);
  find(library, "cuModuleLoadData", module_load);
  find(library, "cuModuleUnload", module_unload);
  find(library, "cuModuleGetFunction", module_function);
  find(library, "cuModuleGetGlobal_v2", module_number);
  find(library, "cuFuncSetAttribute", function_set);
  find(library, "cuOccupancyMaxActiveBlocksPerMultiprocessor", occupancy);
  find(library, "cuLaunchKernel", launch);
  find(library, "cuGetErrorString", error_text);
  ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);  // one for each stream: they must not wait for each other
  constexpr int no_device = 100;                     // CUDA_ERROR_NO_DEVICE
  const Result begun = init(0);
  if (begun == no_device || (begun == 0 && (device_get_count(&devices) != 0 || devices == 0)))
    throw NoDevice("there is no graphics processor that CUDA can use");
  check(begun, "CUDA cannot be used");
}

const CudaDriver& CudaDriver::loaded() {
  static const CudaDriver driver;
  return driver;
}

void CudaDriver::check(Result r, const char* what) const {
  if (r == 0) return;
  constexpr int no_memory = 2;  // CUDA_ERROR_OUT_OF_MEMORY
  const char* why = nullptr;
  if (error_text(r, &why) != 0 || !why) why = "unknown error";
  throw NoDevice(r == no_memory ? fmt::format("{}: the graphics processor has too little memory", what)
                                : fmt::format("{}: {} (code {})", what, why, r));
}
}  // namespace mubody::io

#pragma once
// The few functions of CUDA's driver that are needed, found when they are asked for: nothing of CUDA is there when this is built.
//
//   NVIDIA, CUDA Driver API Reference Manual
#include <cstddef>
#include <string>

#include "mubody/device/motion_device.h"

namespace mubody::io {
/// Types of the driver's interface, as the manual has them: numbers, and places that nobody looks into.
struct CudaTypes {
  using Result = int;
  using Device = int;
  using Memory = unsigned long long;
  struct ContextOf;
  struct ModuleOf;
  struct FunctionOf;
  struct StreamOf;
  using Context = ContextOf*;
  using Module = ModuleOf*;
  using Function = FunctionOf*;
  using Stream = StreamOf*;
};

/// The functions, by their names in the manual without "cu" before them.
class CudaDriver : public CudaTypes {
 public:
  /// Loads libcuda.so.1 once for the program.  Throws NoDevice if it is not there or there is no processor of its kind.
  static const CudaDriver& loaded();

  /// Throws NoDevice, with the driver's own words, if a call has failed.
  void check(Result, const char* what) const;

  Result (*init)(unsigned flags);
  Result (*device_get_count)(int*);
  Result (*device_get)(Device*, int which);
  Result (*device_get_name)(char*, int size, Device);
  Result (*device_get_attribute)(int*, int attribute, Device);
  Result (*context_retain)(Context*, Device);
  Result (*context_release)(Device);
  Result (*context_set)(Context);
  Result (*memory_info)(std::size_t* free, std::size_t* total);
  Result (*memory_take)(Memory*, std::size_t bytes);
  Result (*memory_free)(Memory);
  Result (*host_take)(void**, std::size_t bytes, unsigned flags);
  Result (*host_free)(void*);
  Result (*to_device)(Memory, const void*, std::size_t bytes, Stream);
  Result (*from_device)(void*, Memory, std::size_t bytes, Stream);
  Result (*set)(Memory, unsigned value, std::size_t count, Stream);
  Result (*stream_create)(Stream*, unsigned flags);
  Result (*stream_wait)(Stream);
  Result (*stream_destroy)(Stream);
  Result (*module_load)(Module*, const void* image);
  Result (*module_unload)(Module);
  Result (*module_function)(Function*, Module, const char* name);
  Result (*module_number)(Memory*, std::size_t* bytes, Module, const char* name);
  Result (*function_set)(Function, int attribute, int value);
  Result (*occupancy)(int* blocks, Function, int threads, std::size_t shared);
  Result (*launch)(Function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared, Stream, void** arguments, void** extra);
  Result (*error_text)(Result, const char**);

  int devices = 0;

 private:
  CudaDriver();
};
}  // namespace mubody::io

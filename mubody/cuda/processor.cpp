#include "mubody/cuda/processor.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace mubody::io {
namespace {
// Threads of a block; few, so that those that need many registers find a place as well.
constexpr int block = 64;
// CU_DEVICE_ATTRIBUTE_...
constexpr int multiprocessor_count = 16, capability_major = 75, capability_minor = 76;
constexpr int shared_carveout = 9;    // CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, in per cent
constexpr unsigned stands_alone = 1;  // CU_STREAM_NON_BLOCKING
}  // namespace

CudaProcessor::CudaProcessor(int which) : driver_(CudaDriver::loaded()) {
  if (which < 0 || which >= driver_.devices)
    throw NoDevice(fmt::format(
        "there is no graphics processor {}: {}", which,
        driver_.devices == 1 ? "the only one is 0" : fmt::format("they are 0 to {}", driver_.devices - 1)));
  constexpr const char* what = "the graphics processor cannot be used";
  driver_.check(driver_.device_get(&device_, which), what);
  std::array<char, 256> text{};
  driver_.check(driver_.device_get_name(text.data(), int(text.size()), device_), what);
  name_ = text.data();
  int major = 0, minor = 0;
  driver_.check(driver_.device_get_attribute(&major, capability_major, device_), what);
  driver_.check(driver_.device_get_attribute(&minor, capability_minor, device_), what);
  driver_.check(driver_.device_get_attribute(&multiprocessors_, multiprocessor_count, device_), what);
  architecture_ = 10 * major + minor;
  driver_.check(driver_.context_retain(&context_, device_), what);
  use();
}
CudaProcessor::~CudaProcessor() {
  driver_.context_set(context_);
  if (module_) driver_.module_unload(module_);
  driver_.context_release(device_);
}

std::size_t CudaProcessor::free_memory() const {
  std::size_t free = 0, total = 0;
  use();
  driver_.check(driver_.memory_info(&free, &total), "the graphics processor cannot be used");
  return free;
}
void CudaProcessor::load(const std::string& code) {
  use();
  driver_.check(driver_.module_load(&module_, code.data()),
                "the graphics processor does not take compiled code");
}
CudaTypes::Function CudaProcessor::function(const char* name) const {
  CudaTypes::Function f = nullptr;
  use();
  driver_.check(driver_.module_function(&f, module_, name), name);
  driver_.check(driver_.function_set(f, shared_carveout, 0), name);  // all near memory is cache
  return f;
}
int CudaProcessor::threads_at_once(CudaTypes::Function f) const {
  int blocks = 0;
  use();
  driver_.check(driver_.occupancy(&blocks, f, block, 0), "the graphics processor cannot run compiled code");
  return std::max(1, blocks) * block;
}
int CudaProcessor::number(const char* name) const {
  CudaTypes::Memory at = 0;
  std::size_t bytes = 0;
  int value = 0;
  use();
  driver_.check(driver_.module_number(&at, &bytes, module_, name), name);
  driver_.check(driver_.from_device(&value, at, sizeof value, nullptr), name);
  driver_.check(driver_.stream_wait(nullptr), name);
  return value;
}

void CudaProcessor::put(const char* name, const std::vector<double>& numbers) const {
  CudaTypes::Memory at = 0;
  std::size_t bytes = 0;
  use();
  driver_.check(driver_.module_number(&at, &bytes, module_, name), name);
  driver_.check(
      driver_.to_device(at, numbers.data(), std::min(bytes, numbers.size() * sizeof(double)), nullptr), name);
  driver_.check(driver_.stream_wait(nullptr), name);
}

CudaMemory::CudaMemory(std::size_t bytes) : bytes_(bytes) {
  const CudaDriver& d = CudaDriver::loaded();
  d.check(d.memory_take(&at_, bytes == 0 ? 1 : bytes), fmt::format("{} MB", bytes >> 20).c_str());
}
CudaMemory::~CudaMemory() { CudaDriver::loaded().memory_free(at_); }

CudaStream::CudaStream() : driver_(CudaDriver::loaded()) {
  driver_.check(driver_.stream_create(&stream_, stands_alone), "a stream of work");
}
CudaStream::~CudaStream() { driver_.stream_destroy(stream_); }

void CudaStream::put_bytes(CudaTypes::Memory to, const void* from, std::size_t bytes) const {
  if (bytes > 0)
    driver_.check(driver_.to_device(to, from, bytes, stream_), "copying to the graphics processor");
}
void CudaStream::get_bytes(void* to, CudaTypes::Memory from, std::size_t bytes) const {
  if (bytes > 0)
    driver_.check(driver_.from_device(to, from, bytes, stream_), "copying from the graphics processor");
}
void CudaStream::clear(CudaTypes::Memory memory, std::size_t words) const {
  driver_.check(driver_.set(memory, 0, words, stream_), "clearing memory of the graphics processor");
}
void CudaStream::launch(CudaTypes::Function f, int count, void** arguments) const {
  const unsigned blocks = unsigned((count + block - 1) / block);
  driver_.check(driver_.launch(f, blocks, 1, 1, block, 1, 1, 0, stream_, arguments, nullptr),
                "the graphics processor cannot run compiled code");
}
void CudaStream::wait() const {
  driver_.check(driver_.stream_wait(stream_), "computing on the graphics processor");
}
}  // namespace mubody::io

#pragma once
// A graphics processor, with the code of one kernel, and what belongs to one stream of work on it.
#include <vector>

#include "mubody/cuda/driver.h"

namespace mubody::io {
/// The driver's context of a processor, and code that is loaded into it.
class CudaProcessor {
 public:
  explicit CudaProcessor(int which);
  CudaProcessor(const CudaProcessor&) = delete;
  CudaProcessor& operator=(const CudaProcessor&) = delete;
  ~CudaProcessor();

  /// As 90 for "compute capability 9.0".
  int architecture() const { return architecture_; }
  int multiprocessors() const { return multiprocessors_; }
  /// How many threads of this function a multiprocessor has at once.
  int threads_at_once(CudaTypes::Function) const;
  const std::string& name() const { return name_; }
  /// Lets the calling thread work with it.
  void use() const { driver_.check(driver_.context_set(context_), "the graphics processor cannot be used"); }
  std::size_t free_memory() const;
  void load(const std::string& code);
  CudaTypes::Function function(const char* name) const;
  int number(const char* name) const;
  void put(const char* name, const std::vector<double>&) const;

 private:
  const CudaDriver& driver_;
  CudaTypes::Device device_ = 0;
  CudaTypes::Context context_ = nullptr;
  CudaTypes::Module module_ = nullptr;
  int architecture_ = 0, multiprocessors_ = 0;
  std::string name_;
};

/// Memory of a processor, as long as it lives.
class CudaMemory {
 public:
  explicit CudaMemory(std::size_t bytes);
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;
  ~CudaMemory();
  CudaTypes::Memory at() const { return at_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  CudaTypes::Memory at_ = 0;
};

/// Work that is done in order, beside that of other streams.
class CudaStream {
 public:
  CudaStream();
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;
  ~CudaStream();

  template <class T> void put(CudaTypes::Memory to, const std::vector<T>& from) const {
    put_bytes(to, from.data(), from.size() * sizeof(T));
  }
  template <class T> void get(std::vector<T>& to, CudaTypes::Memory from) const {
    get_bytes(to.data(), from, to.size() * sizeof(T));
  }
  void clear(CudaTypes::Memory, std::size_t words) const;
  /// One thread for each of `count`.
  void launch(CudaTypes::Function, int count, void** arguments) const;
  void wait() const;

 private:
  void put_bytes(CudaTypes::Memory to, const void* from, std::size_t bytes) const;
  void get_bytes(void* to, CudaTypes::Memory from, std::size_t bytes) const;

  const CudaDriver& driver_;
  CudaTypes::Stream stream_ = nullptr;
};
}  // namespace mubody::io

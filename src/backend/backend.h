// SPDX-License-Identifier: Apache-2.0
// Devices behind one interface (design.md §7.9). A backend is built in (reference, cpu) or a loaded
// module (fenced, later cuda) that exports `extern "C" const zhibi::backend::BackendApi*
// zhibi_backend_v1(const HostApi*)`. Devices are objects with ordinals; there is no global state. A
// Device is thread-safe; a Stream belongs to one thread at a time; buffers are destroyed before
// their device, streams before buffers that their work still uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/kernel.h"
#include "zhibi/status.h"

namespace zhibi::backend {

// What a machine is, as far as compiled engines depend on it; stored in engine files and compared
// field by field.
struct DeviceInfo {
  std::string backend;  // "cpu", "reference", "fenced"
  std::string name;     // "AMD EPYC", for people
  std::string isa;      // chosen level: "scalar", "avx2", "avx512"
  std::vector<std::string>
      features;  // what the chosen kernels need, sorted: "avx512_bf16", "avx512_vnni", ...
  std::int32_t ordinal = 0;
  std::int32_t threads = 1;  // not part of the fingerprint
  bool host_memory = true;   // buffers can be read by the host directly
};

class DeviceBuffer {
 public:
  virtual ~DeviceBuffer() = default;
  std::byte* data() const {
    return data_;
  }  // a device address: the host may touch it only when host_memory
  std::size_t size() const { return size_; }

 protected:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// An event of a stream; reusable after it has happened.
class Event {
 public:
  virtual ~Event() = default;
  virtual bool Happened() const = 0;
  virtual Status Wait() = 0;  // blocks the host
};

// Work in order. Errors of asynchronous work are kept and returned by the next Wait or Synchronize.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual Status Launch(const KernelEntry& entry,
                        const LaunchArgs& args) = 0;  // args' arrays are copied if needed
  virtual Status CopyToDevice(std::byte* device,
                              std::span<const std::byte> host) = 0;  // host stays valid till done
  virtual Status CopyToHost(std::span<std::byte> host, const std::byte* device) = 0;
  virtual Status CopyOnDevice(std::byte* dst, const std::byte* src, std::size_t bytes) = 0;
  virtual Status Record(Event& event) = 0;
  virtual Status Synchronize() = 0;
  // For kernels of host-threaded devices: calls function for all tiles on all threads and returns
  // when all are done.
  virtual void RunTiles(std::int64_t tiles, TileFunction function, void* context) = 0;
  virtual int workers() const = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  // Entries in order of preference; the reference backend's answer everything.
  virtual std::span<const KernelEntry* const> kernels() const = 0;
  // 64-byte aligned (huge pages where the system gives them), zero-filled. kResourceExhausted says
  // how much was asked.
  virtual Result<std::unique_ptr<DeviceBuffer>> Allocate(std::size_t bytes) = 0;
  // A buffer over mapped weights: no copy when host_memory, else a copy. `bytes` outlives the
  // buffer.
  virtual Result<std::unique_ptr<DeviceBuffer>> Wrap(std::span<const std::byte> bytes) = 0;
  virtual Result<std::unique_ptr<Stream>> CreateStream() = 0;
  virtual Result<std::unique_ptr<Event>> CreateEvent() = 0;
};

struct DeviceOptions {
  int threads = 0;         // 0: from cgroup quota and cpuset
  std::string isa;         // empty: best of the machine, or ZHIBI_CPU
  std::uint64_t seed = 1;  // fenced: of its random delays
};

inline constexpr std::uint32_t kBackendAbi = 1;

// Services of the host for loaded modules.
struct HostApi {
  std::uint32_t abi = kBackendAbi;
  void (*log)(int level, std::string_view message) = nullptr;
};

struct BackendApi {
  std::uint32_t abi = kBackendAbi;
  std::string_view name;
  int (*device_count)() = nullptr;
  Result<std::unique_ptr<Device>> (*open)(int ordinal, const DeviceOptions& options) = nullptr;
};

// "cpu", "reference", or the path of a module ("fenced" is found beside the program). kNotFound
// lists what there is.
Result<std::unique_ptr<Device>> OpenDevice(std::string_view backend, const DeviceOptions& options);

}  // namespace zhibi::backend

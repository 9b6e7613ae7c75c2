// SPDX-License-Identifier: Apache-2.0
// Weights and cache memory of an engine on a device.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "base/machine.h"
#include "base/status_macros.h"
#include "runtime/executor.h"

namespace zhibi::runtime {
namespace {

// Below this a copy saves nothing.
constexpr std::size_t kLeastCopied = std::size_t{8} << 20;
constexpr std::size_t kReadBytes = std::size_t{4} << 20;

// Reads the weights section into device memory on as many threads as the device has. Where the
// host's memory is the device's, this beats using the mapping: the copy lies on huge pages, the
// mapping on 4 KiB pages, whose TLB misses cost decoding a fifth of the bandwidth, and whose first
// touch costs a fault each (0.5B int8 in a virtual machine: first token 320 ms through the
// mapping). docs/adr/0004-weights-in-huge-pages.md.
Status ReadAll(const engine::EngineFile& file, std::span<std::byte> dst, int threads) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  Status status;
  auto read = [&] {
    for (std::size_t at = next.fetch_add(kReadBytes); at < dst.size();
         at = next.fetch_add(kReadBytes)) {
      Status part = file.ReadWeights(at, dst.subspan(at, std::min(kReadBytes, dst.size() - at)));
      if (part.ok()) continue;
      const std::lock_guard<std::mutex> lock(mutex);
      status = std::move(part);
      return;
    }
  };
  std::vector<std::thread> helpers;
  for (int i = 1; i < threads; ++i) helpers.emplace_back(read);
  read();
  for (std::thread& helper : helpers) helper.join();
  return status;
}

// The mapping serves where a copy would leave too little memory, and devices with memory of their
// own.
bool ShouldCopy(const backend::Device& device, std::size_t bytes) {
  return device.info().host_memory && bytes >= kLeastCopied &&
         static_cast<std::int64_t>(bytes) <= base::MemoryLimitBytes() / 2;
}

}  // namespace

std::int64_t CacheSet::PageBytes(const graph::CacheGroup& group, std::int64_t page_tokens) {
  const std::int64_t layer = (page_tokens * group.bytes_per_token + 63) / 64 * 64;
  return layer * group.layers;
}

Result<std::unique_ptr<CacheSet>> CacheSet::Create(backend::Device& device,
                                                   std::span<const graph::CacheGroup> groups,
                                                   std::int64_t page_tokens,
                                                   std::span<const std::int64_t> pages_of_group) {
  auto set = std::make_unique<CacheSet>();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::int64_t page_bytes = PageBytes(groups[i], page_tokens);
    const auto bytes = static_cast<std::size_t>(page_bytes * pages_of_group[i]);
    Result<std::unique_ptr<backend::DeviceBuffer>> buffer =
        device.Allocate(std::max<std::size_t>(bytes, 64));
    if (!buffer.ok()) {
      return std::move(buffer).status().WithContext("cache group " + groups[i].name);
    }
    graph::CacheView view;
    view.base = (*buffer)->data();
    view.page_bytes = page_bytes;
    view.layer_bytes = page_bytes / std::max(groups[i].layers, 1);
    view.page_tokens = static_cast<std::int32_t>(page_tokens);
    view.dtype = groups[i].dtype;
    set->views_.push_back(view);
    set->buffers_.push_back(std::move(buffer).value());
  }
  return set;
}

Result<std::unique_ptr<LoadedEngine>> LoadedEngine::Create(
    std::shared_ptr<const engine::EngineFile> file, std::shared_ptr<backend::Device> device) {
  const backend::DeviceInfo& here = device->info();
  ZB_RETURN_IF_ERROR(engine::CheckFingerprint(file->info(), {here.backend, here.isa, here.features})
                         .WithContext(file->path()));
  auto loaded = std::make_unique<LoadedEngine>();
  const std::span<const std::byte> weights = file->weight_bytes();
  if (ShouldCopy(*device, weights.size())) {
    ZB_ASSIGN_OR_RETURN(loaded->weights_, device->Allocate(weights.size()));
    ZB_RETURN_IF_ERROR(
        ReadAll(*file, {loaded->weights_->data(), weights.size()}, device->info().threads));
  } else {
    ZB_ASSIGN_OR_RETURN(loaded->weights_, device->Wrap(weights));
  }
  loaded->file_ = std::move(file);
  loaded->device_ = std::move(device);
  return loaded;
}

}  // namespace zhibi::runtime

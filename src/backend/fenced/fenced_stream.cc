// SPDX-License-Identifier: Apache-2.0
#include "backend/fenced/fenced_stream.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "graph/op.h"
#include "graph/ops/attention.h"
#include "graph/ops/cache_write.h"
#include "graph/ops/qkv_rope_cache.h"

namespace zhibi::fenced {
namespace {

// Delay before each command, in microseconds: always some, now and then long.
constexpr int kLeastDelay = 20;
constexpr int kUsualDelay = 80;
constexpr int kLongDelay = 1500;
constexpr int kLongEvery = 64;

// An error of asynchronous work, handed out by the next wait.
class ErrorBox {
 public:
  void Keep(Status status) {
    const std::lock_guard lock(mutex_);
    if (status_.ok()) status_ = std::move(status);
  }
  Status Take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(status_, OkStatus());
  }

 private:
  std::mutex mutex_;
  Status status_;
};

struct EventState {
  std::mutex mutex;
  std::condition_variable changed;
  std::uint64_t recorded = 0;
  std::uint64_t happened = 0;
  std::shared_ptr<ErrorBox> errors;  // of the stream that recorded it last; shared with it
};

class FencedEvent final : public backend::Event {
 public:
  bool Happened() const override {
    const std::lock_guard lock(state_->mutex);
    return state_->happened == state_->recorded;
  }
  Status Wait() override {
    std::unique_lock lock(state_->mutex);
    const std::uint64_t wanted = state_->recorded;
    state_->changed.wait(lock, [&] { return state_->happened >= wanted; });
    return state_->errors == nullptr ? OkStatus() : state_->errors->Take();
  }
  // Owned by the event and by commands in flight.
  std::shared_ptr<EventState> state() const { return state_; }

 private:
  std::shared_ptr<EventState> state_ = std::make_shared<EventState>();
};

// A launch with its own copy of everything that the caller's arrays say.
struct LaunchCommand {
  const backend::KernelEntry* entry = nullptr;
  graph::Attrs attrs;
  std::vector<graph::TensorView> src;
  std::vector<graph::TensorView> dst;
  std::array<graph::CacheView, graph::kMaxCacheGroups> caches{};
  std::byte* workspace = nullptr;
};

int CacheGroupOf(std::string_view op, const graph::Attrs& attrs) {
  if (op == "attention") return attrs.As<graph::AttentionAttrs>().group;
  if (op == "cache_write") return attrs.As<graph::CacheWriteAttrs>().group;
  if (op == "qkv_rope_cache") return attrs.As<graph::QkvRopeCacheAttrs>().cache.group;
  return -1;
}

std::size_t BytesOf(const graph::TensorView& view) {
  return (static_cast<std::size_t>(view.elements()) *
              static_cast<std::size_t>(DTypeBits(view.dtype)) +
          7) /
         8;
}

class FencedStream final : public backend::Stream {
 public:
  FencedStream(std::shared_ptr<const AddressMap> map, std::uint64_t seed)
      : map_(std::move(map)), random_(seed), thread_([this] { Work(); }) {}
  FencedStream(const FencedStream&) = delete;
  FencedStream& operator=(const FencedStream&) = delete;
  ~FencedStream() override {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  Status Launch(const backend::KernelEntry& entry, const backend::LaunchArgs& args) override {
    LaunchCommand command;
    command.entry = &entry;
    const graph::OpDef* op = graph::FindOp(entry.op);
    if (op == nullptr) return InvalidArgumentError("unknown op " + std::string(entry.op));
    Result<graph::Attrs> attrs =
        graph::Attrs::FromBytes({static_cast<const std::byte*>(args.attrs), op->attrs_bytes});
    if (!attrs.ok()) return attrs.status();
    command.attrs = std::move(attrs).value();
    command.src.assign(args.src, args.src + args.num_src);
    command.dst.assign(args.dst, args.dst + args.num_dst);
    const int group = CacheGroupOf(entry.op, command.attrs);
    if (group >= 0 && group < graph::kMaxCacheGroups && args.caches != nullptr) {
      command.caches[static_cast<std::size_t>(group)] = args.caches[group];
    }
    command.workspace = args.workspace;
    Push([this, command = std::move(command)]() mutable { Run(command); });
    return OkStatus();
  }

  Status CopyToDevice(std::byte* device, std::span<const std::byte> host) override {
    Push([this, device, host] {
      std::byte* target = map_->View(device, host.size());
      if (target == nullptr) {
        errors_->Keep(InvalidArgumentError("copy to device: the target is not device memory"));
      } else if (!host.empty()) {
        std::memcpy(target, host.data(), host.size());
      }
    });
    return OkStatus();
  }

  Status CopyToHost(std::span<std::byte> host, const std::byte* device) override {
    std::fill(host.begin(), host.end(), kPoison);
    Push([this, device, host] {
      const std::byte* source = map_->View(device, host.size());
      if (source == nullptr) {
        errors_->Keep(InvalidArgumentError("copy to host: the source is not device memory"));
      } else if (!host.empty()) {
        std::memcpy(host.data(), source, host.size());
      }
    });
    return OkStatus();
  }

  Status CopyOnDevice(std::byte* dst, const std::byte* src, std::size_t bytes) override {
    Push([this, dst, src, bytes] {
      std::byte* target = map_->View(dst, bytes);
      const std::byte* source = map_->View(src, bytes);
      if (target == nullptr || source == nullptr) {
        errors_->Keep(InvalidArgumentError("copy on device: an end is not device memory"));
      } else if (bytes > 0) {
        std::memmove(target, source, bytes);
      }
    });
    return OkStatus();
  }

  Status Record(backend::Event& event) override {
    const std::shared_ptr<EventState> state = static_cast<FencedEvent&>(event).state();
    std::uint64_t number = 0;
    {
      const std::lock_guard lock(state->mutex);
      number = ++state->recorded;
      state->errors = errors_;
    }
    Push([state, number] {
      {
        const std::lock_guard lock(state->mutex);
        state->happened = std::max(state->happened, number);
      }
      state->changed.notify_all();
    });
    return OkStatus();
  }

  Status Synchronize() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return queue_.empty() && !busy_; });
    return errors_->Take();
  }

  // In a random order: a kernel may not rely on one.
  void RunTiles(std::int64_t tiles, backend::TileFunction function, void* context) override {
    std::vector<std::int64_t> order(static_cast<std::size_t>(tiles));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::shuffle(order.begin(), order.end(), random_);
    for (const std::int64_t tile : order) function(context, tile, 0);
  }
  int workers() const override { return 1; }

 private:
  void Push(std::function<void()> command) {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(command));
    }
    changed_.notify_all();
  }

  void Work() {
    while (true) {
      std::function<void()> command;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return stop_ || !queue_.empty(); });
        if (queue_.empty()) return;
        command = std::move(queue_.front());
        queue_.pop_front();
        busy_ = true;
      }
      Delay();
      command();
      {
        const std::lock_guard lock(mutex_);
        busy_ = false;
      }
      changed_.notify_all();
    }
  }

  void Delay() {
    const auto draw = static_cast<int>(random_() % 4096);
    const int us = kLeastDelay + draw % kUsualDelay + (draw % kLongEvery == 0 ? kLongDelay : 0);
    std::this_thread::sleep_for(std::chrono::microseconds(us));
  }

  // Replaces the program's addresses by the module's; false and an error when one is not device
  // memory.
  bool Translate(const LaunchCommand& command, std::vector<graph::TensorView>& views,
                 const char* what) {
    for (std::size_t i = 0; i < views.size(); ++i) {
      graph::TensorView& view = views[i];
      if (view.data == nullptr) continue;
      // Packed weights may be larger or smaller than their logical size says: their start counts.
      std::byte* mine = map_->View(view.data, std::min<std::size_t>(BytesOf(view), 1));
      if (mine == nullptr) {
        errors_->Keep(InvalidArgumentError(std::string(command.entry->name) + ": " + what + " " +
                                           std::to_string(i) + " is not device memory"));
        return false;
      }
      view.data = mine;
    }
    return true;
  }

  void Run(LaunchCommand& command) {
    if (!Translate(command, command.src, "operand") || !Translate(command, command.dst, "result")) {
      return;
    }
    for (graph::CacheView& cache : command.caches) {
      if (cache.base == nullptr) continue;
      cache.base = map_->View(cache.base, 1);
      if (cache.base == nullptr) {
        errors_->Keep(InvalidArgumentError(std::string(command.entry->name) +
                                           ": the cache is not device memory"));
        return;
      }
    }
    backend::LaunchArgs args;
    args.attrs = command.attrs.data();
    args.src = command.src.data();
    args.dst = command.dst.data();
    args.num_src = static_cast<std::int32_t>(command.src.size());
    args.num_dst = static_cast<std::int32_t>(command.dst.size());
    args.caches = command.caches.data();
    args.workspace = command.workspace == nullptr ? nullptr : map_->View(command.workspace, 0);
    args.stream = this;
    command.entry->launch(args);
  }

  std::shared_ptr<const AddressMap> map_;  // owned by the device, its streams and its buffers
  std::shared_ptr<ErrorBox> errors_ = std::make_shared<ErrorBox>();  // and by recorded events
  std::mt19937_64 random_;                                           // the worker's only
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  bool busy_ = false;
  bool stop_ = false;
  std::thread thread_;  // last: starts when all else is there
};

}  // namespace

std::unique_ptr<backend::Stream> MakeFencedStream(std::shared_ptr<const AddressMap> map,
                                                  std::uint64_t seed) {
  return std::make_unique<FencedStream>(std::move(map), seed);
}

std::unique_ptr<backend::Event> MakeFencedEvent() { return std::make_unique<FencedEvent>(); }

}  // namespace zhibi::fenced

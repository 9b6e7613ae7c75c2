// SPDX-License-Identifier: Apache-2.0
#include "backend/cpu/cpu_backend.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "backend/cpu/memory.h"
#include "base/machine.h"

namespace zhibi::cpu {
namespace {

backend::DeviceOptions Threads(int threads) {
  backend::DeviceOptions options;
  options.threads = threads;
  return options;
}

TEST(CpuDevice, SaysWhatItIs) {
  const auto device = OpenCpuDevice({.threads = 2, .isa = "scalar"});
  ASSERT_TRUE(device.ok());
  EXPECT_EQ((*device)->info().backend, "cpu");
  EXPECT_EQ((*device)->info().isa, "scalar");
  EXPECT_EQ((*device)->info().threads, 2);
  EXPECT_TRUE((*device)->info().features.empty());
  EXPECT_TRUE((*device)->info().host_memory);
  EXPECT_EQ((*device)->CreateStream().value()->workers(), 2);

  const auto chosen = OpenCpuDevice({});
  ASSERT_TRUE(chosen.ok());
  EXPECT_GE((*chosen)->info().threads, 1);
  EXPECT_EQ((*chosen)->info().isa, base::CpuLevelName(base::CurrentCpu()->level));
  EXPECT_TRUE(std::is_sorted((*chosen)->info().features.begin(), (*chosen)->info().features.end()));
}

TEST(CpuDevice, RefusesWhatIsNotThere) {
  EXPECT_EQ(OpenCpuDevice({.isa = "sse9"}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(OpenCpuDevice(Threads(-1)).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(OpenCpuDevice(Threads(100000)).status().code(), StatusCode::kInvalidArgument);
  const base::CpuLevel best = base::BestCpuLevel(base::DetectCpuFeatures());
  if (best != base::CpuLevel::kAvx512) {
    const Status status = OpenCpuDevice({.isa = "avx512"}).status();
    EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
    EXPECT_NE(status.message().find("avx512f"), std::string::npos) << status.message();
  }
}

TEST(CpuDevice, EveryLevelHasLinearOfEveryFormatAndNamesAreUnique) {
  for (const base::CpuLevel level :
       {base::CpuLevel::kScalar, base::CpuLevel::kAvx2, base::CpuLevel::kAvx512}) {
    for (const bool extras : {false, true}) {
      base::CpuFeatures features;
      features.avx512_vnni = features.avx512_bf16 = extras;
      std::set<std::string> names;
      std::set<std::string> layouts;
      for (const backend::KernelEntry* entry : CpuKernels({.level = level, .features = features})) {
        EXPECT_TRUE(names.insert(std::string(entry->name)).second) << entry->name;
        EXPECT_TRUE(entry->launch != nullptr && entry->supports != nullptr &&
                    entry->estimate_us != nullptr)
            << entry->name;
        if (entry->op == "linear") layouts.insert(std::string(entry->layout));
        const bool has_vnni = entry->name.find("vnni") != std::string_view::npos;
        EXPECT_TRUE(!has_vnni || extras) << entry->name;
      }
      EXPECT_EQ(layouts.size(), 5U);
    }
  }
}

TEST(CpuDevice, FallbackComesLast) {
  backend::KernelEntry other;
  other.name = "other";
  const backend::KernelEntry* const fallback[] = {&other};
  const auto device = OpenCpuDevice(Threads(1), fallback);
  ASSERT_TRUE(device.ok());
  EXPECT_EQ((*device)->kernels().back(), &other);
}

TEST(CpuDevice, BuffersAndCopies) {
  const auto device = OpenCpuDevice(Threads(1)).value();
  const auto stream = device->CreateStream().value();
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{5} << 20}) {
    const auto buffer = device->Allocate(bytes).value();
    ASSERT_EQ(buffer->size(), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->data()) % 64, 0U);
    EXPECT_TRUE(std::all_of(buffer->data(), buffer->data() + bytes,
                            [](std::byte b) { return b == std::byte{0}; }));
    const std::vector<std::byte> sent(bytes, std::byte{7});
    ASSERT_TRUE(stream->CopyToDevice(buffer->data(), sent).ok());
    std::vector<std::byte> back(bytes);
    ASSERT_TRUE(stream->CopyToHost(back, buffer->data()).ok());
    EXPECT_EQ(back, sent);
  }
  EXPECT_EQ(device->Allocate(0).value()->size(), 0U);

  // Wrap does not copy.
  const std::vector<std::byte> bytes(100);
  EXPECT_EQ(device->Wrap(bytes).value()->data(), bytes.data());

  const auto event = device->CreateEvent().value();
  ASSERT_TRUE(stream->Record(*event).ok());
  EXPECT_TRUE(event->Happened());
  EXPECT_TRUE(event->Wait().ok());
}

TEST(CpuMemory, SaysHowMuchWasAsked) {
  for (const std::size_t bytes : {std::size_t{1} << 60, SIZE_MAX}) {
    const Status status = Memory::Allocate(bytes).status();
    EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
    EXPECT_NE(status.message().find(std::to_string(bytes)), std::string::npos);
  }
  Memory a = Memory::Allocate(100).value();
  std::byte* const data = a.data();
  Memory b = std::move(a);
  EXPECT_EQ(b.data(), data);
}

}  // namespace
}  // namespace zhibi::cpu

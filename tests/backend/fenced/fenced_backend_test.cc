// SPDX-License-Identifier: Apache-2.0
// The module through its C border: what a forgetful program would do wrong must go wrong here.
#include <cstring>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/backend.h"
#include "graph/ops/binary.h"

namespace zhibi::backend {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Device> Open() {
  Result<std::unique_ptr<Device>> device = OpenDevice(ZHIBI_FENCED_MODULE, {});
  EXPECT_TRUE(device.ok()) << device.status().ToString();
  return std::move(device).value();
}

std::span<const std::byte> BytesOf(const std::vector<float>& values) {
  return std::as_bytes(std::span(values));
}

std::span<std::byte> WritableBytesOf(std::vector<float>& values) {
  return std::as_writable_bytes(std::span(values));
}

std::unique_ptr<DeviceBuffer> Make(Device& device, std::size_t bytes) {
  Result<std::unique_ptr<DeviceBuffer>> buffer = device.Allocate(bytes);
  EXPECT_TRUE(buffer.ok()) << buffer.status().ToString();
  return std::move(buffer).value();
}

graph::TensorView View(void* data, std::int64_t size) {
  graph::TensorView view;
  view.data = data;
  view.rank = 1;
  view.dims[0] = size;
  return view;
}

TEST(Fenced, SaysWhatItIs) {
  const std::unique_ptr<Device> device = Open();
  EXPECT_EQ(device->info().backend, "fenced");
  EXPECT_FALSE(device->info().host_memory);
  EXPECT_FALSE(device->kernels().empty());
}

TEST(FencedDeathTest, TheHostCannotReadDeviceMemory) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        const std::unique_ptr<Device> device = Open();
        const std::unique_ptr<DeviceBuffer> buffer = Make(*device, 64);
        volatile const std::byte* data = buffer->data();
        std::fprintf(stderr, "read %d\n", static_cast<int>(data[0]));
      },
      "");
}

TEST(FencedDeathTest, TheHostCannotWriteDeviceMemory) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        const std::unique_ptr<Device> device = Open();
        const std::unique_ptr<DeviceBuffer> buffer = Make(*device, 64);
        volatile std::byte* data = buffer->data();
        data[0] = std::byte{1};
      },
      "");
}

TEST(Fenced, CopiesGoThereAndBack) {
  const std::unique_ptr<Device> device = Open();
  const auto buffer = Make(*device, 1024);
  const auto other = Make(*device, 1024);
  auto stream = std::move(device->CreateStream()).value();
  const std::vector<float> sent = {1, 2, 3, 4};
  std::vector<float> got(4);
  ASSERT_TRUE(stream->CopyToDevice(buffer->data() + 64, BytesOf(sent)).ok());
  ASSERT_TRUE(stream->CopyOnDevice(other->data(), buffer->data() + 64, 16).ok());
  ASSERT_TRUE(stream->CopyToHost(WritableBytesOf(got), other->data()).ok());
  ASSERT_TRUE(stream->Synchronize().ok());
  EXPECT_EQ(got, sent);
}

TEST(Fenced, NewMemoryIsZero) {
  const std::unique_ptr<Device> device = Open();
  const auto buffer = Make(*device, 64);
  auto stream = std::move(device->CreateStream()).value();
  std::vector<float> got(4, 7);
  ASSERT_TRUE(stream->CopyToHost(WritableBytesOf(got), buffer->data()).ok());
  ASSERT_TRUE(stream->Synchronize().ok());
  EXPECT_EQ(got, std::vector<float>(4, 0));
}

// For races on purpose, which ThreadSanitizer must not report.
__attribute__((no_sanitize("thread"), noinline)) void CopyUnseen(const std::vector<float>& from,
                                                                 std::vector<float>& into) {
  const volatile float* const source = from.data();
  float* const target = into.data();
  for (std::size_t i = 0; i < 4; ++i) target[i] = source[i];
}

TEST(Fenced, WithoutAWaitTheTargetIsPoison) {
  const std::unique_ptr<Device> device = Open();
  const auto buffer = Make(*device, 64);
  auto stream = std::move(device->CreateStream()).value();
  auto event = std::move(device->CreateEvent()).value();
  std::vector<float> got(4);
  std::vector<float> early(4);
  // Work before it, so that the copy cannot be done by chance: each command is at least 20 us late.
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(stream->CopyOnDevice(buffer->data(), buffer->data(), 4).ok());
  }
  ASSERT_TRUE(stream->CopyToHost(WritableBytesOf(got), buffer->data()).ok());
  ASSERT_TRUE(stream->Record(*event).ok());
  CopyUnseen(got, early);  // what a forgotten wait would see
  EXPECT_FALSE(event->Happened());
  for (const float value : early) EXPECT_TRUE(value != value) << value;
  ASSERT_TRUE(event->Wait().ok());
  EXPECT_TRUE(event->Happened());
  EXPECT_EQ(got, std::vector<float>(4, 0));
}

TEST(Fenced, ASourceThatChangesBeforeTheWaitIsSeenChanged) {
  const std::unique_ptr<Device> device = Open();
  const auto buffer = Make(*device, 64);
  auto stream = std::move(device->CreateStream()).value();
  std::vector<float> source(4, 1);
  std::vector<float> got(4);
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(stream->CopyOnDevice(buffer->data(), buffer->data(), 4).ok());
  }
  ASSERT_TRUE(stream->CopyToDevice(buffer->data(), BytesOf(source)).ok());
  CopyUnseen({2, 2, 2, 2}, source);  // the bug: the copy has not happened yet
  ASSERT_TRUE(stream->CopyToHost(WritableBytesOf(got), buffer->data()).ok());
  ASSERT_TRUE(stream->Synchronize().ok());
  EXPECT_EQ(got, source);
}

TEST(Fenced, KernelsRunOnDeviceMemory) {
  const std::unique_ptr<Device> device = Open();
  const KernelEntry* add = nullptr;
  for (const KernelEntry* entry : device->kernels()) {
    if (entry->op == "binary") add = entry;
  }
  ASSERT_NE(add, nullptr);
  const auto buffer = Make(*device, 256);
  auto stream = std::move(device->CreateStream()).value();
  const std::vector<float> a = {1, 2, 3, 4};
  const std::vector<float> b = {10, 20, 30, 40};
  ASSERT_TRUE(stream->CopyToDevice(buffer->data(), BytesOf(a)).ok());
  ASSERT_TRUE(stream->CopyToDevice(buffer->data() + 64, BytesOf(b)).ok());
  {
    // The caller's arrays are gone before the kernel runs.
    const graph::BinaryAttrs attrs{graph::BinaryKind::kAdd};
    const graph::TensorView src[] = {View(buffer->data(), 4), View(buffer->data() + 64, 4)};
    const graph::TensorView dst[] = {View(buffer->data() + 128, 4)};
    LaunchArgs args;
    args.attrs = &attrs;
    args.src = src;
    args.dst = dst;
    args.num_src = 2;
    args.num_dst = 1;
    args.stream = stream.get();
    ASSERT_TRUE(stream->Launch(*add, args).ok());
  }
  std::vector<float> got(4);
  ASSERT_TRUE(stream->CopyToHost(WritableBytesOf(got), buffer->data() + 128).ok());
  ASSERT_TRUE(stream->Synchronize().ok());
  EXPECT_EQ(got, (std::vector<float>{11, 22, 33, 44}));
}

TEST(Fenced, AHostPointerIsAnErrorThatNamesTheOperand) {
  const std::unique_ptr<Device> device = Open();
  const KernelEntry* add = nullptr;
  for (const KernelEntry* entry : device->kernels()) {
    if (entry->op == "binary") add = entry;
  }
  ASSERT_NE(add, nullptr);
  const auto buffer = Make(*device, 256);
  auto stream = std::move(device->CreateStream()).value();
  auto event = std::move(device->CreateEvent()).value();
  std::vector<float> host(4);
  const graph::BinaryAttrs attrs{graph::BinaryKind::kAdd};
  const graph::TensorView src[] = {View(buffer->data(), 4), View(host.data(), 4)};
  const graph::TensorView dst[] = {View(buffer->data() + 128, 4)};
  LaunchArgs args;
  args.attrs = &attrs;
  args.src = src;
  args.dst = dst;
  args.num_src = 2;
  args.num_dst = 1;
  ASSERT_TRUE(stream->Launch(*add, args).ok());
  ASSERT_TRUE(stream->Record(*event).ok());
  const Status status = event->Wait();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("operand 1 is not device memory"));
  EXPECT_TRUE(stream->Synchronize().ok());  // handed out once
}

TEST(Fenced, ACopyPastTheEndIsAnError) {
  const std::unique_ptr<Device> device = Open();
  const auto buffer = Make(*device, 4096);
  auto stream = std::move(device->CreateStream()).value();
  std::vector<float> got(4);
  ASSERT_TRUE(stream->CopyToHost(WritableBytesOf(got), buffer->data() + 4092).ok());
  EXPECT_EQ(stream->Synchronize().code(), StatusCode::kInvalidArgument);
}

TEST(Fenced, WrapCopiesTheBytes) {
  const std::unique_ptr<Device> device = Open();
  std::vector<float> weights = {5, 6};
  auto buffer = std::move(device->Wrap(BytesOf(weights))).value();
  weights = {0, 0};
  auto stream = std::move(device->CreateStream()).value();
  std::vector<float> got(2);
  ASSERT_TRUE(stream->CopyToHost(WritableBytesOf(got), buffer->data()).ok());
  ASSERT_TRUE(stream->Synchronize().ok());
  EXPECT_EQ(got, (std::vector<float>{5, 6}));
}

}  // namespace
}  // namespace zhibi::backend

// SPDX-License-Identifier: Apache-2.0
#include "graph/weights.h"

#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quant/codec.h"

namespace zhibi::graph {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class MapSource : public WeightSource {
 public:
  template <typename T>
  void Put(const std::string& name, DType dtype, std::vector<std::int64_t> shape,
           const std::vector<T>& values, std::vector<float> scales = {}) {
    Entry& entry = entries_[name];
    // One byte in front: files give no alignment.
    entry.bytes.resize(1 + values.size() * sizeof(T));
    std::memcpy(entry.bytes.data() + 1, values.data(), values.size() * sizeof(T));
    entry.scales = std::move(scales);
    entry.tensor = {dtype, std::move(shape), std::span(entry.bytes).subspan(1), entry.scales};
  }
  Result<StoredTensor> Find(std::string_view name) const override {
    const auto at = entries_.find(name);
    if (at == entries_.end()) return NotFoundError("tensor " + std::string(name) + ": not found");
    return at->second.tensor;
  }
  bool Contains(std::string_view name) const override { return entries_.contains(name); }

 private:
  struct Entry {
    std::vector<std::byte> bytes;
    std::vector<float> scales;
    StoredTensor tensor;
  };
  std::map<std::string, Entry, std::less<>> entries_;
};

class WeightsTest : public testing::Test {
 protected:
  void SetUp() override {
    source_.Put<float>("f32", DType::kF32, {2, 3}, {1, 2, 3, 4, 5, 6});
    std::vector<std::uint16_t> half, brain;
    for (const float v : {-1.0F, 0.5F, 2.0F, 3.0F, 4.0F, 8.0F}) {
      half.push_back(quant::F32ToF16(v));
      brain.push_back(quant::F32ToBF16(v));
    }
    source_.Put("f16", DType::kF16, {2, 3}, half);
    source_.Put("bf16", DType::kBF16, {2, 3}, brain);
    source_.Put<std::int8_t>("i8", DType::kI8, {2, 3}, {1, -2, 3, -127, 0, 127}, {0.5F, 2.0F});
    source_.Put<float>("vector", DType::kF32, {3}, {7, 8, 9});
  }
  static Weight Of(std::vector<WeightPart> parts, std::int64_t rows) {
    Weight weight;
    weight.name = "merged";
    weight.shape = {rows, 3};
    weight.parts = std::move(parts);
    return weight;
  }
  std::vector<float> Read(const Weight& weight, std::int64_t begin, std::int64_t rows) {
    std::vector<float> values(
        static_cast<std::size_t>(rows) *
        static_cast<std::size_t>(weight.shape.size() == 2 ? weight.shape[1] : 1));
    const Status status = ReadWeightF32(weight, source_, begin, rows, values);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return values;
  }
  std::string Error(const Weight& weight, std::int64_t begin, std::int64_t rows, std::size_t room) {
    std::vector<float> values(room);
    return ReadWeightF32(weight, source_, begin, rows, values).message();
  }
  MapSource source_;
};

TEST_F(WeightsTest, EveryTypeIsWidened) {
  EXPECT_THAT(Read(Of({{"f32", 0, 2}}, 2), 0, 2), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(Read(Of({{"f16", 0, 2}}, 2), 1, 1), ElementsAre(3, 4, 8));
  EXPECT_THAT(Read(Of({{"bf16", 0, 2}}, 2), 0, 1), ElementsAre(-1, 0.5F, 2));
  EXPECT_THAT(Read(Of({{"i8", 0, 2}}, 2), 0, 2), ElementsAre(0.5F, -1, 1.5F, -254, 0, 254));
}

TEST_F(WeightsTest, MergesAreReadAcrossTheirBorders) {
  const Weight weight = Of({{"f32", 1, 1}, {"i8", 0, 2}, {"f16", 0, 1}}, 4);
  EXPECT_THAT(Read(weight, 0, 4), ElementsAre(4, 5, 6, 0.5F, -1, 1.5F, -254, 0, 254, -1, 0.5F, 2));
  EXPECT_THAT(Read(weight, 2, 2), ElementsAre(-254, 0, 254, -1, 0.5F, 2));
  EXPECT_TRUE(Read(weight, 4, 0).empty());
}

TEST_F(WeightsTest, InterleavingTakesTurns) {
  Weight weight = Of({{"f32", 0, 2}, {"f16", 0, 2}}, 4);
  weight.interleave = true;
  EXPECT_THAT(Read(weight, 0, 4), ElementsAre(1, 2, 3, -1, 0.5F, 2, 4, 5, 6, 3, 4, 8));
  EXPECT_THAT(Read(weight, 3, 1), ElementsAre(3, 4, 8));
  Weight uneven = Of({{"f32", 0, 2}, {"f16", 0, 1}}, 3);
  uneven.interleave = true;
  EXPECT_THAT(Error(uneven, 0, 1, 3), HasSubstr("two of equal size"));
}

TEST_F(WeightsTest, TransposedWeightsReadColumns) {
  Weight weight;
  weight.name = "conv1d";
  weight.shape = {3, 2};
  weight.transpose = true;
  weight.parts = {{"f32", 0, 3}};
  EXPECT_THAT(Read(weight, 0, 3), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(Read(weight, 1, 1), ElementsAre(2, 5));
  weight.parts = {{"i8", 0, 3}};
  EXPECT_THAT(Read(weight, 0, 1), ElementsAre(0.5F, -254)) << "a scale belongs to a stored row";
}

TEST_F(WeightsTest, VectorsConstantsAndAdd) {
  Weight weight;
  weight.name = "norm";
  weight.shape = {3};
  weight.parts = {{"vector", 0, 3}};
  weight.add = 1;
  EXPECT_THAT(Read(weight, 0, 3), ElementsAre(8, 9, 10));
  Weight constant;
  constant.name = "table";
  constant.shape = {2, 2};
  constant.constant = {1, 2, 3, 4};
  constant.add = 0.5F;
  EXPECT_THAT(Read(constant, 1, 1), ElementsAre(3.5F, 4.5F));
  constant.constant.pop_back();
  EXPECT_THAT(Error(constant, 0, 1, 2), HasSubstr("expected a constant of shape [2, 2], got 3"));
}

TEST_F(WeightsTest, FaultsNameWeightAndTensor) {
  const Weight good = Of({{"f32", 0, 2}}, 2);
  EXPECT_THAT(Error(good, 1, 2, 6), AllOf(HasSubstr("merged"), HasSubstr("rows within 0..2")));
  EXPECT_THAT(Error(good, -1, 1, 3), HasSubstr("from -1"));
  EXPECT_THAT(Error(good, 0, 2, 5), HasSubstr("expected room for 2 rows of 3, got 5"));
  EXPECT_THAT(Error(Of({{"none", 0, 2}}, 2), 0, 1, 3), HasSubstr("tensor none: not found"));
  EXPECT_THAT(Error(Of({{"f32", 1, 2}}, 2), 0, 1, 3),
              AllOf(HasSubstr("tensor f32: expected rows 1..3"), HasSubstr("[2, 3]")));
  EXPECT_THAT(Error(Of({{"f32", 0, 2}}, 3), 0, 1, 3), HasSubstr("parts of 3 rows together"));
  EXPECT_THAT(Error(Of({{"vector", 0, 3}}, 3), 0, 1, 3), HasSubstr("got shape [3]"));
  Weight cube;
  cube.name = "cube";
  cube.shape = {1, 2, 3};
  EXPECT_THAT(Error(cube, 0, 1, 6), HasSubstr("rank 1 or 2, got [1, 2, 3]"));
  source_.Put<std::int64_t>("i64", DType::kI64, {1, 3}, {1, 2, 3});
  EXPECT_THAT(Error(Of({{"i64", 0, 1}}, 1), 0, 1, 3), HasSubstr("got i64"));
  source_.Put<float>("short", DType::kF32, {2, 3}, {1, 2});
  EXPECT_THAT(Error(Of({{"short", 0, 2}}, 2), 0, 1, 3), HasSubstr("in 8 bytes"));
  source_.Put<std::int8_t>("bare", DType::kI8, {1, 3}, {1, 2, 3});
  EXPECT_THAT(Error(Of({{"bare", 0, 1}}, 1), 0, 1, 3), HasSubstr("expected 1 scales, got 0"));
}

TEST_F(WeightsTest, StoredIntegersComeUnchanged) {
  Weight weight = Of({{"i8", 1, 1}, {"i8", 0, 1}}, 2);
  ASSERT_TRUE(IsStoredI8(weight, source_));
  std::vector<std::int8_t> values(6);
  std::vector<float> scales(2);
  ASSERT_TRUE(ReadWeightI8(weight, source_, 0, 2, values, scales).ok());
  EXPECT_THAT(values, ElementsAre(-127, 0, 127, 1, -2, 3));
  EXPECT_THAT(scales, ElementsAre(2.0F, 0.5F));
  EXPECT_FALSE(ReadWeightI8(weight, source_, 0, 2, values, std::span(scales).first(1)).ok());
  EXPECT_FALSE(ReadWeightI8(weight, source_, 0, 3, values, scales).ok());
  EXPECT_FALSE(IsStoredI8(Of({{"i8", 0, 2}, {"f32", 0, 2}}, 4), source_));
  EXPECT_FALSE(IsStoredI8(Of({{"none", 0, 2}}, 2), source_));
  EXPECT_EQ(ReadWeightI8(Of({{"f32", 0, 2}}, 2), source_, 0, 2, values, scales).code(),
            StatusCode::kFailedPrecondition);
  weight.add = 1;
  EXPECT_FALSE(IsStoredI8(weight, source_));
}

}  // namespace
}  // namespace zhibi::graph

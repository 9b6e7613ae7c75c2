// SPDX-License-Identifier: Apache-2.0
#include "zhibi/status.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/check.h"
#include "base/status_macros.h"
#include "zhibi/types.h"
#include "zhibi/version.h"

namespace zhibi {
namespace {

Result<int> Half(int value) {
  if (value % 2 != 0) return InvalidArgumentError("expected an even number");
  return value / 2;
}

Result<int> Quarter(int value) {
  ZB_ASSIGN_OR_RETURN(const int half, Half(value));
  ZB_ASSIGN_OR_RETURN(const int quarter, Half(half));
  return quarter;
}

Status Check(int value) {
  ZB_RETURN_IF_ERROR(Half(value).status());
  return OkStatus();
}

TEST(StatusTest, MacrosPassValuesAndErrors) {
  EXPECT_EQ(Quarter(8).value(), 2);
  EXPECT_EQ(Quarter(6).status().code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(Check(2).ok());
  EXPECT_EQ(Check(1).ToString(), "INVALID_ARGUMENT: expected an even number");
}

TEST(StatusTest, ContextGoesBeforeTheMessage) {
  EXPECT_EQ(NotFoundError("b").WithContext("a").message(), "a: b");
  EXPECT_TRUE(OkStatus().WithContext("a").ok());
  EXPECT_EQ(OkStatus().ToString(), "OK");
}

TEST(StatusTest, NamesFollowTheCanonicalNumbers) {
  EXPECT_EQ(StatusCodeName(StatusCode::kOk), "OK");
  EXPECT_EQ(StatusCodeName(StatusCode::kResourceExhausted), "RESOURCE_EXHAUSTED");
  EXPECT_EQ(StatusCodeName(StatusCode::kUnauthenticated), "UNAUTHENTICATED");
  EXPECT_EQ(StatusCodeName(static_cast<StatusCode>(99)), "UNKNOWN");
}

TEST(StatusTest, ResultHoldsMoveOnlyValues) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  ASSERT_TRUE(result.ok());
  const std::unique_ptr<int> value = std::move(result).value();
  EXPECT_EQ(*value, 3);
}

TEST(StatusTest, ResultFromOkStatusIsAnError) {
  const Result<int> result = OkStatus();
  EXPECT_EQ(result.status().code(), StatusCode::kInternal);
}

TEST(StatusDeathTest, ValueOfFailedResultAndFailedCheckAbort) {
  EXPECT_DEATH(static_cast<void>(Half(1).value()),
               "value\\(\\) of a failed Result: INVALID_ARGUMENT");
  EXPECT_DEATH(ZB_CHECK(1 + 1 == 3), "check failed at .*status_test.cc:[0-9]+: 1 \\+ 1 == 3");
}

TEST(TypesTest, BitsAndNames) {
  EXPECT_EQ(DTypeBits(DType::kI4), 4);
  EXPECT_EQ(DTypeBits(DType::kBF16), 16);
  EXPECT_EQ(DTypeBits(DType::kI64), 64);
  EXPECT_EQ(DTypeName(DType::kBF16), "bf16");
  EXPECT_EQ(DTypeName(static_cast<DType>(200)), "unknown");
  EXPECT_EQ(DTypeBits(static_cast<DType>(200)), 0);
}

TEST(VersionTest, IsSemantic) { EXPECT_EQ(std::count(Version().begin(), Version().end(), '.'), 2); }

}  // namespace
}  // namespace zhibi

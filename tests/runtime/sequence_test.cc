// SPDX-License-Identifier: Apache-2.0
#include "runtime/sequence.h"

#include <cmath>

#include <gtest/gtest.h>

namespace zhibi::runtime {
namespace {

void ExpectRefused(const SamplingOptions& options, std::string_view field) {
  const Status status = options.Validate(100);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message().rfind(field, 0), 0U) << status.message();
}

TEST(SamplingOptionsTest, AcceptsDefaultsAndNamesWhatIsOutOfRange) {
  EXPECT_TRUE(SamplingOptions{}.Validate(100).ok());
  SamplingOptions options;
  options.temperature = -0.1F;
  ExpectRefused(options, "temperature");
  options = {};
  options.temperature = std::nanf("");
  ExpectRefused(options, "temperature");
  options = {};
  options.top_p = 1.01F;
  ExpectRefused(options, "top_p");
  options = {};
  options.min_p = -1;
  ExpectRefused(options, "min_p");
  options = {};
  options.top_k = -1;
  ExpectRefused(options, "top_k");
  options = {};
  options.repetition_penalty = 0;
  ExpectRefused(options, "repetition_penalty");
  options = {};
  options.top_logprobs = 21;
  ExpectRefused(options, "top_logprobs");
  options = {};
  options.logit_bias = {{100, 1.0F}};
  ExpectRefused(options, "logit_bias");
  options.logit_bias = {{99, std::nanf("")}};
  ExpectRefused(options, "logit_bias");
}

}  // namespace
}  // namespace zhibi::runtime

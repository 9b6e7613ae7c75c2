// SPDX-License-Identifier: Apache-2.0
#include "text/stop.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace zhibi::text {
namespace {

StopMatcher Make(const std::vector<std::string>& stops, bool include_stop = false) {
  Result<StopMatcher> matcher = StopMatcher::Create(stops, include_stop);
  EXPECT_TRUE(matcher.ok()) << matcher.status().ToString();
  return std::move(matcher).value();
}

// Emitted text after each piece, then after Finish.
std::vector<std::string> RunAll(StopMatcher& matcher, const std::vector<std::string>& pieces) {
  std::vector<std::string> emitted;
  std::string text;
  for (const std::string& piece : pieces) {
    matcher.Push(piece, &text);
    emitted.push_back(text);
  }
  matcher.Finish(&text);
  emitted.push_back(text);
  return emitted;
}

using Texts = std::vector<std::string>;

TEST(StopMatcherTest, WithoutStopsEverythingLeaves) {
  StopMatcher matcher;
  EXPECT_EQ(RunAll(matcher, {"a", "b"}), (Texts{"a", "ab", "ab"}));
  EXPECT_FALSE(matcher.stopped());
  EXPECT_EQ(matcher.matched(), -1);
}

TEST(StopMatcherTest, InsideOnePiece) {
  StopMatcher matcher = Make({"此致", "END"});
  EXPECT_EQ(RunAll(matcher, {"望判如所请。此致敬礼", "更多"}),
            (Texts{"望判如所请。", "望判如所请。", "望判如所请。"}));
  EXPECT_TRUE(matcher.stopped());
  EXPECT_EQ(matcher.matched(), 0);
}

TEST(StopMatcherTest, AcrossPieces) {
  StopMatcher matcher = Make({"<|end|>"});
  EXPECT_EQ(RunAll(matcher, {"a<", "|e", "n", "d|", ">", "b"}),
            (Texts{"a", "a", "a", "a", "a", "a", "a"}));
  EXPECT_EQ(matcher.matched(), 0);
}

TEST(StopMatcherTest, HeldTextLeavesWhenItCanNoLongerMatch) {
  StopMatcher matcher = Make({"abcd"});
  EXPECT_EQ(RunAll(matcher, {"xab", "c", "e", "ab"}),
            (Texts{"x", "x", "xabce", "xabce", "xabceab"}));
  EXPECT_FALSE(matcher.stopped());
  EXPECT_EQ(matcher.num_held(), 0U);
}

TEST(StopMatcherTest, HoldsOnlyWhatCanStillMatch) {
  StopMatcher matcher = Make({"aab", "ba"});
  std::string text;
  EXPECT_FALSE(matcher.Push("aaaa", &text));
  EXPECT_EQ(text, "aa");  // "aa" may begin "aab"
  EXPECT_EQ(matcher.num_held(), 2U);
  EXPECT_TRUE(matcher.Push("b", &text));
  EXPECT_EQ(text, "aa");
}

TEST(StopMatcherTest, TheEarliestEndWinsThenTheLongest) {
  StopMatcher overlapping = Make({"abcd", "bc"});
  EXPECT_EQ(RunAll(overlapping, {"xabcd"}).back(), "xa");
  EXPECT_EQ(overlapping.matched(), 1);
  StopMatcher same_end = Make({"bc", "abc"});
  EXPECT_EQ(RunAll(same_end, {"xabc"}).back(), "x");
  EXPECT_EQ(same_end.matched(), 1);
}

TEST(StopMatcherTest, IncludesTheStopStringOnDemand) {
  StopMatcher matcher = Make({"。"}, true);
  EXPECT_EQ(RunAll(matcher, {"甲", "。乙"}).back(), "甲。");
  EXPECT_TRUE(matcher.stopped());
}

TEST(StopMatcherTest, CharactersThatShareBytesDoNotMatch) {
  StopMatcher matcher = Make({"原"});  // E5 8E 9F; 厌 is E5 8E 8C
  EXPECT_EQ(RunAll(matcher, {"厌", "历"}), (Texts{"厌", "厌历", "厌历"}));
  EXPECT_FALSE(matcher.stopped());
}

TEST(StopMatcherTest, AfterAMatchNothingLeaves) {
  StopMatcher matcher = Make({"a"});
  std::string text;
  EXPECT_TRUE(matcher.Push("a", &text));
  EXPECT_TRUE(matcher.Push("b", &text));
  matcher.Finish(&text);
  EXPECT_EQ(text, "");
  matcher.Reset();
  EXPECT_FALSE(matcher.Push("b", &text));
  EXPECT_EQ(text, "b");
}

TEST(StopMatcherTest, RefusesBadStops) {
  const auto error = [](const std::vector<std::string>& stops) {
    const Result<StopMatcher> matcher = StopMatcher::Create(stops, false);
    return matcher.ok() ? std::string() : matcher.status().message();
  };
  EXPECT_EQ(error({"a", ""}), "stop[1]: expected at least one character, got none");
  EXPECT_EQ(error({std::string(5000, 'a')}), "stop[0]: expected at most 4096 bytes, got 5000");
  EXPECT_EQ(error({"\xE5\x8E"}), "stop[0]: expected valid UTF-8");
  EXPECT_EQ(error(std::vector<std::string>(65, "a")), "stop: expected at most 64 strings, got 65");
}

// By definition: the match that ends first, of those the longest; independent of how the text is
// cut.
TEST(StopMatcherTest, RandomTextsAgreeWithTheDefinition) {
  std::mt19937 random(12);
  const std::vector<std::string> alphabet = {"a", "b", "原", "厌"};
  const auto word = [&](std::size_t most) {
    std::string text;
    for (std::size_t n = 1 + random() % most; n > 0; --n)
      text += alphabet[random() % alphabet.size()];
    return text;
  };
  for (int round = 0; round < 4000; ++round) {
    std::vector<std::string> stops;
    for (std::size_t n = 1 + random() % 3; n > 0; --n) stops.push_back(word(4));
    const std::string text = word(30);
    std::size_t best_end = std::string::npos;
    std::size_t best_length = 0;
    for (const std::string& stop : stops) {
      const std::size_t at = text.find(stop);
      if (at == std::string::npos) continue;
      const std::size_t end = at + stop.size();
      if (end < best_end || (end == best_end && stop.size() > best_length)) {
        best_end = end;
        best_length = stop.size();
      }
    }
    StopMatcher matcher = Make(stops);
    std::string emitted;
    for (std::size_t begin = 0; begin < text.size();) {
      std::size_t length = 0;
      for (std::size_t n = 1 + random() % 3; n > 0 && begin + length < text.size(); --n) {
        length += base::DecodeUtf8(std::string_view(text).substr(begin + length)).length;
      }
      const std::string before = emitted;
      matcher.Push(std::string_view(text).substr(begin, length), &emitted);
      ASSERT_EQ(emitted.compare(0, before.size(), before), 0) << "emitted text changed";
      ASSERT_TRUE(base::IsValidUtf8(emitted));
      begin += length;
      // Nothing is held that no stop string begins with.
      if (!matcher.stopped() && matcher.num_held() > 0) {
        const std::string held = text.substr(begin - matcher.num_held(), matcher.num_held());
        ASSERT_TRUE(std::any_of(stops.begin(), stops.end(),
                                [&](const std::string& s) { return s.rfind(held, 0) == 0; }));
      }
    }
    matcher.Finish(&emitted);
    ASSERT_EQ(matcher.stopped(), best_end != std::string::npos);
    ASSERT_EQ(emitted, matcher.stopped() ? text.substr(0, best_end - best_length) : text);
  }
}

}  // namespace
}  // namespace zhibi::text

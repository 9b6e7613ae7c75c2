// SPDX-License-Identifier: Apache-2.0
// Speed of the tokenizer on one thread, beside a plain read of the same text from memory.
//   tokenizer_bench [TOKENIZER_JSON [TEXT_FILE]]
// Default: zhibi-mini's tokenizer on the legal sample of the tests. Every figure is the median of
// passes over at least the given time; "first pass" starts with an empty word cache, "again" has
// met every word before.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "text/detokenizer.h"
#include "text/normalizer.h"
#include "text/tokenizer.h"

namespace zhibi::text {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{128} << 20;
constexpr double kMegabyte = 1e6;
constexpr std::size_t kPromptBytes = 2000;

// CPU time of this thread: what a busy neighbour takes away is not the tokenizer's.
double Seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Median seconds of a pass; at least 5 passes and half a second.
template <typename Pass>
double Median(Pass pass) {
  std::vector<double> times;
  const double begin = Seconds();
  while (times.size() < 5 || Seconds() - begin < 0.5) {
    const double start = Seconds();
    pass();
    times.push_back(Seconds() - start);
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  return times[times.size() / 2];
}

volatile std::uint64_t g_sink;

void ReadText(const std::string& text) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 8 <= text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, 8);
    sum += word;
  }
  g_sink = sum;
}

void Print(const char* what, double bytes, double seconds) {
  std::printf("%-44s %9.1f MB/s\n", what, bytes / kMegabyte / seconds);
}

void EncodeFigures(const Tokenizer& tokenizer, const std::string& text) {
  const auto bytes = static_cast<double>(text.size());
  std::vector<TokenId> ids;
  // A thread of its own has a word cache of its own: empty at first.
  double first = 0;
  std::thread([&] {
    const double start = Seconds();
    tokenizer.EncodeTo(text, {}, &ids);
    first = Seconds() - start;
  }).join();
  Print("encode, first pass", bytes, first);
  Print("encode, again", bytes, Median([&] {
          ids.clear();
          tokenizer.EncodeTo(text, {}, &ids);
        }));
  Print("encode, prompts of about 2,000 bytes", bytes, Median([&] {
          for (std::size_t begin = 0; begin < text.size();) {
            std::size_t end = std::min(text.size(), begin + kPromptBytes);
            while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
              ++end;
            ids = tokenizer.Encode(std::string_view(text).substr(begin, end - begin),
                                   {.parse_special = true});
            begin = end;
          }
        }));
  ids = tokenizer.Encode(text);
  std::printf("%-44s %9.2f\n", "bytes a token", bytes / static_cast<double>(ids.size()));
  Print("decode, at once", bytes,
        Median([&] { g_sink = tokenizer.Decode(ids, true).value().size(); }));
  Print("decode, streamed", bytes, Median([&] {
          Detokenizer stream(&tokenizer, true);
          std::string piece;
          for (const TokenId id : ids) {
            piece.clear();
            if (stream.Push(id, &piece).ok()) g_sink = piece.size();
          }
        }));
}

void HardWords(const Tokenizer& tokenizer) {
  constexpr std::size_t kWord = 1000000;
  std::string han;
  for (std::size_t i = 0; han.size() < kWord; ++i) {
    const std::size_t c = 0x4E00 + i * 7919 % 0x5000;
    han += static_cast<char>(0xE0 | c >> 12);
    han += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    han += static_cast<char>(0x80 | (c & 0x3F));
  }
  const auto figure = [&](const char* what, const std::string& text) {
    const double start = Seconds();
    g_sink = tokenizer.Encode(text).size();
    Print(what, static_cast<double>(text.size()), Seconds() - start);
  };
  figure("one word: a megabyte of one letter", std::string(kWord, 'a'));
  figure("one word: a megabyte of Han", han);
  figure("a megabyte of blanks", std::string(kWord, ' '));
}

int Run(const std::string& tokenizer_file, const std::string& text_file) {
  const Result<std::string> json = base::ReadFile(tokenizer_file, kMaxFileBytes);
  const Result<std::string> text = base::ReadFile(text_file, kMaxFileBytes);
  if (!json.ok() || !text.ok()) {
    std::fprintf(stderr, "%s\n", (json.ok() ? text.status() : json.status()).ToString().c_str());
    return 1;
  }
  double start = Seconds();
  const Result<Tokenizer> tokenizer = Tokenizer::FromJson(*json, tokenizer_file);
  if (!tokenizer.ok()) {
    std::fprintf(stderr, "%s\n", tokenizer.status().ToString().c_str());
    return 1;
  }
  std::printf("%s: %lld tokens, text of %.1f MB\n", tokenizer_file.c_str(),
              static_cast<long long>(tokenizer->vocab_size()),
              static_cast<double>(text->size()) / kMegabyte);
  std::printf("%-44s %9.1f ms\n", "from JSON", (Seconds() - start) * 1e3);
  const std::string blob = tokenizer->Serialize();
  std::vector<std::uint64_t> aligned((blob.size() + 7) / 8);
  std::memcpy(aligned.data(), blob.data(), blob.size());
  start = Seconds();
  const bool mapped =
      Tokenizer::FromBlob(std::as_bytes(std::span(aligned)).first(blob.size())).ok();
  std::printf("%-44s %9.2f ms (%.1f MB)%s\n", "from blob", (Seconds() - start) * 1e3,
              static_cast<double>(blob.size()) / kMegabyte, mapped ? "" : " FAILED");
  Print("plain read", static_cast<double>(text->size()), Median([&] { ReadText(*text); }));
  Print("NFC quick check", static_cast<double>(text->size()),
        Median([&] { g_sink = IsCertainlyNfc(*text); }));
  EncodeFigures(*tokenizer, *text);
  HardWords(*tokenizer);
  return mapped ? 0 : 1;
}

}  // namespace
}  // namespace zhibi::text

int main(int argc, char** argv) {
  const std::string tokenizer =
      argc > 1 ? argv[1] : ZHIBI_SOURCE_DIR "/models/zhibi-mini/tokenizer.json";
  const std::string text =
      argc > 2 ? argv[2] : ZHIBI_SOURCE_DIR "/tests/text/data/legal_sample.txt";
  return zhibi::text::Run(tokenizer, text);
}

// SPDX-License-Identifier: Apache-2.0
// The token path allocates nothing: malloc and its kin are interposed for the whole process (all
// threads), counting is on from the 10th step to the end of the run, and in between sequences are
// admitted and finish. A program of its own: interposition and sanitizers exclude each other.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/engine.h"
#include "support/tiny_engine.h"

extern "C" {
void* __libc_malloc(std::size_t size);  // NOLINT(bugprone-reserved-identifier): glibc's name
void* __libc_calloc(std::size_t count,
                    std::size_t size);  // NOLINT(bugprone-reserved-identifier): glibc's name
void* __libc_realloc(void* pointer,
                     std::size_t size);  // NOLINT(bugprone-reserved-identifier): glibc's name
void* __libc_memalign(std::size_t alignment,
                      std::size_t size);  // NOLINT(bugprone-reserved-identifier): glibc's name
}

namespace {

std::atomic<bool> g_counting{false};
std::atomic<long> g_allocations{0};

void Count() {
  if (g_counting.load(std::memory_order_relaxed))
    g_allocations.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) {
  Count();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  Count();
  return __libc_calloc(count, size);
}
void* realloc(void* pointer, std::size_t size) {
  Count();
  return __libc_realloc(pointer, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  Count();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  Count();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** pointer, std::size_t alignment, std::size_t size) {
  Count();
  *pointer = __libc_memalign(alignment, size);
  return *pointer == nullptr ? ENOMEM : 0;
}
}

namespace zhibi::runtime {
namespace {

TEST(NoAllocTest, InterposerSeesAllocations) {
  g_allocations = 0;
  g_counting = true;
  // Through a volatile pointer: a compiler may drop a plain pair of new and delete.
  void* (*volatile allocate)(std::size_t) = &::operator new;
  void* block = allocate(1000);
  g_counting = false;
  ::operator delete(block);
  EXPECT_GE(g_allocations.load(), 1);
}

class NoAllocTest : public ::testing::TestWithParam<const char*> {};

TEST_P(NoAllocTest, TokenPathAllocatesNothing) {
  const Result<test::TinyEngine> tiny = test::BuildTinyEngine("qwen3", "int8", GetParam());
  ASSERT_TRUE(tiny.ok()) << tiny.status().ToString();
  Result<std::unique_ptr<Engine>> engine = Engine::Create(tiny->file, tiny->device, {});
  ASSERT_TRUE(engine.ok()) << engine.status().ToString();

  struct Client {
    std::shared_ptr<Sequence> sequence;
  };
  std::vector<Client> clients;
  auto prepare = [&](std::int64_t prompt, std::int64_t tokens, float temperature) {
    Result<std::shared_ptr<Sequence>> sequence = (*engine)->NewSequence(prompt + tokens);
    ASSERT_TRUE(sequence.ok());
    Turn turn;
    for (std::int64_t i = 0; i < prompt; ++i) {
      turn.append.push_back(
          static_cast<TokenId>((i * 7 + static_cast<std::int64_t>(clients.size())) % 250));
    }
    turn.max_tokens = tokens;
    turn.sampling.temperature = temperature;
    turn.sampling.top_k = 20;
    turn.sampling.top_p = 0.9F;
    turn.sampling.presence_penalty = 0.5F;
    turn.sampling.repetition_penalty = 1.1F;
    turn.sampling.top_logprobs = 3;
    turn.sampling.logit_bias = {{5, -2.0F}};
    ASSERT_TRUE((*engine)->Prepare(**sequence, std::move(turn)).ok());
    clients.push_back({*sequence});
  };
  // The first runs through the whole test; the others join and leave while it decodes.
  prepare(70, 120, 0.8F);
  for (int i = 0; i < 6; ++i) prepare(5 + 20 * i, 8 + i, i % 2 == 0 ? 0.0F : 1.0F);

  ASSERT_TRUE((*engine)->Submit(clients[0].sequence).ok());
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(clients[0].sequence->Next().has_value());
  g_allocations = 0;
  g_counting = true;
  bool submitted = true;
  std::size_t next = 1;
  long tokens = 0;
  while (clients[0].sequence->Next()) {
    ++tokens;
    if (tokens % 5 == 0 && next < clients.size())
      submitted = (*engine)->Submit(clients[next++].sequence).ok() && submitted;
  }
  for (std::size_t i = 1; i < clients.size(); ++i) {
    while (clients[i].sequence->Next()) ++tokens;
  }
  g_counting = false;
  EXPECT_TRUE(submitted);
  EXPECT_GT(tokens, 150);
  EXPECT_EQ(g_allocations.load(), 0);
  for (const Client& client : clients) {
    EXPECT_EQ(client.sequence->result().reason, FinishReason::kLength)
        << client.sequence->result().status.ToString();
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, NoAllocTest, ::testing::Values("cpu"));

}  // namespace
}  // namespace zhibi::runtime

// SPDX-License-Identifier: Apache-2.0
#include "runtime/page_pool.h"

#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace zhibi::runtime {
namespace {

std::vector<TokenId> Tokens(TokenId first, std::int64_t count) {
  std::vector<TokenId> tokens;
  for (std::int64_t i = 0; i < count; ++i) tokens.push_back(first + static_cast<TokenId>(i));
  return tokens;
}

TEST(PagePoolTest, HandsOutEachPageOnceAndTakesItBack) {
  PagePool pool(3, 4);
  std::set<PageId> pages;
  for (int i = 0; i < 3; ++i) pages.insert(pool.Allocate());
  EXPECT_EQ(pages, (std::set<PageId>{0, 1, 2}));
  EXPECT_EQ(pool.Allocate(), -1);
  EXPECT_EQ(pool.available(), 0);
  pool.Release(1);
  EXPECT_EQ(pool.available(), 1);
  EXPECT_EQ(pool.Allocate(), 1);
}

TEST(PagePoolTest, FindsRegisteredPageByParentAndTokens) {
  PagePool pool(4, 4);
  const PageId page = pool.Allocate();
  const std::vector<TokenId> tokens = Tokens(10, 4);
  const std::uint64_t hash = pool.Hash(PagePool::Seed(), tokens);
  pool.Register(page, PagePool::Seed(), hash, tokens);
  EXPECT_EQ(pool.Acquire(PagePool::Seed(), hash, tokens), page);
  // The same hash with other tokens or another parent is not the same page.
  EXPECT_EQ(pool.Acquire(PagePool::Seed(), hash, Tokens(11, 4)), -1);
  EXPECT_EQ(pool.Acquire(PagePool::Seed() + 1, hash, tokens), -1);
}

TEST(PagePoolTest, KeepsUnusedRegisteredPagesUntilTheirRoomIsNeeded) {
  PagePool pool(2, 4);
  const PageId first = pool.Allocate();
  const PageId second = pool.Allocate();
  const std::vector<TokenId> a = Tokens(0, 4);
  const std::vector<TokenId> b = Tokens(100, 4);
  const std::uint64_t hash_a = pool.Hash(PagePool::Seed(), a);
  const std::uint64_t hash_b = pool.Hash(PagePool::Seed(), b);
  pool.Register(first, PagePool::Seed(), hash_a, a);
  pool.Register(second, PagePool::Seed(), hash_b, b);
  pool.Release(first);
  pool.Release(second);
  EXPECT_EQ(pool.available(), 2);
  // Taking `first` and giving it back makes `second` the least recently used.
  EXPECT_EQ(pool.Acquire(PagePool::Seed(), hash_a, a), first);
  pool.Release(first);
  EXPECT_EQ(pool.Allocate(), second);
  EXPECT_EQ(pool.Acquire(PagePool::Seed(), hash_b, b), -1);
  EXPECT_EQ(pool.Acquire(PagePool::Seed(), hash_a, a), first);
}

TEST(PagePoolTest, ClearForgetsUnusedPagesOnly) {
  PagePool pool(2, 4);
  const PageId used = pool.Allocate();
  const PageId unused = pool.Allocate();
  const std::vector<TokenId> a = Tokens(0, 4);
  const std::vector<TokenId> b = Tokens(9, 4);
  pool.Register(used, PagePool::Seed(), pool.Hash(PagePool::Seed(), a), a);
  pool.Register(unused, PagePool::Seed(), pool.Hash(PagePool::Seed(), b), b);
  pool.Release(unused);
  pool.Clear();
  EXPECT_EQ(pool.Acquire(PagePool::Seed(), pool.Hash(PagePool::Seed(), b), b), -1);
  EXPECT_EQ(pool.Acquire(PagePool::Seed(), pool.Hash(PagePool::Seed(), a), a), used);
}

// A model in plain sets is the reference: counts must agree after any order of calls.
TEST(PagePoolTest, RandomCallsKeepCountsAndNeverShareUnregisteredPages) {
  std::mt19937 random(7);
  PagePool pool(16, 2);
  std::vector<PageId> held;
  TokenId next = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto choice = random() % 4;
    if (choice < 2) {
      const PageId page = pool.Allocate();
      if (page < 0) {
        EXPECT_EQ(pool.available(), 0);
        continue;
      }
      EXPECT_EQ(std::count(held.begin(), held.end(), page), 0);
      held.push_back(page);
      if (choice == 1) {
        next = (next + 2) % 40;
        const std::vector<TokenId> tokens = Tokens(next, 2);
        pool.Register(page, 1, pool.Hash(1, tokens), tokens);
      }
    } else if (choice == 2 && !held.empty()) {
      const std::size_t at = random() % held.size();
      pool.Release(held[at]);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      const auto first = static_cast<TokenId>(random() % 20 * 2);
      const std::vector<TokenId> tokens = Tokens(first, 2);
      const PageId page = pool.Acquire(1, pool.Hash(1, tokens), tokens);
      if (page >= 0) held.push_back(page);
    }
    const std::set<PageId> distinct(held.begin(), held.end());
    ASSERT_EQ(pool.in_use(), static_cast<std::int64_t>(distinct.size()));
  }
}

}  // namespace
}  // namespace zhibi::runtime

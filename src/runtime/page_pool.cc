// SPDX-License-Identifier: Apache-2.0
#include "runtime/page_pool.h"

#include <algorithm>

#include "base/check.h"

namespace zhibi::runtime {
namespace {

std::size_t Index(PageId page) { return static_cast<std::size_t>(page); }

// Finaliser of splitmix64 (Steele et al. 2014): every input bit reaches every output bit.
std::uint64_t Mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace

PagePool::PagePool(std::int64_t pages, std::int64_t page_tokens) : page_tokens_(page_tokens) {
  const auto count = static_cast<std::size_t>(pages);
  refs_.assign(count, 0);
  registered_.assign(count, false);
  hashes_.assign(count, 0);
  parents_.assign(count, 0);
  tokens_.assign(count * static_cast<std::size_t>(page_tokens), 0);
  chain_.assign(count, -1);
  lru_next_.assign(count + 1, -1);
  lru_previous_.assign(count + 1, -1);
  lru_next_[count] = static_cast<PageId>(count);
  lru_previous_[count] = static_cast<PageId>(count);
  free_.reserve(count);
  for (std::size_t i = count; i > 0; --i) free_.push_back(static_cast<PageId>(i - 1));
  std::size_t buckets = 16;
  while (buckets < count * 2) buckets *= 2;
  table_.assign(buckets, -1);
}

PageId PagePool::Allocate() {
  if (free_.empty()) {
    const auto head = static_cast<PageId>(refs_.size());
    const PageId oldest = lru_next_[Index(head)];
    if (oldest == head) return -1;
    LruRemove(oldest);
    Unregister(oldest);
    free_.push_back(oldest);
  }
  const PageId page = free_.back();
  free_.pop_back();
  refs_[Index(page)] = 1;
  return page;
}

void PagePool::Release(PageId page) {
  ZB_CHECK(refs_[Index(page)] > 0);
  if (--refs_[Index(page)] > 0) return;
  if (registered_[Index(page)]) {
    LruPush(page);
  } else {
    free_.push_back(page);
  }
}

std::uint64_t PagePool::Hash(std::uint64_t parent, std::span<const TokenId> tokens) const {
  std::uint64_t hash = parent;
  for (const TokenId token : tokens) {
    hash = Mix(hash + 0x9e3779b97f4a7c15U + static_cast<std::uint32_t>(token));
  }
  return hash;
}

PageId PagePool::Acquire(std::uint64_t parent, std::uint64_t hash,
                         std::span<const TokenId> tokens) {
  for (PageId page = table_[Bucket(hash)]; page >= 0; page = chain_[Index(page)]) {
    const TokenId* stored = tokens_.data() + Index(page) * static_cast<std::size_t>(page_tokens_);
    if (hashes_[Index(page)] != hash || parents_[Index(page)] != parent ||
        !std::equal(tokens.begin(), tokens.end(), stored)) {
      continue;
    }
    if (refs_[Index(page)]++ == 0) LruRemove(page);
    return page;
  }
  return -1;
}

void PagePool::Register(PageId page, std::uint64_t parent, std::uint64_t hash,
                        std::span<const TokenId> tokens) {
  ZB_CHECK(refs_[Index(page)] > 0 && static_cast<std::int64_t>(tokens.size()) == page_tokens_);
  if (registered_[Index(page)]) return;
  for (PageId other = table_[Bucket(hash)]; other >= 0; other = chain_[Index(other)]) {
    if (hashes_[Index(other)] == hash) return;
  }
  std::copy(tokens.begin(), tokens.end(),
            tokens_.begin() + static_cast<std::ptrdiff_t>(page) * page_tokens_);
  hashes_[Index(page)] = hash;
  parents_[Index(page)] = parent;
  chain_[Index(page)] = table_[Bucket(hash)];
  table_[Bucket(hash)] = page;
  registered_[Index(page)] = true;
}

void PagePool::Clear() {
  const auto head = static_cast<PageId>(refs_.size());
  while (lru_next_[Index(head)] != head) {
    const PageId page = lru_next_[Index(head)];
    LruRemove(page);
    Unregister(page);
    free_.push_back(page);
  }
}

void PagePool::Unregister(PageId page) {
  PageId* link = &table_[Bucket(hashes_[Index(page)])];
  while (*link != page) link = &chain_[Index(*link)];
  *link = chain_[Index(page)];
  registered_[Index(page)] = false;
}

void PagePool::LruPush(PageId page) {
  const auto head = static_cast<PageId>(refs_.size());
  const PageId last = lru_previous_[Index(head)];
  lru_next_[Index(last)] = page;
  lru_previous_[Index(page)] = last;
  lru_next_[Index(page)] = head;
  lru_previous_[Index(head)] = page;
  ++lru_size_;
}

void PagePool::LruRemove(PageId page) {
  lru_next_[Index(lru_previous_[Index(page)])] = lru_next_[Index(page)];
  lru_previous_[Index(lru_next_[Index(page)])] = lru_previous_[Index(page)];
  --lru_size_;
}

}  // namespace zhibi::runtime

// SPDX-License-Identifier: Apache-2.0
// Pages of the paged KV cache and the prefix cache over them. A page id names the same page in
// every kv group. Full, committed pages are registered under a hash chained over all tokens before
// them, so that a later sequence with the same beginning shares them; the tokens are compared too,
// a hash alone decides nothing. Unused registered pages stay until their room is needed, least
// recently used first. All memory is taken at creation. Engine thread only.
//
//   page states:  free -> owned (refs >= 1) -> registered and owned -> registered, refs 0 (in the
//   LRU list) -> free
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace zhibi::runtime {

using PageId = std::int32_t;
using TokenId = std::int32_t;

class PagePool {
 public:
  PagePool(std::int64_t pages, std::int64_t page_tokens);

  std::int64_t pages() const { return static_cast<std::int64_t>(refs_.size()); }
  std::int64_t page_tokens() const { return page_tokens_; }
  // Pages that Allocate can hand out: free ones and unused registered ones.
  std::int64_t available() const { return static_cast<std::int64_t>(free_.size()) + lru_size_; }
  std::int64_t in_use() const { return pages() - available(); }

  // A page with one reference; -1 when none is available.
  PageId Allocate();
  // Drops a reference. An unregistered page without references becomes free.
  void Release(PageId page);

  // Hash of a full page: `parent` is the hash of the page before it, or Seed().
  static std::uint64_t Seed() { return 0x9e3779b97f4a7c15U; }
  std::uint64_t Hash(std::uint64_t parent, std::span<const TokenId> tokens) const;
  // The registered page with this hash and these tokens after `parent`, with a reference taken; -1:
  // none.
  PageId Acquire(std::uint64_t parent, std::uint64_t hash, std::span<const TokenId> tokens);
  // Makes an owned, full page findable. No effect when an equal page is registered already.
  void Register(PageId page, std::uint64_t parent, std::uint64_t hash,
                std::span<const TokenId> tokens);
  bool registered(PageId page) const { return registered_[static_cast<std::size_t>(page)]; }
  // Forgets all unused registered pages.
  void Clear();

 private:
  void Unregister(PageId page);
  std::size_t Bucket(std::uint64_t hash) const { return hash & (table_.size() - 1); }
  void LruPush(PageId page);
  void LruRemove(PageId page);

  std::int64_t page_tokens_;
  std::vector<std::int32_t> refs_;
  std::vector<PageId> free_;
  std::vector<bool> registered_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint64_t> parents_;
  std::vector<TokenId> tokens_;   // [pages, page_tokens] of registered pages
  std::vector<PageId> table_;     // hash table heads, a power of two
  std::vector<PageId> chain_;     // next page in the same bucket
  std::vector<PageId> lru_next_;  // circular, with the head at index pages()
  std::vector<PageId> lru_previous_;
  std::int64_t lru_size_ = 0;
};

}  // namespace zhibi::runtime

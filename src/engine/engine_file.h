// SPDX-License-Identifier: Apache-2.0
// The engine file: a header, a table of sections keyed by (fingerprint, rank, role) and the
// sections (info, plans, weight table, weights, tokenizer, chat template, report), each with a
// checksum (XXH3). It is mapped, not parsed whole: opening touches the header, the table and the
// small sections. Bytes are hostile: every offset is checked. Contract: docs/contracts/engine.md.
// Reader: thread-safe once open. Writer: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "engine/plan.h"
#include "zhibi/status.h"

namespace zhibi::engine {

inline constexpr std::uint32_t kFormatVersion = 1;

// Roles of sections. Stored as text: later roles need no new format.
inline constexpr std::string_view kRoleInfo = "info";
inline constexpr std::string_view kRolePlans = "plans";
inline constexpr std::string_view kRoleWeightTable = "weight_table";
inline constexpr std::string_view kRoleWeights = "weights";      // 4096-byte aligned
inline constexpr std::string_view kRoleTokenizer = "tokenizer";  // text::Tokenizer::Serialize
inline constexpr std::string_view kRoleChatTemplate = "chat_template";
inline constexpr std::string_view kRoleTokenizerConfig = "tokenizer_config";
inline constexpr std::string_view kRoleGenerationConfig = "generation_config";
inline constexpr std::string_view kRoleReport =
    "report";  // JSON: passes, kernel choices with refusals, memory map

struct Section {
  std::string fingerprint;  // "any", or of the device ("cpu/avx512/...")
  std::int32_t rank = 0;
  std::string role;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

class EngineFile {
 public:
  EngineFile(const EngineFile&) = delete;
  EngineFile& operator=(const EngineFile&) = delete;

  // Checks header, table, the checksums of all sections but the weights, and every plan
  // (ValidatePlan). kDataLoss names section and offset; kFailedPrecondition: made by a newer format
  // or with other op versions, with both sides and the command that mends it.
  static Result<std::shared_ptr<const EngineFile>> Open(const std::string& path);
  // The same on bytes that outlive the object (fuzzing, tests).
  static Result<std::shared_ptr<const EngineFile>> Parse(std::span<const std::byte> bytes,
                                                         const std::string& path);

  const EngineInfo& info() const { return info_; }
  const std::vector<Plan>& plans() const { return plans_; }
  const Plan* FindPlan(std::string_view name) const;
  const std::vector<PackedWeight>& weights() const { return weights_; }
  std::span<const std::byte> weight_bytes() const { return weight_bytes_; }  // the whole section
  // Reads [offset, offset + dst.size()) of the weights section, not through the mapping.
  // Thread-safe.
  Status ReadWeights(std::uint64_t offset, std::span<std::byte> dst) const;
  // Empty span when there is no such section.
  std::span<const std::byte> SectionBytes(std::string_view role) const;
  const std::vector<Section>& sections() const { return sections_; }
  const std::string& path() const { return path_; }
  std::uint64_t file_bytes() const { return bytes_.size(); }
  // Reads all weight bytes and compares the checksum. kDataLoss.
  Status VerifyWeights() const;

 private:
  EngineFile() = default;
  Status ReadHeader();
  Status ReadTable(std::uint64_t offset, std::uint64_t bytes, std::uint32_t count);
  Status ReadSections();
  Status CheckWeights() const;

  base::MappedFile file_;  // empty when made by Parse
  std::span<const std::byte> bytes_;
  std::string path_;
  std::vector<Section> sections_;
  EngineInfo info_;
  std::vector<Plan> plans_;
  std::vector<PackedWeight> weights_;
  std::span<const std::byte> weight_bytes_;
};

// Writes an engine file; atomic (base::AtomicFileWriter). Weights are appended one by one, so that
// building needs memory for one weight, not for the model. The same calls give the same bytes.
class EngineWriter {
 public:
  static Result<std::unique_ptr<EngineWriter>> Create(const std::string& path);
  virtual ~EngineWriter() = default;
  // `weight.offset` and `weight.bytes` are filled in; the index is the number of earlier calls.
  virtual Status AddWeight(PackedWeight weight, std::span<const std::byte> bytes) = 0;
  // A section that fits every machine (fingerprint "any").
  virtual Status AddSection(std::string_view role, std::string_view bytes) = 0;
  // Writes info, plans and weight table, then the header; until then there is no file.
  // kInvalidArgument when a plan does not pass ValidatePlan: a bug of the compiler is found here,
  // not on the machine of a user.
  virtual Status Finish(const EngineInfo& info, const std::vector<Plan>& plans) = 0;
};

}  // namespace zhibi::engine

// SPDX-License-Identifier: Apache-2.0
#include "engine/engine_file.h"

#include <algorithm>
#include <cstring>

#include <xxhash.h>

#include "base/status_macros.h"
#include "engine/bytes.h"
#include "engine/format.h"
#include "engine/layout.h"
#include "zhibi/version.h"

namespace zhibi::engine {
namespace {

Status BadChecksum(std::string_view what, std::uint64_t offset, std::uint64_t expected,
                   std::uint64_t got) {
  return DataLossError(std::string(what) + " at offset " + std::to_string(offset) +
                       ": expected checksum " + std::to_string(expected) + ", got " +
                       std::to_string(got) +
                       "; the file is damaged, build it again: zhibi build --model MODEL --out "
                       "FILE.engine");
}

}  // namespace

std::uint64_t Checksum(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

Result<std::shared_ptr<const EngineFile>> EngineFile::Open(const std::string& path) {
  ZB_ASSIGN_OR_RETURN(base::MappedFile mapped, base::MappedFile::Open(path));
  std::shared_ptr<EngineFile> file(new EngineFile());
  file->file_ = std::move(mapped);
  file->bytes_ = file->file_.bytes();
  file->path_ = path;
  Status status = file->ReadHeader();
  if (!status.ok()) return std::move(status).WithContext(path);
  return std::shared_ptr<const EngineFile>(std::move(file));
}

Result<std::shared_ptr<const EngineFile>> EngineFile::Parse(std::span<const std::byte> bytes,
                                                            const std::string& path) {
  std::shared_ptr<EngineFile> file(new EngineFile());
  file->bytes_ = bytes;
  file->path_ = path;
  Status status = file->ReadHeader();
  if (!status.ok()) return std::move(status).WithContext(path);
  return std::shared_ptr<const EngineFile>(std::move(file));
}

Status EngineFile::ReadHeader() {
  Header header{};
  if (bytes_.size() < sizeof(Header)) {
    return DataLossError("expected an engine file of at least " + std::to_string(sizeof(Header)) +
                         " bytes, got " + std::to_string(bytes_.size()));
  }
  std::memcpy(&header, bytes_.data(), sizeof(Header));
  if (header.magic != kMagic) {
    return DataLossError("not an engine file: expected \"ZHIBIENG\" at offset 0");
  }
  if (header.format_version != kFormatVersion) {
    const auto end = std::find(header.zhibi_version.begin(), header.zhibi_version.end(), '\0');
    return FailedPreconditionError(
        "the engine has format " + std::to_string(header.format_version) + " (written by zhibi " +
        std::string(header.zhibi_version.begin(), end) + "), this program reads format " +
        std::to_string(kFormatVersion) + " (zhibi " + std::string(Version()) +
        "); build it again with this program: zhibi build --model MODEL --out FILE.engine");
  }
  const std::uint64_t checksum = Checksum(bytes_.first(offsetof(Header, header_checksum)));
  if (checksum != header.header_checksum) {
    return BadChecksum("header", 0, header.header_checksum, checksum);
  }
  if (header.file_bytes != bytes_.size()) {
    return DataLossError("expected " + std::to_string(header.file_bytes) +
                         " bytes as the header says, the file has " +
                         std::to_string(bytes_.size()) + ": it is truncated or padded");
  }
  if (header.table_offset > bytes_.size() ||
      header.table_bytes != bytes_.size() - header.table_offset) {
    return DataLossError("section table: expected it to end the file, got offset " +
                         std::to_string(header.table_offset) + " with " +
                         std::to_string(header.table_bytes) + " bytes");
  }
  const std::span<const std::byte> table = bytes_.subspan(header.table_offset);
  const std::uint64_t table_checksum = Checksum(table);
  if (table_checksum != header.table_checksum) {
    return BadChecksum("section table", header.table_offset, header.table_checksum, table_checksum);
  }
  ZB_RETURN_IF_ERROR(ReadTable(header.table_offset, header.table_bytes, header.num_sections));
  return ReadSections();
}

Status EngineFile::ReadTable(std::uint64_t offset, std::uint64_t bytes, std::uint32_t count) {
  ByteReader in(bytes_.subspan(offset, bytes), "table", offset);
  if (count > kMaxSections || in.GetCount("sections", 36) != count) {
    in.Fail("expected " + std::to_string(count) + " sections, at most " +
            std::to_string(kMaxSections));
  }
  for (std::uint32_t i = 0; i < count && !in.failed(); ++i) {
    Section section;
    section.fingerprint = in.GetText("fingerprint");
    section.rank = in.Get<std::int32_t>();
    section.role = in.GetText("role");
    section.offset = in.Get<std::uint64_t>();
    section.bytes = in.Get<std::uint64_t>();
    section.checksum = in.Get<std::uint64_t>();
    if (section.offset < kWeightsOffset || section.offset % kSectionAlignment != 0 ||
        section.offset > offset || section.bytes > offset - section.offset) {
      in.Fail("section " + section.role + ": expected a 64-byte aligned place between 4096 and " +
              std::to_string(offset) + ", got offset " + std::to_string(section.offset) + " with " +
              std::to_string(section.bytes) + " bytes");
    }
    sections_.push_back(std::move(section));
  }
  return in.Finish();
}

Status EngineFile::ReadSections() {
  for (const Section& section : sections_) {
    if (section.role == kRoleWeights) continue;
    const std::uint64_t checksum = Checksum(bytes_.subspan(section.offset, section.bytes));
    if (checksum != section.checksum) {
      return BadChecksum("section " + section.role, section.offset, section.checksum, checksum);
    }
  }
  const Section* found[4] = {};
  constexpr std::string_view kNeeded[4] = {kRoleInfo, kRolePlans, kRoleWeightTable, kRoleWeights};
  for (std::size_t i = 0; i < 4; ++i) {
    for (const Section& section : sections_) {
      if (section.role == kNeeded[i] && found[i] == nullptr) found[i] = &section;
    }
    if (found[i] == nullptr) {
      return DataLossError("section " + std::string(kNeeded[i]) + ": expected one, got none");
    }
  }
  const auto view = [this](const Section& section) {
    return bytes_.subspan(section.offset, section.bytes);
  };
  ZB_ASSIGN_OR_RETURN(info_, ParseInfo(view(*found[0]), found[0]->offset));
  ZB_ASSIGN_OR_RETURN(plans_, ParsePlans(view(*found[1]), found[1]->offset));
  ZB_ASSIGN_OR_RETURN(weights_, ParseWeights(view(*found[2]), found[2]->offset));
  weight_bytes_ = view(*found[3]);
  ZB_RETURN_IF_ERROR(CheckWeights());
  for (const Plan& plan : plans_) ZB_RETURN_IF_ERROR(ValidatePlan(plan, weights_));
  return OkStatus();
}

Status EngineFile::CheckWeights() const {
  for (const PackedWeight& weight : weights_) {
    if (weight.offset % kSectionAlignment != 0 || weight.offset > weight_bytes_.size() ||
        weight.bytes > weight_bytes_.size() - weight.offset) {
      return DataLossError("weight " + weight.name + ": expected a 64-byte aligned place within " +
                           std::to_string(weight_bytes_.size()) + " bytes, got offset " +
                           std::to_string(weight.offset) + " with " + std::to_string(weight.bytes) +
                           " bytes");
    }
    std::int64_t elements = 1;
    for (const std::int64_t size : weight.shape) {
      if (size < 1 || __builtin_mul_overflow(elements, size, &elements)) {
        return DataLossError("weight " + weight.name + ": expected positive sizes, got " +
                             std::to_string(size));
      }
    }
    // No layout drops elements, and none holds them in less than the bits of their format.
    const auto bits = static_cast<std::uint64_t>(DTypeBits(weight.format.dtype));
    if (static_cast<std::uint64_t>(elements) > weight.bytes * 8 / bits) {
      return DataLossError("weight " + weight.name + ": " + std::to_string(elements) +
                           " elements do not fit into " + std::to_string(weight.bytes) + " bytes");
    }
  }
  return OkStatus();
}

const Plan* EngineFile::FindPlan(std::string_view name) const {
  for (const Plan& plan : plans_) {
    if (plan.name == name) return &plan;
  }
  return nullptr;
}

std::span<const std::byte> EngineFile::SectionBytes(std::string_view role) const {
  for (const Section& section : sections_) {
    if (section.role == role) return bytes_.subspan(section.offset, section.bytes);
  }
  return {};
}

Status EngineFile::ReadWeights(std::uint64_t offset, std::span<std::byte> dst) const {
  const auto section = static_cast<std::uint64_t>(weight_bytes_.data() - file_.bytes().data());
  return file_.ReadAt(section + offset, dst);
}

Status EngineFile::VerifyWeights() const {
  for (const Section& section : sections_) {
    if (section.role != kRoleWeights) continue;
    const std::uint64_t checksum = Checksum(bytes_.subspan(section.offset, section.bytes));
    if (checksum != section.checksum) {
      return BadChecksum(path_ + ": section weights", section.offset, section.checksum, checksum);
    }
  }
  return OkStatus();
}

}  // namespace zhibi::engine

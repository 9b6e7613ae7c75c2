// SPDX-License-Identifier: Apache-2.0
// Weights stream through; everything small is kept until Finish, so that sections lie behind the
// weights and the header, which makes the file valid, is written last.
#include <algorithm>
#include <cstring>
#include <utility>

#include <xxhash.h>

#include "base/status_macros.h"
#include "engine/bytes.h"
#include "engine/engine_file.h"
#include "engine/format.h"
#include "engine/layout.h"
#include "zhibi/version.h"

namespace zhibi::engine {
namespace {

std::string_view AsText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

class Writer final : public EngineWriter {
 public:
  explicit Writer(base::AtomicFileWriter file) : file_(std::move(file)) {
    XXH3_64bits_reset(weights_state_.get());
  }

  Status Begin() { return file_.Write(std::string(kWeightsOffset, '\0')); }

  Status AddWeight(PackedWeight weight, std::span<const std::byte> bytes) override {
    if (bytes.empty()) return InvalidArgumentError("weight " + weight.name + ": no bytes");
    weight.offset = weights_bytes_;
    weight.bytes = bytes.size();
    ZB_RETURN_IF_ERROR(file_.Write(AsText(bytes)));
    XXH3_64bits_update(weights_state_.get(), bytes.data(), bytes.size());
    weights_bytes_ += bytes.size();
    const std::string padding(
        (kSectionAlignment - weights_bytes_ % kSectionAlignment) % kSectionAlignment, '\0');
    ZB_RETURN_IF_ERROR(file_.Write(padding));
    XXH3_64bits_update(weights_state_.get(), padding.data(), padding.size());
    weights_bytes_ += padding.size();
    weights_.push_back(std::move(weight));
    return OkStatus();
  }

  Status AddSection(std::string_view role, std::string_view bytes) override {
    for (const auto& [name, content] : extra_) {
      if (name == role) return InvalidArgumentError("section " + name + ": added twice");
    }
    extra_.emplace_back(role, bytes);
    return OkStatus();
  }

  Status Finish(const EngineInfo& info, const std::vector<Plan>& plans) override;

 private:
  Status WriteSection(std::string_view fingerprint, std::string_view role, std::string_view bytes);
  Status Pad();

  base::AtomicFileWriter file_;
  std::unique_ptr<XXH3_state_t, FreeState> weights_state_{XXH3_createState()};
  std::uint64_t weights_bytes_ = 0;
  std::vector<PackedWeight> weights_;
  std::vector<std::pair<std::string, std::string>> extra_;
  std::vector<Section> sections_;
};

Status Writer::Pad() {
  const std::uint64_t rest = file_.position() % kSectionAlignment;
  if (rest == 0) return OkStatus();
  return file_.Write(std::string(kSectionAlignment - rest, '\0'));
}

Status Writer::WriteSection(std::string_view fingerprint, std::string_view role,
                            std::string_view bytes) {
  ZB_RETURN_IF_ERROR(Pad());
  sections_.push_back({.fingerprint = std::string(fingerprint),
                       .rank = 0,
                       .role = std::string(role),
                       .offset = file_.position(),
                       .bytes = bytes.size(),
                       .checksum = Checksum(std::as_bytes(std::span(bytes)))});
  return file_.Write(bytes);
}

Status Writer::Finish(const EngineInfo& info, const std::vector<Plan>& plans) {
  for (const Plan& plan : plans) {
    const Status status = ValidatePlan(plan, weights_);
    if (!status.ok()) return InvalidArgumentError(status.message());
  }
  const std::string fingerprint =
      FingerprintText({info.device_backend, info.device_isa, info.device_features});
  sections_.push_back({.fingerprint = fingerprint,
                       .rank = 0,
                       .role = std::string(kRoleWeights),
                       .offset = kWeightsOffset,
                       .bytes = weights_bytes_,
                       .checksum = XXH3_64bits_digest(weights_state_.get())});
  EngineInfo stamped = info;
  stamped.format_version = kFormatVersion;
  stamped.zhibi_version = Version();
  ZB_RETURN_IF_ERROR(WriteSection("any", kRoleInfo, SerializeInfo(stamped)));
  ZB_RETURN_IF_ERROR(WriteSection(fingerprint, kRolePlans, SerializePlans(plans)));
  ZB_RETURN_IF_ERROR(WriteSection(fingerprint, kRoleWeightTable, SerializeWeights(weights_)));
  for (const auto& [role, bytes] : extra_) ZB_RETURN_IF_ERROR(WriteSection("any", role, bytes));

  ByteWriter table;
  table.PutCount(sections_.size());
  for (const Section& section : sections_) {
    table.PutText(section.fingerprint);
    table.Put(section.rank);
    table.PutText(section.role);
    table.Put(section.offset);
    table.Put(section.bytes);
    table.Put(section.checksum);
  }
  const std::string table_bytes = table.Take();
  ZB_RETURN_IF_ERROR(Pad());
  Header header{};
  header.magic = kMagic;
  header.format_version = kFormatVersion;
  header.num_sections = static_cast<std::uint32_t>(sections_.size());
  const std::string_view version = Version();
  std::copy_n(version.begin(), std::min(version.size(), header.zhibi_version.size() - 1),
              header.zhibi_version.begin());
  header.table_offset = file_.position();
  header.table_bytes = table_bytes.size();
  header.file_bytes = header.table_offset + header.table_bytes;
  header.table_checksum = Checksum(std::as_bytes(std::span(table_bytes)));
  ZB_RETURN_IF_ERROR(file_.Write(table_bytes));
  char raw[sizeof(Header)];
  std::memcpy(raw, &header, sizeof(Header));
  header.header_checksum =
      Checksum(std::as_bytes(std::span(raw)).first(offsetof(Header, header_checksum)));
  std::memcpy(raw, &header, sizeof(Header));
  ZB_RETURN_IF_ERROR(file_.WriteAt(0, std::string_view(raw, sizeof(raw))));
  return file_.Commit();
}

}  // namespace

Result<std::unique_ptr<EngineWriter>> EngineWriter::Create(const std::string& path) {
  ZB_ASSIGN_OR_RETURN(base::AtomicFileWriter file, base::AtomicFileWriter::Create(path));
  auto writer = std::make_unique<Writer>(std::move(file));
  ZB_RETURN_IF_ERROR(writer->Begin());
  return std::unique_ptr<EngineWriter>(std::move(writer));
}

}  // namespace zhibi::engine

// SPDX-License-Identifier: Apache-2.0
#include "cli/redact_command.h"

#include <sys/stat.h>

#include <cstdio>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/extract_view.h"
#include "cli/read_text.h"
#include "cli/write_text.h"
#include "entity/recogniser.h"
#include "legal/data_dir.h"
#include "redact/redact.h"

namespace zhibi::cli {
namespace {

constexpr std::size_t kMaxJsonBytes = std::size_t{64} << 20;

// The mapping holds what was hidden: no moment in which others could read it.
Status WriteSecret(const std::string& path, std::string_view bytes) {
  const mode_t before = ::umask(0077);
  const Status status = base::WriteFileAtomic(path, bytes);
  ::umask(before);
  return status;
}

Status RunRestore(const RedactOptions& options) {
  ZB_ASSIGN_OR_RETURN(const nlohmann::json json,
                      base::ReadJsonFile(options.restore, kMaxJsonBytes));
  ZB_ASSIGN_OR_RETURN(const redact::Mapping mapping,
                      redact::MappingFromJson(json, options.restore));
  ZB_ASSIGN_OR_RETURN(const std::string text,
                      base::ReadFile(options.file, entity::Recogniser::kMaxBytes));
  Result<std::string> original = redact::Restore(text, mapping);
  if (!original.ok()) return std::move(original).status().WithContext(options.file);
  return WriteText(options.out, *original);
}

}  // namespace

Status RunRedact(const RedactOptions& options) {
  if (!options.restore.empty()) return RunRestore(options);
  ZB_ASSIGN_OR_RETURN(const redact::Level level, redact::ParseLevel(options.level));
  std::vector<entity::KnownName> known;
  if (!options.elements.empty()) {
    ZB_ASSIGN_OR_RETURN(const nlohmann::json json,
                        base::ReadJsonFile(options.elements, kMaxJsonBytes));
    known = redact::NamesOfElements(json);
  }
  ZB_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(options.file));
  ZB_ASSIGN_OR_RETURN(const std::string data_dir, legal::FindDataDir());
  ZB_ASSIGN_OR_RETURN(const entity::Recogniser recogniser, entity::Recogniser::Load(data_dir));
  ZB_ASSIGN_OR_RETURN(const redact::Redacted redacted,
                      redact::Redact(recogniser, text, level, known));
  for (const std::string& note : redacted.notes) {
    std::fprintf(stderr, "提示：%s。\n", note.c_str());
  }
  if (level == redact::Level::kP0) {
    std::fprintf(stderr, "正本不脱敏，含 %zu 处敏感信息 / original, %zu sensitive places\n",
                 redacted.sensitive, redacted.sensitive);
  }
  if (!redacted.residue.empty()) {
    std::string places;
    for (const redact::Residue& residue : redacted.residue) {
      places += "\n  " + std::string(entity::KindName(residue.kind)) + " " +
                Snippet(redacted.text, residue.begin, residue.end);
    }
    return FailedPreconditionError(options.file +
                                   ": 脱敏后仍有残留，未写出 / residue after "
                                   "redaction, nothing was written: " +
                                   places);
  }
  if (!options.map.empty()) {
    ZB_RETURN_IF_ERROR(WriteSecret(options.map, redact::ToJson(redacted.mapping).dump(1) + "\n"));
  }
  if (level != redact::Level::kP0) {
    std::fprintf(stderr, "已替换 %zu 处，残留 0 处 / %zu replaced, no residue\n",
                 redacted.mapping.replacements.size(), redacted.mapping.replacements.size());
  }
  return WriteText(options.out, redacted.text);
}

}  // namespace zhibi::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/npy.h"

#include "base/file.h"
#include "base/status_macros.h"

namespace zhibi::cli {

Status WriteNpy(const std::string& path, const char* descr, std::span<const std::int64_t> shape,
                std::span<const std::byte> bytes) {
  std::string header = std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (";
  for (const std::int64_t size : shape) header += std::to_string(size) + ",";
  header += "), }";
  // Magic, version and length take 10 bytes; the whole header is padded to a multiple of 64.
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string prefix("\x93NUMPY\x01\x00", 8);
  prefix += static_cast<char>(header.size() & 0xFF);
  prefix += static_cast<char>(header.size() >> 8);
  ZB_ASSIGN_OR_RETURN(base::AtomicFileWriter writer, base::AtomicFileWriter::Create(path));
  ZB_RETURN_IF_ERROR(writer.Write(prefix + header));
  ZB_RETURN_IF_ERROR(writer.Write({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  return writer.Commit();
}

}  // namespace zhibi::cli

// SPDX-License-Identifier: Apache-2.0
#include "legal/input_text.h"

#include <iconv.h>

#include <array>
#include <cerrno>
#include <optional>

#include "base/status_macros.h"
#include "text/jinja_string.h"

namespace zhibi::legal {
namespace {

// Offset of the first byte that is not UTF-8 (overlong forms and surrogates included), or npos.
std::size_t FirstBadByte(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const auto lead = static_cast<unsigned char>(bytes[at]);
    const std::size_t length = text::jinja::CharLength(bytes, at);
    if (lead >= 0x80) {
      if (length == 1) return at;
      const char32_t c = text::jinja::DecodeChar(bytes, at);
      const bool overlong =
          (length == 3 && c < 0x800) || (length == 4 && (c < 0x10000 || c > 0x10FFFF));
      if (overlong || (c >= 0xD800 && c < 0xE000)) return at;
    }
    at += length;
  }
  return std::string_view::npos;
}

// RAII for iconv's handle.
class Converter {
 public:
  explicit Converter(const char* from) : handle_(iconv_open("UTF-8", from)) {}
  ~Converter() {
    if (open()) iconv_close(handle_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;
  // iconv's own mark of failure is the pointer -1.
  bool open() const { return reinterpret_cast<std::intptr_t>(handle_) != -1; }

  std::optional<std::string> Convert(std::string bytes) {
    std::string out;
    char* src = bytes.data();
    std::size_t src_left = bytes.size();
    std::array<char, 4096> buffer{};
    while (src_left > 0) {
      char* dst = buffer.data();
      std::size_t dst_left = buffer.size();
      const std::size_t result = iconv(handle_, &src, &src_left, &dst, &dst_left);
      const int error = errno;
      out.append(buffer.data(), buffer.size() - dst_left);
      if (result == static_cast<std::size_t>(-1) && error != E2BIG) return std::nullopt;
    }
    return out;
  }

 private:
  iconv_t handle_;
};

Result<InputText> ConvertFrom(const char* charset, const std::string& name, std::string bytes,
                              const std::string& source) {
  Converter converter(charset);
  if (!converter.open()) {
    return FailedPreconditionError(
        source + "：文件是 " + name + " 编码，本机没有转换表，请先另存为 UTF-8 (the file is in " +
        charset + " and this system can't convert it, save it as UTF-8)");
  }
  std::optional<std::string> text = converter.Convert(std::move(bytes));
  if (!text) {
    return InvalidArgumentError(source + "：既不是 UTF-8，也不是 " + name +
                                " 编码 (neither UTF-8 nor " + charset + ")");
  }
  return InputText{std::move(*text), "文件是 " + name + " 编码，已按此读取 / the file is in " +
                                         charset + " and was read as such"};
}

}  // namespace

Result<InputText> DecodeInput(std::string bytes, std::string_view source) {
  const std::string where(source);
  if (bytes.rfind("\xEF\xBB\xBF", 0) == 0) bytes.erase(0, 3);
  if (bytes.rfind("\xFF\xFE", 0) == 0)
    return ConvertFrom("UTF-16LE", "UTF-16", bytes.substr(2), where);
  if (bytes.rfind("\xFE\xFF", 0) == 0)
    return ConvertFrom("UTF-16BE", "UTF-16", bytes.substr(2), where);
  const std::size_t bad = FirstBadByte(bytes);
  if (bad == std::string_view::npos) return InputText{std::move(bytes), ""};
  Result<InputText> converted = ConvertFrom("GB18030", "GB18030（GBK）", bytes, where);
  if (converted.ok()) return converted;
  return std::move(converted).status().WithContext("第 " + std::to_string(bad + 1) +
                                                   " 字节 (byte " + std::to_string(bad + 1) + ")");
}

}  // namespace zhibi::legal

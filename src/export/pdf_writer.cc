// SPDX-License-Identifier: Apache-2.0
#include "export/pdf_writer.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include "base/paths.h"
#include "base/status_macros.h"

namespace zhibi::exporting {
namespace {

constexpr const char* kModuleFile = "libzhibi_pdf.so";

Status Missing(const std::string& what) {
  return FailedPreconditionError(
      "导出 PDF 需要 Pango 和 Cairo，请安装：apt-get install libpangocairo-1.0-0 libpangoft2-1.0-0 "
      "libharfbuzz-subset0 fonts-noto-cjk（由源代码构建的，还要 libpango1.0-dev 并重新构建）/ PDF "
      "needs Pango and "
      "Cairo: "
      "install these packages (" +
      what + ")");
}

// Stays loaded for the life of the process: Pango's types can't be registered twice.
Result<const PdfModule*> LoadModule() {
  const std::string path = base::ProgramDir() + "/" + kModuleFile;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return Missing("no " + path);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    const char* reason = dlerror();
    return Missing(reason == nullptr ? path : reason);
  }
  using EntryPoint = const PdfModule* (*)();
  const auto entry = reinterpret_cast<EntryPoint>(dlsym(library, "zhibi_pdf_v1"));
  const PdfModule* module = entry == nullptr ? nullptr : entry();
  if (module == nullptr || module->abi != kPdfModuleAbi ||
      module->document_bytes != sizeof(legal::Document) || module->layout_bytes != sizeof(Layout))
    return FailedPreconditionError(path +
                                   ": 与程序不是同一次构建 (not of the same build as the "
                                   "program)");
  return module;
}

}  // namespace

Result<PdfFile> WritePdf(const legal::Document& document, const Layout& layout,
                         const PdfOptions& options) {
  static const Result<const PdfModule*> module = LoadModule();
  if (!module.ok()) return module.status();
  return (*module)->render(document, layout, options);
}

}  // namespace zhibi::exporting

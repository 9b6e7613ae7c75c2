// SPDX-License-Identifier: Apache-2.0
// Fonts of one PDF: the names that courts use, resolved through the chain of
// data/layouts/fonts.json to what is installed (fontconfig's, and a folder of the user's own); what
// stands in for what is said, never silent. Sources: fontconfig 2.14, Pango 1.50. One thread at a
// time, an object a document.
#pragma once

#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "export/layout.h"
#include "zhibi/status.h"

namespace zhibi::exporting {

template <auto Function>
struct Release {
  template <typename T>
  void operator()(T* object) const {
    Function(object);
  }
};
using FontDescription = std::unique_ptr<PangoFontDescription, Release<pango_font_description_free>>;

class Fonts {
 public:
  // `folder`: fonts of the user's own, searched with the system's; empty: none. kInvalidArgument:
  // it is no folder or holds no font.
  static Result<std::unique_ptr<Fonts>> Open(const Layout& layout, const std::string& folder);
  ~Fonts();
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;

  // kFailedPrecondition: no font of the chain is installed; the message says what to install.
  Result<FontDescription> Describe(const std::string& name, double size_pt, bool bold);
  // Does that family stand for a name that was asked for?
  bool IsChosen(const std::string& family) const;
  PangoContext* context() const { return context_.get(); }

  // A line for each name that was asked for and is not installed.
  std::vector<std::string> Notes() const;

 private:
  struct Choice {
    std::string family;
    bool bold = false;  // the stand-in looks right in bold only
  };
  explicit Fonts(const Layout& layout) : layout_(layout) {}
  Status LoadConfig(const std::string& folder);
  bool Installed(const std::string& family) const;
  Result<Choice> Resolve(const std::string& name);

  const Layout& layout_;
  std::unique_ptr<FcConfig, Release<FcConfigDestroy>> config_;
  std::unique_ptr<PangoFontMap, Release<g_object_unref>> map_;
  std::unique_ptr<PangoContext, Release<g_object_unref>> context_;
  std::map<std::string, Choice> choices_;
};

}  // namespace zhibi::exporting

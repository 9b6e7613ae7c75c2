// SPDX-License-Identifier: Apache-2.0
// Placed pages as PDF through Cairo: glyphs of embedded subsets with the text behind them, rules,
// dotted lines under what a model wrote, the outline. The result still carries Cairo's own
// properties; metadata.h replaces them. Thread-safe.
#pragma once

#include <string>
#include <vector>

#include "export/layout.h"
#include "export/pdf/subset.h"
#include "export/pdf/typeset.h"
#include "zhibi/status.h"

namespace zhibi::exporting {

// `fonts`: what the runs of the document refer to. kInternal: Cairo's own message.
Result<std::string> DrawPdf(const TypesetDocument& document, const Layout& layout,
                            const std::vector<ScaledFont>& fonts);

}  // namespace zhibi::exporting

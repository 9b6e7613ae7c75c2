// SPDX-License-Identifier: Apache-2.0
// JinjaTemplate: the Jinja subset that chat templates and document skeletons use, in an interpreter
// of our own. Templates come inside foreign checkpoints: they reach no file, no object of the host
// and no other template, and steps, output and depth are limited. Behaviour follows Jinja 3.1 with
// the settings of transformers (trim_blocks, lstrip_blocks, loop controls, tojson without
// escaping), checked against the library by goldens.
//   auto t = JinjaTemplate::Parse("{{ name | upper }}", "greeting");
//   auto text = t->Render({{"name", "li"}});   // "LI"
// Thread rule: a parsed template is immutable and may render in many threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "zhibi/status.h"

namespace zhibi::text {

struct RenderLimits {
  // Nodes evaluated plus work of builtins (one for 64 bytes moved).
  std::int64_t max_steps = 2'000'000;
  // Of the output and of any single string.
  std::size_t max_output_bytes = std::size_t{8} << 20;
  // Nested expressions, blocks and macro calls.
  int max_depth = 300;
};

// A run of rendered text. Control tokens are parsed in template text only (encode with
// parse_special = is_template). Byte-pair merges may cross the border of two segments: an encoder
// that wants the ids of a reference splits the template segments at control tokens first, then
// joins what is left between them, then applies merges.
struct RenderedSegment {
  std::string text;
  bool is_template = true;
};

// args[0] is the value before '|', the others the positional arguments. The result counts as the
// user's when any argument does.
using HostFilter =
    std::function<Result<nlohmann::ordered_json>(const std::vector<nlohmann::ordered_json>& args)>;
using HostFilters = std::map<std::string, HostFilter, std::less<>>;

// Which ways the conditions of {% if %} and {% elif %} went. Not thread-safe.
struct BranchLog {
  struct Count {
    int taken = 0;
    int skipped = 0;
  };
  // Key: Branch::place and Branch::index.
  std::map<std::pair<const void*, std::size_t>, Count> counts;
};

class JinjaTemplate;

struct RenderOptions {
  RenderLimits limits;
  // Names at the top of the context whose strings, keys included, come from users.
  std::vector<std::string> user_keys;
  // What strftime_now prints; without it the call is an error.
  std::optional<std::tm> now;
  // Printing a name that is not there is an error instead of nothing.
  bool strict_undefined = false;
  // Further filters; must outlive the call. A builtin of the same name wins.
  const HostFilters* filters = nullptr;
  // What these filters give counts as the user's text even when their arguments hold none (numbers
  // carry no marks).
  bool filters_are_user = false;
  // Templates whose macros (and other names at the top) the template may use; their text is
  // dropped. They must outlive the call.
  std::vector<const JinjaTemplate*> macros;
  // A string that starts with this stands for a value that is not known: arithmetic with it and
  // filters of the host give it back, order comparisons with it are false, a dictionary without it
  // as a key gives it back. Empty: no such strings. `met_missing` is set when one was met in an
  // expression.
  std::string missing_mark;
  // With missing_mark: what a name that is not there gives where it is used, instead of an error (a
  // condition over an unknown value chose the way that reads it). Starts with missing_mark.
  std::string undefined_text;
  bool* met_missing = nullptr;
  BranchLog* branches = nullptr;
};

class JinjaTemplate {
 public:
  // A condition of {% if %} (index 0) or {% elif %} (index 1, ...).
  struct Branch {
    const void* place = nullptr;
    std::size_t index = 0;
    int line = 1;
  };

  // `name` stands in messages. kInvalidArgument: "chat_template:12: expected 'endif', got
  // 'endfor'"; kResourceExhausted: longer than 1 MiB.
  static Result<JinjaTemplate> Parse(std::string_view text, std::string_view name);

  // `context`: an object. kInvalidArgument for errors in the template or raise_exception,
  // kResourceExhausted for limits; messages carry name and line.
  Result<std::string> Render(const nlohmann::ordered_json& context,
                             const RenderLimits& limits = {}) const;
  // Segments alternate; none is empty.
  Result<std::vector<RenderedSegment>> RenderSegments(const nlohmann::ordered_json& context,
                                                      const RenderOptions& options) const;

  const std::string& name() const { return name_; }
  // What the template defines at its top: macros and names that {% set %} gives.
  std::vector<std::string> DefinedNames() const;
  // Every condition of the template in order, macros included.
  std::vector<Branch> Branches() const;

 private:
  struct Tree;
  JinjaTemplate() = default;
  std::string name_;
  std::shared_ptr<const Tree> tree_;  // shared by copies of the template
};

// The text of all segments.
std::string JoinSegments(const std::vector<RenderedSegment>& segments);

}  // namespace zhibi::text

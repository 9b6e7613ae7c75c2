// SPDX-License-Identifier: Apache-2.0
#include "text/jinja.h"

#include <algorithm>

#include "base/status_macros.h"
#include "text/jinja_eval.h"
#include "text/jinja_parser.h"

namespace zhibi::text {
namespace {

constexpr std::size_t kMaxTemplateBytes = std::size_t{1} << 20;

// "line 3: what" with the template's name: "chat_template:3: what".
Status Located(const std::string& name, Status status) {
  const std::string& message = status.message();
  if (message.rfind("line ", 0) == 0) return {status.code(), name + ":" + message.substr(5)};
  return std::move(status).WithContext(name);
}

std::vector<RenderedSegment> ToSegments(const jinja::MarkedString& text) {
  std::vector<RenderedSegment> segments;
  std::size_t at = 0;
  const auto put = [&](std::size_t end, bool is_template) {
    if (end > at) segments.push_back({text.text().substr(at, end - at), is_template});
    at = end;
  };
  for (const jinja::MarkedString::Span& span : text.user_spans()) {
    put(span.begin, true);
    put(span.end, false);
  }
  put(text.size(), true);
  return segments;
}

void CollectBranches(const jinja::Body& body, std::vector<JinjaTemplate::Branch>& out) {
  for (const std::unique_ptr<jinja::Stmt>& stmt : body) {
    for (std::size_t i = 0; stmt->kind == jinja::StmtKind::kIf && i < stmt->exprs.size(); ++i)
      out.push_back({stmt.get(), i, stmt->exprs[i]->line});
    for (const jinja::Body& inner : stmt->bodies) CollectBranches(inner, out);
    if (stmt->macro != nullptr) CollectBranches(stmt->macro->body, out);
  }
}

}  // namespace

struct JinjaTemplate::Tree {
  jinja::Body body;
};

Result<JinjaTemplate> JinjaTemplate::Parse(std::string_view text, std::string_view name) {
  if (text.size() > kMaxTemplateBytes) {
    return ResourceExhaustedError(std::string(name) + ": a template of " +
                                  std::to_string(text.size()) + " bytes, the limit is " +
                                  std::to_string(kMaxTemplateBytes));
  }
  Result<jinja::Body> body = jinja::ParseTemplate(text, {});
  if (!body.ok()) return Located(std::string(name), std::move(body).status());
  JinjaTemplate parsed;
  parsed.name_ = std::string(name);
  parsed.tree_ = std::make_shared<const Tree>(Tree{std::move(body).value()});
  return parsed;
}

Result<std::string> JinjaTemplate::Render(const nlohmann::ordered_json& context,
                                          const RenderLimits& limits) const {
  RenderOptions options;
  options.limits = limits;
  ZB_ASSIGN_OR_RETURN(const std::vector<RenderedSegment> segments,
                      RenderSegments(context, options));
  return JoinSegments(segments);
}

Result<std::vector<RenderedSegment>> JinjaTemplate::RenderSegments(
    const nlohmann::ordered_json& context, const RenderOptions& options) const {
  if (!context.is_object())
    return InvalidArgumentError(name_ + ": the context of a template is a JSON object");
  jinja::Budget budget(options.limits.max_steps);
  jinja::Context call_context{options, budget};
  jinja::Scope globals(nullptr);
  for (const auto& [key, value] : context.items()) {
    const bool user = std::find(options.user_keys.begin(), options.user_keys.end(), key) !=
                      options.user_keys.end();
    Result<jinja::Value> converted = jinja::FromJson(value, user, budget);
    if (!converted.ok())
      return std::move(converted).status().WithContext(name_ + ": context '" + key + "'");
    globals.variables.emplace_back(key, std::move(converted).value());
  }
  jinja::Interpreter interpreter(call_context);
  for (const JinjaTemplate* shared : options.macros) {
    jinja::MarkedString dropped;
    Status status = interpreter.Run(shared->tree_->body, globals, dropped);
    if (status.ok()) continue;
    const std::string line = std::to_string(std::max(interpreter.error_line(), 1));
    return std::move(status).WithContext(shared->name_ + ":" + line);
  }
  jinja::MarkedString out;
  Status status = interpreter.Run(tree_->body, globals, out);
  if (!status.ok()) {
    const std::string line = std::to_string(std::max(interpreter.error_line(), 1));
    return std::move(status).WithContext(name_ + ":" + line);
  }
  return ToSegments(out);
}

std::vector<std::string> JinjaTemplate::DefinedNames() const {
  std::vector<std::string> names;
  for (const std::unique_ptr<jinja::Stmt>& stmt : tree_->body) {
    if (stmt->macro != nullptr) names.push_back(stmt->macro->name);
    if (stmt->kind == jinja::StmtKind::kSet)
      names.insert(names.end(), stmt->targets.begin(), stmt->targets.end());
  }
  return names;
}

std::vector<JinjaTemplate::Branch> JinjaTemplate::Branches() const {
  std::vector<Branch> branches;
  CollectBranches(tree_->body, branches);
  return branches;
}

std::string JoinSegments(const std::vector<RenderedSegment>& segments) {
  std::string text;
  for (const RenderedSegment& segment : segments) text += segment.text;
  return text;
}

}  // namespace zhibi::text

// SPDX-License-Identifier: Apache-2.0
#include "text/chat_template.h"

#include <array>
#include <utility>

#include "base/status_macros.h"

namespace zhibi::text {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kOwnNames = {"messages", "tools", "documents",
                                                       "add_generation_prompt"};

// The chat_template entry: a text, or a list of {name, template}.
Result<std::string> TemplateText(const json& entry, const std::string& source) {
  if (entry.is_string()) return entry.get<std::string>();
  if (!entry.is_array()) {
    return InvalidArgumentError(source + ": chat_template: expected a string or a list, got " +
                                entry.type_name());
  }
  for (const json& named : entry) {
    const bool well_formed = named.is_object() && named.contains("name") &&
                             named.contains("template") && named["name"].is_string() &&
                             named["template"].is_string();
    if (!well_formed) {
      return InvalidArgumentError(
          source + ": chat_template: expected objects with the strings name and template");
    }
    if (named["name"] == "default") return named["template"].get<std::string>();
  }
  return NotFoundError(source + ": chat_template: none of the named templates is called default");
}

Status CheckMessages(const ordered_json& messages) {
  if (!messages.is_array()) {
    return InvalidArgumentError(std::string("messages: expected a list, got ") +
                                messages.type_name());
  }
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::string place = "messages[" + std::to_string(i) + "]";
    if (!messages[i].is_object()) {
      return InvalidArgumentError(place + ": expected an object, got " + messages[i].type_name());
    }
    if (!messages[i].contains("role") || !messages[i]["role"].is_string()) {
      return InvalidArgumentError(place + ".role: expected a string");
    }
  }
  return OkStatus();
}

}  // namespace

Result<ChatTemplate> ChatTemplate::Parse(std::string_view text, std::string_view name,
                                         const std::map<std::string, std::string>& special_tokens) {
  ZB_ASSIGN_OR_RETURN(JinjaTemplate jinja, JinjaTemplate::Parse(text, name));
  ChatTemplate parsed(std::move(jinja));
  parsed.special_tokens_ = special_tokens;
  return parsed;
}

Result<ChatTemplate> ChatTemplate::FromTokenizerConfig(const json& tokenizer_config,
                                                       std::string_view source,
                                                       std::string_view template_file) {
  const std::string where(source);
  if (!tokenizer_config.is_object()) return InvalidArgumentError(where + ": expected an object");
  std::map<std::string, std::string> tokens;
  for (const auto& [key, value] : tokenizer_config.items()) {
    const bool is_token = key.size() > 6 && key.compare(key.size() - 6, 6, "_token") == 0;
    if (!is_token) continue;
    if (value.is_string()) tokens[key] = value.get<std::string>();
    if (value.is_object() && value.contains("content") && value["content"].is_string()) {
      tokens[key] = value["content"].get<std::string>();
    }
  }
  std::string text(template_file);
  if (text.empty()) {
    if (!tokenizer_config.contains("chat_template") ||
        tokenizer_config["chat_template"].is_null()) {
      return NotFoundError(where + ": there is no chat_template");
    }
    ZB_ASSIGN_OR_RETURN(text, TemplateText(tokenizer_config["chat_template"], where));
  }
  return Parse(text, "chat_template", tokens);
}

Result<std::vector<RenderedSegment>> ChatTemplate::Render(const ordered_json& messages,
                                                          const ChatOptions& options) const {
  ZB_RETURN_IF_ERROR(CheckMessages(messages));
  if (!options.variables.is_object()) return InvalidArgumentError("variables: expected an object");
  ordered_json context = ordered_json::object();
  RenderOptions render;
  render.limits = options.limits;
  render.now = options.now;
  // As transformers does: special tokens first, so that nothing of the request replaces them.
  for (const auto& [name, text] : special_tokens_) context[name] = text;
  for (const auto& [name, value] : options.variables.items()) {
    if (special_tokens_.count(name) > 0)
      return InvalidArgumentError("variables." + name + ": the name is taken");
    for (const std::string_view own : kOwnNames) {
      if (name == own) return InvalidArgumentError("variables." + name + ": the name is taken");
    }
    context[name] = value;
    render.user_keys.push_back(name);
  }
  context["messages"] = messages;
  context["tools"] = options.tools;
  context["documents"] = options.documents;
  context["add_generation_prompt"] = options.add_generation_prompt;
  for (const char* name : {"messages", "tools", "documents"}) render.user_keys.emplace_back(name);
  return jinja_.RenderSegments(context, render);
}

}  // namespace zhibi::text

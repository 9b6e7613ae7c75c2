// SPDX-License-Identifier: Apache-2.0
// ChatTemplate: messages to the text that a model was trained on, with the model's own Jinja
// template. What comes from users (messages, tools, documents, further variables) is kept apart
// from what the template writes: the result is a list of segments, and control tokens may be parsed
// in template segments only. Thread rule: immutable, may render in many threads at once.
#pragma once

#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "text/jinja.h"
#include "zhibi/status.h"

namespace zhibi::text {

struct ChatOptions {
  bool add_generation_prompt = true;
  // A list of tools as the OpenAI API takes them, or null.
  nlohmann::ordered_json tools = nullptr;
  nlohmann::ordered_json documents = nullptr;
  // Further variables, e.g. {"enable_thinking": false}; an object. Names of this header's own
  // variables are refused.
  nlohmann::ordered_json variables = nlohmann::ordered_json::object();
  // The date that templates print; without it strftime_now is an error.
  std::optional<std::tm> now;
  RenderLimits limits;
};

class ChatTemplate {
 public:
  // `special_tokens`: what the template may name, e.g. {"bos_token": "<s>"}.
  static Result<ChatTemplate> Parse(std::string_view text, std::string_view name,
                                    const std::map<std::string, std::string>& special_tokens);

  // tokenizer_config: the content of tokenizer_config.json (chat_template and the *_token entries,
  // strings or
  // {"content": ...}). template_file: the content of chat_template.jinja, which wins when it is not
  // empty. kNotFound: there is no template; kInvalidArgument names the entry. Of several named
  // templates "default" is taken.
  static Result<ChatTemplate> FromTokenizerConfig(const nlohmann::json& tokenizer_config,
                                                  std::string_view source,
                                                  std::string_view template_file = {});

  // `messages`: a list of objects, each with a "role" string. kInvalidArgument names the field
  // ("messages[2].role") or the template's line.
  Result<std::vector<RenderedSegment>> Render(const nlohmann::ordered_json& messages,
                                              const ChatOptions& options) const;

 private:
  explicit ChatTemplate(JinjaTemplate jinja) : jinja_(std::move(jinja)) {}
  JinjaTemplate jinja_;
  std::map<std::string, std::string> special_tokens_;
};

}  // namespace zhibi::text

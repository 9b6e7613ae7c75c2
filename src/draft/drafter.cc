// SPDX-License-Identifier: Apache-2.0
#include "draft/drafter.h"

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "text/jinja_string.h"

namespace zhibi::draft {
namespace {

// Room that a generated clause needs at the very least.
constexpr std::int64_t kLeastRoom = 64;
std::string Named(std::string pattern, const std::string& name) {
  const std::size_t at = pattern.find("{name}");
  if (at != std::string::npos) pattern.replace(at, 6, name);
  return pattern;
}

}  // namespace

double Drafter::Elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

Status Drafter::Emit(EventKind kind, const std::string& clause, const std::string& text,
                     Origin origin) {
  if (kind == EventKind::kDelta) {
    if (text.empty()) return OkStatus();
    if (report_.first_text_s < 0) report_.first_text_s = Elapsed();
    report_.characters += static_cast<std::int64_t>(text::jinja::CountChars(text));
  }
  if (on_event_({kind, clause, text, origin})) return OkStatus();
  return CancelledError("起草已中断 (the draft was cancelled)");
}

Status Drafter::Prepare() {
  ZB_ASSIGN_OR_RETURN(generator_, make_generator_());
  for (const legal::PromptForm& form : plan_.prompts) {
    const bool known = std::all_of(
        form.needs.begin(), form.needs.end(),
        [this](const std::string& token) { return generator_->KnowsControlToken(token); });
    if (!known) continue;
    form_ = &form;
    break;
  }
  if (form_ == nullptr) {
    return FailedPreconditionError(
        "文书类型没有适合此模型的提示 (the document type has no prompt for this model)");
  }
  report_.prompt_form = form_->id;
  legal::Segments head = form_->head;
  if (form_->chat) {
    Result<legal::Segments> chat = generator_->RenderChat(text::JoinSegments(form_->head));
    if (chat.ok()) {
      head = std::move(chat).value();
    } else if (chat.status().code() != StatusCode::kNotFound) {
      return std::move(chat).status();
    }
  }
  ZB_RETURN_IF_ERROR(CheckContext(head));
  return AppendPrompt(head);
}

Status Drafter::CheckContext(const legal::Segments& head) const {
  std::int64_t needed = 0;
  for (const text::RenderedSegment& segment : head) {
    needed += generator_->CountTokens(segment.text, segment.is_template);
  }
  for (const legal::PlannedClause& clause : plan_.clauses) {
    if (!clause.generated) continue;
    needed += generator_->CountTokens(Named(form_->before, clause.name) + form_->after, true) +
              kLeastRoom;
  }
  const std::int64_t there = generator_->context_tokens() - generator_->tokens_used();
  if (needed <= there) return OkStatus();
  std::string longest;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, plan_.longest_fields.size()); ++i) {
    longest += (i == 0 ? "" : "，") + plan_.longest_fields[i].first + "（" +
               std::to_string(plan_.longest_fields[i].second) + " 字）";
  }
  return ResourceExhaustedError(
      "要素太长：需要 " + std::to_string(needed) + " 个词元，模型只有 " + std::to_string(there) +
      " 个；最长的字段：" + longest + " / the elements need " + std::to_string(needed) +
      " tokens, the model has room for " + std::to_string(there) + "; shorten the longest fields");
}

Status Drafter::AppendPrompt(const legal::Segments& segments) {
  const std::int64_t before = generator_->tokens_used();
  for (const text::RenderedSegment& segment : segments) {
    ZB_RETURN_IF_ERROR(generator_->AppendForced(segment.text, segment.is_template));
  }
  report_.prompt_tokens += generator_->tokens_used() - before;
  return OkStatus();
}

Status Drafter::Put(const std::string& clause, const legal::Segments& segments) {
  for (const text::RenderedSegment& segment : segments) {
    const Origin origin = segment.is_template ? Origin::kForced : Origin::kCopied;
    ZB_RETURN_IF_ERROR(Emit(EventKind::kDelta, clause, segment.text, origin));
  }
  return OkStatus();
}

void Drafter::Keep(std::vector<legal::Block> blocks) {
  for (legal::Block& block : blocks) report_.document.blocks.push_back(std::move(block));
}

Status Drafter::Fixed(const legal::PlannedClause& clause) {
  ZB_RETURN_IF_ERROR(Put(clause.id, clause.text));
  Keep(clause.blocks);
  return OkStatus();
}

Status Drafter::WithoutModel(const legal::PlannedClause& clause) {
  if (!clause.fallback.empty()) {
    Keep(clause.fallback_blocks);
    return Put(clause.id, clause.fallback);
  }
  ZB_RETURN_IF_ERROR(Put(clause.id, clause.text));
  ZB_RETURN_IF_ERROR(Gap(clause));
  return Emit(EventKind::kDelta, clause.id, "\n", Origin::kForced);
}

// After the draft: counting takes time that no reader should wait for.
void Drafter::CountTokens() {
  if (generator_ == nullptr) return;
  for (const legal::PlannedClause& clause : plan_.clauses) {
    for (const text::RenderedSegment& segment : clause.text) {
      std::int64_t& count = segment.is_template ? report_.forced_tokens : report_.copied_tokens;
      count += generator_->CountTokens(segment.text, false);
    }
  }
}

Status Drafter::Gap(const legal::PlannedClause& clause) {
  const std::string gap = legal::GapText(clause);
  Keep(legal::TextBlocks(gap, clause.form, legal::RunSource::kSkeleton, 0));
  return Emit(EventKind::kDelta, clause.id, gap, Origin::kGap);
}

Status Drafter::Generated(const legal::PlannedClause& clause, const DrafterOptions& options) {
  if (!make_generator_ || plan_.prompts.empty()) return WithoutModel(clause);
  ZB_RETURN_IF_ERROR(Put(clause.id, clause.text));
  if (generator_ == nullptr) ZB_RETURN_IF_ERROR(Prepare());
  ZB_RETURN_IF_ERROR(AppendPrompt({{Named(form_->before, clause.name), true}}));
  SpanOptions span;
  span.stop = form_->stop;
  span.temperature = options.temperature;
  span.top_p = options.top_p;
  span.seed = options.seed;
  span.max_tokens = std::min<std::int64_t>(
      clause.max_tokens, generator_->context_tokens() - generator_->tokens_used());
  Status receiver = OkStatus();
  bool started = false;
  std::string written;
  const auto on_piece = [&](std::string_view piece) {
    std::string text(piece);
    if (!started) {
      // The paragraph's own indent stands before it already.
      text = text.substr(text::jinja::StripRange(text, "", true, false).begin);
      started = !text.empty();
    }
    if (text.empty()) return true;
    if (report_.first_model_text_s < 0) report_.first_model_text_s = Elapsed();
    written += text;
    receiver = Emit(EventKind::kDelta, clause.id, text, Origin::kDecoded);
    return receiver.ok();
  };
  ZB_ASSIGN_OR_RETURN(const SpanResult result, generator_->Generate(span, on_piece));
  ZB_RETURN_IF_ERROR(receiver);
  report_.decoded_tokens += result.decoded_tokens;
  if (result.decoded_tokens > 1 && result.decode_s > 0) {
    report_.decode_s += result.decode_s;
    report_.timed_tokens += result.decoded_tokens - 1;
  }
  if (!started) {
    ZB_RETURN_IF_ERROR(Gap(clause));
    report_.notes.push_back(clause.title +
                            "：模型没有写出内容，文中留有【待补】 / the model wrote nothing");
  } else if (result.end == SpanEnd::kLength) {
    report_.notes.push_back(
        clause.title + "：写到 " + std::to_string(result.decoded_tokens) +
        " 个词元仍未结束，请补写 / stopped at the limit of tokens, not finished");
  }
  Keep(legal::TextBlocks(written, clause.form, legal::RunSource::kModel, 0));
  ZB_RETURN_IF_ERROR(AppendPrompt({{form_->after, true}}));
  return Emit(EventKind::kDelta, clause.id, "\n", Origin::kForced);
}

Result<Report> Drafter::Run(const DrafterOptions& options, const EventFn& on_event) {
  report_ = Report();
  start_ = options.start;
  on_event_ = on_event;
  generator_ = nullptr;
  form_ = nullptr;
  report_.document = legal::EmptyDocument(plan_);
  for (const legal::PlannedClause& clause : plan_.clauses) {
    ZB_RETURN_IF_ERROR(Emit(EventKind::kClause, clause.id, clause.title, Origin::kForced));
    ZB_RETURN_IF_ERROR(clause.generated ? Generated(clause, options) : Fixed(clause));
  }
  if (report_.first_model_text_s >= 0 && !plan_.ai_label.empty()) {
    ZB_RETURN_IF_ERROR(
        Emit(EventKind::kDelta, "label", "\n" + plan_.ai_label + "\n", Origin::kForced));
  }
  report_.total_s = Elapsed();
  CountTokens();
  ZB_RETURN_IF_ERROR(Emit(EventKind::kDone, "", "", Origin::kForced));
  return report_;
}

}  // namespace zhibi::draft

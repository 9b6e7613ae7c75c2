// SPDX-License-Identifier: Apache-2.0
#include "cli/draft_command.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/check_command.h"
#include "draft/drafter.h"
#include "draft/session_generator.h"
#include "export/docx_writer.h"
#include "export/layout.h"
#include "export/pdf_writer.h"
#include "legal/case.h"
#include "legal/data_dir.h"
#include "legal/date.h"
#include "legal/doctype.h"
#include "legal/document.h"
#include "legal/input_text.h"
#include "rules/checker.h"
#include "statute/local.h"

namespace zhibi::cli {
namespace {

constexpr std::size_t kMaxElementsBytes = std::size_t{4} << 20;
constexpr const char* kShippedModel = "models/zhibi-mini/model.safetensors";

// The model and the sequence that drafting runs on; members are destroyed in reverse order.
struct Model {
  LoadedModel loaded;
  std::optional<text::ChatTemplate> chat;
  std::unique_ptr<draft::SessionGenerator> generator;
};

// A sequence of its own for the next document.
Status StartSequence(Model& model) {
  model.generator.reset();
  ZB_ASSIGN_OR_RETURN(
      model.generator,
      draft::SessionGenerator::Create(*model.loaded.engine, *model.loaded.tokenizer, model.chat));
  return OkStatus();
}

Result<std::unique_ptr<Model>> OpenGenerator(const ModelOptions& options) {
  auto model = std::make_unique<Model>();
  ZB_ASSIGN_OR_RETURN(model->loaded, LoadModel(options));
  if (model->loaded.tokenizer == nullptr) {
    return InvalidArgumentError(options.model +
                                ": has no tokenizer.json: expected one beside the weights");
  }
  if (!model->loaded.tokenizer_config.empty() || !model->loaded.chat_template.empty()) {
    const std::string source = options.model + ": tokenizer_config.json";
    const std::string& config = model->loaded.tokenizer_config;
    ZB_ASSIGN_OR_RETURN(const nlohmann::json json,
                        base::ParseJson(config.empty() ? "{}" : config, source));
    Result<text::ChatTemplate> found =
        text::ChatTemplate::FromTokenizerConfig(json, source, model->loaded.chat_template);
    if (found.ok()) {
      model->chat = std::move(found).value();
    } else if (found.status().code() != StatusCode::kNotFound) {
      return std::move(found).status();
    }
  }
  ZB_RETURN_IF_ERROR(StartSequence(*model));
  return model;
}

// Loads beside the reading of the elements and the first fixed clauses.
class ModelThread {
 public:
  explicit ModelThread(ModelOptions options)
      : future_(std::async(std::launch::async,
                           [options = std::move(options)] { return OpenGenerator(options); })) {}

  // The generator of a new document.
  Result<draft::SpanGenerator*> Wait() {
    if (model_ == nullptr) {
      ZB_ASSIGN_OR_RETURN(model_, future_.get());
    } else {
      ZB_RETURN_IF_ERROR(StartSequence(*model_));
    }
    return static_cast<draft::SpanGenerator*>(model_->generator.get());
  }

 private:
  std::future<Result<std::unique_ptr<Model>>> future_;
  std::unique_ptr<Model> model_;
};

void Say(const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }

// `what`: "要素" or "案件".
Result<nlohmann::json> ReadInput(const std::string& path, const std::string& what) {
  const std::string source = path == "-" ? "标准输入 (standard input)" : path;
  ZB_ASSIGN_OR_RETURN(std::string bytes, base::ReadFile(path, kMaxElementsBytes));
  ZB_ASSIGN_OR_RETURN(const legal::InputText input, legal::DecodeInput(std::move(bytes), source));
  if (!input.note.empty()) Say("提示：" + source + "：" + input.note);
  Result<nlohmann::json> elements = base::ParseJson(input.utf8, source);
  if (elements.ok()) return elements;
  return std::move(elements).status().WithContext(what + "不是规范的 JSON (not valid JSON)");
}

// Standard output and, when asked for, a file that appears only when the draft is whole.
class Output {
 public:
  Status Open(const std::string& path) {
    if (path.empty()) return OkStatus();
    ZB_ASSIGN_OR_RETURN(file_, base::AtomicFileWriter::Create(path));
    return OkStatus();
  }
  bool Put(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() ||
        std::fflush(stdout) != 0) {
      status_ = UnavailableError("标准输出已关闭 (standard output was closed)");
    }
    if (status_.ok() && file_) status_ = file_->Write(text);
    return status_.ok();
  }
  const Status& status() const { return status_; }
  Status Commit() { return file_ ? file_->Commit() : OkStatus(); }

 private:
  std::optional<base::AtomicFileWriter> file_;
  Status status_;
};

std::string Number(double value, const char* format) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), format, value);
  return buffer;
}

void SayReport(const draft::Report& report, bool has_model) {
  const std::string first = Number(report.first_text_s * 1e3, "%.1f");
  const std::string total = Number(report.total_s * 1e3, "%.1f");
  if (!has_model || report.first_model_text_s < 0) {
    Say("首字 " + first + " 毫秒，全文 " + total + " 毫秒，" + std::to_string(report.characters) +
        " 字；没有模型撰写的内容");
    Say("first text " + first + " ms, total " + total + " ms, " +
        std::to_string(report.characters) + " characters, nothing written by a model");
    return;
  }
  const std::string model = Number(report.first_model_text_s * 1e3, "%.1f");
  const std::string rate =
      Number(report.decode_s > 0 ? static_cast<double>(report.timed_tokens) / report.decode_s : 0.0,
             "%.1f");
  const std::string forced = std::to_string(report.forced_tokens);
  const std::string copied = std::to_string(report.copied_tokens);
  const std::string decoded = std::to_string(report.decoded_tokens);
  const std::string prompt = std::to_string(report.prompt_tokens);
  Say("首字 " + first + " 毫秒，模型首字 " + model + " 毫秒，全文 " + total + " 毫秒；解码 " +
      rate + " 词元/秒；固定 " + forced + "、照录 " + copied + "、解码 " + decoded +
      " 词元，提示 " + prompt + " 词元");
  Say("first text " + first + " ms, first model-written text " + model + " ms, total " + total +
      " ms, " + rate + " decoded tokens/s, tokens: " + forced + " forced, " + copied + " copied, " +
      decoded + " decoded, " + prompt + " prompt");
}

void SayNotes(const legal::DraftPlan& plan, const draft::Report& report) {
  if (!plan.missing.empty()) {
    Say("待填（" + std::to_string(plan.missing.size()) + " 项）/ still missing:");
    for (std::size_t i = 0; i < plan.missing.size(); ++i) {
      Say("  " + std::to_string(i + 1) + ". " + plan.missing[i].field + "（" +
          plan.missing[i].path + "）");
    }
  }
  if (!plan.warnings.empty()) {
    Say("提示（" + std::to_string(plan.warnings.size()) + " 处）/ warnings:\n" +
        legal::FormatViolations(plan.warnings));
  }
  for (const std::string& note : report.notes) Say("提示：" + note);
  for (const std::string& source : plan.sources) Say("法律依据：" + source);
}

// A document that is ready to be drafted.
struct Job {
  legal::Doctype doctype;
  legal::DraftPlan plan;
};

// What the elements of a type come from.
struct Input {
  nlohmann::json case_data;  // null: none
  nlohmann::json elements;   // null: none
};

Result<Input> ReadInputs(const DraftOptions& options, const std::string& data_dir) {
  Input input;
  if (options.elements.empty() && options.case_file.empty())
    return InvalidArgumentError("须给出 --elements 或 --case (expected --elements or --case)");
  if (!options.elements.empty()) {
    ZB_ASSIGN_OR_RETURN(input.elements, ReadInput(options.elements, "要素"));
  }
  if (options.case_file.empty()) return input;
  ZB_ASSIGN_OR_RETURN(nlohmann::json case_data, ReadInput(options.case_file, "案件"));
  ZB_ASSIGN_OR_RETURN(const legal::CaseSchema schema, legal::CaseSchema::Load(data_dir));
  legal::CaseResult read = schema.Read(std::move(case_data));
  if (!read.errors.empty()) {
    return InvalidArgumentError("案件有 " + std::to_string(read.errors.size()) + " 处需要改正 / " +
                                std::to_string(read.errors.size()) + " problems in the case:\n" +
                                legal::FormatViolations(read.errors));
  }
  input.case_data = std::move(read.data);
  return input;
}

Result<nlohmann::json> ElementsOf(const legal::Doctype& doctype, const Input& input,
                                  const legal::Date& today) {
  if (input.case_data.is_null()) return input.elements;
  ZB_ASSIGN_OR_RETURN(nlohmann::json elements, doctype.ElementsFromCase(input.case_data, today));
  if (!input.elements.is_null()) elements.merge_patch(input.elements);
  return elements;
}

// Plans every document before the first is drafted, so that nothing half done comes of a mistake.
Result<std::vector<Job>> PlanJobs(const std::vector<legal::Doctype>& doctypes, const Input& input,
                                  bool allow_missing) {
  std::vector<Job> jobs;
  std::string problems;
  std::size_t count = 0;
  const legal::Date today = legal::TodayInChina();
  legal::PlanOptions plan_options;
  plan_options.allow_missing = allow_missing;
  for (const legal::Doctype& doctype : doctypes) {
    ZB_ASSIGN_OR_RETURN(nlohmann::json elements, ElementsOf(doctype, input, today));
    ZB_ASSIGN_OR_RETURN(legal::PlanResult planned,
                        doctype.Plan(std::move(elements), today, plan_options));
    if (!planned.errors.empty()) {
      count += planned.errors.size();
      if (doctypes.size() > 1) problems += doctype.title() + "（" + doctype.id() + "）:\n";
      problems += legal::FormatViolations(planned.errors);
    }
    jobs.push_back({doctype, std::move(planned.plan)});
  }
  if (count == 0) return jobs;
  return InvalidArgumentError("要素有 " + std::to_string(count) + " 处需要改正 / " +
                              std::to_string(count) + " problems in the elements:\n" + problems);
}

// Where the files of the documents go.
struct Places {
  bool folder = false;

  std::string Text(const DraftOptions& options, const Job& job) const {
    return folder ? InFolder(options, job, ".txt") : options.out;
  }
  std::string Document(const DraftOptions& options, const Job& job) const {
    return folder ? InFolder(options, job, ".json") : options.document;
  }
  static std::string InFolder(const DraftOptions& options, const Job& job, const char* extension) {
    return (std::filesystem::path(options.out) / (job.doctype.id() + extension)).string();
  }
  // Beside the text; empty when no file was asked for.
  std::string Beside(const DraftOptions& options, const Job& job, const char* extension) const {
    const std::string text = Text(options, job);
    if (text.empty()) return {};
    return std::filesystem::path(text).replace_extension(extension).string();
  }
};

Result<Places> FindPlaces(const DraftOptions& options, std::size_t count) {
  Places places;
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(options.out, error) ||
                         (!options.out.empty() && options.out.back() == '/');
  places.folder = !options.out.empty() && (count > 1 || is_folder);
  if (count > 1 && !options.document.empty())
    return InvalidArgumentError(
        "--document 只用于一份文书，多份请用 --out 文件夹 (takes one document; use --out FOLDER)");
  if (options.pdf && options.out.empty())
    return InvalidArgumentError("--pdf 须与 --out 同用 (--pdf needs --out)");
  if (!places.folder) return places;
  std::filesystem::create_directories(options.out, error);
  if (error)
    return UnavailableError("不能建立文件夹 (can't make the folder) " + options.out + ": " +
                            error.message());
  return places;
}

// What finishing needs; the rules are loaded when the first document is there, not before its first
// words.
struct AfterDraft {
  std::string data_dir;
  std::optional<rules::Checker> checker;
};

Status WritePdfFile(const legal::Document& document, const exporting::Layout& layout,
                    const DraftOptions& options, const std::string& path) {
  ZB_ASSIGN_OR_RETURN(const exporting::PdfFile pdf,
                      exporting::WritePdf(document, layout, {.fonts_dir = options.fonts}));
  for (const std::string& note : pdf.notes) Say("提示：" + note);
  return base::WriteFileAtomic(path, pdf.bytes);
}

// The files beside the text, then what the rules say about it.
Status Finish(const Job& job, const legal::Document& document, const DraftOptions& options,
              const Places& places, AfterDraft& after) {
  std::string written = places.Text(options, job);
  const auto also = [&written](const std::string& path) {
    written += (written.empty() ? "" : "、") + path;
  };
  if (const std::string path = places.Document(options, job); !path.empty()) {
    ZB_RETURN_IF_ERROR(base::WriteFileAtomic(path, legal::ToJson(document).dump(1) + "\n"));
    also(path);
  }
  Status pdf_status;
  if (const std::string path = places.Beside(options, job, ".docx"); !path.empty()) {
    ZB_ASSIGN_OR_RETURN(const exporting::Layout layout,
                        exporting::LayoutOf(after.data_dir, document));
    ZB_ASSIGN_OR_RETURN(const std::string docx, exporting::WriteDocx(document, layout));
    ZB_RETURN_IF_ERROR(base::WriteFileAtomic(path, docx));
    also(path);
    if (options.pdf) {
      const std::string pdf = places.Beside(options, job, ".pdf");
      pdf_status = WritePdfFile(document, layout, options, pdf);
      if (pdf_status.ok()) also(pdf);
    }
  }
  if (!after.checker) {
    ZB_ASSIGN_OR_RETURN(after.checker, rules::Checker::Load(after.data_dir, statute::LocalDir()));
  }
  rules::CheckOptions checking;
  checking.doctype = job.doctype.id();
  checking.today = legal::TodayInChina();
  checking.document = &document;
  const std::string text = legal::PlainText(document);
  ZB_ASSIGN_OR_RETURN(const rules::Report report, after.checker->Check(text, checking));
  Say("校对 / check:\n" + FormatReport(text, report));
  if (!written.empty()) Say("已写入 / written: " + written);
  // Said last: the draft and its report are there without fonts, too.
  return pdf_status;
}

// Drafts one document to the terminal and its files.
Status DraftOne(const Job& job, const DraftOptions& options, const Places& places,
                const draft::GeneratorFn& generator, AfterDraft& after) {
  draft::DrafterOptions drafting;
  drafting.temperature = options.temperature;
  drafting.seed = options.seed;
  Output output;
  ZB_RETURN_IF_ERROR(output.Open(places.Text(options, job)));
  draft::Drafter drafter(job.plan, generator);
  const Result<draft::Report> report = drafter.Run(drafting, [&output](const draft::Event& event) {
    if (base::Interrupted()) return false;
    return event.kind != draft::EventKind::kDelta || output.Put(event.text);
  });
  if (!output.status().ok()) return output.status();
  if (!report.ok()) {
    std::printf("\n");
    return report.status();
  }
  if (base::Interrupted()) return CancelledError("已中断 (interrupted)");
  ZB_RETURN_IF_ERROR(output.Commit());
  SayNotes(job.plan, *report);
  SayReport(*report, generator != nullptr);
  return Finish(job, report->document, options, places, after);
}

}  // namespace

Status RunDraft(const DraftOptions& options) {
  ModelOptions model_options = options.model;
  bool has_model = !options.no_ai;
  if (has_model && model_options.model.empty()) {
    model_options.model = legal::FindShipped(kShippedModel);
    has_model = !model_options.model.empty();
    if (!has_model)
      Say("提示：没有找到随附的模型，只输出骨架 / the shipped model was not found, skeleton only");
  }
  ZB_ASSIGN_OR_RETURN(const std::string data_dir, legal::FindDataDir());
  std::vector<std::string> ids = options.doctypes;
  if (ids.empty()) ids.emplace_back("civil-complaint");
  std::vector<legal::Doctype> doctypes;
  for (const std::string& id : ids) {
    ZB_ASSIGN_OR_RETURN(legal::Doctype doctype, legal::Doctype::Load(data_dir, id));
    doctypes.push_back(std::move(doctype));
  }
  std::optional<ModelThread> model;
  if (has_model) model.emplace(model_options);
  ZB_ASSIGN_OR_RETURN(const Input input, ReadInputs(options, data_dir));
  ZB_ASSIGN_OR_RETURN(const std::vector<Job> jobs,
                      PlanJobs(doctypes, input, options.allow_missing));
  ZB_ASSIGN_OR_RETURN(const Places places, FindPlaces(options, jobs.size()));
  draft::GeneratorFn generator;
  if (model) generator = [&model] { return model->Wait(); };
  AfterDraft after{.data_dir = data_dir, .checker = std::nullopt};
  for (const Job& job : jobs) {
    if (jobs.size() > 1) std::printf("==== %s ====\n", job.doctype.title().c_str());
    ZB_RETURN_IF_ERROR(DraftOne(job, options, places, generator, after));
  }
  return OkStatus();
}

}  // namespace zhibi::cli

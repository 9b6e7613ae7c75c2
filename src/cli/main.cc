// SPDX-License-Identifier: Apache-2.0
// The program: reads the command line and calls one command. The only file with CLI11. Errors go to
// standard error as one message; exit codes are in cli/exit_code.h.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/interrupt.h"
#include "base/log.h"
#include "base/machine.h"
#include "cli/bench_command.h"
#include "cli/build_command.h"
#include "cli/cache_command.h"
#include "cli/check_command.h"
#include "cli/doctor_command.h"
#include "cli/doctypes_command.h"
#include "cli/draft_command.h"
#include "cli/exit_code.h"
#include "cli/export_command.h"
#include "cli/extract_command.h"
#include "cli/generate_command.h"
#include "cli/import_command.h"
#include "cli/inspect_command.h"
#include "cli/logits_command.h"
#include "cli/redact_command.h"
#include "cli/statutes_command.h"
#include "cli/tokenize_command.h"
#include "zhibi/status.h"
#include "zhibi/version.h"

namespace zhibi::cli {
namespace {

int Report(const Status& status) {
  if (!status.ok()) std::fprintf(stderr, "zhibi: %s\n", status.message().c_str());
  return ExitCodeFor(status);
}

// A size as people write it: 2G, 512M, 1073741824.
void AddBytes(CLI::App& app, const std::string& name, std::int64_t& bytes,
              const std::string& help) {
  app.add_option_function<std::string>(
      name,
      [&bytes, name](const std::string& text) {
        const Result<std::int64_t> parsed = base::ParseByteSize(text);
        if (!parsed.ok()) throw CLI::ValidationError(name, parsed.status().message());
        bytes = *parsed;
      },
      help);
}

void AddModelFlags(CLI::App& app, ModelOptions& options, bool required) {
  app.add_option("--model", options.model,
                 "engine file, Hugging Face folder, or .safetensors file in such a folder")
      ->required(required);
  app.add_option("--precision", options.precision,
                 "fp32, fp16, bf16, int8 or int4; default: as stored, else bf16");
  app.add_option("--backend", options.backend, "cpu or reference")->capture_default_str();
  app.add_option("--threads", options.threads, "0: what cgroup and cpuset leave")
      ->capture_default_str();
  AddBytes(app, "--memory-limit", options.memory_limit,
           "for a build, such as 2G; 0: what cgroup and MemAvailable leave");
}

void AddSamplingFlags(CLI::App& app, runtime::SamplingOptions& sampling) {
  app.add_option("--temperature", sampling.temperature, "0: greedy")->capture_default_str();
  app.add_option("--top-k", sampling.top_k, "0: off")->capture_default_str();
  app.add_option("--top-p", sampling.top_p)->capture_default_str();
  app.add_option("--min-p", sampling.min_p)->capture_default_str();
  app.add_option("--repetition-penalty", sampling.repetition_penalty)->capture_default_str();
  app.add_option("--presence-penalty", sampling.presence_penalty)->capture_default_str();
  app.add_option("--frequency-penalty", sampling.frequency_penalty)->capture_default_str();
  app.add_option("--seed", sampling.seed)->capture_default_str();
}

// One object holds the options of all commands: CLI11 keeps pointers into it.
struct AllOptions {
  DoctorOptions doctor;
  TokenizeOptions tokenize;
  GenerateOptions generate;
  LogitsOptions logits;
  ExtractOptions extract;
  RedactOptions redact;
  CheckCommandOptions check;
  BenchOptions bench;
  BuildOptions build;
  InspectOptions inspect;
  CacheListOptions cache_list;
  CachePruneOptions cache_prune;
  DraftOptions draft;
  ExportOptions export_file;
  ImportOptions import_file;
  DoctypesOptions doctypes;
  StatutesOptions statutes;
  bool limits_json = false;
  bool limits_quick = false;
};

using Run = std::function<int()>;

void AddDoctor(CLI::App& app, AllOptions& all, Run& run) {
  CLI::App* command =
      app.add_subcommand("doctor", "what the program sees of this machine and of its own files");
  command->add_flag("--json", all.doctor.json);
  command->callback([&] { run = [&all] { return RunDoctor(all.doctor); }; });
}

void AddTokenize(CLI::App& app, AllOptions& all, Run& run) {
  CLI::App* command =
      app.add_subcommand("tokenize", "token ids of a text or of a JSON list of texts");
  command->add_option("--model", all.tokenize.model, "engine file or folder")->required();
  CLI::Option* text = command->add_option("--text", all.tokenize.text);
  CLI::Option* file = command->add_option("--file", all.tokenize.file,
                                          "JSON list of strings; - reads standard input");
  text->excludes(file);
  command->add_flag("--json", all.tokenize.json);
  command->add_flag("--parse-special", all.tokenize.parse_special,
                    "control tokens in the text count");
  command->add_flag("--add-special", all.tokenize.add_special_tokens,
                    "add what the model puts around a text");
  command->callback([&all, &run, text, file] {
    if (text->count() + file->count() == 0) throw CLI::RequiredError("--text or --file");
    run = [&all] { return Report(RunTokenize(all.tokenize)); };
  });
}

void AddGenerate(CLI::App& app, AllOptions& all, Run& run) {
  GenerateOptions& options = all.generate;
  CLI::App* command = app.add_subcommand("generate", "text from a prompt or a chat");
  AddModelFlags(*command, options.model, true);
  CLI::Option* prompt = command->add_option("--prompt", options.prompt);
  CLI::Option* chat =
      command->add_option("--chat", options.chat, "JSON list of messages; - reads standard input");
  prompt->excludes(chat);
  command->add_option("--max-tokens", options.max_tokens)->capture_default_str();
  AddSamplingFlags(*command, options.sampling);
  command->add_option("--stop", options.stops, "stop string; may be given several times")
      ->allow_extra_args(false);
  command->add_flag("--ignore-eos", options.ignore_eos);
  command->add_flag("--json", options.json);
  command->callback([&all, &run, prompt, chat] {
    if (prompt->count() + chat->count() == 0) throw CLI::RequiredError("--prompt or --chat");
    run = [&all] { return Report(RunGenerate(all.generate)); };
  });
}

void AddLogits(CLI::App& app, AllOptions& all, Run& run) {
  CLI::App* command =
      app.add_subcommand("logits", "raw logits and greedy continuations as .npy files");
  AddModelFlags(*command, all.logits.model, true);
  command->add_option("--ids", all.logits.ids, "JSON list of token-id lists")->required();
  command->add_option("--out", all.logits.out, "folder for logits<i>.npy and greedy<i>.npy")
      ->required();
  command->add_option("--greedy", all.logits.greedy, "tokens to continue with, past end tokens")
      ->capture_default_str();
  command->callback([&] { run = [&all] { return Report(RunLogits(all.logits)); }; });
}

void AddBench(CLI::App& app, AllOptions& all, Run& run) {
  BenchOptions& options = all.bench;
  CLI::App* command = app.add_subcommand("bench", "speed beside the machine's own limits");
  AddModelFlags(*command, options.model, false);
  command->add_option("--shape", options.shape, "30m, 135m or 0.5b with random weights");
  command->add_option("--prompt-tokens", options.prompt_tokens)->capture_default_str();
  command->add_option("--gen-tokens", options.gen_tokens)->capture_default_str();
  command->add_option("--depth", options.depth, "cached tokens before the timed part")
      ->capture_default_str();
  command->add_option("--streams", options.streams)->capture_default_str();
  command->add_option("--warmup", options.warmup_ms, "ms")->capture_default_str();
  command->add_option("--duration", options.duration_ms, "ms of each timed part")
      ->capture_default_str();
  command->add_option("--percentile", options.percentiles, "may be given several times")
      ->allow_extra_args(false);
  command->add_flag("--json", options.json);
  CLI::App* limits =
      command->add_subcommand("limits", "read bandwidth and matrix peaks of this machine");
  limits->add_flag("--json", all.limits_json);
  limits->add_flag("--quick", all.limits_quick, "under a second, rougher");
  command->require_subcommand(0, 1);
  limits->callback([&] {
    run = [&all] {
      return Report(RunBenchLimits(all.limits_json || all.bench.json, all.limits_quick,
                                   all.bench.model.threads));
    };
  });
  command->callback([&all, &run, limits] {
    if (limits->parsed()) return;
    if (all.bench.shape.empty() == all.bench.model.model.empty())
      throw CLI::RequiredError("--model or --shape");
    run = [&all] { return Report(RunBench(all.bench)); };
  });
}

void AddBuild(CLI::App& app, AllOptions& all, Run& run) {
  BuildOptions& options = all.build;
  CLI::App* command = app.add_subcommand("build", "an engine file from a checkpoint");
  AddModelFlags(*command, options.model, true);
  command->add_option("--out", options.out, "FILE.engine")->required();
  AddBytes(*command, "--workspace-limit", options.workspace_limit,
           "such as 512M; 0: a quarter of the memory limit");
  command->add_option("--max-tokens-step", options.model.limits.max_tokens, "rows of one step")
      ->capture_default_str();
  command->add_option("--max-seqs", options.model.limits.max_seqs, "sequences at once")
      ->capture_default_str();
  command->add_option("--max-context", options.model.limits.max_context, "0: the model's own")
      ->capture_default_str();
  command->add_flag("--explain", options.explain, "every pass's effect, launches before and after");
  command->callback([&] { run = [&all] { return Report(RunBuild(all.build)); }; });
}

void AddInspect(CLI::App& app, AllOptions& all, Run& run) {
  InspectOptions& options = all.inspect;
  CLI::App* command =
      app.add_subcommand("inspect", "explains an engine file, or the differences of two");
  command->add_option("file", options.file, "FILE.engine")->required();
  command->add_option("other", options.other, "a second engine: print the differences");
  command->add_option("--backend", options.backend, "the device that this machine means")
      ->capture_default_str();
  command->add_flag("--json", options.json);
  command->add_flag("--verify", options.verify, "read all weights and compare their checksum");
  command->add_flag("--ops", options.ops, "every op with its kernels and the memory map");
  command->callback([&] { run = [&all] { return Report(RunInspect(all.inspect)); }; });
}

void AddCache(CLI::App& app, AllOptions& all, Run& run) {
  CLI::App* command = app.add_subcommand("cache", "built engines that are kept");
  command->require_subcommand(1);
  CLI::App* list = command->add_subcommand("list", "what the cache holds");
  list->add_flag("--json", all.cache_list.json);
  list->callback([&] { run = [&all] { return Report(RunCacheList(all.cache_list)); }; });
  CLI::App* prune =
      command->add_subcommand("prune", "removes unusable entries and the longest unused ones");
  AddBytes(*prune, "--max-bytes", all.cache_prune.max_bytes,
           "what may stay, such as 2G; 0: nothing");
  prune->callback([&] { run = [&all] { return Report(RunCachePrune(all.cache_prune)); }; });
}

void AddExport(CLI::App& app, AllOptions& all, Run& run) {
  ExportOptions& options = all.export_file;
  CLI::App* command =
      app.add_subcommand("export", "导出文书: a document as DOCX, PDF, Markdown or text");
  command->add_option("file", options.file, "文书 JSON、文本或 DOCX: document JSON, text or DOCX")
      ->required();
  command->add_option("--format", options.format,
                      "格式: docx, pdf, md or txt; default: by the name of --out, else docx");
  command->add_option("--layout", options.layout,
                      "版式: court, official, lawfirm or form; default: the document's own");
  command->add_option("--fonts", options.fonts,
                      "PDF 字体文件夹: a folder of fonts besides the installed ones");
  command->add_option("-o,--out", options.out, "写入文件: written whole or not at all")->required();
  command->callback([&] { run = [&all] { return Report(RunExport(all.export_file)); }; });
}

void AddImport(CLI::App& app, AllOptions& all, Run& run) {
  ImportOptions& options = all.import_file;
  CLI::App* command =
      app.add_subcommand("import", "读回改过的 DOCX: what became of an exported draft in Word");
  command->add_option("file", options.file, "改过的 DOCX: the edited file")->required();
  command->add_option("--document", options.document,
                      "导出前的文书 JSON: the draft that was exported");
  command->add_option("-o,--out", options.out, "新的文书 JSON: the document with the edits");
  command->add_flag("--reject-changes", options.reject_tracked,
                    "不接受修订: tracked changes are refused instead of taken");
  command->add_flag("--json", options.json);
  command->callback([&] { run = [&all] { return Report(RunImport(all.import_file)); }; });
}

void AddDraft(CLI::App& app, AllOptions& all, Run& run) {
  DraftOptions& options = all.draft;
  CLI::App* command = app.add_subcommand("draft", "起草文书: a legal document from case elements");
  command->add_option(
      "--doctype", options.doctypes,
      "文书类型，可给多个: document type, may be repeated; civil-complaint if left out");
  command->add_option("--elements", options.elements,
                      "要素 JSON: elements of the document; - reads standard input");
  command->add_option("--case", options.case_file,
                      "案件 JSON，一案可出多份文书: a case that gives a set of documents");
  command->add_option("--out", options.out,
                      "写入文件或文件夹: file or folder, written whole or not at all");
  command->add_option("--document", options.document,
                      "写入文书模型 JSON: the draft with its sources, for check and export");
  command->add_flag("--pdf", options.pdf, "另写 PDF: a PDF beside the text, with --out");
  command->add_option("--fonts", options.fonts,
                      "PDF 字体文件夹: a folder of fonts besides the installed ones");
  command->add_flag("--allow-missing", options.allow_missing,
                    "必填未知的印作【待填】并列出: missing required fields are marked and listed");
  AddModelFlags(*command, options.model, false);
  command->add_flag("--no-ai", options.no_ai, "不用模型: skeleton only");
  command->add_option("--seed", options.seed)->capture_default_str();
  command->add_option("--temperature", options.temperature, "0: greedy")->capture_default_str();
  command->callback([&] { run = [&all] { return Report(RunDraft(all.draft)); }; });
}

void AddDoctypes(CLI::App& app, AllOptions& all, Run& run) {
  DoctypesOptions& options = all.doctypes;
  CLI::App* command =
      app.add_subcommand("doctypes", "文书类型: document types, their elements and cases");
  command->require_subcommand(1);
  CLI::App* list = command->add_subcommand("list", "现有的类型: the types that are installed");
  list->add_flag("--json", options.json);
  list->callback([&] { run = [&all] { return Report(RunDoctypesList(all.doctypes)); }; });
  CLI::App* show = command->add_subcommand("show", "一种类型的要素: the elements of a type");
  show->add_option("id", options.id, "类型编号: id of the type")->required();
  show->add_flag("--json", options.json);
  show->callback([&] { run = [&all] { return Report(RunDoctypesShow(all.doctypes)); }; });
  CLI::App* blank = command->add_subcommand("template", "空白要素表: a blank form of the elements");
  blank->add_option("id", options.id, "类型编号: id of the type")->required();
  blank->add_option("--format", options.format,
                    "json、csv 或 xlsx: default as the file ends, else json");
  blank->add_option("-o,--out", options.out, "写入文件: a file instead of standard output");
  blank->callback([&] { run = [&all] { return Report(RunDoctypesTemplate(all.doctypes)); }; });
  CLI::App* validate = command->add_subcommand(
      "validate", "核对类型和案例: loads types, runs their cases, prints the coverage");
  validate->add_option("id", options.id, "编号或文件夹，省略则全部: id or folder; all if left out");
  validate->add_flag("--gaps", options.gaps, "列出未覆盖的: lists what was not taken both ways");
  validate->callback([&] { run = [&all] { return Report(RunDoctypesValidate(all.doctypes)); }; });
}

void AddExtract(CLI::App& app, AllOptions& all, Run& run) {
  ExtractOptions& options = all.extract;
  CLI::App* command =
      app.add_subcommand("extract", "提取要素: elements of a case from a text or a table");
  command
      ->add_option("file", options.file,
                   "文本、DOCX，或填好的 CSV、XLSX 要素表; - reads standard input")
      ->required();
  command->add_option("--doctype", options.doctype, "文书类型: whose elements are wanted");
  command->add_flag("--json", options.json, "JSON，含位置: everything, with places");
  command->add_option("--out", options.out, "要素 JSON 写入文件: elements for draft --elements");
  command->callback([&] { run = [&all] { return Report(RunExtract(all.extract)); }; });
}

void AddRedact(CLI::App& app, AllOptions& all, Run& run) {
  RedactOptions& options = all.redact;
  CLI::App* command = app.add_subcommand("redact", "脱敏: a text for publication");
  command->add_option("file", options.file, "文本或 DOCX; - reads standard input")->required();
  command
      ->add_option("--publish", options.level,
                   "P0 正本, P1 上网（2016 规定）, P2 上网（2024 口径）, P3 样例")
      ->capture_default_str();
  command->add_option("--elements", options.elements, "案件要素 JSON: names known beforehand");
  CLI::Option* map = command->add_option("--map", options.map, "映射写入文件（仅本人可读）");
  command->add_option("--restore", options.restore, "用映射还原: gives the original back")
      ->excludes(map);
  command->add_option("--out", options.out, "写入文件: written whole or not at all");
  command->callback([&] { run = [&all] { return Report(RunRedact(all.redact)); }; });
}

void AddCheck(CLI::App& app, AllOptions& all, Run& run) {
  CheckCommandOptions& options = all.check;
  CLI::App* command = app.add_subcommand("check", "校对: rules over a document; exit 1 on errors");
  command->add_option("file", options.files, "文本或 DOCX，可以多个; - reads standard input")
      ->required();
  command->add_option("--doctype", options.doctype, "文书类型: told from the text if left out");
  command->add_option("--elements", options.elements, "案件要素 JSON: elements of the case");
  command->add_option("--date", options.date, "YYYY-MM-DD: the day that decides what is in force");
  command->add_option("--publish", options.publish,
                      "P0 正本, P1 上网（2016 规定）, P2 上网（2024 口径）, P3 样例");
  command->add_flag("--json", options.json);
  command->callback([&] {
    run = [&all] {
      bool has_error = false;
      const int code = Report(RunCheck(all.check, &has_error));
      return code == kExitOk && has_error ? kExitFailed : code;
    };
  });
}

void AddStatutesTexts(CLI::App& group, AllOptions& all, Run& run) {
  StatutesOptions& options = all.statutes;
  CLI::App* import =
      group.add_subcommand("import", "装入法规文本: texts of statutes, for quotations and show");
  import->add_option("file", options.files, "文本、Markdown 或 JSON 行; - reads standard input")
      ->required();
  CLI::App* add = group.add_subcommand(
      "add", "加入自己的法规: a local or newer statute; its text, or rows as JSON");
  add->add_option("file", options.file, "文本、Markdown，或法规表 .json")->required();
  add->add_option("--kind", options.kind, "位阶，如 地方性法规: kind, if the name is a new one");
  add->add_option("--adopted-by", options.adopted_by, "制定机关: who adopted it");
  add->add_option("--number", options.number, "文号: document number");
  for (CLI::App* command : {import, add}) {
    command->add_option("--name", options.name, "全称: instead of the first line");
    command->add_option("--published", options.published, "YYYY-MM-DD 通过或者公布日");
    command->add_option("--from", options.from, "YYYY-MM-DD 施行日: in force from");
  }
  import->callback([&] { run = [&all] { return Report(RunStatutesImport(all.statutes)); }; });
  add->callback([&] { run = [&all] { return Report(RunStatutesAdd(all.statutes)); }; });
}

void AddStatutes(CLI::App& app, AllOptions& all, Run& run) {
  StatutesOptions& options = all.statutes;
  CLI::App* group = app.add_subcommand("statutes", "法规表: statutes, their versions and texts");
  group->require_subcommand(1);
  AddStatutesTexts(*group, all, run);
  CLI::App* show =
      group->add_subcommand("show", "一部法规: versions and state on a day, an article");
  show->add_option("name", options.name, "名称或者简称")->required();
  show->add_option("article", options.article, "第五百七十七条, 577, 133-1");
  show->add_option("--date", options.date, "YYYY-MM-DD; 默认今天: the day asked for");
  CLI::App* search = group->add_subcommand("search", "按名称查找: names that hold all the words");
  search->add_option("words", options.words)->required();
  search->add_option("--limit", options.limit)->capture_default_str();
  CLI::App* list = group->add_subcommand("list", "已装的文本和本地法规: what is installed");
  for (CLI::App* command : group->get_subcommands([](const CLI::App*) { return true; })) {
    command->add_flag("--json", options.json);
    command->add_option("--dir", options.dir,
                        "用户法规的目录: instead of statutes/ in ZHIBI_USER_DIR");
  }
  show->callback([&] { run = [&all] { return Report(RunStatutesShow(all.statutes)); }; });
  search->callback([&] { run = [&all] { return Report(RunStatutesSearch(all.statutes)); }; });
  list->callback([&] { run = [&all] { return Report(RunStatutesList(all.statutes)); }; });
}

bool Knows(const CLI::App& app, const std::string& command) {
  const std::vector<const CLI::App*> commands =
      app.get_subcommands([](const CLI::App*) { return true; });
  return std::any_of(commands.begin(), commands.end(),
                     [&](const CLI::App* known) { return known->get_name() == command; });
}

int Main(int argc, char** argv) {
  base::InstallInterruptHandler();
  if (const Status status = base::InitLogging(); !status.ok()) return Report(status);
  CLI::App app("zhibi drafts legal documents on a compiled inference engine");
  app.set_version_flag("--version", "zhibi " + std::string(Version()));
  app.require_subcommand(1);
  AllOptions all;
  Run run;
  AddDraft(app, all, run);
  AddExport(app, all, run);
  AddImport(app, all, run);
  AddDoctypes(app, all, run);
  AddExtract(app, all, run);
  AddRedact(app, all, run);
  AddCheck(app, all, run);
  AddStatutes(app, all, run);
  AddGenerate(app, all, run);
  AddBuild(app, all, run);
  AddInspect(app, all, run);
  AddCache(app, all, run);
  AddDoctor(app, all, run);
  AddTokenize(app, all, run);
  AddLogits(app, all, run);
  AddBench(app, all, run);
  if (argc > 1 && argv[1][0] != '-' && !Knows(app, argv[1])) {
    std::fprintf(stderr, "zhibi: there is no command \"%s\"; zhibi --help lists them\n", argv[1]);
    return kExitUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  return run ? run() : kExitUsage;
}

}  // namespace
}  // namespace zhibi::cli

int main(int argc, char** argv) {
  try {
    return zhibi::cli::Main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "zhibi: %s\n", error.what());
  }
  return zhibi::cli::kExitFailed;
}

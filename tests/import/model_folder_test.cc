// SPDX-License-Identifier: Apache-2.0
#include "import/model_folder.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/safetensors_bytes.h"

namespace zhibi::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string Golden(const std::string& name) {
  return std::string(ZHIBI_SOURCE_DIR) + "/tests/golden/models/" + name;
}

TEST(ModelFolderTest, EveryGoldenFolderLoadsAndBuilds) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(Golden(""))) {
    if (!entry.is_directory()) continue;
    const auto model = import::LoadModelFolder(entry.path().string());
    ASSERT_TRUE(model.ok()) << model.status().ToString();
    const auto graphs = import::BuildGraphs(*model, {});
    ASSERT_TRUE(graphs.ok()) << graphs.status().ToString();
    EXPECT_GT(graphs->info.parameters, 10000);
    EXPECT_EQ(model->content_hash.size(), 32U);
    EXPECT_EQ(import::StoresInt8(*model->checkpoint), entry.path().filename() == "llama_int8");
    ++count;
  }
  EXPECT_EQ(count, 13);
}

TEST(ModelFolderTest, EndTokensOfTheGenerationConfigWin) {
  const auto info = [](const char* name) {
    const auto model = import::LoadModelFolder(Golden(name));
    EXPECT_TRUE(model.ok()) << model.status().ToString();
    return import::BuildGraphs(*model, {})->info;
  };
  EXPECT_THAT(info("llama3").eos_ids, ElementsAre(2, 7));
  EXPECT_THAT(info("qwen2").eos_ids, ElementsAre(3, 2));
  EXPECT_THAT(info("llama2").eos_ids, ElementsAre(2));
  EXPECT_EQ(info("llama2").bos_id, 1);
  EXPECT_THAT(info("t5").eos_ids, ElementsAre(1));
}

class CopiedModelTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"config.json", "model.safetensors"}) {
      fs::copy_file(Golden("qwen3_tied") + "/" + name, folder_.File(name));
    }
  }
  Status Load() {
    auto model = import::LoadModelFolder(folder_.path());
    return model.ok() ? OkStatus() : std::move(model).status();
  }
  Status Build() {
    auto model = import::LoadModelFolder(folder_.path());
    if (!model.ok()) return std::move(model).status();
    auto graphs = import::BuildGraphs(*model, {});
    return graphs.ok() ? OkStatus() : std::move(graphs).status();
  }
  TemporaryFolder folder_;
};

TEST_F(CopiedModelTest, OneFileInItsFolderIsAModelToo) {
  const auto model = import::LoadModelFolder(folder_.File("model.safetensors"));
  ASSERT_TRUE(model.ok()) << model.status().ToString();
  EXPECT_EQ(model->folder, folder_.path());
  EXPECT_TRUE(model->tokenizer_json.empty());
  EXPECT_TRUE(import::LooksLikeModelFolder(folder_.path()));
  EXPECT_TRUE(import::LooksLikeModelFolder("x/model.safetensors"));
  EXPECT_FALSE(import::LooksLikeModelFolder(folder_.File("a.engine")));
}

TEST_F(CopiedModelTest, TextFilesAreReadAsTheyAre) {
  folder_.Write("tokenizer.json", "{\"any\": 1}");
  folder_.Write("tokenizer_config.json", R"({"chat_template": "from config"})");
  auto model = import::LoadModelFolder(folder_.path());
  ASSERT_TRUE(model.ok()) << model.status().ToString();
  EXPECT_EQ(model->tokenizer_json, "{\"any\": 1}");
  EXPECT_EQ(model->chat_template, "from config");
  folder_.Write("chat_template.json", R"({"chat_template": "from json"})");
  EXPECT_EQ(import::LoadModelFolder(folder_.path())->chat_template, "from json");
  folder_.Write("chat_template.jinja", "from file");
  EXPECT_EQ(import::LoadModelFolder(folder_.path())->chat_template, "from file");
}

TEST_F(CopiedModelTest, OfNamedTemplatesTheDefaultIsTaken) {
  folder_.Write("tokenizer_config.json",
                R"({"chat_template": [{"name":"tool_use","template":"t"},
                                      {"name":"default","template":"d"}]})");
  EXPECT_EQ(import::LoadModelFolder(folder_.path())->chat_template, "d");
  for (const char* bad :
       {R"({"chat_template": [{"name":"x","template":"t"}]})", R"({"chat_template": 3})",
        R"({"chat_template": [3]})", R"({"chat_template": [{"name":"default"}]})"}) {
    folder_.Write("tokenizer_config.json", bad);
    EXPECT_THAT(Load().message(), AllOf(HasSubstr("tokenizer_config.json"),
                                        HasSubstr("chat_template: expected a string")));
  }
  folder_.Write("tokenizer_config.json", R"({"chat_template": null})");
  EXPECT_TRUE(Load().ok());
}

TEST_F(CopiedModelTest, MissingAndBrokenFilesAreNamed) {
  EXPECT_THAT(import::LoadModelFolder(folder_.File("none")).status().message(),
              AllOf(HasSubstr("none"), HasSubstr("no such file")));
  EXPECT_THAT(import::LoadModelFolder(folder_.File("config.json")).status().message(),
              HasSubstr("expected a model folder or a .safetensors file"));
  folder_.Write("config.json", "{\"a\":1,\"a\":2}");
  EXPECT_THAT(Load().message(), AllOf(HasSubstr("config.json:1"), HasSubstr("duplicate key")));
  folder_.Write("config.json", "[]");
  EXPECT_THAT(Load().message(), HasSubstr("expected a JSON object"));
  for (const char* config : {"{}", R"({"architectures": null})", R"({"architectures": []})",
                             R"({"architectures": [7]})"}) {
    folder_.Write("config.json", config);
    EXPECT_THAT(Build().message(), HasSubstr("architectures: expected"));
  }
  folder_.Write("config.json", R"({"architectures": ["GPTNeoForCausalLM"]})");
  EXPECT_THAT(Build().message(),
              AllOf(HasSubstr("GPTNeoForCausalLM"), HasSubstr("LlamaForCausalLM")));
  fs::remove(folder_.File("config.json"));
  EXPECT_THAT(Load().message(), HasSubstr("config.json: missing"));
}

TEST_F(CopiedModelTest, ABadGenerationConfigIsNamed) {
  folder_.Write("generation_config.json", R"({"eos_token_id": [5, 256]})");
  EXPECT_THAT(Build().message(), AllOf(HasSubstr("generation_config.json"),
                                       HasSubstr("eos_token_id"), HasSubstr("0..255")));
  folder_.Write("generation_config.json", "nope");
  EXPECT_THAT(Build().message(), HasSubstr("generation_config.json:1"));
}

TEST_F(CopiedModelTest, TheHashFollowsContentNotPlace) {
  const auto hash = [&] { return import::HashModel(folder_.path()).value(); };
  const std::string first = hash();
  EXPECT_EQ(hash(), first);
  folder_.Write("tokenizer.json", "{}");
  const std::string second = hash();
  EXPECT_NE(second, first);
  fs::remove(folder_.File("tokenizer.json"));
  EXPECT_EQ(hash(), first);
  const std::string weights = folder_.File("model.safetensors");
  fs::last_write_time(weights, fs::last_write_time(weights) + std::chrono::seconds(2));
  EXPECT_NE(hash(), first);
  EXPECT_FALSE(import::HashModel(folder_.File("none")).ok());
}

}  // namespace
}  // namespace zhibi::test

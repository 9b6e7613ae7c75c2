// SPDX-License-Identifier: Apache-2.0
#include "import/safetensors.h"

#include <cstring>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/safetensors_bytes.h"

namespace zhibi::test {
namespace {

using import::SafetensorsEntry;
using import::SafetensorsFile;
using testing::AllOf;
using testing::HasSubstr;

Result<SafetensorsFile> Parse(const std::string& bytes) {
  return SafetensorsFile::Parse(std::as_bytes(std::span(bytes)), "a.safetensors");
}

constexpr std::string_view kTwo =
    R"({"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
    R"("a":{"dtype":"BF16","shape":[3],"data_offsets":[8,14]}}  )";

TEST(SafetensorsTest, ReadsTensorsByName) {
  const std::string bytes = SafetensorsBytes(kTwo, std::string("\0\0\x80?\0\0\0@ABCDEF", 14));
  const auto file = Parse(bytes);
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  ASSERT_EQ(file->entries().size(), 2U);
  EXPECT_EQ(file->entries()[0].name, "a");
  const SafetensorsEntry* b = file->Find("b");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->dtype, DType::kF32);
  EXPECT_EQ(b->shape, (std::vector<std::int64_t>{2, 1}));
  float values[2];
  ASSERT_EQ(file->Bytes(*b).size(), sizeof(values));
  std::memcpy(values, file->Bytes(*b).data(), sizeof(values));
  EXPECT_EQ(values[0], 1.0F);
  EXPECT_EQ(values[1], 2.0F);
  EXPECT_EQ(static_cast<char>(file->Bytes(*file->Find("a")).back()), 'F');
  EXPECT_EQ(file->Find("c"), nullptr);
  EXPECT_EQ(file->size(), bytes.size());
}

TEST(SafetensorsTest, EmptyTensorsScalarsAndNoTensorsAreFine) {
  const auto file =
      Parse(SafetensorsBytes(R"({"e":{"dtype":"F32","shape":[0,5],"data_offsets":[4,4]},)"
                             R"("s":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})",
                             "abcd"));
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  EXPECT_TRUE(file->Bytes(*file->Find("e")).empty());
  EXPECT_TRUE(Parse(SafetensorsBytes("{}", "")).ok());
}

TEST(SafetensorsTest, TypesThatAreNotReadKeepTheirNameOnly) {
  const auto file =
      Parse(SafetensorsBytes(R"({"x":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]},)"
                             R"("y":{"dtype":"Q17","shape":[9],"data_offsets":[2,5]}})",
                             "abcde"));
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  EXPECT_EQ(file->Find("x")->dtype, std::nullopt);
  EXPECT_EQ(file->Find("y")->dtype_name, "Q17");
}

TEST(SafetensorsTest, CutOffAnywhereIsAnError) {
  const std::string bytes = SafetensorsBytes(kTwo, std::string(14, 'x'));
  ASSERT_TRUE(Parse(bytes).ok());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto file = Parse(bytes.substr(0, size));
    ASSERT_FALSE(file.ok()) << size;
    EXPECT_THAT(file.status().message(), HasSubstr("a.safetensors"));
  }
  EXPECT_THAT(Parse(bytes + "y").status().message(),
              HasSubstr("expected the data to end after 14"));
}

struct BadHeader {
  const char* what;
  const char* header;
  const char* message;  // part of the error
};

class SafetensorsBadTest : public testing::TestWithParam<BadHeader> {};

TEST_P(SafetensorsBadTest, NamesFileAndFault) {
  const auto file = Parse(SafetensorsBytes(GetParam().header, std::string(16, 'x')));
  ASSERT_FALSE(file.ok());
  EXPECT_THAT(file.status().message(),
              AllOf(HasSubstr("a.safetensors"), HasSubstr(GetParam().message)));
}

constexpr BadHeader kBadHeaders[] = {
    {"NotJson", "{nope}", "header:1:"},
    {"NotAnObject", "[1]", "expected a JSON object"},
    {"TooDeep", R"({"a":{"shape":[[[[1]]]]}})", "nested deeper"},
    {"DuplicateTensor",
     R"({"a":{"dtype":"I8","shape":[16],"data_offsets":[0,16]},"a":{"dtype":"I8","shape":[16],"data_offsets":[0,16]}})",
     "duplicate key \"a\""},
    {"DuplicateField", R"({"a":{"dtype":"I8","dtype":"I8","shape":[16],"data_offsets":[0,16]}})",
     "duplicate key \"dtype\""},
    {"NoObject", R"({"a":3})", "tensor \"a\": expected an object"},
    {"NoDtype", R"({"a":{"shape":[16],"data_offsets":[0,16]}})", "dtype: missing"},
    {"NoShape", R"({"a":{"dtype":"I8","data_offsets":[0,16]}})", "shape: missing"},
    {"NoOffsets", R"({"a":{"dtype":"I8","shape":[16]}})", "data_offsets: missing"},
    {"ExtraKey", R"({"a":{"dtype":"I8","shape":[16],"data_offsets":[0,16],"x":1}})",
     "unexpected key \"x\""},
    {"DtypeNumber", R"({"a":{"dtype":8,"shape":[16],"data_offsets":[0,16]}})",
     "dtype: expected a string"},
    {"ShapeString", R"({"a":{"dtype":"I8","shape":"16","data_offsets":[0,16]}})",
     "shape: expected"},
    {"ShapeRank9", R"({"a":{"dtype":"I8","shape":[1,1,1,1,1,1,1,1,16],"data_offsets":[0,16]}})",
     "at most 8"},
    {"ShapeNegative", R"({"a":{"dtype":"I8","shape":[-16],"data_offsets":[0,16]}})", "got -16"},
    {"ShapeFraction", R"({"a":{"dtype":"I8","shape":[16.0],"data_offsets":[0,16]}})", "got 16.0"},
    {"ShapeHuge", R"({"a":{"dtype":"I8","shape":[9223372036854775808],"data_offsets":[0,16]}})",
     "2^63"},
    {"ShapeOverflow",
     R"({"a":{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,16]}})",
     "more than 2^61"},
    {"ShapeOverflowToZero",
     R"({"a":{"dtype":"I8","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", "got 0"},
    {"SizeMismatch", R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,16]}})",
     "expected 12 bytes for F32 [3], got 16"},
    {"HalfByte", R"({"a":{"dtype":"F4","shape":[3],"data_offsets":[0,16]}})", "got 16"},
    {"OneOffset", R"({"a":{"dtype":"I8","shape":[16],"data_offsets":[16]}})", "two whole numbers"},
    {"NegativeOffset", R"({"a":{"dtype":"I8","shape":[16],"data_offsets":[-1,15]}})",
     "two whole numbers"},
    {"BackwardOffsets", R"({"a":{"dtype":"I8","shape":[16],"data_offsets":[16,0]}})",
     "expected begin <= end, got [16, 0]"},
    {"BehindEnd", R"({"a":{"dtype":"I8","shape":[17],"data_offsets":[0,17]}})",
     "within the 16 bytes"},
    {"OverflowingOffset",
     R"({"a":{"dtype":"I8","shape":[16],"data_offsets":[0,18446744073709551615]}})",
     "got 18446744073709551615"},
    {"Overlap",
     R"({"a":{"dtype":"I8","shape":[10],"data_offsets":[0,10]},"b":{"dtype":"I8","shape":[10],"data_offsets":[6,16]}})",
     "tensor \"b\": data_offsets: expected begin 10 (after tensor \"a\"), got 6, which overlaps"},
    {"SameRange",
     R"({"a":{"dtype":"I8","shape":[16],"data_offsets":[0,16]},"b":{"dtype":"I8","shape":[16],"data_offsets":[0,16]}})",
     "overlaps"},
    {"Hole",
     R"({"a":{"dtype":"I8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"I8","shape":[8],"data_offsets":[8,16]}})",
     "leaves a hole"},
    {"HoleAtStart", R"({"a":{"dtype":"I8","shape":[8],"data_offsets":[8,16]}})", "leaves a hole"},
    {"TrailingData", R"({"a":{"dtype":"I8","shape":[8],"data_offsets":[0,8]}})",
     "expected the data to end after 8 bytes (with tensor \"a\"), got 16"},
    {"MetadataList", R"({"__metadata__":[]})", "__metadata__: expected an object"},
    {"MetadataNumber", R"({"__metadata__":{"n":1}})", "\"n\": expected a string"},
    {"BadUtf8", "{\"\xff\":{}}", "header:1"},
    {"ControlInName", R"({"a\u0001":3})", "tensor \"a?\""},
};

INSTANTIATE_TEST_SUITE_P(All, SafetensorsBadTest, testing::ValuesIn(kBadHeaders),
                         [](const auto& instance) { return std::string(instance.param.what); });

TEST(SafetensorsTest, HeaderLengthIsComparedBeforeItIsUsed) {
  EXPECT_THAT(Parse(SafetensorsBytes("{}", "", 100'000'001)).status().message(),
              HasSubstr("header length at offset 0"));
  EXPECT_THAT(Parse(SafetensorsBytes("{}", "", 3)).status().message(), HasSubstr("cut off"));
  EXPECT_THAT(Parse(std::string(8, '\xff')).status().message(), HasSubstr("header length"));
  EXPECT_THAT(Parse(SafetensorsBytes("", "")).status().message(), HasSubstr("JSON object"));
}

TEST(SafetensorsTest, LongNamesAreCutInMessages) {
  const std::string name(5000, 'n');
  const auto file = Parse(SafetensorsBytes("{\"" + name + "\":1}", ""));
  EXPECT_LT(file.status().message().size(), 300U);
}

TEST(SafetensorsTest, OpenNamesAMissingFile) {
  const TemporaryFolder folder;
  EXPECT_THAT(SafetensorsFile::Open(folder.File("none.safetensors")).status().message(),
              HasSubstr("none.safetensors"));
  folder.Write("x.safetensors", SafetensorsBytes(kTwo, std::string(14, 'x')));
  const auto file = SafetensorsFile::Open(folder.File("x.safetensors"));
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  EXPECT_EQ(file->entries().size(), 2U);
}

TEST(SafetensorsTest, ShapeText) {
  EXPECT_EQ(import::ShapeText({}), "[]");
  EXPECT_EQ(import::ShapeText(std::vector<std::int64_t>{2, 64}), "[2, 64]");
}

}  // namespace
}  // namespace zhibi::test

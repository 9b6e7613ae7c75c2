// SPDX-License-Identifier: Apache-2.0
// The library builds values through its SAX interface; this file adds what foreign input needs:
// duplicate keys and deep nesting are errors, and every error carries line and column.
#include "base/json.h"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/status_macros.h"

namespace zhibi::base {
namespace {

using nlohmann::json;

std::string Place(std::string_view text, std::size_t offset) {
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++line;
      column = 1;
    } else {
      ++column;
    }
  }
  return std::to_string(line) + ":" + std::to_string(column);
}

class Builder : public nlohmann::json_sax<json> {
 public:
  Builder(json& root, std::size_t max_depth) : root_(root), max_depth_(max_depth) {}

  bool null() override { return Put(nullptr); }
  bool boolean(bool value) override { return Put(value); }
  bool number_integer(number_integer_t value) override { return Put(value); }
  bool number_unsigned(number_unsigned_t value) override { return Put(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return Put(value); }
  bool string(string_t& value) override { return Put(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return Open(json::object()); }
  bool start_array(std::size_t /*size*/) override { return Open(json::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool key(string_t& value) override {
    if (stack_.back()->contains(value)) {
      problem_ = "duplicate key \"" + value + "\"";
      return false;
    }
    key_ = std::move(value);
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    position_ = position;
    problem_ = error.what();
    // The library's text opens with "[json.exception...] parse error at line L, column C: "; the
    // place is printed by us, so only the rest is kept.
    const std::size_t colon = problem_.find(": ");
    if (colon != std::string::npos) problem_ = problem_.substr(colon + 2);
    return false;
  }

  const std::string& problem() const { return problem_; }
  std::size_t position() const { return position_; }

 private:
  template <typename T>
  bool Put(T&& value) {
    Place(json(std::forward<T>(value)));
    return true;
  }
  json* Place(json value) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    json* parent = stack_.back();
    if (parent->is_array()) {
      parent->push_back(std::move(value));
      return &parent->back();
    }
    json& slot = (*parent)[key_];
    slot = std::move(value);
    return &slot;
  }
  bool Open(json value) {
    if (stack_.size() >= max_depth_) {
      problem_ = "nested deeper than " + std::to_string(max_depth_) + " levels";
      return false;
    }
    stack_.push_back(Place(std::move(value)));
    return true;
  }
  bool Close() {
    stack_.pop_back();
    return true;
  }

  json& root_;
  std::size_t max_depth_;
  std::vector<json*> stack_;
  std::string key_;
  std::string problem_;
  std::size_t position_ = 0;
};

// Counts the characters that the parser has taken, for errors that the builder raises itself.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

}  // namespace

Result<nlohmann::json> ParseJson(std::string_view text, std::string_view source,
                                 const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    return ResourceExhaustedError(std::string(source) + ": " + std::to_string(text.size()) +
                                  " bytes of JSON, the limit is " +
                                  std::to_string(limits.max_bytes));
  }
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  json root;
  Builder builder(root, limits.max_depth);
  std::size_t taken = 0;
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): the end follows as second iterator.
  const bool good = json::sax_parse(CountingIterator(text.data(), &taken),
                                    CountingIterator(text.data() + text.size(), &taken), &builder);
  if (!good) {
    const std::size_t position = builder.position() > 0 ? builder.position() - 1 : taken;
    return InvalidArgumentError(std::string(source) + ":" + Place(text, position) + ": " +
                                builder.problem());
  }
  return root;
}

Result<nlohmann::json> ReadJsonFile(const std::string& path, std::size_t max_bytes) {
  ZB_ASSIGN_OR_RETURN(const std::string text, ReadFile(path, max_bytes));
  return ParseJson(text, path);
}

}  // namespace zhibi::base

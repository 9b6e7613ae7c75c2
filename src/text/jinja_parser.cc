// SPDX-License-Identifier: Apache-2.0
#include "text/jinja_parser.h"

#include <initializer_list>
#include <utility>

#include "base/status_macros.h"
#include "text/jinja_expr_parser.h"

namespace zhibi::text::jinja {
namespace {

class StmtParser {
 public:
  explicit StmtParser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Result<Body> Run() {
    Body body;
    ZB_RETURN_IF_ERROR(ParseBody({}, body));
    return body;
  }

 private:
  static std::string Quoted(std::initializer_list<std::string_view> names) {
    std::string out;
    for (const std::string_view name : names)
      out += (out.empty() ? "'" : " or '") + std::string(name) + "'";
    return out;
  }

  // Statements until one of the end tags, whose name is left as the current token.
  Status ParseBody(std::initializer_list<std::string_view> ends, Body& body) {
    if (++depth_ > kMaxTreeDepth / 4) return tokens_.Error("blocks nested deeper than 50 levels");
    while (true) {
      const Token& token = tokens_.current();
      if (token.kind == TokenKind::kEnd) {
        if (ends.size() > 0) return tokens_.Error("the template ends, expected " + Quoted(ends));
        break;
      }
      if (token.kind == TokenKind::kData) {
        auto text = NewStmt(StmtKind::kText);
        text->text = token.text;
        tokens_.Next();
        body.push_back(std::move(text));
      } else if (token.kind == TokenKind::kOutputBegin) {
        auto output = NewStmt(StmtKind::kOutput);
        tokens_.Next();
        ZB_ASSIGN_OR_RETURN(ExprPtr expr, tokens_.Tuple(true));
        output->exprs.push_back(std::move(expr));
        ZB_RETURN_IF_ERROR(tokens_.Expect(TokenKind::kOutputEnd, "'}}'"));
        body.push_back(std::move(output));
      } else {
        ZB_RETURN_IF_ERROR(tokens_.Expect(TokenKind::kBlockBegin, "'{%'"));
        bool ended = false;
        for (const std::string_view end : ends) ended = ended || tokens_.AtName(end);
        if (ended) break;
        ZB_RETURN_IF_ERROR(ParseTag(ends, body));
      }
    }
    --depth_;
    return OkStatus();
  }

  std::unique_ptr<Stmt> NewStmt(StmtKind kind) const {
    auto stmt = std::make_unique<Stmt>();
    stmt->kind = kind;
    stmt->line = tokens_.current().line;
    return stmt;
  }

  Status EndTag() { return tokens_.Expect(TokenKind::kBlockEnd, "'%}'"); }

  Status ParseTag(std::initializer_list<std::string_view> ends, Body& body) {
    ZB_ASSIGN_OR_RETURN(const std::string tag, tokens_.ExpectName("the name of a tag"));
    if (tag == "if") return ParseIf(body);
    if (tag == "for") return ParseFor(body);
    if (tag == "set") return ParseSet(body);
    if (tag == "macro") return ParseMacro(body);
    if (tag == "generation") return ParseGroup(body, "endgeneration");
    if (tag == "with") return ParseWith(body);
    if (tag == "filter") return ParseFilterBlock(body);
    if (tag == "break" || tag == "continue") {
      if (loops_ == 0) return tokens_.Error("'" + tag + "' outside of a loop");
      body.push_back(NewStmt(tag == "break" ? StmtKind::kBreak : StmtKind::kContinue));
      return EndTag();
    }
    if (ends.size() > 0 && (tag.rfind("end", 0) == 0 || tag == "else" || tag == "elif")) {
      return tokens_.Error("expected " + Quoted(ends) + ", got '" + tag + "'");
    }
    return tokens_.Error("the tag '" + tag + "' is not part of the subset");
  }

  Status ParseIf(Body& body) {
    auto stmt = NewStmt(StmtKind::kIf);
    while (true) {
      ZB_ASSIGN_OR_RETURN(ExprPtr condition, tokens_.Tuple(true));
      ZB_RETURN_IF_ERROR(EndTag());
      stmt->exprs.push_back(std::move(condition));
      stmt->bodies.emplace_back();
      ZB_RETURN_IF_ERROR(ParseBody({"elif", "else", "endif"}, stmt->bodies.back()));
      if (!tokens_.AcceptName("elif")) break;
    }
    if (tokens_.AcceptName("else")) {
      ZB_RETURN_IF_ERROR(EndTag());
      stmt->bodies.emplace_back();
      ZB_RETURN_IF_ERROR(ParseBody({"endif"}, stmt->bodies.back()));
    }
    tokens_.Next();
    body.push_back(std::move(stmt));
    return EndTag();
  }

  Status Targets(Stmt& stmt) {
    const bool bracket = tokens_.AcceptOperator("(");
    do {
      ZB_ASSIGN_OR_RETURN(std::string name, tokens_.ExpectName("the name of a variable"));
      stmt.targets.push_back(std::move(name));
    } while (tokens_.AcceptOperator(","));
    if (bracket) return tokens_.ExpectOperator(")");
    return OkStatus();
  }

  Status ParseFor(Body& body) {
    auto stmt = NewStmt(StmtKind::kFor);
    ZB_RETURN_IF_ERROR(Targets(*stmt));
    if (!tokens_.AcceptName("in"))
      return tokens_.Error("expected 'in' after the variables of a loop");
    ZB_ASSIGN_OR_RETURN(ExprPtr range, tokens_.Tuple(false));
    ExprPtr filter;
    if (tokens_.AcceptName("if")) {
      ZB_ASSIGN_OR_RETURN(filter, tokens_.Conditional());
    }
    if (tokens_.AtName("recursive"))
      return tokens_.Error("recursive loops are not part of the subset");
    ZB_RETURN_IF_ERROR(EndTag());
    stmt->exprs.push_back(std::move(range));
    stmt->exprs.push_back(std::move(filter));
    stmt->bodies.resize(2);
    ++loops_;
    ZB_RETURN_IF_ERROR(ParseBody({"else", "endfor"}, stmt->bodies[0]));
    --loops_;
    if (tokens_.AcceptName("else")) {
      ZB_RETURN_IF_ERROR(EndTag());
      ZB_RETURN_IF_ERROR(ParseBody({"endfor"}, stmt->bodies[1]));
    }
    tokens_.Next();
    body.push_back(std::move(stmt));
    return EndTag();
  }

  Status ParseSet(Body& body) {
    auto stmt = NewStmt(StmtKind::kSet);
    ZB_RETURN_IF_ERROR(Targets(*stmt));
    if (stmt->targets.size() == 1 && tokens_.AcceptOperator(".")) {
      ZB_ASSIGN_OR_RETURN(stmt->attribute, tokens_.ExpectName("the name of an attribute"));
    }
    if (tokens_.AcceptOperator("=")) {
      ZB_ASSIGN_OR_RETURN(ExprPtr value, tokens_.Tuple(true));
      stmt->exprs.push_back(std::move(value));
      body.push_back(std::move(stmt));
      return EndTag();
    }
    if (stmt->targets.size() != 1)
      return tokens_.Error("expected '=' after the variables of a set");
    stmt->kind = StmtKind::kSetBlock;
    stmt->exprs.emplace_back();
    if (tokens_.AcceptOperator("|")) {
      ZB_ASSIGN_OR_RETURN(stmt->exprs[0], tokens_.FilterChain(nullptr));
    }
    ZB_RETURN_IF_ERROR(EndTag());
    stmt->bodies.emplace_back();
    ZB_RETURN_IF_ERROR(ParseBody({"endset"}, stmt->bodies[0]));
    tokens_.Next();
    body.push_back(std::move(stmt));
    return EndTag();
  }

  Status ParseMacro(Body& body) {
    // A macro lives as long as the scope that defines it; only the template's own scope outlives
    // every call.
    if (loops_ > 0 || macros_ > 0)
      return tokens_.Error("macros inside loops or macros are not part of the subset");
    auto stmt = NewStmt(StmtKind::kMacro);
    stmt->macro = std::make_unique<MacroDef>();
    MacroDef& macro = *stmt->macro;
    ZB_ASSIGN_OR_RETURN(macro.name, tokens_.ExpectName("the name of a macro"));
    ZB_RETURN_IF_ERROR(tokens_.ExpectOperator("("));
    while (!tokens_.AcceptOperator(")")) {
      if (!macro.parameters.empty()) ZB_RETURN_IF_ERROR(tokens_.ExpectOperator(","));
      ZB_ASSIGN_OR_RETURN(std::string name, tokens_.ExpectName("the name of a parameter"));
      macro.parameters.push_back(std::move(name));
      macro.defaults.emplace_back();
      if (tokens_.AcceptOperator("=")) {
        ZB_ASSIGN_OR_RETURN(macro.defaults.back(), tokens_.Conditional());
      }
    }
    ZB_RETURN_IF_ERROR(EndTag());
    ++macros_;
    ZB_RETURN_IF_ERROR(ParseBody({"endmacro"}, macro.body));
    --macros_;
    tokens_.Next();
    tokens_.AcceptName(macro.name);
    body.push_back(std::move(stmt));
    return EndTag();
  }

  Status ParseGroup(Body& body, std::string_view end) {
    auto stmt = NewStmt(StmtKind::kGroup);
    ZB_RETURN_IF_ERROR(EndTag());
    stmt->bodies.emplace_back();
    // The variables of a group end with it, and so would a macro.
    ++macros_;
    ZB_RETURN_IF_ERROR(ParseBody({end}, stmt->bodies[0]));
    --macros_;
    tokens_.Next();
    body.push_back(std::move(stmt));
    return EndTag();
  }

  Status ParseWith(Body& body) {
    auto stmt = NewStmt(StmtKind::kGroup);
    stmt->bodies.emplace_back();
    while (tokens_.current().kind != TokenKind::kBlockEnd) {
      if (!stmt->bodies[0].empty()) ZB_RETURN_IF_ERROR(tokens_.ExpectOperator(","));
      auto set = NewStmt(StmtKind::kSet);
      ZB_ASSIGN_OR_RETURN(std::string name, tokens_.ExpectName("the name of a variable"));
      set->targets.push_back(std::move(name));
      ZB_RETURN_IF_ERROR(tokens_.ExpectOperator("="));
      ZB_ASSIGN_OR_RETURN(ExprPtr value, tokens_.Conditional());
      set->exprs.push_back(std::move(value));
      stmt->bodies[0].push_back(std::move(set));
    }
    ZB_RETURN_IF_ERROR(EndTag());
    ++macros_;
    ZB_RETURN_IF_ERROR(ParseBody({"endwith"}, stmt->bodies[0]));
    --macros_;
    tokens_.Next();
    body.push_back(std::move(stmt));
    return EndTag();
  }

  Status ParseFilterBlock(Body& body) {
    auto stmt = NewStmt(StmtKind::kFilterBlock);
    ZB_ASSIGN_OR_RETURN(ExprPtr chain, tokens_.FilterChain(nullptr));
    stmt->exprs.push_back(std::move(chain));
    ZB_RETURN_IF_ERROR(EndTag());
    stmt->bodies.emplace_back();
    ++macros_;
    ZB_RETURN_IF_ERROR(ParseBody({"endfilter"}, stmt->bodies[0]));
    --macros_;
    tokens_.Next();
    body.push_back(std::move(stmt));
    return EndTag();
  }

  ExprParser tokens_;
  int depth_ = 0;
  int loops_ = 0;
  int macros_ = 0;
};

}  // namespace

Result<Body> ParseTemplate(std::string_view source, const LexOptions& options) {
  ZB_ASSIGN_OR_RETURN(std::vector<Token> tokens, Lex(source, options));
  return StmtParser(std::move(tokens)).Run();
}

}  // namespace zhibi::text::jinja

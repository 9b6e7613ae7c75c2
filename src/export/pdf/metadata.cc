// SPDX-License-Identifier: Apache-2.0
#include "export/pdf/metadata.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>

#include "base/status_macros.h"
#include "base/utf8.h"
#include "export/flow.h"

namespace zhibi::exporting {
namespace {

constexpr std::string_view kProducer = "zhibi (Pango, Cairo)";

struct PdfObject {
  std::size_t number = 0;
  std::string_view bytes;  // "5 0 obj ... endobj\n"
};

struct PdfParts {
  std::string_view head;  // before the first object
  std::vector<PdfObject> objects;
  std::size_t size = 0;  // one more than the highest number
  std::size_t root = 0;
  std::size_t info = 0;
};

Status Unexpected(std::string_view what) {
  return InternalError("PDF of Cairo: expected " + std::string(what));
}

// The number after the last `key` of `text`, white space between them.
Result<std::size_t> NumberAfter(std::string_view text, std::string_view key) {
  std::size_t at = text.rfind(key);
  if (at == std::string_view::npos) return Unexpected(key);
  at = text.find_first_not_of(" \r\n", at + key.size());
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  if (at == std::string_view::npos || std::from_chars(&text[at], end, value).ec != std::errc())
    return Unexpected(std::string(key) + " and a number");
  return value;
}

Result<PdfParts> Split(std::string_view pdf) {
  PdfParts parts;
  ZB_ASSIGN_OR_RETURN(const std::size_t table, NumberAfter(pdf, "startxref"));
  if (table >= pdf.size() || !pdf.substr(table).starts_with("xref"))
    return Unexpected("a table of objects where startxref points");
  const std::size_t trailer = pdf.find("trailer", table);
  if (trailer == std::string_view::npos) return Unexpected("a trailer");
  ZB_ASSIGN_OR_RETURN(parts.size, NumberAfter(pdf.substr(trailer), "/Size"));
  ZB_ASSIGN_OR_RETURN(parts.root, NumberAfter(pdf.substr(trailer), "/Root"));
  ZB_ASSIGN_OR_RETURN(parts.info, NumberAfter(pdf.substr(trailer), "/Info"));
  // "xref\n0 N\n", then 20 bytes an object: "0000000015 00000 n \n".
  std::size_t at = pdf.find('\n', pdf.find('\n', table) + 1) + 1;
  constexpr std::size_t kEntry = 20;
  if (at + parts.size * kEntry > trailer) return Unexpected("a table of /Size objects");
  for (std::size_t number = 0; number < parts.size; ++number, at += kEntry) {
    const std::string_view entry = pdf.substr(at, kEntry);
    if (entry[17] != 'n') continue;
    std::size_t offset = 0;
    std::from_chars(&entry[0], &entry[10], offset);
    if (offset >= table) return Unexpected("objects before their table");
    parts.objects.push_back({number, pdf.substr(offset)});
  }
  if (parts.objects.empty()) return Unexpected("objects");
  std::sort(parts.objects.begin(), parts.objects.end(),
            [](const PdfObject& a, const PdfObject& b) { return a.bytes.data() < b.bytes.data(); });
  const char* end = pdf.data() + table;
  for (auto object = parts.objects.rbegin(); object != parts.objects.rend(); ++object) {
    object->bytes = object->bytes.substr(0, static_cast<std::size_t>(end - object->bytes.data()));
    end = object->bytes.data();
  }
  parts.head = pdf.substr(0, static_cast<std::size_t>(end - pdf.data()));
  return parts;
}

// UTF-16, big-endian, as a hexadecimal string.
std::string TextString(std::string_view text) {
  std::string out = "<FEFF";
  char buffer[12];
  while (!text.empty()) {
    const base::Utf8Char next = base::DecodeUtf8(text);
    text.remove_prefix(next.length);
    const auto code = static_cast<unsigned>(next.code_point);
    if (code < 0x10000) {
      std::snprintf(buffer, sizeof buffer, "%04X", code);
    } else {
      std::snprintf(buffer, sizeof buffer, "%04X%04X", 0xD800 + ((code - 0x10000) >> 10),
                    0xDC00 + (code & 0x3FFU));
    }
    out += buffer;
  }
  return out + ">";
}

// A name of ISO 32000-1 7.3.5: other characters than letters, digits and . _ - are escaped.
std::string NameObject(std::string_view name) {
  std::string out = "/";
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '_' || c == '-';
    if (plain) {
      out += c;
      continue;
    }
    char escaped[4];
    std::snprintf(escaped, sizeof escaped, "#%02X", static_cast<unsigned char>(c));
    out += escaped;
  }
  return out;
}

std::string XmlEscape(const std::string& text) {
  std::string out;
  for (const char c : base::RepairUtf8(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
    }
  }
  return out;
}

std::string Element(const std::string& name, const std::string& text) {
  return text.empty() ? "" : "<" + name + ">" + XmlEscape(text) + "</" + name + ">\n";
}

std::string Alternatives(const std::string& name, const std::string& text) {
  if (text.empty()) return "";
  return "<" + name + "><rdf:Alt><rdf:li xml:lang=\"x-default\">" + XmlEscape(text) +
         "</rdf:li></rdf:Alt></" + name + ">\n";
}

std::string Xmp(const PdfFacts& facts) {
  std::string out =
      "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
      "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\""
      " xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\""
      " xmlns:TC260=\"http://www.tc260.org.cn/ns/AIGC/1.0/\">\n"
      "<dc:language><rdf:Bag><rdf:li>zh-CN</rdf:li></rdf:Bag></dc:language>\n";
  out += Alternatives("dc:title", facts.title);
  out += Alternatives("dc:description", facts.subject);
  out += Element("pdf:Producer", std::string(kProducer));
  out += Element("xmp:CreatorTool", "zhibi");
  out += Element("TC260:AIGC", facts.aigc);
  return out + "</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"r\"?>";
}

std::string InfoObject(const PdfFacts& facts) {
  std::string out = "<<";
  const auto add = [&out](std::string_view name, const std::string& value) {
    if (!value.empty()) out += " " + NameObject(name) + " " + TextString(value) + "\n";
  };
  // No person's name, no time: the file carries no trace of who made it.
  add("Title", facts.title);
  add("Subject", facts.subject);
  add("Creator", "zhibi");
  add("Producer", std::string(kProducer));
  add("AIGC", facts.aigc);
  for (const auto& [name, value] : facts.properties) {
    if (name != "AIGC") add(name, value);
  }
  return out + ">>";
}

class Writer {
 public:
  explicit Writer(std::size_t size) : offsets_(size, 0) {}
  std::string& out() { return out_; }

  void Copy(const PdfObject& object) {
    offsets_[object.number] = out_.size();
    out_ += object.bytes;
    if (!out_.ends_with('\n')) out_ += '\n';
  }
  void Add(std::size_t number, const std::string& body) {
    if (number >= offsets_.size()) offsets_.resize(number + 1, 0);
    offsets_[number] = out_.size();
    out_ += std::to_string(number) + " 0 obj\n" + body + "\nendobj\n";
  }
  std::string Finish(std::size_t root, std::size_t info) && {
    const std::string id = HashText(out_) + HashText(out_ + "zhibi");
    const std::size_t table = out_.size();
    out_ += "xref\n0 " + std::to_string(offsets_.size()) + "\n0000000000 65535 f \n";
    for (std::size_t i = 1; i < offsets_.size(); ++i) {
      char entry[32];
      std::snprintf(entry, sizeof entry, "%010zu %05d %c \n", offsets_[i],
                    offsets_[i] == 0 ? 65535 : 0, offsets_[i] == 0 ? 'f' : 'n');
      out_ += entry;
    }
    out_ += "trailer\n<< /Size " + std::to_string(offsets_.size()) + " /Root " +
            std::to_string(root) + " 0 R /Info " + std::to_string(info) + " 0 R /ID [<" + id +
            "> <" + id + ">] >>\nstartxref\n" + std::to_string(table) + "\n%%EOF\n";
    return std::move(out_);
  }

 private:
  std::string out_;
  std::vector<std::size_t> offsets_;
};

}  // namespace

Result<std::string> WithMetadata(std::string_view pdf, const PdfFacts& facts) {
  ZB_ASSIGN_OR_RETURN(const PdfParts parts, Split(pdf));
  Writer writer(parts.size);
  writer.out() += parts.head;
  std::string catalogue;
  for (const PdfObject& object : parts.objects) {
    if (object.number == parts.root) {
      catalogue = object.bytes;
    } else if (object.number != parts.info) {
      writer.Copy(object);
    }
  }
  const std::size_t begin = catalogue.find("<<");
  const std::size_t end = catalogue.rfind(">>");
  if (begin == std::string::npos || end == std::string::npos) return Unexpected("a catalogue");
  std::string entries = catalogue.substr(begin + 2, end - begin - 2);
  const std::size_t metadata = parts.size;
  if (entries.find("/Lang") == std::string::npos) entries += " /Lang (zh-CN)";
  entries += " /ViewerPreferences << /DisplayDocTitle true >> /Metadata " +
             std::to_string(metadata) + " 0 R ";
  writer.Add(parts.root, "<<" + entries + ">>");
  writer.Add(parts.info, InfoObject(facts));
  const std::string xmp = Xmp(facts);
  writer.Add(metadata, "<< /Type /Metadata /Subtype /XML /Length " + std::to_string(xmp.size()) +
                           " >>\nstream\n" + xmp + "\nendstream");
  return std::move(writer).Finish(parts.root, parts.info);
}

}  // namespace zhibi::exporting

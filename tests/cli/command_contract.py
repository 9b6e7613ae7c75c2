#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command contract that tests and users rely on, driven from outside as a user does.

usage: command_contract.py PROGRAM SOURCE_DIR
"""
import array
import ast
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = sys.argv[1], sys.argv[2]
MODELS = os.path.join(SOURCE, "tests", "golden", "models")


def read_npy(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", path
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + length].decode().strip())
    values = array.array({"<f4": "f", "<i8": "q"}[header["descr"]])
    values.frombytes(data[10 + length:])
    return header["shape"], values


class Contract(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="zhibi 合同 ")
        cls.environment = dict(os.environ, ZHIBI_CACHE_DIR=os.path.join(cls.folder.name, "cache"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_program(self, *arguments, code=0, stdin=""):
        result = subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, text=True,
                                env=self.environment, timeout=300)
        self.assertEqual(result.returncode, code, f"{arguments}: {result.stderr}")
        return result

    def path(self, name, content=None):
        path = os.path.join(self.folder.name, name)
        if content is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def cases(self, model):
        with open(os.path.join(MODELS, model, "cases.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_logits_match_the_references(self):
        for model in ("llama2", "qwen3", "mistral"):
            cases = self.cases(model)
            ids = self.path("ids.json", [s["ids"] for s in cases["sequences"]])
            out = self.path("out-" + model)
            self.run_program("logits", "--model", os.path.join(MODELS, model), "--ids", ids, "--out", out,
                             "--precision", "fp32")
            (_, vocab), expected = read_npy(os.path.join(MODELS, model, "logits.npy"))
            row = 0
            for i, sequence in enumerate(cases["sequences"]):
                shape, values = read_npy(os.path.join(out, f"logits{i}.npy"))
                self.assertEqual(shape, (len(sequence["ids"]), vocab))
                for position in sequence["positions"]:
                    exact = expected[row * vocab:(row + 1) * vocab]
                    given = values[position * vocab:(position + 1) * vocab]
                    worst = max(abs(a - b) for a, b in zip(exact, given)) / max(map(abs, exact))
                    self.assertLess(worst, 1e-4, f"{model} sequence {i} position {position}")
                    row += 1
            self.assertGreater(row, 20)

    def test_greedy_continuations(self):
        greedy = self.cases("qwen2")["greedy"]
        ids = self.path("prompts.json", [g["prompt"] for g in greedy])
        out = self.path("greedy")
        self.run_program("logits", "--model", os.path.join(MODELS, "qwen2", "model.safetensors"), "--ids", ids,
                         "--out", out, "--precision", "fp32", "--greedy", "24")
        for i, golden in enumerate(greedy):
            shape, tokens = read_npy(os.path.join(out, f"greedy{i}.npy"))
            self.assertEqual(shape, (24,))
            for token, exact, margin in zip(tokens, golden["tokens"], golden["margins"]):
                if margin < 1e-3:
                    break
                self.assertEqual(token, exact)

    def test_build_inspect_cache(self):
        engine = self.path("tiny.engine")
        model = os.path.join(MODELS, "qwen3")
        explained = self.run_program("build", "--model", model, "--out", engine, "--precision", "int8", "--explain")
        self.assertIn("launches", explained.stdout)
        self.assertIn("int8", self.run_program("inspect", engine).stdout)
        json.loads(self.run_program("inspect", engine, "--json").stdout)
        with open(engine, "r+b") as file:
            file.seek(40)
            byte = file.read(1)
            file.seek(40)
            file.write(bytes([byte[0] ^ 0xFF]))
        broken = self.run_program("inspect", engine, code=1)
        self.assertIn("tiny.engine", broken.stderr)
        self.run_program("logits", "--model", model, "--ids", self.path("one.json", [[1]]), "--out",
                         self.path("one"), "--precision", "int4")
        self.assertIn("qwen3", self.run_program("cache", "list").stdout)
        self.run_program("cache", "prune")
        self.assertNotIn("qwen3", self.run_program("cache", "list").stdout)

    def test_shipped_model_tokenizes_and_generates(self):
        model = os.path.join(SOURCE, "models", "zhibi-mini")
        texts = ["原告张三与被告李四", "", "第十二条 2024年3月5日"]
        listed = json.loads(self.run_program("tokenize", "--model", model, "--file", self.path("t.json", texts),
                                             "--json").stdout)
        self.assertEqual(len(listed), 3)
        self.assertEqual(listed[1], [])
        one = json.loads(self.run_program("tokenize", "--model", model, "--text", texts[0], "--json").stdout)
        self.assertEqual(one, listed[0])
        arguments = ["generate", "--model", model, "--prompt", "原告", "--max-tokens", "12", "--json",
                     "--temperature", "0.8", "--ignore-eos", "--seed"]
        first = json.loads(self.run_program(*arguments, "7").stdout)
        again = json.loads(self.run_program(*arguments, "7").stdout)
        other = json.loads(self.run_program(*arguments, "8").stdout)
        self.assertEqual(first["text"], again["text"])
        self.assertNotEqual(first["text"], other["text"])
        self.assertEqual(first["usage"]["completion_tokens"], 12)
        self.assertEqual(first["finish_reason"], "length")
        stop = first["text"][2:4]
        stopped = json.loads(self.run_program(*arguments, "7", "--stop", stop).stdout)
        self.assertEqual(stopped["text"], first["text"][:first["text"].index(stop)])
        self.assertEqual(stopped["finish_reason"], "stop")

    def test_wrong_use_is_exit_2_and_names_it(self):
        for arguments, part in (
                (["generate", "--prompt", "x"], "--model"),
                (["logits", "--model", "/nonexistent", "--ids", "x", "--out", self.path("y")], "x"),
                (["generate", "--model", "/nonexistent", "--prompt", "x"], "/nonexistent"),
                (["build", "--model", os.path.join(MODELS, "qwen3"), "--out", self.path("e"), "--precision", "int7"],
                 "int7"),
                (["bench", "--shape", "7b"], "7b"),
                (["nonsense"], "nonsense")):
            self.assertIn(part, self.run_program(*arguments, code=2).stderr)
        ids = self.path("bad.json", [[1, 99999]])
        result = self.run_program("logits", "--model", os.path.join(MODELS, "llama2"), "--ids", ids, "--out",
                                  self.path("bad"), code=2)
        self.assertIn("99999", result.stderr)

    def test_bench_json_has_the_contract_keys(self):
        model = os.path.join(MODELS, "llama2")
        result = json.loads(self.run_program("bench", "--model", model, "--precision", "int8", "--prompt-tokens", "16",
                                             "--gen-tokens", "8", "--streams", "2", "--warmup", "1", "--duration", "1",
                                             "--percentile", "50", "--json").stdout)
        for part in ("prefill", "decode", "streams"):
            self.assertGreater(result[part]["tokens_per_s"], 0)
            self.assertIn("share_of_limit", result[part])
        self.assertIn("p50", result["decode"]["inter_token_ms"])
        self.assertGreater(result["load_ms"], 0)
        self.assertGreater(result["limits"]["read_gb_per_s"], 0)
        self.assertEqual(result["prefix_cache_hits"], 0)

    def test_draft_from_standard_input_and_atomic_out(self):
        with open(os.path.join(SOURCE, "examples", "private-lending.json"), encoding="utf-8") as file:
            elements = file.read()
        out = self.path("起诉状.txt")
        result = self.run_program("draft", "--doctype", "civil-complaint", "--elements", "-", "--out", out,
                                  stdin=elements)
        with open(out, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("民事起诉状", text)
        self.assertIn("王小明", text)
        self.assertIn(text.strip()[:40], result.stdout)
        broken = json.loads(elements)
        broken["plaintiffs"][0]["id_number"] = "110105199005011234"
        self.run_program("draft", "--elements", self.path("bad-elements.json", broken), code=2)

    def test_doctypes(self):
        listed = self.run_program("doctypes", "list").stdout.splitlines()
        self.assertGreater(len(listed), 25)
        self.assertIn("civil-complaint\t民事起诉状", "\n".join(listed))
        self.assertIn("原告", self.run_program("doctypes", "show", "civil-complaint").stdout)
        self.assertIn("字段", self.run_program("doctypes", "template", "civil-complaint", "--format", "csv").stdout)
        self.assertIn("civil-complaint", self.run_program("doctypes", "validate", "civil-complaint").stdout)
        self.assertIn("civil-complaint", self.run_program("doctypes", "show", "no-such-type", code=2).stderr)

    def test_one_case_gives_a_set_of_documents(self):
        with open(os.path.join(SOURCE, "data/doctypes/civil-complaint/cases/06-from-case.json"), encoding="utf-8") as file:
            case = json.load(file)["case"]
        out = self.path("文书")
        self.run_program("draft", "--case", self.path("case.json", case), "--doctype", "civil-complaint", "--doctype",
                         "power-of-attorney", "--no-ai", "--allow-missing", "--out", out + "/")
        for name in ("civil-complaint", "power-of-attorney"):
            with open(os.path.join(out, name + ".txt"), encoding="utf-8") as file:
                self.assertIn(case["parties"][0]["name"], file.read())

    def drafted(self, case, *doctypes):
        """The texts of one case of examples/, by type; each passes the check without an error."""
        out = self.path("文书")
        args = [word for doctype in doctypes for word in ("--doctype", doctype)]
        self.run_program("draft", "--case", os.path.join(SOURCE, "examples", case), *args, "--no-ai", "--out", out + "/")
        texts = {}
        for name in doctypes:
            path = os.path.join(out, name + ".txt")
            self.run_program("check", path, "--doctype", name)
            with open(path, encoding="utf-8") as file:
                texts[name] = file.read()
        return texts

    def test_documents_of_a_case_before_trial(self):
        texts = self.drafted("case-lending.json", "civil-complaint", "power-of-attorney", "preservation-application",
                             "civil-answer")
        self.assertIn("原告：王小明", texts["civil-complaint"])
        self.assertIn("受委托人：陈晓敏", texts["power-of-attorney"])
        self.assertNotIn("委托诉讼代理人：", texts["power-of-attorney"])
        self.assertIn("因与李建国、北京示例担保有限公司民间借贷纠纷一案", texts["power-of-attorney"])
        self.assertTrue(texts["preservation-application"].startswith("诉前财产保全申请书"))
        self.assertIn("答辩人一：李建国", texts["civil-answer"])
        self.assertNotIn("借条，", texts["civil-answer"])  # the evidence is the defendants' own

    def test_documents_of_a_case_after_judgment(self):
        texts = self.drafted("case-lending-judged.json", "civil-judgment", "civil-appeal", "enforcement-application")
        self.assertIn("\n原告：王小明", texts["civil-judgment"])  # 原审原告 belongs to the appeal
        self.assertIn("一、李建国于本判决生效之日起十日内向王小明偿还借款本金50000元", texts["civil-judgment"])
        self.assertIn("上诉人（原审被告）：李建国", texts["civil-appeal"])
        self.assertIn("被上诉人（原审原告）：王小明", texts["civil-appeal"])
        self.assertIn("\n原审被告：北京示例担保有限公司", texts["civil-appeal"])
        self.assertIn("申请执行人：王小明", texts["enforcement-application"])
        self.assertIn("给付借款本金50000元", texts["enforcement-application"])

    def test_check(self):
        wrong = self.path("错.txt", "原告𠮷野，公民身份号码110105194912310021。\n")
        report = json.loads(self.run_program("check", wrong, "--json", code=1).stdout)
        self.assertEqual([f["id"] for f in report["findings"]], ["ENT-04"])
        self.assertEqual(report["findings"][0]["span"], {"start": 11, "end": 29})
        self.assertIn("第1行", self.run_program("check", wrong, code=1).stdout)
        self.run_program("check", self.path("对.txt", "原告张三，男。\n"))
        self.run_program("check", self.path("没有.txt"), code=2)
        self.run_program("check", wrong, "--doctype", "no-such-type", code=2)
        self.run_program("check", wrong, "--date", "2026-02-30", code=2)
        self.run_program("check", wrong, "--publish", "P9", code=2)

    def test_export_keeps_the_text(self):
        text, document = self.path("稿.txt"), self.path("稿.json")
        self.run_program("draft", "--elements", os.path.join(SOURCE, "examples", "private-lending.json"), "--no-ai",
                         "--out", text, "--document", document)
        docx, again, markdown = self.path("稿.docx"), self.path("再.txt"), self.path("稿.md")
        self.run_program("export", document, "--format", "docx", "--out", docx)
        self.run_program("export", docx, "--format", "txt", "--out", again)
        self.run_program("export", document, "--format", "md", "--out", markdown)
        with open(text, encoding="utf-8") as one, open(again, encoding="utf-8") as two:
            squeeze = lambda t: "".join(t.split())  # noqa: E731  (layout is not text)
            self.assertEqual(squeeze(one.read()), squeeze(two.read()))
        refused = self.run_program("export", document, "--format", "odt", "--out", self.path("稿.odt"), code=2)
        self.assertIn("pdf", refused.stderr)
        self.assertFalse(os.path.exists(self.path("稿.odt")))

    def test_export_pdf(self):
        elements = os.path.join(SOURCE, "examples", "private-lending.json")
        text, pdf = self.path("稿.txt"), self.path("稿.pdf")
        self.run_program("draft", "--elements", elements, "--no-ai", "--pdf", code=2)
        module = os.path.join(os.path.dirname(PROGRAM), "libzhibi_pdf.so")
        if not os.path.exists(module):
            refused = self.run_program("draft", "--elements", elements, "--no-ai", "--pdf", "--out", text, code=3)
            self.assertIn("libpangocairo", refused.stderr)
            self.assertTrue(os.path.exists(text))
            self.skipTest("built without Pango and Cairo (libpango1.0-dev)")
        self.run_program("draft", "--elements", elements, "--no-ai", "--pdf", "--out", text, "--document",
                         self.path("稿.json"))
        with open(pdf, "rb") as file:
            drafted = file.read()
        self.assertTrue(drafted.startswith(b"%PDF-1.") and drafted.endswith(b"%%EOF\n"))
        again = self.path("再.pdf")
        self.run_program("export", self.path("稿.json"), "-o", again)
        with open(again, "rb") as file:
            self.assertEqual(file.read(), drafted)
        bad = self.run_program("export", self.path("稿.json"), "-o", self.path("三.pdf"), "--fonts", self.path("无"), code=2)
        self.assertIn("--fonts", bad.stderr)
        self.assertFalse(os.path.exists(self.path("三.pdf")))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])

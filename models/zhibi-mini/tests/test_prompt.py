# SPDX-License-Identifier: Apache-2.0
"""The serialised prompt: forms, and byte equality with PROMPT.md's example and with golden/cases_prompts.json.

The document type's template is held to the same file by its own tests, so that both sides send the same bytes.
"""
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from zmini import prompt  # noqa: E402


def load(*parts):
    with open(os.path.join(HERE, *parts), encoding="utf-8") as source:
        return json.load(source)


class Forms(unittest.TestCase):
    def test_forms(self):
        self.assertEqual(prompt.date_text("2024-03-05"), "2024年3月5日")
        self.assertEqual([prompt.sum_text(f) for f in (5000000, 123450, 7, 100)], ["50000元", "1234.50元", "0.07元", "1元"])
        self.assertEqual([prompt.rate_text(r) for r in (12.0, 14.8, 3.45, 10)], ["12", "14.8", "3.45", "10"])

    def test_example_of_the_contract(self):
        with open(os.path.join(HERE, "..", "PROMPT.md"), encoding="utf-8") as source:
            example = source.read().split("## Example")[1].split("```\n")[1]
        case = load("cases.json")[0]
        case["demands"] = case["demands"][:1]
        self.assertEqual(prompt.elements_text(case) + prompt.CLAUSE + prompt.CLAUSES[0] + "\n", example)

    def test_golden_prompts(self):
        golden = load("..", "golden", "cases_prompts.json")
        self.assertEqual([g["elements"] for g in golden], load("cases.json"))
        for entry in golden:
            self.assertEqual(prompt.elements_text(entry["elements"]), entry["prompt"])

    def test_empty_lists_are_said(self):
        text = prompt.elements_text(load("cases.json")[3])
        self.assertIn("\n还款：无\n催收：无\n", text)
        self.assertIn("\n担保：无\n夫妻债务：用于家庭日常生活\n", text)


if __name__ == "__main__":
    unittest.main()

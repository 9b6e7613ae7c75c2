# SPDX-License-Identifier: Apache-2.0
"""The phrase grammar, the case generator and the copy measure. Run from models/zhibi-mini: python3 -m unittest discover tests"""
import os
import random
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from zmini import dsl, evaluate, facts, names, narrate, prompt  # noqa: E402


class Grammar(unittest.TestCase):
    def test_alternatives_nest_and_slots_are_called(self):
        rng, seen, calls = random.Random(1), set(), []
        for _ in range(200):
            seen.add(dsl.expand(rng, "a[b|c[d|]]{x}", {"x": lambda: calls.append(1) or "!"}))
        self.assertEqual(seen, {"ab!", "acd!", "ac!"})
        self.assertEqual(len(calls), 200)

    def test_unclosed_is_an_error(self):
        for bad in ("[a|b", "a]b["):
            with self.assertRaises(ValueError):
                dsl.expand(random.Random(1), bad, {})

    def test_all_phrases_parse(self):
        from zmini import phrases
        for name, bank in vars(phrases).items():
            if name.isupper() and isinstance(bank, list):
                for template in bank:
                    dsl.parse(template)


class Cases(unittest.TestCase):
    def setUp(self):
        rng = random.Random(5)
        self.drawn = [facts.make_case(rng) for _ in range(1500)]

    def test_sums_add_up(self):
        for case, _ in self.drawn:
            loan = case["loan"]
            paid = sum(p["amount_fen"] for p in case["repayments"] if p["kind"] == "principal")
            self.assertEqual(case["outstanding_fen"] + paid, loan["amount_fen"])
            self.assertGreater(case["outstanding_fen"], 0)
            if loan.get("deliveries"):
                self.assertEqual(sum(p["amount_fen"] for p in loan["deliveries"]), loan["amount_fen"])

    def test_dates_are_in_order(self):
        for case, _ in self.drawn:
            loan = case["loan"]
            if loan.get("term_end"):
                self.assertGreater(loan["term_end"], loan["date"])
            if loan.get("extension"):
                self.assertGreater(loan["extension"]["term_end"], loan["term_end"])
            for part in case["repayments"] + case["demands"]:
                self.assertGreaterEqual(part["date"], loan["date"])

    def test_claimed_rate_is_within_the_cap(self):
        for case, _ in self.drawn:
            if case.get("interest_basis") == "lpr4":
                cap = 4 * facts.lpr_at(max(case["loan"]["date"], "2019-08-20"))
                self.assertAlmostEqual(case["interest_rate_percent"], cap, places=6)
            elif case.get("interest_basis") == "agreed":
                self.assertLessEqual(case["interest_rate_percent"], case["loan"]["rate_year_percent"])

    def test_known_lpr_values(self):
        self.assertEqual([facts.lpr_at(d) for d in ("2022-03-01", "2024-11-05", "2025-06-01")], [3.70, 3.10, 3.00])

    def test_names_are_distinct(self):
        for case, _ in self.drawn:
            all_names = [p["name"] for p in case["plaintiffs"] + case["defendants"]]
            self.assertEqual(len(set(all_names)), len(all_names))

    def test_held_out_families_stay_out(self):
        self.assertFalse(any(facts.held_out(family) for _, family in self.drawn))
        rng = random.Random(6)
        self.assertTrue(all(facts.held_out(facts.make_case(rng, test=True)[1]) for _ in range(300)))

    def test_many_names(self):
        rng = random.Random(7)
        self.assertGreater(len({names.person(rng) for _ in range(20000)}), 17000)


class Clauses(unittest.TestCase):
    def test_generator_states_only_elements_and_all_of_them(self):
        results = evaluate.reference_check(8, 1500)
        total = evaluate.summary(results)
        self.assertEqual((total["foreign_values"], total["facts_missing"], total["unfinished_clauses"]), (0, 0, 0))
        self.assertLess(total["misnamed_parties"], 5)  # a few rare verb pairs that `followers` did not see

    def test_measure_finds_planted_errors(self):
        rng, changed, caught = random.Random(9), 0, {"digit": 0, "name": 0, "gone": 0}
        for _ in range(100):
            case, _ = facts.make_case(rng)
            clauses = narrate.write_clauses(rng, case)
            changed += 1
            amount = prompt.sum_text(case["loan"]["amount_fen"])
            digit = clauses[0].replace(amount, ("9" if amount[0] != "9" else "8") + amount[1:], 1)
            caught["digit"] += bool(evaluate.check(case, [digit] + clauses[1:])["foreign"])
            name = case["defendants"][0]["name"]
            caught["name"] += bool(evaluate.check(case, [c.replace(name, "龘" + name[1:]) for c in clauses])["misnamed"])
            caught["gone"] += bool(evaluate.check(case, ["。", "。", "。"])["missing"])
        for kind, count in caught.items():
            self.assertGreaterEqual(count, 99, (kind, changed))

    def test_plain_language(self):
        rng = random.Random(10)
        bad = re.compile("约定约定|约定未约定|，，|。。|，。|关系关系|需要需要|向向|借款借款|记载约定|[{}\\[\\]|]")
        for _ in range(1500):
            case, _ = facts.make_case(rng)
            for text in narrate.write_clauses(rng, case):
                for party in case["plaintiffs"] + case["defendants"]:
                    text = text.replace(party["name"], "甲")
                self.assertIsNone(bad.search(text), text)
                self.assertNotIn("\n", text)


if __name__ == "__main__":
    unittest.main()

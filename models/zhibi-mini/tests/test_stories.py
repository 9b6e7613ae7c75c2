# SPDX-License-Identifier: Apache-2.0
"""Cases of the other document types. Run from models/zhibi-mini: python3 -m unittest discover tests"""
import os
import random
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from zmini import causes, dsl, stories  # noqa: E402

ROLE_TWICE = re.compile(r"(原告|被告人|被执行人|申请人|上诉人|答辩人)\1(?!民)")


class Stories(unittest.TestCase):
    def test_every_template_expands_and_holds_no_digit(self):
        banks = [causes.DEMAND, causes.ODD, causes.DEFENCE, causes.APPEAL, causes.ENFORCE, causes.RISK, causes.CRIME_TAIL]
        banks += [c[k] for c in causes.CAUSES.values() for k in ("key", "perform", "breach")]
        banks += list(causes.CRIMINAL.values()) + list(causes.ADMIN.values())
        for bank in banks:
            for template in bank:
                dsl.parse(template)
                self.assertIsNone(re.search(r"[0-9](?!\})", template), template)

    def test_the_narrative_says_every_value_and_no_other(self):
        rng = random.Random(3)
        for test in (False, True):
            for kind in stories.TYPES:
                for _ in range(60):
                    story = stories.make_story(rng, kind, test)
                    found = stories.check(story, story["text"])
                    self.assertFalse(any(found[k] for k in ("foreign", "misnamed", "missing", "repeated", "unfinished")), (story, found))
                    self.assertIsNone(ROLE_TWICE.search(story["text"]), story["text"])
                    self.assertNotRegex(story["text"], "合同法|婚姻法|民法通则|侵权责任法|第[一二三四五六七八九十百千]+条")

    def test_the_measure_sees_faults(self):
        story = stories.make_story(random.Random(8), "civil-complaint-other")
        text = story["text"]
        self.assertTrue(stories.check(story, text[:-1] + "，另付77123元。")["foreign"])
        self.assertTrue(stories.check(story, "原告没有事实。")["missing"])
        self.assertTrue(stories.check(story, text + text)["repeated"])

    def test_held_out_families_are_real_and_never_in_training(self):
        for kind, held in stories.HELD_OUT.items():
            self.assertEqual(len(held), 2)
            self.assertTrue(held <= set(stories.FAMILIES[kind]), kind)
        rng = random.Random(4)
        for _ in range(3000):
            story = stories.make_story(rng)
            self.assertNotIn(story["family"], stories.HELD_OUT[story["type"]])
        self.assertGreater(sum(map(len, stories.TRAIN.values())), 900)

    def test_a_person_has_no_legal_representative(self):
        rng = random.Random(9)
        for _ in range(1500):
            story = stories.make_story(rng)
            for name in re.findall("([^，：]+)的(?:法定代表人|负责人)变更为", "\n".join(story["lines"])):
                lines = [line for line in story["lines"] if line.startswith(("原告1：", "被告1：")) and name.endswith(line.split("：")[1].split("，")[0])]
                self.assertTrue(all(line.endswith("组织") for line in lines), story["lines"])

    def test_the_same_seed_gives_the_same_story(self):
        self.assertEqual(stories.make_story(random.Random(6)), stories.make_story(random.Random(6)))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Drafts held-out cases with the int8 model and measures copying.

`check` is plain text work (no torch): every date, sum, rate and party name of a clause must be an element of the case,
and the facts that belong into a clause must be there.
"""
import collections
import math
import random
import re
from functools import lru_cache

from . import facts, narrate, prompt, stories
from .prompt import date_text, rate_text, sum_text

DATE = re.compile(r"\d+年\d+月\d+日")
SUM = re.compile(r"\d+(?:\.\d+)?元")
RATE = re.compile(r"\d+(?:\.\d+)?%")
NUMBER = re.compile(r"\d+(?:\.\d+)?")


@lru_cache(maxsize=1)
def followers(documents=20000):
    """Pairs of characters that the generator writes after 原告 or 被告 where no name follows."""
    rng, found = random.Random(1), set()
    for _ in range(documents):
        case, _ = facts.make_case(rng)
        names = [p["name"] for p in case["plaintiffs"] + case["defendants"]]
        for text in narrate.write_clauses(rng, case):
            for match in re.finditer("原告|被告", text):
                tail = text[match.end():match.end() + 24]
                if not any(tail.startswith(n) for n in names):
                    found.add(tail[:2])
    return found


def allowed(case):
    """Everything that digits in the clauses may say."""
    values = {match for line in prompt.element_lines(case) for pattern in (DATE, SUM, RATE) for match in pattern.findall(line)}
    return values


def foreign(case, text):
    """Dates, sums, rates and other numbers of a text that are no elements of the case."""
    known, wrong, rest = allowed(case), [], text
    for party in case["plaintiffs"] + case["defendants"]:
        rest = rest.replace(party["name"], "")
    for pattern in (DATE, SUM, RATE):
        wrong += [m for m in pattern.findall(rest) if m not in known]
        rest = pattern.sub("", rest)
    free = "".join([case["loan"].get("purpose", ""), case.get("relation", ""), (case.get("guarantee") or {}).get("period", "")]
                   + [d["way"] for d in case["demands"]] + case.get("evidence", []))
    return wrong + [n for n in NUMBER.findall(rest) if n not in free]


def misnamed(case, text):
    """Places where 原告 or 被告 is followed by something that is neither a party's name nor a usual word."""
    names = [p["name"] for p in case["plaintiffs"] + case["defendants"]]
    wrong = []
    for match in re.finditer("原告|被告", text):
        tail = text[match.end():match.end() + 24]
        if tail and tail[:2] not in followers() and not any(tail.startswith(n) for n in names):
            wrong.append(match.group() + tail[:8])
    return wrong


def expected(case):
    """Per clause the strings that a good draft contains."""
    loan = case["loan"]
    names = [p["name"] for p in case["plaintiffs"] + case["defendants"]]
    first = names + [date_text(loan["date"]), sum_text(loan["amount_fen"])]
    first += [text for text in (case.get("relation"), loan.get("purpose"), (case.get("guarantee") or {}).get("period")) if text]
    if not loan.get("deliveries"):
        first.append(prompt.DELIVERY[loan["delivery"]])
    for part in loan.get("deliveries", []):
        first += [date_text(part["date"]), sum_text(part["amount_fen"])]
    if loan.get("term_end"):
        first.append(date_text(loan["term_end"]))
    if loan["rate_agreed"] != "none":
        first.append(rate_text(loan["rate_year_percent"]) + "%")
    second = [sum_text(case["outstanding_fen"])] + [date_text(d["date"]) for d in case["demands"]] + [d["way"] for d in case["demands"]]
    for part in case["repayments"]:
        second += [date_text(part["date"]), sum_text(part["amount_fen"])]
    third = [sum_text(case["outstanding_fen"])]
    if case.get("interest_from"):
        third += [date_text(case["interest_from"]), rate_text(case["interest_rate_percent"]) + "%"]
    return [first, second, third]


def check(case, clauses):
    """Counts of one draft."""
    found = {"foreign": [], "misnamed": [], "missing": [], "facts": 0, "values": 0, "unfinished": 0}
    for text, wanted in zip(clauses, expected(case)):
        found["foreign"] += foreign(case, text)
        found["misnamed"] += misnamed(case, text)
        found["missing"] += [w for w in wanted if w not in text]
        found["facts"] += len(wanted)
        found["values"] += sum(len(p.findall(text)) for p in (DATE, SUM, RATE))
        found["unfinished"] += not text.endswith("。")
    return found


def summary(results):
    """Shares over many drafts."""
    total = {key: sum(len(r[key]) if isinstance(r[key], list) else r[key] for r in results) for key in results[0]}
    clean = sum(not r["foreign"] and not r["misnamed"] for r in results)
    whole = sum(not r["foreign"] and not r["misnamed"] and not r["missing"] and not r["unfinished"] for r in results)
    return {"drafts": len(results), "values_written": total["values"], "foreign_values": total["foreign"],
            "misnamed_parties": total["misnamed"], "facts_expected": total["facts"], "facts_missing": total["missing"],
            "unfinished_clauses": total["unfinished"], "drafts_without_foreign": round(clean / len(results), 4),
            "drafts_with_all_facts_and_nothing_foreign": round(whole / len(results), 4)}


def cases(seed, count, test):
    rng = random.Random(seed)
    return [facts.make_case(rng, test=test)[0] for _ in range(count)]


def draft(model, tok, batch, max_new=640, fillers=None):
    """Greedy drafts of a batch of cases; the program's protocol: markers forced, each clause ended by <|end|>."""
    import torch
    device = next(model.parameters()).device
    end, pad = tok.token_to_id("<|end|>"), tok.token_to_id("<|pad|>")
    texts = [prompt.elements_text(case) for case in batch]
    if fillers:  # a long attachment between the elements and the clauses
        texts = [t + prompt.ELEMENTS + "附件\n" + f + "\n" for t, f in zip(texts, fillers)]
    clauses = [[] for _ in batch]
    for name in prompt.CLAUSES:
        texts = [t + f"{prompt.CLAUSE}{name}\n" for t in texts]
        encoded = [e.ids for e in tok.encode_batch(texts, add_special_tokens=False)]
        width = max(map(len, encoded))
        ids = torch.tensor([[pad] * (width - len(e)) + e for e in encoded], device=device)
        mask = torch.tensor([[0] * (width - len(e)) + [1] * len(e) for e in encoded], device=device)
        with torch.no_grad():
            out = model.generate(input_ids=ids, attention_mask=mask, max_new_tokens=max_new, do_sample=False, eos_token_id=end, pad_token_id=pad)
        for i, row in enumerate(out[:, width:].tolist()):
            body = row[:row.index(end)] if end in row else row
            text = tok.decode([t for t in body if t != pad], skip_special_tokens=False)
            clauses[i].append(text)
            texts[i] += text + prompt.END
    return clauses


def draft_stories(model, tok, batch, max_new=640):
    """Greedy drafts of stories.py's cases, one paragraph each."""
    import torch
    device = next(model.parameters()).device
    end, pad = tok.token_to_id("<|end|>"), tok.token_to_id("<|pad|>")
    texts = [stories.elements_text(s) + f"{prompt.CLAUSE}{s['clause']}\n" for s in batch]
    encoded = [e.ids for e in tok.encode_batch(texts, add_special_tokens=False)]
    width = max(map(len, encoded))
    ids = torch.tensor([[pad] * (width - len(e)) + e for e in encoded], device=device)
    mask = torch.tensor([[0] * (width - len(e)) + [1] * len(e) for e in encoded], device=device)
    with torch.no_grad():
        out = model.generate(input_ids=ids, attention_mask=mask, max_new_tokens=max_new, do_sample=False, eos_token_id=end, pad_token_id=pad)
    rows = [row[:row.index(end)] if end in row else row for row in out[:, width:].tolist()]
    return [tok.decode([t for t in row if t != pad], skip_special_tokens=False) for row in rows]


def bleu4(drafts, references):
    """Corpus BLEU-4 over characters, in percent."""
    hits, totals, sizes = [0] * 4, [0] * 4, [0, 0]
    for draft_text, reference in zip(drafts, references):
        sizes[0] += len(draft_text)
        sizes[1] += len(reference)
        for n in range(4):
            ours = collections.Counter(draft_text[i:i + n + 1] for i in range(len(draft_text) - n))
            theirs = collections.Counter(reference[i:i + n + 1] for i in range(len(reference) - n))
            hits[n] += sum((ours & theirs).values())
            totals[n] += sum(ours.values())
    if not all(hits):
        return 0.0
    brevity = min(0.0, 1 - sizes[1] / sizes[0])
    return round(100 * math.exp(brevity + sum(math.log(h / t) for h, t in zip(hits, totals)) / 4), 2)


def story_summary(results):
    """Shares over many drafts of stories."""
    total = {key: sum(len(r[key]) if isinstance(r[key], list) else r[key] for r in results) for key in results[0]}
    whole = sum(not any(r[k] for k in ("foreign", "misnamed", "missing", "repeated", "unfinished")) for r in results)
    return {"drafts": len(results), **total, "whole": round(whole / len(results), 4)}


def reference_check(seed, count):
    """The generator's own clauses against `check`: proves the measure (must give nothing foreign)."""
    rng = random.Random(seed)
    drawn = [facts.make_case(rng)[0] for _ in range(count)]
    return [check(case, narrate.write_clauses(rng, case)) for case in drawn]

# SPDX-License-Identifier: Apache-2.0
"""Turns cases and corpus into rows of token ids for training.

A row is a flat uint16 array of length + 1; bit 15 marks a token that carries no loss (elements of the case, padding).
Each row starts with a document; documents are fitted into rows first-fit, so that few are cut. Worker processes write
numbered .npy files, which the trainer reads while later ones are still being made.
"""
import os
import random

import numpy as np

from . import corpus, facts, narrate, prompt, stories

NO_LOSS = 0x8000
REAL_SHARE, CHAT_SHARE, FAR_SHARE, NEAR_SHARE, STORY_SHARE = 0.05, 0.03, 0.5, 0.08, 0.55
ASKS = ["请根据以上要素写出“{name}”部分。", "请写{name}。", "根据案件要素起草民事起诉状的{name}。", "写出{name}部分："]


def case_document(rng, filler=None):
    """One generated document; `filler` (a long text) stands between elements and clauses as an attachment."""
    case, _ = facts.make_case(rng)
    clauses = narrate.write_clauses(rng, case)
    if filler:
        head = prompt.elements_text(case) + prompt.ELEMENTS + "附件\n" + filler + "\n"
        return head + prompt.document_text(case, clauses)[len(prompt.elements_text(case)):]
    return prompt.document_text(case, clauses)


def story_document(rng, filler=None):
    """One generated document of another type, with or without an attachment."""
    story = stories.make_story(rng)
    if not filler:
        return stories.document_text(story)
    head = stories.elements_text(story)
    return head + prompt.ELEMENTS + "附件\n" + filler + "\n" + stories.document_text(story)[len(head):]


def chat_document(rng):
    """One clause asked for in the chat form."""
    case, _ = facts.make_case(rng)
    clauses = narrate.write_clauses(rng, case)
    which = rng.randrange(len(clauses))
    lines = "\n".join(prompt.element_lines(case))
    ask = rng.choice(ASKS).format(name=prompt.CLAUSES[which])
    return f"<|user|>\n{lines}\n{ask}{prompt.END}<|assistant|>\n{clauses[which]}{prompt.END}{prompt.TEXT_END}"


def encode(tok, texts, silent_until):
    """Token arrays; everything up to and including the first token of `silent_until` gets NO_LOSS (None: nothing does)."""
    stops = [tok.token_to_id(s) for s in silent_until] if silent_until else []
    out = []
    for enc in tok.encode_batch(texts, add_special_tokens=False):
        ids = np.array(enc.ids, dtype=np.uint16)
        if stops:
            hits = np.nonzero(np.isin(ids, stops))[0]
            if len(hits):
                ids[:hits[0] + 1] |= NO_LOSS
        out.append(ids)
    return out


class Packer:
    """Fits documents into rows of `length` + 1 ids; keeps a small pool and takes the first that fits."""

    def __init__(self, length, pad):
        self.size, self.pad, self.pool, self.rows = length + 1, pad | NO_LOSS, [], []

    def add(self, ids):
        while len(ids) > self.size:
            self.rows.append(ids[:self.size])
            ids = ids[self.size - 1:]
        if len(ids) > 8:
            self.pool.append(ids)
        if len(self.pool) > 96:
            self.flush_one()

    def flush_one(self):
        row, left = [self.pool.pop(0)], self.size - 0
        left -= len(row[0])
        i = 0
        while i < len(self.pool) and left > 200:
            if len(self.pool[i]) <= left:
                left -= len(self.pool[i])
                row.append(self.pool.pop(i))
            else:
                i += 1
        if left:
            row.append(np.full(left, self.pad, dtype=np.uint16))
        self.rows.append(np.concatenate(row))


def real_rows(tok, folder, length, seed):
    """All corpus documents of one round as packed rows, shuffled."""
    texts = [t + prompt.TEXT_END for t in corpus.documents(folder)]
    random.Random(seed).shuffle(texts)
    packer = Packer(length, tok.token_to_id("<|pad|>"))
    for start in range(0, len(texts), 2000):
        for ids in encode(tok, texts[start:start + 2000], None):
            packer.add(ids)
    while packer.pool:
        packer.flush_one()
    rows = np.stack(packer.rows)
    np.random.default_rng(seed).shuffle(rows)
    return rows


def generate_rows(tok, seed, length, count, fillers=None, longest=9000, share=FAR_SHARE):
    """`count` rows of generated documents; `share` of them carry an attachment of up to `longest` characters."""
    rng = random.Random(seed)
    packer = Packer(length, tok.token_to_id("<|pad|>"))
    while len(packer.rows) < count:
        texts, chats = [], []
        for _ in range(400):
            if rng.random() < CHAT_SHARE:
                chats.append(chat_document(rng))
            else:
                make = story_document if rng.random() < STORY_SHARE else case_document
                filler = None
                if fillers and rng.random() < share:
                    text = rng.choice(fillers)
                    start = rng.randrange(max(len(text) - 200, 1))
                    filler = text[start:start + rng.randint(200, longest)]
                    while len(filler) < longest // 2 and rng.random() < 0.8:
                        filler += "\n" + rng.choice(fillers)[:longest - len(filler)]
                texts.append(make(rng, filler))
        both = encode(tok, texts, [prompt.CLAUSE]) + encode(tok, chats, ["<|assistant|>"])
        rng.shuffle(both)
        for ids in both:
            packer.add(ids)
    return np.stack(packer.rows[:count])


def worker(args):
    """Writes the shards of one process: (tokenizer file, folder, length, rows a shard, list of shard numbers, corpus folder,
    whether documents get attachments)."""
    from tokenizers import Tokenizer
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    tok_file, folder, length, rows, numbers, corpus_folder, attach = args
    tok = Tokenizer.from_file(tok_file)
    facts.NOISE = [r["text"] for r in corpus.read(os.path.join(corpus_folder, "pleadings.train.jsonl.xz"))]
    stories.SENTENCES = stories.sentences(r["text"] for r in corpus.read(os.path.join(corpus_folder, "court.train.jsonl.xz")))
    fillers = [t for t in corpus.documents(corpus_folder) if len(t) > 400][:3000]
    longest, share = (9000, FAR_SHARE) if attach else (1200, NEAR_SHARE)
    for number in numbers:
        made = generate_rows(tok, 7919 * number + length, length, rows, fillers, longest, share)
        path = os.path.join(folder, f"rows{length}-{number:05d}.npy")
        np.save(path + ".tmp.npy", made)
        os.replace(path + ".tmp.npy", path)

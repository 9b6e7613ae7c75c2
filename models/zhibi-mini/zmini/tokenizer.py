# SPDX-License-Identifier: Apache-2.0
"""Trains the byte-level BPE tokenizer and writes tokenizer.json and tokenizer_config.json.

The pre-tokenizer is Qwen2's pattern: digits stand alone, so that numbers are copied digit by digit. Names are cut out of
the generated text before training, so that merges are words and not pieces of names; every frequent character gets a
token of its own by a list of characters with a high count.
"""
import json
import os

from . import corpus, names

PATTERN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
SPECIAL = ["<|endoftext|>", "<|elements|>", "<|clause|>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|pad|>"]
SPECIAL += [f"<|reserved_{n}|>" for n in range(8)]
TRAINED, VOCAB = 12288, 15360  # by merging; with the characters added afterwards
CHAT_TEMPLATE = ("{% for message in messages %}{{ '<|' + message['role'] + '|>\n' + message['content'] + '<|end|>' }}{% endfor %}"
                 "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% endif %}")


def common_characters():
    """GB 2312 level 1 (3,755 characters) and the characters of names."""
    return sorted(set(names.LEVEL1) | set(names.GIVEN) | set(names.SURNAMES) | set(names.RARE) | set(names.BRAND))


def training_text(rng, corpus_dir, documents):
    """Yields the training text: masked generated cases, corpus paragraphs, the character list."""
    from . import facts, narrate, prompt
    for _ in range(documents):
        case, _ = facts.make_case(rng)
        text = "\n".join(prompt.element_lines(case)) + "\n" + "\n".join(narrate.write_clauses(rng, case))
        for party in case["plaintiffs"] + case["defendants"]:
            text = text.replace(party["name"], "\n")
        yield text
    for text in corpus.documents(corpus_dir, for_tokenizer=True):
        yield text
    for char in common_characters():
        yield (char + "\n") * 1000


def train(rng, corpus_dir, out_dir, documents=20000):
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    tok = Tokenizer(models.BPE(byte_fallback=False))
    tok.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(PATTERN), behavior="isolated", invert=False),
        pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=False, use_regex=False)])
    tok.decoder = decoders.ByteLevel()
    tok.post_processor = processors.ByteLevel(trim_offsets=False)
    trainer = trainers.BpeTrainer(vocab_size=TRAINED, special_tokens=[AddedToken(s, special=True, normalized=False) for s in SPECIAL],
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False, max_token_length=24)
    tok.train_from_iterator(training_text(rng, corpus_dir, documents), trainer)
    path = os.path.join(out_dir, "tokenizer.json")
    tok.save(path)
    add_characters(path)
    write_config(out_dir)
    return Tokenizer.from_file(path)


def byte_letters():
    """The printable letter that stands for each byte in byte-level vocabularies (GPT-2's table)."""
    plain = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    table = {byte: chr(byte) for byte in plain}
    for byte in range(256):
        if byte not in table:
            table[byte] = chr(256 + len(table) - len(plain))
    return table


def wanted_characters():
    """Characters that get a token even if the text has few of them: names first, then GB 2312 level 2, then GBK's others."""
    order = list(names.RARE) + names.LEVEL2 + names.gbk_characters(0x81, 0xA1, 0x40) + names.gbk_characters(0xAA, 0xFF, 0x40)
    return list(dict.fromkeys(order))


def add_characters(path):
    """Appends whole-character tokens (with the merges that build them, after all trained ones) until VOCAB is full."""
    with open(path, encoding="utf-8") as source:
        spec = json.load(source)
    vocab, merges, letters = spec["model"]["vocab"], spec["model"]["merges"], byte_letters()

    def add(left, right):
        if left + right not in vocab:
            vocab[left + right] = len(vocab)
            merges.append([left, right])

    for char in wanted_characters():
        first, second, third = (letters[b] for b in char.encode("utf-8"))
        if len(vocab) + 2 > VOCAB:
            break
        if first + second + third not in vocab:
            add(first, second)
            add(first + second, third)
    for n in range(VOCAB - len(vocab)):
        token = f"<|unused_{n}|>"
        vocab[token] = len(vocab)
    assert len(vocab) == VOCAB
    with open(path, "w", encoding="utf-8") as out:
        json.dump(spec, out, ensure_ascii=False, indent=2)
        out.write("\n")


def write_config(out_dir):
    config = {"add_bos_token": False, "add_eos_token": False, "bos_token": None, "eos_token": "<|end|>", "pad_token": "<|pad|>",
              "unk_token": None, "additional_special_tokens": SPECIAL[1:3] + SPECIAL[4:7], "clean_up_tokenization_spaces": False,
              "model_max_length": 8192, "tokenizer_class": "PreTrainedTokenizerFast", "chat_template": CHAT_TEMPLATE}
    with open(os.path.join(out_dir, "tokenizer_config.json"), "w", encoding="utf-8") as out:
        json.dump(config, out, ensure_ascii=False, indent=2)
        out.write("\n")
